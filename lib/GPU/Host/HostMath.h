//===- HostMath.h - Index arithmetic of the host ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_GPU_HOST_HOSTMATH_H
#define PIT_GPU_HOST_HOSTMATH_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pit::detect {

/// Arithmetic of the host on index values, folded where they are constant.
class HostMath : public ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  Value constant(int64_t value);
  Value add(Value a, Value b);
  Value mul(Value a, Value b);
  Value ceilDiv(Value a, Value b);
  Value min(Value a, Value b);
  Value max(Value a, Value b);
  Value mul(Value a, int64_t b) { return mul(a, constant(b)); }
  Value ceilDiv(Value a, int64_t b) { return ceilDiv(a, constant(b)); }
};

/// What the compiler knows of a host value, or nothing.
std::optional<int64_t> getKnown(Value value);

} // namespace mlir::pit::detect

#endif // PIT_GPU_HOST_HOSTMATH_H
