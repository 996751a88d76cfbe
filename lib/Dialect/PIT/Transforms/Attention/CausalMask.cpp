//===- CausalMask.cpp - Masks of what comes later -------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CausalMask.h"
#include "RegionValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

/// Whether a tensor holds 0, 1, 2, ...
static bool isNumbers(Value tensor) {
  auto op = tensor.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumLoops() != 1 || op.getNumDpsInputs() != 0 ||
      op.getNumDpsInits() != 1 || !op.getIndexingMapsArray()[0].isIdentity())
    return false;
  auto index = skipIndexCast(getYielded(*op.getBlock()))
                   .getDefiningOp<linalg::IndexOp>();
  return index && index->getBlock() == op.getBlock();
}

/// The axis whose number the argument of a region holds.
static std::optional<unsigned> getAxisOfNumbers(Value value, ValueRange inputs,
                                                ArrayRef<AffineMap> maps) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getArgNumber() >= inputs.size() ||
      !isNumbers(inputs[argument.getArgNumber()]))
    return std::nullopt;
  AffineMap map = maps[argument.getArgNumber()];
  if (map.getNumResults() != 1 || !isa<AffineDimExpr>(map.getResult(0)))
    return std::nullopt;
  return map.getDimPosition(0);
}

/// Whether `value` selects 0 or -inf by comparing the numbers of two axes, of
/// which `getAxis` gives the one that a value holds the number of.
static bool
isSelectByNumbers(Value value, Block &body, unsigned row, unsigned column,
                  function_ref<std::optional<unsigned>(Value)> getAxis) {
  auto select = getInside<arith::SelectOp>(value, body);
  if (!select)
    return false;
  auto compare = getInside<arith::CmpIOp>(select.getCondition(), body);
  if (!compare)
    return false;
  std::optional<unsigned> left = getAxis(skipIndexCast(compare.getLhs())),
                          right = getAxis(skipIndexCast(compare.getRhs()));
  arith::CmpIPredicate predicate = compare.getPredicate();
  if (left == column && right == row) {
    // `a <= b` is `b >= a`.
    std::swap(left, right);
    if (predicate == arith::CmpIPredicate::sle)
      predicate = arith::CmpIPredicate::sge;
    else if (predicate == arith::CmpIPredicate::sgt)
      predicate = arith::CmpIPredicate::slt;
    else
      return false;
  }
  if (left != row || right != column)
    return false;
  Value seen = select.getTrueValue(), hidden = select.getFalseValue();
  if (predicate == arith::CmpIPredicate::slt)
    std::swap(seen, hidden);
  else if (predicate != arith::CmpIPredicate::sge)
    return false;
  return matchPattern(seen, m_AnyZeroFloat()) &&
         matchPattern(hidden, m_NegInfFloat());
}

bool pit::isCausalMask(Value value, GenericOp op, unsigned row,
                       unsigned column) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  ValueRange inputs = op.getInputs();
  Block &body = op.getRegion().front();
  if (isSelectByNumbers(value, body, row, column, [&](Value number) {
        return getAxisOfNumbers(number, inputs, maps);
      }))
    return true;

  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &body ||
      argument.getArgNumber() >= inputs.size())
    return false;
  MLIRContext *context = op.getContext();
  AffineMap matrix = AffineMap::get(
      unsigned(op.getIteratorTypesArray().size()), 0,
      {getAffineDimExpr(row, context), getAffineDimExpr(column, context)},
      context);
  auto source =
      inputs[argument.getArgNumber()].getDefiningOp<linalg::GenericOp>();
  if (!source || maps[argument.getArgNumber()] != matrix ||
      source.getNumLoops() != 2 || source.getNumParallelLoops() != 2 ||
      source.getNumDpsInits() != 1)
    return false;
  SmallVector<AffineMap> sourceMaps = source.getIndexingMapsArray();
  if (!sourceMaps.back().isIdentity())
    return false;
  return isSelectByNumbers(
      getYielded(*source.getBlock()), *source.getBlock(),
      /*row=*/0, /*column=*/1, [&](Value number) -> std::optional<unsigned> {
        if (auto index = number.getDefiningOp<linalg::IndexOp>())
          return unsigned(index.getDim());
        return getAxisOfNumbers(number, source.getInputs(), sourceMaps);
      });
}
