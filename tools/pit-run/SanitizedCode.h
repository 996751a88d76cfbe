//===- SanitizedCode.h - Programs under AddressSanitizer --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a build with AddressSanitizer the code of programs that run in the process
// is instrumented as well. Elsewhere nothing here does anything.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_SANITIZEDCODE_H
#define PIT_TOOLS_PIT_RUN_SANITIZEDCODE_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PIT_SANITIZES_ADDRESSES 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define PIT_SANITIZES_ADDRESSES 1
#endif

#ifdef PIT_SANITIZES_ADDRESSES
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(begin, bytes) ((void)(begin), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(begin, bytes) ((void)(begin), (void)(bytes))
#endif

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir::pit::run {

#ifdef PIT_SANITIZES_ADDRESSES
constexpr bool kSanitizesCode = true;
#else
constexpr bool kSanitizesCode = false;
#endif

/// Has each load and store of the module call AddressSanitizer where it is
/// outside of live memory, and ends the process then.
void sanitizeCode(llvm::Module &module, llvm::TargetMachine *machine);

} // namespace mlir::pit::run

#endif // PIT_TOOLS_PIT_RUN_SANITIZEDCODE_H
