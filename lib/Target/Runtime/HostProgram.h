//===- HostProgram.h - Host functions as data -------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_TARGET_RUNTIME_HOSTPROGRAM_H
#define PIT_LIB_TARGET_RUNTIME_HOSTPROGRAM_H

#include "PIT/Target/Runtime/Program.h"

#include "PIT/Dialect/PIT/IR/PITLaunch.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

namespace mlir::pit {

/// A buffer, or a part of one. Offset and strides count elements.
struct BufferView {
  int64_t buffer = 0;
  llvm::json::Value offset = 0;
  std::vector<llvm::json::Value> sizes, strides;
};

/// Reads what is left of a function on the host (allocations, extents,
/// launches) as data: buffers, and launches in order, with expression trees for
/// whatever depends on the arguments' extents.
class HostProgram {
public:
  /// `waiting` are the kernels that wait themselves for the one before.
  HostProgram(func::FuncOp function, const llvm::StringSet<> &waiting)
      : function(function), waiting(waiting) {}

  FailureOr<ProgramFunction> read();

private:
  FailureOr<llvm::json::Value> readScalar(Value value);
  FailureOr<llvm::json::Value> readOperation(Operation *op);
  FailureOr<llvm::json::Value> readAffine(AffineExpr expr, AffineMap map,
                                          ValueRange operands);
  FailureOr<llvm::json::Value> readAffineMap(AffineMap map, ValueRange operands,
                                             StringRef combine);
  FailureOr<llvm::json::Value> readFold(OpFoldResult value);
  FailureOr<llvm::json::Value> readDim(Value buffer, int64_t axis);
  LogicalResult readFolds(ArrayRef<OpFoldResult> values,
                          std::vector<llvm::json::Value> &out);

  FailureOr<BufferView> readView(Value value);
  FailureOr<BufferView> readRoot(Value value);
  FailureOr<BufferView> readSubView(memref::SubViewOp op);
  FailureOr<BufferView> readReinterpretCast(memref::ReinterpretCastOp op);
  FailureOr<BufferView> readReshape(Operation *op);

  FailureOr<llvm::json::Object> readTensorMap(const TensorMap &map);
  LogicalResult readLaunch(gpu::LaunchFuncOp launch);
  LogicalResult readResults(func::ReturnOp op);
  LogicalResult readArguments();
  LogicalResult readChecks();

  func::FuncOp function;
  const llvm::StringSet<> &waiting;
  DenseMap<Value, int64_t> bufferNumbers;
  SmallVector<ProgramValue> arguments, results;
  llvm::json::Array buffers, launches, checks;
  llvm::json::Value status = nullptr;
};

} // namespace mlir::pit

#endif // PIT_LIB_TARGET_RUNTIME_HOSTPROGRAM_H
