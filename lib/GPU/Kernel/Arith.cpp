//===- Arith.cpp - Integers of kernels, and pairs of results --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

using namespace mlir;
using namespace mlir::pit::hopper;

Value KernelBuilder::i32(int64_t value) {
  return arith::ConstantIntOp::create(*this, value, 32);
}
Value KernelBuilder::i64(int64_t value) {
  return arith::ConstantIntOp::create(*this, value, 64);
}
Value KernelBuilder::like(Value a, int64_t b) {
  return a.getType().isInteger(32) ? i32(b) : i64(b);
}
Value KernelBuilder::add(Value a, Value b) {
  return createOrFold<arith::AddIOp>(a, b);
}
Value KernelBuilder::sub(Value a, Value b) {
  return createOrFold<arith::SubIOp>(a, b);
}
Value KernelBuilder::mul(Value a, Value b) {
  return createOrFold<arith::MulIOp>(a, b);
}
Value KernelBuilder::divide(Value a, Value b) {
  return createOrFold<arith::DivUIOp>(a, b);
}
Value KernelBuilder::remainder(Value a, Value b) {
  return createOrFold<arith::RemUIOp>(a, b);
}
Value KernelBuilder::bitAnd(Value a, Value b) {
  return createOrFold<arith::AndIOp>(a, b);
}
Value KernelBuilder::bitOr(Value a, Value b) {
  return createOrFold<arith::OrIOp>(a, b);
}
Value KernelBuilder::bitXor(Value a, Value b) {
  return createOrFold<arith::XOrIOp>(a, b);
}
Value KernelBuilder::shiftLeft(Value a, Value b) {
  return createOrFold<arith::ShLIOp>(a, b);
}
Value KernelBuilder::shiftRight(Value a, Value b) {
  return createOrFold<arith::ShRUIOp>(a, b);
}
Value KernelBuilder::minimum(Value a, Value b) {
  return createOrFold<arith::MinUIOp>(a, b);
}
SmallVector<Value> KernelBuilder::splitDigits(Value number,
                                              ArrayRef<int64_t> bases) {
  SmallVector<Value> digits;
  for (int64_t base : llvm::reverse(bases)) {
    Value rest = divide(number, base);
    digits.push_back(sub(number, mul(rest, base)));
    number = rest;
  }
  digits.push_back(number);
  std::reverse(digits.begin(), digits.end());
  return digits;
}
Value KernelBuilder::extend(Value a) {
  if (a.getType().isInteger(64))
    return a;
  return createOrFold<arith::ExtUIOp>(getI64Type(), a);
}
Value KernelBuilder::truncate(Value a) {
  if (a.getType().isInteger(32))
    return a;
  return createOrFold<arith::TruncIOp>(getI32Type(), a);
}
Value KernelBuilder::compare(arith::CmpIPredicate predicate, Value a, Value b) {
  return createOrFold<arith::CmpIOp>(predicate, a, b);
}
Value KernelBuilder::isEqual(Value a, int64_t b) {
  return compare(arith::CmpIPredicate::eq, a, like(a, b));
}
Value KernelBuilder::isLess(Value a, Value b) {
  return compare(arith::CmpIPredicate::ult, a, b);
}
Value KernelBuilder::select(Value condition, Value a, Value b) {
  return createOrFold<arith::SelectOp>(condition, a, b);
}

Value KernelBuilder::packPair(Value low, Value high, Type element) {
  auto type = VectorType::get({2}, element);
  Value pair;
  if (element.isBF16())
    pair = NVVM::ConvertF32x2ToBF16x2Op::create(*this, type, high, low, Value(),
                                                NVVM::FPRoundingMode::RN);
  else
    pair = NVVM::ConvertF32x2ToF16x2Op::create(*this, type, high, low, Value(),
                                               NVVM::FPRoundingMode::RN);
  return LLVM::BitcastOp::create(*this, getI32Type(), pair);
}
