//===- AddChosenRows.cpp - Sums of rows by where a number sends them ------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The gradient of an embedding, written dense, has for each row of the result a
// sum over all tokens of those whose number is that of the row. So has the
// dispatch of tokens to experts with a capacity. Each token is in a few of the
// sums at most, and is added there, in the order in which the sums are written.
//
//===----------------------------------------------------------------------===//

#include "PlaceValues.h"
#include "RowAdders.h"

#include "PIT/Dialect/PIT/Analysis/ListedRows.h"
#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/Transforms/Passes.h"
#include "PIT/Support/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITADDCHOSENROWS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {
/// The loops of the result of a sum, by what they number.
struct ResultLoops {
  /// In the order of the result.
  SmallVector<unsigned> all, rows, columns;
};
} // namespace

/// None unless the sum is over tokens, all of which are sent somewhere.
static std::optional<ResultLoops> getLoops(const ChosenPlaces &chosen) {
  linalg::GenericOp op = chosen.op;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  if (!map.isProjectedPermutation() ||
      map.getNumResults() + reductions.size() != op.getNumLoops() ||
      !llvm::all_of(reductions, [&](unsigned loop) {
        return llvm::is_contained(chosen.choosers, loop);
      }))
    return std::nullopt;
  ResultLoops loops;
  for (AffineExpr result : map.getResults()) {
    unsigned loop = cast<AffineDimExpr>(result).getPosition();
    loops.all.push_back(loop);
    bool isRow = llvm::is_contained(chosen.dims, loop) ||
                 llvm::is_contained(chosen.choosers, loop);
    (isRow ? loops.rows : loops.columns).push_back(loop);
  }
  return loops;
}

/// Whether a token's term is a row, and not a product of two with columns of
/// their own: those are matrices, and for matrix units.
static bool addsRows(const ChosenPlaces &chosen, const ResultLoops &loops) {
  linalg::GenericOp op = chosen.op;
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (runsAlongAny(op, operand, chosen.dims) &&
        !map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return false;
    bool isOfTokens = runsAlongAny(op, operand, chosen.choosers) ||
                      runsAlongAny(op, operand, chosen.dims);
    return !isOfTokens || !runsAlongAny(op, operand, loops.columns) ||
           llvm::all_of(loops.columns, [&](unsigned loop) {
             return map.isFunctionOfDim(loop);
           });
  });
}

/// Whether lists take less time than the sum as it is written. A row's tokens
/// are added one after the other, and all may go to one row: that should not
/// take much longer, either. Of tokens that go to a row and a column of rows,
/// as experts and their slots, few go to the same.
static bool isForLists(linalg::GenericOp op, const ChosenPlaces &chosen,
                       const ResultLoops &loops) {
  // Elements of the result for each token: what a token's row takes (.1 us, an
  // estimate) is their time by wgmma, by threads that multiply, and by a
  // reduction, which reads them all.
  constexpr int64_t kByMatrixUnits = 40'000'000, kByThreads = 2'500'000,
                    kByReduction = 500'000;
  // A product with few rows reads each token once, as well; from this number
  // on, matrix units multiply for longer than they read.
  constexpr int64_t kRowsOfHalves = 256, kRowsOfFloats = 32;
  Type element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  // Kernels are launched from the top of a function.
  auto function = dyn_cast<func::FuncOp>(op->getParentOp());
  if (!function || !function.getBody().hasOneBlock() || loops.columns.empty() ||
      !element.isIntOrFloat() || element.getIntOrFloatBitWidth() < 16)
    return false;
  linalg::GenericOp copy = chosen.op;
  SmallVector<int64_t> extents = copy.getStaticLoopRanges();
  auto count = [&](ArrayRef<unsigned> of) -> std::optional<int64_t> {
    int64_t product = 1;
    for (unsigned loop : of) {
      if (ShapedType::isDynamic(extents[loop]))
        return std::nullopt;
      product =
          llvm::SaturatingMultiply(uint64_t(product), uint64_t(extents[loop]));
    }
    return product;
  };
  std::optional<int64_t> numRows = count(loops.rows),
                         elements = count(loops.all);
  if (!numRows || !elements)
    return true;
  bool isOfHalves = llvm::all_of(op.getInputs(), [](Value input) {
    Type type = getElementTypeOrSelf(input.getType());
    return type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 16;
  });
  if (chosen.dims.size() > 1)
    return *numRows >= (isOfHalves ? kRowsOfHalves : kRowsOfFloats);
  return *elements >= (!isProduct(op) ? kByReduction
                       : isOfHalves   ? kByMatrixUnits
                                      : kByThreads);
}

