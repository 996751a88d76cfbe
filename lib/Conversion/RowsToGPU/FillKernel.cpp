//===- FillKernel.cpp - Large buffers of one constant ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FillKernel.h"

#include "GPU/Lists/RowAccess.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;
using mlir::pit::detect::HostMath;
using mlir::pit::detect::Kernel;

/// What threads store at a time, and bytes below which any kernel will do.
static constexpr int64_t kVectorBytes = 16, kLargeBytes = 1 << 20;

static int64_t getNumBytes(MemRefType type) {
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

bool mlir::pit::rows::isLargeFill(linalg::FillOp op) {
  auto type = dyn_cast<MemRefType>(op.output().getType());
  Operation *constant = op.value().getDefiningOp();
  if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity() ||
      type.getMemorySpace() || !type.getElementType().isIntOrFloat() ||
      op.value().getType() != type.getElementType() || !constant ||
      !constant->hasTrait<OpTrait::ConstantLike>())
    return false;
  return llvm::is_contained({8, 16, 32, 64}, type.getElementTypeBitWidth()) &&
         getNumBytes(type) >= kLargeBytes &&
         getNumBytes(type) % kVectorBytes == 0;
}

void mlir::pit::rows::createFillLaunch(linalg::FillOp op, HostMath &host,
                                       gpu::GPUModuleOp module, StringRef name,
                                       const ChipModel &chip) {
  constexpr int64_t kThreads = 256;
  // Twice as many as run at a time.
  const uint64_t mostBlocks = 2 * chip.getBlocksAtOnce(kThreads);
  sums::Layout layout(host, op.output());
  int64_t count =
      getNumBytes(cast<MemRefType>(op.output().getType())) / kVectorBytes;
  Kernel b(module, op.getLoc(), name, kThreads);
  Value constant = b.clone(*op.value().getDefiningOp())->getResult(0);
  SmallVector<Value> elements(kVectorBytes / layout.bytes, constant);
  Value base = layout.address(b, {});
  Value first =
      b.add(b.mul(b.extend(b.blockId()), kThreads), b.extend(b.threadId()));
  Value step = b.mul(b.extend(b.gridSize()), kThreads);
  b.forLoop(first, b.i64(count), step, {}, [&](Value i, ValueRange) {
    sums::storeElements(b, b.element(base, i, kVectorBytes), elements);
    return SmallVector<Value>();
  });
  b.finish(host, host.constant(
                     std::min(llvm::divideCeil(count, kThreads), mostBlocks)));
}
