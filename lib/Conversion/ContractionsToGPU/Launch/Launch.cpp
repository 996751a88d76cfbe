//===- Launch.cpp - The host's side of a contraction kernel ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "Conversion/ContractionsToGPU/Plan/ContractionSignature.h"
#include "Conversion/ContractionsToGPU/Plan/DescribeKernel.h"
#include "Conversion/ContractionsToGPU/Plan/OverlapKernels.h"
#include "Conversion/ContractionsToGPU/Plan/VersionCondition.h"
#include "GPU/Host/Buffers.h"
#include "GPU/Pipeline/Staging.h"
#include "OperandMaps.h"
#include "PackedBuffers.h"
#include "StripBuffers.h"

#include "PIT/Dialect/PIT/IR/PITBitmap.h"
#include "PIT/Dialect/PIT/IR/PITLaunch.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

namespace {

class LaunchBuilder : OperandMaps {
public:
  /// Of what has the prefix in front of the names of its parameters.
  LaunchBuilder(ArrayRef<const ContractionMatch *> matches,
                const ContractionKernel &kernel, LaunchArguments &arguments,
                StringRef prefix)
      : OperandMaps(matches.back()->ops.back(), kernel),
        match(*matches.front()), others(matches.drop_front()),
        arguments(arguments), prefix(prefix) {}

  LogicalResult run(SymbolRefAttr symbol, int64_t maxBlocks, bool freeBuffers,
                    SharedBuffers buffers);
  /// Returns how many tiles there can be.
  Value bindAll() {
    prepare();
    bindOperandsAndOutputs();
    bindLists();
    bindExtents();
    bindEpilogue(match, prefix);
    bindParts();
    return tiles;
  }

private:
  void prepare();
  void bindOperandsAndOutputs();
  void bindLists();
  void bindExtents();
  void bindEpilogue(const ContractionMatch &part, const Twine &prefix);
  void bindParts();
  void bindMapOfB(const Twine &name, const Matrix &matrix);
  void bindOutput(const Twine &prefix, const Matrix &c);
  /// Whether the kernel has such a parameter.
  bool takes(const Twine &name) const {
    return arguments.getSignature().has(prefix + name);
  }
  void bind(const Twine &name, Value value) {
    arguments.bind(prefix + name, value);
  }
  /// Says of a parameter that it is about rows that are signaled.
  void markSignaled(const Twine &name) {
    signaled.push_back(*arguments.getSignature().find(name));
  }
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value i32(Value value) {
    return arith::IndexCastOp::create(b, b.getI32Type(), value);
  }
  Value createPointer(Value buffer, int64_t element) {
    return hopper::createPointer(b, buffer, element);
  }
  int64_t getWordsOfStrip() const {
    return llvm::divideCeil(llvm::divideCeil(match.k, match.blocks->depth), 32);
  }
  Value getNumColumns();
  Value getDepth();
  Value createZeros(Value count);
  Value createZeros(int64_t count) { return createZeros(constant(count)); }
  Value createLiveBits();
  std::pair<Value, Value> createLists();

  const ContractionMatch &match;
  /// Of the kernel's other parts.
  ArrayRef<const ContractionMatch *> others;
  LaunchArguments &arguments;
  std::string prefix;

  /// The lists, the extents, and how many tiles there can be; index values.
  Value offsets, rowNumbers, m, k, numSegments, numBatches, tiles;
  /// Buffers that this launch alone needs.
  SmallVector<Value> scratch;
  PackedBuffers packed;
  /// What kernels tell each other, and which arguments are about rows of it.
  SharedBuffers shared;
  SmallVector<int64_t> signaled;
};

} // namespace

/// Words that are zero when the kernel starts. They belong to this call alone,
/// and each launch clears them anew: calls on several streams do not share
/// them, a graph replays the clearing, and nothing is left over from a launch
/// that was aborted.
Value LaunchBuilder::createZeros(Value count) {
  Value words = allocateBuffer(b, count, b.getI32Type());
  Value zero = arith::ConstantIntOp::create(b, 0, 32);
  linalg::FillOp::create(b, ValueRange(zero), ValueRange(words));
  return words;
}

