//===- DenseGroup.cpp - All rules of a pattern, dense or not --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules under a mask pass packed values to each other: a masked weight to the
// products that read it, the gradient of a weight to what masks it. Where most
// is live, tiles cost more than they save, and all rules of the mask run as the
// program is written. Each is a branch with the same condition. It yields its
// results packed and whole, of which only one is ever computed.
//
// A rule may leave out points that nobody reads. They are read in a dense form,
// so its inputs must not be such results of another pattern's rules.
//
//===----------------------------------------------------------------------===//

#include "DenseGroup.h"

#include "DenseChoice.h"
#include "DenseForm.h"
#include "Dialect/PIT/Transforms/Indexes/IndexExtents.h"
#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"
#include "PIT/Support/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

class DenseGroup {
public:
  DenseGroup(DetectOp detect, const TileDatabase &data)
      : detect(detect), rewriter(detect.getContext()), data(data) {}

  unsigned run();

private:
  bool isOfBlocks();
  bool collect();
  bool fits(GenericOp op);
  bool fits(SWriteOp op);
  bool fits(SReadOp op);
  bool hasValuesEverywhere();
  double findMostLive();

  Value createWhole(Value packed, AffineMap map, GenericOp op, bool filled);
  void choose(GenericOp op);
  void choose(SWriteOp op);
  void choose(SReadOp op);

  DetectOp detect;
  IRRewriter rewriter;
  const TileDatabase &data;
  /// In the order of the program.
  SmallVector<Operation *> ops;
  /// For each packed value, the dimensions that are packed of the whole one.
  llvm::DenseMap<Value, SmallVector<int64_t>> packedDims;
  llvm::DenseMap<Value, Type> wholeTypes;
  /// What is passed in the place of a packed value where the group is dense.
  llvm::DenseMap<Value, Value> whole;
  Value isDense;
};

} // namespace

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

/// A destination of packed results that holds one number, or nothing.
static bool isPlainStart(Value start) {
  return start.getDefiningOp<linalg::FillOp>() ||
         start.getDefiningOp<tensor::EmptyOp>();
}

namespace {
/// Where the extent of a dimension of a whole tensor stands: in the index, or
/// in the packed form.
struct WholeDim {
  bool isListed;
  unsigned number;
};
} // namespace

/// The dimensions of an operand that is packed as whole: one packed dimension
/// stands for all that are listed, with the micro-tile's own extents behind it.
static SmallVector<WholeDim> getWholeDims(GenericOp op, AffineMap map) {
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
         op.getMode() == WriteMode::Store && packedDims.contains(source) &&
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

/// Whether no input follows from results that another pattern's rules leave
/// out.
bool DenseGroup::hasValuesEverywhere() {
  llvm::DenseSet<Value> partial;
  auto follow = [&](Operation *op) {
    auto rule = dyn_cast<GenericOp>(op);
    bool isOfGroup = llvm::is_contained(ops, op);
    if (!llvm::any_of(op->getOperands(),
                      [&](Value value) { return partial.contains(value); }) &&
        !(rule && !isOfGroup && leavesOutUnread(rule)))
      return;
    partial.insert(op->result_begin(), op->result_end());
    // Into regions, and out of them.
    for (Region &region : op->getRegions())
      for (Block &block : region)
        partial.insert(block.args_begin(), block.args_end());
    Operation *parent = op->getParentOp();
    if (op->hasTrait<OpTrait::IsTerminator>() && !isa<func::FuncOp>(parent)) {
      partial.insert(parent->result_begin(), parent->result_end());
      for (Region &region : parent->getRegions())
        for (Block &block : region)
          partial.insert(block.args_begin(), block.args_end());
    }
  };
  auto function = detect->getParentOfType<func::FuncOp>();
  size_t before;
  do {
    before = partial.size();
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      follow(op);
      return isa<linalg::LinalgOp, GenericOp>(op) ? WalkResult::skip()
                                                  : WalkResult::advance();
    });
  } while (partial.size() != before);
  return llvm::none_of(ops, [&](Operation *op) {
    return llvm::any_of(op->getOperands(),
                        [&](Value value) { return partial.contains(value); });
  });
}

