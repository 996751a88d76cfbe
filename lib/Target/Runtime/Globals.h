//===- Globals.h - Constants with addresses ---------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_TARGET_RUNTIME_GLOBALS_H
#define PIT_LIB_TARGET_RUNTIME_GLOBALS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pit {

/// An internal constant of a name like `name` that is free.
LLVM::GlobalOp makeGlobal(ModuleOp module, const Twine &name, Type type,
                          Attribute value, Location loc);

LLVM::GlobalOp makeBytes(ModuleOp module, const Twine &name, StringRef bytes,
                         Location loc);

/// Builds the initializer of a struct or an array, an element at a time.
class Initializer {
public:
  explicit Initializer(LLVM::GlobalOp global);
  ~Initializer();

  /// The address of a global or a function; null where there is none.
  void set(ArrayRef<int64_t> position, LLVM::GlobalOp global);
  void set(ArrayRef<int64_t> position, LLVM::LLVMFuncOp function);
  /// An i64.
  void setWord(ArrayRef<int64_t> position, uint64_t word);
  /// An i32.
  void setInt(ArrayRef<int64_t> position, int32_t value);

private:
  void insert(ArrayRef<int64_t> position, Value element);
  Value makeNull();

  ImplicitLocOpBuilder builder;
  Value value;
};

} // namespace mlir::pit

#endif // PIT_LIB_TARGET_RUNTIME_GLOBALS_H
