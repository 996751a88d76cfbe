//===- ConvertPiecesToGPU.cpp - Kernels that wait for other ranks ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One warp, whose lanes look at a word each until it is set. What is launched
// behind it starts when it ends.
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"
#include "PIT/Dialect/PIT/IR/PITPieces.h"
#include "PIT/Support/Remarks.h"

#include "GPU/Host/KernelModule.h"
#include "GPU/Lists/RowAccess.h"
#include "GPU/Pipeline/ArrivingPieces.h"

namespace mlir::pit {
#define GEN_PASS_DEF_CONVERTPIECESTOGPU
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;
using mlir::pit::detect::HostMath;
using mlir::pit::detect::Kernel;

static constexpr int64_t kLanes = 32;

static void createWait(AwaitPiecesOp op, HostMath &host,
                       gpu::GPUModuleOp module, StringRef name) {
  Kernel b(module, op.getLoc(), name, kLanes);
  sums::Layout words(host, op.getArrived());
  Value own = b.number(op.getOwn());
  b.forLoop(b.threadId(), b.i32(op.getNumPieces()), b.i32(kLanes), {},
            [&](Value piece, ValueRange) {
              b.ifThen(b.compare(arith::CmpIPredicate::ne, piece, own), [&] {
                hopper::awaitWord(b, words.address(b, b.extend(piece)));
              });
              return SmallVector<Value>();
            });
  b.finish(host, host.constant(1));
}

namespace {

struct ConvertPiecesToGPUPass
    : pit::impl::ConvertPiecesToGPUBase<ConvertPiecesToGPUPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(convert(function)))
        return signalPassFailure();
  }

private:
  LogicalResult convert(func::FuncOp function);
};

} // namespace

LogicalResult ConvertPiecesToGPUPass::convert(func::FuncOp function) {
  SmallVector<AwaitPiecesOp> worklist;
  WalkResult walk = function.walk([&](AwaitPiecesOp op) -> WalkResult {
    if (failed(checkIsLaunched(function, op, op.isOnBuffers())))
      return WalkResult::interrupt();
    worklist.push_back(op);
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  if (worklist.empty())
    return success();
  FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
  if (failed(module))
    return failure();
  for (AwaitPiecesOp op : worklist) {
    HostMath host(op.getLoc(), op);
    remarks::kernel(op, "wait for other ranks");
    createWait(op, host, *module,
               makeKernelName(*module, function.getName(), "_pieces_"));
    op.erase();
    ++numWaits;
  }
  return success();
}
