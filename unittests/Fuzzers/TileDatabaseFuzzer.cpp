//===- TileDatabaseFuzzer.cpp - The reader of tile databases --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is read without an error gives a finite time at every share.
//
//===----------------------------------------------------------------------===//

#include "File.h"

#include "PIT/Selection/TileDatabase.h"

#include <cmath>

using namespace mlir::pit;

static void check(const Curve &curve) {
  for (double share : {0.0, 0.3, 1.0})
    ::pit::fuzz::require(std::isfinite(curve.at(share)));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  llvm::Expected<TileDatabase> database = TileDatabase::parse(text);
  if (!database) {
    ::pit::fuzz::require(!llvm::toString(database.takeError()).empty());
    return 0;
  }
  for (const MeasuredShape &measured : database->shapes) {
    check(measured.dense);
    for (const MeasuredTile &tile : measured.tiles) {
      check(tile.index);
      check(tile.product);
    }
  }
  return 0;
}
