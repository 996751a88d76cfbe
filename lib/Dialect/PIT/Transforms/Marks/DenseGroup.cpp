//===- DenseGroup.cpp - Whether rules of a pattern have a dense form ------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rule may leave out points that nobody reads. They are read in a dense form,
// so its inputs must not be such results of another pattern's rules.
//
//===----------------------------------------------------------------------===//

#include "DenseGroup.h"

#include "DenseChoice.h"
#include "DenseForm.h"
#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"
#include "PIT/Support/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

/// What the function's table says of a rule that was made of a dense op; null
/// of one that was written by hand, which may leave out what matters.
static DictionaryAttr findRule(GenericOp op) {
  auto function = op->getParentOfType<func::FuncOp>();
  auto rules = PITDialect::RulesAttrHelper(op.getContext()).getAttr(function);
  if (!rules || !op.getRule())
    return DictionaryAttr();
  for (auto rule : rules.getAsRange<DictionaryAttr>()) {
    auto id = rule.getAs<IntegerAttr>("id");
    if (id && uint64_t(id.getInt()) == *op.getRule())
      return rule;
  }
  return DictionaryAttr();
}

/// Whether a rule leaves out points because nobody reads them.
static bool leavesOutUnread(GenericOp op) {
  DictionaryAttr rule = findRule(op);
  auto kind = rule ? rule.getAs<StringAttr>("kind") : StringAttr();
  return !kind ||
         kind.getValue().ends_with(stringifyReason(Restriction::Demand));
}

/// Micro-tiles along several axes, of several points: rows that are listed one
/// by one cost little even if all of them are live.
bool DenseGroup::isOfBlocks() {
  PatternAttr pattern = detect.getPattern();
  SparseIndexType type = detect.getIndex().getType();
  return (pattern.getKind() == PatternKind::Mask ||
          pattern.getKind() == PatternKind::Values) &&
         pattern.getRank() > 1 && pattern.getAbsent() != Absent::Undef &&
         llvm::any_of(type.getTile().asArrayRef(),
                      [](int64_t extent) { return extent > 1; });
}

/// The number of rows up to which packing what a step of a sum reads takes
/// about as long as computing with it.
static constexpr int64_t kFewRows = 2;

/// Whether steps of a sum are listed one by one, for so few rows of an input
/// that what they read of the other is packed for hardly more than one
/// multiplication each.
static bool listsStepsOfFewRows(GenericOp op) {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto isStep = [&](int64_t axis) {
    return kinds[axis] == utils::IteratorType::reduction;
  };
  auto hasFewRows = [&](unsigned input) {
    return !mapAxesToDims(maps[input], op.getIndexAxes()).empty() &&
           viewAsProduct(op, input).shape.m <= kFewRows;
  };
  return llvm::any_of(op.getIndexAxes(), isStep) &&
         llvm::all_of(op.getIndex().getType().getTile().asArrayRef(),
                      [](int64_t extent) { return extent == 1; }) &&
         llvm::any_of(llvm::seq<unsigned>(0, op.getInputs().size()),
                      hasFewRows);
}

/// How many times as long as the dense product the one of all steps takes that
/// are packed one by one (AMD EPYC, one thread, 1 x 1024 x 1024, and 512 x 1024
/// x 1 of a transposed input): more where elements of a step have gaps in
/// memory.
static double getFactorOfSteps(GenericOp op) {
  constexpr double kOfNeighbours = 1.75, kOfGaps = 16;
  for (auto [i, map] : llvm::enumerate(op.getIndexingMapsArray())) {
    if (i >= op.getInputs().size() || map.getNumResults() < 2 ||
        mapAxesToDims(map, op.getIndexAxes()).empty())
      continue;
    auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
    if (last &&
        llvm::is_contained(op.getIndexAxes(), int64_t(last.getPosition())))
      return kOfGaps;
  }
  return kOfNeighbours;
}

/// Whether the body multiplies and adds, and does nothing else.
static bool isSumOfProducts(GenericOp op) {
  return llvm::all_of(
      op.getRegion().front().without_terminator(), [](Operation &nested) {
        return isa<arith::MulFOp, arith::AddFOp, arith::MulIOp, arith::AddIOp,
                   arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(nested);
      });
}

