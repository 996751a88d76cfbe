//===- BlockMarks.cpp - Inferred marks in blocks for GPUs -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mask of weights has an element for each weight. Kernels ask for one bit for
// each block of 64 x 64: a reduction of the mask makes them once, for the
// product of the forward and both of the backward.
//
//===----------------------------------------------------------------------===//

#include "BlockMarks.h"

#include "PIT/Dialect/PIT/Analysis/SkippedBlocks.h"
#include "PIT/Dialect/PIT/Utils/Liveness.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

bool pit::canMarkBlocks(SparseOp mark) {
  auto type = cast<RankedTensorType>(mark.getType());
  auto by = mark.getBy() ? dyn_cast<RankedTensorType>(mark.getBy().getType())
                         : RankedTensorType();
  PatternAttr pattern = mark.getPattern();
  return by && by.getElementType().isInteger(1) &&
         by.getShape() == type.getShape() &&
         pattern.getKind() == PatternKind::Mask && !pattern.getTile() &&
         pattern.getAxes().asArrayRef() == ArrayRef<int64_t>({0, 1}) &&
         type.getRank() == 2 && type.hasStaticShape() &&
         llvm::all_of(type.getShape(), [](int64_t extent) {
           return extent > 0 && extent % kSkippedBlock == 0;
         });
}

double pit::estimateBlockDetection(SparseOp mark) {
  // A byte for each element, at two thirds of the bandwidth that cards with
  // these kernels have, and a launch.
  constexpr double kBytesPerMicrosecond = 2e6, kLaunch = 2;
  auto type = cast<RankedTensorType>(mark.getType());
  return kLaunch + double(type.getNumElements()) / kBytesPerMicrosecond;
}

SparseOp pit::markBlocks(SparseOp mark) {
  OpBuilder builder(mark);
  Location loc = mark.getLoc();
  auto type = cast<RankedTensorType>(mark.getType());
  SmallVector<int64_t> inBlocks;
  for (int64_t extent : type.getShape())
    llvm::append_values(inBlocks, extent / kSkippedBlock, kSkippedBlock);
  Value mask = tensor::ExpandShapeOp::create(
      builder, loc, RankedTensorType::get(inBlocks, builder.getI1Type()),
      mark.getBy(), ArrayRef<ReassociationIndices>{{0, 1}, {2, 3}});
  Value live = createAnyOf(builder, loc, mask, {0, 2});
  PatternAttr pattern = mark.getPattern();
  auto blocks = PatternAttr::get(
      builder.getContext(), PatternKind::Blocks, pattern.getAxes(),
      pattern.getAbsent(), pattern.getPad(),
      builder.getDenseI64ArrayAttr({kSkippedBlock, kSkippedBlock}),
      pattern.getAtMost());
  auto marked =
      SparseOp::create(builder, loc, type, mark.getSource(), live, blocks);
  marked->setDiscardableAttrs(mark->getDiscardableAttrDictionary());
  mark.getResult().replaceAllUsesWith(marked.getResult());
  mark.erase();
  return marked;
}
