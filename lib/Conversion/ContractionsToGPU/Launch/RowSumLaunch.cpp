//===- RowSumLaunch.cpp - Row-piece SpMM: the host's side -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowSumLaunch.h"
#include "Conversion/ContractionsToGPU/Plan/ContractionSignature.h"
#include "GPU/Host/Buffers.h"
#include "Launch.h"
#include "StripBuffers.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

namespace {

/// Makes the arguments of a launch, in front of the match's last op.
class RowSumLaunch {
public:
  RowSumLaunch(const ContractionMatch &match)
      : match(match), b(match.ops.back()->getLoc(), match.ops.back()) {}

  LogicalResult run(const RowSumKernel &kernel,
                    const KernelSignature &signature, SymbolRefAttr symbol,
                    int64_t maxBlocks, bool freeBuffers);

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
  OpFoldResult offset = getOffset(b, matrix.buffer, matrix.offset);
  Value view = memref::ReinterpretCastOp::create(
      b, viewType, matrix.buffer, offset,
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

LogicalResult RowSumLaunch::run(const RowSumKernel &kernel,
                                const KernelSignature &signature,
                                SymbolRefAttr symbol, int64_t maxBlocks,
                                bool freeBuffers) {
  LaunchArguments arguments(signature, b.getLoc(), symbol.getLeafReference());
  // Words of 32 rows each, for every piece of k.
  Value bitmap = createBits(b, match.detection, /*along=*/0, /*behind=*/0);
  Value m = getRows();
  arguments.bind("baseA", createPointer(b, match.a.buffer, match.a.offset));
  arguments.bind("tensorMapB", createMapOfB());
  arguments.bind("baseC", createPointer(b, match.c.buffer, match.c.offset));
  arguments.bind("bitmap", createPointer(b, bitmap, 0));
  Value words = b.createOrFold<arith::CeilDivUIOp>(m, constant(32));
  std::pair<StringRef, Value> extents[] = {
      {"m", m},
      {"n", constant(match.n)},
      {"k", constant(match.k)},
      {"strideA", constant(match.a.stride)},
      {"strideC", constant(match.c.stride)},
      {"wordsOfPiece", words}};
  for (auto [name, extent] : extents)
    arguments.bind(name, arith::IndexCastOp::create(b, b.getI32Type(), extent));
  Value tiles = arith::MulIOp::create(
      b,
      arith::CeilDivUIOp::create(b, m, constant(RowSumKernel::kTileRows))
          .getResult(),
      constant(match.n / RowSumKernel::kTileColumns));
  if (kernel.dense)
    tiles = arith::MaxUIOp::create(
        b, tiles,
        bindDenseArguments(match, *kernel.dense, arguments, kDensePrefix));
  FailureOr<SmallVector<Value>> values = arguments.finish();
  if (failed(values))
    return failure();
  // Nothing to do is also one block.
  Value blocks = arith::MaxUIOp::create(
      b, arith::MinUIOp::create(b, tiles, constant(maxBlocks)), constant(1));
  Value one = constant(1);
  Value shared = arith::ConstantIntOp::create(b, kernel.getSharedBytes(), 32);
  gpu::LaunchFuncOp::create(
      b, symbol, gpu::KernelDim3{blocks, one, one},
      gpu::KernelDim3{constant(RowSumKernel::kThreads), one, one}, shared,
      *values);
  if (freeBuffers)
    memref::DeallocOp::create(b, bitmap);
  return success();
}

LogicalResult mlir::pit::hopper::createRowSumLaunch(
    const ContractionMatch &match, const RowSumKernel &kernel,
    const KernelSignature &signature, SymbolRefAttr symbol, int64_t maxBlocks,
    bool freeBuffers) {
  return RowSumLaunch(match).run(kernel, signature, symbol, maxBlocks,
                                 freeBuffers);
}
