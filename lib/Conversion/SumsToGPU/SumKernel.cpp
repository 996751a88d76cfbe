//===- SumKernel.cpp - Sums of listed rows --------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A segment sum, such as the combine of a mixture of experts.
//
// A thread has a vector of columns of one row of the output. It goes through
// the row's list in batches: all rows of a batch are on their way before the
// first one is added. What is in flight is what keeps memory busy, so there are
// many blocks and no shared memory.
//
//===----------------------------------------------------------------------===//

#include "GPU/Lists/Payload.h"
#include "GPU/Lists/RowAccess.h"
#include "Kernels.h"
#include "SumPlan.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::sums;
using detect::getKnown;

namespace {

class SumEmitter {
public:
  SumEmitter(const SumMatch &match, const SourceLists &lists, HostMath &host);
  void run(gpu::GPUModuleOp module, StringRef name);

private:
  void emitVector(Kernel &b, Value row, Value column);
  SmallVector<SmallVector<Value>> loadAfterInputs(Kernel &b, Value row,
                                                  Value column);
  SmallVector<Value> loadInput(Kernel &b, unsigned i, Value row, Value column);
  SmallVector<Value> emitBatch(Kernel &b, Value first, Value end, bool mayEnd,
                               Value column, ArrayRef<Value> sums);

  const SumMatch &match;
  const SourceLists &lists;
  HostMath &host;
  SmallVector<Layout> inputs;
  /// Of what the op behind reads; the output's in place of the sums'.
  SmallVector<Layout> afterInputs;
  Layout output;
  Value numColumns;
  /// Columns per thread, threads per row, rows per block, rows per batch.
  int64_t length, lanesX, lanesY, batch;
  /// Which inputs are read once and said to be, and how the L2 cache treats
  /// those; set where there is one.
  SmallVector<bool> isReadOnce;
  Value policy;
  /// What does not depend on the list, per input.
  SmallVector<SmallVector<Value>> fixed;
};

} // namespace

SumEmitter::SumEmitter(const SumMatch &match, const SourceLists &lists,
                       HostMath &host)
    : match(match), lists(lists), host(host), output(host, match.output.buffer),
      numColumns(getExtent(host, match.output.buffer, 1)) {
  TiledOp op = match.op;
  RowPlanAttr plan = op.getPlanAttr();
  length = plan.getVector();
  lanesX = plan.getThreadsOfRow();
  lanesY = plan.getRows();
  batch = plan.getUnroll();
  for (const Operand &input : match.inputs)
    inputs.emplace_back(host, input.buffer);
  for (const Operand &input : match.afterInputs)
    afterInputs.emplace_back(host,
                             input.buffer ? input.buffer : match.output.buffer);
  for (const Operand &input : match.inputs)
    isReadOnce.push_back(plan.getEvictFirst() &&
                         pit::sums::isReadOnce(match, input, length));
}

/// The elements of an input in the vector; one stands for all columns where it
/// has none.
SmallVector<Value> SumEmitter::loadInput(Kernel &b, unsigned i, Value row,
                                         Value column) {
  const Operand &operand = match.inputs[i];
  SmallVector<Value> position;
  if (operand.row != Operand::Row::All)
    position.push_back(row);
  if (operand.hasColumns)
    position.push_back(column);
  Value address = inputs[i].address(b, position);
  if (isReadOnce[i])
    return loadElementsOnce(b, address, inputs[i].element, length, policy);
  return loadElements(b, address, inputs[i].element,
                      operand.hasColumns ? length : 1, /*isInvariant=*/true);
}

/// Adds listed rows `first`, ... to the sums; past the end, none if `mayEnd`.
SmallVector<Value> SumEmitter::emitBatch(Kernel &b, Value first, Value end,
                                         bool mayEnd, Value column,
                                         ArrayRef<Value> sums) {
  bool isListed = llvm::any_of(match.inputs, [](const Operand &input) {
    return input.row == Operand::Row::Listed;
  });
  SmallVector<Value> numbers, rows, positions;
  for (int64_t i = 0; i < batch; ++i) {
    numbers.push_back(b.add(first, i));
    Value existing = mayEnd ? b.minimum(numbers[i], b.sub(end, 1)) : numbers[i];
    positions.push_back(existing);
    rows.push_back(isListed ? loadCoordinate(b, lists, existing) : Value());
  }
  SmallVector<SmallVector<SmallVector<Value>>> loaded(batch);
  for (int64_t i = 0; i < batch; ++i)
    for (unsigned k = 0; k < inputs.size(); ++k)
      loaded[i].push_back(
          match.inputs[k].isOfElement()
              ? loadInput(b, k,
                          match.inputs[k].row == Operand::Row::Packed
                              ? positions[i]
                              : rows[i],
                          column)
              : fixed[k]);
  SmallVector<Value> next(sums);
  for (int64_t i = 0; i < batch; ++i) {
    Value exists = mayEnd && i > 0 ? b.isLess(numbers[i], end) : Value();
    for (int64_t element = 0; element < length; ++element) {
      SmallVector<Value> arguments;
      for (const SmallVector<Value> &values : loaded[i])
        arguments.push_back(values.size() == 1 ? values[0] : values[element]);
      arguments.push_back(next[element]);
      Value sum = emitPayload(b, match.sum, arguments);
      next[element] = exists ? b.select(exists, sum, next[element]) : sum;
    }
  }
  return next;
}

