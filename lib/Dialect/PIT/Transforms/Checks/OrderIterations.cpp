//===- OrderIterations.cpp - Loops whose writes are looked at -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrderIterations.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace mlir::pit;

bool pit::orderIterations(scf::ForallOp forall,
                          SmallVectorImpl<scf::ForOp> &loops,
                          SmallVectorImpl<tensor::InsertSliceOp> &writes) {
  if (forall.getRank() == 0)
    return false;
  OpBuilder builder(forall);
  Location loc = forall.getLoc();
  SmallVector<Value> from = getValueOrCreateConstantIndexOp(
                         builder, loc, forall.getMixedLowerBound()),
                     to = getValueOrCreateConstantIndexOp(
                         builder, loc, forall.getMixedUpperBound()),
                     by = getValueOrCreateConstantIndexOp(
                         builder, loc, forall.getMixedStep());
  auto moveBody = [&](OpBuilder &nested, Location, ValueRange numbers,
                      ValueRange carried) -> scf::ValueVector {
    Block *body = forall.getBody();
    auto end = cast<scf::InParallelOp>(body->getTerminator());
    SmallVector<Value> written(carried);
    for (auto [old, number] : llvm::zip(forall.getInductionVars(), numbers))
      old.replaceAllUsesWith(number);
    // What is written is no more than that, and of each tensor in order.
    for (Operation &op : *end.getBody()) {
      auto insert = cast<tensor::ParallelInsertSliceOp>(op);
      unsigned number = cast<BlockArgument>(insert.getDest()).getArgNumber() -
                        unsigned(forall.getRank());
      nested.setInsertionPointToEnd(nested.getInsertionBlock());
      auto write = tensor::InsertSliceOp::create(
          nested, insert.getLoc(), insert.getSource(), written[number],
          insert.getMixedOffsets(), insert.getMixedSizes(),
          insert.getMixedStrides());
      writes.push_back(write);
      written[number] = write.getResult();
    }
    end.erase();
    for (auto [old, tensor] : llvm::zip(forall.getRegionIterArgs(), carried))
      old.replaceAllUsesWith(tensor);
    Block *block = nested.getInsertionBlock();
    block->getOperations().splice(block->begin(), body->getOperations());
    return scf::ValueVector(written.begin(), written.end());
  };
  scf::LoopNest nest = scf::buildLoopNest(builder, loc, from, to, by,
                                          forall.getOutputs(), moveBody);
  llvm::append_range(loops, nest.loops);
  forall.replaceAllUsesWith(nest.results);
  forall.erase();
  return true;
}
