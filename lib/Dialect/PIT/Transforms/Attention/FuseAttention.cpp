//===- FuseAttention.cpp - Recognise attention of padded sequences --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Level 2 has one op for each step: scores, mask, largest, exponential, sum,
// weight, product with the values. Rows are restricted to live positions there,
// columns are not: what makes padding not count is the mask. A row that is live
// has at least itself as a live column, so that the largest score is that of a
// live one, and columns of padding have the weight exp(-inf) = 0.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "CausalMask.h"
#include "LengthsMask.h"
#include "PIT/Dialect/PIT/IR/PITAttention.h"
#include "PIT/Support/Remarks.h"
#include "RegionValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITFUSEATTENTION
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

//===----------------------------------------------------------------------===//
// Regions and maps
//===----------------------------------------------------------------------===//

/// The op's one result is a sum of products of bf16 or f16 in f32, from zero.
static bool isProduct(GenericOp op) {
  if (op.getInputs().size() != 2 || op.getOutputs().size() != 1 ||
      !op.getFurtherIndexes().empty())
    return false;
  Block &body = op.getRegion().front();
  auto sum = getInside<arith::AddFOp>(getYielded(body), body);
  if (!sum || !sum.getType().isF32())
    return false;
  Value accumulator = body.getArgument(2);
  Value term = sum.getLhs() == accumulator   ? sum.getRhs()
               : sum.getRhs() == accumulator ? sum.getLhs()
                                             : Value();
  auto product = term ? getInside<arith::MulFOp>(term, body) : arith::MulFOp();
  if (!product)
    return false;
  bool seen[2] = {false, false};
  for (Value factor : {product.getLhs(), product.getRhs()}) {
    auto wide = getInside<arith::ExtFOp>(factor, body);
    auto argument =
        wide ? dyn_cast<BlockArgument>(wide.getIn()) : BlockArgument();
    if (!argument || argument.getArgNumber() > 1 ||
        (!argument.getType().isBF16() && !argument.getType().isF16()))
      return false;
    seen[argument.getArgNumber()] = true;
  }
  auto fill = op.getOutputs()[0].getDefiningOp<linalg::FillOp>();
  return seen[0] && seen[1] && fill &&
         matchPattern(fill.getInputs()[0], m_AnyZeroFloat());
}

/// The axes of an operand, in order; empty where there is anything else.
static SmallVector<unsigned> getAxes(AffineMap map) {
  SmallVector<unsigned> axes;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return {};
    axes.push_back(dim.getPosition());
  }
  return axes;
}

static AffineMap getMap(GenericOp op, unsigned operand) {
  return op.getIndexingMapsArray()[operand];
}

static bool isReduction(GenericOp op, unsigned axis) {
  return op.getIteratorTypesArray()[axis] == utils::IteratorType::reduction;
}

static GenericOp getOnlyUser(Value value) {
  return value.hasOneUse() ? dyn_cast<GenericOp>(*value.user_begin())
                           : GenericOp();
}

/// What `op` reduces its one input's last axis with, from a fill.
template <typename... Combiners>
static bool isRowReduction(GenericOp op, Value input) {
  if (!op || op.getInputs().size() != 1 || op.getInputs()[0] != input ||
      op.getOutputs().size() != 1 ||
      !op.getOutputs()[0].getDefiningOp<linalg::FillOp>())
    return false;
  AffineMap in = getMap(op, 0), out = getMap(op, 1);
  unsigned rank = in.getNumResults();
  Block &body = op.getRegion().front();
  Operation *combiner = getYielded(body).getDefiningOp();
  return in.isIdentity() && rank > 1 && isReduction(op, rank - 1) &&
         out == in.getMajorSubMap(rank - 1) && combiner &&
         isa<Combiners...>(combiner) &&
         llvm::all_of(combiner->getOperands(), llvm::IsaPred<BlockArgument>) &&
         combiner->getOperand(0) != combiner->getOperand(1);
}

/// Whether `op` computes each element from those of `wide`, as the first input,
/// and of `row`, which lacks the last axis.
static bool isWithRows(GenericOp op, Value wide, Value row) {
  if (!op || op.getInputs().size() != 2 || op.getOutputs().size() != 1 ||
      op.getInputs()[0] != wide || op.getInputs()[1] != row)
    return false;
  AffineMap in = getMap(op, 0);
  return in.isIdentity() && getMap(op, 2).isIdentity() &&
         getMap(op, 1) == in.getMajorSubMap(in.getNumResults() - 1) &&
         llvm::none_of(llvm::seq<unsigned>(0, in.getNumResults()),
                       [&](unsigned axis) { return isReduction(op, axis); });
}

