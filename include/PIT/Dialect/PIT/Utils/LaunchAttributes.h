//===- LaunchAttributes.h - What launches say beside operands ---*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_UTILS_LAUNCHATTRIBUTES_H
#define PIT_DIALECT_PIT_UTILS_LAUNCHATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace mlir::pit {

/// An attribute of a launch, numbers of kernel operands: of two launches where
/// these are the same buffers, the second waits inside for what it reads there
/// of what the first writes.
inline constexpr llvm::StringLiteral kHandedOverName = "pit.handed_over";
/// A type attribute of a `nvgpu.tma.create.descriptor`, if copies turn elements
/// into another type than the buffer's: tf32, to which they round f32. It is
/// not that of the descriptor's tile, as its 19 bits would be taken for a width
/// in memory.
inline constexpr llvm::StringLiteral kCopiedTypeName = "pit.copied_type";

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_UTILS_LAUNCHATTRIBUTES_H