/// The words that the kernel sets bits of, for another one's bitmap, and one
/// from which that draws its tiles.
Value LaunchBuilder::createLiveBits() {
  const BlockPattern &pattern = *kernel.liveOfOutput;
  auto divide = [&](Value extent, int64_t by) {
    return b.createOrFold<arith::CeilDivUIOp>(extent, constant(by));
  };
  Value words = divide(divide(getNumColumns(), pattern.depth), 32);
  Value size = b.createOrFold<arith::MulIOp>(divide(m, pattern.rows), words);
  return createZeros(b.createOrFold<arith::AddIOp>(size, constant(1)));
}

/// The buffers of the index: offsets of segments, row numbers.
std::pair<Value, Value> LaunchBuilder::createLists() {
  if (auto assemble = match.index.getDefiningOp<pit::AssembleOp>())
    return {assemble.getOffsets(), assemble.getCoords()};
  auto listOf = [&](Type element) {
    return MemRefType::get({ShapedType::kDynamic}, element);
  };
  Type number = b.getIntegerType(getIndexType(match).getWidth());
  return {pit::OffsetsOp::create(b, listOf(b.getI64Type()), match.index),
          pit::CoordsOp::create(b, listOf(number), match.index)};
}

/// Extents are constants where they are known.
Value LaunchBuilder::getNumColumns() {
  return ShapedType::isDynamic(match.n)
             ? getValueOrCreateConstantIndexOp(b, b.getLoc(),
                                               getExtent(match.c, 1))
             : constant(match.n);
}

Value LaunchBuilder::getDepth() {
  if (kernel.window)
    return constant(kernel.getDepthOfWindows());
  // Where k is listed, the list says how many.
  if (ShapedType::isStatic(match.k) || kernel.gathersK)
    return constant(match.k);
  unsigned axis = match.layoutA == SharedLayout::KMajor ? match.a.innerAxis
                                                        : 1 - match.a.innerAxis;
  return getValueOrCreateConstantIndexOp(b, b.getLoc(),
                                         getExtent(match.a, axis));
}

/// What arguments and the number of blocks follow from.
void LaunchBuilder::prepare() {
  k = getDepth();
  if (match.index)
    std::tie(offsets, rowNumbers) = createLists();
  if (kernel.gathersK)
    k = memref::DimOp::create(b, rowNumbers, 0);
  if (match.index && !kernel.gathersK && !kernel.sampled)
    m = memref::DimOp::create(b, rowNumbers, 0);
  else
    m = getValueOrCreateConstantIndexOp(b, b.getLoc(), getExtent(match.c, 0));
  Value tilesM = arith::CeilDivUIOp::create(b, m, constant(kernel.tileM));
  if (kernel.hasOffsets()) {
    Value ends = getValueOrCreateConstantIndexOp(b, b.getLoc(),
                                                 getBufferExtent(offsets, 0));
    numSegments = arith::SubIOp::create(b, ends, constant(1));
  }
  // Each may end inside a tile.
  if (kernel.segmented)
    tilesM = arith::AddIOp::create(b, tilesM, numSegments);
  if (kernel.batched)
    numBatches = getValueOrCreateConstantIndexOp(
        b, b.getLoc(), getBufferExtent(match.c.buffer, *match.c.segmentAxis));
  Value tilesN =
      ShapedType::isDynamic(match.n)
          ? arith::CeilDivUIOp::create(b, getNumColumns(),
                                       constant(kernel.getTileColumns()))
                .getResult()
          : constant(llvm::divideCeil(match.n, kernel.getTileColumns()) *
                     kernel.parts);
  tiles = arith::MulIOp::create(b, tilesM, tilesN);
  if (kernel.batched)
    tiles = arith::MulIOp::create(b, tiles, numBatches);
  if (kernel.raggedK)
    tiles = arith::MulIOp::create(b, tiles, numSegments);
}

void LaunchBuilder::bindMapOfB(const Twine &name, const Matrix &matrix) {
  arguments.bind(name,
                 createOperandMap(matrix, match.layoutB, kernel.getBoxColumns(),
                                  kernel.panelsOfB));
}

void LaunchBuilder::bindOutput(const Twine &prefix, const Matrix &c) {
  auto bindIfAny = [&](StringRef name, function_ref<Value()> create) {
    std::string ofPart = (prefix + name).str();
    if (!arguments.getSignature().has(ofPart))
      return;
    if (kernel.signaledSegments)
      markSignaled(ofPart);
    arguments.bind(ofPart, create());
  };
  bindIfAny("tensorMapC", [&] {
    return createTensorMap(c, Staging::kColumns, Staging::kRows);
  });
  bindIfAny("baseC", [&] { return createPointer(c.buffer, c.offset); });
}

