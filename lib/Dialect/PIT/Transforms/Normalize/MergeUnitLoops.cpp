//===- MergeUnitLoops.cpp - Loops of one iteration ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MergeUnitLoops.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace {

/// An operand, and where it is accessed.
struct Access {
  Value value;
  SmallVector<AffineExpr> places;
};

struct MergeUnitLoops : OpRewritePattern<linalg::GenericOp> {
  MergeUnitLoops(MLIRContext *context, StringRef excluded)
      : OpRewritePattern(context), excluded(excluded) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override;

  StringRef excluded;
};

} // namespace

/// The same elements of what was expanded, if `unit` is all that the expansion
/// is for.
static std::optional<Access> lookThroughExpansion(const Access &access,
                                                  AffineExpr unit) {
  auto expand = access.value.getDefiningOp<tensor::ExpandShapeOp>();
  if (!expand)
    return std::nullopt;
  Access source{expand.getSrc(), {}};
  for (const ReassociationIndices &group : expand.getReassociationIndices()) {
    AffineExpr place = unit;
    for (int64_t axis : group) {
      if (access.places[axis] == unit)
        continue;
      if (place != unit)
        return std::nullopt;
      place = access.places[axis];
    }
    source.places.push_back(place);
  }
  return source;
}

LogicalResult MergeUnitLoops::matchAndRewrite(linalg::GenericOp op,
                                              PatternRewriter &rewriter) const {
  if (!op.hasPureTensorSemantics() || op.hasIndexSemantics() ||
      op->hasAttr(excluded))
    return failure();
  // The loop that stays, and the new numbers of all.
  std::optional<unsigned> kept;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray(), newKinds;
  SmallVector<unsigned> merged;
  SmallVector<AffineExpr> replacements(ranges.size());
  for (auto [loop, kind] : llvm::enumerate(kinds)) {
    if (ranges[loop] == 1 && kind == utils::IteratorType::reduction) {
      merged.push_back(loop);
      continue;
    }
    if (ranges[loop] == 1 && kind == utils::IteratorType::parallel && !kept)
      kept = loop;
    replacements[loop] = rewriter.getAffineDimExpr(newKinds.size());
    newKinds.push_back(kind);
  }
  if (!kept || merged.empty())
    return failure();
  AffineExpr unit = replacements[*kept];
  for (unsigned loop : merged)
    replacements[loop] = unit;

  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!map.isProjectedPermutation())
      return failure();
    Access access{operand.get(), {}};
    for (AffineExpr place : map.getResults())
      access.places.push_back(place.replaceDims(replacements));
    if (op.isDpsInput(&operand)) {
      if (auto source = lookThroughExpansion(access, unit))
        access = *source;
      inputs.push_back(access.value);
    }
    maps.push_back(AffineMap::get(newKinds.size(), 0, access.places,
                                  rewriter.getContext()));
    if (!maps.back().isProjectedPermutation())
      return failure();
  }
  DictionaryAttr discardable = op->getDiscardableAttrDictionary();
  auto result =
      linalg::GenericOp::create(rewriter, op.getLoc(), op.getResultTypes(),
                                inputs, op.getOutputs(), maps, newKinds);
  result->setDiscardableAttrs(discardable);
  rewriter.inlineRegionBefore(op.getRegion(), result.getRegion(),
                              result.getRegion().begin());
  rewriter.replaceOp(op, result);
  return success();
}

void mlir::pit::populateMergeUnitLoopsPatterns(RewritePatternSet &patterns,
                                               StringRef excluded) {
  patterns.add<MergeUnitLoops>(patterns.getContext(), excluded);
}