//===----------------------------------------------------------------------===//
// The chain
//===----------------------------------------------------------------------===//

namespace {

class AttentionMatcher {
public:
  explicit AttentionMatcher(GenericOp scores) : scores(scores) {}

  bool match();
  void replace(RewriterBase &rewriter);

private:
  bool mayBeScores();
  bool matchScores();
  bool matchMasked();
  bool matchWeights();
  bool matchContext();
  Value getPacked(Value full);

  GenericOp scores, masked, weights, context, rounded;
  DetectOp detect;
  Value query, key, value;
  float scale = 1.0f;
  bool roundsScores = false, isCausal = false;
};

} // namespace

/// Rows that were scattered into zeros through the same list.
Value AttentionMatcher::getPacked(Value full) {
  auto write = full.getDefiningOp<SWriteOp>();
  if (!write || write.getIndex() != detect.getIndex() ||
      write.getMode() != WriteMode::Store ||
      ArrayRef<int64_t>(write.getDims()) != ArrayRef<int64_t>{0, 1} ||
      !write.getTile().empty())
    return {};
  auto fill = write.getDest().getDefiningOp<linalg::FillOp>();
  return fill && matchPattern(fill.getInputs()[0], m_AnyZeroFloat())
             ? write.getSource()
             : Value();
}

/// [b, i, h, e] times [b, j, h, e] over e, to [b, h, i, j].
bool AttentionMatcher::matchScores() {
  detect = scores.getIndex().getDefiningOp<DetectOp>();
  if (!detect || detect.getPattern().getKind() != PatternKind::Lengths ||
      !isProduct(scores))
    return false;
  SparseIndexType index = detect.getIndex().getType();
  if (index.getRank() != 2 || index.getCoordinate() != 1 ||
      llvm::any_of(index.getTile().asArrayRef(),
                   [](int64_t extent) { return extent != 1; }) ||
      index.isDynamicExtent(1))
    return false;
  SmallVector<unsigned> a = getAxes(getMap(scores, 0)),
                        b = getAxes(getMap(scores, 1)),
                        c = getAxes(getMap(scores, 2));
  if (a.size() != 4 || b.size() != 4 || c.size() != 4 ||
      scores.getIteratorTypesArray().size() != 5)
    return false;
  unsigned batch = scores.getIndexAxes()[0], i = scores.getIndexAxes()[1],
           h = a[2], e = a[3], j = b[1];
  if (a != SmallVector<unsigned>{batch, i, h, e} ||
      b != SmallVector<unsigned>{batch, j, h, e} ||
      c != SmallVector<unsigned>{batch, h, i, j} || !isReduction(scores, e) ||
      scores.getPacked() != ArrayRef<bool>{true, false, true})
    return false;
  query = scores.getInputs()[0];
  key = getPacked(scores.getInputs()[1]);
  if (!key || key.getType() != query.getType())
    return false;
  auto type = cast<RankedTensorType>(query.getType());
  return type.getRank() == 3 && !type.isDynamicDim(1) &&
         llvm::is_contained({32, 64, 128}, type.getDimSize(2));
}

/// Of the terms of a sum in f32, which may have been added in any order: adding
/// zeros and -inf gives the same in all of them.
static void collectTerms(Value value, Block &body,
                         SmallVectorImpl<Value> &terms) {
  auto sum = getInside<arith::AddFOp>(value, body);
  if (!sum || !sum.getType().isF32()) {
    terms.push_back(value);
    return;
  }
  collectTerms(sum.getLhs(), body, terms);
  collectTerms(sum.getRhs(), body, terms);
}

