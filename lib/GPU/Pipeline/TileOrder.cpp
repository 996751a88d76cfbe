//===- TileOrder.cpp - Rasterisation: the order of tiles ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileOrder.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

TileNumbers mlir::pit::hopper::getTileInGroups(KernelBuilder &b, Value number,
                                               Value tilesM, Value tilesN,
                                               int64_t groupM) {
  Value groupTiles = b.mul(tilesN, groupM);
  Value group = b.divide(number, groupTiles);
  Value inGroup = b.sub(number, b.mul(group, groupTiles));
  Value firstM = b.mul(group, groupM);
  Value height = b.minimum(b.sub(tilesM, firstM), groupM);
  Value n = b.divide(inGroup, height);
  Value m = b.add(firstM, b.sub(inGroup, b.mul(n, height)));
  return {m, n};
}
