//===- InitAllDialects.h - One-call dialect registration --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_INITALLDIALECTS_H
#define PIT_INITALLDIALECTS_H

namespace mlir {
class DialectRegistry;

namespace pit {

/// The pit dialect and the interface models that PIT attaches to other
/// dialects. This is what a compiler that registers its upstream dialects
/// itself needs, and what PITPlugin.so adds.
void registerPITDialects(DialectRegistry &registry);

/// registerPITDialects, and the upstream dialects, interface models and LLVM
/// translations that a program meets on its way through PIT. With libMLIR.so
/// these are all of upstream's; statically linked tools get only what PIT's
/// levels use.
void registerAllDialects(DialectRegistry &registry);

} // namespace pit
} // namespace mlir

#endif // PIT_INITALLDIALECTS_H
