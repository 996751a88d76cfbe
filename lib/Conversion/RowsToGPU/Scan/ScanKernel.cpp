//===- ScanKernel.cpp - Kernels of running sums ---------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A prefix sum, scan, of each row. A block goes along its rows piece by piece.
// A thread adds up its elements; threads of a row add up what others before
// them have, the lanes of a warp by exchanges (Blelloch, "Prefix sums and their
// applications", 1990, in the form of Hillis and Steele, "Data parallel
// algorithms", 1986), warps through shared memory; and what the piece has
// together goes on to the next one. The order is the same in each run.
//
//===----------------------------------------------------------------------===//

#include "ScanEmitter.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;
using mlir::pit::detect::HostMath;
using mlir::pit::detect::Kernel;

/// Lanes of a warp.
static constexpr int64_t kWarpLanes = 32;
/// For what a warp has found, of up to 64 bits.
static constexpr int64_t kSlotBytes = 8;

ScanEmitter::ScanEmitter(const ScanReduction &scan, RowPlanAttr plan,
                         Value parts, Value sums, bool isOfSums, HostMath &host)
    : scan(scan), plan(plan), host(host), parts(parts), sums(sums),
      isOfSums(isOfSums), vector(plan.getVector()), across(plan.getUnroll()),
      ofRow(plan.getThreadsOfRow()) {
  linalg::LinalgOp op = scan.op;
  for (Range range : op.createLoopRanges(host, host.getLoc()))
    extents.push_back(
        getValueOrCreateConstantIndexOp(host, host.getLoc(), range.size));
  count = host.max(extents[scan.scan.over], extents[scan.scan.along]);
  ofOp = createAccesses(op);
  if (scan.behind.op) {
    ofWork = createAccesses(scan.behind.op);
    loopsOfWork = scan.behind.getLoops(op);
  }
  isVector = llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    return !op.payloadUsesValueFromOperand(input) ||
           !op.getMatchingIndexingMap(input).isFunctionOfDim(scan.scan.over) ||
           scan.fitsVector(*input, vector);
  });
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// Threads of a row lie `across` apart, so that neighbours have neighbouring
/// rows.
ScanEmitter::OfThreads ScanEmitter::scanThreads(Kernel &b, Value value) {
  OfThreads found{neutral(b), value};
  int64_t width = across * ofRow;
  for (int64_t distance = across; distance < std::min(width, kWarpLanes);
       distance *= 2) {
    Value other = b.exchange(found.all, distance);
    Value isBehind = b.compare(arith::CmpIPredicate::ne,
                               b.bitAnd(b.lane(), distance), b.i32(0));
    found.before =
        b.select(isBehind, combine(b, other, found.before), found.before);
    // In the same order in both.
    Value first = b.select(isBehind, other, found.all),
          second = b.select(isBehind, found.all, other);
    found.all = combine(b, first, second);
  }
  if (width <= kWarpLanes)
    return found;
  int64_t bytes = getBytes(value.getType());
  auto slot = [&](Value warp, Value column) {
    return b.element(shared, b.add(b.mul(warp, across), column), bytes);
  };
  int64_t warps = width / kWarpLanes;
  Value column = b.bitAnd(b.lane(), across - 1);
  // Of the piece before, all must have been read.
  b.syncBlock();
  b.ifThen(b.isLess(b.lane(), b.i32(across)),
           [&] { storeElement(b, found.all, slot(b.warp(), column)); });
  b.syncBlock();
  Value mine = b.bitAnd(b.warp(), warps - 1), first = b.sub(b.warp(), mine);
  Value before = neutral(b), all;
  for (int64_t warp = 0; warp < warps; ++warp) {
    Value loaded =
        loadElement(b, slot(b.add(first, warp), column), value.getType());
    before = b.select(b.isLess(b.i32(warp), mine), combine(b, before, loaded),
                      before);
    all = all ? combine(b, all, loaded) : loaded;
  }
  return {combine(b, before, found.before), all};
}

