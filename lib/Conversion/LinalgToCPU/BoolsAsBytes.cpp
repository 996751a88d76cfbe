//===- BoolsAsBytes.cpp - Truth values in memory as bytes -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An i1 in memory is a byte of 0 or 1. LLVM makes no vectors of loops that load
// or store i1, since a vector of them is packed in bits; of those that load or
// store bytes it does.
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITBOOLSASBYTES
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;

/// Whether others may see the access while it happens.
template <typename Access> static bool isPlain(Access access) {
  return !access.getVolatile_() &&
         access.getOrdering() == LLVM::AtomicOrdering::not_atomic;
}

static void loadByte(LLVM::LoadOp load) {
  OpBuilder builder(load);
  Type byte = builder.getI8Type();
  auto loaded = cast<LLVM::LoadOp>(builder.clone(*load));
  loaded.getResult().setType(byte);
  Value zero = LLVM::ConstantOp::create(builder, load.getLoc(), byte,
                                        builder.getI8IntegerAttr(0));
  Value isSet = LLVM::ICmpOp::create(builder, load.getLoc(),
                                     LLVM::ICmpPredicate::ne, loaded, zero);
  load.replaceAllUsesWith(isSet);
  load.erase();
}

static void storeByte(LLVM::StoreOp store) {
  OpBuilder builder(store);
  Value value = LLVM::ZExtOp::create(builder, store.getLoc(),
                                     builder.getI8Type(), store.getValue());
  store.getValueMutable().assign(value);
}

namespace {

struct PITBoolsAsBytesPass
    : pit::impl::PITBoolsAsBytesBase<PITBoolsAsBytesPass> {
  void runOnOperation() override {
    SmallVector<Operation *> accesses;
    getOperation().walk([&](Operation *op) {
      if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
        if (load.getType().isInteger(1) && isPlain(load))
          accesses.push_back(op);
      } else if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
        if (store.getValue().getType().isInteger(1) && isPlain(store))
          accesses.push_back(op);
      }
    });
    for (Operation *op : accesses) {
      if (auto load = dyn_cast<LLVM::LoadOp>(op))
        loadByte(load);
      else
        storeByte(cast<LLVM::StoreOp>(op));
    }
  }
};

} // namespace
