//===- SeparateTruth.cpp - Masks that are computed where they are used ----===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `select(k < length[b], score[b, q, k], -inf)` in one op has a mask over b and
// k that is nowhere a tensor; so has `float(e == choice[t]) * p[t, e]`. It
// becomes one, along the loops that it needs, for a mark to stand on; where no
// mark does, the op is put together again.
//
//===----------------------------------------------------------------------===//

#include "InferredMarks.h"

#include "PIT/Dialect/PIT/Analysis/DataMovement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// A condition in a body, and what it is computed of.
struct Condition {
  Value value;
  /// Ops of the body, operands of the op and loops that it needs, in order.
  llvm::SetVector<Operation *> ops;
  llvm::SmallSetVector<unsigned, 4> operands;
  llvm::SmallBitVector loops;
};

} // namespace

/// Whether the op reads nothing of the operand but how it compares with
/// constants.
static bool onlyCompares(linalg::LinalgOp op, OpOperand &operand) {
  auto isConstant = [](Value value) {
    return matchPattern(value, m_Constant());
  };
  return op.isDpsInput(&operand) &&
         llvm::all_of(op.getMatchingBlockArgument(&operand).getUsers(),
                      [&](Operation *user) {
                        return isa<arith::CmpFOp>(user) &&
                               llvm::any_of(user->getOperands(), isConstant);
                      });
}

bool pit::allReadersOf(Value value, function_ref<bool(OpOperand &)> holds) {
  SmallVector<Value> views{value};
  while (!views.empty())
    for (OpOperand &use : views.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (isDataMovement(user))
        llvm::append_range(views, user->getResults());
      else if (!isa<tensor::DimOp>(user) && !holds(use))
        return false;
    }
  return true;
}

bool pit::isOnlyCompared(Value value) {
  if (!isa<FloatType>(getElementTypeOrSelf(value.getType())))
    return false;
  Value argument = value;
  while (Operation *def = argument.getDefiningOp()) {
    if (!isDataMovement(def))
      return false;
    argument = def->getOperand(0);
  }
  // Other views of it may be read as data.
  bool isRead = false;
  return allReadersOf(argument,
                      [&](OpOperand &use) {
                        isRead = true;
                        auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
                        return op && onlyCompares(op, use);
                      }) &&
         isRead;
}

/// Collects what `value` is computed of; false if that is more than numbers of
/// places and integers.
static bool collect(Value value, linalg::GenericOp op, Condition &condition) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != op.getBlock())
      return false;
    unsigned number = argument.getArgNumber();
    AffineMap map = op.getIndexingMapsArray()[number];
    bool isTruth = argument.getType().isIntOrIndex() ||
                   isOnlyCompared(op->getOperand(number));
    if (number >= op.getNumDpsInputs() || !isTruth ||
        !map.isProjectedPermutation())
      return false;
    condition.operands.insert(number);
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (map.isFunctionOfDim(loop))
        condition.loops.set(loop);
    return true;
  }
  Operation *def = value.getDefiningOp();
  if (def->getBlock() != op.getBlock())
    return matchPattern(value, m_Constant());
  if (condition.ops.contains(def))
    return true;
  if (auto index = dyn_cast<linalg::IndexOp>(def))
    condition.loops.set(index.getDim());
  else if (!isPure(def) || def->getNumRegions() != 0 ||
           !llvm::all_of(def->getOperands(), [&](Value operand) {
             return collect(operand, op, condition);
           }))
    return false;
  condition.ops.insert(def);
  return true;
}

namespace {

/// A constant or something else, as a condition says.
struct Choice {
  TypedAttr constant;
  Value other;
  bool isOtherWhereTrue = false;
};

} // namespace

static std::optional<Choice> getChoice(arith::SelectOp select) {
  for (bool isOtherWhereTrue : {true, false}) {
    Choice choice;
    choice.isOtherWhereTrue = isOtherWhereTrue;
    choice.other =
        isOtherWhereTrue ? select.getTrueValue() : select.getFalseValue();
    Value constant =
        isOtherWhereTrue ? select.getFalseValue() : select.getTrueValue();
    if (isa<FloatType>(select.getType()) &&
        matchPattern(constant, m_Constant(&choice.constant)))
      return choice;
  }
  return std::nullopt;
}

/// Makes `select(a, select(b, x, c), c)` `select(a and b, x, c)`: of the lines
/// of one mask nobody knows which ones the other leaves without a number.
static void mergeChoices(linalg::GenericOp op, OpBuilder &builder) {
  auto isMask = [&](Value value) {
    Condition condition;
    condition.loops.resize(op.getNumLoops());
    return collect(value, op, condition);
  };
  for (auto outer :
       llvm::make_early_inc_range(op.getBlock()->getOps<arith::SelectOp>())) {
    std::optional<Choice> choice = getChoice(outer);
    auto inner = choice ? choice->other.getDefiningOp<arith::SelectOp>()
                        : arith::SelectOp();
    std::optional<Choice> inside = inner && inner->getBlock() == op.getBlock()
                                       ? getChoice(inner)
                                       : std::nullopt;
    if (!inside || inside->constant != choice->constant ||
        !inner->hasOneUse() || !isMask(outer.getCondition()) ||
        !isMask(inner.getCondition()))
      continue;
    builder.setInsertionPoint(outer);
    Location loc = outer.getLoc();
    auto getLive = [&](arith::SelectOp select, const Choice &of) -> Value {
      if (of.isOtherWhereTrue)
        return select.getCondition();
      Value all =
          arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
      return arith::XOrIOp::create(builder, loc, select.getCondition(), all);
    };
    Value both = arith::AndIOp::create(builder, loc, getLive(outer, *choice),
                                       getLive(inner, *inside));
    Value constant = arith::ConstantOp::create(builder, loc, choice->constant);
    outer.replaceAllUsesWith(
        arith::SelectOp::create(builder, loc, both, inside->other, constant)
            .getResult());
    outer.erase();
    inner.erase();
  }
}

