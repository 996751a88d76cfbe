//===- RecomputedElements.cpp - Elements computed by each reader ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecomputedElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::pit;

/// One result, of parallel loops alone, in which nothing is read.
static bool isPlainElementwise(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() && op.getNumDpsInits() == 1 &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) &&
         llvm::all_of(op.getBlock()->without_terminator(),
                      [](Operation &nested) { return isPure(&nested); });
}

bool pit::isOfPlaces(linalg::LinalgOp op) {
  constexpr size_t kMostOps = 8;
  return op.getNumDpsInputs() == 0 && isPlainElementwise(op) &&
         op.getBlock()->getOperations().size() <= kMostOps &&
         !op.getBlock()->getOps<linalg::IndexOp>().empty();
}

/// Additions, multiplications, changes of width and the like: what takes one
/// instruction or two.
static bool isCheap(Operation &op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp,
             arith::ExtFOp, arith::TruncFOp, arith::MaximumFOp,
             arith::MinimumFOp, arith::SelectOp, arith::CmpFOp, math::AbsFOp>(
      op);
}

bool pit::isCheaperRecomputed(linalg::LinalgOp op) {
  constexpr size_t kMostOps = 4;
  Block &body = *op.getBlock();
  if (op.getNumDpsInputs() == 0 || !isPlainElementwise(op) ||
      body.getOperations().size() > kMostOps + 1 ||
      !llvm::all_of(body.without_terminator(), isCheap))
    return false;
  // The tensor stays if anything else reads it, such as a reduction.
  if (!llvm::all_of(op->getUsers(), [](Operation *user) {
        auto reader = dyn_cast<linalg::LinalgOp>(user);
        return reader && reader.hasPureTensorSemantics() &&
               reader.getNumParallelLoops() == reader.getNumLoops();
      }))
    return false;
  // Bits of all elements that lie along a loop each. Smaller operands are in
  // caches.
  auto getBits = [&](OpOperand &operand) -> uint64_t {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    return type && type.getElementType().isIntOrFloat() &&
                   op.getMatchingIndexingMap(&operand).getNumResults() ==
                       op.getNumLoops()
               ? type.getElementTypeBitWidth()
               : 0;
  };
  uint64_t read = 0;
  for (OpOperand *input : op.getDpsInputOperands())
    read += getBits(*input);
  return read < getBits(*op.getDpsInitOperand(0));
}
