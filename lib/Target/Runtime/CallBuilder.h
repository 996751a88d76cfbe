//===- CallBuilder.h - Building calls of the runtime ------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Entry points are straight-line code of calls into the runtime. This is the
// one place that knows the functions' types, as pit_runtime_calls.h declares
// them.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TARGET_RUNTIME_CALLBUILDER_H
#define PIT_TARGET_RUNTIME_CALLBUILDER_H

#include "PIT/Target/Runtime/Program.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pit {

/// Bytes of an element in a buffer.
int64_t getElementBytes(Type type);

/// Builds calls of the runtime and what their arguments need.
class RuntimeCalls {
public:
  RuntimeCalls(ImplicitLocOpBuilder &builder, ModuleOp module)
      : builder(builder), module(module) {}

  /// Calls `name`, declared with the operands' types and `result`, which may
  /// be null. Returns the result.
  Value call(StringRef name, ValueRange operands, Type result = {});

  Value i32(int64_t value);
  Value i64(int64_t value);
  Value null();
  Value address(LLVM::GlobalOp global);
  /// Stack space for `count` elements; made in the function's entry block.
  Value allocate(Type element, int64_t count, unsigned alignment = 0);
  /// The address of element `index` of an array.
  Value element(Value array, Type type, int64_t index);
  /// Stores index, integer or float values, each in eight bytes.
  void store(Value value, Value array, int64_t index);
  /// Loads an i64 of an array as an index.
  Value loadIndex(Value array, int64_t index);
  Value toI64(Value index);
  Value toIndex(Value i64);
  /// An array of `values`, which are index values, on the stack.
  Value makeArray(ValueRange values);

  Type pointerType() const;

private:
  ImplicitLocOpBuilder &builder;
  ModuleOp module;
};

} // namespace mlir::pit

#endif // PIT_TARGET_RUNTIME_CALLBUILDER_H
