//===- MicroTileRuns.cpp - Listed micro-tiles on buffers ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MicroTileRuns.h"

#include "BufferizationModels.h"
#include "PIT/Dialect/PIT/IR/Views.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pit;

void mlir::pit::createRunLoop(OpBuilder &b, Location loc, SparseIndexType type,
                              Value index, Value first, Value size,
                              function_ref<void(const Run &)> body) {
  int64_t tile = type.getCoordinateTile();
  Value coords = CoordsOp::create(
      b, loc, getListType(type.getWidth(), b.getContext()), index);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value step = arith::ConstantIndexOp::create(b, loc, tile);
  auto loop = scf::ForOp::create(b, loc, zero, size, step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Run run{loop.getInductionVar(), Value(), b.getIndexAttr(1)};
  Value number = arith::AddIOp::create(b, loc, first, run.packed);
  if (tile != 1)
    number = arith::DivUIOp::create(b, loc, number, step);
  Value coordinate = memref::LoadOp::create(b, loc, coords, number);
  run.full = arith::IndexCastOp::create(b, loc, b.getIndexType(), coordinate);
  if (tile != 1) {
    run.full = arith::MulIOp::create(b, loc, run.full, step);
    Value rest = arith::SubIOp::create(b, loc, size, run.packed);
    run.size = arith::MinUIOp::create(b, loc, rest, step).getResult();
    int64_t extent = type.getExtents()[type.getCoordinate()];
    if (!ShapedType::isDynamic(extent) && extent % tile == 0)
      run.size = b.getIndexAttr(tile);
  }
  body(run);
}

Value mlir::pit::createSlab(OpBuilder &b, Location loc, Value buffer,
                            int64_t dim, Value position, OpFoldResult size) {
  int64_t rank = cast<MemRefType>(buffer.getType()).getRank();
  SmallVector<OpFoldResult> offsets(rank, b.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, loc, buffer);
  offsets[dim] = position;
  sizes[dim] = size;
  SmallVector<int64_t> dropped;
  if (getConstantIntValue(size) == 1)
    dropped.push_back(dim);
  return createView(b, loc, buffer, offsets, sizes, dropped);
}