/// The share of live micro-tiles up to which all products of the group together
/// take no longer than dense ones; none if there is no product.
double DenseGroup::findMostLive() {
  // The database has times of micro-tiles of the first operand. Tiles of others
  // are packed once more: with 32 x 32 of f32, rules took so many times what it
  // says (AMD EPYC, one thread, a layer of 1024 x 256 x 1024).
  constexpr double kOfSecond = 1.9, kOfResult = 2.6;
  SmallVector<std::pair<SkippingCost, double>> costs;
  for (Operation *op : ops) {
    auto generic = dyn_cast<GenericOp>(op);
    if (!generic || !llvm::is_contained(generic.getIteratorTypesArray(),
                                        utils::IteratorType::reduction))
      continue;
    // What the index lies along: an input, or a result that is sampled.
    SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
    for (auto [i, map] : llvm::enumerate(maps)) {
      if (mapAxesToDims(map, generic.getIndexAxes()).empty())
        continue;
      ProductView view = viewAsProduct(generic, i);
      double factor = i == 0                           ? 1
                      : i < generic.getInputs().size() ? kOfSecond
                                                       : kOfResult;
      if (view.shape.getVolume() > 0)
        costs.emplace_back(SkippingCost(data, view.shape, view.tile), factor);
      break;
    }
  }
  if (costs.empty())
    return 1;
  return 1 - findBreakEven([&](double deadShare) {
           double sparse = 0, dense = 0;
           for (const auto &[cost, factor] : costs) {
             sparse += factor * cost.getSparseTime(deadShare);
             dense += cost.getDenseTime(deadShare);
           }
           return sparse <= dense;
         });
}

/// A whole tensor for packed results, which start from `packed`: with what that
/// holds if it is to be computed, else without contents.
Value DenseGroup::createWhole(Value packed, AffineMap map, GenericOp op,
                              bool filled) {
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> listed =
      getIndexExtents(rewriter, loc, op.getIndex().getType(), op.getIndex());
  SmallVector<OpFoldResult> others =
      tensor::getMixedSizes(rewriter, loc, packed);
  SmallVector<OpFoldResult> sizes;
  for (WholeDim dim : getWholeDims(op, map))
    sizes.push_back(dim.isListed ? listed[dim.number] : others[dim.number]);
  Value made = tensor::EmptyOp::create(
      rewriter, loc, sizes,
      cast<RankedTensorType>(packed.getType()).getElementType());
  auto fill = packed.getDefiningOp<linalg::FillOp>();
  if (filled && fill)
    made = linalg::FillOp::create(rewriter, loc, fill.getInputs(), made)
               .getResult(0);
  return made;
}

