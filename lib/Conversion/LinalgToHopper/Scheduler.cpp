//===- Scheduler.cpp - Which block computes which tiles -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

class GroupedScheduler : public Scheduler {
public:
  explicit GroupedScheduler(const ContractionKernel &kernel) : kernel(kernel) {}

  void prepare(KernelBuilder &b, const KernelState &state) override {
    tilesM = b.ceilDivide(state.numRows, kernel.tileM);
    tilesN = b.ceilDivide(state.arguments.n, kernel.tileN);
    numTiles = b.mul(tilesM, tilesN);
  }

  Value getNumTiles() override { return numTiles; }

  TilePosition getPosition(KernelBuilder &b, Value tile) override {
    Value groupTiles = b.mul(tilesN, kernel.groupM);
    Value group = b.divide(tile, groupTiles);
    Value inGroup = b.sub(tile, b.mul(group, groupTiles));
    Value firstM = b.mul(group, kernel.groupM);
    Value height = b.minimum(b.sub(tilesM, firstM), kernel.groupM);
    Value n = b.divide(inGroup, height);
    Value m = b.add(firstM, b.sub(inGroup, b.mul(n, height)));
    return {b.mul(m, kernel.tileM), b.mul(n, kernel.tileN)};
  }

private:
  const ContractionKernel &kernel;
  Value tilesM, tilesN, numTiles;
};

} // namespace

std::unique_ptr<Scheduler>
mlir::pit::hopper::createGroupedScheduler(const ContractionKernel &kernel) {
  return std::make_unique<GroupedScheduler>(kernel);
}
