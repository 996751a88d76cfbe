//===- HostMath.cpp - Index arithmetic of the host ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pit::detect;

Value HostMath::constant(int64_t value) {
  return arith::ConstantIndexOp::create(*this, value);
}
Value HostMath::add(Value a, Value b) {
  return createOrFold<arith::AddIOp>(a, b);
}
Value HostMath::mul(Value a, Value b) {
  return createOrFold<arith::MulIOp>(a, b);
}
Value HostMath::ceilDiv(Value a, Value b) {
  return createOrFold<arith::CeilDivUIOp>(a, b);
}
Value HostMath::min(Value a, Value b) {
  return createOrFold<arith::MinUIOp>(a, b);
}
Value HostMath::max(Value a, Value b) {
  return createOrFold<arith::MaxUIOp>(a, b);
}

std::optional<int64_t> mlir::pit::detect::getKnown(Value value) {
  return getConstantIntValue(value);
}
