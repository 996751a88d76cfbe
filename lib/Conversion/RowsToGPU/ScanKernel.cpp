//===- ScanKernel.cpp - Kernels of running sums ---------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A prefix sum, scan, of each row. A block goes along its rows piece by piece. A
// thread adds up its elements; threads of a row add up what others before them
// have, the lanes of a warp by exchanges (Blelloch, "Prefix sums and their
// applications", 1990, in the form of Hillis and Steele, "Data parallel
// algorithms", 1986), warps through shared memory; and what the piece has
// together goes on to the next one. The order is the same in each run.
//
//===----------------------------------------------------------------------===//

#include "GPU/Host/BufferAccess.h"
#include "PIT/Dialect/PIT/Utils/Subscripts.h"
#include "ReductionAccess.h"
#include "ScanReduction.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;
using mlir::pit::detect::HostMath;
using mlir::pit::detect::Kernel;

namespace {

constexpr int64_t kWarpLanes = 32;
/// For what a warp has found, of up to 64 bits.
constexpr int64_t kSlotBytes = 8;

class ScanEmitter {
public:
  ScanEmitter(const ScanReduction &scan, RowPlanAttr plan, Value parts,
              Value sums, bool isOfSums, HostMath &host);
  void run(gpu::GPUModuleOp module, StringRef name);

private:
  /// What threads before have together, and all threads of the row.
  struct OfThreads {
    Value before, all;
  };
  /// An operand of the op, or of the work behind it.
  struct Access {
    std::optional<sums::Layout> layout;
    AffineMap map;
    bool isInvariant = false;
  };

  SmallVector<Access, 0> createAccesses(linalg::LinalgOp of);
  Value combine(Kernel &b, Value left, Value right) {
    return scan.scan.combine(b, b.getLoc(), left, right);
  }
  Value neutral(Kernel &b) {
    return arith::ConstantOp::create(b, scan.scan.getNeutral());
  }
  Value address(Kernel &b, const Access &access, ArrayRef<Value> ivs);
  OfThreads scanThreads(Kernel &b, Value value);
  Value getBefore(Kernel &b, Value row, Value part);
  void emitRow(Kernel &b, Value unit, Value isThere);
  SmallVector<Value> loadElements(Kernel &b, Value position);
  SmallVector<Value> computeElements(Kernel &b, ArrayRef<Value> numbers,
                                     bool isVector);
  void store(Kernel &b, Value position, ArrayRef<Value> results);
  void storeOne(Kernel &b, ArrayRef<Value> ivs, Value result);
  Value getNumber(Kernel &b, Value position);
  SmallVector<Value> at(Kernel &b, Value number);

  const ScanReduction &scan;
  RowPlanAttr plan;
  HostMath &host;
  /// Values of the host: how many parts a row has, where their sums are, the
  /// loops' extents, and the longer one of the two that are scanned.
  Value parts, sums;
  bool isOfSums;
  SmallVector<Value> extents;
  Value count;
  SmallVector<Access, 0> ofOp, ofWork;
  SmallVector<std::optional<unsigned>> loopsOfWork;
  /// Elements of a thread, neighbouring rows side by side, threads of a row.
  int64_t vector, across, ofRow;
  bool isVector;
  Value shared;
  /// While a row is emitted: numbers of loops, and whether the row exists and
  /// where its part ends.
  SmallVector<Value> ivs;
  Value isRow, end;
};

} // namespace

SmallVector<ScanEmitter::Access, 0>
ScanEmitter::createAccesses(linalg::LinalgOp of) {
  SmallVector<Access, 0> accesses;
  for (OpOperand &operand : of->getOpOperands()) {
    Access access;
    access.map = of.getMatchingIndexingMap(&operand);
    if (isa<MemRefType>(operand.get().getType()) &&
        operand.get() != scan.behind.result) {
      access.layout.emplace(host, operand.get());
      access.isInvariant =
          llvm::none_of(scan.getLast().getDpsInits(), [&](Value init) {
            return hopper::mayShareMemory(init, operand.get());
          });
    }
    accesses.push_back(std::move(access));
  }
  return accesses;
}

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

