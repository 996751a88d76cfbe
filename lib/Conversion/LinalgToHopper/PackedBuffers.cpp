//===- PackedBuffers.cpp - The host's side of packed micro-tiles ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedBuffers.h"

#include "PIT/Dialect/PIT/IR/PITPacked.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

PackedBuffers
mlir::pit::hopper::createPackedBuffers(ImplicitLocOpBuilder &b,
                                       const ContractionMatch &match) {
  DetectIntoOp detection = match.detection;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(detection);
  SparseIndexType index = detection.getIndexType();
  const int64_t stripRows = match.packed->rows,
                parts = llvm::divideCeil(match.k, kPackedPart);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  // A itself may come from behind the detection of a mask.
  Value rows = index.isDynamicExtent(0) ? detection.getExtents().front()
                                        : constant(index.getExtents()[0]);
  Value lists = b.createOrFold<arith::MulIOp>(
      b.createOrFold<arith::CeilDivUIOp>(rows, constant(stripRows)),
      constant(parts));
  auto allocate = [&](int64_t ofList, Type element) -> Value {
    Value size = b.createOrFold<arith::MulIOp>(lists, constant(ofList));
    SmallVector<Value> dynamic;
    SmallVector<int64_t> shape;
    dispatchIndexOpFoldResults(getAsOpFoldResult(size), dynamic, shape);
    return memref::AllocOp::create(b, MemRefType::get(shape, element), dynamic);
  };
  PackedBuffers buffers{
      allocate(1, b.getI32Type()), allocate(kPackedPart, b.getI32Type()),
      allocate(kPackedPart * stripRows, getElementTypeOrSelf(match.a.buffer)),
      parts};
  DetectPackedIntoOp::create(b, detection.getSource(), detection.getExtents(),
                             buffers.counts, buffers.coords, buffers.values,
                             detection.getPattern(), index,
                             detection.getRuleAttr());
  return buffers;
}
