//===- LengthsMask.cpp - Masks of what lies behind sequences --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LengthsMask.h"
#include "RegionValues.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

/// Whether elements inside of the sequences are known to be 0: a select by the
/// same comparison as the mark makes. The generic has axes (sequence,
/// position).
static bool isZeroInside(SparseOp mark) {
  auto source = mark.getSource().getDefiningOp<linalg::GenericOp>();
  if (!source || source.getNumDpsInputs() != 1 || source.getNumLoops() != 2 ||
      source.getDpsInputs()[0] != mark.getBy())
    return false;
  AffineMap map = source.getIndexingMapsArray()[0];
  AffineMap out = source.getIndexingMapsArray()[1];
  if (!out.isIdentity() || map.getNumResults() != 1 ||
      map.getResult(0) != getAffineDimExpr(0, mark.getContext()))
    return false;
  Block &body = *source.getBlock();
  auto select = getInside<arith::SelectOp>(getYielded(body), body);
  if (!select || !matchPattern(select.getTrueValue(), m_AnyZeroFloat()))
    return false;
  auto compare = getInside<arith::CmpIOp>(select.getCondition(), body);
  if (!compare)
    return false;
  auto isPosition = [&](Value value) {
    auto index = getInside<linalg::IndexOp>(skipIndexCast(value), body);
    return index && index.getDim() == 1;
  };
  auto isLength = [&](Value value) {
    return skipIndexCast(value) == body.getArgument(0);
  };
  auto isFirst = [&](Value value) {
    // The extent minus the length.
    auto first = getInside<arith::SubIOp>(value, body);
    APInt extent;
    auto type = cast<RankedTensorType>(mark.getType());
    return first && isLength(first.getRhs()) &&
           matchPattern(first.getLhs(), m_ConstantInt(&extent)) &&
           extent.getSExtValue() == type.getDimSize(1);
  };
  Value left = compare.getLhs(), right = compare.getRhs();
  auto predicate = compare.getPredicate();
  // Only the position on the left is looked for: `a < b` is `b > a`.
  if (!isPosition(left)) {
    std::swap(left, right);
    if (predicate == arith::CmpIPredicate::sgt)
      predicate = arith::CmpIPredicate::slt;
    else if (predicate == arith::CmpIPredicate::sle)
      predicate = arith::CmpIPredicate::sge;
    else
      return false;
  }
  if (mark.getPattern().getPad() == Padding::Right)
    return isPosition(left) && isLength(right) &&
           predicate == arith::CmpIPredicate::slt;
  return isPosition(left) && isFirst(right) &&
         predicate == arith::CmpIPredicate::sge;
}

bool pit::isLengthsMask(Value value, DetectOp detect) {
  auto mark = value.getDefiningOp<SparseOp>();
  if (!mark)
    return false;
  PatternAttr pattern = mark.getPattern(), rows = detect.getPattern();
  return pattern.getKind() == PatternKind::Lengths &&
         pattern.getAbsent() == Absent::NegInf &&
         mark.getBy() == detect.getBy() &&
         pattern.getAxes().asArrayRef() == ArrayRef<int64_t>{0, 1} &&
         pattern.getPad() == rows.getPad() &&
         cast<RankedTensorType>(mark.getType()).getRank() == 2 &&
         isZeroInside(mark);
}
