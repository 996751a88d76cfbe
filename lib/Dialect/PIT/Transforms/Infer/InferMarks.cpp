//===- InferMarks.cpp - Where a program says that it is sparse ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor of truth values that a program computes, or gets, is a pattern: it
// says of itself where it is false. Marked as its own mask, it changes nothing,
// and propagation follows what the program does with it: select(mask, x, -inf),
// x * mask, (1 - mask) * finfo.min added to scores, a gate that is chosen by
// one. So nothing is recognised here but where truth values come from.
//
//===----------------------------------------------------------------------===//

#include "ArgumentMasks.h"
#include "ChoiceMarks.h"
#include "InferredMarks.h"
#include "MatricesOfBlocks.h"
#include "RowMarks.h"

#include "PIT/Analysis/RegionAnalysis.h"
#include "PIT/Dialect/PIT/Analysis/DataMovement.h"
#include "PIT/Dialect/PIT/Analysis/LiveCounts.h"
#include "PIT/Dialect/PIT/Transforms/NormalForm.h"
#include "PIT/Dialect/PIT/Transforms/Passes.h"
#include "PIT/Dialect/PIT/Utils/Liveness.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITINFERMARKS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// Whether truth values follow from numbers that are data, such as those of
/// rows in which nothing but -inf was found: a pattern of those would be found
/// again at every step, behind what it is to restrict. Arguments of floats of
/// which nothing else is read are masks.
static bool followsFromData(Value value, unsigned depth = 0) {
  constexpr unsigned kMostSteps = 16;
  Operation *def = value.getDefiningOp();
  if (!def)
    return isa<FloatType>(getElementTypeOrSelf(value.getType())) &&
           !isOnlyCompared(value);
  if (isDataMovement(def) || isa<SparseOp>(def))
    return followsFromData(def->getOperand(0), depth + 1);
  auto op = dyn_cast<linalg::LinalgOp>(def);
  if (!op || depth > kMostSteps)
    return true;
  // Choices, as by the largest number, have few results for much data.
  return llvm::any_of(op.getDpsInputs(), [&](Value input) {
    Type element = getElementTypeOrSelf(input.getType());
    return (isa<FloatType>(element) && !isOnlyCompared(input)) ||
           (element.isInteger(1) && followsFromData(input, depth + 1));
  });
}

/// Whether something is computed here, rather than moved, filled, or constant.
static bool isSourceOfTruth(Value value) {
  Operation *def = value.getDefiningOp();
  if (!def)
    return true;
  auto op = dyn_cast<linalg::LinalgOp>(def);
  return op && op.hasPureTensorSemantics() && !isa<linalg::FillOp>(def) &&
         op.getBlock()->getOperations().size() > 1;
}

/// An elementwise op of the body's arguments: `create` gets the elements.
static Value
createElementwise(OpBuilder &builder, Location loc, Value source, Type element,
                  function_ref<Value(OpBuilder &, Location, Value)> create) {
  auto type = cast<RankedTensorType>(source.getType());
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, source), element);
  SmallVector<AffineMap> maps(2,
                              builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(empty.getType()), source, empty, maps,
             parallel,
             [&](OpBuilder &nested, Location loc, ValueRange args) {
               linalg::YieldOp::create(nested, loc,
                                       create(nested, loc, args[0]));
             })
      .getResult(0);
}

static Value createNot(OpBuilder &builder, Location loc, Value value) {
  return createElementwise(
      builder, loc, value, builder.getI1Type(),
      [](OpBuilder &nested, Location loc, Value element) -> Value {
        Value one = arith::ConstantIntOp::create(nested, loc, 1, 1);
        return arith::XOrIOp::create(nested, loc, element, one);
      });
}

/// The number that all elements of an operand are, if it is known.
static std::optional<AbstractScalar> getSplat(Value value) {
  DenseElementsAttr elements;
  TypedAttr constant;
  if (matchPattern(value, m_Constant(&elements)) && elements.isSplat())
    constant = dyn_cast<TypedAttr>(elements.getSplatValue<Attribute>());
  else if (auto fill = value.getDefiningOp<linalg::FillOp>())
    matchPattern(fill.getInputs()[0], m_Constant(&constant));
  else
    matchPattern(value, m_Constant(&constant));
  if (!constant || !constant.getType().isIntOrFloat())
    return std::nullopt;
  // As constants of a body are read.
  auto number = dyn_cast<FloatAttr>(constant);
  if (number && number.getValueAsDouble() <= kHighestLowNumber) {
    auto type = cast<FloatType>(number.getType());
    if (APFloat::semanticsHasInf(type.getFloatSemantics()))
      constant = FloatAttr::get(
          type, APFloat::getInf(type.getFloatSemantics(), /*Negative=*/true));
  }
  return AbstractScalar::getConstant(constant);
}

