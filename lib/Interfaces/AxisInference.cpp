//===- AxisInference.cpp - The rules that make an axis a PIT-axis ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Interfaces/PITAxisOpInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::pit;

/// Concatenates printable things; a refusal is such a text, no refusal is
/// empty.
template <typename... Ts> static std::string text(Ts &&...parts) {
  std::string result;
  llvm::raw_string_ostream os(result);
  (os << ... << parts);
  return result;
}

std::string AxisInfo::str() const {
  switch (kind) {
  case AxisKind::Parallel:
    return "parallel";
  case AxisKind::Reduction:
    return "reduction";
  case AxisKind::Refused:
    break;
  }
  return "refused: " + reason;
}

namespace {

/// One structured computation, seen by the rules.
class AxisInference {
public:
  AxisInference(ArrayRef<AffineMap> maps,
                ArrayRef<utils::IteratorType> iterators, Block &body,
                unsigned numOutputs, const AxisOptions &options);

  AxisInfo infer(unsigned axis) const;

private:
  unsigned getNumInputs() const { return maps.size() - numOutputs; }
  std::string nameOperand(unsigned operand) const;
  bool outputUses(unsigned output, unsigned axis) const {
    return maps[getNumInputs() + output].isFunctionOfDim(axis);
  }

  std::string refuseMaps(unsigned axis) const;
  std::string refuseRegion(unsigned axis) const;
  std::string refuseParallel(unsigned axis) const;
  std::string refuseReduction(unsigned axis) const;

  std::string findSideEffect() const;
  std::string refuseCombiners() const;
  std::string refuseCombiner(unsigned output) const;
  std::string refuseCombinerOp(Operation *op) const;
  std::optional<SmallVector<Operation *>> findCombiners(unsigned output) const;
  std::optional<unsigned> findOutputBehind(Value value) const;

  SmallVector<AffineMap> maps;
  ArrayRef<utils::IteratorType> iterators;
  Block &body;
  unsigned numOutputs;
  const AxisOptions &options;
  ArrayRef<BlockArgument> outputArgs;
  llvm::SmallBitVector indexReads;
  std::string sideEffect;
  /// Why the combiners of the region do not allow reordering.
  std::string combinerRefusal;
};

} // namespace

/// Whether all that a region computes of a number is where it looks something
/// up in a tensor from around it.
static bool isOnlyLookedUpAt(Value number, Block &body) {
  llvm::SmallSetVector<Value, 8> numbers;
  numbers.insert(number);
  for (unsigned i = 0; i < numbers.size(); ++i)
    for (OpOperand &use : numbers[i].getUses()) {
      Operation *user = use.getOwner();
      if (user->getBlock() != &body || user->getNumResults() != 1)
        return false;
      if (auto extract = dyn_cast<tensor::ExtractOp>(user)) {
        if (use.getOperandNumber() == 0 ||
            extract.getTensor().getParentBlock() == &body)
          return false;
        continue;
      }
      if (user->getNumRegions() != 0 || !isPure(user) ||
          !user->getResult(0).getType().isIntOrIndex())
        return false;
      numbers.insert(user->getResult(0));
    }
  return true;
}

AxisInference::AxisInference(ArrayRef<AffineMap> maps,
                             ArrayRef<utils::IteratorType> iterators,
                             Block &body, unsigned numOutputs,
                             const AxisOptions &options)
    : maps(llvm::map_to_vector(maps, simplifyAffineMap)), iterators(iterators),
      body(body), numOutputs(numOutputs), options(options),
      indexReads(iterators.size()) {
  if (body.getNumArguments() == maps.size())
    outputArgs = body.getArguments().take_back(numOutputs);
  for (linalg::IndexOp index : body.getOps<linalg::IndexOp>())
    if (index.getDim() < indexReads.size() && !isOnlyLookedUpAt(index, body))
      indexReads.set(index.getDim());
  sideEffect = findSideEffect();
  if (llvm::is_contained(iterators, utils::IteratorType::reduction))
    combinerRefusal = refuseCombiners();
}

AxisInfo AxisInference::infer(unsigned axis) const {
  bool parallel = iterators[axis] == utils::IteratorType::parallel;
  std::string reason = refuseMaps(axis);
  if (reason.empty())
    reason = refuseRegion(axis);
  if (reason.empty())
    reason = parallel ? refuseParallel(axis) : refuseReduction(axis);
  if (!reason.empty())
    return {AxisKind::Refused, std::move(reason)};
  return {parallel ? AxisKind::Parallel : AxisKind::Reduction, {}};
}

std::string AxisInference::nameOperand(unsigned operand) const {
  if (operand < getNumInputs())
    return text("input #", operand);
  return text("output #", operand - getNumInputs());
}

//===----------------------------------------------------------------------===//
// A1: plain dimension, once
//===----------------------------------------------------------------------===//

std::string AxisInference::refuseMaps(unsigned axis) const {
  for (auto [operand, map] : llvm::enumerate(maps)) {
    std::optional<unsigned> seen;
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      if (!expr.isFunctionOfDim(axis))
        continue;
      if (!isa<AffineDimExpr>(expr))
        return text(nameOperand(operand), " is indexed by '", expr,
                    "', which is derived from the axis");
      if (seen)
        return text(nameOperand(operand), " is accessed along its diagonal: '",
                    expr, "' indexes dimensions ", *seen, " and ", dim,
                    ", while packed data is gathered along one dimension");
      seen = dim;
    }
  }
  return {};
}

//===----------------------------------------------------------------------===//
// A2: the region does not know where it is, but to look something up there
//===----------------------------------------------------------------------===//