/// What the parts of the row have together that are before this one.
Value ScanEmitter::getBefore(Kernel &b, Value row, Value part) {
  if (isOfSums || !sums)
    return neutral(b);
  sums::Layout layout(host, sums);
  Value thread = b.bitAnd(b.divide(b.extend(b.threadId()), across), ofRow - 1);
  // A row that is not there has no sums.
  Value last = b.select(isRow, part, b.i64(0));
  Value found = b.forLoop(
      thread, last, b.i64(ofRow), neutral(b), [&](Value i, ValueRange before) {
        Value loaded =
            loadElement(b, layout.address(b, {row, i}), layout.element);
        return SmallVector<Value>{combine(b, before[0], loaded)};
      })[0];
  return scanThreads(b, found).all;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// One part of one row; `unit` numbers groups of neighbouring rows and parts.
void ScanEmitter::emitRow(Kernel &b, Value unit, Value isThere) {
  Value part = b.i64(0), group = unit;
  if (sums) {
    Value count = b.number(parts, 64);
    part = b.remainder(unit, count);
    group = b.divide(unit, count);
  }
  ivs.assign(extents.size(), b.i64(0));
  isRow = isThere;
  Value row = b.i64(0), outer = group;
  SmallVector<unsigned> loops(scan.rows);
  Value inner;
  if (across > 1) {
    unsigned loop = loops.pop_back_val();
    Value extent = b.number(extents[loop], 64),
          groups = b.number(host.ceilDiv(extents[loop], across), 64);
    inner = b.add(b.mul(b.remainder(group, groups), across),
                  b.extend(b.bitAnd(b.threadId(), across - 1)));
    outer = b.divide(group, groups);
    isRow = b.bitAnd(isRow, b.isLess(inner, extent));
    ivs[loop] = inner;
    row = b.add(b.mul(outer, extent), inner);
  } else {
    row = outer;
  }
  for (unsigned loop : llvm::reverse(loops)) {
    if (loop == loops.front()) {
      ivs[loop] = outer;
      break;
    }
    Value extent = b.number(extents[loop], 64);
    ivs[loop] = b.remainder(outer, extent);
    outer = b.divide(outer, extent);
  }
  int64_t piece = ofRow * vector;
  Value all = b.number(count, 64);
  Value begin = b.i64(0);
  end = all;
  if (sums) {
    // Parts are whole pieces.
    Value ofPart =
        host.mul(host.ceilDiv(host.ceilDiv(count, parts), piece), piece);
    begin = b.minimum(b.mul(part, b.number(ofPart, 64)), all);
    end = b.minimum(b.add(begin, b.number(ofPart, 64)), all);
  }
  Value thread = b.bitAnd(b.divide(b.extend(b.threadId()), across), ofRow - 1);
  Value first = b.add(begin, b.mul(thread, vector));
  // All threads of a block take as many steps.
  Value steps = b.i64(0);
  if (sums)
    steps = b.ceilDivide(
        b.number(
            host.mul(host.ceilDiv(host.ceilDiv(count, parts), piece), piece),
            64),
        piece);
  else
    steps = b.number(host.ceilDiv(count, piece), 64);
  auto getPosition = [&](Value step) {
    return b.add(first, b.mul(step, piece));
  };
  auto addUp = [&](MutableArrayRef<Value> elements) {
    for (size_t i = 1; i < elements.size(); ++i)
      elements[i] = combine(b, elements[i - 1], elements[i]);
    return elements.back();
  };
  if (isOfSums) {
    Value mine = b.forLoop(
        b.i64(0), steps, b.i64(1), neutral(b),
        [&](Value step, ValueRange before) {
          SmallVector<Value> elements = loadElements(b, getPosition(step));
          return SmallVector<Value>{combine(b, before[0], addUp(elements))};
        })[0];
    Value total = scanThreads(b, mine).all;
    sums::Layout layout(host, sums);
    b.ifThen(b.bitAnd(isRow, b.isEqual(thread, 0)), [&] {
      storeElement(b, total, layout.address(b, {row, part}));
    });
    return;
  }
  // The next piece is loaded while this one is added up.
  SmallVector<Value> carried = loadElements(b, first);
  carried.push_back(getBefore(b, row, part));
  b.forLoop(
      b.i64(0), steps, b.i64(1), carried, [&](Value step, ValueRange loaded) {
        SmallVector<Value> next = loadElements(b, getPosition(b.add(step, 1)));
        SmallVector<Value> elements(loaded.drop_back());
        OfThreads threads = scanThreads(b, addUp(elements));
        Value before = loaded.back(),
              start = combine(b, before, threads.before);
        SmallVector<Value> results;
        if (scan.scan.isExclusive)
          results.push_back(start);
        for (Value element : elements)
          results.push_back(combine(b, start, element));
        store(b, getPosition(step), ArrayRef(results).take_front(vector));
        next.push_back(combine(b, before, threads.all));
        return next;
      });
}

void ScanEmitter::run(gpu::GPUModuleOp module, StringRef name) {
  int64_t threads = plan.getThreads(), width = across * ofRow,
          groups = threads / width;
  Kernel b(module, host.getLoc(), name, threads);
  if (width > kWarpLanes)
    shared = b.sharedWords(threads / kWarpLanes * across * kSlotBytes / 4);
  Value units = sums ? parts : host.constant(1);
  for (auto [i, loop] : llvm::enumerate(scan.rows))
    units = host.mul(units, across > 1 && i + 1 == scan.rows.size()
                                ? host.ceilDiv(extents[loop], across)
                                : extents[loop]);
  Value all = b.number(units, 64);
  Value mine = b.extend(b.divide(b.threadId(), b.i32(width)));
  Value step = b.mul(b.extend(b.gridSize()), groups);
  b.forLoop(b.mul(b.extend(b.blockId()), groups), all, step, {},
            [&](Value first, ValueRange) {
              Value unit = b.add(first, mine);
              emitRow(b, unit, b.isLess(unit, all));
              return SmallVector<Value>();
            });
  Value blocks =
      host.min(host.ceilDiv(units, groups), host.constant(plan.getMaxBlocks()));
  b.finish(host, host.max(blocks, host.constant(1)));
}

void mlir::pit::rows::createScanLaunch(const ScanReduction &scan,
                                       RowPlanAttr plan, Value parts,
                                       Value sums, bool isOfSums,
                                       HostMath &host, gpu::GPUModuleOp module,
                                       StringRef name) {
  ScanEmitter(scan, plan, parts, sums, isOfSums, host).run(module, name);
}
