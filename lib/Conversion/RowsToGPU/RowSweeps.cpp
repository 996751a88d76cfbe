//===- RowSweeps.cpp - Rows that registers do not hold --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block goes over a long row several times: once for reductions that need no
// other's result, again for those that need these, and at last for what is
// stored. Elementwise ops are computed again in each sweep that needs them, so
// that nothing of a row is in memory in between. What one sweep loads and
// another one needs stays in shared memory, each thread's own elements, as far
// as there is room; the rest is read again, from the L2 cache where the rows of
// all blocks fit into it.
//
//===----------------------------------------------------------------------===//

#include "RowEmitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;
using mlir::pit::detect::Kernel;

/// Vectors that a thread loads of an operand before it computes with the first,
/// as far as registers hold them.
static constexpr int64_t kVectorsAtATime = 2;

//===----------------------------------------------------------------------===//
// Which sweeps
//===----------------------------------------------------------------------===//

static Value getTarget(Operation *step) {
  if (auto copy = dyn_cast<memref::CopyOp>(step))
    return copy.getTarget();
  return cast<linalg::LinalgOp>(step).getDpsInits()[0];
}

/// Whether the step computes all columns of its target.
static bool isMap(Operation *step) {
  if (auto copy = dyn_cast<memref::CopyOp>(step))
    return cast<MemRefType>(copy.getTarget().getType()).getRank() == 2;
  auto op = cast<linalg::LinalgOp>(step);
  return op.getNumLoops() == 2 && op.getNumReductionLoops() == 0;
}

static bool isReduction(Operation *step) {
  auto op = dyn_cast<linalg::LinalgOp>(step);
  return op && op.getNumReductionLoops() > 0;
}

/// The buffers that a step reads; what a reduction starts from is none of them.
static SmallVector<Value> getSources(Operation *step) {
  if (auto copy = dyn_cast<memref::CopyOp>(step))
    return {copy.getSource()};
  auto op = cast<linalg::LinalgOp>(step);
  SmallVector<Value> sources;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<MemRefType>(operand.get().getType()) &&
        op.payloadUsesValueFromOperand(&operand) &&
        !(isReduction(op) && op.isDpsInit(&operand)))
      sources.push_back(operand.get());
  return sources;
}

/// What is not made by maps before the step `end`, of what `targets` and those
/// maps read.
SetVector<Value>
RowEmitter::listNeeded(ArrayRef<Value> targets, size_t end,
                       SmallVectorImpl<Operation *> &maps) const {
  SetVector<Value> needed(targets.begin(), targets.end());
  for (size_t i = end; i-- > 0;) {
    Operation *step = match.steps[i];
    Value target = getTarget(step);
    if (!isMap(step) || !needed.contains(target))
      continue;
    maps.push_back(step);
    needed.remove(target);
    for (Value source : getSources(step))
      needed.insert(source);
  }
  std::reverse(maps.begin(), maps.end());
  return needed;
}

void RowEmitter::addSweep(Sweep sweep) {
  SmallVector<Value> targets;
  for (linalg::LinalgOp reduction : sweep.reductions)
    llvm::append_range(targets, getSources(reduction));
  if (sweep.reductions.empty())
    for (const Operand &operand : match.operands)
      if (operand.isOutput && operand.hasColumns)
        targets.push_back(operand.inside);
  SetVector<Value> needed = listNeeded(targets, sweep.end, sweep.maps);
  for (auto [i, operand] : llvm::enumerate(match.operands))
    if (operand.hasColumns && needed.contains(operand.inside))
      sweep.loads.push_back(i);
  sweeps.push_back(std::move(sweep));
}

void RowEmitter::planSweeps(int64_t sharedBytes) {
  Sweep open;
  // What the open sweep finds.
  DenseSet<Value> pending;
  auto close = [&] {
    if (!open.reductions.empty())
      addSweep(std::move(open));
    open = {};
    pending.clear();
  };
  for (auto [i, step] : llvm::enumerate(match.steps)) {
    if (isMap(step))
      continue;
    SmallVector<Operation *> maps;
    SetVector<Value> needed = listNeeded(getSources(step), i, maps);
    if (llvm::any_of(needed,
                     [&](Value value) { return pending.contains(value); }))
      close();
    if (!isReduction(step)) {
      open.before.push_back(step);
      continue;
    }
    open.reductions.push_back(cast<linalg::LinalgOp>(step));
    open.end = i;
    pending.insert(getTarget(step));
  }
  // What is stored comes last, behind numbers of a row that it needs.
  if (!open.reductions.empty())
    close();
  open.end = match.steps.size();
  addSweep(std::move(open));
  keepRows(sharedBytes);
}