void LaunchBuilder::bindOperandsAndOutputs() {
  if (takes("baseA"))
    bind("baseA", createPointer(match.a.buffer, match.a.offset));
  if (takes("tensorMapA")) {
    if (kernel.awaitedSegments)
      markSignaled(prefix + "tensorMapA");
    bind("tensorMapA",
         kernel.window
             ? createWindowMapOf(b, match.a.buffer, kernel.getBoxRows(),
                                 kernel.getTileK(), kernel.window)
             : createOperandMap(match.a, match.layoutA, kernel.getBoxRows(),
                                /*asPanels=*/false));
  }
  if (takes("baseB"))
    bind("baseB", createPointer(match.b.buffer, match.b.offset));
  if (takes("tensorMapB"))
    bindMapOfB(prefix + "tensorMapB", match.b);
  if (takes("tensorMapB2"))
    bindMapOfB(prefix + "tensorMapB2", *match.b2);
  bindOutput(prefix, match.c);
}

void LaunchBuilder::bindLists() {
  if (takes("rowNumbers"))
    bind("rowNumbers", createPointer(rowNumbers, 0));
  if (takes("count")) {
    // The end of all segments, whose number is known.
    int64_t segments = 1;
    for (int64_t dim : getIndexType(match).getSegmentDims())
      segments *= getIndexType(match).getExtents()[dim];
    bind("count", createPointer(offsets, segments));
  }
  if (takes("offsets"))
    bind("offsets", createPointer(offsets, 0));
  auto bindScratch = [&](StringRef name, Value buffer) {
    bind(name, createPointer(buffer, 0));
    scratch.push_back(buffer);
  };
  if (takes("bitmap"))
    // Behind the bits is a zero, from which blocks draw their tiles.
    bindScratch("bitmap", shared.liveOfA
                              ? *shared.liveOfA
                              : createBits(b, match.detection, /*along=*/1,
                                           /*behind=*/1));
  // Both kernels' counters are behind the flags, so that nothing is cleared
  // between the two launches.
  if (kernel.signaledSegments)
    *shared.flags = createZeros(kNumFlags + 2);
  if (takes("counter") && takes("flags"))
    bind("counter",
         createPointer(*shared.flags,
                       kNumFlags + (kernel.signaledSegments ? 0 : 1)));
  else if (takes("counter"))
    bindScratch("counter", createZeros(1));
  if (takes("flags")) {
    markSignaled(prefix + "flags");
    bind("flags", createPointer(*shared.flags, 0));
    // The last to use them frees them.
    if (kernel.awaitedSegments)
      scratch.push_back(*shared.flags);
  }
  if (takes("arrived"))
    bind("arrived", createPointer(AwaitPiecesOp(match.pieces).getArrived(), 0));
  if (takes("liveBits")) {
    *shared.liveOfOutput = createLiveBits();
    bind("liveBits", createPointer(*shared.liveOfOutput, 0));
  }
  if (kernel.packed) {
    packed = createPackedBuffers(b, match, kernel);
    bindScratch("counts", packed.counts);
    bindScratch("coords", packed.coords);
    bindScratch("values", packed.values);
  }
  if (takes("mask"))
    bind("mask", createPointer(DetectIntoOp(match.detection).getBy(), 0));
}

