//===- Launch.cpp - The host's side of a contraction kernel ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "PackedBuffers.h"
#include "Staging.h"
#include "StripBuffers.h"

#include "PIT/Dialect/PIT/IR/PITBitmap.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// Elements in 128 bytes, to which boxes are as wide.
static constexpr int64_t kPanel = 64;

static pit::SparseIndexType getIndexType(const ContractionMatch &match) {
  return cast<pit::IndexBufferType>(match.index.getType()).getIndex();
}

/// Whether the epilogue accesses something through the list.
static bool readsListedRows(const ContractionKernel &kernel) {
  return kernel.epilogue && llvm::any_of(kernel.epilogue->operands,
                                         [](const EpilogueOperand &operand) {
                                           return operand.rowStride &&
                                                  operand.isListed;
                                         });
}

/// As many stages as fit.
static void chooseStages(ContractionKernel &kernel) {
  constexpr int64_t kSharedBytes = 227 << 10, kMostStages = 8;
  for (kernel.stages = kMostStages; kernel.getSharedBytes() > kSharedBytes;)
    --kernel.stages;
}

static void describeBlocks(const ContractionMatch &match,
                           ContractionKernel &kernel) {
  kernel.blocks = match.blocks;
  kernel.swapped = kernel.storesBoxes = true;
  kernel.tileM = match.blocks->rows * match.stripsOfTile;
  chooseStages(kernel);
}

/// The more columns, the longer are the rows of B that the copy engine brings
/// one by one; but half of the multiprocessors shall have a tile.
static void describePacked(const ContractionMatch &match,
                           int64_t numMultiprocessors,
                           ContractionKernel &kernel) {
  constexpr int64_t kMostColumns = 1024, kMostSums = 32 * 1024,
                    kGoodColumns = 256, kLeastColumns = 128;
  kernel.packed = match.packed;
  kernel.swapped = kernel.storesBoxes = true;
  kernel.tileM = match.packed->rows;
  kernel.tileN = std::min(kMostColumns, kMostSums / kernel.tileM);
  auto countTiles = [&] {
    return llvm::divideCeil(match.m, kernel.tileM) *
           llvm::divideCeil(match.n, kernel.tileN);
  };
  while (kernel.tileN > kLeastColumns && kernel.tileN / 2 >= match.n)
    kernel.tileN /= 2;
  while (kernel.tileN > kGoodColumns && !ShapedType::isDynamic(match.m) &&
         2 * countTiles() <= uint64_t(numMultiprocessors))
    kernel.tileN /= 2;
  chooseStages(kernel);
}

ContractionKernel
mlir::pit::hopper::describeKernel(const ContractionMatch &match,
                                  int64_t numMultiprocessors) {
  ContractionKernel kernel;
  kernel.inputType = getElementTypeOrSelf(match.a.buffer);
  kernel.outputType = getElementTypeOrSelf(match.c.buffer);
  kernel.layoutA = match.layoutA;
  kernel.layoutB = match.layoutB;
  kernel.panelsOfB =
      match.layoutB == SharedLayout::MNMajor && match.n % kPanel == 0;
  if (match.blocks)
    describeBlocks(match, kernel);
  else if (match.packed)
    describePacked(match, numMultiprocessors, kernel);
  else if (!match.index)
    chooseTiles(match, numMultiprocessors, kernel);
  kernel.tailM = ShapedType::isDynamic(match.m) || match.m % kernel.tileM != 0;
  kernel.products = match.b2 ? 2 : 1;
  kernel.epilogue = match.epilogue;
  kernel.tailN = match.n % kernel.getTileColumns() != 0;
  kernel.tailK = match.k % kernel.tileK != 0;
  kernel.gathersA = match.gathersA;
  kernel.scattersC = match.scattersC;
  kernel.gathersK = match.gathersK;
  // With a count on the device, what is behind it stays as it is.
  if (match.hasShortSegments && match.layoutA == SharedLayout::KMajor &&
      !kernel.outputType.isF32()) {
    kernel.swapped = true;
    kernel.tileM = 160;
  }
  kernel.swapsTails = match.segmented && !kernel.swapped &&
                      match.layoutA == SharedLayout::KMajor &&
                      !kernel.outputType.isF32();
  if (!match.blocks && !match.packed)
    kernel.storesBoxes = !kernel.swapped && !kernel.outputType.isF32() &&
                         !kernel.scattersC &&
                         (!match.index || match.segmented || match.gathersK);
  kernel.segmented = match.segmented;
  kernel.drawsTiles = match.drawsTiles;
  kernel.segmentsC = match.c.segmentAxis.has_value();
  if (match.index && !match.segmented)
    kernel.countType = IntegerType::get(match.index.getContext(), 64);
  if (kernel.gathersA || kernel.scattersC || kernel.gathersK ||
      readsListedRows(kernel))
    kernel.rowNumberType = IntegerType::get(match.index.getContext(),
                                            getIndexType(match).getWidth());
  return kernel;
}

