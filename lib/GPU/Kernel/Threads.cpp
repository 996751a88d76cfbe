//===- Threads.cpp - What threads of a block know of each other -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

using namespace mlir;
using namespace mlir::pit::hopper;

Value KernelBuilder::threadId() {
  return NVVM::ThreadIdXOp::create(*this, getI32Type());
}
Value KernelBuilder::blockId() {
  return NVVM::BlockIdXOp::create(*this, getI32Type());
}
Value KernelBuilder::gridSize() {
  return NVVM::GridDimXOp::create(*this, getI32Type());
}
Value KernelBuilder::broadcastFirstLane(Value value) {
  return NVVM::ShflOp::create(*this, value.getType(), i32(-1), value, i32(0),
                              i32(31), NVVM::ShflKind::idx, UnitAttr());
}
Value KernelBuilder::readLane(Value value, Value lane) {
  return NVVM::ShflOp::create(*this, value.getType(), i32(-1), value, lane,
                              i32(31), NVVM::ShflKind::idx, UnitAttr());
}
Value KernelBuilder::sumOfLanesBefore(Value value, Value lane) {
  for (int64_t distance = 1; distance < 32; distance *= 2) {
    Value below = NVVM::ShflOp::create(*this, value.getType(), i32(-1), value,
                                       i32(distance), i32(0),
                                       NVVM::ShflKind::up, UnitAttr());
    value = select(isLess(lane, i32(distance)), value, add(value, below));
  }
  return value;
}
Value KernelBuilder::unionOfLanes(Value bits) {
  return NVVM::ReduxOp::create(*this, getI32Type(), bits, NVVM::ReduxKind::OR,
                               i32(-1));
}
Value KernelBuilder::countLanes(Value condition) {
  Value lanes = NVVM::VoteSyncOp::create(*this, getI32Type(), i32(-1),
                                         condition, NVVM::VoteSyncKind::ballot);
  return LLVM::CtPopOp::create(*this, lanes);
}
void KernelBuilder::syncBlock() { NVVM::BarrierOp::create(*this); }
void KernelBuilder::syncWarp() { NVVM::SyncWarpOp::create(*this, i32(-1)); }
void KernelBuilder::syncWarpgroup(Value number) {
  NVVM::BarrierOp::create(*this, Type(), number, i32(128),
                          NVVM::BarrierReductionAttr(), Value());
}
void KernelBuilder::setMaxRegisters(unsigned count, bool increase) {
  NVVM::SetMaxRegisterOp::create(*this, count,
                                 increase
                                     ? NVVM::SetMaxRegisterAction::increase
                                     : NVVM::SetMaxRegisterAction::decrease);
}
