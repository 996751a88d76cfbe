//===- ChosenExperts.cpp - Several experts for each row -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// That a weight of a gate is not zero is no proof that its gradient is read
// only there: it may be zero by chance. The choices tell both.
//
//===----------------------------------------------------------------------===//

#include "ChosenExperts.h"

#include "PIT/Analysis/RegionAnalysis.h"
#include "PIT/Dialect/PIT/Analysis/LiveCounts.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// What is computed of the choices by ops whose results are zero where these
/// are false.
class Uses {
public:
  Uses(Value truth, int64_t choice, int64_t expert, bool finite)
      : choice(choice), expert(expert), finite(finite) {
    visit(truth, 0);
  }
  SmallVector<Value> gates;
  SmallVector<OpOperand *> gradients;

private:
  /// Whether some sum over experts reads the value, or what ops make of it.
  bool visit(Value value, unsigned depth);

  int64_t choice, expert;
  bool finite;
};

} // namespace

/// What an op yields wherever some operands are zero, whatever else it reads.
static AbstractScalar
yieldOfZeros(linalg::LinalgOp op, ArrayRef<OpOperand *> operands, bool finite) {
  SmallVector<std::optional<AbstractScalar>> values(op.getNumDpsInputs());
  for (OpOperand *operand : operands)
    values[operand->getOperandNumber()] = AbstractScalar::getConstant(
        Builder(op.getContext())
            .getZeroAttr(getElementTypeOrSelf(operand->get().getType())));
  SmallVector<AbstractScalar> yields =
      interpretBody(*op.getBlock(), op.getNumDpsInputs(), values, finite,
                    /*maskConstants=*/true);
  return yields.size() == 1 ? yields.front() : AbstractScalar();
}

/// Whether an op adds up the elements of a tensor, perhaps widened, from zero.
static bool isSum(linalg::LinalgOp op) {
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  if (!fill || !(matchPattern(fill.getInputs()[0], m_AnyZeroFloat()) ||
                 matchPattern(fill.getInputs()[0], m_Zero())))
    return false;
  SmallVector<Operation *> combiners;
  Value added = matchReduction(op.getRegionOutputArgs(), 0, combiners);
  if (!added || combiners.size() != 1 ||
      !isa<arith::AddFOp, arith::AddIOp>(combiners.front()))
    return false;
  if (auto widened = added.getDefiningOp<arith::ExtFOp>())
    added = widened.getIn();
  return added == op.getBlock()->getArgument(0);
}

bool Uses::visit(Value value, unsigned depth) {
  constexpr unsigned kMostSteps = 4;
  bool isSummedOverExperts = false;
  for (OpOperand &use : value.getUses()) {
    auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
    if (!op || !op.hasPureTensorSemantics() || !op.isDpsInput(&use) ||
        op->getNumResults() != 1 ||
        !op.getMatchingIndexingMap(&use).isIdentity())
      continue;
    OpResult result = op->getResult(0);
    AffineMap map = op.getIndexingMapMatchingResult(result);
    if (op.getNumReductionLoops() == 0) {
      if (!map.isIdentity() || depth == kMostSteps ||
          !yieldOfZeros(op, &use, finite).isZero() || !visit(result, depth + 1))
        continue;
      // What is multiplied with choices in front of a sum over experts.
      AffineMap ofGate = map.dropResult(unsigned(choice));
      for (OpOperand *other : op.getDpsInputOperands())
        if (op.getMatchingIndexingMap(other) == ofGate)
          gradients.push_back(other);
      isSummedOverExperts = true;
      continue;
    }
    if (op.getNumReductionLoops() != 1 || op.getNumDpsInputs() != 1)
      continue;
    if (!map.isFunctionOfDim(unsigned(choice)) && isSum(op))
      gates.push_back(result);
    isSummedOverExperts |= !map.isFunctionOfDim(unsigned(expert));
  }
  return isSummedOverExperts;
}

