//===- CreateAlternatives.cpp - Dense versions for short inputs -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product whose tiles a GPU computes all at once takes as long with half of
// its rows. The lists of these rows take some microseconds, and so does each
// kernel that follows them. Where extents are known, such products stay dense
// (KeepDense.cpp of LinalgToPIT); here they are known when the program runs.
//
// The whole function gets a version, not each product: what is between
// products, and what lists need in front of them, is then fused as in any dense
// program.
//
//===----------------------------------------------------------------------===//

#include "LowerSparse.h"

#include "PIT/Analysis/OpWork.h"
#include "PIT/Dialect/PIT/Analysis/ListedRows.h"
#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"
#include "PIT/Dialect/PIT/IR/PITAttention.h"
#include "PIT/Dialect/PIT/IR/PITLaunch.h"
#include "PIT/Dialect/PIT/Transforms/Passes.h"
#include "PIT/Support/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITCREATEALTERNATIVES
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

/// The restricted products of one pattern, and whether a row of it has few live
/// points, as one of a gate has.
struct Followers {
  SmallVector<linalg::LinalgOp> ops;
  bool hasFewPoints = false;
};

/// By the patterns of marks.
using ProductsOfPatterns = llvm::MapVector<unsigned, Followers>;

/// Units of time of the condition, which the host computes in integers.
constexpr double kUnitsPerMicrosecond = 1e9;

struct PITCreateAlternatives
    : pit::impl::PITCreateAlternativesBase<PITCreateAlternatives> {
  using PITCreateAlternativesBase::PITCreateAlternativesBase;

  void runOnOperation() override {
    if (least <= 0)
      return;
    SymbolTable symbols(getOperation());
    auto functions = llvm::to_vector(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions)
      if (function.isPublic() && !function.isExternal())
        createAlternative(function, symbols);
  }

  ProductsOfPatterns findProducts(func::FuncOp function) const;
  Value createCondition(OpBuilder &builder,
                        const ProductsOfPatterns &products) const;
  void createAlternative(func::FuncOp function, SymbolTable &symbols);
};

} // namespace

/// What keeps a function from having a version of its own; empty if nothing.
static StringRef findObstacle(func::FuncOp function) {
  for (Operation &op : function.getBody().front()) {
    if (isa<AttendOp, AttendBackwardOp>(op))
      return "the function has attention, which skips by itself";
    if (isa<HostLoopOp, CallOpInterface, RegionBranchOpInterface>(op))
      return "the function has loops, branches or calls";
  }
  return "";
}

static void reportNone(func::FuncOp function, StringRef why) {
  remarks::missed(function, remarks::kSelection, "alternative")
      << "short inputs are listed, too" << remarks::reason(why);
}

static bool hasDynamicMarks(func::FuncOp function) {
  return llvm::any_of(
      function.getBody().front().getOps<SparseOp>(), [](SparseOp mark) {
        return !cast<RankedTensorType>(mark.getType()).hasStaticShape();
      });
}

/// Whether there are kernels that compute it densely.
static bool isContraction(linalg::LinalgOp op) {
  return op.getNumDpsInputs() == 2 &&
         succeeded(linalg::inferContractionDims(op));
}

/// Those that an alternative serves; none if one product is no such.
ProductsOfPatterns
PITCreateAlternatives::findProducts(func::FuncOp function) const {
  SparsityPropagation propagation(function,
                                  PropagationOptions{finite, strict, regions});
  ProductsOfPatterns products;
  unsigned count = 0;
  for (auto op : function.getBody().front().getOps<linalg::LinalgOp>()) {
    const Restriction *restriction = propagation.getRestriction(op);
    if (!restriction || !isProduct(op))
      continue;
    unsigned root = propagation.getRoot(restriction->pattern);
    PatternAttr pattern = propagation.getPatterns()[root].attr;
    bool hasFewPoints =
        pattern.getKind() == PatternKind::Routing || pattern.hasBound();
    if (++count > most || !isContraction(op) ||
        (!hasFewPoints && !runsAlongRows(op, restriction->axes)))
      return {};
    Followers &followers = products[root];
    followers.ops.push_back(op);
    followers.hasFewPoints = hasFewPoints;
  }
  return products;
}

/// The extent of a loop, computed from those of the function's arguments.
static FailureOr<OpFoldResult>
createExtent(OpBuilder &builder, linalg::LinalgOp op, unsigned loop) {
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (auto axis = dyn_cast<AffineDimExpr>(expr);
          axis && axis.getPosition() == loop)
        return arith::reifyShapedValueDimBound(
            builder, op.getLoc(), presburger::BoundType::EQ, operand.get(),
            int64_t(dim),
            [](Value value, std::optional<int64_t>,
               ValueBoundsConstraintSet &) {
              return isa<BlockArgument>(value);
            });
  }
  return failure();
}

