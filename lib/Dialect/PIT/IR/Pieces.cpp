//===- Pieces.cpp - Tensors that arrive in pieces -------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/IR/PITPieces.h"

using namespace mlir;
using namespace mlir::pit;

#define GET_OP_CLASSES
#include "PIT/Dialect/PIT/IR/PITPiecesOps.cpp.inc"

LogicalResult AwaitPiecesOp::verify() {
  auto source = cast<ShapedType>(getSource().getType());
  int64_t pieces = getNumPieces();
  if (ShapedType::isDynamic(pieces) || pieces < 1)
    return emitOpError("P1: the number of pieces is not known, or 0");
  if (source.getRank() < 1)
    return emitOpError("P1: a scalar has no pieces");
  if (!source.isDynamicDim(0) && source.getDimSize(0) % pieces != 0)
    return emitOpError("P1: ") << source.getDimSize(0) << " rows are not "
                               << pieces << " pieces of equal size";
  bool hasResult = getResult() != nullptr;
  if (isOnBuffers() == hasResult ||
      isa<RankedTensorType>(getArrived().getType()) != hasResult ||
      (hasResult && getResult().getType() != getSource().getType()))
    return emitOpError("P2: tensors have a result of the type of the source, "
                       "buffers have none");
  return success();
}

/// Nothing that reads the buffer moves in front of the op, which is what a
/// write says.
void AwaitPiecesOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (!isOnBuffers())
    return;
  effects.emplace_back(MemoryEffects::Write::get(), &getSourceMutable());
  effects.emplace_back(MemoryEffects::Read::get(), &getArrivedMutable());
}