std::optional<ChosenExperts> pit::findChosenExperts(Value truth, bool finite) {
  auto type = cast<RankedTensorType>(truth.getType());
  int64_t rank = type.getRank(), choice = rank - 2, expert = rank - 1;
  if (rank < 3 || type.isDynamicDim(choice) || type.getDimSize(choice) < 2)
    return std::nullopt;
  std::optional<int64_t> ofChoice = countLiveAtMost(truth, expert);
  if (!ofChoice || *ofChoice <= 0)
    return std::nullopt;
  ChosenExperts found{*ofChoice * type.getDimSize(choice), {}, {}};
  if (!type.isDynamicDim(expert) && 2 * found.atMost > type.getDimSize(expert))
    return std::nullopt;
  Uses uses(truth, choice, expert, finite);
  // What choices pick from in front of the gate are its weights.
  llvm::erase_if(uses.gradients, [&](OpOperand *gradient) {
    return llvm::any_of(uses.gates, [&](Value gate) {
      Operation *def = gate.getDefiningOp();
      return def->getBlock() != gradient->getOwner()->getBlock() ||
             gradient->getOwner()->isBeforeInBlock(def);
    });
  });
  if (uses.gates.empty() || uses.gradients.empty())
    return std::nullopt;
  found.gates = std::move(uses.gates);
  found.gradients = std::move(uses.gradients);
  return found;
}

Value pit::createAnyChoice(OpBuilder &builder, Location loc, Value truth) {
  auto type = cast<RankedTensorType>(truth.getType());
  unsigned rank = type.getRank(), choice = rank - 2;
  SmallVector<OpFoldResult> extents =
      tensor::getMixedSizes(builder, loc, truth);
  extents.erase(extents.begin() + choice);
  Value none = arith::ConstantIntOp::create(builder, loc, 0, 1);
  Value empty =
      tensor::EmptyOp::create(builder, loc, extents, builder.getI1Type());
  Value start = linalg::FillOp::create(builder, loc, none, empty).getResult(0);
  SmallVector<AffineMap> maps{
      builder.getMultiDimIdentityMap(rank),
      builder.getMultiDimIdentityMap(rank).dropResult(choice)};
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  kinds[choice] = utils::IteratorType::reduction;
  return linalg::GenericOp::create(
             builder, loc, start.getType(), truth, start, maps, kinds,
             [](OpBuilder &nested, Location loc, ValueRange args) {
               Value any = arith::OrIOp::create(nested, loc, args[0], args[1]);
               linalg::YieldOp::create(nested, loc, any);
             })
      .getResult(0);
}

SmallVector<OpOperand *> pit::findChoicesOfGate(linalg::LinalgOp op,
                                                bool finite) {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() != 0 ||
      op->getNumResults() != 1)
    return {};
  auto isAbsent = [&](ArrayRef<OpOperand *> operands) {
    return yieldOfZeros(op, operands, finite).isZero();
  };
  SmallVector<OpOperand *> choices;
  int64_t atMost = 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    if (!type || !type.getElementType().isInteger(1) || type.getRank() < 2)
      continue;
    std::optional<int64_t> bound =
        countLiveAtMost(input->get(), type.getRank() - 1);
    bool isAlike =
        choices.empty() || (type == choices.front()->get().getType() &&
                            op.getMatchingIndexingMap(input) ==
                                op.getMatchingIndexingMap(choices.front()));
    if (!bound || *bound <= 0 || !isAlike || isAbsent(input))
      continue;
    choices.push_back(input);
    atMost += *bound;
  }
  if (choices.size() < 2 || !isAbsent(choices))
    return {};
  auto type = cast<RankedTensorType>(choices.front()->get().getType());
  // A gate of its own is marked by its values, in the kernel that makes it.
  if (op.getNumLoops() == type.getRank())
    return {};
  int64_t experts = type.getShape().back();
  bool leavesRoom = ShapedType::isDynamic(experts) || 2 * atMost <= experts;
  return leavesRoom ? choices : SmallVector<OpOperand *>();
}

Value pit::createAnyOf(OpBuilder &builder, Location loc,
                       ArrayRef<Value> truths) {
  auto type = cast<RankedTensorType>(truths.front().getType());
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, truths.front()),
      type.getElementType());
  SmallVector<AffineMap> maps(truths.size() + 1,
                              builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), truths, empty, maps, parallel,
             [](OpBuilder &nested, Location loc, ValueRange args) {
               Value any = args.front();
               for (Value other : args.drop_front().drop_back())
                 any = arith::OrIOp::create(nested, loc, any, other);
               linalg::YieldOp::create(nested, loc, any);
             })
      .getResult(0);
}
