//===- StripBuffers.cpp - Bitmaps and lists of live micro-tiles -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StripBuffers.h"
#include "GPU/Host/Buffers.h"

#include "PIT/Dialect/PIT/IR/PITBitmap.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

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

Value mlir::pit::hopper::createBits(ImplicitLocOpBuilder &b,
                                    DetectIntoOp detection, unsigned along,
                                    int64_t behind) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(detection);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  SparseIndexType lists = detection.getIndexType();
  Value words = b.createOrFold<arith::CeilDivUIOp>(
      countMicroTiles(b, detection, along), constant(32));
  Value size = b.createOrFold<arith::MulIOp>(
      countMicroTiles(b, detection, 1 - along), words);
  if (behind != 0)
    size = b.createOrFold<arith::AddIOp>(size, constant(behind));
  Value bitmap = allocateBuffer(b, size, b.getI32Type());
  auto bits = SparseIndexType::get(b.getContext(), lists.getExtents(), along,
                                   lists.getTile(), lists.getWidth());
  DetectBitsIntoOp::create(
      b, detection.getSource(), detection.getBy(), detection.getExtents(),
      bitmap, detection.getPattern(), bits, detection.getRuleAttr());
  return bitmap;
}
