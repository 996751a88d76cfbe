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

/// Registers the pit dialect and the interface models that PIT attaches to
/// other dialects. A compiler that registers upstream dialects itself needs no
/// more. PITPlugin.so registers the same.
void registerPITDialects(DialectRegistry &registry);

/// Does what registerPITDialects does, and registers the upstream dialects,
/// interface models and LLVM translations that PIT's pipelines use. With
/// libMLIR.so these are all of upstream's. Statically linked tools get only
/// those that PIT's levels use.
void registerAllDialects(DialectRegistry &registry);

} // namespace pit
} // namespace mlir

#endif // PIT_INITALLDIALECTS_H