Value ScanEmitter::address(Kernel &b, const Access &access,
                           ArrayRef<Value> numbers) {
  SmallVector<Value> subscripts;
  for (AffineExpr expr : access.map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      subscripts.push_back(numbers[dim.getPosition()]);
      continue;
    }
    SmallVector<Value> indices;
    for (Value number : numbers)
      indices.push_back(
          arith::IndexCastOp::create(b, b.getIndexType(), number));
    subscripts.push_back(arith::IndexCastOp::create(
        b, b.getI64Type(), createSubscript(b, b.getLoc(), expr, indices)));
  }
  return access.layout->address(b, subscripts);
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
// Elements
//===----------------------------------------------------------------------===//

/// The number of the element at a position of the scan.
Value ScanEmitter::getNumber(Kernel &b, Value position) {
  if (!scan.scan.isReversed)
    return position;
  return b.sub(b.sub(b.number(count, 64), 1), position);
}

/// The loops' numbers at an element of the row.
SmallVector<Value> ScanEmitter::at(Kernel &b, Value number) {
  SmallVector<Value> moved(ivs);
  moved[scan.scan.over] = moved[scan.scan.along] = number;
  return moved;
}

/// What the body computes of inputs for elements with these numbers.
SmallVector<Value> ScanEmitter::computeElements(Kernel &b,
                                                ArrayRef<Value> numbers,
                                                bool isVector) {
  linalg::LinalgOp op = scan.op;
  int64_t count = numbers.size();
  bool isReversed = scan.scan.isReversed;
  SmallVector<SmallVector<Value>> loads;
  for (OpOperand *input : op.getDpsInputOperands()) {
    const Access &access = ofOp[input->getOperandNumber()];
    SmallVector<Value> &loaded = loads.emplace_back();
    if (!op.payloadUsesValueFromOperand(input))
      continue;
    if (!access.layout) {
      loaded.push_back(b.clone(*input->get().getDefiningOp())->getResult(0));
      continue;
    }
    auto load = [&](Value number, int64_t length) {
      return rows::loadElements(b, address(b, access, at(b, number)),
                                access.layout->element, length,
                                access.isInvariant);
    };
    if (!access.map.isFunctionOfDim(scan.scan.over)) {
      loaded = load(numbers.front(), 1);
    } else if (isVector) {
      loaded = load(isReversed ? numbers.back() : numbers.front(), count);
      if (isReversed)
        std::reverse(loaded.begin(), loaded.end());
    } else {
      for (Value number : numbers)
        llvm::append_range(loaded, load(number, 1));
    }
  }
  SmallVector<Value> elements;
  for (auto [i, number] : llvm::enumerate(numbers)) {
    SmallVector<Value> arguments, place = at(b, number);
    for (const SmallVector<Value> &loaded : loads)
      arguments.push_back(loaded.empty()       ? Value()
                          : loaded.size() == 1 ? loaded[0]
                                               : loaded[i]);
    arguments.push_back(neutral(b));
    elements.push_back(emitBody(
        b, op, arguments, [&](unsigned loop) { return place[loop]; },
        scan.scan.element)[0]);
  }
  return elements;
}

