//===- RowKernel.cpp - Lanes, a warp or a block per row -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Row reductions with what is computed of them: softmax, layer norm.
//
// A lane has vectors of neighbouring columns, as many vectors apart as there
// are lanes to a row: those of a warp, some of them for short rows or, of rows
// that the registers of a warp do not hold, those of a block. Steps are run in
// order on what the buffers hold at that point, which is never in memory: a
// buffer is a row's elements, one for each of the lane's columns.
//
//===----------------------------------------------------------------------===//

#include "ReductionAccess.h"
#include "RowEmitter.h"
#include "RowPlan.h"

#include "GPU/Host/BufferAccess.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;
using mlir::pit::detect::HostMath;
using mlir::pit::detect::Kernel;
using mlir::pit::hopper::mayShareMemory;
using mlir::pit::sums::Layout;
using mlir::pit::sums::SourceLists;

/// For what a warp has found, of up to 64 bits.
static constexpr int64_t kSlotBytes = 8;
/// Threads of a multiprocessor, of kernels that sweep over rows.
static constexpr int64_t kThreadsAtOnce = 1024;

/// The most results that a reduction has.
static int64_t countResults(const RowsMatch &match) {
  int64_t most = 1;
  for (Operation *step : match.steps)
    if (auto op = dyn_cast<linalg::LinalgOp>(step))
      most = std::max(most, op.getNumDpsInits());
  return most;
}

RowEmitter::RowEmitter(const RowsMatch &match, RowPlanAttr plan,
                       const SourceLists *lists, int64_t sharedBytes,
                       HostMath &host)
    : match(match), plan(plan), lists(lists), host(host),
      lanes(plan.getThreadsOfRow()), isWide(lanes > kWarpLanes),
      numWarps(plan.getThreads() / kWarpLanes), length(plan.getVector()),
      numVectors(llvm::divideCeil(match.columns, length * lanes)) {
  for (const Operand &operand : match.operands) {
    layouts.emplace_back();
    if (!operand.places)
      layouts.back().emplace(host, operand.buffer);
  }
  isLong = isLongRow(match.columns, lanes);
  if (isLong)
    planSweeps(sharedBytes);
}

Value RowEmitter::exists(Kernel &b, int64_t vector) {
  if (chunk)
    return isWhole
               ? Value()
               : b.isLess(b.add(lane(b), b.mul(b.add(chunk, vector), lanes)),
                          b.i32(match.columns / length));
  if ((vector + 1) * lanes * length <= match.columns)
    return {};
  return b.isLess(b.add(lane(b), vector * lanes),
                  b.i32(match.columns / length));
}

Value RowEmitter::getRow(Kernel &b, const Operand &operand, Value position,
                         Value coordinate) {
  switch (operand.rows) {
  case Operand::Rows::Packed:
    return position;
  case Operand::Rows::Listed:
  case Operand::Rows::Points:
    return coordinate;
  case Operand::Rows::Shared:
    return {};
  }
  llvm_unreachable("all kinds are covered");
}

SmallVector<Value> RowEmitter::getPlace(const Operand &operand,
                                        Value row) const {
  if (!row)
    return {};
  if (operand.rows != Operand::Rows::Points)
    return {row};
  return operand.hasSegmentsFirst ? SmallVector<Value>{segment, row}
                                  : SmallVector<Value>{row, segment};
}

/// The lane's elements of a row; those behind the last column are the row's
/// first ones, so that none is loaded from behind the buffer.
RowEmitter::Elements RowEmitter::load(Kernel &b, unsigned number, Value row) {
  const Operand &operand = match.operands[number];
  if (operand.places)
    return emitPlaces(b, operand.places);
  bool isInvariant = llvm::none_of(match.operands, [&](const Operand &other) {
    return other.isOutput && mayShareMemory(other.buffer, operand.buffer);
  });
  Elements elements;
  for (int64_t i = 0; i < (operand.hasColumns ? countVectors() : 1); ++i) {
    SmallVector<Value> position = getPlace(operand, row);
    if (operand.hasColumns) {
      Value column = getColumn(b, i);
      if (Value inside = exists(b, i))
        column = b.select(inside, column, b.i64(0));
      position.push_back(column);
    }
    llvm::append_range(
        elements,
        sums::loadElements(b, layouts[number]->address(b, position),
                           layouts[number]->element,
                           operand.hasColumns ? length : 1, isInvariant));
  }
  return elements;
}

