//===- StripBuffers.cpp - What detections of strips write -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StripBuffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;

Value mlir::pit::hopper::countMicroTiles(ImplicitLocOpBuilder &b,
                                         DetectIntoOp detection, unsigned dim) {
  SparseIndexType index = detection.getIndexType();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  unsigned numDynamic = 0;
  for (unsigned before = 0; before < dim; ++before)
    numDynamic += index.isDynamicExtent(before);
  Value extent = index.isDynamicExtent(dim) ? detection.getExtents()[numDynamic]
                                            : constant(index.getExtents()[dim]);
  return b.createOrFold<arith::CeilDivUIOp>(extent,
                                            constant(index.getTile()[dim]));
}

Value mlir::pit::hopper::allocateBuffer(ImplicitLocOpBuilder &b, Value length,
                                        Type element) {
  SmallVector<Value> dynamic;
  SmallVector<int64_t> shape;
  dispatchIndexOpFoldResults(getAsOpFoldResult(length), dynamic, shape);
  return memref::AllocOp::create(b, MemRefType::get(shape, element), dynamic);
}
