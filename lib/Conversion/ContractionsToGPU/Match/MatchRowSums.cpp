//===- MatchRowSums.cpp - What becomes a kernel of rows' pieces -----------===//
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
#include "Conversion/ContractionsToGPU/Wgmma/Families/RowSums.h"

#include "PIT/Dialect/PIT/IR/PITPieces.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// How many pieces of k shall be gathered together.
static constexpr StringLiteral kPiecesAttr = "pit.pieces_of_group";

FailureOr<ContractionMatch>
mlir::pit::hopper::matchRowSum(TiledOp op, const DenseSet<Operation *> &taken,
                               MatchLog log) {
  SparseIndexType index = op.getIndexType();
  if (index.getRank() != 2 ||
      !canGatherPieces(index.getTile()[0], index.getTile()[1]))
    return log.pass();
  auto match = matchSumOfStrips(op, taken, log);
  if (failed(match))
    return failure();
  // Rows of A are gathered as they lie, in whole chunks, and rows of B and C
  // come and go in whole tiles.
  if (match->epilogue)
    return log.refuse("it takes in no elementwise work");
  if (match->exchanged || match->layoutA != SharedLayout::KMajor ||
      match->a.innerAxis != 1 || match->layoutB != SharedLayout::MNMajor ||
      match->c.innerAxis != 1)
    return log.refuse("A must have the micro-tiles and be stored [m, k], B "
                      "[k, n], and C [m, n]");
  if (match->a.segmentAxis || match->b.segmentAxis || match->c.segmentAxis)
    return log.refuse("operands must not have segments");
  if (!canGatherProduct(match->n, match->k))
    return log.refuse("n = " + Twine(match->n) + " and k = " + Twine(match->k) +
                      " must be multiples of " + Twine(kPieceOfRow));
  return match;
}

/// The variant with nothing skipped. A thread of so many has too few registers
/// at entry for instructions of 256 columns; so tiles are turned, with four
/// warpgroups that multiply.
static void addDenseVariant(const ContractionMatch &match,
                            int64_t numMultiprocessors, RowSumKernel &kernel) {
  auto share = getMostLiveShare({1, RowSumKernel::kDepth}, guessShape(match));
  if (!match.mayHaveDenseVariant || !share)
    return;
  std::shared_ptr<ContractionKernel> dense = describeDense(match);
  if (!match.isDeadZero)
    dense->masked = BlockPattern{1, RowSumKernel::kDepth, /*wordsAcross=*/true};
  dense->consumers = RowSumKernel::kThreads / 128 - 1;
  dense->tileM = 64 * dense->consumers;
  dense->tileN = 128;
  // As many rows as before share B.
  dense->groupM /= 2;
  setTails(match, *dense);
  if (!hasManyTiles(match, *dense, numMultiprocessors))
    return;
  kernel.dense = std::move(dense);
  // The last word may have fewer rows.
  int64_t rows = guessShape(match).m;
  kernel.mostLive = *share * kLiveUnit * rows / llvm::divideCeil(rows, 32);
}

RowSumKernel mlir::pit::hopper::describeRowSum(const ContractionMatch &match,
                                               int64_t numMultiprocessors) {
  RowSumKernel kernel;
  kernel.inputType = getElementTypeOrSelf(match.a.buffer);
  kernel.outputType = getElementTypeOrSelf(match.c.buffer);
  const int64_t most = kernel.stages / RowSumKernel::kConsumers;
  for (Operation *op : match.ops)
    if (auto wanted = op->getAttrOfType<IntegerAttr>(kPiecesAttr))
      kernel.piecesOfGroup = std::clamp<int64_t>(wanted.getInt(), 1, most);
  kernel.wordsInFours =
      !ShapedType::isDynamic(match.m) && llvm::divideCeil(match.m, 32) % 4 == 0;
  addDenseVariant(match, numMultiprocessors, kernel);
  return kernel;
}

namespace {

/// Makes the arguments of a launch, in front of the match's last op.
class RowSumLaunch {
public:
  RowSumLaunch(const ContractionMatch &match)
      : match(match), b(match.ops.back()->getLoc(), match.ops.back()) {}

  void run(const RowSumKernel &kernel, SymbolRefAttr symbol, int64_t maxBlocks,
           bool freeBuffers);

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value createMapOfB();
  Value getRows();

  const ContractionMatch &match;
  ImplicitLocOpBuilder b;
};

} // namespace

Value RowSumLaunch::createMapOfB() {
  const Matrix &matrix = match.b;
  auto buffer = cast<MemRefType>(matrix.buffer.getType());
  SmallVector<int64_t> shape{match.k, match.n}, strides{matrix.stride, 1};
  auto viewType = MemRefType::get(
      shape, buffer.getElementType(),
      StridedLayoutAttr::get(b.getContext(), matrix.offset, strides));
  Value view = memref::ReinterpretCastOp::create(
      b, viewType, matrix.buffer, b.getIndexAttr(matrix.offset),
      getAsIndexOpFoldResult(b.getContext(), shape),
      getAsIndexOpFoldResult(b.getContext(), strides));
  return createTensorMapOf(b, view,
                           {RowSumKernel::kDepth, RowSumKernel::kTileColumns});
}

/// How many rows there are, an index value.
Value RowSumLaunch::getRows() {
  if (!ShapedType::isDynamic(match.m))
    return constant(match.m);
  return memref::DimOp::create(b, match.c.buffer, int64_t(match.c.axes[0]));
}

void RowSumLaunch::run(const RowSumKernel &kernel, SymbolRefAttr symbol,
                       int64_t maxBlocks, bool freeBuffers) {
  // Words of 32 rows each, for every piece of k.
  Value bitmap = createBits(b, match.detection, /*along=*/0, /*behind=*/0);
  Value m = getRows();
  SmallVector<Value> arguments{createPointer(b, match.a.buffer, match.a.offset),
                               createMapOfB(),
                               createPointer(b, match.c.buffer, match.c.offset),
                               createPointer(b, bitmap, 0)};
  Value words = b.createOrFold<arith::CeilDivUIOp>(m, constant(32));
  for (Value extent :
       {m, constant(match.n), constant(match.k), constant(match.a.stride),
        constant(match.c.stride), words})
    arguments.push_back(arith::IndexCastOp::create(b, b.getI32Type(), extent));
  Value tiles = arith::MulIOp::create(
      b,
      arith::CeilDivUIOp::create(b, m, constant(RowSumKernel::kTileRows))
          .getResult(),
      constant(match.n / RowSumKernel::kTileColumns));
  if (kernel.dense)
    tiles = arith::MaxUIOp::create(
        b, tiles, pushDenseArguments(match, *kernel.dense, arguments));
  // Nothing to do is also one block.
  Value blocks = arith::MaxUIOp::create(
      b, arith::MinUIOp::create(b, tiles, constant(maxBlocks)), constant(1));
  Value one = constant(1);
  Value shared = arith::ConstantIntOp::create(b, kernel.getSharedBytes(), 32);
  gpu::LaunchFuncOp::create(
      b, symbol, gpu::KernelDim3{blocks, one, one},
      gpu::KernelDim3{constant(RowSumKernel::kThreads), one, one}, shared,
      arguments);
  if (freeBuffers)
    memref::DeallocOp::create(b, bitmap);
}

void mlir::pit::hopper::createRowSumLaunch(const ContractionMatch &match,
                                           const RowSumKernel &kernel,
                                           SymbolRefAttr symbol,
                                           int64_t maxBlocks,
                                           bool freeBuffers) {
  RowSumLaunch(match).run(kernel, symbol, maxBlocks, freeBuffers);
}
