//===- MicroTileFamilies.cpp - SpMM of packed and of larger micro-tiles ---===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "TileLoopKernel.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

namespace {

class PackedFamily : public TileLoopFamily {
public:
  PackedFamily()
      : TileLoopFamily(KernelFamily::Packed,
                       getFieldName(SparseFamily::Packed)) {}

  FailureOr<ContractionMatch> match(Operation *op,
                                    const DenseSet<Operation *> &taken,
                                    MatchRequirements needs) const override {
    return matchMicroTiles(op, taken, needs.log, takeAsPacked);
  }
  LogicalResult take(ContractionMatch &match, ContractOp op,
                     MatchLog log) const override {
    return takeAsPacked(match, op.getIndexType(), op, log);
  }
};

class BlockFamily : public TileLoopFamily {
public:
  BlockFamily()
      : TileLoopFamily(KernelFamily::BlockWalk,
                       getFieldName(SparseFamily::Blocks)) {}

  FailureOr<ContractionMatch> match(Operation *op,
                                    const DenseSet<Operation *> &taken,
                                    MatchRequirements needs) const override {
    // It takes most, and says what others do not find.
    return matchMicroTiles(op, taken, needs.log, takeAsBlocks, needs.log);
  }
  LogicalResult take(ContractionMatch &match, ContractOp op,
                     MatchLog log) const override {
    return takeAsBlocks(match, op.getIndexType(), op, log);
  }
};

} // namespace

std::unique_ptr<ContractionFamily> mlir::pit::hopper::createPackedFamily() {
  return std::make_unique<PackedFamily>();
}

std::unique_ptr<ContractionFamily> mlir::pit::hopper::createBlockFamily() {
  return std::make_unique<BlockFamily>();
}