/// Steps under a mask, one by one. Where all points of a micro-tile are live, a
/// rule may have been made without the mask, and has no dense form. So what is
/// packed must read it still, and products must read what is packed.
bool DenseGroup::isOfSteps() {
  PatternAttr pattern = detect.getPattern();
  if (pattern.getKind() != PatternKind::Mask ||
      pattern.getAbsent() != Absent::Zero)
    return false;
  bool hasFewRows = false;
  for (Operation *user : detect.getIndex().getUsers()) {
    auto op = dyn_cast<GenericOp>(user);
    if (!op)
      return false;
    size_t numInputs = op.getInputs().size();
    bool readsPacked =
             llvm::is_contained(op.getPacked().take_front(numInputs), true),
         writesPacked =
             llvm::is_contained(op.getPacked().drop_front(numInputs), true);
    bool isMasked = writesPacked && !readsPacked &&
                    llvm::is_contained(op.getInputs(), detect.getBy());
    bool isProduct = readsPacked && !writesPacked && isSumOfProducts(op);
    if (!isMasked && !isProduct)
      return false;
    hasFewRows |= isProduct && listsStepsOfFewRows(op);
  }
  return hasFewRows;
}

/// A destination of packed results that holds one number, or nothing.
static bool isPlainStart(Value start) {
  return start.getDefiningOp<linalg::FillOp>() ||
         start.getDefiningOp<tensor::EmptyOp>();
}

SmallVector<WholeDim> mlir::pit::getWholeDims(GenericOp op, AffineMap map) {
  ArrayRef<int64_t> axes = op.getIndexAxes();
  SparseIndexType index = op.getIndex().getType();
  SmallVector<WholeDim> dims;
  unsigned next = 0;
  bool isFirst = true;
  for (AffineExpr expr : map.getResults()) {
    auto axis = dyn_cast<AffineDimExpr>(expr);
    const auto *listed =
        axis ? llvm::find(axes, int64_t(axis.getPosition())) : axes.end();
    if (listed == axes.end()) {
      dims.push_back({/*isListed=*/false, next++});
      continue;
    }
    dims.push_back({/*isListed=*/true, unsigned(listed - axes.begin())});
    if (!isFirst)
      continue;
    isFirst = false;
    ++next;
    for (unsigned dim = 0; dim < axes.size(); ++dim)
      next +=
          dim != index.getCoordinate() && index.getTile().asArrayRef()[dim] > 1;
  }
  return dims;
}

static Type getWholeType(GenericOp op, AffineMap map, Value packed) {
  auto type = cast<RankedTensorType>(packed.getType());
  ArrayRef<int64_t> listed = op.getIndex().getType().getExtents().asArrayRef();
  SmallVector<int64_t> shape;
  for (WholeDim dim : getWholeDims(op, map))
    shape.push_back(dim.isListed ? listed[dim.number]
                                 : type.getDimSize(dim.number));
  return RankedTensorType::get(shape, type.getElementType());
}

/// Whether an op has a dense form; notes what it packs.
bool DenseGroup::fits(GenericOp op) {
  if (op.getIndex() != detect.getIndex() || !op.getFurtherIndexes().empty() ||
      !findRule(op))
    return false;
  if (auto wish =
          PITDialect::DenseVariantAttrHelper(op->getContext()).getAttr(op))
    if (!wish.getValue())
      return false;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned numInputs = op.getInputs().size();
  auto getDims = [&](unsigned operand) {
    return mapAxesToDims(maps[operand], op.getIndexAxes());
  };
  if (dividesByElements(op))
    return false;
  for (auto [i, input] : llvm::enumerate(op.getInputs()))
    if (op.getPacked()[i] &&
        (!packedDims.contains(input) || packedDims.lookup(input) != getDims(i)))
      return false;
  for (auto [i, output] : llvm::enumerate(op.getOutputs())) {
    unsigned operand = numInputs + i;
    if (!op.getPacked()[operand])
      continue;
    if (!isPlainStart(output))
      return false;
    packedDims[op.getResult(i)] = getDims(operand);
    wholeTypes[op.getResult(i)] = getWholeType(op, maps[operand], output);
  }
  return true;
}

