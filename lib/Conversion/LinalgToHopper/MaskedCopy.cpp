//===- MaskedCopy.cpp - A copy of A with zeros where it is dead -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MaskedCopy.h"
#include "DenseVariant.h"
#include "DescribeKernel.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

bool mlir::pit::hopper::multipliesCopy(const ContractionMatch &match) {
  return match.packed && DetectIntoOp(match.detection).getBy();
}

std::optional<double>
mlir::pit::hopper::getMostLiveBesideCopy(const ContractionMatch &match) {
  ProductShape shape = guessShape(match);
  const TileDatabase *database = TileDatabase::get("sm_90a", "bf16");
  if (!database || shape.getVolume() == 0)
    return std::nullopt;
  CostModel model(*database, shape);
  return 1 -
         *model.getBreakEvenWithCopy(model.getNearest({match.packed->rows, 1}));
}

Matrix mlir::pit::hopper::createCopyOfA(ImplicitLocOpBuilder &b,
                                        const ContractionMatch &match,
                                        Value values) {
  const int64_t rows = match.a.getDimSize(0), k = match.k;
  Value m =
      b.createOrFold<memref::DimOp>(match.a.buffer, int64_t(match.a.axes[0]));
  SmallVector<OpFoldResult> sizes{
      ShapedType::isDynamic(rows) ? OpFoldResult(m) : b.getIndexAttr(rows),
      b.getIndexAttr(k)};
  auto type =
      MemRefType::get({rows, k}, getElementTypeOrSelf(match.a.buffer),
                      StridedLayoutAttr::get(b.getContext(), 0, {k, 1}));
  Matrix copy;
  copy.buffer = memref::ReinterpretCastOp::create(
      b, type, values, b.getIndexAttr(0), sizes,
      getAsIndexOpFoldResult(b.getContext(), {k, 1}));
  copy.stride = k;
  return copy;
}
