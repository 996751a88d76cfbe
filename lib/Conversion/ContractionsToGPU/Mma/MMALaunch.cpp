//===- MMALaunch.cpp - The host's side of a kernel with mma.sync ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MMALaunch.h"
#include "Conversion/ContractionsToGPU/Plan/ContractionSignature.h"
#include "Conversion/ContractionsToGPU/Plan/VersionCondition.h"
#include "GPU/Host/Buffers.h"
#include "GPU/Host/LaunchArguments.h"
#include "SharedTile.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit::mma;
using mlir::pit::hopper::ContractionMatch;
using mlir::pit::hopper::Matrix;

//===----------------------------------------------------------------------===//
// Which kernel
//===----------------------------------------------------------------------===//

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

static pit::SparseIndexType getIndex(const ContractionMatch &match) {
  return cast<pit::IndexBufferType>(match.index.getType()).getIndex();
}

namespace {

class LaunchBuilder : public ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(*this, value);
  }
  Value i32(Value value) {
    return arith::IndexCastOp::create(*this, getI32Type(), value);
  }
  Value i64(int64_t value) {
    return arith::ConstantIntOp::create(*this, value, 64);
  }
  Value getExtent(Value buffer, unsigned axis) {
    auto type = cast<MemRefType>(buffer.getType());
    if (!type.isDynamicDim(axis))
      return constant(type.getDimSize(axis));
    return memref::DimOp::create(*this, buffer, int64_t(axis));
  }
  Value createPointer(Value buffer, int64_t element) {
    return pit::hopper::createPointer(*this, buffer, element);
  }
  /// From a row to the next one, in elements.
  Value getStride(const Matrix &matrix) {
    if (!ShapedType::isDynamic(matrix.stride))
      return constant(matrix.stride);
    auto metadata =
        memref::ExtractStridedMetadataOp::create(*this, matrix.buffer);
    return metadata.getStrides()[matrix.axes[1 - matrix.innerAxis]];
  }
  /// From a segment's or a batch's matrix to the next one's, in elements.
  Value getSegmentStride(const Matrix &matrix) {
    if (!ShapedType::isDynamic(matrix.segmentStride))
      return i64(matrix.segmentStride);
    Value stride;
    if (*matrix.segmentAxis == 0) {
      // One behind the other.
      Value rows = getExtent(matrix.buffer, matrix.axes[1 - matrix.innerAxis]);
      stride = arith::MulIOp::create(*this, rows, getStride(matrix));
    } else {
      auto metadata =
          memref::ExtractStridedMetadataOp::create(*this, matrix.buffer);
      stride = metadata.getStrides()[*matrix.segmentAxis];
    }
    return arith::IndexCastOp::create(*this, getI64Type(), stride);
  }
  Value createPointer(const Matrix &matrix) {
    return createPointer(matrix.buffer, matrix.offset);
  }
  /// The buffers of the index: offsets of segments, row numbers.
  std::pair<Value, Value> createLists(const ContractionMatch &match) {
    if (auto assemble = match.index.getDefiningOp<pit::AssembleOp>())
      return {assemble.getOffsets(), assemble.getCoords()};
    auto listOf = [&](Type element) {
      return MemRefType::get({ShapedType::kDynamic}, element);
    };
    Type number = getIntegerType(getIndex(match).getWidth());
    return {pit::OffsetsOp::create(*this, listOf(getI64Type()), match.index),
            pit::CoordsOp::create(*this, listOf(number), match.index)};
  }
};

} // namespace

