//===- PlaceSources.cpp - Where patterns of marks are computed ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlaceSources.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::pit;

/// A mark changes elements, and no extents.
static bool readsElements(Operation *user) { return !isa<tensor::DimOp>(user); }

/// The first op of the block in which, or in whose regions, the argument is
/// read; null where none is.
static Operation *findFirstReader(BlockArgument argument, Block *block) {
  Operation *first = nullptr;
  for (Operation *user :
       llvm::make_filter_range(argument.getUsers(), readsElements)) {
    Operation *reader = block->findAncestorOpInBlock(*user);
    // The entry block comes before all others.
    if (reader && (!first || reader->isBeforeInBlock(first)))
      first = reader;
  }
  return first;
}

/// Whether the op follows from elements of the argument.
static bool dependsOn(Operation *op, BlockArgument argument) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.omitUsesFromAbove = false;
  (void)getBackwardSlice(op, &slice, options);
  return llvm::any_of(argument.getUsers(), [&](Operation *user) {
    return readsElements(user) && llvm::any_of(slice, [&](Operation *part) {
             return part->isAncestor(user);
           });
  });
}

LogicalResult
pit::moveInFrontOfReaders(OpResult source, Attribute from,
                          BlockArgument argument,
                          function_ref<InFlightDiagnostic()> emitError) {
  Operation *op = source.getOwner();
  Block *entry = argument.getOwner();
  auto refuse = [&]() {
    InFlightDiagnostic diagnostic = emitError();
    diagnostic << "'from' of a 'pit.sparse' mark names ";
    if (auto number = dyn_cast<IntegerAttr>(from))
      diagnostic << "argument " << number.getInt() << " with its mark, ";
    else
      diagnostic << "the source " << from << ", ";
    return diagnostic;
  };
  if (op->getBlock() != entry)
    return refuse() << "which is computed in a region or another block; the "
                       "mark of an argument needs it where the function begins";
  Operation *reader = findFirstReader(argument, entry);
  if (!reader || op->isBeforeInBlock(reader))
    return success();
  if (dependsOn(op, argument))
    return refuse() << "which is computed from the argument itself; mark an op "
                       "behind the source instead";
  DominanceInfo dominance(entry->getParentOp());
  IRRewriter rewriter(op->getContext());
  if (!isMemoryEffectFree(op) ||
      failed(moveOperationDependencies(rewriter, op, reader, dominance)))
    return refuse() << "which cannot be computed in front of the first op that "
                       "reads the argument, as it has side effects, or what it "
                       "is computed from has";
  rewriter.moveOpBefore(op, reader);
  return success();
}