/// A truth value that decides whether an op of the body gives a constant: by a
/// selection, or as one of the numbers 0 and 1, which others are multiplied
/// by. Null for other ops.
static Value getTruth(Operation &op) {
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    Attribute constants[2];
    matchPattern(select.getTrueValue(), m_Constant(&constants[0]));
    matchPattern(select.getFalseValue(), m_Constant(&constants[1]));
    return constants[0] != constants[1] && isa<FloatType>(select.getType())
               ? select.getCondition()
               : Value();
  }
  auto number = dyn_cast<arith::UIToFPOp>(op);
  return number && number.getIn().getType().isInteger(1) ? number.getIn()
                                                         : Value();
}

/// A condition by which a part of the results is a constant.
static std::optional<Condition> findCondition(linalg::GenericOp op) {
  for (Operation &inside : *op.getBlock()) {
    Value value = getTruth(inside);
    if (!value || isa<BlockArgument>(value))
      continue;
    Condition condition;
    condition.value = value;
    condition.loops.resize(op.getNumLoops());
    if (collect(value, op, condition) && condition.loops.any())
      return condition;
  }
  return std::nullopt;
}

/// The extent of a loop, by an operand along it.
static OpFoldResult getExtent(OpBuilder &builder, linalg::GenericOp op,
                              unsigned loop) {
  for (OpOperand &operand : op->getOpOperands())
    if (std::optional<unsigned> dim =
            op.getMatchingIndexingMap(&operand).getResultPosition(
                builder.getAffineDimExpr(loop)))
      return tensor::getMixedSize(builder, op.getLoc(), operand.get(), *dim);
  return {};
}

static bool separate(linalg::GenericOp op, OpBuilder &builder) {
  std::optional<Condition> condition = findCondition(op);
  if (!condition)
    return false;
  builder.setInsertionPoint(op);
  MLIRContext *context = builder.getContext();
  SmallVector<AffineExpr> renumbered(op.getNumLoops(),
                                     getAffineConstantExpr(0, context)),
      kept;
  SmallVector<OpFoldResult> extents;
  for (unsigned loop : condition->loops.set_bits()) {
    renumbered[loop] = getAffineDimExpr(kept.size(), context);
    kept.push_back(getAffineDimExpr(loop, context));
    extents.push_back(getExtent(builder, op, loop));
    if (!extents.back())
      return false;
  }
  unsigned rank = kept.size();
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (unsigned number : condition->operands) {
    inputs.push_back(op->getOperand(number));
    maps.push_back(op.getIndexingMapsArray()[number].replaceDimsAndSymbols(
        renumbered, {}, rank, 0));
  }
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  Value empty = tensor::EmptyOp::create(builder, op.getLoc(), extents,
                                        builder.getI1Type());
  SmallVector<utils::IteratorType> parallel(rank,
                                            utils::IteratorType::parallel);
  auto mask = linalg::GenericOp::create(
      builder, condition->value.getLoc(), TypeRange(empty.getType()), inputs,
      empty, maps, parallel,
      [&](OpBuilder &nested, Location loc, ValueRange args) {
        IRMapping mapping;
        for (auto [i, number] : llvm::enumerate(condition->operands))
          mapping.map(op.getBlock()->getArgument(number), args[i]);
        for (Operation *inside : condition->ops) {
          Operation *copy = nested.clone(*inside, mapping);
          if (auto index = dyn_cast<linalg::IndexOp>(copy))
            index.setDim(
                cast<AffineDimExpr>(renumbered[index.getDim()]).getPosition());
        }
        linalg::YieldOp::create(nested, loc, mapping.lookup(condition->value));
      });

  // The op reads it.
  unsigned place = op.getNumDpsInputs();
  SmallVector<Value> newInputs(op.getInputs());
  newInputs.push_back(mask.getResult(0));
  SmallVector<AffineMap> newMaps = op.getIndexingMapsArray();
  newMaps.insert(newMaps.begin() + place,
                 AffineMap::get(op.getNumLoops(), 0, kept, context));
  auto reader = linalg::GenericOp::create(
      builder, op.getLoc(), op.getResultTypes(), newInputs, op.getOutputs(),
      newMaps, op.getIteratorTypesArray());
  reader->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  reader.getRegion().takeBody(op.getRegion());
  BlockArgument element = reader.getBlock()->insertArgument(
      place, builder.getI1Type(), condition->value.getLoc());
  condition->value.replaceAllUsesWith(element);
  op->replaceAllUsesWith(reader);
  op->erase();
  return true;
}

void pit::separateTruth(Operation *root) {
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) {
    if (op.hasPureTensorSemantics() && op.getNumReductionLoops() == 0 &&
        !op->hasAttr(PITDialect::DenseAttrHelper::getNameStr()))
      ops.push_back(op);
  });
  OpBuilder builder(root->getContext());
  for (linalg::GenericOp op : ops) {
    mergeChoices(op, builder);
    separate(op, builder);
  }
}
