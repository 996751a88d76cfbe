//===- Barriers.cpp - Barriers in shared memory ---------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

using namespace mlir;
using namespace mlir::pit::hopper;

void KernelBuilder::initBarrier(Value barrier, unsigned arrivals) {
  NVVM::MBarrierInitOp::create(*this, barrier, i32(arrivals), Value());
}
void KernelBuilder::fenceBarrierInit() {
  NVVM::FenceMbarrierInitOp::create(*this);
}
void KernelBuilder::waitBarrier(Value barrier, Value phase) {
  // How long the hardware may suspend the thread between two looks, in ns.
  constexpr int64_t kSuspend = 10000000;
  NVVM::MBarrierTryWaitParityOp::create(*this, barrier, phase, i32(kSuspend));
}
void KernelBuilder::arrive(Value barrier) {
  NVVM::MBarrierArriveOp::create(*this, getI64Type(), barrier, Value());
}
void KernelBuilder::arriveExpectingBytes(Value barrier, Value bytes) {
  NVVM::MBarrierArriveExpectTxOp::create(*this, Type(), barrier, bytes,
                                         NVVM::MemScopeKind::CTA,
                                         /*relaxed=*/false, Value());
}
void KernelBuilder::arriveAfterCopies(Value barrier) {
  // The barrier's count already includes this arrival.
  NVVM::CpAsyncMBarrierArriveOp::create(*this, barrier, /*noinc=*/true);
}