/// A store of all that is packed: the whole tensor is its result.
bool DenseGroup::fits(SWriteOp op) {
  Value source = op.getSource();
  return op.getIndex() == detect.getIndex() && op.getTile().empty() &&
         op.getMode() == WriteMode::Store &&
         source.getDefiningOp<GenericOp>() && packedDims.contains(source) &&
         packedDims.lookup(source) == SmallVector<int64_t>(op.getDims()) &&
         wholeTypes.lookup(source) == op.getResult().getType();
}

bool DenseGroup::fits(SReadOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  if (op.getIndex() != detect.getIndex() || !op.getTile().empty() ||
      !type.hasStaticShape() || llvm::is_contained(op.getDims(), -1))
    return false;
  packedDims[op.getResult()] = llvm::to_vector(op.getDims());
  wholeTypes[op.getResult()] = op.getSource().getType();
  return true;
}

bool DenseGroup::collect() {
  llvm::SmallPtrSet<Operation *, 16> users(llvm::from_range,
                                           detect.getIndex().getUsers());
  for (Operation &op : *detect->getBlock())
    if (users.contains(&op))
      ops.push_back(&op);
  if (ops.size() != users.size())
    return false;
  for (Operation *op : ops) {
    bool isTaken = false;
    if (auto generic = dyn_cast<GenericOp>(op))
      isTaken = fits(generic);
    else if (auto write = dyn_cast<SWriteOp>(op))
      isTaken = fits(write);
    else if (auto read = dyn_cast<SReadOp>(op))
      isTaken = fits(read);
    if (!isTaken)
      return false;
  }
  // Nobody else knows what is packed. Without that, rules choose one by one.
  return !packedDims.empty() &&
         llvm::all_of(packedDims, [&](const auto &entry) {
           return llvm::all_of(entry.first.getUsers(), [&](Operation *user) {
             return users.contains(user) || isa<tensor::DimOp>(user);
           });
         });
}

namespace {

/// Values that hold nothing at points that an index does not list, as nobody
/// reads them there.
class PartialValues {
public:
  explicit PartialValues(func::FuncOp function);

  /// The indexes for which an operand of the op is such a value.
  SmallVector<Value> getIndexesOfOperands(Operation *op) const;

private:
  void follow(Operation *op);
  void add(ValueRange values, Value index) {
    for (Value value : values)
      partial[value].insert(index);
  }

  llvm::MapVector<Value, llvm::SmallSetVector<Value, 2>> partial;
};

} // namespace

SmallVector<Value> PartialValues::getIndexesOfOperands(Operation *op) const {
  llvm::SmallSetVector<Value, 2> indexes;
  auto add = [&](Operation *reader) {
    for (Value operand : reader->getOperands())
      indexes.insert_range(partial.lookup(operand));
  };
  add(op);
  // Bodies look elements of other tensors up.
  if (isa<linalg::LinalgOp, GenericOp>(op))
    for (Region &body : op->getRegions())
      body.walk(add);
  return indexes.takeVector();
}

void PartialValues::follow(Operation *op) {
  auto rule = dyn_cast<GenericOp>(op);
  if (rule && leavesOutUnread(rule))
    add(op->getResults(), rule.getIndex());
  for (Value index : getIndexesOfOperands(op)) {
    // Results of other rules are known at points that their index leaves out.
    if (rule && rule.getIndex() == index)
      continue;
    add(op->getResults(), index);
    // Into regions, and out of them.
    for (Region &region : op->getRegions())
      for (Block &block : region)
        add(block.getArguments(), index);
  }
  Operation *parent = op->getParentOp();
  if (!op->hasTrait<OpTrait::IsTerminator>() || isa<func::FuncOp>(parent))
    return;
  bool isEachResult = isa<scf::IfOp>(parent);
  for (OpOperand &operand : op->getOpOperands())
    for (Value index : partial.lookup(operand.get())) {
      if (isEachResult) {
        add(parent->getResult(operand.getOperandNumber()), index);
        continue;
      }
      add(parent->getResults(), index);
      for (Region &region : parent->getRegions())
        for (Block &block : region)
          add(block.getArguments(), index);
    }
}

