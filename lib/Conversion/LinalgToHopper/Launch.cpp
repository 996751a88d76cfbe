//===- Launch.cpp - The host's side of a contraction kernel ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "Staging.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using namespace mlir::pit::hopper;

/// Elements in 128 bytes, to which boxes are as wide.
static constexpr int64_t kPanel = 64;

static pit::SparseIndexType getIndexType(const ContractionMatch &match) {
  return cast<pit::IndexBufferType>(match.index.getType()).getIndex();
}

ContractionKernel
mlir::pit::hopper::describeKernel(const ContractionMatch &match) {
  ContractionKernel kernel;
  kernel.inputType = getElementTypeOrSelf(match.a.buffer);
  kernel.outputType = getElementTypeOrSelf(match.c.buffer);
  kernel.layoutA = match.layoutA;
  kernel.layoutB = match.layoutB;
  kernel.panelsOfB =
      match.layoutB == SharedLayout::MNMajor && match.n % kPanel == 0;
  kernel.tailM = ShapedType::isDynamic(match.m) || match.m % kernel.tileM != 0;
  kernel.tailN = match.n % kernel.tileN != 0;
  kernel.tailK = match.k % kernel.tileK != 0;
  kernel.gathersA = match.gathersA;
  kernel.scattersC = match.scattersC;
  // With a count on the device, what is behind it stays as it is.
  kernel.storesBoxes = !match.index && !kernel.outputType.isF32();
  if (match.index) {
    kernel.countType = IntegerType::get(match.index.getContext(), 64);
    if (kernel.gathersA || kernel.scattersC)
      kernel.rowNumberType = IntegerType::get(match.index.getContext(),
                                              getIndexType(match).getWidth());
  }
  return kernel;
}

namespace {

class LaunchBuilder {
public:
  LaunchBuilder(const ContractionMatch &match, const ContractionKernel &kernel)
      : match(match), kernel(kernel),
        b(match.ops.back()->getLoc(), match.ops.back()) {}

  void run(SymbolRefAttr symbol, int64_t maxBlocks);

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value i32(Value value) {
    return arith::IndexCastOp::create(b, b.getI32Type(), value);
  }
  OpFoldResult getExtent(const Matrix &matrix, unsigned axis);
  Value createTensorMap(const Matrix &matrix, int64_t boxInner,
                        int64_t boxOuter);
  Value createPanelMap(const Matrix &matrix, int64_t columns);
  Value createDescriptor(Value view, ArrayRef<int64_t> box);
  Value createOperandMap(const Matrix &matrix, SharedLayout layout,
                         int64_t tile, bool asPanels);
  Value createPointer(Value buffer, int64_t element);
  std::pair<Value, Value> createLists();

  const ContractionMatch &match;
  const ContractionKernel &kernel;
  ImplicitLocOpBuilder b;
};

} // namespace