/// Whether an op that reads `value` yields zero or -inf where it is `constant`,
/// whatever else it reads.
static bool decidesUser(Value value, int64_t constant) {
  Type element = getElementTypeOrSelf(value.getType());
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
    if (!op || !op.hasPureTensorSemantics() || !op.isDpsInput(&use) ||
        op.getNumReductionLoops() != 0)
      return false;
    SmallVector<std::optional<AbstractScalar>> values =
        llvm::map_to_vector(op.getDpsInputs(), getSplat);
    values[use.getOperandNumber()] =
        AbstractScalar::getConstant(IntegerAttr::get(element, constant));
    SmallVector<AbstractScalar> yields =
        interpretBody(*op.getBlock(), op.getNumDpsInputs(), values,
                      /*finite=*/true, /*maskConstants=*/true);
    return llvm::any_of(yields, [](const AbstractScalar &yield) {
      return isa_and_present<FloatAttr>(yield.constant) &&
             (yield.isZero() || yield.isNegInf());
    });
  });
}

namespace {

class Inference {
public:
  Inference(func::FuncOp func, bool blocks, bool finite)
      : func(func), blocks(blocks), choices(finite) {}

  void run();

private:
  void visit(Value value);
  void markTruth(Value value);
  void markFalsehood(Value value);
  /// Marks where truth values are false, or true if that is asked for.
  void markEither(Value value);
  void markNumbers(Value value);
  void markGate(Value value);
  func::FuncOp func;
  /// Masks that repeat truth values in blocks are marked as matrices.
  bool blocks;
  ChoiceMarks choices;
};

struct PITInferMarks : pit::impl::PITInferMarksBase<PITInferMarks> {
  using PITInferMarksBase::PITInferMarksBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    bool computes = func.walk([](Operation *op) {
                          return llvm::any_of(op->getResultTypes(),
                                              llvm::IsaPred<RankedTensorType>)
                                     ? WalkResult::interrupt()
                                     : WalkResult::advance();
                        })
                        .wasInterrupted();
    if (!computes)
      return;
    // Who writes marks has said what is sparse.
    bool isMarked = func.walk([](SparseOp) { return WalkResult::interrupt(); })
                        .wasInterrupted();
    if (isMarked)
      return compareBounds(func);
    // Counting and lookups hide what masks are made of.
    if (failed(bringToNormalForm(func, /*foldViews=*/false)))
      return signalPassFailure();
    separateTruth(func);
    Inference inference(func, blocks, finite);
    inference.run();
    func.walk([&](SparseOp) { ++numMarks; });
  }
};

} // namespace

/// The bound of a pattern of rows, if it is one that leaves room.
static int64_t getBound(Value value, ArrayRef<int64_t> dims) {
  if (dims.size() < 2)
    return 0;
  std::optional<int64_t> bound = countLiveAtMost(value, dims.back());
  int64_t extent =
      cast<RankedTensorType>(value.getType()).getDimSize(dims.back());
  bool leavesRoom = bound && *bound > 0 &&
                    (ShapedType::isDynamic(extent) || 2 * *bound <= extent);
  return leavesRoom ? *bound : 0;
}

/// Where truth values are false.
void Inference::markTruth(Value value) {
  if (choices.markGateAndGradient(value))
    return;
  OpBuilder builder(func.getContext());
  builder.setInsertionPointAfterValue(value);
  replaceBehind(value, markRows(builder, value, /*by=*/value,
                                getBound(value, getWideDims(value))));
}

/// Where truth values are true: the program asks what is to be left out.
void Inference::markFalsehood(Value value) {
  OpBuilder builder(func.getContext());
  builder.setInsertionPointAfterValue(value);
  SmallVector<int64_t> dims = getWideDims(value);
  Value inverse = createNot(builder, value.getLoc(), value);
  Value by = dropUnitDims(builder, value.getLoc(), inverse, dims);
  SparseOp mark = createInferredMark(builder, inverse, by, PatternKind::Mask,
                                     dims, /*atMost=*/0);
  Value result = createNot(builder, value.getLoc(), mark.getResult());
  replaceBehind(value, result);
}