void LaunchBuilder::bindExtents() {
  SmallVector<std::pair<StringRef, Value>> extents{
      {"m", m}, {"n", getNumColumns()}, {"k", k}};
  auto addStride = [&](StringRef name, const Matrix &matrix) {
    if (takes(name))
      extents.emplace_back(name, getValueOrCreateConstantIndexOp(
                                     b, b.getLoc(), getStride(matrix)));
  };
  addStride("strideA", match.a);
  addStride("strideB", match.b);
  addStride("strideC", match.c);
  for (auto [name, extent] : extents)
    bind(name, i32(extent));
  if (takes("segmentStrideC")) {
    OpFoldResult stride = getSegmentStride(match.c);
    Value elements;
    if (auto known = getConstantIntValue(stride))
      elements = arith::ConstantIntOp::create(b, *known, 64);
    else
      elements =
          arith::IndexCastOp::create(b, b.getI64Type(), cast<Value>(stride));
    bind("segmentStrideC", elements);
  }
  if (takes("numSegments"))
    bind("numSegments", i32(numSegments));
  if (takes("rowsOfPiece")) {
    AwaitPiecesOp pieces = match.pieces;
    Value rows = getValueOrCreateConstantIndexOp(
        b, b.getLoc(), getBufferExtent(pieces.getSource(), 0));
    bind("rowsOfPiece",
         i32(arith::DivUIOp::create(b, rows, constant(kernel.awaitedPieces))));
    bind("ownPiece", i32(pieces.getOwn()));
  }
  if (takes("numBatches"))
    bind("numBatches", i32(numBatches));
  if (takes("wordsOfStrip"))
    bind("wordsOfStrip", i32(constant(getWordsOfStrip())));
  if (takes("partsOfStrip"))
    bind("partsOfStrip", i32(constant(packed.partsOfStrip)));
}

void LaunchBuilder::bindEpilogue(const ContractionMatch &part,
                                 const Twine &prefix) {
  for (auto [i, operand] : llvm::enumerate(part.epilogueBuffers))
    arguments.bind(prefix + getOperandName(i),
                   createPointer(operand.first, operand.second));
}

/// Each part but the first has its B, its output and its epilogue's operands.
void LaunchBuilder::bindParts() {
  for (auto [i, part] : llvm::enumerate(others)) {
    std::string ofPart = prefix + getPrefixOfPart(i + 1);
    bindMapOfB(ofPart + "tensorMapB", part->b);
    bindOutput(ofPart, part->c);
    bindEpilogue(*part, ofPart);
  }
}

Value mlir::pit::hopper::bindDenseArguments(const ContractionMatch &match,
                                            const ContractionKernel &dense,
                                            LaunchArguments &arguments,
                                            StringRef prefix) {
  ContractionMatch nothingSkipped = withNothingSkipped(match);
  return LaunchBuilder(&nothingSkipped, dense, arguments, prefix).bindAll();
}

LogicalResult LaunchBuilder::run(SymbolRefAttr symbol, int64_t maxBlocks,
                                 bool freeBuffers, SharedBuffers buffers) {
  shared = buffers;
  Value most = bindAll();
  if (kernel.dense)
    most = arith::MaxUIOp::create(
        b, most,
        bindDenseArguments(match, *kernel.dense, arguments, kDensePrefix));
  SmallVector<const ContractionMatch *> matches{&match};
  llvm::append_range(matches, others);
  for (auto [i, few] : llvm::enumerate(getVariantsOfFewRows(kernel)))
    most = arith::MaxUIOp::create(
        b, most,
        LaunchBuilder(matches, *few, arguments, getPrefixOfFew(i)).bindAll());
  FailureOr<SmallVector<Value>> values = arguments.finish();
  if (failed(values))
    return failure();
  // Nothing to do is also one block. How many clusters run at a time is not
  // known, so that none of them waits for work.
  Value blocks = arith::MaxUIOp::create(
      b, arith::MinUIOp::create(b, most, constant(maxBlocks)), constant(1));
  if (kernel.splitsK > 1)
    blocks = arith::MulIOp::create(b, tiles, constant(kernel.splitsK));

  Value one = constant(1);
  Value memory = arith::ConstantIntOp::create(b, kernel.getSharedBytes(), 32);
  for (int64_t number : signaled)
    (*values)[number] = SignaledOp::create(b, (*values)[number]);
  gpu::LaunchFuncOp::create(
      b, symbol, getGridOfVersion(b, match, blocks),
      gpu::KernelDim3{constant(kernel.getNumThreads()), one, one}, memory,
      *values);
  if (freeBuffers)
    for (Value buffer : scratch)
      memref::DeallocOp::create(b, buffer);
  return success();
}

LogicalResult mlir::pit::hopper::createLaunch(
    ArrayRef<const ContractionMatch *> matches, const ContractionKernel &kernel,
    const KernelSignature &signature, SymbolRefAttr symbol, int64_t maxBlocks,
    bool freeBuffers, SharedBuffers shared) {
  LaunchArguments arguments(signature, matches.back()->ops.back()->getLoc(),
                            symbol.getLeafReference());
  return LaunchBuilder(matches, kernel, arguments, "")
      .run(symbol, maxBlocks, freeBuffers, shared);
}