/// What the op behind reads besides the sums, for which there is nothing.
SmallVector<SmallVector<Value>>
SumEmitter::loadAfterInputs(Kernel &b, Value row, Value column) {
  SmallVector<SmallVector<Value>> loaded;
  for (auto [operand, layout] : llvm::zip(match.afterInputs, afterInputs)) {
    loaded.emplace_back();
    if (operand.buffer)
      loaded.back() = loadElements(b, layout.address(b, {row, column}),
                                   layout.element, length,
                                   /*isInvariant=*/true);
  }
  return loaded;
}

void SumEmitter::emitVector(Kernel &b, Value row, Value column) {
  Value begin = loadOffset(b, lists.offsets, row);
  Value end = loadOffset(b, lists.offsets, b.add(row, 1));
  fixed.assign(inputs.size(), {});
  for (unsigned i = 0; i < inputs.size(); ++i)
    if (!match.inputs[i].isOfElement())
      fixed[i] = loadInput(b, i, row, column);
  // On its way while rows are added.
  SmallVector<SmallVector<Value>> others = loadAfterInputs(b, row, column);
  Value target = output.address(b, {row, column});
  SmallVector<Value> sums;
  if (match.fill) {
    linalg::LinalgOp fill = match.fill;
    SmallVector<Value> arguments;
    for (Value input : fill.getDpsInputs())
      arguments.push_back(b.clone(*input.getDefiningOp())->getResult(0));
    // Its output is not read.
    arguments.push_back(
        LLVM::PoisonOp::create(b, fill.getRegionOutputArgs()[0].getType()));
    sums.assign(length, emitPayload(b, fill, arguments));
  } else {
    sums = loadElements(b, target, output.element, length,
                        /*isInvariant=*/false);
  }

  auto emitLoop = [&](Value from, Value to, bool mayEnd) {
    sums = b.forLoop(from, to, b.i64(batch), sums,
                     [&](Value first, ValueRange carried) {
                       return emitBatch(b, first, end, mayEnd, column,
                                        SmallVector<Value>(carried));
                     });
  };
  Value whole = end;
  if (batch > 1)
    whole = b.sub(end, b.bitAnd(b.sub(end, begin), batch - 1));
  emitLoop(begin, whole, /*mayEnd=*/false);
  if (batch > 1)
    emitLoop(whole, end, /*mayEnd=*/true);

  if (linalg::LinalgOp after = match.after)
    for (auto [element, sum] : llvm::enumerate(sums)) {
      SmallVector<Value> arguments;
      for (const SmallVector<Value> &values : others)
        arguments.push_back(values.empty() ? sum : values[element]);
      arguments.push_back(LLVM::PoisonOp::create(b, output.element));
      sum = emitPayload(b, after, arguments);
    }
  storeElements(b, target, sums);
}

void SumEmitter::run(gpu::GPUModuleOp module, StringRef name) {
  Value numVectors = host.ceilDiv(numColumns, length);
  Value perRow = host.ceilDiv(numVectors, lanesX);
  Value items = host.mul(host.ceilDiv(lists.numSegments, lanesY), perRow);
  Kernel b(module, host.getLoc(), name, lanesX * lanesY);
  Value lane = b.bitAnd(b.threadId(), lanesX - 1);
  Value rowInBlock = b.shiftRight(b.threadId(), llvm::Log2_64(lanesX));
  if (llvm::is_contained(isReadOnce, true))
    policy = b.cachePolicy("evict_first");
  b.forLoop(b.blockId(), b.number(items), b.gridSize(), {},
            [&](Value item, ValueRange) {
              Value row = item, vector = lane;
              if (getKnown(perRow) != 1) {
                row = b.divide(item, b.number(perRow));
                Value part = b.sub(item, b.mul(row, b.number(perRow)));
                vector = b.add(b.mul(part, lanesX), lane);
              }
              if (lanesY > 1)
                row = b.add(b.mul(row, lanesY), rowInBlock);
              Value exists =
                  b.bitAnd(b.isLess(row, b.number(lists.numSegments)),
                           b.isLess(vector, b.number(numVectors)));
              b.ifThen(exists, [&] {
                emitVector(b, b.extend(row), b.mul(b.extend(vector), length));
              });
              return SmallVector<Value>();
            });
  b.finish(host, host.max(items, host.constant(1)));
}

void mlir::pit::sums::createSumLaunch(const SumMatch &match,
                                      const SourceLists &lists, HostMath &host,
                                      gpu::GPUModuleOp module, StringRef name) {
  SumEmitter(match, lists, host).run(module, name);
}
