//===- LaunchArguments.h - What a launch gives to a kernel ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_HOST_LAUNCHARGUMENTS_H
#define PIT_LIB_GPU_HOST_LAUNCHARGUMENTS_H

#include "GPU/Kernel/KernelSignature.h"

namespace mlir::pit {

/// The host's values of a kernel's parameters, bound by name in any order.
class LaunchArguments {
public:
  /// Of a kernel of that name; diagnostics are about a launch at the location.
  LaunchArguments(const KernelSignature &signature, Location loc,
                  StringRef kernel)
      : signature(signature), loc(loc), kernel(kernel),
        values(signature.getParameters().size()) {}

  const KernelSignature &getSignature() const { return signature; }
  /// A name that the kernel does not take, one that is bound already, and a
  /// value of another type are diagnosed.
  void bind(const Twine &name, Value value);
  /// The values in the order of the parameters. Fails if something was
  /// diagnosed, or, with a diagnostic, if a parameter is not bound.
  FailureOr<SmallVector<Value>> finish();

private:
  InFlightDiagnostic report();

  const KernelSignature &signature;
  Location loc;
  StringRef kernel;
  SmallVector<Value> values;
  bool isWrong = false;
};

} // namespace mlir::pit

#endif // PIT_LIB_GPU_HOST_LAUNCHARGUMENTS_H