void RowEmitter::store(Kernel &b, unsigned number, Value row,
                       ArrayRef<Value> elements) {
  const Operand &operand = match.operands[number];
  if (!operand.hasColumns) {
    // Other warps may still have to read what was there.
    if (isWide)
      b.syncBlock();
    Value stores = b.isEqual(lane(b), 0);
    b.ifThen(isRow ? b.bitAnd(stores, isRow) : stores, [&] {
      sums::storeElements(
          b, layouts[number]->address(b, getPlace(operand, row)), elements);
    });
    return;
  }
  for (int64_t i = 0; i < countVectors(); ++i) {
    auto emit = [&] {
      SmallVector<Value> place = getPlace(operand, row);
      place.push_back(getColumn(b, i));
      sums::storeElements(b, layouts[number]->address(b, place),
                          elements.slice(i * length, length));
    };
    Value inside = exists(b, i);
    if (inside && isRow)
      inside = b.bitAnd(inside, isRow);
    else if (isRow)
      inside = isRow;
    if (inside)
      b.ifThen(inside, emit);
    else
      emit();
  }
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// What the payload gets for one of the lane's elements; a destination that it
/// does not read may hold nothing yet.
SmallVector<Value> RowEmitter::getArguments(Kernel &b, linalg::LinalgOp op,
                                            unsigned element) {
  SmallVector<Value> arguments;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    Type type = op.getMatchingBlockArgument(&operand).getType();
    if (Operation *constant = value.getDefiningOp();
        constant && !isa<MemRefType>(value.getType())) {
      arguments.push_back(b.clone(*constant)->getResult(0));
      continue;
    }
    auto it = values.find(value);
    if (it == values.end())
      arguments.push_back(LLVM::PoisonOp::create(b, type));
    else
      arguments.push_back(it->second.size() == 1 ? it->second[0]
                                                 : it->second[element]);
  }
  return arguments;
}

/// What the op yields for one of the lane's elements.
SmallVector<Value> RowEmitter::emitElement(Kernel &b, linalg::LinalgOp op,
                                           ArrayRef<Value> arguments,
                                           unsigned element) {
  return emitBody(b, op, arguments, [&](unsigned loop) -> Value {
    return loop == 0 ? position
                     : b.add(getColumn(b, element / length), element % length);
  });
}

/// The lane's elements of columns that follow from their places.
RowEmitter::Elements RowEmitter::emitPlaces(Kernel &b,
                                            linalg::LinalgOp places) {
  Elements elements;
  for (int64_t i = 0; i < getNumElements(); ++i)
    elements.push_back(
        emitBody(b, places, SmallVector<Value>(1), [&](unsigned) -> Value {
          return b.add(getColumn(b, i / length), i % length);
        })[0]);
  return elements;
}

RowEmitter::Elements RowEmitter::emitMap(Kernel &b, linalg::LinalgOp op) {
  Elements results;
  int64_t count = op.getNumLoops() == 2 ? getNumElements() : 1;
  for (int64_t i = 0; i < count; ++i)
    results.push_back(emitElement(b, op, getArguments(b, op, i), i)[0]);
  return results;
}

/// Of all warps of the block, which each have one number of each result; the
/// same for all.
SmallVector<Value> RowEmitter::combineWarps(Kernel &b, linalg::LinalgOp op,
                                            ArrayRef<Value> found) {
  Combiner combiner = *matchCombiner(op);
  auto getBytes = [](Value value) -> int64_t {
    return llvm::divideCeil(value.getType().getIntOrFloatBitWidth(), 8);
  };
  auto getSlot = [&](size_t result) {
    return b.advance(shared, kSlotBytes * numWarps * result);
  };
  b.ifThen(b.isEqual(b.lane(), 0), [&] {
    for (auto [i, value] : llvm::enumerate(found))
      b.store(value, b.element(getSlot(i), b.warp(), kSlotBytes),
              getBytes(value));
  });
  b.syncBlock();
  SmallVector<Value> total;
  for (int64_t warp = 0; warp < numWarps; ++warp) {
    SmallVector<Value> part;
    for (auto [i, value] : llvm::enumerate(found))
      part.push_back(b.load(b.advance(getSlot(i), kSlotBytes * warp),
                            value.getType(), getBytes(value)));
    total =
        total.empty() ? part : combiner.combine(b, op.getLoc(), total, part);
  }
  // Before the next numbers are left there.
  b.syncBlock();
  return total;
}