namespace {

class LaunchBuilder {
public:
  LaunchBuilder(const ContractionMatch &match, const ContractionKernel &kernel)
      : match(match), kernel(kernel),
        b(match.ops.back()->getLoc(), match.ops.back()) {}

  void run(SymbolRefAttr symbol, int64_t maxBlocks, bool freeBuffers);

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value i32(Value value) {
    return arith::IndexCastOp::create(b, b.getI32Type(), value);
  }
  OpFoldResult getExtent(const Matrix &matrix, unsigned axis);
  OpFoldResult getBufferExtent(Value buffer, unsigned axis);
  Value createView(const Matrix &matrix, SmallVector<int64_t> shape,
                   SmallVector<OpFoldResult> sizes,
                   SmallVector<int64_t> strides);
  Value createTensorMap(const Matrix &matrix, int64_t boxInner,
                        int64_t boxOuter);
  Value createPanelMap(const Matrix &matrix, int64_t columns, int64_t rows);
  Value createDescriptor(Value view, ArrayRef<int64_t> box);
  Value createOperandMap(const Matrix &matrix, SharedLayout layout,
                         int64_t tile, bool asPanels);
  Value createPointer(Value buffer, int64_t element);
  int64_t getWordsOfStrip() const {
    return llvm::divideCeil(llvm::divideCeil(match.k, match.blocks->depth), 32);
  }
  Value createCounter();
  Value createBitmap();
  std::pair<Value, Value> createLists();

  const ContractionMatch &match;
  const ContractionKernel &kernel;
  ImplicitLocOpBuilder b;
};

} // namespace

OpFoldResult LaunchBuilder::getExtent(const Matrix &matrix, unsigned axis) {
  return getBufferExtent(matrix.buffer, matrix.axes[axis]);
}

OpFoldResult LaunchBuilder::getBufferExtent(Value buffer, unsigned axis) {
  auto type = cast<MemRefType>(buffer.getType());
  if (!type.isDynamicDim(axis))
    return b.getIndexAttr(type.getDimSize(axis));
  return memref::DimOp::create(b, buffer, int64_t(axis)).getResult();
}

Value LaunchBuilder::createDescriptor(Value view, ArrayRef<int64_t> box) {
  auto viewType = cast<MemRefType>(view.getType());
  Type element = viewType.getElementType();
  Value unranked = memref::CastOp::create(
      b, UnrankedMemRefType::get(element, viewType.getMemorySpace()), view);
  auto space =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  auto tile = MemRefType::get(box, element, MemRefLayoutAttrInterface(), space);
  auto type = nvgpu::TensorMapDescriptorType::get(
      b.getContext(), tile, nvgpu::TensorMapSwizzleKind::SWIZZLE_128B,
      nvgpu::TensorMapL2PromoKind::L2PROMO_256B,
      nvgpu::TensorMapOOBKind::OOB_ZERO,
      nvgpu::TensorMapInterleaveKind::INTERLEAVE_NONE);
  SmallVector<Value> sizes;
  for (int64_t size : box)
    sizes.push_back(constant(size));
  return nvgpu::TmaCreateDescriptorOp::create(b, type, unranked, sizes);
}

/// The matrix as these axes, after that of the segments if there is one.
Value LaunchBuilder::createView(const Matrix &matrix,
                                SmallVector<int64_t> shape,
                                SmallVector<OpFoldResult> sizes,
                                SmallVector<int64_t> strides) {
  auto type = cast<MemRefType>(matrix.buffer.getType());
  if (matrix.segmentAxis) {
    shape.insert(shape.begin(), type.getDimSize(*matrix.segmentAxis));
    sizes.insert(sizes.begin(),
                 getBufferExtent(matrix.buffer, *matrix.segmentAxis));
    strides.insert(strides.begin(), matrix.segmentStride);
  }
  auto viewType = MemRefType::get(
      shape, type.getElementType(),
      StridedLayoutAttr::get(b.getContext(), matrix.offset, strides));
  return memref::ReinterpretCastOp::create(
      b, viewType, matrix.buffer, b.getIndexAttr(matrix.offset), sizes,
      getAsIndexOpFoldResult(b.getContext(), strides));
}

static SmallVector<int64_t> getBox(const Matrix &matrix,
                                   SmallVector<int64_t> box) {
  if (matrix.segmentAxis)
    box.insert(box.begin(), 1);
  return box;
}

