//===- ChosenPlaces.cpp - Sums with a term at few places ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChosenPlaces.h"

#include "ZeroTerms.h"

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/Transforms/NormalForm.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::pit;

Value pit::getTerm(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1)
    return {};
  BlockArgument sum = op.getRegionOutputArgs()[0];
  Operation *add =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_present<arith::AddFOp, arith::AddIOp>(add) || !sum.hasOneUse() ||
      !llvm::is_contained(add->getOperands(), sum))
    return {};
  return add->getOperand(add->getOperand(0) == sum ? 1 : 0);
}

bool pit::runsAlongAny(linalg::GenericOp op, OpOperand *operand,
                       ArrayRef<unsigned> loops) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  return llvm::any_of(loops,
                      [&](unsigned loop) { return map.isFunctionOfDim(loop); });
}

//===----------------------------------------------------------------------===//
// Choices in front of the op
//===----------------------------------------------------------------------===//

/// An inferred mark says what its tensor is anyway.
static Value skipInferredMarks(Value value) {
  while (auto mark = value.getDefiningOp<SparseOp>()) {
    if (!mark->hasAttr(kInferredMark))
      break;
    value = mark.getSource();
  }
  return value;
}

namespace {
/// Which tensors compare numbers with positions, elementwise.
class ChoiceFinder {
public:
  bool chooses(Value tensor) {
    tensor = skipInferredMarks(tensor);
    auto [entry, isNew] = known.try_emplace(tensor, false);
    if (!isNew)
      return entry->second;
    bool result = compute(tensor);
    known[tensor] = result;
    return result;
  }

private:
  bool compute(Value tensor) {
    auto op = tensor.getDefiningOp<linalg::GenericOp>();
    if (!op || !op.hasPureTensorSemantics() ||
        op.getNumParallelLoops() != op.getNumLoops() ||
        !isMemoryEffectFree(op) ||
        op->hasAttr(PITDialect::DenseAttrHelper::getNameStr()))
      return false;
    // The tensor of numbers, with which others compare.
    if (op.getNumDpsInputs() == 0)
      return !op.getBlock()->getOps<linalg::IndexOp>().empty();
    return !op.getBlock()->getOps<arith::CmpIOp>().empty() ||
           llvm::any_of(op.getInputs(),
                        [&](Value input) { return chooses(input); });
  }

  llvm::DenseMap<Value, bool> known;
};
} // namespace