/// What each lane starts from: nothing, or what was there, where adding it
/// several times changes nothing.
SmallVector<Value> RowEmitter::getStarts(Kernel &b, linalg::LinalgOp op) {
  Combiner combiner = *matchCombiner(op);
  SmallVector<Value> starts;
  for (auto [i, init] : llvm::enumerate(op.getDpsInitsMutable())) {
    if (TypedAttr neutral = combiner.getNeutral(i)) {
      starts.push_back(arith::ConstantOp::create(b, neutral));
      continue;
    }
    Elements before = values.lookup(init.get());
    Type type = op.getMatchingBlockArgument(&init).getType();
    starts.push_back(before.empty() ? LLVM::PoisonOp::create(b, type)
                                    : before[0]);
  }
  return starts;
}

/// Adds the lane's elements.
SmallVector<Value> RowEmitter::reduceElements(Kernel &b, linalg::LinalgOp op,
                                              SmallVector<Value> found) {
  for (int64_t i = 0; i < getNumElements(); ++i) {
    SmallVector<Value> arguments = getArguments(b, op, i);
    llvm::copy(found, arguments.end() - found.size());
    Value inside = exists(b, i / length);
    for (auto [value, next] :
         llvm::zip_equal(found, emitElement(b, op, arguments, i)))
      value = inside ? b.select(inside, next, value) : next;
  }
  return found;
}

/// Of what lanes have: over the lanes, then with what was there.
SmallVector<Value> RowEmitter::reduceLanes(Kernel &b, linalg::LinalgOp op,
                                           SmallVector<Value> found) {
  Combiner combiner = *matchCombiner(op);
  for (int64_t distance = 1; distance < std::min(lanes, kWarpLanes);
       distance *= 2) {
    SmallVector<Value> others;
    for (Value value : found)
      others.push_back(b.exchange(value, distance));
    found = combiner.combine(b, op.getLoc(), found, others);
  }
  // Beside a NaN, lanes may have found different ones. What a row's lanes
  // compute of them must be of one.
  if (combiner.isArgument() && isa<FloatType>(found[0].getType()) && lanes > 1)
    for (Value &value : found)
      value = b.firstOf(value, std::min(lanes, kWarpLanes));
  if (isWide)
    found = combineWarps(b, op, found);
  if (combiner.isArgument())
    return found;
  // A reduction into what nothing was written to starts from nothing.
  SmallVector<Value> starts;
  for (Value init : op.getDpsInits()) {
    Elements before = values.lookup(init);
    starts.push_back(before.empty() ? Value() : before[0]);
  }
  if (llvm::none_of(starts, [](Value start) { return start; }))
    return found;
  SmallVector<Value> before = starts;
  for (auto [i, start] : llvm::enumerate(before))
    if (!start)
      start = found[i];
  SmallVector<Value> total = combiner.combine(b, op.getLoc(), before, found);
  for (auto [i, start] : llvm::enumerate(starts))
    if (start)
      found[i] = total[i];
  return found;
}

void RowEmitter::emitStep(Kernel &b, Operation *step) {
  if (auto copy = dyn_cast<memref::CopyOp>(step)) {
    Elements elements = values.lookup(copy.getSource());
    values[copy.getTarget()] = elements;
    return;
  }
  auto op = cast<linalg::LinalgOp>(step);
  if (op.getNumReductionLoops() == 0) {
    Elements elements = emitMap(b, op);
    values[op.getDpsInits()[0]] = elements;
    return;
  }
  SmallVector<Value> found =
      reduceLanes(b, op, reduceElements(b, op, getStarts(b, op)));
  for (auto [init, value] : llvm::zip_equal(op.getDpsInits(), found))
    values[init] = {value};
}

/// Whether a step reads the buffer before one writes it.
bool RowEmitter::isReadFirst(Value buffer) {
  for (Operation *step : match.steps) {
    if (auto copy = dyn_cast<memref::CopyOp>(step)) {
      if (copy.getSource() == buffer || copy.getTarget() == buffer)
        return copy.getSource() == buffer;
      continue;
    }
    // Of what it does not compute with, an op needs the extents alone.
    auto op = cast<linalg::LinalgOp>(step);
    bool isWritten = false;
    for (OpOperand &use : op->getOpOperands()) {
      if (use.get() != buffer)
        continue;
      if (op.payloadUsesValueFromOperand(&use))
        return true;
      isWritten |= op.isDpsInit(&use);
    }
    if (isWritten)
      return false;
  }
  return false;
}

