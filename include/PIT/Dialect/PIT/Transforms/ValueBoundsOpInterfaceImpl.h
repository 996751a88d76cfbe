//===- ValueBoundsOpInterfaceImpl.h - Extents of marked tensors -*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_VALUEBOUNDSOPINTERFACEIMPL_H
#define PIT_DIALECT_PIT_TRANSFORMS_VALUEBOUNDSOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;

namespace pit {

/// Registers the model by which upstream's analysis of bounds sees through
/// `pit.sparse`: a marked tensor has the extents of its source.
void registerValueBoundsOpInterfaceExternalModels(DialectRegistry &registry);

} // namespace pit
} // namespace mlir

#endif // PIT_DIALECT_PIT_TRANSFORMS_VALUEBOUNDSOPINTERFACEIMPL_H
