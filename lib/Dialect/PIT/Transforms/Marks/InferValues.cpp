//===- InferValues.cpp - Zeros of ReLU and the like in front of products --===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that computes max(x, 0) says that elements may be zero, and not how
// many. So the operand of the product behind it is marked by its values: what
// runs looks how much is live, and multiplies densely where that is much.
//
//===----------------------------------------------------------------------===//

#include "MarkedProducts.h"

#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"
#include "PIT/Dialect/PIT/Analysis/ZerosByChoice.h"
#include "PIT/Dialect/PIT/Transforms/NormalForm.h"
#include "PIT/Dialect/PIT/Transforms/Passes.h"
#include "PIT/Support/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITINFERVALUES
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

struct PITInferValues : pit::impl::PITInferValuesBase<PITInferValues> {
  using PITInferValuesBase::PITInferValuesBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (tile >= 0)
      return success();
    return emitError(UnknownLoc::get(context))
           << "pit-infer-values: 'tile' is " << tile.getValue()
           << ", and must be 0 or more";
  }
  void runOnOperation() override;

private:
  PropagationOptions getOptions() const;
  PatternAttr getPattern(OpOperand &operand, int64_t rows) const;
  SparseOp createMark(ArrayRef<OpOperand *> uses, int64_t rows);
  void markForCPU(ArrayRef<OpOperand *> uses);
  void markForGPU(ArrayRef<OpOperand *> uses);
};

} // namespace

static bool isWritten(SparseOp mark) {
  return !mark->hasAttr(kInferredMark) && !mark->hasAttr(kKeptMark);
}

/// The dimension of k of an operand of a product with one axis of k, which is
/// its only axis that is summed over; none for other ops.
static std::optional<int64_t> findDepth(OpOperand &operand) {
  auto op = cast<linalg::LinalgOp>(operand.getOwner());
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() != 1 ||
      op.getNumDpsInputs() != 2 || !op.isDpsInput(&operand) ||
      op.getDpsInputs()[0] == op.getDpsInputs()[1] ||
      llvm::is_contained(op.getStaticLoopRanges(), 0) ||
      !linalg::isaContractionOpInterface(op))
    return std::nullopt;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<unsigned> summed;
  op.getReductionDims(summed);
  for (auto [dim, expr] : llvm::enumerate(map.getResults()))
    if (cast<AffineDimExpr>(expr).getPosition() == summed.front())
      return dim;
  return std::nullopt;
}

/// The last dimension along which an operand has rows; none if it has one row.
static std::optional<int64_t> findRows(ArrayRef<int64_t> extents,
                                       int64_t depth) {
  for (int64_t dim = extents.size() - 1; dim >= 0; --dim)
    if (dim != depth && extents[dim] != 1)
      return dim;
  return std::nullopt;
}

PropagationOptions PITInferValues::getOptions() const {
  PropagationOptions options;
  options.finite = finite;
  options.strict = strict;
  options.regions = regions;
  return options;
}

/// Values along all dimensions with more than one place, `rows` along the last
/// one of rows together; no extents of micro-tiles if `rows` is 0.
PatternAttr PITInferValues::getPattern(OpOperand &operand, int64_t rows) const {
  auto type = cast<RankedTensorType>(operand.get().getType());
  int64_t depth = *findDepth(operand);
  std::optional<int64_t> dimOfRows = findRows(type.getShape(), depth);
  SmallVector<int64_t> axes, tile;
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    if (extent == 1 && int64_t(dim) != depth)
      continue;
    axes.push_back(dim);
    bool isRows = dimOfRows == int64_t(dim);
    tile.push_back(!isRows                         ? 1
                   : ShapedType::isDynamic(extent) ? rows
                                                   : std::min(rows, extent));
  }
  Builder builder(operand.getOwner()->getContext());
  return PatternAttr::get(
      builder.getContext(), PatternKind::Values,
      builder.getDenseI64ArrayAttr(axes), Absent::Zero, Padding::Right,
      rows == 0 ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(tile),
      /*atMost=*/0);
}

/// Marks one tensor for some of the products that read it: what else does sees
/// it as it was.
SparseOp PITInferValues::createMark(ArrayRef<OpOperand *> uses, int64_t rows) {
  Value value = uses.front()->get();
  OpBuilder builder(&getContext());
  builder.setInsertionPointAfterValue(value);
  auto mark = SparseOp::create(builder, value.getLoc(), value.getType(), value,
                               /*by=*/Value(), getPattern(*uses[0], rows));
  for (OpOperand *use : uses)
    use->set(mark.getResult());
  ++numMarks;
  return mark;
}

void PITInferValues::markForCPU(ArrayRef<OpOperand *> uses) {
  SparseOp mark = createMark(uses, tile);
  mark->setDiscardableAttr(kKeptMark, UnitAttr::get(&getContext()));
  remarks::passed(mark, remarks::kRules, "inferred mark")
      << "found: data says what is zero here, and a sample of it whether that "
         "is skipped";
}

/// Kernels of GPUs take matrices of 16 bits.
void PITInferValues::markForGPU(ArrayRef<OpOperand *> uses) {
  Value value = uses.front()->get();
  SmallVector<OpOperand *> taken;
  for (OpOperand *use : uses)
    if (succeeded(matchMarkedProduct(use->getOwner(), value)))
      taken.push_back(use);
    else
      remarks::missed(use->getOwner(), remarks::kRules, "zeros of data")
          << "not looked for"
          << remarks::reason("kernels that skip them take matrices of bf16 or "
                             "f16, rounded to 16 bits behind the sum, with "
                             "static k and columns");
  if (taken.empty())
    return;
  SparseOp mark = createMark(taken, /*rows=*/0);
  mark->setDiscardableAttr(kInferredMark, UnitAttr::get(&getContext()));
}

void PITInferValues::runOnOperation() {
  func::FuncOp func = getOperation();
  // Sums that may not be compacted have nothing to skip.
  if (func.isExternal() || strict || !finite)
    return;
  if (func.walk([](SparseOp mark) {
            return isWritten(mark) ? WalkResult::interrupt()
                                   : WalkResult::advance();
          })
          .wasInterrupted())
    return;
  llvm::MapVector<Value, SmallVector<OpOperand *>> found;
  {
    SparsityPropagation propagation(func, getOptions());
    func.walk([&](linalg::LinalgOp op) {
      if (op.getNumReductionLoops() == 0 || propagation.getRestriction(op))
        return;
      for (OpOperand *operand : op.getDpsInputOperands())
        if (findDepth(*operand) && holdsZerosByChoice(operand->get())) {
          found[operand->get()].push_back(operand);
          break;
        }
    });
  }
  for (auto &[value, uses] : found)
    if (tile > 0)
      markForCPU(uses);
    else
      markForGPU(uses);
}
