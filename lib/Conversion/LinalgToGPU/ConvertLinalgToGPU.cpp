//===- ConvertLinalgToGPU.cpp - Buffer code to GPU kernels ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generic path: whatever a function does with memory becomes kernels.
//
//  * A structured op on its own is spread over a grid: one thread per point of
//    the output, reductions in order inside the thread.
//  * Everything else (searches for live data, loops over packed tiles) is run
//    by one block, see BlockKernel.h. What is read from memory decides there
//    what happens next; the host never waits for it.
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"
#include "PIT/Dialect/PIT/IR/PITCheck.h"
#include "PIT/Dialect/PIT/Utils/Sizes.h"
#include "PIT/Support/Remarks.h"

#include "BlockKernel.h"
#include "DevicePieces.h"
#include "ElementVectors.h"
#include "GPU/Epilogue/Rounding.h"
#include "GPU/Host/StatusBuffer.h"
#include "KernelLaunch.h"
#include "StructuredOps.h"
#include "TransposedPoints.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"

namespace mlir::pit {
#define GEN_PASS_DEF_CONVERTLINALGTOGPU
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

/// Blocks of a grid at most; threads then take several points each.
constexpr int64_t kMaxBlocks = 1 << 16;

struct ConvertLinalgToGPUPass
    : pit::impl::ConvertLinalgToGPUBase<ConvertLinalgToGPUPass> {
  using ConvertLinalgToGPUBase::ConvertLinalgToGPUBase;

  void runOnOperation() override;

private:
  LogicalResult serialiseLoops();
  void normalise();
  Value createGridSize(linalg::LinalgOp op, int64_t pointsOfThread);
  std::string getModuleName();
  LogicalResult convert(const DevicePiece &piece, StringRef name);
  LogicalResult convertToBlock(ArrayRef<Operation *> ops, StringRef name);
  LogicalResult convertPoints(linalg::LinalgOp op, StringRef name);
  LogicalResult convertTransposed(linalg::LinalgOp op,
                                  const TransposedLoops &loops, StringRef name);
  LogicalResult convertBlocks(scf::ForallOp op, StringRef name);
};

} // namespace

/// Where bufferization has cast a view to the result's type, as the strides of
/// neither are known: a result lies in one piece, so it is copied.
static void copyReturnedViews(func::ReturnOp end) {
  for (OpOperand &operand : end->getOpOperands()) {
    auto cast = operand.get().getDefiningOp<memref::CastOp>();
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    while (cast && cast.getSource().getDefiningOp<memref::CastOp>())
      cast = cast.getSource().getDefiningOp<memref::CastOp>();
    auto source =
        cast ? dyn_cast<MemRefType>(cast.getSource().getType()) : MemRefType();
    if (!source || !type || source.getLayout().isIdentity() ||
        !type.getLayout().isIdentity())
      continue;
    OpBuilder builder(end);
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(memref::DimOp::create(builder, end.getLoc(),
                                              cast.getSource(), dim));
    Value copy = memref::AllocOp::create(builder, end.getLoc(), type, sizes);
    linalg::makeMemRefCopyOp(builder, end.getLoc(), cast.getSource(), copy);
    operand.set(copy);
  }
}

/// Copies become structured ops, and nothing is freed before the end: launches
/// may move past where a buffer was freed.
void ConvertLinalgToGPUPass::normalise() {
  func::FuncOp function = getOperation();
  function.walk(copyReturnedViews);
  function.walk([](memref::CopyOp copy) {
    if (!isa<MemRefType>(copy.getSource().getType()) ||
        !isa<MemRefType>(copy.getTarget().getType()))
      return;
    OpBuilder builder(copy);
    linalg::makeMemRefCopyOp(builder, copy.getLoc(), copy.getSource(),
                             copy.getTarget());
    copy.erase();
  });
  Block &body = function.getBody().front();
  // Collected first: what moves to the end would be met there again.
  SmallVector<Operation *> deallocs;
  for (auto dealloc : body.getOps<memref::DeallocOp>())
    deallocs.push_back(dealloc);
  for (Operation *dealloc : deallocs)
    dealloc->moveBefore(body.getTerminator());
}