/// The mask is added to what follows from one score, and what tells later
/// positions from earlier ones may be.
bool AttentionMatcher::matchMasked() {
  masked = getOnlyUser(scores.getResult(0));
  if (!masked || masked.getIndex() != scores.getIndex() ||
      masked.getInputs().size() < 2 || masked.getOutputs().size() != 1 ||
      !masked.getFurtherIndexes().empty())
    return false;
  unsigned numInputs = masked.getInputs().size(), ofScores = 0;
  while (masked.getInputs()[ofScores] != scores.getResult(0))
    ++ofScores;
  AffineMap in = getMap(masked, ofScores);
  if (!in.isIdentity() || !getMap(masked, numInputs).isIdentity() ||
      in.getNumResults() != 4 ||
      masked.getIndexAxes() != ArrayRef<int64_t>{0, 2})
    return false;
  Block &body = masked.getRegion().front();
  SmallVector<Value> terms;
  collectTerms(getYielded(body), body, terms);
  Value score;
  bool isMasked = false;
  for (Value term : terms) {
    auto argument = dyn_cast<BlockArgument>(term);
    if (argument && argument.getArgNumber() < numInputs &&
        getAxes(getMap(masked, argument.getArgNumber())) ==
            SmallVector<unsigned>{0, 3} &&
        isLengthsMask(masked.getInputs()[argument.getArgNumber()], detect)) {
      if (isMasked)
        return false;
      isMasked = true;
    } else if (isCausalMask(term, masked, /*row=*/2, /*column=*/3)) {
      isCausal = true;
    } else if (score) {
      return false;
    } else {
      score = term;
    }
  }
  if (!isMasked || !score)
    return false;
  auto getConstant = [](Value value) -> std::optional<float> {
    APFloat constant(0.0f);
    if (!matchPattern(value, m_ConstantFloat(&constant)))
      return std::nullopt;
    return constant.convertToFloat();
  };
  if (auto product = getInside<arith::MulFOp>(score, body)) {
    std::optional<float> factor = getConstant(product.getRhs());
    score = product.getLhs();
    if (!factor) {
      factor = getConstant(product.getLhs());
      score = product.getRhs();
    }
    if (!factor)
      return false;
    scale = *factor;
  } else if (auto quotient = getInside<arith::DivFOp>(score, body)) {
    std::optional<float> divisor = getConstant(quotient.getRhs());
    APFloat inverse(0.0f);
    // Only where both give the same bits.
    if (!divisor || !APFloat(*divisor).getExactInverse(&inverse))
      return false;
    scale = inverse.convertToFloat();
    score = quotient.getLhs();
  }
  if (auto wide = getInside<arith::ExtFOp>(score, body)) {
    auto narrow = getInside<arith::TruncFOp>(wide.getIn(), body);
    Type element = cast<RankedTensorType>(query.getType()).getElementType();
    if (!narrow || narrow.getType() != element)
      return false;
    roundsScores = true;
    score = narrow.getIn();
  }
  return score == body.getArgument(ofScores);
}

bool AttentionMatcher::matchWeights() {
  Value logits = masked.getResult(0);
  GenericOp top, powers;
  if (!logits.hasNUses(2))
    return false;
  for (Operation *user : logits.getUsers()) {
    auto op = dyn_cast<GenericOp>(user);
    if (isRowReduction<arith::MaximumFOp, arith::MaxNumFOp>(op, logits))
      top = op;
    else
      powers = op;
  }
  if (!top || !powers || !top.getResult(0).hasOneUse() ||
      !isWithRows(powers, logits, top.getResult(0)))
    return false;
  auto start = top.getOutputs()[0].getDefiningOp<linalg::FillOp>();
  if (!matchPattern(start.getInputs()[0], m_NegInfFloat()))
    return false;
  Block &body = powers.getRegion().front();
  auto exp = getInside<math::ExpOp>(getYielded(body), body);
  auto difference =
      exp ? getInside<arith::SubFOp>(exp.getOperand(), body) : arith::SubFOp();
  if (!difference || difference.getLhs() != body.getArgument(0) ||
      difference.getRhs() != body.getArgument(1))
    return false;

  Value exponentials = powers.getResult(0);
  GenericOp total;
  if (!exponentials.hasNUses(2))
    return false;
  for (Operation *user : exponentials.getUsers()) {
    auto op = dyn_cast<GenericOp>(user);
    if (isRowReduction<arith::AddFOp>(op, exponentials))
      total = op;
    else
      weights = op;
  }
  if (!total || !weights || !total.getResult(0).hasOneUse() ||
      !isWithRows(weights, exponentials, total.getResult(0)))
    return false;
  auto zero = total.getOutputs()[0].getDefiningOp<linalg::FillOp>();
  if (!matchPattern(zero.getInputs()[0], m_AnyZeroFloat()))
    return false;
  Block &last = weights.getRegion().front();
  auto narrow = getInside<arith::TruncFOp>(getYielded(last), last);
  auto quotient =
      narrow ? getInside<arith::DivFOp>(narrow.getIn(), last) : arith::DivFOp();
  return quotient && quotient.getLhs() == last.getArgument(0) &&
         quotient.getRhs() == last.getArgument(1);
}

