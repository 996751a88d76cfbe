//===- PeakMemory.h - How much memory a function needs at once --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_TARGET_RUNTIME_PEAKMEMORY_H
#define PIT_LIB_TARGET_RUNTIME_PEAKMEMORY_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pit {

/// Bytes of buffers that a function's `body` has at once, at most: of those
/// whose extents follow from the arguments that `arguments` maps, also in
/// branches and loops, and that do not lie with the caller (`isOfCaller`). Null
/// where all are small. To be made behind the checks, as products are not
/// checked here. An estimate from above where branches hold buffers.
Value makePeakMemory(
    Block &body, ImplicitLocOpBuilder &builder, const IRMapping &arguments,
    function_ref<bool(memref::AllocOp)> isOfCaller = [](memref::AllocOp) {
      return false;
    });

} // namespace mlir::pit

#endif // PIT_LIB_TARGET_RUNTIME_PEAKMEMORY_H