/// The matrix with its contiguous axis last.
Value LaunchBuilder::createTensorMap(const Matrix &matrix, int64_t boxInner,
                                     int64_t boxOuter) {
  unsigned outer = 1 - matrix.innerAxis;
  Value view = createView(
      matrix, {matrix.getDimSize(outer), matrix.getDimSize(matrix.innerAxis)},
      {getExtent(matrix, outer), getExtent(matrix, matrix.innerAxis)},
      {matrix.stride, 1});
  return createDescriptor(view, getBox(matrix, {boxOuter, boxInner}));
}

/// The matrix as panels of 64 columns, with all rows of a panel together.
Value LaunchBuilder::createPanelMap(const Matrix &matrix, int64_t columns,
                                    int64_t rows) {
  unsigned outer = 1 - matrix.innerAxis;
  int64_t panels = matrix.getDimSize(matrix.innerAxis) / kPanel;
  Value view = createView(matrix, {panels, matrix.getDimSize(outer), kPanel},
                          {b.getIndexAttr(panels), getExtent(matrix, outer),
                           b.getIndexAttr(kPanel)},
                          {kPanel, matrix.stride, 1});
  return createDescriptor(view,
                          getBox(matrix, {columns / kPanel, rows, kPanel}));
}

Value LaunchBuilder::createOperandMap(const Matrix &matrix, SharedLayout layout,
                                      int64_t tile, bool asPanels) {
  if (asPanels)
    return createPanelMap(matrix, tile, kernel.packed ? 1 : kernel.tileK);
  if (layout == SharedLayout::KMajor)
    return createTensorMap(matrix, kernel.tileK, tile);
  return createTensorMap(matrix, kPanel, kernel.tileK);
}

/// The address of an element, as a buffer of rank 0.
Value LaunchBuilder::createPointer(Value buffer, int64_t element) {
  auto type = cast<MemRefType>(buffer.getType());
  auto layout = StridedLayoutAttr::get(b.getContext(), element, {});
  return memref::ReinterpretCastOp::create(
      b, MemRefType::get({}, type.getElementType(), layout), buffer,
      b.getIndexAttr(element), ArrayRef<OpFoldResult>{},
      ArrayRef<OpFoldResult>{});
}

/// A word that is zero when the kernel starts. It belongs to this call alone,
/// and each launch clears it anew: calls on several streams do not share it, a
/// graph replays the clearing, and nothing is left over from a launch that was
/// aborted.
Value LaunchBuilder::createCounter() {
  Value counter =
      memref::AllocOp::create(b, MemRefType::get({1}, b.getI32Type()));
  Value zero = arith::ConstantIntOp::create(b, 0, 32);
  linalg::FillOp::create(b, ValueRange(zero), ValueRange(counter));
  return counter;
}