LogicalResult mlir::pit::mma::createLaunch(const ContractionMatch &match,
                                           const MMAKernel &kernel,
                                           const KernelSignature &signature,
                                           SymbolRefAttr symbol,
                                           int64_t maxBlocks) {
  LaunchBuilder b(match.ops.back()->getLoc(), match.ops.back());
  Value offsets, rowNumbers, m, numSegments;
  if (match.index) {
    std::tie(offsets, rowNumbers) = b.createLists(match);
  }
  if (match.index && !kernel.gathersK)
    m = b.getExtent(rowNumbers, 0);
  else
    m = b.getExtent(match.c.buffer, match.c.axes[0]);
  if (kernel.hasOffsets())
    numSegments =
        arith::SubIOp::create(b, b.getExtent(offsets, 0), b.constant(1));
  Value n = ShapedType::isDynamic(match.n)
                ? b.getExtent(match.c.buffer, match.c.axes[1])
                : b.constant(match.n);
  unsigned axisOfK = match.layoutA == SharedLayout::KMajor
                         ? match.a.innerAxis
                         : 1 - match.a.innerAxis;
  Value k = kernel.gathersK ? b.getExtent(rowNumbers, 0)
            : ShapedType::isDynamic(match.k)
                ? b.getExtent(match.a.buffer, match.a.axes[axisOfK])
                : b.constant(match.k);
  Value numBatches;
  if (kernel.batched)
    numBatches = match.window
                     ? b.constant(getNumBatches(match))
                     : b.getExtent(match.c.buffer, *match.c.segmentAxis);
  Value products = kernel.raggedK ? numSegments : numBatches;
  auto countTiles = [&](const MMAKernel &kernel) -> Value {
    Value tilesM = arith::CeilDivUIOp::create(b, m, b.constant(kernel.tileM));
    // Each segment may end inside a tile.
    if (kernel.segmented)
      tilesM = arith::AddIOp::create(b, tilesM, numSegments);
    Value tiles = arith::MulIOp::create(
        b, tilesM,
        arith::CeilDivUIOp::create(b, n, b.constant(kernel.getTileColumns())));
    return products ? arith::MulIOp::create(b, tiles, products).getResult()
                    : tiles;
  };
  Value tiles = countTiles(kernel);
  if (kernel.asksExtents) {
    // Of rows that devices count, there may be as few as these in any case.
    Value few = b.constant(kernel.getFewTiles()),
          small = countTiles(*kernel.getSmall());
    Value isFew =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, tiles, few);
    Value most = tiles;
    if (kernel.countType) {
      int64_t ofLarge = kernel.tileM * kernel.getTileColumns(),
              ofSmall = kernel.getSmall()->tileM *
                        kernel.getSmall()->getTileColumns();
      most = arith::MaxUIOp::create(
          b, tiles, b.constant(kernel.getFewTiles() * (ofLarge / ofSmall)));
    }
    tiles = arith::SelectOp::create(b, isFew, small, most);
  }
  // Nothing to do is also one block.
  Value blocks = arith::MaxUIOp::create(
      b, arith::MinUIOp::create(b, tiles, b.constant(maxBlocks)),
      b.constant(1));

  SmallVector<const Matrix *> inputs{&match.a, &match.b};
  if (match.b2)
    inputs.push_back(&*match.b2);
  LaunchArguments arguments(signature, b.getLoc(), symbol.getLeafReference());
  for (auto [i, input] : llvm::enumerate(inputs))
    arguments.bind(kBaseNames[i], b.createPointer(*input));
  arguments.bind("baseC", b.createPointer(match.c));
  if (signature.has("rowNumbers"))
    arguments.bind("rowNumbers", b.createPointer(rowNumbers, 0));
  if (signature.has("count")) {
    // The end of all segments, whose number is known.
    int64_t segments = 1;
    for (int64_t dim : getIndex(match).getSegmentDims())
      segments *= getIndex(match).getExtents()[dim];
    arguments.bind("count", b.createPointer(offsets, segments));
  }
  if (signature.has("offsets"))
    arguments.bind("offsets", b.createPointer(offsets, 0));
  SmallVector<std::pair<StringRef, Value>> extents{
      {"m", m}, {"n", n}, {"k", k}};
  for (auto [i, input] : llvm::enumerate(inputs))
    extents.emplace_back(kStrideNames[i], b.getStride(*input));
  extents.emplace_back("strideC", b.getStride(match.c));
  for (auto [name, extent] : extents)
    arguments.bind(name, b.i32(extent));
  for (auto [i, input] : llvm::enumerate(inputs))
    if (signature.has(kSegmentStrideNames[i]))
      arguments.bind(kSegmentStrideNames[i], b.getSegmentStride(*input));
  if (signature.has("segmentStrideC"))
    arguments.bind("segmentStrideC", b.getSegmentStride(match.c));
  if (signature.has("numSegments"))
    arguments.bind("numSegments", b.i32(numSegments));
  if (signature.has("numBatches"))
    arguments.bind("numBatches", b.i32(numBatches));
  for (auto [i, operand] : llvm::enumerate(match.epilogueBuffers))
    arguments.bind(hopper::getOperandName(i),
                   b.createPointer(operand.first, operand.second));
  FailureOr<SmallVector<Value>> values = arguments.finish();
  if (failed(values))
    return failure();

  Value one = b.constant(1);
  gpu::LaunchFuncOp::create(
      b, symbol, hopper::getGridOfVersion(b, match, blocks),
      gpu::KernelDim3{b.constant(kernel.getNumThreads()), one, one},
      arith::ConstantIntOp::create(b, kernel.getSharedBytes(), 32), *values);
  return success();
}