/// Chooses what stays in shared memory: operands that several sweeps load.
void RowEmitter::keepRows(int64_t sharedBytes) {
  // Other uses of shared memory, and the alignment of this one.
  constexpr int64_t kReserved = 2048;
  keeps.resize(match.operands.size());
  int64_t bytes = 0;
  for (auto [number, operand] : llvm::enumerate(match.operands)) {
    auto loads = [&, number = number](const Sweep &sweep) {
      return llvm::is_contained(sweep.loads, number);
    };
    if (operand.rows == Operand::Rows::Shared ||
        llvm::count_if(sweeps, loads) < 2)
      continue;
    keeps[number].isKept = true;
    keeps[number].firstSweep = llvm::find_if(sweeps, loads) - sweeps.begin();
    keeps[number].offset = bytes;
    bytes += lanes * length * layouts[number]->bytes;
  }
  if (bytes == 0)
    return;
  vectorsKept = std::min((sharedBytes - kReserved) / bytes,
                         match.columns / (lanes * length));
  vectorsKept -= vectorsKept % kVectorsAtATime;
  bytesKept = vectorsKept * bytes;
  // An operand has its vectors one behind the other.
  for (Kept &keep : keeps)
    keep.offset *= vectorsKept;
}

//===----------------------------------------------------------------------===//
// One sweep
//===----------------------------------------------------------------------===//

RowEmitter::Elements RowEmitter::loadChunk(Kernel &b, unsigned number,
                                           Value row, bool mayKeep,
                                           size_t sweep) {
  const Kept &keep = keeps[number];
  if (!mayKeep || !keep.isKept)
    return load(b, number, row);
  int64_t bytes = layouts[number]->bytes;
  auto getAddress = [&](int64_t vector) {
    Value place = b.add(b.mul(b.add(chunk, vector), lanes), lane(b));
    return b.element(b.advance(kept, keep.offset), b.mul(place, length), bytes);
  };
  Elements elements;
  if (sweep == keep.firstSweep) {
    elements = load(b, number, row);
    for (int64_t i = 0; i < vectorsOfChunk; ++i)
      sums::storeElements(b, getAddress(i),
                          ArrayRef(elements).slice(i * length, length));
    return elements;
  }
  for (int64_t i = 0; i < vectorsOfChunk; ++i)
    llvm::append_range(
        elements, sums::loadElements(b, getAddress(i), layouts[number]->element,
                                     length, /*isInvariant=*/false));
  return elements;
}

/// The lane's elements of a chunk: adds them to what reductions have found, or
/// stores results.
SmallVector<Value> RowEmitter::emitChunk(Kernel &b, size_t number,
                                         ArrayRef<Value> rows, ValueRange found,
                                         bool mayKeep) {
  const Sweep &sweep = sweeps[number];
  DenseMap<Value, Elements> before = values;
  for (unsigned operand : sweep.loads)
    values[match.operands[operand].inside] =
        loadChunk(b, operand, rows[operand], mayKeep, number);
  for (Operation *map : sweep.maps)
    emitStep(b, map);
  SmallVector<Value> results;
  for (auto [reduction, sum] : llvm::zip_equal(sweep.reductions, found))
    results.push_back(reduceElements(b, reduction, {sum})[0]);
  if (sweep.reductions.empty())
    for (auto [i, operand] : llvm::enumerate(match.operands)) {
      auto it = values.find(operand.inside);
      if (!operand.isOutput || !operand.hasColumns || it == values.end())
        continue;
      Elements elements = it->second;
      // One number for a whole row, such as a constant.
      if (elements.size() == 1)
        elements.assign(getNumElements(), elements[0]);
      store(b, i, rows[i], elements);
    }
  // Elements are those of the chunk alone.
  values = std::move(before);
  return results;
}

void RowEmitter::emitSweep(Kernel &b, size_t number, ArrayRef<Value> rows) {
  const Sweep &sweep = sweeps[number];
  SmallVector<Value> found;
  for (linalg::LinalgOp reduction : sweep.reductions)
    found.push_back(getStarts(b, reduction)[0]);
  int64_t step = sweep.loads.size() > 1 ? 1 : kVectorsAtATime,
          whole = match.columns / (lanes * length);
  whole -= (whole - vectorsKept) % step;
  isWhole = true;
  vectorsOfChunk = step;
  for (auto [from, to, mayKeep] : {std::tuple{int64_t(0), vectorsKept, true},
                                   std::tuple{vectorsKept, whole, false}})
    if (from < to)
      found = b.forLoop(b.i32(from), b.i32(to), b.i32(step), found,
                        [&, mayKeep = mayKeep](Value at, ValueRange carried) {
                          chunk = at;
                          return emitChunk(b, number, rows, carried, mayKeep);
                        });
  if (whole < numVectors) {
    chunk = b.i32(whole);
    isWhole = false;
    vectorsOfChunk = numVectors - whole;
    found = emitChunk(b, number, rows, found, /*mayKeep=*/false);
  }
  chunk = Value();
  for (auto [reduction, sum] : llvm::zip_equal(sweep.reductions, found))
    values[getTarget(reduction)] = {reduceLanes(b, reduction, {sum})[0]};
}

void RowEmitter::emitLongRow(Kernel &b, ArrayRef<Value> rows) {
  for (auto [i, operand] : llvm::enumerate(match.operands))
    if (!operand.hasColumns && isReadFirst(operand.inside))
      values[operand.inside] = load(b, i, rows[i]);
  for (size_t number = 0; number < sweeps.size(); ++number) {
    for (Operation *step : sweeps[number].before)
      emitStep(b, step);
    emitSweep(b, number, rows);
  }
  for (auto [i, operand] : llvm::enumerate(match.operands)) {
    auto it = values.find(operand.inside);
    if (operand.isOutput && !operand.hasColumns && it != values.end())
      store(b, i, rows[i], it->second);
  }
}
