//===- InitAllPasses.h - One-call pass registration -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_INITALLPASSES_H
#define PIT_INITALLPASSES_H

namespace mlir::pit {

/// Registers PIT's passes and pass pipelines.
void registerPITPasses();

/// Does what registerPITPasses does, and registers upstream passes: all of them
/// with libMLIR.so. Statically linked tools get those that occur in PIT's
/// pipelines, so that a printed pipeline can be parsed.
void registerAllPasses();

} // namespace mlir::pit

#endif // PIT_INITALLPASSES_H