/// The time of a product, in units. Null where an extent does not follow from
/// arguments.
static Value createTime(OpBuilder &builder, linalg::LinalgOp op) {
  std::optional<double> speed = getFlopsPerMicrosecond(op);
  if (!speed)
    return Value();
  Location loc = op.getLoc();
  Value time = arith::ConstantIndexOp::create(builder, loc, 0);
  OpWork work = getOpWork(op);
  for (const auto &[axes, factor] : work.flops.getTerms()) {
    double units = kUnitsPerMicrosecond * factor / *speed;
    Value term = arith::ConstantIndexOp::create(builder, loc, int64_t(units));
    for (unsigned axis : axes) {
      FailureOr<OpFoldResult> extent = createExtent(builder, op, axis);
      if (failed(extent))
        return Value();
      term = arith::MulIOp::create(
          builder, loc, getValueOrCreateConstantIndexOp(builder, loc, *extent),
          term);
    }
    time = arith::AddIOp::create(builder, loc, time, term);
  }
  return time;
}

/// The time in which matrices are read that all rows share, in microseconds.
static double getTimeOfMatrices(linalg::LinalgOp op) {
  constexpr double kBytesPerMicrosecond = 4e6;
  OpWork work = getOpWork(op);
  double bytes = 0;
  if (work.bytes)
    for (const auto &[axes, factor] : work.bytes->getTerms())
      bytes += axes.empty() ? factor : 0;
  return bytes / kBytesPerMicrosecond;
}

/// The time of its products up to which a pattern's inputs are short, in
/// microseconds. Experts leave out most of what the dense product computes, and
/// need not be read.
static double getMostOfShort(const Followers &followers, double least) {
  if (!followers.hasFewPoints)
    return getLeastMicroseconds(followers.ops, least);
  double most = getLeastMicroseconds(followers.ops, least / 2);
  for (linalg::LinalgOp op : followers.ops)
    most -= getTimeOfMatrices(op);
  return most;
}

/// Whether the products of each pattern take less time than its list does. Null
/// if that does not follow from arguments.
Value PITCreateAlternatives::createCondition(
    OpBuilder &builder, const ProductsOfPatterns &products) const {
  Value condition;
  for (const auto &[pattern, followers] : products) {
    Value sum;
    linalg::LinalgOp first = followers.ops.front();
    Location loc = first.getLoc();
    for (linalg::LinalgOp op : followers.ops) {
      Value time = createTime(builder, op);
      if (!time)
        return Value();
      sum = sum ? arith::AddIOp::create(builder, loc, sum, time).getResult()
                : time;
    }
    double units = getMostOfShort(followers, least) * kUnitsPerMicrosecond;
    Value most = arith::ConstantIndexOp::create(builder, loc, int64_t(units));
    Value isShort = arith::CmpIOp::create(builder, loc,
                                          arith::CmpIPredicate::ult, sum, most);
    condition = condition
                    ? arith::AndIOp::create(builder, loc, condition, isShort)
                          .getResult()
                    : isShort;
  }
  return condition;
}

/// Marks become what they mean.
static void lowerMarks(func::FuncOp function, double undefFill) {
  auto marks = llvm::to_vector(function.getBody().front().getOps<SparseOp>());
  for (SparseOp mark : marks) {
    OpBuilder builder(mark);
    bool isByValues = mark.getPattern().getKind() == PatternKind::Values;
    mark.replaceAllUsesWith(isByValues ? mark.getSource()
                                       : lowerMark(builder, mark, undefFill));
    mark.erase();
  }
}

void PITCreateAlternatives::createAlternative(func::FuncOp function,
                                              SymbolTable &symbols) {
  // Ranks share what is marked.
  bool isOfRank =
      PITDialect::SplitsAttrHelper(&getContext()).isAttrPresent(function);
  if (isOfRank || !function.getBody().hasOneBlock() ||
      !hasDynamicMarks(function))
    return;
  if (StringRef obstacle = findObstacle(function); !obstacle.empty())
    return reportNone(function, obstacle);
  ProductsOfPatterns products = findProducts(function);
  bool isUnknown = llvm::any_of(products, [](const auto &entry) {
    return llvm::any_of(entry.second.ops, [](linalg::LinalgOp op) {
      return op.hasDynamicShape();
    });
  });
  bool isNeverShort = llvm::any_of(products, [&](const auto &entry) {
    return getMostOfShort(entry.second, least) <= 0;
  });
  if (!isUnknown || isNeverShort)
    return;
  // The copy first, so that it computes no condition.
  func::FuncOp alternative = function.clone();
  alternative.setName((function.getName() + "_dense").str());
  alternative.setPrivate();
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  Value condition = createCondition(builder, products);
  if (!condition) {
    alternative.erase();
    reportNone(function, "extents of products do not follow from those of "
                         "arguments");
    return;
  }
  // Arguments are checked once.
  PITDialect::ChecksAttrHelper(&getContext()).removeAttr(alternative);
  lowerMarks(alternative, undefFill);
  symbols.insert(alternative, std::next(function->getIterator()));
  AlternativeOp::create(builder, function.getLoc(), alternative.getName(),
                        condition);
  remarks::passed(function, remarks::kSelection, "alternative")
      << "short inputs run a dense version, which the host chooses by their "
         "extents"
      << remarks::metric("Version", alternative.getName())
      << remarks::reason("their products take less time than lists do");
  ++numAlternatives;
}
