//===- LaunchArguments.cpp - What a launch gives to a kernel --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchArguments.h"

#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using namespace mlir::pit;
using Kind = KernelParameter::Kind;

/// Whether the host's type becomes the parameter's when launches are lowered.
static bool isTypeOf(Type type, const KernelParameter &parameter) {
  switch (parameter.kind) {
  case Kind::Pointer: {
    auto buffer = dyn_cast<MemRefType>(type);
    return buffer && buffer.getRank() == 0;
  }
  case Kind::TensorMap:
    return isa<nvgpu::TensorMapDescriptorType>(type);
  case Kind::Integer:
    return type == parameter.type;
  }
  llvm_unreachable("a kind that there is not");
}

static void describeType(InFlightDiagnostic &diagnostic,
                         const KernelParameter &parameter) {
  if (parameter.kind == Kind::Pointer)
    diagnostic << "a buffer of rank 0";
  else if (parameter.kind == Kind::TensorMap)
    diagnostic << "a tensor map";
  else
    diagnostic << parameter.type;
}

InFlightDiagnostic LaunchArguments::report() {
  isWrong = true;
  return emitError(loc, "launch of kernel '") << kernel << "' ";
}

void LaunchArguments::bind(const Twine &name, Value value) {
  std::optional<size_t> position = signature.find(name);
  if (!position) {
    report() << "binds a parameter '" << name
             << "' that the kernel does not take; it takes "
             << signature.listNames();
    return;
  }
  if (values[*position]) {
    report() << "binds parameter '" << name << "' twice";
    return;
  }
  const KernelParameter &parameter = signature.getParameters()[*position];
  values[*position] = value;
  if (value && isTypeOf(value.getType(), parameter))
    return;
  InFlightDiagnostic diagnostic = report();
  diagnostic << "binds parameter '" << name << "' to ";
  if (value)
    diagnostic << value.getType();
  else
    diagnostic << "nothing";
  diagnostic << ", which takes ";
  describeType(diagnostic, parameter);
}

FailureOr<SmallVector<Value>> LaunchArguments::finish() {
  // What was refused may be what is not bound.
  if (isWrong)
    return failure();
  for (auto [parameter, value] :
       llvm::zip_equal(signature.getParameters(), values))
    if (!value)
      report() << "does not bind parameter '" << parameter.name << "'";
  if (isWrong)
    return failure();
  return values;
}