/// The words of a detection beside that of the lists, and one that it sets to
/// zero, from which blocks draw their tiles.
Value LaunchBuilder::createBitmap() {
  DetectIntoOp detection = match.detection;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(detection);
  SparseIndexType lists = detection.getIndexType();
  Value size = b.createOrFold<arith::MulIOp>(countStrips(b, detection),
                                             constant(getWordsOfStrip()));
  size = b.createOrFold<arith::AddIOp>(size, constant(1));
  Value bitmap = allocateBuffer(b, size, b.getI32Type());
  // Words go along k, whichever axis the lists go along.
  auto bits =
      SparseIndexType::get(b.getContext(), lists.getExtents(),
                           /*coordinate=*/1, lists.getTile(), lists.getWidth());
  DetectBitsIntoOp::create(
      b, detection.getSource(), detection.getBy(), detection.getExtents(),
      bitmap, detection.getPattern(), bits, detection.getRuleAttr());
  return bitmap;
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

void LaunchBuilder::run(SymbolRefAttr symbol, int64_t maxBlocks,
                        bool freeBuffers) {
  Value offsets, rowNumbers, m, k = constant(match.k);
  if (match.index)
    std::tie(offsets, rowNumbers) = createLists();
  if (kernel.gathersK)
    k = memref::DimOp::create(b, rowNumbers, 0);
  if (match.index && !kernel.gathersK)
    m = memref::DimOp::create(b, rowNumbers, 0);
  else
    m = getValueOrCreateConstantIndexOp(b, b.getLoc(), getExtent(match.c, 0));
  Value tilesM = arith::CeilDivUIOp::create(b, m, constant(kernel.tileM));
  Value numSegments;
  if (kernel.segmented) {
    Value ends = getValueOrCreateConstantIndexOp(b, b.getLoc(),
                                                 getBufferExtent(offsets, 0));
    numSegments = arith::SubIOp::create(b, ends, constant(1));
    // Each may end inside a tile.
    tilesM = arith::AddIOp::create(b, tilesM, numSegments);
  }
  Value tiles = arith::MulIOp::create(
      b, tilesM, constant(llvm::divideCeil(match.n, kernel.getTileColumns())));
  // Nothing to do is also one block. How many clusters run at a time is not
  // known, so that none of them waits for work.
  Value blocks = arith::MaxUIOp::create(
      b, arith::MinUIOp::create(b, tiles, constant(maxBlocks)), constant(1));
  if (kernel.splitsK > 1)
    blocks = arith::MulIOp::create(b, tiles, constant(kernel.splitsK));

  SmallVector<Value> arguments;
  if (kernel.gathersA || kernel.gathersK)
    arguments.push_back(createPointer(match.a.buffer, match.a.offset));
  else if (!kernel.packed)
    arguments.push_back(
        createOperandMap(match.a, match.layoutA,
                         kernel.blocks ? kernel.blocks->rows
                         : kernel.swapped && kernel.segmented
                             ? ContractionKernel::kSwappedBoxRows
                             : kernel.tileM,
                         /*asPanels=*/false));
  auto pushMapOfB = [&](const Matrix &matrix) {
    arguments.push_back(createOperandMap(
        matrix, match.layoutB, kernel.getTileColumns(), kernel.panelsOfB));
  };
  if (kernel.gathersK)
    arguments.push_back(createPointer(match.b.buffer, match.b.offset));
  else
    pushMapOfB(match.b);
  if (match.b2)
    pushMapOfB(*match.b2);
  if (kernel.storesBoxes)
    arguments.push_back(
        createTensorMap(match.c, Staging::kColumns, Staging::kRows));
  if (kernel.threadsStore())
    arguments.push_back(createPointer(match.c.buffer, match.c.offset));
  if (kernel.rowNumberType)
    arguments.push_back(createPointer(rowNumbers, 0));
  if (kernel.countType) {
    // The end of all segments, whose number is known.
    int64_t segments = 1;
    for (int64_t dim : getIndexType(match).getSegmentDims())
      segments *= getIndexType(match).getExtents()[dim];
    arguments.push_back(createPointer(offsets, segments));
  }
  if (kernel.segmented)
    arguments.push_back(createPointer(offsets, 0));
  Value bitmap;
  if (kernel.blocks) {
    bitmap = createBitmap();
    arguments.push_back(createPointer(bitmap, 0));
  }
  Value counter;
  if (kernel.drawsTiles) {
    counter = createCounter();
    arguments.push_back(createPointer(counter, 0));
  }
  PackedBuffers packed;
  if (kernel.packed) {
    packed = createPackedBuffers(b, match);
    for (Value list : {packed.counts, packed.coords, packed.values})
      arguments.push_back(createPointer(list, 0));
  }
  SmallVector<Value> extents{m, constant(match.n), k};
  if (kernel.gathersA || kernel.gathersK)
    extents.push_back(constant(match.a.stride));
  if (kernel.gathersK)
    extents.push_back(constant(match.b.stride));
  if (kernel.threadsStore())
    extents.push_back(constant(match.c.stride));
  for (Value extent : extents)
    arguments.push_back(i32(extent));
  if (kernel.segmentsC)
    arguments.push_back(
        arith::ConstantIntOp::create(b, match.c.segmentStride, 64));
  if (kernel.segmented)
    arguments.push_back(i32(numSegments));
  if (kernel.blocks)
    arguments.push_back(i32(constant(getWordsOfStrip())));
  if (kernel.packed)
    arguments.push_back(i32(constant(packed.partsOfStrip)));
  for (auto [buffer, first] : match.epilogueBuffers)
    arguments.push_back(createPointer(buffer, first));

  Value one = constant(1);
  Value shared = arith::ConstantIntOp::create(b, kernel.getSharedBytes(), 32);
  gpu::LaunchFuncOp::create(
      b, symbol, gpu::KernelDim3{blocks, one, one},
      gpu::KernelDim3{constant(kernel.getNumThreads()), one, one}, shared,
      arguments);
  if (counter && freeBuffers)
    memref::DeallocOp::create(b, counter);
  if (bitmap && freeBuffers)
    memref::DeallocOp::create(b, bitmap);
  if (kernel.packed && freeBuffers)
    for (Value list : {packed.counts, packed.coords, packed.values})
      memref::DeallocOp::create(b, list);
}

void mlir::pit::hopper::createLaunch(const ContractionMatch &match,
                                     const ContractionKernel &kernel,
                                     SymbolRefAttr symbol, int64_t maxBlocks,
                                     bool freeBuffers) {
  LaunchBuilder(match, kernel).run(symbol, maxBlocks, freeBuffers);
}