OpFoldResult LaunchBuilder::getExtent(const Matrix &matrix, unsigned axis) {
  auto type = cast<MemRefType>(matrix.buffer.getType());
  if (!type.isDynamicDim(axis))
    return b.getIndexAttr(type.getDimSize(axis));
  return memref::DimOp::create(b, matrix.buffer, int64_t(axis)).getResult();
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

/// The matrix with its contiguous axis last.
Value LaunchBuilder::createTensorMap(const Matrix &matrix, int64_t boxInner,
                                     int64_t boxOuter) {
  auto type = cast<MemRefType>(matrix.buffer.getType());
  unsigned outer = 1 - matrix.innerAxis;
  SmallVector<int64_t> shape{type.getDimSize(outer),
                             type.getDimSize(matrix.innerAxis)};
  auto viewType =
      MemRefType::get(shape, type.getElementType(),
                      StridedLayoutAttr::get(b.getContext(), matrix.offset,
                                             {matrix.stride, 1}));
  SmallVector<OpFoldResult> sizes{getExtent(matrix, outer),
                                  getExtent(matrix, matrix.innerAxis)};
  Value view = memref::ReinterpretCastOp::create(
      b, viewType, matrix.buffer, b.getIndexAttr(matrix.offset), sizes,
      {b.getIndexAttr(matrix.stride), b.getIndexAttr(1)});
  return createDescriptor(view, {boxOuter, boxInner});
}

/// The matrix as panels of 64 columns, with all rows of a panel together.
Value LaunchBuilder::createPanelMap(const Matrix &matrix, int64_t columns) {
  auto type = cast<MemRefType>(matrix.buffer.getType());
  unsigned outer = 1 - matrix.innerAxis;
  int64_t panels = type.getDimSize(matrix.innerAxis) / kPanel;
  auto viewType = MemRefType::get(
      {panels, type.getDimSize(outer), kPanel}, type.getElementType(),
      StridedLayoutAttr::get(b.getContext(), matrix.offset,
                             {kPanel, matrix.stride, 1}));
  SmallVector<OpFoldResult> sizes{
      b.getIndexAttr(panels), getExtent(matrix, outer), b.getIndexAttr(kPanel)};
  Value view = memref::ReinterpretCastOp::create(
      b, viewType, matrix.buffer, b.getIndexAttr(matrix.offset), sizes,
      {b.getIndexAttr(kPanel), b.getIndexAttr(matrix.stride),
       b.getIndexAttr(1)});
  return createDescriptor(view, {columns / kPanel, kernel.tileK, kPanel});
}

Value LaunchBuilder::createOperandMap(const Matrix &matrix, SharedLayout layout,
                                      int64_t tile, bool asPanels) {
  if (asPanels)
    return createPanelMap(matrix, tile);
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

void LaunchBuilder::run(SymbolRefAttr symbol, int64_t maxBlocks) {
  Value offsets, rowNumbers, m;
  if (match.index) {
    std::tie(offsets, rowNumbers) = createLists();
    m = memref::DimOp::create(b, rowNumbers, 0);
  } else {
    m = getValueOrCreateConstantIndexOp(b, b.getLoc(), getExtent(match.c, 0));
  }
  Value tiles = arith::MulIOp::create(
      b, arith::CeilDivUIOp::create(b, m, constant(kernel.tileM)),
      constant(llvm::divideCeil(match.n, kernel.tileN)));
  // Nothing to do is also one block.
  Value blocks = arith::MaxUIOp::create(
      b, arith::MinUIOp::create(b, tiles, constant(maxBlocks)), constant(1));

  SmallVector<Value> arguments;
  if (kernel.gathersA)
    arguments.push_back(createPointer(match.a.buffer, match.a.offset));
  else
    arguments.push_back(createOperandMap(match.a, match.layoutA, kernel.tileM,
                                         /*asPanels=*/false));
  arguments.push_back(
      createOperandMap(match.b, match.layoutB, kernel.tileN, kernel.panelsOfB));
  if (kernel.storesBoxes)
    arguments.push_back(
        createTensorMap(match.c, Staging::kColumns, Staging::kRows));
  else
    arguments.push_back(createPointer(match.c.buffer, match.c.offset));
  if (kernel.rowNumberType)
    arguments.push_back(createPointer(rowNumbers, 0));
  if (kernel.countType) {
    // The end of the one segment.
    arguments.push_back(createPointer(offsets, 1));
  }
  SmallVector<Value> extents{m, constant(match.n), constant(match.k)};
  if (kernel.gathersA)
    extents.push_back(constant(match.a.stride));
  if (!kernel.storesBoxes)
    extents.push_back(constant(match.c.stride));
  for (Value extent : extents)
    arguments.push_back(i32(extent));

  Value one = constant(1);
  Value shared = arith::ConstantIntOp::create(b, kernel.getSharedBytes(), 32);
  gpu::LaunchFuncOp::create(
      b, symbol, gpu::KernelDim3{blocks, one, one},
      gpu::KernelDim3{constant(kernel.getNumThreads()), one, one}, shared,
      arguments);
}

void mlir::pit::hopper::createLaunch(const ContractionMatch &match,
                                     const ContractionKernel &kernel,
                                     SymbolRefAttr symbol, int64_t maxBlocks) {
  LaunchBuilder(match, kernel).run(symbol, maxBlocks);
}