/// An op of the program that says where numbers are not 0, in front of all
/// other ops that read them.
static Operation *findNonZero(Value value) {
  Operation *first = nullptr;
  for (Operation *user : value.getUsers()) {
    if (user->getBlock() != value.getParentBlock())
      return nullptr;
    if (!first || user->isBeforeInBlock(first))
      first = user;
  }
  auto op = dyn_cast_if_present<linalg::GenericOp>(first);
  if (!op || op.getNumDpsInputs() != 1 || op.getNumReductionLoops() != 0 ||
      op->getNumResults() != 1 ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return nullptr;
  auto compare = op.getBlock()
                     ->getTerminator()
                     ->getOperand(0)
                     .getDefiningOp<arith::CmpIOp>();
  bool saysNonZero = compare &&
                     compare.getPredicate() == arith::CmpIPredicate::ne &&
                     compare.getLhs() == op.getBlock()->getArgument(0) &&
                     matchPattern(compare.getRhs(), m_Zero());
  return saysNonZero ? first : nullptr;
}

/// Numbers of 0 and 1 that stand for truth values, as tokenizers and pruning
/// give them; what other numbers mean does not matter.
void Inference::markNumbers(Value value) {
  OpBuilder builder(func.getContext());
  builder.setInsertionPointAfterValue(value);
  SmallVector<int64_t> dims = getWideDims(value);
  // One pattern, if the program has truth values of them, too.
  Operation *own = findNonZero(value);
  Value live;
  if (own) {
    builder.setInsertionPointAfter(own);
    live = own->getResult(0);
  } else {
    live = createNonZero(builder, value.getLoc(), value);
  }
  Value by = dropUnitDims(builder, value.getLoc(), live, dims);
  SparseOp mark = createInferredMark(builder, value, by, PatternKind::Mask,
                                     dims, /*atMost=*/0);
  replaceBehind(value, mark.getResult());
}

/// Weights of which a row has a few that are not zero, for certain.
void Inference::markGate(Value value) {
  int64_t bound = getBound(value, getWideDims(value));
  if (bound == 0)
    return;
  OpBuilder builder(func.getContext());
  builder.setInsertionPointAfterValue(value);
  replaceBehind(value, markRows(builder, value, /*by=*/Value(), bound));
}

/// Whether a product reads a value as it is: numbers that are multiplied are
/// data.
static bool isFactor(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    auto op = dyn_cast<linalg::LinalgOp>(user);
    return op && op.getNumReductionLoops() > 0 && op.getNumDpsInputs() > 1;
  });
}

/// Whether a loop over experts that was unrolled takes apart the last dimension
/// of a gate: its slices have patterns of their own, which follow from values.
static bool isCutByChoice(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t last = type.getRank() - 1;
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    return slice && getConstantIntValue(slice.getMixedSizes()[last]) == 1 &&
           type.getDimSize(last) != 1;
  });
}

/// Truth values of some places along an axis, such as the choices of one expert
/// of a loop that was unrolled, or of all tokens but the first: a pattern of
/// all places does not say of some where it is false.
static SmallVector<Value> findCuts(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<Value> cuts;
  for (Operation *user : value.getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!slice || slice.use_empty() || getWideDims(slice.getResult()).empty())
      continue;
    auto isCut = [&](int64_t dim) {
      return type.getDimSize(dim) != 1 &&
             !mapDimsToResult(slice->getOpOperand(0), dim);
    };
    if (llvm::any_of(llvm::seq(type.getRank()), isCut))
      cuts.push_back(slice.getResult());
  }
  return cuts;
}

void Inference::markEither(Value value) {
  if (!decidesUser(value, 0) && decidesUser(value, 1))
    markFalsehood(value);
  else
    markTruth(value);
}

void Inference::visit(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || getWideDims(value).empty() || !isSourceOfTruth(value) ||
      value.use_empty())
    return;
  Type element = type.getElementType();
  if (choices.isMarked(value))
    return;
  if (element.isInteger(1)) {
    bool isData = followsFromData(value);
    if (blocks || isData) {
      SmallVector<Value> matrices = findMatricesOfBlocks(value);
      llvm::for_each(matrices, [&](Value matrix) { markEither(matrix); });
      if (isData || !matrices.empty())
        return;
    }
    SmallVector<Value> cuts = findCuts(value);
    if (!llvm::all_of(value.getUsers(), [&](Operation *user) {
          return user->getNumResults() == 1 &&
                 llvm::is_contained(cuts, user->getResult(0));
        }))
      markEither(value);
    llvm::for_each(cuts, [&](Value cut) { markEither(cut); });
  } else if (isa<BlockArgument>(value) &&
             (element.isInteger(32) || element.isInteger(64)) &&
             !isFactor(value)) {
    // Masks come in the types of tokens; smaller integers are data.
    SmallVector<Value> cuts = findCuts(value);
    markNumbers(value);
    llvm::for_each(cuts, [&](Value cut) { markNumbers(cut); });
  } else if (isa<BlockArgument>(value) && isa<FloatType>(element) &&
             getWideDims(value).size() > 1 && isMaskOfArgument(value)) {
    markNumbers(value);
  } else if (element.isIntOrFloat() && !isa<BlockArgument>(value)) {
    // Only the sum of choices, as weights or counted, and what is cut: what it
    // is made of tells of the rest itself.
    auto op = cast<linalg::LinalgOp>(value.getDefiningOp());
    if (op.getNumReductionLoops() != 0 || isCutByChoice(value))
      markGate(value);
    else if (isa<FloatType>(element) && getWideDims(value).size() > 1 &&
             isMaskedArgument(op))
      markNumbers(value);
  }
}

void Inference::run() {
  SmallVector<Value> values;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<linalg::LinalgOp>(op)) {
      llvm::append_range(values, op->getResults());
      return WalkResult::skip();
    }
    return WalkResult::advance();
  });
  for (Value value : values)
    if (Operation *def = value.getDefiningOp();
        def->getResults().front() == value)
      choices.markChoicesOfGate(cast<linalg::LinalgOp>(def));
  // Arguments first: they find ops that read them as they are.
  for (Value argument : func.getArguments())
    visit(argument);
  for (Value value : values)
    visit(value);
}
