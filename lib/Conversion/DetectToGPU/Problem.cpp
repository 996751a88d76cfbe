//===- Problem.cpp - What a detection reads and writes --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problem.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::detect;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static FailureOr<LivenessTest> getTest(Operation *op, PatternAttr pattern,
                                       Type element) {
  LivenessTest test;
  if (element.isIndex() || element.isInteger(64))
    test.bits = 64;
  else if (isa<IntegerType, Float16Type, BFloat16Type, Float32Type,
               Float64Type>(element))
    test.bits = element.isInteger(1) ? 8 : element.getIntOrFloatBitWidth();
  else
    test.bits = 0;
  if (!llvm::is_contained({8u, 16u, 32u, 64u}, test.bits))
    return op->emitOpError("reads elements of type ")
           << element << ", which detection on the GPU does not know";
  test.mask = llvm::maskTrailingOnes<uint64_t>(test.bits);
  if (element.isInteger(1))
    test.mask = 1;
  auto floatType = dyn_cast<FloatType>(element);
  if (!floatType)
    return test;
  if (pattern.getKind() == PatternKind::Values &&
      pattern.getAbsent() == Absent::NegInf) {
    // No other value has these bits.
    test.absent =
        APFloat::getInf(floatType.getFloatSemantics(), /*Negative=*/true)
            .bitcastToAPInt()
            .getZExtValue();
    return test;
  }
  // Without the sign, -0.0 is zero.
  test.mask = llvm::maskTrailingOnes<uint64_t>(test.bits - 1);
  return test;
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

/// The buffer's base, and its axes with extents and strides.
static LogicalResult readBuffer(Problem &problem, HostMath &host) {
  Value buffer = problem.source;
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return problem.op->emitOpError("reads a buffer of type ")
           << type << ", whose layout has no strides";
  auto metadata = memref::ExtractStridedMetadataOp::create(host, buffer);
  problem.base = metadata.getBaseBuffer();
  bool isOffsetKnown = !ShapedType::isDynamic(offset);
  problem.offset = isOffsetKnown ? host.constant(offset) : metadata.getOffset();
  problem.offsetFactor = isOffsetKnown ? offset : 1;
  // Row-major strides are multiples of the extents behind them.
  bool isRowMajor = type.getLayout().isIdentity();
  int64_t factor = 1;
  problem.axes.resize(type.getRank());
  for (int64_t i = type.getRank(); i-- > 0;) {
    Axis &axis = problem.axes[i];
    int64_t extent = type.getDimSize(i);
    axis.extent = ShapedType::isDynamic(extent)
                      ? memref::DimOp::create(host, buffer, i).getResult()
                      : host.constant(extent);
    bool isKnown = !ShapedType::isDynamic(strides[i]);
    axis.stride =
        isKnown ? host.constant(strides[i]) : metadata.getStrides()[i];
    axis.strideFactor = isKnown ? strides[i] : isRowMajor ? factor : 1;
    if (!ShapedType::isDynamic(extent))
      factor *= extent;
  }
  return success();
}

/// The axis whose elements lie next to each other, or the last one.
static unsigned chooseInner(ArrayRef<Axis> axes) {
  for (unsigned i = axes.size(); i-- > 0;)
    if (getKnown(axes[i].stride) == 1 && getKnown(axes[i].extent) != 1)
      return i;
  return axes.size() - 1;
}

int64_t Problem::getVectorLength() const {
  int64_t length = 16 / getElementBytes();
  const Axis &innermost = getInner();
  std::optional<int64_t> extent = getKnown(innermost.extent);
  if (!extent || getKnown(innermost.stride) != 1)
    return 1;
  auto cut = [&](int64_t number) {
    while (number % length != 0)
      length /= 2;
  };
  cut(*extent);
  cut(offsetFactor);
  for (auto [i, axis] : llvm::enumerate(axes))
    if (i != inner && getKnown(axis.extent) != 1)
      cut(axis.strideFactor);
  // A vector holds whole micro-tiles, or lies in one.
  int64_t tile = innermost.tile;
  if (innermost.role != Axis::Role::Reduced && tile % length != 0 &&
      length % tile != 0)
    cut(tile);
  return length;
}

/// The same with sequences and positions apart.
static void unflatten(Problem &problem, HostMath &host) {
  int64_t sequences = cast<MemRefType>(problem.source.getType()).getDimSize(0);
  int64_t extent = problem.type.getExtents()[0];
  bool isKnown = !ShapedType::isDynamic(sequences) && sequences != 0 &&
                 !ShapedType::isDynamic(extent);
  int64_t positions = isKnown ? extent / sequences : ShapedType::kDynamic;
  SmallVector<Value> dynamic;
  if (ShapedType::isDynamic(sequences))
    dynamic.push_back(memref::DimOp::create(host, problem.source, 0));
  if (!isKnown) {
    Value count = ShapedType::isDynamic(sequences) ? dynamic[0]
                                                   : host.constant(sequences);
    Value all = ShapedType::isDynamic(extent) ? problem.dynamicExtents[0]
                                              : host.constant(extent);
    dynamic.push_back(host.createOrFold<arith::DivUIOp>(
        all, host.max(count, host.constant(1))));
  }
  problem.isFlat = true;
  problem.dynamicExtents = dynamic;
  problem.type = SparseIndexType::get(
      host.getContext(), host.getDenseI64ArrayAttr({sequences, positions}),
      /*coordinate=*/1,
      /*tile=*/host.getDenseI64ArrayAttr({1, 1}), problem.type.getWidth());
}

LogicalResult mlir::pit::detect::completeProblem(Problem &problem,
                                                 HostMath &host) {
  PatternAttr pattern = problem.pattern;
  if (pattern.getKind() == PatternKind::Lengths && problem.type.getRank() == 1)
    unflatten(problem, host);
  SparseIndexType type = problem.type;
  FailureOr<LivenessTest> test =
      getTest(problem.op, pattern, getElementTypeOrSelf(problem.source));
  if (failed(test) || failed(readBuffer(problem, host)))
    return failure();
  problem.test = *test;

  bool isBlocks = pattern.getKind() == PatternKind::Blocks;
  bool isLengths = pattern.getKind() == PatternKind::Lengths;
  SmallVector<Value> extents;
  unsigned dynamic = 0;
  for (int64_t extent : type.getExtents().asArrayRef())
    extents.push_back(ShapedType::isDynamic(extent)
                          ? problem.dynamicExtents[dynamic++]
                          : host.constant(extent));
  problem.numSegments = host.constant(1);
  for (auto [i, extent] : llvm::enumerate(extents)) {
    int64_t tile = type.getTile()[i];
    Value count = host.ceilDiv(extent, tile);
    bool isCoordinate = int64_t(i) == type.getCoordinate();
    if (isCoordinate) {
      problem.numCoordinates = count;
    } else {
      problem.segmentCounts.push_back(count);
      problem.numSegments = host.mul(problem.numSegments, count);
    }
    if (isLengths && i == 1) {
      problem.numPositions = extent;
      problem.positionTile = tile;
      continue;
    }
    bool isValues = pattern.getKind() == PatternKind::Values;
    Axis &axis = problem.axes[isValues ? pattern.getAxes()[i] : int64_t(i)];
    axis.role = isCoordinate ? Axis::Role::Coordinate : Axis::Role::Segment;
    axis.segment = problem.segmentCounts.size() - !isCoordinate;
    // Block masks count micro-tiles themselves.
    axis.tile = isBlocks ? 1 : tile;
  }
  problem.numWords = host.ceilDiv(problem.numCoordinates, 32);
  problem.inner = chooseInner(problem.axes);
  return success();
}

Value mlir::pit::detect::firstElement(Kernel &kernel, const Problem &problem) {
  return kernel.element(kernel.pointer(problem.base),
                        kernel.number(problem.offset, 64),
                        problem.getElementBytes());
}
