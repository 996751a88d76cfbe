//===- Object.h - Object code of programs for this host ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TARGET_OBJECT_OBJECT_H
#define PIT_TARGET_OBJECT_OBJECT_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::pit {

/// The CPU that `name` stands for: "" is every CPU of the host's kind,
/// "native" the one at hand, anything else is LLVM's name. Reports names that
/// the host's kind of CPU does not have.
FailureOr<std::string> resolveCPU(StringRef name, Location loc);

/// Compiles a module in the LLVM dialect for the host and writes the position
/// independent object to a file. `cpu` is what `resolveCPU` returns.
LogicalResult writeObject(ModuleOp module, StringRef cpu, StringRef path);

struct LinkOptions {
  /// The C compiler that links; empty for the first of cc, gcc and clang in
  /// PATH.
  std::string linker;
  /// libpit_runtime.so, which the shared object will ask for at run time.
  std::string runtime;
};

/// Makes a shared object of an object file. Every symbol must be there: in
/// the runtime, or in the C and mathematics libraries.
LogicalResult linkSharedObject(StringRef object, StringRef path,
                               const LinkOptions &options, Location loc);

} // namespace mlir::pit

#endif // PIT_TARGET_OBJECT_OBJECT_H
