//===- MatchMaskedSddmm.cpp - Masked SDDMM: blocks of C by a mask ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GPU/Host/BufferAccess.h"
#include "Match.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// A mask of more blocks is not read by every block of threads.
static constexpr int64_t kMostSampledBlocks = 32 * 1024;

/// The fill before the op that is the last to touch a buffer, if it is with a
/// constant that f32 has.
static linalg::FillOp findFill(Operation *op, Value buffer, float &value) {
  auto fill = dyn_cast_or_null<linalg::FillOp>(findAccessBefore(op, buffer));
  APFloat constant(0.f);
  if (!fill || fill.getDpsInits()[0] != buffer ||
      !matchPattern(fill.getInputs()[0], m_ConstantFloat(&constant)) ||
      mayChangeBetween(fill, op, buffer))
    return nullptr;
  value = constant.convertToDouble();
  return fill;
}

FailureOr<ContractionMatch> mlir::pit::hopper::matchMaskedSddmm(TiledOp op,
                                                                MatchLog log) {
  auto match = matchSampledProduct(op, log);
  if (failed(match))
    return failure();
  if (ShapedType::isDynamic(match->m) || ShapedType::isDynamic(match->n))
    return log.refuse("the number of rows or columns is dynamic");
  DetectIntoOp detection = getDetection(op.getIndex(), op);
  if (!detection || !detection.getBy())
    return log.refuse("no mask says which blocks of the result are sampled");
  Value mask = detection.getBy();
  auto type = cast<MemRefType>(mask.getType());
  if (detection.getPattern().getKind() != PatternKind::Blocks ||
      detection.getPattern().getAxes().asArrayRef() !=
          ArrayRef<int64_t>({0, 1}) ||
      type.getRank() != 2 || !type.hasStaticShape() ||
      !type.getLayout().isIdentity())
    return log.refuse("the mask must have an element for each block of rows "
                      "and columns, in this order, and be contiguous");
  if (type.getNumElements() > kMostSampledBlocks || type.getNumElements() == 0)
    return log.refuse("the mask has " + Twine(type.getNumElements()) +
                      " blocks; the kernel takes 1 to " +
                      Twine(kMostSampledBlocks));
  if (isWrittenBetween(detection, op, mask))
    return log.refuse("the mask is overwritten before the product");
  MaskedPattern pattern{*match->sampled, mask};
  linalg::FillOp fill = findFill(op, match->c.buffer, pattern.fill);
  if (!fill)
    return log.refuse("the other blocks are not filled with a constant before, "
                      "so they must stay as they are");
  match->maskedSddmm = pattern;
  // All of C is computed or filled, whatever is listed.
  match->sampled.reset();
  match->index = Value();
  match->detection = detection;
  match->ops = {fill, op};
  match->mayHaveDenseVariant = mayHaveDenseVariant(op);
  return match;
}