void DenseGroup::choose(GenericOp op) {
  Location loc = op.getLoc();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned numInputs = op.getInputs().size();
  rewriter.setInsertionPoint(op);
  for (OpOperand &start : op.getOutputsMutable())
    copyStartingArgument(rewriter, start);
  // Packed results twice: as the group passes them, and whole.
  SmallVector<Type> types(op->getResultTypes());
  SmallVector<unsigned> packedResults;
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    if (op.getPacked()[numInputs + i]) {
      packedResults.push_back(i);
      types.push_back(wholeTypes.lookup(op->getResult(i)));
    }
  auto choice = scf::IfOp::create(rewriter, loc, types, isDense,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);

  rewriter.setInsertionPointToStart(choice.thenBlock());
  SmallVector<Value> inputs(op.getInputs()), outputs(op.getOutputs());
  for (auto [i, input] : llvm::enumerate(inputs))
    if (op.getPacked()[i])
      input = whole.lookup(input);
  for (unsigned i : packedResults)
    outputs[i] =
        createWhole(outputs[i], maps[numInputs + i], op, /*filled=*/true);
  linalg::GenericOp dense = createDenseForm(rewriter, op, inputs, outputs, maps,
                                            op.getIteratorTypesArray());
  if (IntegerAttr rule = op.getRuleAttr())
    PITDialect::DenseVariantOfAttrHelper(op.getContext()).setAttr(dense, rule);
  SmallVector<Value> yielded(dense.getResults());
  for (unsigned i : packedResults) {
    yielded.push_back(yielded[i]);
    yielded[i] = op.getOutputs()[i];
  }
  scf::YieldOp::create(rewriter, loc, yielded);

  rewriter.setInsertionPointToStart(choice.elseBlock());
  SmallVector<Value> unused;
  for (unsigned i : packedResults)
    unused.push_back(createWhole(op.getOutputs()[i], maps[numInputs + i], op,
                                 /*filled=*/false));
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    Value chosen = choice.getResult(i);
    if (packedDims.contains(result)) {
      SmallVector<int64_t> dims = packedDims.lookup(result);
      packedDims[chosen] = std::move(dims);
    }
    rewriter.replaceAllUsesWith(result, chosen);
  }
  for (auto [i, number] : llvm::enumerate(packedResults))
    whole[choice.getResult(number)] =
        choice.getResult(op->getNumResults() + unsigned(i));
  rewriter.moveOpBefore(op, choice.elseBlock(), choice.elseBlock()->end());
  rewriter.setInsertionPointToEnd(choice.elseBlock());
  SmallVector<Value> kept(op->getResults());
  llvm::append_range(kept, unused);
  scf::YieldOp::create(rewriter, loc, kept);
}

void DenseGroup::choose(SWriteOp op) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  copyStartingArgument(rewriter, op.getDestMutable());
  Value source = whole.lookup(op.getSource());
  auto choice = scf::IfOp::create(rewriter, loc, op->getResultTypes(), isDense,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  rewriter.setInsertionPointToStart(choice.thenBlock());
  scf::YieldOp::create(rewriter, loc, source);
  rewriter.replaceAllUsesWith(op.getResult(), choice.getResult(0));
  rewriter.moveOpBefore(op, choice.elseBlock(), choice.elseBlock()->end());
  rewriter.setInsertionPointToEnd(choice.elseBlock());
  scf::YieldOp::create(rewriter, loc, op.getResult());
}

void DenseGroup::choose(SReadOp op) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  auto choice = scf::IfOp::create(rewriter, loc, op->getResultTypes(), isDense,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  rewriter.setInsertionPointToStart(choice.thenBlock());
  auto type = cast<RankedTensorType>(op.getResult().getType());
  Value nothing = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                          type.getElementType());
  scf::YieldOp::create(rewriter, loc, nothing);
  whole[choice.getResult(0)] = op.getSource();
  rewriter.replaceAllUsesWith(op.getResult(), choice.getResult(0));
  rewriter.moveOpBefore(op, choice.elseBlock(), choice.elseBlock()->end());
  rewriter.setInsertionPointToEnd(choice.elseBlock());
  scf::YieldOp::create(rewriter, loc, op.getResult());
}

unsigned DenseGroup::run() {
  if (!isOfBlocks() || !collect() || !hasValuesEverywhere())
    return 0;
  double mostLive = findMostLive();
  if (mostLive >= 1)
    return 0;
  rewriter.setInsertionPointAfter(detect);
  isDense = createListsMoreThan(rewriter, detect.getLoc(), detect.getIndex(),
                                mostLive);
  unsigned numRules = 0;
  for (Operation *op : ops) {
    if (auto generic = dyn_cast<GenericOp>(op)) {
      setMostLive(generic, mostLive);
      remarks::passed(op, remarks::kSelection, "dense-variant")
          << "has a dense variant, which runs with those of all rules of the "
             "pattern where more is live"
          << remarks::metric("MostLive", mostLive);
      choose(generic);
      ++numRules;
    } else if (auto write = dyn_cast<SWriteOp>(op)) {
      choose(write);
    } else {
      choose(cast<SReadOp>(op));
    }
  }
  return numRules;
}

unsigned mlir::pit::addDenseGroup(DetectOp detect, const TileDatabase &data) {
  return DenseGroup(detect, data).run();
}
