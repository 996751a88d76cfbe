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

/// PIT's passes and pass pipelines.
void registerPITPasses();

/// registerPITPasses, and upstream's passes: all of them with libMLIR.so, the
/// ones that PIT's pipelines print themselves as in statically linked tools.
void registerAllPasses();

} // namespace mlir::pit

#endif // PIT_INITALLPASSES_H