/// Takes what chooses into the body of a copy.
static linalg::GenericOp takeChoices(RewriterBase &rewriter,
                                     linalg::GenericOp op,
                                     ChoiceFinder &finder) {
  constexpr unsigned kMostOps = 32;
  for (unsigned numOps = 0; numOps < kMostOps; ++numOps) {
    OpOperand *found = nullptr;
    for (OpOperand *input : op.getDpsInputOperands()) {
      Value source = skipInferredMarks(input->get());
      if (!finder.chooses(source))
        continue;
      input->set(source);
      if (linalg::areElementwiseOpsFusable(input))
        found = input;
    }
    if (!found)
      break;
    rewriter.setInsertionPoint(op);
    Value source = found->get();
    Operation *producer = rewriter.clone(*source.getDefiningOp());
    found->set(producer->getResult(cast<OpResult>(source).getResultNumber()));
    FailureOr<linalg::ElementwiseOpFusionResult> fused =
        linalg::fuseElementwiseOps(rewriter, found);
    if (failed(fused)) {
      found->set(source);
      rewriter.eraseOp(producer);
      break;
    }
    rewriter.eraseOp(op);
    rewriter.eraseOp(producer);
    op = cast<linalg::GenericOp>(fused->fusedOp);
  }
  return op;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// The loop whose number a value of the body is, perhaps as another type.
static std::optional<unsigned> getLoop(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (auto index = dyn_cast<linalg::IndexOp>(def))
      return unsigned(index.getDim());
    if (auto apply = dyn_cast<affine::AffineApplyOp>(def)) {
      AffineExpr result = apply.getMap().getResult(0);
      auto dim = dyn_cast<AffineDimExpr>(result);
      if (!dim)
        return std::nullopt;
      value = apply.getOperand(dim.getPosition());
    } else if (isa<arith::IndexCastOp>(def)) {
      value = def->getOperand(0);
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// The loops that a value of the body depends on; none if not by arithmetic
/// alone.
static std::optional<llvm::SmallSetVector<unsigned, 4>>
getLoops(linalg::GenericOp op, Value value) {
  llvm::SmallSetVector<unsigned, 4> loops;
  llvm::SmallDenseSet<Value> seen;
  SmallVector<Value> todo{value};
  while (!todo.empty()) {
    Value next = todo.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(next);
        argument && argument.getOwner() == op.getBlock()) {
      if (argument.getArgNumber() >= op.getNumDpsInputs())
        return std::nullopt;
      AffineMap map = op.getIndexingMapsArray()[argument.getArgNumber()];
      for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
        if (map.isFunctionOfDim(loop))
          loops.insert(loop);
      continue;
    }
    Operation *def = next.getDefiningOp();
    if (!def || def->getBlock() != op.getBlock())
      continue;
    if (auto index = dyn_cast<linalg::IndexOp>(def))
      loops.insert(unsigned(index.getDim()));
    else if (def->getNumRegions() != 0 || !isPure(def))
      return std::nullopt;
    llvm::append_range(todo, def->getOperands());
  }
  return loops;
}

namespace {
/// `number == loop`, in a body.
struct Choice {
  Operation *compare;
  unsigned loop;
  Value number;
  llvm::SmallSetVector<unsigned, 4> loops;
};
} // namespace

/// Whether each number of the loop is one of the type: else several of them
/// are one number, and a choice has several places.
static bool holdsAll(linalg::GenericOp op, unsigned loop, Type type) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (width >= 64)
    return true;
  int64_t extent = op.getStaticLoopRanges()[loop];
  // No tensor has as many rows as 32 bits count.
  return ShapedType::isDynamic(extent) ? width >= 32
                                       : extent <= int64_t(1) << (width - 1);
}

static SmallVector<Choice> findChoices(linalg::GenericOp op,
                                       utils::IteratorType kind) {
  SmallVector<Choice> choices;
  for (auto compare : op.getBlock()->getOps<arith::CmpIOp>()) {
    if (compare.getPredicate() != arith::CmpIPredicate::eq)
      continue;
    for (auto [place, number] :
         {std::pair(compare.getLhs(), compare.getRhs()),
          std::pair(compare.getRhs(), compare.getLhs())}) {
      std::optional<unsigned> loop = getLoop(place);
      if (!loop || op.getIteratorTypesArray()[*loop] != kind ||
          !holdsAll(op, *loop, number.getType()))
        continue;
      auto loops = getLoops(op, number);
      if (loops && !loops->contains(*loop))
        choices.push_back({compare, *loop, number, *loops});
    }
  }
  return choices;
}

/// Sorts choices by place: the term is zero where of each place one fails.
static SmallVector<SmallVector<Choice>>
groupChoices(Value term, ArrayRef<Choice> all, bool finite) {
  auto isZeroWithout = [&](ArrayRef<Choice> failing) {
    llvm::SmallDenseSet<Value> compares;
    for (const Choice &choice : failing)
      compares.insert(choice.compare->getResult(0));
    return ZeroTerms(compares, finite).isZero(term);
  };
  SmallVector<Choice> failing(all);
  if (!isZeroWithout(failing))
    return {};
  // One of each place, none of which could be left out.
  for (unsigned i = unsigned(failing.size()); i-- > 0;) {
    SmallVector<Choice> fewer(failing);
    fewer.erase(fewer.begin() + i);
    if (isZeroWithout(fewer))
      failing = std::move(fewer);
  }
  SmallVector<SmallVector<Choice>> groups;
  for (const Choice &one : failing)
    groups.push_back({one});
  // Others that would do instead of it.
  for (const Choice &other : all)
    for (auto [i, group] : llvm::enumerate(groups)) {
      if (llvm::any_of(failing, [&](const Choice &one) {
            return one.compare == other.compare;
          }))
        break;
      SmallVector<Choice> exchanged(failing);
      exchanged[i] = other;
      if (!isZeroWithout(exchanged))
        continue;
      group.push_back(other);
      break;
    }
  return groups;
}

/// What choices of the groups fix in all of them.
static bool fillPlaces(ArrayRef<SmallVector<Choice>> groups,
                       ChosenPlaces &chosen) {
  auto findOf = [](ArrayRef<Choice> group, unsigned loop) {
    return llvm::find_if(group,
                         [&](const Choice &c) { return c.loop == loop; });
  };
  for (const Choice &choice : groups.front())
    if (!llvm::is_contained(chosen.dims, choice.loop) &&
        llvm::all_of(groups, [&](const SmallVector<Choice> &group) {
          return findOf(group, choice.loop) != group.end();
        }))
      chosen.dims.push_back(choice.loop);
  llvm::sort(chosen.dims);
  for (const SmallVector<Choice> &group : groups) {
    ChosenPlace &place = chosen.places.emplace_back();
    for (unsigned loop : chosen.dims) {
      const Choice &choice = *findOf(group, loop);
      place.numbers.push_back(choice.number);
      place.conditions.push_back(choice.compare);
      for (unsigned chooser : choice.loops)
        if (!llvm::is_contained(chosen.choosers, chooser))
          chosen.choosers.push_back(chooser);
    }
  }
  llvm::sort(chosen.choosers);
  return !chosen.dims.empty() &&
         llvm::none_of(chosen.choosers, [&](unsigned loop) {
           return llvm::is_contained(chosen.dims, loop);
         });
}

/// Whether a body is arithmetic alone, any part of which can be computed
/// elsewhere.
static bool isArithmetic(linalg::GenericOp op) {
  return llvm::all_of(
      op.getBlock()->without_terminator(), [](Operation &inner) {
        return inner.getNumRegions() == 0 && isMemoryEffectFree(&inner);
      });
}

std::optional<ChosenPlaces> pit::findChosenPlaces(RewriterBase &rewriter,
                                                  linalg::GenericOp op,
                                                  utils::IteratorType kind,
                                                  bool finite) {
  constexpr size_t kMostPlaces = 4;
  if (!getTerm(op) || op.getNumReductionLoops() == 0 ||
      op->hasAttr(PITDialect::DenseAttrHelper::getNameStr()))
    return std::nullopt;
  ChoiceFinder finder;
  if (op.getBlock()->getOps<arith::CmpIOp>().empty() &&
      llvm::none_of(op.getInputs(),
                    [&](Value input) { return finder.chooses(input); }))
    return std::nullopt;
  rewriter.setInsertionPoint(op);
  ChosenPlaces chosen;
  chosen.op = takeChoices(rewriter,
                          cast<linalg::GenericOp>(rewriter.clone(*op)), finder);
  chosen.term = getTerm(chosen.op);
  SmallVector<SmallVector<Choice>> groups;
  if (chosen.term && isArithmetic(chosen.op))
    groups = groupChoices(chosen.term, findChoices(chosen.op, kind), finite);
  if (!groups.empty() && groups.size() <= kMostPlaces &&
      fillPlaces(groups, chosen))
    return chosen;
  rewriter.eraseOp(chosen.op);
  return std::nullopt;
}

void pit::rewriteSums(
    Operation *root,
    function_ref<bool(RewriterBase &rewriter, linalg::GenericOp op)> rewrite) {
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) { ops.push_back(op); });
  IRRewriter rewriter(root->getContext());
  bool isAny = false;
  for (linalg::GenericOp op : ops)
    isAny |= rewrite(rewriter, op);
  if (isAny)
    (void)runRegionDCE(rewriter, root->getRegions());
}
