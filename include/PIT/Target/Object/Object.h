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

/// Returns LLVM's name of a CPU. "" stands for every CPU of the host's
/// architecture, and "native" for the host's own. Reports names that the host's
/// architecture does not have.
FailureOr<std::string> resolveCPU(StringRef name, Location loc);

/// LLVM's names of the features that code for a CPU may use, separated by
/// commas. `cpu` is a result of `resolveCPU`.
std::string getCPUFeatures(StringRef cpu);

/// The same for the host's own CPU.
std::string getHostFeatures();

/// Compiles a module in the LLVM dialect for the host, and writes the
/// position-independent object to a file. `cpu` is a result of `resolveCPU`.
LogicalResult writeObject(ModuleOp module, StringRef cpu, StringRef path);

struct LinkOptions {
  /// The C compiler to link with; if empty, the first of cc, gcc and clang in
  /// PATH.
  std::string linker;
  /// The path of libpit_runtime.so, which the shared object loads at run time.
  std::string runtime;
};

/// Links an object file to a shared object. Every symbol must be defined in the
/// runtime, or in the C and mathematics libraries.
LogicalResult linkSharedObject(StringRef object, StringRef path,
                               const LinkOptions &options, Location loc);

} // namespace mlir::pit

#endif // PIT_TARGET_OBJECT_OBJECT_H