/// A program's parallel loops become loops of one block.
LogicalResult ConvertLinalgToGPUPass::serialiseLoops() {
  SmallVector<scf::ForallOp> loops;
  getOperation().walk([&](scf::ForallOp loop) {
    if (!isLoopOverBlocks(loop) && loop.getOutputs().empty())
      loops.push_back(loop);
  });
  IRRewriter rewriter(&getContext());
  for (scf::ForallOp loop : loops) {
    rewriter.setInsertionPoint(loop);
    if (failed(scf::forallToForLoop(rewriter, loop)))
      return failure();
  }
  return success();
}

/// As many blocks as there is work for, up to what a launch has.
static Value limitBlocks(OpBuilder &builder, Location loc, Value blocks) {
  blocks = arith::MinUIOp::create(
      builder, loc, blocks,
      arith::ConstantIndexOp::create(builder, loc, kMaxBlocks));
  return arith::MaxUIOp::create(
      builder, loc, blocks, arith::ConstantIndexOp::create(builder, loc, 1));
}

Value ConvertLinalgToGPUPass::createGridSize(linalg::LinalgOp op,
                                             int64_t pointsOfThread) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value points = createThreadPoints(builder, loc, chooseThreadLoops(op),
                                    createLoopExtents(builder, op));
  Value blocks = arith::CeilDivUIOp::create(
      builder, loc, points, constant(blockSize * pointsOfThread));
  return limitBlocks(builder, loc, blocks);
}

std::string ConvertLinalgToGPUPass::getModuleName() {
  return (getOperation().getName() + "_kernels").str();
}

LogicalResult ConvertLinalgToGPUPass::convertToBlock(ArrayRef<Operation *> ops,
                                                     StringRef name) {
  SmallVector<Operation *> serial;
  for (Operation *op : ops) {
    auto forall = dyn_cast<scf::ForallOp>(op);
    if (!forall) {
      serial.push_back(op);
      continue;
    }
    // Needs what only the device knows, so its iterations stay together.
    IRRewriter rewriter(op);
    SmallVector<Operation *> loops;
    if (failed(scf::forallToForLoop(rewriter, forall, &loops)))
      return failure();
    serial.push_back(loops.front());
  }
  auto launch =
      wrapIntoLaunch(serial, Value(), blockSize, getModuleName(), name);
  if (failed(launch))
    return failure();
  emitBlockKernel(*launch);
  ++numBlockKernels;
  return success();
}

LogicalResult ConvertLinalgToGPUPass::convertTransposed(
    linalg::LinalgOp op, const TransposedLoops &loops, StringRef name) {
  OpBuilder builder(op);
  Value blocks = limitBlocks(builder, op.getLoc(), createNumTiles(op, loops));
  auto launch = wrapIntoLaunch(op.getOperation(), blocks, blockSize,
                               getModuleName(), name);
  if (failed(launch))
    return failure();
  distributeTransposedTiles(op, loops, *launch, blockSize);
  ++numGridKernels;
  return success();
}

/// Whether what is computed is rounded to 16 bits, which hides what
/// approximations of functions of f32 leave out.
static bool roundsTo16Bits(linalg::LinalgOp op) {
  return llvm::all_of(op.getDpsInits(), [](Value init) {
    auto element = dyn_cast<FloatType>(getElementTypeOrSelf(init));
    return element && element.getWidth() == 16;
  });
}

LogicalResult ConvertLinalgToGPUPass::convertPoints(linalg::LinalgOp op,
                                                    StringRef name) {
  // As behind products.
  if (op.getNumReductionLoops() == 0 && roundsTo16Bits(op))
    allowApproximation(*op.getBlock());
  if (std::optional<TransposedLoops> loops = matchTransposedLoops(op))
    return convertTransposed(op, *loops, name);
  Location loc = op.getLoc();
  int64_t pointsOfThread = getPointsAtATime(op);
  Value blocks = createGridSize(op, pointsOfThread);
  auto launch = wrapIntoLaunch(op.getOperation(), blocks, blockSize,
                               getModuleName(), name);
  if (failed(launch))
    return failure();
  OpBuilder builder(op);
  Value size = launch->getBlockSize().x;
  Value first =
      arith::MulIOp::create(builder, loc, launch->getBlockIds().x, size);
  first = arith::AddIOp::create(builder, loc, first, launch->getThreadIds().x);
  Value stride =
      arith::MulIOp::create(builder, loc, launch->getGridSize().x, size);
  if (pointsOfThread > 1)
    distributePointsInGroups(op, pointsOfThread, first, stride);
  else
    distributeStructuredOp(op, first, stride);
  ++numGridKernels;
  return success();
}

