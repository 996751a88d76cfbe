//===- TilingInterfaceImpl.h - Tiling of pit ops along their dense axes ---===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_TILINGINTERFACEIMPL_H
#define PIT_DIALECT_PIT_TRANSFORMS_TILINGINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;

namespace pit {

/// Registers the models by which `scf::tileUsingSCF` and tile-and-fuse tile
/// `pit.generic`, and `pit.sread` and `pit.swrite` of whole tensors. They tile
/// axes that the index does not list. `--pit-tile-rules` tiles listed axes.
void registerTilingInterfaceExternalModels(DialectRegistry &registry);

} // namespace pit
} // namespace mlir

#endif // PIT_DIALECT_PIT_TRANSFORMS_TILINGINTERFACEIMPL_H
