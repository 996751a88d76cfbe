//===- Types.cpp - What signatures may hold -------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Types.h"

#include "PIT/Target/Runtime/Program.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace mlir::pit::run;

pit_dtype mlir::pit::run::dtypeOf(Type type) {
  return pit_dtype(getRuntimeDType(type));
}

static llvm::Error checkType(Type type, const llvm::Twine &what) {
  Type element = type;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    element = tensor.getElementType();
    if (tensor.getEncoding())
      element = {};
  }
  if (element && dtypeOf(element) != PIT_DTYPE_INVALID)
    return llvm::Error::success();
  return llvm::createStringError(what + " has type " + debugString(type) +
                                 ": expected a ranked tensor or a scalar of " +
                                 mlir::pit::listDTypeNames() + " or index");
}

llvm::Error mlir::pit::run::checkSignature(func::FuncOp entry) {
  FunctionType type = entry.getFunctionType();
  for (auto [i, input] : llvm::enumerate(type.getInputs()))
    if (llvm::Error e = checkType(input, "argument #" + llvm::Twine(i) +
                                             " of '" + entry.getName() + "'"))
      return e;
  for (auto [i, result] : llvm::enumerate(type.getResults()))
    if (llvm::Error e = checkType(result, "result #" + llvm::Twine(i) +
                                              " of '" + entry.getName() + "'"))
      return e;
  return llvm::Error::success();
}

std::vector<::pit::run::ArgumentType>
mlir::pit::run::readArgumentTypes(func::FuncOp entry) {
  std::vector<::pit::run::ArgumentType> arguments;
  for (Type type : entry.getFunctionType().getInputs()) {
    Type element = getElementTypeOrSelf(type);
    ::pit::run::ArgumentType argument{
        dtypeOf(element), {}, debugString(element)};
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      for (int64_t extent : tensor.getShape())
        argument.shape.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
    arguments.push_back(std::move(argument));
  }
  return arguments;
}