/// [b, h, i, j] times [b, j, h, e] over j, to [b, h, i, e], rounded.
bool AttentionMatcher::matchContext() {
  context = getOnlyUser(weights.getResult(0));
  if (!context || context.getIndex() != scores.getIndex() ||
      !isProduct(context) || context.getInputs()[0] != weights.getResult(0) ||
      context.getIteratorTypesArray().size() != 5)
    return false;
  SmallVector<unsigned> a = getAxes(getMap(context, 0)),
                        b = getAxes(getMap(context, 1)),
                        c = getAxes(getMap(context, 2));
  if (a.size() != 4 || b.size() != 4 || c.size() != 4)
    return false;
  unsigned batch = context.getIndexAxes()[0], i = context.getIndexAxes()[1],
           h = a[1], j = a[3], e = b[3];
  SmallVector<unsigned> byHeads{batch, h, i, e}, byRows{batch, i, h, e};
  if (a != SmallVector<unsigned>{batch, h, i, j} ||
      b != SmallVector<unsigned>{batch, j, h, e} ||
      (c != byHeads && c != byRows) || !isReduction(context, j) ||
      context.getPacked() != ArrayRef<bool>{true, false, true})
    return false;
  value = getPacked(context.getInputs()[1]);
  rounded = getOnlyUser(context.getResult(0));
  if (!value || value.getType() != query.getType() || !rounded ||
      rounded.getInputs().size() != 1 || rounded.getOutputs().size() != 1 ||
      !getMap(rounded, 0).isIdentity() || !getMap(rounded, 1).isIdentity())
    return false;
  Block &body = rounded.getRegion().front();
  auto narrow = getInside<arith::TruncFOp>(getYielded(body), body);
  return narrow && narrow.getIn() == body.getArgument(0) &&
         rounded.getResult(0).getType() == query.getType();
}

/// A product over lengths with batches and heads may be the scores of one.
bool AttentionMatcher::mayBeScores() {
  auto lengths = scores.getIndex().getDefiningOp<DetectOp>();
  return lengths && lengths.getPattern().getKind() == PatternKind::Lengths &&
         scores.getInputs().size() == 2 &&
         scores.getIteratorTypesArray().size() == 5 &&
         scores.getIteratorTypesArray().back() ==
             utils::IteratorType::reduction;
}

bool AttentionMatcher::match() {
  auto refuse = [&](StringRef reason) {
    remarks::missed(scores, remarks::kFusion, "attention")
        << "not the scores of a fused attention" << remarks::reason(reason);
    return false;
  };
  if (!matchScores())
    return mayBeScores() &&
           refuse("queries and keys must be bf16 or f16 with 32, 64 or 128 "
                  "elements per head, summed in f32 from zero, along one "
                  "index of lengths");
  if (!matchMasked())
    return refuse("the one op behind the scores must scale them and add the "
                  "mask of the lengths, and a causal one if there is one");
  if (!matchWeights())
    return refuse("behind the mask there is no softmax along rows that nothing "
                  "else reads, rounded to the inputs' type");
  return matchContext() ||
         refuse("the weights must be multiplied by values, and the result be "
                "rounded, by ops that alone read them");
}

void AttentionMatcher::replace(RewriterBase &rewriter) {
  rewriter.setInsertionPoint(rounded);
  Location loc = rounded.getLoc();
  auto offsetsType =
      RankedTensorType::get({ShapedType::kDynamic}, rewriter.getI64Type());
  Value offsets =
      OffsetsOp::create(rewriter, loc, offsetsType, detect.getIndex());
  auto type = cast<RankedTensorType>(query.getType());
  Value init = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, query),
      type.getElementType());
  SparseIndexType index = detect.getIndex().getType();
  auto attend = AttendSequencesOp::create(
      rewriter, loc, type, query, key, value, offsets, init,
      rewriter.getI64IntegerAttr(index.getExtents()[1]),
      rewriter.getF32FloatAttr(scale),
      roundsScores ? rewriter.getUnitAttr() : UnitAttr(),
      isCausal ? rewriter.getUnitAttr() : UnitAttr(),
      /*plan=*/AttentionPlanAttr());
  // The op itself is on the list of those that are still to be looked at.
  rewriter.replaceAllUsesWith(rounded.getResult(0), attend.getResult());
}

namespace {

struct PITFuseAttention : pit::impl::PITFuseAttentionBase<PITFuseAttention> {
  void runOnOperation() override {
    if (!getOperation().getBody().hasOneBlock())
      return;
    SmallVector<GenericOp> worklist;
    for (auto op : getOperation().getBody().front().getOps<GenericOp>())
      worklist.push_back(op);
    IRRewriter rewriter(&getContext());
    // What is replaced stays, unread, until the next cleanup.
    for (GenericOp op : worklist) {
      AttentionMatcher matcher(op);
      if (!matcher.match())
        continue;
      matcher.replace(rewriter);
      ++numFused;
    }
  }
};

} // namespace
