//===- Interpreter.h - What a program means ---------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Computes level-1 programs op by op and point by point, as they are written:
// no pass runs, nothing is skipped, and nothing is shared with what is tested
// but the ops' own indexing maps. Marks select their absent value.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_FUZZ_INTERPRETER_H
#define PIT_TOOLS_PIT_FUZZ_INTERPRETER_H

#include "Npy.h"
#include "Number.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <vector>

namespace mlir::pit::fuzz {

/// A tensor in row-major order, or a scalar.
struct Tensor {
  Scalar type;
  std::vector<int64_t> shape;
  std::vector<Number> elements;

  Tensor() = default;
  Tensor(Type elementType, std::vector<int64_t> shape,
         Number fill = Number::unpromised());
  int64_t numElements() const { return int64_t(elements.size()); }
};

/// The values of an array.
Tensor readArray(const ::pit::npy::Array &array, Type elementType);

/// Whether an error of `interpret` says that arguments do not fit the program.
bool isMisfit(StringRef error);

/// Runs `function`, which has marks as ops. Fails on ops that it does not know,
/// on accesses out of bounds, and when more than `maxPoints` points would be
/// computed.
llvm::Expected<std::vector<Tensor>>
interpret(func::FuncOp function, const std::vector<Tensor> &arguments,
          int64_t maxPoints, bool *areElementsOutside = nullptr);

} // namespace mlir::pit::fuzz

#endif // PIT_TOOLS_PIT_FUZZ_INTERPRETER_H
