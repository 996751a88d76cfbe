//===- MatchWanted.cpp - What becomes a kernel of wanted blocks -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/ContractionsToGPU/Launch/Launch.h"
#include "Conversion/ContractionsToGPU/Launch/StripBuffers.h"
#include "Conversion/ContractionsToGPU/Plan/DenseVariant.h"
#include "Conversion/ContractionsToGPU/Plan/DescribeKernel.h"
#include "Conversion/ContractionsToGPU/Wgmma/Families/WantedBlocks.h"
#include "GPU/Host/BufferAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

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

FailureOr<WantedMatch> mlir::pit::hopper::matchWantedProduct(TiledOp op,
                                                             MatchLog log) {
  auto match = matchSampledProduct(op, log);
  if (failed(match))
    return failure();
  if (ShapedType::isDynamic(match->m) || ShapedType::isDynamic(match->n))
    return log.refuse("the number of rows or columns is dynamic");
  DetectIntoOp detection = getDetection(op);
  if (!detection || !detection.getBy())
    return log.refuse("no mask says which blocks are wanted");
  Value mask = detection.getBy();
  auto type = cast<MemRefType>(mask.getType());
  if (detection.getPattern().getKind() != PatternKind::Blocks ||
      detection.getPattern().getAxes().asArrayRef() !=
          ArrayRef<int64_t>({0, 1}) ||
      type.getRank() != 2 || !type.hasStaticShape() ||
      !type.getLayout().isIdentity())
    return log.refuse("the mask must have an element for each block of rows "
                      "and columns, in this order, and be contiguous");
  if (type.getNumElements() > WantedKernel::kMostBlocks ||
      type.getNumElements() == 0)
    return log.refuse("the mask has " + Twine(type.getNumElements()) +
                      " blocks; the kernel takes 1 to " +
                      Twine(WantedKernel::kMostBlocks));
  if (isWrittenBetween(detection, op, mask))
    return log.refuse("the mask is overwritten before the product");
  WantedMatch wanted;
  linalg::FillOp fill = findFill(op, match->c.buffer, wanted.fill);
  if (!fill)
    return log.refuse("what is not wanted is not filled with a constant "
                      "before, so it must stay as it is");
  wanted.pattern = *match->sampled;
  wanted.mask = mask;
  wanted.product = std::move(*match);
  // All of C is computed or filled, whatever is listed.
  wanted.product.sampled.reset();
  wanted.product.index = Value();
  wanted.product.detection = detection;
  wanted.product.ops = {fill, op};
  wanted.product.mayHaveDenseVariant = mayHaveDenseVariant(op);
  return wanted;
}

WantedKernel mlir::pit::hopper::describeWanted(const WantedMatch &match,
                                               int64_t numMultiprocessors) {
  const ContractionMatch &product = match.product;
  ArrayRef<int64_t> blocks = cast<MemRefType>(match.mask.getType()).getShape();
  WantedKernel kernel;
  kernel.grid = {match.pattern.rows, match.pattern.columns, blocks[0],
                 blocks[1]};
  kernel.fill = match.fill;
  kernel.maxBlocks = numMultiprocessors;
  std::shared_ptr<ContractionKernel> dense = describeDense(product);
  kernel.tiles = *dense;
  kernel.tiles.tileM = match.pattern.getTileRows();
  kernel.tiles.tileN = match.pattern.getTileColumns();
  kernel.tiles.consumers = kernel.tiles.tileM / 64;
  constexpr int64_t kMostStages = 8;
  for (kernel.tiles.stages = kMostStages;
       kernel.getBytesOfLists() > ContractionKernel::kMostSharedBytes;)
    --kernel.tiles.stages;
  setTails(product, kernel.tiles);
  std::optional<double> share = getMostWantedShare(
      kernel.tiles.tileM, kernel.tiles.tileN, guessShape(product));
  if (product.mayHaveDenseVariant && share &&
      hasManyTiles(product, *dense, numMultiprocessors)) {
    kernel.dense = std::move(dense);
    kernel.mostWanted = *share * kLiveUnit;
  }
  return kernel;
}

void mlir::pit::hopper::createWantedLaunch(const WantedMatch &match,
                                           const WantedKernel &kernel,
                                           SymbolRefAttr symbol) {
  Operation *last = match.product.ops.back();
  ImplicitLocOpBuilder b(last->getLoc(), last);
  SmallVector<Value> arguments;
  // As many blocks as there may be wanted ones, or others.
  pushDenseArguments(match.product, kernel.tiles, arguments);
  int64_t most = kernel.grid.getNumBlocks();
  if (kernel.dense)
    pushDenseArguments(match.product, *kernel.dense, arguments);
  arguments.push_back(createPointer(b, match.mask, 0));
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  Value one = constant(1);
  Value shared = arith::ConstantIntOp::create(b, kernel.getSharedBytes(), 32);
  gpu::LaunchFuncOp::create(
      b, symbol,
      gpu::KernelDim3{constant(std::min(most, kernel.maxBlocks)), one, one},
      gpu::KernelDim3{constant(kernel.getNumThreads()), one, one}, shared,
      arguments);
}