/// The last step that writes the buffer; null if none does.
Operation *RowEmitter::getLastWriter(Value buffer) const {
  for (Operation *step : llvm::reverse(match.steps)) {
    auto copy = dyn_cast<memref::CopyOp>(step);
    if (copy ? copy.getTarget() == buffer
             : llvm::is_contained(cast<linalg::LinalgOp>(step).getDpsInits(),
                                  buffer))
      return step;
  }
  return nullptr;
}

/// What has been computed of an output: one number for each of its columns,
/// even where a row is the same number, such as a constant.
RowEmitter::Elements RowEmitter::getColumnsOf(const Operand &output) const {
  Elements elements = values.lookup(output.inside);
  if (output.hasColumns && elements.size() == 1)
    elements.assign(getNumElements(), elements[0]);
  return elements;
}

void RowEmitter::emitRow(Kernel &b) {
  auto anyHas = [&](Operand::Rows rows) {
    return llvm::any_of(match.operands, [&](const Operand &operand) {
      return operand.rows == rows;
    });
  };
  bool hasPoints = anyHas(Operand::Rows::Points),
       isListed = hasPoints || anyHas(Operand::Rows::Listed);
  segment =
      hasPoints ? b.extend(sums::findSegment(b, *lists, position)) : Value();
  Value coordinate =
      isListed ? sums::loadCoordinate(b, *lists, position) : Value();
  values.clear();
  SmallVector<Value> rows;
  for (const Operand &operand : match.operands)
    rows.push_back(getRow(b, operand, position, coordinate));
  if (isLong) {
    emitLongRow(b, rows);
    return;
  }
  for (auto [i, operand] : llvm::enumerate(match.operands))
    if (isReadFirst(operand.inside))
      values[operand.inside] = load(b, i, rows[i]);
  // Stored once nothing writes them any more, so that registers are free.
  for (Operation *step : match.steps) {
    emitStep(b, step);
    for (auto [i, operand] : llvm::enumerate(match.operands))
      if (operand.isOutput && getLastWriter(operand.inside) == step)
        store(b, i, rows[i], getColumnsOf(operand));
  }
}

void RowEmitter::run(gpu::GPUModuleOp module, StringRef name) {
  Kernel b(module, host.getLoc(), name, plan.getThreads());
  if (isLong)
    setBlocksAtOnce(module, name,
                    std::max<int64_t>(1, kThreadsAtOnce / plan.getThreads()));
  const Operand &ofRows = *llvm::find_if(match.operands, [](const Operand &it) {
    return it.rows != Operand::Rows::Shared;
  });
  Value room = sums::getExtent(host, ofRows.buffer, 0);
  auto [begin, end] =
      lists ? sums::loadPositions(b, *lists)
            : std::pair<Value, Value>(b.i64(0), b.number(room, 64));
  if (isWide)
    shared = b.sharedWords(countResults(match) * numWarps * kSlotBytes / 4);
  if (bytesKept > 0)
    kept = b.dynamicShared(bytesKept);
  b.forLoop(b.add(begin, b.extend(firstGroup(b))), end, numGroups(b), {},
            [&, end = end](Value first, ValueRange) {
              position = first;
              if (hasPartsOfWarp()) {
                position =
                    b.add(first, b.extend(b.divide(b.lane(), b.i32(lanes))));
                isRow = b.isLess(position, end);
                position = b.minimum(position, b.sub(end, 1));
              }
              emitRow(b);
              return SmallVector<Value>();
            });
  isRow = Value();
  for (auto [i, operand] : llvm::enumerate(match.operands))
    if (operand.fill)
      fillOthers(b, i, end);
  Value blocks = host.min(host.ceilDiv(room, isWide ? 1 : plan.getRows()),
                          host.constant(plan.getMaxBlocks()));
  b.finish(host, host.max(blocks, host.constant(1)));
}

void mlir::pit::rows::setBlocksAtOnce(gpu::GPUModuleOp module, StringRef name,
                                      int64_t blocks) {
  Builder b(module.getContext());
  module.lookupSymbol(name)->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                                     b.getI32IntegerAttr(blocks));
}

void mlir::pit::rows::createRowsLaunch(const RowsMatch &match, RowPlanAttr plan,
                                       const SourceLists *lists,
                                       int64_t sharedBytes, HostMath &host,
                                       gpu::GPUModuleOp module,
                                       StringRef name) {
  RowEmitter(match, plan, lists, sharedBytes, host).run(module, name);
}
