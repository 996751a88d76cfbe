//===- MatchBatched.cpp - Products with an axis of batches ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatchOperand.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

FailureOr<ContractionMatch>
mlir::pit::hopper::matchBatchedContraction(linalg::LinalgOp op,
                                           const DenseSet<Operation *> &taken,
                                           MatchRequirements needs) {
  auto resolve = [](Value buffer) {
    return MatrixSource{buffer, std::nullopt};
  };
  MatchScope scope{resolve, taken, needs};
  scope.batched = true;
  return matchContractionThrough(op, scope);
}

int64_t mlir::pit::hopper::getNumBatches(const ContractionMatch &match) {
  // Batches of a convolution are its groups.
  if (match.window)
    return cast<ContractOp>(match.ops.back()).getNumGroups();
  const Matrix &c = match.c;
  return cast<MemRefType>(c.buffer.getType()).getDimSize(*c.segmentAxis);
}

std::pair<MatrixSource, AffineMap>
mlir::pit::hopper::withoutBatches(MatrixSource source, AffineMap map,
                                  unsigned loop) {
  source.segmentAxis =
      map.getResultPosition(getAffineDimExpr(loop, map.getContext()));
  source.isBatched = source.segmentAxis.has_value();
  return {source,
          source.segmentAxis ? map.dropResult(*source.segmentAxis) : map};
}

std::pair<MatrixSource, AffineMap>
mlir::pit::hopper::resolveOnOutput(MatrixSource source, AffineMap map,
                                   const ContractionMatch &match) {
  if (!match.batched && !match.raggedK)
    return {source, map};
  const Matrix &c = match.c;
  std::tie(source, map) = withoutBatches(source, map, *c.segmentAxis);
  SmallVector<AffineExpr> dims(3, getAffineConstantExpr(0, map.getContext()));
  for (auto [number, axis] : llvm::enumerate(c.axes))
    dims[axis] = getAffineDimExpr(number, map.getContext());
  return {source, map.replaceDimsAndSymbols(dims, {}, 2, 0)};
}
