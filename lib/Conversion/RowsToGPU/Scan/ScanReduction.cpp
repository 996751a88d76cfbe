//===- ScanReduction.cpp - Running sums in kernels ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScanReduction.h"

#include "Conversion/RowsToGPU/Reduction.h"
#include "GPU/Host/BufferAccess.h"
#include "GPU/Lists/Payload.h"
#include "GPU/Lists/RowAccess.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;

/// The input that moves with most loops; null if none is a buffer.
static OpOperand *findLargest(linalg::LinalgOp op) {
  OpOperand *largest = nullptr;
  auto rank = [&](OpOperand *operand) {
    return op.getMatchingIndexingMap(operand).getNumResults();
  };
  for (OpOperand *input : op.getDpsInputOperands())
    if (isa<MemRefType>(input->get().getType()) &&
        (!largest || rank(input) > rank(largest)))
      largest = input;
  return largest;
}

/// Whether a step of the loop is one element further in the operand.
static bool isContiguous(linalg::LinalgOp op, OpOperand &operand,
                         unsigned loop) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!type || map.getNumResults() == 0 ||
      type.getStridesAndOffset().first.back() != 1)
    return false;
  auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
  return last && last.getPosition() == loop &&
         llvm::none_of(map.getResults().drop_back(), [&](AffineExpr expr) {
           return expr.isFunctionOfDim(loop);
         });
}

bool ScanReduction::isAlongInner() const {
  linalg::LinalgOp structured = op;
  return rows.empty() ||
         isContiguous(structured, *findLargest(structured), scan.over) ||
         !isContiguous(structured, *findLargest(structured), rows.back());
}

int64_t ScanReduction::getExtent() const {
  linalg::LinalgOp structured = op;
  return structured.getStaticLoopRanges()[scan.over];
}

static bool isVector(linalg::LinalgOp op, OpOperand &operand, unsigned loop,
                     int64_t extent, int64_t length) {
  if (!isContiguous(op, operand, loop) || ShapedType::isDynamic(extent) ||
      extent % length != 0)
    return false;
  auto type = cast<MemRefType>(operand.get().getType());
  int64_t bits = std::max(8u, type.getElementTypeBitWidth());
  return sums::isElement(type.getElementType()) &&
         sums::isAligned(type, std::min(length, 128 / bits));
}

bool ScanReduction::fitsVector(OpOperand &input, int64_t length) const {
  return isVector(op, input, scan.over, getExtent(), length);
}

bool ScanReduction::storesVector(int64_t length) const {
  linalg::LinalgOp structured = op;
  return isVector(op, *structured.getDpsInitOperand(0), scan.along, getExtent(),
                  length);
}

std::optional<ScanReduction>
mlir::pit::rows::matchScanReduction(linalg::LinalgOp op, bool strict,
                                    MatchLog log) {
  if (!op.hasPureBufferSemantics())
    return log.pass();
  std::optional<Scan> scan = Scan::match(op);
  if (!scan || failed(checkPoints(op, log)))
    return std::nullopt;
  if (strict && scan->combiner.dependsOnOrder())
    return log.refuse("with 'strict', its sums keep their order");
  OpOperand *largest = findLargest(op);
  if (!largest)
    return log.refuse("it reads no buffer");
  ScanReduction found(op, *scan);
  SmallVector<unsigned> order;
  auto add = [&](unsigned loop) {
    if (loop != scan->over && loop != scan->along &&
        !llvm::is_contained(order, loop))
      order.push_back(loop);
  };
  for (AffineExpr expr :
       llvm::reverse(op.getMatchingIndexingMap(largest).getResults()))
    for (unsigned loop = op.getNumLoops(); loop-- > 0;)
      if (expr.isFunctionOfDim(loop))
        add(loop);
  for (unsigned loop = op.getNumLoops(); loop-- > 0;)
    add(loop);
  found.rows.assign(order.rbegin(), order.rend());
  Value init = op.getDpsInits()[0];
  found.start = findFill(op, init);
  SmallVector<Value> reads;
  for (Value input : op.getDpsInputs()) {
    if (!isa<MemRefType>(input.getType()))
      continue;
    if (hopper::mayShareMemory(input, init))
      return log.refuse("results may share memory with an input");
    reads.push_back(input);
  }
  found.behind = findJoinedWork(op, found.start, reads, /*keepsOrder=*/false);
  return found;
}
