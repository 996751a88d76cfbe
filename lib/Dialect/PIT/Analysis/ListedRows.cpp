//===- ListedRows.cpp - Ops that kernels compute row by row ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Analysis/ListedRows.h"

#include "PIT/Analysis/OpWork.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::pit;

bool pit::isProduct(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInputs() < 2)
    return false;
  auto isElement = [&](Value factor) {
    return factor.getParentBlock() == op.getBlock();
  };
  return llvm::any_of(*op.getBlock(), [&](Operation &nested) {
    return isa<arith::MulFOp, arith::MulIOp, arith::AndIOp, math::FmaOp>(
               nested) &&
           llvm::all_of(nested.getOperands().take_front(2), isElement);
  });
}

bool pit::runsAlongRows(linalg::LinalgOp op, ArrayRef<int64_t> axes) {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  if (llvm::any_of(axes, [&](int64_t axis) {
        return kinds[axis] != utils::IteratorType::parallel;
      }))
    return false;
  SmallVector<int64_t> others;
  for (int64_t axis = 0, e = op.getNumLoops(); axis < e; ++axis)
    if (!llvm::is_contained(axes, axis))
      others.push_back(axis);
  unsigned factors = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!map.isProjectedPermutation())
      return false;
    SmallVector<int64_t> order;
    for (AffineExpr expr : map.getResults())
      order.push_back(cast<AffineDimExpr>(expr).getPosition());
    bool hasRows = order.size() >= axes.size() &&
                   ArrayRef(order).take_front(axes.size()) == axes;
    bool isShared = llvm::none_of(
        axes, [&](int64_t axis) { return map.isFunctionOfDim(axis); });
    if ((!hasRows && !isShared) || (!hasRows && op.isDpsInit(&operand)))
      return false;
    factors += hasRows && op.isDpsInput(&operand);
    if (isProduct(op))
      continue;
    ArrayRef<int64_t> columns(order);
    if (hasRows)
      columns = columns.drop_front(axes.size());
    if (!columns.empty() && columns != ArrayRef<int64_t>(others))
      return false;
  }
  return !isProduct(op) || factors == 1;
}

static constexpr double kOfMatrixUnits = 5e8, kOfThreads = 4e7;

std::optional<double>
mlir::pit::getFlopsPerMicrosecond(linalg::LinalgOp product) {
  Type multiplied = getOpWork(product).multiplied;
  if (!multiplied)
    return std::nullopt;
  bool isNarrow =
      multiplied.isIntOrFloat() && multiplied.getIntOrFloatBitWidth() <= 16;
  return isNarrow ? kOfMatrixUnits : kOfThreads;
}

std::optional<double>
mlir::pit::estimateMicroseconds(linalg::LinalgOp product) {
  std::optional<double> flops = getOpWork(product).flops.getNumber();
  std::optional<double> speed = getFlopsPerMicrosecond(product);
  return flops && speed ? std::optional(*flops / *speed) : std::nullopt;
}

double mlir::pit::getLeastMicroseconds(ArrayRef<linalg::LinalgOp> products,
                                       double least) {
  bool isSlow = products.size() == 1 &&
                getFlopsPerMicrosecond(products.front()) == kOfThreads;
  return isSlow ? 1.5 * least : least * products.size();
}