//===----------------------------------------------------------------------===//
// Two dimensions
//===----------------------------------------------------------------------===//

/// A tensor whose first `numRows` dimensions are one, and so are all others;
/// none of either is one of extent 1.
static Value makeTwoDims(OpBuilder &builder, Location loc, Value tensor,
                         size_t numRows) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto rank = size_t(type.getRank());
  SmallVector<ReassociationIndices> groups(1);
  for (size_t dim = 0; dim < rank; ++dim) {
    if (dim == numRows)
      groups.emplace_back();
    groups.back().push_back(int64_t(dim));
  }
  if (groups.size() < rank)
    tensor = tensor::CollapseShapeOp::create(builder, loc, tensor, groups);
  if (numRows < rank)
    return tensor;
  OpFoldResult extent = tensor::getMixedSize(builder, loc, tensor, 0);
  auto wide = RankedTensorType::get(
      {cast<RankedTensorType>(tensor.getType()).getDimSize(0), 1},
      type.getElementType());
  return tensor::ExpandShapeOp::create(
      builder, loc, wide, tensor, ArrayRef<ReassociationIndices>{{0, 1}},
      ArrayRef<OpFoldResult>{extent, builder.getIndexAttr(1)});
}

/// The inverse of that.
static Value splitDims(OpBuilder &builder, Location loc, Value tensor,
                       RankedTensorType type, ArrayRef<OpFoldResult> sizes,
                       size_t numRows) {
  auto rank = size_t(type.getRank());
  if (numRows == rank) {
    tensor = tensor::CollapseShapeOp::create(
        builder, loc, tensor, ArrayRef<ReassociationIndices>{{0, 1}});
    if (rank == 1)
      return tensor;
  } else if (rank == 2) {
    return tensor;
  }
  SmallVector<ReassociationIndices> groups(1);
  for (size_t dim = 0; dim < rank; ++dim) {
    if (dim == numRows)
      groups.emplace_back();
    groups.back().push_back(int64_t(dim));
  }
  return tensor::ExpandShapeOp::create(builder, loc, type, tensor, groups,
                                       sizes);
}

//===----------------------------------------------------------------------===//
// The sum
//===----------------------------------------------------------------------===//

namespace {
class SumRewriter {
public:
  SumRewriter(RewriterBase &rewriter, linalg::GenericOp op,
              const ChosenPlaces &chosen, const ResultLoops &loops, bool lists,
              bool finite)
      : rewriter(rewriter), op(op), chosen(chosen), loops(loops), lists(lists),
        finite(finite), loc(op.getLoc()) {}
  Value run();

private:
  Value addPlace(unsigned place, Value sums);
  Value computeTerms(PlaceValues &values);
  Value transpose(Value tensor, ArrayRef<unsigned> from, ArrayRef<unsigned> to);

  RewriterBase &rewriter;
  linalg::GenericOp op;
  const ChosenPlaces &chosen;
  const ResultLoops &loops;
  bool lists, finite;
  Location loc;
};
} // namespace

/// Adds what has been sent to one place by each token.
Value SumRewriter::addPlace(unsigned place, Value sums) {
  PlaceValues values(rewriter, chosen, place);
  Value numbers = values.computeRows(loops.rows, finite);
  rewriter.setInsertionPoint(chosen.op);
  size_t numTokens = chosen.choosers.size();
  auto makeOneDim = [&](Value tensor, size_t count) -> Value {
    if (count < 2)
      return tensor;
    SmallVector<ReassociationIndices> group(1);
    for (size_t dim = 0; dim < count; ++dim)
      group[0].push_back(int64_t(dim));
    return tensor::CollapseShapeOp::create(rewriter, loc, tensor, group);
  };
  AddedRows rows{loc, makeOneDim(numbers, numTokens), sums, {}, {}};
  auto emitTerm = [&](OpBuilder &b, Location, ValueRange elements) {
    return values.emitTerm(b, elements);
  };
  auto keepTerm = [](OpBuilder &, Location, ValueRange elements) {
    return elements[0];
  };
  // A sum over a list needs an input that has as many rows.
  auto inputs = values.getInputs(loops.columns);
  if (inputs && !loops.columns.empty() &&
      llvm::any_of(*inputs, [](const PlaceValues::Input &input) {
        return input.ofChoosers;
      })) {
    for (const PlaceValues::Input &input : *inputs)
      rows.inputs.push_back(
          {input.ofChoosers && input.ofColumns
               ? makeTwoDims(rewriter, loc, input.tensor, numTokens)
               : makeOneDim(input.tensor, input.ofChoosers
                                              ? numTokens
                                              : loops.columns.size()),
           input.ofChoosers, input.ofColumns});
    rows.emitTerm = emitTerm;
    return lists ? addRowsByLists(rewriter, rows)
                 : addRowsByLoop(rewriter, rows);
  }
  Value terms = computeTerms(values);
  rows.inputs.push_back(
      {makeTwoDims(rewriter, loc, terms, numTokens), true, true});
  rows.emitTerm = keepTerm;
  return lists ? addRowsByLists(rewriter, rows) : addRowsByLoop(rewriter, rows);
}

