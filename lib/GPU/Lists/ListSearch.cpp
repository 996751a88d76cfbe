//===- ListSearch.cpp - Where a position of a list belongs ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ListSearch.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::sums;

Value mlir::pit::sums::getExtent(HostMath &host, Value buffer, int64_t dim) {
  auto type = cast<MemRefType>(buffer.getType());
  if (!type.isDynamicDim(dim))
    return host.constant(type.getDimSize(dim));
  return memref::DimOp::create(host, buffer, dim);
}

Value mlir::pit::sums::getBase(HostMath &host, Value buffer) {
  return memref::ExtractStridedMetadataOp::create(host, buffer).getBaseBuffer();
}

bool mlir::pit::sums::hasPlainLists(Value index) {
  auto assemble = index.getDefiningOp<AssembleOp>();
  auto isPlain = [](Value list) {
    auto type = dyn_cast<MemRefType>(list.getType());
    return type && type.getLayout().isIdentity();
  };
  return assemble && isPlain(assemble.getOffsets()) &&
         isPlain(assemble.getCoords());
}

FailureOr<SourceLists> mlir::pit::sums::getLists(Value index, HostMath &host) {
  if (!hasPlainLists(index))
    return failure();
  auto assemble = index.getDefiningOp<AssembleOp>();
  SparseIndexType type = cast<IndexBufferType>(index.getType()).getIndex();
  SourceLists lists;
  lists.width = type.getWidth();
  lists.offsets = getBase(host, assemble.getOffsets());
  lists.coords = getBase(host, assemble.getCoords());
  unsigned dynamic = 0;
  lists.numSegments = host.constant(1);
  for (auto [dim, extent] : llvm::enumerate(type.getExtents().asArrayRef())) {
    Value size = ShapedType::isDynamic(extent)
                     ? assemble.getExtents()[dynamic++]
                     : host.constant(extent);
    if (int64_t(dim) != type.getCoordinate())
      lists.numSegments =
          host.mul(lists.numSegments, host.ceilDiv(size, type.getTile()[dim]));
  }
  return lists;
}

Value mlir::pit::sums::loadOffset(Kernel &b, Value offsets, Value i) {
  return b.load(b.element(b.pointer(offsets), i, 8), b.getI64Type(), 8);
}

Value mlir::pit::sums::loadCoordinate(Kernel &b, const SourceLists &lists,
                                      Value position) {
  int64_t bytes = lists.width / 8;
  return b.extend(b.load(b.element(b.pointer(lists.coords), position, bytes),
                         b.getIntegerType(lists.width), bytes));
}

Value mlir::pit::sums::findSegment(Kernel &b, const SourceLists &lists,
                                   Value position) {
  if (detect::getKnown(lists.numSegments) == 1)
    return b.i32(0);
  // The last segment that does not start behind the position; it is not empty.
  auto isOpen = [&](ValueRange bounds) {
    return b.isLess(b.add(bounds[0], 1), bounds[1]);
  };
  SmallVector<Value> found = b.whileLoop(
      {b.i32(0), b.number(lists.numSegments)},
      [&](ValueRange bounds) {
        return std::make_pair(isOpen(bounds), SmallVector<Value>(bounds));
      },
      [&](ValueRange bounds) {
        Value middle = b.shiftRight(b.add(bounds[0], bounds[1]), b.i32(1));
        Value start = loadOffset(b, lists.offsets, middle);
        Value isBehind = b.compare(arith::CmpIPredicate::ugt, start, position);
        return SmallVector<Value>{b.select(isBehind, bounds[0], middle),
                                  b.select(isBehind, middle, bounds[1])};
      });
  return found[0];
}

std::pair<Value, Value>
mlir::pit::sums::loadPositions(Kernel &b, const SourceLists &lists) {
  Value end = loadOffset(b, lists.offsets, b.number(lists.numSegments));
  bool isOneList = detect::getKnown(lists.numSegments) == 1;
  return {isOneList ? b.i64(0) : loadOffset(b, lists.offsets, b.i32(0)), end};
}

void mlir::pit::sums::forAll(Kernel &b, Value begin, Value end,
                             function_ref<void(Value)> body) {
  Value numThreads = b.i64(b.getNumThreads());
  Value first =
      b.add(b.mul(b.extend(b.blockId()), numThreads), b.extend(b.threadId()));
  b.forLoop(b.add(begin, first), end, b.mul(b.extend(b.gridSize()), numThreads),
            {}, [&](Value i, ValueRange) {
              body(i);
              return SmallVector<Value>();
            });
}
