//===- MakeCall.h - One call whose memory is watched ------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_FUZZ_WRONGARGUMENTS_MAKECALL_H
#define PIT_TOOLS_PIT_FUZZ_WRONGARGUMENTS_MAKECALL_H

#include "Device.h"
#include "Jit.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir::pit::fuzz {

/// An argument's extents, and as much memory as it has: an extent of 2^40
/// is said, and not there.
struct GivenArgument {
  ::pit::npy::Array array;
  std::vector<int64_t> shape;
};

/// What a call did.
struct CallEnd {
  /// PIT_OK, or the code of the error.
  int32_t status = 0;
  std::string message;
  std::vector<::pit::npy::Array> results;
  /// What it wrote that it may not write, or did not release.
  std::string damage;
};

/// A compiled program, and the ways to call it.
class CallableProgram {
public:
  virtual ~CallableProgram() = default;
  virtual CallEnd call(const std::vector<GivenArgument> &arguments) = 0;

  /// A function that takes descriptors and returns what it allocates.
  static llvm::Expected<std::unique_ptr<CallableProgram>>
  createFunction(ModuleOp lowered, FunctionType signature, unsigned optLevel);
  /// An entry point of the C ABI, on the CPU where `device` is null.
  static llvm::Expected<std::unique_ptr<CallableProgram>>
  createEntryPoint(ModuleOp lowered, ::pit::run::CudaDevice *device,
                   unsigned optLevel);
};

} // namespace mlir::pit::fuzz

#endif // PIT_TOOLS_PIT_FUZZ_WRONGARGUMENTS_MAKECALL_H