LogicalResult ConvertLinalgToGPUPass::convertBlocks(scf::ForallOp op,
                                                    StringRef name) {
  OpBuilder builder(op);
  Value blocks = getValueOrCreateConstantIndexOp(builder, op.getLoc(),
                                                 op.getMixedUpperBound()[0]);
  auto launch = wrapIntoLaunch(op.getOperation(), blocks, blockSize,
                               getModuleName(), name);
  if (failed(launch))
    return failure();
  IRRewriter rewriter(op);
  rewriter.eraseOp(op.getTerminator());
  rewriter.inlineBlockBefore(op.getBody(), op, launch->getBlockIds().x);
  rewriter.eraseOp(op);
  emitBlockKernel(*launch);
  ++numGridKernels;
  return success();
}

/// Says of each structured op how threads are given its points.
static void report(const DevicePiece &piece) {
  auto first = dyn_cast<linalg::LinalgOp>(piece.ops.front());
  StringRef family = piece.shape == DevicePiece::Shape::Points
                         ? matchTransposedLoops(first)
                               ? "transposition through shared memory"
                               : "one thread for each element"
                     : piece.shape == DevicePiece::Shape::Blocks
                         ? "loop over tiles, a block of threads for each"
                         : "one block of threads";
  for (Operation *op : piece.ops)
    op->walk([&](linalg::LinalgOp structured) {
      bool isCopy = llvm::hasSingleElement(*structured.getBlock());
      remarks::kernel(structured, family)
          << remarks::metric("Copies", isCopy ? "true" : "false");
    });
}

/// Warns of reductions that take one thread long, and add up more errors than
/// partial sums do.
static void warnOfLongReductions(const DevicePiece &piece) {
  constexpr int64_t kMostOfThread = 1024;
  for (Operation *op : piece.ops)
    op->walk([&](linalg::LinalgOp structured) {
      int64_t count = countElementsOfPoint(structured);
      if (!ShapedType::isDynamic(count) && count > kMostOfThread)
        structured->emitWarning()
            << "one thread adds up " << count
            << " elements for each result; '--pit-explain' says why no kernel "
               "splits the reduction";
    });
}

LogicalResult ConvertLinalgToGPUPass::convert(const DevicePiece &piece,
                                              StringRef name) {
  warnOfLongReductions(piece);
  if (remarks::areCollected(getOperation()))
    report(piece);
  switch (piece.shape) {
  case DevicePiece::Shape::Points:
    return convertPoints(cast<linalg::LinalgOp>(piece.ops.front()), name);
  case DevicePiece::Shape::Blocks:
    return convertBlocks(cast<scf::ForallOp>(piece.ops.front()), name);
  case DevicePiece::Shape::Block:
    return convertToBlock(piece.ops, name);
  }
  llvm_unreachable("all shapes are covered");
}

void ConvertLinalgToGPUPass::runOnOperation() {
  if (failed(checkSizes(getOperation())))
    return signalPassFailure();
  func::FuncOp function = getOperation();
  if (function.isExternal() || holdsChecks(function))
    return;
  if (blockSize < 32 || blockSize > 1024 || blockSize % 32 != 0) {
    emitError(function.getLoc(),
              "block-size must be a multiple of 32 up to 1024, not ")
        << blockSize.getValue();
    return signalPassFailure();
  }
  lowerRuntimeCallsToStatus(function);
  if (failed(serialiseLoops()))
    return signalPassFailure();
  normalise();
  if (failed(checkDeviceOps(function)) || failed(hoistScratchBuffers(function)))
    return signalPassFailure();
  DeviceAnalysis analysis(function);
  auto pieces = cutDevicePieces(function, analysis);
  if (failed(pieces))
    return signalPassFailure();
  for (auto [i, piece] : llvm::enumerate(*pieces)) {
    std::string name = (function.getName() + "_" + Twine(i)).str();
    if (failed(convert(piece, name)))
      return signalPassFailure();
  }
}
