//===- ReductionParts.cpp - Parts of a reduction, and what joins them -----===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReductionAccess.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;
using mlir::pit::detect::HostMath;

Value mlir::pit::rows::countParts(const Reduction &reduction, RowPlanAttr plan,
                                  HostMath &host) {
  // More would take the kernel that combines them longer than they gain; and
  // what a block has read after so many rounds of loads is not worth a second
  // kernel.
  constexpr int64_t kMostParts = 1024, kRoundsOfPart = 2, kFewRounds = 8;
  Parts none;
  ReductionAccess access(reduction, plan.getVector(), none, host);
  // How many positions are taken at a time, and how many parts may run at a
  // time of one result each; half of the blocks are enough for the memory.
  int64_t lanes = plan.getRows(), atOnce = plan.getMaxBlocks();
  Value units = access.countPoints(reduction.points);
  if (reduction.isAlongInner) {
    lanes = plan.getThreadsOfRow();
    atOnce *= plan.getRows();
  } else {
    Value columns = access.getExtent(reduction.getInner());
    units = host.mul(
        access.countPoints(ArrayRef(reduction.points).drop_back()),
        host.ceilDiv(columns, plan.getThreadsOfRow() * plan.getVector()));
  }
  Value one = host.constant(1), positions = access.countPositions();
  int64_t round = lanes * plan.getUnroll();
  if (std::optional<int64_t> known = detect::getKnown(positions);
      known && *known <= kFewRounds * round)
    return one;
  Value parts = host.ceilDiv(host.constant(std::max<int64_t>(1, atOnce / 2)),
                             host.max(units, one));
  parts = host.min(parts, host.ceilDiv(positions, kRoundsOfPart * round));
  return host.max(host.min(parts, host.constant(kMostParts)), one);
}

linalg::GenericOp mlir::pit::rows::createCombinationOfParts(
    const Reduction &reduction, const Parts &parts, OpBuilder &builder) {
  linalg::LinalgOp op = reduction.op;
  Location loc = op.getLoc();
  MLIRContext *context = builder.getContext();
  // Loops are the points' in their order, and the part last.
  unsigned numPoints = reduction.points.size();
  SmallVector<AffineExpr> ofPart;
  for (unsigned i = 0; i < numPoints; ++i)
    ofPart.push_back(builder.getAffineDimExpr(i));
  ofPart.insert(parts.isFirst ? ofPart.begin() : ofPart.end(),
                builder.getAffineDimExpr(numPoints));
  AffineMap partMap = AffineMap::get(numPoints + 1, 0, ofPart, context);
  SmallVector<AffineMap> maps(parts.buffers.size(), partMap);
  SmallVector<AffineExpr> renumbered(op.getNumLoops());
  for (unsigned loop : reduction.reductions)
    renumbered[loop] = builder.getAffineDimExpr(numPoints);
  for (auto [i, loop] : llvm::enumerate(reduction.points))
    renumbered[loop] = builder.getAffineDimExpr(i);
  for (OpOperand &init : op.getDpsInitsMutable())
    maps.push_back(op.getMatchingIndexingMap(&init).replaceDimsAndSymbols(
        renumbered, {}, numPoints + 1, 0));
  SmallVector<utils::IteratorType> kinds(numPoints,
                                         utils::IteratorType::parallel);
  kinds.push_back(utils::IteratorType::reduction);
  return linalg::GenericOp::create(
      builder, loc, parts.buffers, op.getDpsInits(), maps, kinds,
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        unsigned count = parts.buffers.size();
        linalg::YieldOp::create(
            b, loc,
            reduction.combiner.append(b, loc, arguments.drop_front(count),
                                      arguments.take_front(count)));
      });
}

SmallVector<Value> mlir::pit::rows::allocateParts(const Reduction &reduction,
                                                  Value count, bool isFirst,
                                                  HostMath &host) {
  Parts none;
  ReductionAccess access(reduction, /*vector=*/1, none, host);
  SmallVector<OpFoldResult> sizes;
  for (unsigned loop : reduction.points)
    sizes.push_back(access.getExtent(loop));
  sizes.insert(isFirst ? sizes.begin() : sizes.end(), OpFoldResult(count));
  SmallVector<Value> dynamic;
  SmallVector<int64_t> shape;
  for (OpFoldResult &size : sizes)
    size = getAsOpFoldResult(cast<Value>(size));
  dispatchIndexOpFoldResults(sizes, dynamic, shape);
  return llvm::map_to_vector(access.getResultTypes(), [&](Type type) -> Value {
    return memref::AllocOp::create(host, MemRefType::get(shape, type), dynamic);
  });
}
