//===- SpreadBlocks.cpp - Blocks of early launches on all of the card -----===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An empty card gets a launch's blocks one on each multiprocessor, then a
// second one on each. One on which the launch before still runs gets them as
// that one's blocks make way. 128 tiles of 32 x 32 of f32 that came behind a
// kernel of 512 blocks took 33, 44, 57 or 68 us on an H200, from launch to
// launch of one program, as two to five of them met on a multiprocessor; alone,
// they take 19.
//
//===----------------------------------------------------------------------===//

#include "PIT/Target/PTX/Passes.h"

#include "PIT/GPU/ChipModel.h"
#include "PIT/Selection/CardDatabase.h"
#include "PIT/Target/PTX/PTX.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITSPREADBLOCKS
#include "PIT/Target/PTX/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {
struct PITSpreadBlocks : pit::impl::PITSpreadBlocksBase<PITSpreadBlocks> {
  using PITSpreadBlocksBase::PITSpreadBlocksBase;

  LogicalResult initialize(MLIRContext *context) override {
    FailureOr<const ChipModel *> found = lookupChip(chip, context);
    if (failed(found))
      return failure();
    model = *found;
    FailureOr<Card> named = lookupTunedCard(*model, card, context);
    if (failed(named))
      return failure();
    multiprocessors = named->model ? named->model->multiprocessors : 0;
    return success();
  }
  void runOnOperation() override;
  bool spread(gpu::LaunchFuncOp launch) const;

private:
  const ChipModel *model = nullptr;
  int64_t multiprocessors = 0;
};
} // namespace

/// Of a launch that may start early.
static LLVM::LLVMFuncOp findEarlyKernel(gpu::LaunchFuncOp launch) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
      launch, launch.getKernelAttr());
  bool isEarly = kernel && kernel->hasAttr(kWaitsName) &&
                 !launch.hasClusterSize() &&
                 !kernel->hasAttr(NVVM::NVVMDialect::getClusterDimAttrName());
  return isEarly ? kernel : LLVM::LLVMFuncOp();
}

/// So much that one block more than a multiprocessor's share has no room. What
/// the kernel needs is more if it has room for fewer.
bool PITSpreadBlocks::spread(gpu::LaunchFuncOp launch) const {
  LLVM::LLVMFuncOp kernel = findEarlyKernel(launch);
  Value needed = launch.getDynamicSharedMemorySize();
  if (!kernel || !needed)
    return false;
  // More than that do not lack room, and have no share that matters.
  constexpr int64_t kMostBlocks = 4, kAlignment = 128;
  ImplicitLocOpBuilder b(launch.getLoc(), launch);
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  };
  Value blocks = launch.getGridSizeX();
  for (Value extent : {launch.getGridSizeY(), launch.getGridSizeZ()})
    blocks = b.createOrFold<arith::MulIOp>(blocks, extent);
  int64_t ofKernel =
      getStaticShared(kernel, cast<gpu::GPUModuleOp>(kernel->getParentOp()));
  std::optional<int64_t> known = getConstantIntValue(needed);
  Value bytes = needed;
  for (int64_t share = kMostBlocks; share > 0; --share) {
    int64_t tooMuch =
        llvm::alignTo(model->getSharedBytes(share + 1) + 1, kAlignment);
    int64_t spread = tooMuch - ofKernel;
    if (tooMuch > model->getSharedBytes(1) || spread <= known.value_or(0))
      continue;
    Value isShare = b.createOrFold<arith::CmpIOp>(
        arith::CmpIPredicate::ule, blocks, constant(share * multiprocessors));
    bytes = b.createOrFold<arith::SelectOp>(
        isShare,
        b.createOrFold<arith::MaxUIOp>(
            arith::ConstantIntOp::create(b, spread, 32), needed),
        bytes);
  }
  if (bytes == needed)
    return false;
  launch.getDynamicSharedMemorySizeMutable().assign(bytes);
  return true;
}

void PITSpreadBlocks::runOnOperation() {
  if (multiprocessors == 0)
    return;
  getOperation().walk(
      [&](gpu::LaunchFuncOp launch) { numSpread += spread(launch); });
}
