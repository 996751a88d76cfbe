//===- StridedCopies.cpp - Gathers of columns -----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StridedCopies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

void mlir::pit::interchangeStridedCopies(scf::ForOp loop) {
  if (loop.getNumResults() != 0)
    return;
  memref::CopyOp copy;
  for (Operation &nested : loop.getBody()->without_terminator()) {
    if (auto found = dyn_cast<memref::CopyOp>(nested)) {
      if (copy)
        return;
      copy = found;
      continue;
    }
    bool isCoordinate =
        isa<memref::LoadOp>(nested) &&
        isa<IntegerType, IndexType>(nested.getResult(0).getType());
    if (!isCoordinate && !isMemoryEffectFree(&nested))
      return;
  }
  if (!copy)
    return;
  auto source = dyn_cast<MemRefType>(copy.getSource().getType());
  auto dest = dyn_cast<MemRefType>(copy.getTarget().getType());
  if (!source || !dest || dest.getRank() == 0 || !dest.hasStaticShape() ||
      isa<IntegerType, IndexType>(dest.getElementType()))
    return;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(dest.getStridesAndOffset(strides, offset)) ||
      llvm::is_contained(strides, 1))
    return;

  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0),
        one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> indices;
  for (int64_t extent : dest.getShape()) {
    Value size = arith::ConstantIndexOp::create(builder, loc, extent);
    auto outer = scf::ForOp::create(builder, loc, zero, size, one);
    indices.push_back(outer.getInductionVar());
    builder.setInsertionPointToStart(outer.getBody());
  }
  loop->moveBefore(builder.getInsertionBlock()->getTerminator());
  builder.setInsertionPoint(copy);
  Value value = memref::LoadOp::create(builder, loc, copy.getSource(), indices);
  memref::StoreOp::create(builder, loc, value, copy.getTarget(), indices);
  copy.erase();
}