/// All terms, tokens x columns.
Value SumRewriter::computeTerms(PlaceValues &values) {
  SmallVector<unsigned> ofTerms(chosen.choosers);
  llvm::append_range(ofTerms, loops.columns);
  rewriter.setInsertionPoint(chosen.op);
  SmallVector<OpFoldResult> all = getLoopExtents(rewriter, chosen.op), sizes;
  for (unsigned loop : ofTerms)
    sizes.push_back(all[loop]);
  Value init =
      tensor::EmptyOp::create(rewriter, loc, sizes, values.getTermType());
  Value terms = values.computeTerm(
      ofTerms, init, /*asksIfThere=*/false,
      [](OpBuilder &, Location, Value term, Value, Value) { return term; });
  rewriter.setInsertionPoint(chosen.op);
  return terms;
}

/// The tensor with its dimensions as in `to`, which has it as in `from`.
Value SumRewriter::transpose(Value tensor, ArrayRef<unsigned> from,
                             ArrayRef<unsigned> to) {
  SmallVector<OpFoldResult> all = getLoopExtents(rewriter, chosen.op), sizes;
  SmallVector<int64_t> permutation;
  for (unsigned loop : to) {
    sizes.push_back(all[loop]);
    permutation.push_back(llvm::find(from, loop) - from.begin());
  }
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes,
                                        getElementTypeOrSelf(tensor.getType()));
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    return linalg::FillOp::create(rewriter, loc, fill.getInputs()[0], empty)
        .getResult(0);
  return linalg::TransposeOp::create(rewriter, loc, tensor, empty, permutation)
      ->getResult(0);
}

Value SumRewriter::run() {
  rewriter.setInsertionPoint(chosen.op);
  SmallVector<unsigned> rowsFirst(loops.rows);
  llvm::append_range(rowsFirst, loops.columns);
  bool areFirst = rowsFirst == loops.all;
  Value start = op.getDpsInits()[0];
  if (!areFirst)
    start = transpose(start, loops.all, rowsFirst);
  auto type = cast<RankedTensorType>(start.getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, start);
  Value sums = makeTwoDims(rewriter, loc, start, loops.rows.size());
  for (unsigned place = 0; place < chosen.places.size(); ++place)
    sums = addPlace(place, sums);
  sums = splitDims(rewriter, loc, sums, type, sizes, loops.rows.size());
  return areFirst ? sums : transpose(sums, rowsFirst, loops.all);
}

static bool rewrite(RewriterBase &rewriter, linalg::GenericOp op, bool lists,
                    bool finite) {
  std::optional<ChosenPlaces> chosen =
      findChosenPlaces(rewriter, op, utils::IteratorType::parallel, finite);
  if (!chosen)
    return false;
  std::optional<ResultLoops> loops = getLoops(*chosen);
  bool isAdded = loops && addsRows(*chosen, *loops) &&
                 (!lists || isForLists(op, *chosen, *loops));
  if (isAdded) {
    Value added =
        SumRewriter(rewriter, op, *chosen, *loops, lists, finite).run();
    remarks::passed(op, remarks::kRules, "sums of chosen rows")
        << "adds each row to the one that its number says";
    rewriter.replaceOp(op, added);
  }
  rewriter.eraseOp(chosen->op);
  return isAdded;
}

namespace {

struct PITAddChosenRows : pit::impl::PITAddChosenRowsBase<PITAddChosenRows> {
  using PITAddChosenRowsBase::PITAddChosenRowsBase;

  void runOnOperation() override {
    rewriteSums(getOperation(),
                [&](RewriterBase &rewriter, linalg::GenericOp op) {
                  bool isAdded = rewrite(rewriter, op, lists, finite);
                  numSums += unsigned(isAdded);
                  return isAdded;
                });
  }
};

} // namespace