PartialValues::PartialValues(func::FuncOp function) {
  auto count = [&] {
    size_t number = 0;
    for (const auto &[value, indexes] : partial)
      number += indexes.size();
    return number;
  };
  // Once more for each way back in a loop.
  size_t before;
  do {
    before = count();
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      follow(op);
      return isa<linalg::LinalgOp, GenericOp>(op) ? WalkResult::skip()
                                                  : WalkResult::advance();
    });
  } while (count() != before);
}

/// Whether no input follows from results that another pattern's rules leave
/// out.
bool DenseGroup::hasValuesEverywhere() {
  PartialValues partial(detect->getParentOfType<func::FuncOp>());
  return llvm::all_of(ops, [&](Operation *op) {
    return llvm::all_of(partial.getIndexesOfOperands(op), [&](Value index) {
      return index == detect.getIndex();
    });
  });
}

/// The share of live micro-tiles up to which all products of the group together
/// take no longer than dense ones; none if there is no product.
double DenseGroup::findMostLive() {
  // The database has times of micro-tiles of the first operand. Tiles of others
  // are packed once more: with 32 x 32 of f32, rules took so many times what it
  // says (AMD EPYC, one thread, a layer of 1024 x 256 x 1024).
  constexpr double kOfSecond = 1.9, kOfResult = 2.6;
  struct Cost {
    SkippingCost ofProduct;
    double factor;
    bool ofSteps;
  };
  SmallVector<Cost> costs;
  for (Operation *op : ops) {
    auto generic = dyn_cast<GenericOp>(op);
    if (!generic || !llvm::is_contained(generic.getIteratorTypesArray(),
                                        utils::IteratorType::reduction))
      continue;
    bool ofSteps = listsStepsOfFewRows(generic);
    // What the index lies along: an input, or a result that is sampled.
    SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
    for (auto [i, map] : llvm::enumerate(maps)) {
      if (mapAxesToDims(map, generic.getIndexAxes()).empty())
        continue;
      double factor = ofSteps  ? getFactorOfSteps(generic)
                      : i == 0 ? 1
                      : i < generic.getInputs().size() ? kOfSecond
                                                       : kOfResult;
      ProductView view = viewAsProduct(generic, i);
      if (view.shape.getVolume() > 0)
        costs.push_back(
            {SkippingCost(data, view.shape, view.tile), factor, ofSteps});
      break;
    }
  }
  if (costs.empty())
    return 1;
  return 1 - findBreakEven([&](double deadShare) {
           double sparse = 0, dense = 0;
           for (const auto &[cost, factor, ofSteps] : costs) {
             double whole = cost.getDenseTime(deadShare);
             sparse += factor * (ofSteps ? whole * (1 - deadShare)
                                         : cost.getSparseTime(deadShare));
             dense += whole;
           }
           return sparse <= dense;
         });
}

unsigned DenseGroup::run() {
  if (!(isOfBlocks() || isOfSteps()) || !collect() || !hasValuesEverywhere())
    return 0;
  double mostLive = findMostLive();
  if (mostLive >= 1)
    return 0;
  rewriter.setInsertionPointAfter(detect);
  isDense = createListsMoreThan(rewriter, detect.getLoc(), detect.getIndex(),
                                mostLive);
  unsigned numRules = 0;
  for (Operation *op : ops)
    if (auto rule = dyn_cast<GenericOp>(op)) {
      setMostLive(rule, mostLive);
      remarks::passed(op, remarks::kSelection, "dense-variant")
          << "has a dense variant, which runs with those of all rules of the "
             "pattern where more is live"
          << remarks::metric("MostLive", mostLive);
      ++numRules;
    }
  for (ArrayRef<Operation *> run : gatherRuns())
    choose(run);
  return numRules;
}