/// The thread's elements from a position on; those that are not there change
/// nothing.
SmallVector<Value> ScanEmitter::loadElements(Kernel &b, Value position) {
  SmallVector<Value> numbers, elements;
  for (int64_t i = 0; i < vector; ++i)
    numbers.push_back(getNumber(b, b.add(position, i)));
  auto getNone = [&](int64_t length) {
    return SmallVector<Value>(length, neutral(b));
  };
  if (isVector)
    return b.choose(
        b.bitAnd(isRow, b.isLess(position, end)),
        [&] { return computeElements(b, numbers, /*isVector=*/true); },
        [&] { return getNone(vector); });
  // Loads of one branch are all under way at a time; behind the last element,
  // it is loaded again.
  bool mayBeLonger = !isEqualConstantIntOrValue(count, extents[scan.scan.over]);
  if (!mayBeLonger || !scan.scan.isReversed) {
    Value limit = end;
    if (mayBeLonger)
      limit = b.minimum(end, b.number(extents[scan.scan.over], 64));
    return b.choose(
        b.bitAnd(isRow, b.isLess(position, limit)),
        [&] {
          SmallVector<Value> clamped;
          for (int64_t i = 0; i < vector; ++i)
            clamped.push_back(
                getNumber(b, b.minimum(b.add(position, i), b.sub(limit, 1))));
          SmallVector<Value> found =
              computeElements(b, clamped, /*isVector=*/false);
          for (int64_t i = 1; i < vector; ++i)
            found[i] = b.select(b.isLess(b.add(position, i), limit), found[i],
                                neutral(b));
          return found;
        },
        [&] { return getNone(vector); });
  }
  for (int64_t i = 0; i < vector; ++i) {
    Value isInside = b.bitAnd(isRow, b.isLess(b.add(position, i), end));
    isInside = b.bitAnd(
        isInside, b.isLess(numbers[i], b.number(extents[scan.scan.over], 64)));
    llvm::append_range(elements,
                       b.choose(
                           isInside,
                           [&] {
                             return computeElements(b, numbers[i],
                                                    /*isVector=*/false);
                           },
                           [&] { return getNone(1); }));
  }
  return elements;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// One result, or what the work behind makes of it.
void ScanEmitter::storeOne(Kernel &b, ArrayRef<Value> place, Value result) {
  linalg::LinalgOp work = scan.behind.op;
  if (!work) {
    storeElement(b, result, address(b, ofOp.back(), place));
    return;
  }
  SmallVector<Value> numbers;
  for (std::optional<unsigned> loop : loopsOfWork)
    numbers.push_back(loop ? place[*loop] : b.i64(0));
  SmallVector<Value> arguments;
  for (OpOperand &operand : work->getOpOperands()) {
    const Access &access = ofWork[operand.getOperandNumber()];
    if (operand.get() == scan.behind.result)
      arguments.push_back(result);
    else if (!work.payloadUsesValueFromOperand(&operand))
      arguments.emplace_back();
    else if (!access.layout)
      arguments.push_back(
          b.clone(*operand.get().getDefiningOp())->getResult(0));
    else
      arguments.push_back(rows::loadElements(b, address(b, access, numbers),
                                             access.layout->element, 1,
                                             access.isInvariant)[0]);
  }
  SmallVector<Value> worked = emitBody(
      b, work, arguments, [&](unsigned loop) { return numbers[loop]; });
  for (auto [init, value] : llvm::zip_equal(work.getDpsInitsMutable(), worked))
    storeElement(b, value,
                 address(b, ofWork[init.getOperandNumber()], numbers));
}

void ScanEmitter::store(Kernel &b, Value position, ArrayRef<Value> results) {
  auto getStart = [&](ArrayRef<Value> place) -> Value {
    if (linalg::FillOp start = scan.start)
      return b.clone(*start.getInputs()[0].getDefiningOp())->getResult(0);
    return loadElement(b, address(b, ofOp.back(), place),
                       ofOp.back().layout->element);
  };
  bool isOneStore = isVector && !scan.behind.op && scan.storesVector(vector);
  if (isOneStore) {
    b.ifThen(b.bitAnd(isRow, b.isLess(position, end)), [&] {
      SmallVector<Value> values;
      for (auto [i, result] : llvm::enumerate(results))
        values.push_back(combine(
            b, getStart(at(b, getNumber(b, b.add(position, i)))), result));
      Value first = getNumber(b, position);
      if (scan.scan.isReversed) {
        std::reverse(values.begin(), values.end());
        first = b.sub(first, vector - 1);
      }
      sums::storeElements(b, address(b, ofOp.back(), at(b, first)), values);
    });
    return;
  }
  for (auto [i, result] : llvm::enumerate(results)) {
    Value moved = b.add(position, i), number = getNumber(b, moved);
    Value isInside = b.bitAnd(isRow, b.isLess(moved, end));
    if (!isEqualConstantIntOrValue(count, extents[scan.scan.along]))
      isInside = b.bitAnd(
          isInside, b.isLess(number, b.number(extents[scan.scan.along], 64)));
    b.ifThen(isInside, [&, result = result] {
      SmallVector<Value> place = at(b, number);
      storeOne(b, place, combine(b, getStart(place), result));
    });
  }
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
