//===- BufferizableOpInterfaceImpl.h - pit ops on buffers -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
#define PIT_DIALECT_PIT_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;

namespace pit {

/// Registers the models by which one-shot bufferization handles ops on indexes,
/// `pit.tiled`, and `pit.sread` and `pit.swrite` of tiles.
void registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry);

} // namespace pit
} // namespace mlir

#endif // PIT_DIALECT_PIT_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
