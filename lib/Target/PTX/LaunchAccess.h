//===- LaunchAccess.h - Which buffers launches touch ------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_TARGET_PTX_LAUNCHACCESS_H
#define PIT_LIB_TARGET_PTX_LAUNCHACCESS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::pit {

/// What a kernel does with the memory that it is given a pointer to.
enum class MemoryUse { None, Read, Write };

/// What the kernel does with the memory behind an argument. Follows pointers
/// through arithmetic and branches; what is not known to read, writes.
MemoryUse getMemoryUse(LLVM::LLVMFuncOp kernel, unsigned argument);

/// What a launch touches: buffers by where they come from, an allocation or an
/// argument of the function. Arguments may be the same memory once one of them
/// is written.
struct LaunchAccess {
  SetVector<Value> reads, writes;
  /// It may touch anything.
  bool isUnknown = false;
  /// Buffers through which the launch signals what is written, or awaits it.
  SetVector<Value> signaled;

  /// Whether the two must not run at the same time, or in another order.
  bool conflictsWith(const LaunchAccess &other) const;
  /// The same of one that starts after `other` did, whatever has become of
  /// that: what it signals, this one waits for.
  bool conflictsBesides(const LaunchAccess &other) const;
  bool touches(Value buffer) const;
};

/// Looks at kernels once each. They must be functions of the LLVM dialect whose
/// arguments are those of their launches, buffers as one pointer.
class LaunchAccesses {
public:
  LaunchAccess get(gpu::LaunchFuncOp launch);

private:
  /// By argument; nothing of kernels that use more memory than that.
  DenseMap<Operation *, std::optional<SmallVector<MemoryUse>>> kernels;
};

} // namespace mlir::pit

#endif // PIT_LIB_TARGET_PTX_LAUNCHACCESS_H