std::string AxisInference::findSideEffect() const {
  for (Operation &op : body)
    if (!op.hasTrait<OpTrait::IsTerminator>() && !isMemoryEffectFree(&op))
      return text("the region has side effects ('", op.getName(), "')");
  return {};
}

std::string AxisInference::refuseRegion(unsigned axis) const {
  if (indexReads.test(axis))
    return text("the region reads 'linalg.index ", axis, "'");
  return sideEffect;
}

//===----------------------------------------------------------------------===//
// A3 and A4: outputs and combiners
//===----------------------------------------------------------------------===//

std::string AxisInference::refuseParallel(unsigned axis) const {
  for (unsigned output = 0; output < numOutputs; ++output)
    if (!outputUses(output, axis))
      return text("output #", output, " is not indexed by this parallel axis");
  return {};
}

std::string AxisInference::refuseReduction(unsigned axis) const {
  for (unsigned output = 0; output < numOutputs; ++output)
    if (outputUses(output, axis))
      return text("output #", output, " is indexed by this reduction axis");
  return combinerRefusal;
}

std::string AxisInference::refuseCombiners() const {
  if (outputArgs.empty())
    return "the region does not accumulate into its outputs";
  for (unsigned output = 0; output < numOutputs; ++output) {
    std::string reason = refuseCombiner(output);
    if (!reason.empty())
      return reason;
  }
  return {};
}

/// The binary operations between the old value of `output` and the yielded one.
/// `matchReduction` does the same for a single operation; here `acc + a + b`
/// counts as well, and `acc * a + b` can be refused by its names.
std::optional<SmallVector<Operation *>>
AxisInference::findCombiners(unsigned output) const {
  SmallVector<Operation *> combiners;
  Value carried = outputArgs[output];
  while (carried.hasOneUse()) {
    OpOperand &use = *carried.use_begin();
    Operation *user = use.getOwner();
    if (user == body.getTerminator()) {
      if (combiners.empty() || use.getOperandNumber() != output)
        return std::nullopt;
      return combiners;
    }
    if (user->getBlock() != &body || user->getNumOperands() != 2 ||
        user->getNumResults() != 1 || user->getNumRegions() != 0)
      return std::nullopt;
    combiners.push_back(user);
    carried = user->getResult(0);
  }
  return std::nullopt;
}

std::string AxisInference::refuseCombiner(unsigned output) const {
  BlockArgument accumulator = outputArgs[output];
  if (accumulator.use_empty())
    return text("output #", output, " is overwritten, not accumulated");

  std::optional<SmallVector<Operation *>> combiners = findCombiners(output);
  if (!combiners)
    return text("output #", output,
                " is not accumulated by one binary operation on its old value");

  Value carried = accumulator;
  for (Operation *combiner : *combiners) {
    if (combiner->getName() != combiners->front()->getName())
      return text("output #", output, " is accumulated by a mix of '",
                  combiners->front()->getName(), "' and '", combiner->getName(),
                  "'");
    std::string reason = refuseCombinerOp(combiner);
    if (!reason.empty())
      return text("combiner '", combiner->getName(), "' of output #", output,
                  reason);
    for (Value operand : combiner->getOperands()) {
      if (operand == carried)
        continue;
      if (std::optional<unsigned> other = findOutputBehind(operand))
        return text("what is accumulated into output #", output,
                    " depends on the old value of output #", *other);
    }
    carried = combiner->getResult(0);
  }
  return {};
}

/// Whether updates by `op` may be applied in any order and grouping.
std::string AxisInference::refuseCombinerOp(Operation *op) const {
  if (isa<arith::AddFOp, arith::MulFOp, complex::AddOp, complex::MulOp>(op)) {
    auto fastmath = dyn_cast<arith::ArithFastMathInterface>(op);
    bool licensed = fastmath && bitEnumContainsAll(
                                    fastmath.getFastMathFlagsAttr().getValue(),
                                    arith::FastMathFlags::reassoc);
    if (options.strict && !licensed)
      return " would be reassociated, which 'strict' forbids";
    return {};
  }
  if (isa<arith::AddIOp, arith::MulIOp>(op)) {
    // A partial sum in another order may overflow where the written one does
    // not.
    auto overflow = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
    if (overflow &&
        (overflow.hasNoSignedWrap() || overflow.hasNoUnsignedWrap()))
      return " may not be reordered: it carries overflow flags";
    return {};
  }
  if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::MaxSIOp,
          arith::MaxUIOp, arith::MinSIOp, arith::MinUIOp, arith::MaximumFOp,
          arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(op))
    return {};
  return " is not known to be associative and commutative";
}

/// The first output whose old value `value` is computed from.
std::optional<unsigned> AxisInference::findOutputBehind(Value value) const {
  SmallVector<Value> worklist{value};
  llvm::SmallPtrSet<Value, 8> visited;
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (!visited.insert(next).second)
      continue;
    for (auto [output, arg] : llvm::enumerate(outputArgs))
      if (next == arg)
        return output;
    Operation *def = next.getDefiningOp();
    if (!def || def->getBlock() != &body)
      continue;
    llvm::append_range(worklist, def->getOperands());
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(def->getRegions(), captured);
    llvm::append_range(worklist, captured);
  }
  return std::nullopt;
}

SmallVector<AxisInfo>
mlir::pit::inferPITAxes(ArrayRef<AffineMap> maps,
                        ArrayRef<utils::IteratorType> iterators, Block &body,
                        unsigned numOutputs, const AxisOptions &options) {
  AxisInference inference(maps, iterators, body, numOutputs, options);
  SmallVector<AxisInfo> axes;
  for (unsigned axis = 0; axis < iterators.size(); ++axis)
    axes.push_back(inference.infer(axis));
  return axes;
}
