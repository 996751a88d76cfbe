//===- CallBuilder.cpp - Building calls of the runtime --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pit;

int32_t mlir::pit::getTensorMapDType(Type type) {
  return type.isTF32() ? 32 : getRuntimeDType(type);
}

int64_t mlir::pit::getElementBytes(Type type) {
  if (type.isIndex())
    return 8;
  return type.isIntOrFloat()
             ? int64_t(llvm::divideCeil(type.getIntOrFloatBitWidth(), 8u))
             : 0;
}

Type RuntimeCalls::pointerType() const {
  return LLVM::LLVMPointerType::get(builder.getContext());
}

Value RuntimeCalls::call(StringRef name, ValueRange operands, Type result) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    Type type = result ? result : LLVM::LLVMVoidType::get(builder.getContext());
    function = LLVM::LLVMFuncOp::create(
        builder, name,
        LLVM::LLVMFunctionType::get(type,
                                    llvm::to_vector(operands.getTypes())));
  }
  auto call = LLVM::CallOp::create(builder, function, operands);
  return result ? call.getResult() : Value();
}

Value RuntimeCalls::i32(int64_t value) {
  return LLVM::ConstantOp::create(builder, builder.getI32Type(),
                                  builder.getI32IntegerAttr(int32_t(value)));
}

Value RuntimeCalls::i64(int64_t value) {
  return LLVM::ConstantOp::create(builder, builder.getI64Type(),
                                  builder.getI64IntegerAttr(value));
}

Value RuntimeCalls::null() {
  return LLVM::ZeroOp::create(builder, pointerType());
}

Value RuntimeCalls::address(LLVM::GlobalOp global) {
  return LLVM::AddressOfOp::create(builder, global);
}

Value RuntimeCalls::allocate(Type element, int64_t count, unsigned alignment) {
  OpBuilder::InsertionGuard guard(builder);
  // A loop would take more of the stack with each iteration.
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  if (!isa<func::FuncOp>(parent))
    if (auto function = parent->getParentOfType<func::FuncOp>())
      builder.setInsertionPointToStart(&function.getBody().front());
  return LLVM::AllocaOp::create(builder, pointerType(), element, i64(count),
                                alignment);
}

Value RuntimeCalls::element(Value array, Type type, int64_t index) {
  if (index == 0)
    return array;
  return LLVM::GEPOp::create(builder, pointerType(), type, array,
                             ArrayRef<LLVM::GEPArg>{int32_t(index)});
}

Value RuntimeCalls::toI64(Value index) {
  return arith::IndexCastOp::create(builder, builder.getI64Type(), index);
}

Value RuntimeCalls::toIndex(Value i64) {
  return arith::IndexCastOp::create(builder, builder.getIndexType(), i64);
}

void RuntimeCalls::store(Value value, Value array, int64_t index) {
  if (value.getType().isIndex())
    value = toI64(value);
  else if (value.getType().isInteger(1))
    value = arith::ExtUIOp::create(builder, builder.getI8Type(), value);
  else if (!LLVM::isCompatibleType(value.getType()))
    // LLVM has no floats of 8 bits.
    value = arith::BitcastOp::create(
        builder,
        builder.getIntegerType(value.getType().getIntOrFloatBitWidth()), value);
  LLVM::StoreOp::create(builder, value,
                        element(array, builder.getI64Type(), index));
}

Value RuntimeCalls::loadIndex(Value array, int64_t index) {
  return toIndex(
      LLVM::LoadOp::create(builder, builder.getI64Type(),
                           element(array, builder.getI64Type(), index)));
}

Value RuntimeCalls::makeArray(ValueRange values) {
  Value array =
      allocate(builder.getI64Type(), std::max<int64_t>(1, values.size()));
  for (auto [i, value] : llvm::enumerate(values))
    store(value, array, int64_t(i));
  return array;
}
