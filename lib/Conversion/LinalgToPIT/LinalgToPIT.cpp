//===- LinalgToPIT.cpp - Level 1 to level 2 -------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites each structured op that propagation restricts to a pattern as a
// `pit.generic` over that pattern's index. The walk is in program order, so
// that an operand's packed form exists before its user asks for it. An index
// may be built after ops that are demanded only through it: the block is sorted
// topologically at the end.
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"
#include "PIT/Dialect/PIT/Analysis/DataMovement.h"
#include "PIT/Dialect/PIT/Utils/DenseVariants.h"
#include "PIT/Dialect/PIT/Utils/Sizes.h"

#include "Converter.h"
#include "ReportRules.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace mlir::pit {
#define GEN_PASS_DEF_CONVERTLINALGTOPIT
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// A packed result that exists only because its reader skips most of it must be
/// smaller than the full one.
bool Converter::isLargePacked(const Restriction &restriction) const {
  const SparsePattern &pattern = propagation.getPatterns()[restriction.pattern];
  PatternKind kind = pattern.attr.getKind();
  bool gated = kind == PatternKind::Routing || kind == PatternKind::Values;
  return restriction.reason == Restriction::Demand && gated &&
         !pattern.attr.hasBound() && pattern.attr.getRank() >= 2;
}

/// An op without points has none to skip, and none of its tensors has a slice
/// to pack.
bool Converter::isWorthwhile(linalg::LinalgOp op,
                             const Restriction &restriction) {
  if (llvm::is_contained(op.getStaticLoopRanges(), 0))
    return false;
  if (dense.contains(op)) {
    reportDense(op) << remarks::reason(dense.lookup(op));
    return false;
  }
  if (!isLargePacked(restriction))
    return true;
  const SparsePattern &pattern = propagation.getPatterns()[restriction.pattern];
  reportDense(op) << remarks::reason(
                         "its result is needed only where the pattern at " +
                         remarks::spell(pattern.loc) +
                         " is live, but without 'at_most' its packed form "
                         "would be as large as the result")
                  << remarks::suggestion("bound the pattern with 'at_most'");
  return false;
}

int64_t Converter::addRule(Operation *op, const Restriction &restriction) {
  const SparsePattern &pattern = propagation.getPatterns()[restriction.pattern];
  OpBuilder builder(op->getContext());
  auto structured = cast<linalg::LinalgOp>(op);
  int64_t coordinateAxis =
      restriction.axes[indexes.getCoordinate(restriction.pattern)];
  bool reduces = structured.getIteratorTypesArray()[coordinateAxis] ==
                 utils::IteratorType::reduction;
  SmallVector<int64_t> tile;
  for (unsigned i = 0, e = pattern.attr.getRank(); i < e; ++i)
    tile.push_back(pattern.attr.getTileExtent(i));
  int64_t id = rules.size();
  rules.push_back(builder.getDictionaryAttr({
      builder.getNamedAttr("id", builder.getI64IntegerAttr(id)),
      builder.getNamedAttr("pattern",
                           builder.getI64IntegerAttr(restriction.pattern)),
      builder.getNamedAttr("loc", LocationAttr(op->getLoc())),
      builder.getNamedAttr(
          "kind",
          builder.getStringAttr(stringifyPatternKind(pattern.attr.getKind()) +
                                ", " + stringifyReason(restriction.reason))),
      builder.getNamedAttr(
          "axis",
          builder.getStringAttr(("d" + llvm::Twine(coordinateAxis)).str() +
                                (reduces ? " (reduction)" : " (parallel)"))),
      builder.getNamedAttr("axes",
                           builder.getDenseI64ArrayAttr(restriction.axes)),
      builder.getNamedAttr("micro_tile", builder.getDenseI64ArrayAttr(tile)),
  }));
  return id;
}

/// The value that a restricted op reads for an operand: its packed form when
/// that lies along the same axes, else the full tensor, looking through marks
/// that only name the pattern.
Value Converter::readOperand(OpOperand &operand, AffineMap map,
                             const Restriction &restriction, bool &packed) {
  Value value = operand.get();
  SmallVector<int64_t> dims = mapAxesToDims(map, restriction.axes);
  const PackedValue *form = values.getPacked(value);
  packed = form && form->pattern == restriction.pattern && !dims.empty() &&
           ArrayRef<int64_t>(form->dims) == ArrayRef<int64_t>(dims);
  if (packed)
    return form->packed;
  auto mark = value.getDefiningOp<SparseOp>();
  if (!mark || form ||
      !isTransparent(mark,
                     propagation.getPatterns()[propagation.getPattern(mark)]))
    return values.getFull(value);
  auto visitsItsPointsOnly = [&](const Restriction &candidate) {
    SmallVector<int64_t> dims = mapAxesToDims(map, candidate.axes);
    return propagation.getPattern(mark) == candidate.pattern && !dims.empty() &&
           mark.getPattern().getAxes().asArrayRef() == ArrayRef<int64_t>(dims);
  };
  bool isNamedOnly =
      visitsItsPointsOnly(restriction) ||
      llvm::any_of(getFurther(cast<linalg::LinalgOp>(operand.getOwner())),
                   visitsItsPointsOnly);
  return values.getFull(isNamedOnly ? mark.getSource() : value);
}

/// What a body looks up in, it reads at any place.
void Converter::readWhole(Block &block) {
  block.walk([&](Operation *nested) {
    for (OpOperand &operand : nested->getOpOperands())
      if (values.getPacked(operand.get()))
        operand.set(values.getFull(operand.get()));
  });
}

void Converter::createGeneric(
    OpBuilder &builder, Operation *op, const Restriction &restriction,
    ArrayRef<AffineMap> maps, ArrayRef<utils::IteratorType> iterators,
    ArrayRef<Value> inputs, ArrayRef<Value> outputs, ArrayRef<bool> packed,
    Region &body, ArrayRef<unsigned> trueInputs, ArrayRef<int64_t> places) {
  auto iteratorAttrs = llvm::map_to_vector(
      iterators, [&](utils::IteratorType type) -> Attribute {
        return linalg::IteratorTypeAttr::get(builder.getContext(), type);
      });
  IntegerAttr rule = builder.getI64IntegerAttr(addRule(op, restriction));
  SmallVector<Value> furtherIndexes;
  SmallVector<Attribute> furtherAxes;
  SmallVector<int64_t> furtherRules;
  for (const Restriction &further : getFurther(cast<linalg::LinalgOp>(op))) {
    furtherIndexes.push_back(indexes.getIndex(further.pattern));
    furtherAxes.push_back(builder.getDenseI64ArrayAttr(further.axes));
    furtherRules.push_back(addRule(op, further));
  }
  auto generic = GenericOp::create(
      builder, op->getLoc(), ValueRange(outputs).getTypes(),
      indexes.getIndex(restriction.pattern), furtherIndexes, inputs, outputs,
      builder.getAffineMapArrayAttr(maps), builder.getArrayAttr(iteratorAttrs),
      builder.getDenseI64ArrayAttr(restriction.axes),
      builder.getDenseBoolArrayAttr(packed),
      furtherAxes.empty() ? ArrayAttr() : builder.getArrayAttr(furtherAxes),
      rule,
      furtherRules.empty() ? DenseI64ArrayAttr()
                           : builder.getDenseI64ArrayAttr(furtherRules));
  PITDialect::DenseVariantAttrHelper wish(op->getContext());
  if (wish.isAttrPresent(op))
    wish.setAttr(generic, wish.getAttr(op));
  IRMapping mapping;
  body.cloneInto(&generic.getRegion(), mapping);
  Block &block = generic.getRegion().front();
  readWhole(block);
  for (unsigned input : llvm::reverse(trueInputs)) {
    OpBuilder atStart = OpBuilder::atBlockBegin(&block);
    block.getArgument(input).replaceAllUsesWith(
        arith::ConstantIntOp::create(atStart, op->getLoc(), 1, /*width=*/1));
    block.eraseArgument(input);
  }
  // Level 2 has no positions: they are elements of tensors, last of the inputs.
  for (auto [i, place] : llvm::enumerate(places)) {
    BlockArgument element = block.insertArgument(
        inputs.size() - places.size() + i, builder.getI64Type(), op->getLoc());
    for (auto index :
         llvm::make_early_inc_range(block.getOps<linalg::IndexOp>()))
      if (int64_t(index.getDim()) == place) {
        OpBuilder atIndex(index);
        index.replaceAllUsesWith(
            arith::IndexCastOp::create(atIndex, index.getLoc(),
                                       atIndex.getIndexType(), element)
                .getResult());
        index.erase();
      }
  }
  Operation *yield = block.getTerminator();
  OpBuilder atYield(yield);
  YieldOp::create(atYield, yield->getLoc(), yield->getOperands());
  yield->erase();
  ++numRestricted;

  auto structured = cast<linalg::LinalgOp>(op);
  for (auto [k, result] : llvm::enumerate(op->getResults())) {
    if (packed[inputs.size() + k]) {
      SmallVector<int64_t> dims = mapAxesToDims(
          structured.getIndexingMapMatchingResult(result), restriction.axes);
      values.setPacked(result,
                       {restriction.pattern, dims, generic.getResult(k)});
    } else {
      result.replaceAllUsesWith(generic.getResult(k));
    }
  }
}

/// A tensor without dimensions that holds a scalar: level 2 has no other
/// operands. A fill is a kernel where data lies on a device.
static Value createTensorOf(OpBuilder &builder, Value scalar) {
  Location loc = scalar.getLoc();
  Value empty = tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>(),
                                        scalar.getType());
  return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
}

/// The loops whose places the body reads.
static SmallVector<int64_t> findPlaces(linalg::LinalgOp op) {
  SmallVector<int64_t> places;
  for (auto index : op.getBlock()->getOps<linalg::IndexOp>())
    if (!llvm::is_contained(places, int64_t(index.getDim())))
      places.push_back(int64_t(index.getDim()));
  return places;
}

/// A tensor of the places of a loop.
static Value createPlaces(OpBuilder &builder, linalg::LinalgOp op,
                          int64_t loop) {
  Location loc = op.getLoc();
  OpFoldResult extent;
  for (OpOperand &operand : op->getOpOperands())
    if (std::optional<unsigned> dim =
            op.getMatchingIndexingMap(&operand).getResultPosition(
                builder.getAffineDimExpr(loop))) {
      extent = tensor::getMixedSize(builder, loc, operand.get(), *dim);
      break;
    }
  Value empty =
      tensor::EmptyOp::create(builder, loc, extent, builder.getI64Type());
  return linalg::GenericOp::create(
             builder, loc, TypeRange(empty.getType()), ValueRange(), empty,
             builder.getMultiDimIdentityMap(1), utils::IteratorType::parallel,
             [](OpBuilder &b, Location loc, ValueRange args) {
               Value place = linalg::IndexOp::create(b, loc, 0);
               linalg::YieldOp::create(
                   b, loc,
                   arith::IndexCastOp::create(b, loc, args[0].getType(), place)
                       .getResult());
             })
      .getResult(0);
}

/// Whether an operand is the mask of the points that an op visits, and so true
/// at all of them.
bool Converter::isTrueAtPoints(OpOperand &operand, AffineMap map,
                               const Restriction &restriction) {
  const SparsePattern &pattern = propagation.getPatterns()[restriction.pattern];
  if (pattern.attr.getKind() != PatternKind::Mask || pattern.getBase() ||
      !pattern.completed.empty() || !pattern.hasUnitTile())
    return false;
  Value value = operand.get();
  if (auto mark = value.getDefiningOp<SparseOp>();
      mark && mark.getBy() == mark.getSource())
    value = mark.getSource();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> dims = mapAxesToDims(map, restriction.axes);
  return value == pattern.by && type && type.getElementType().isInteger(1) &&
         int64_t(dims.size()) == type.getRank() &&
         llvm::equal(dims, llvm::seq<int64_t>(0, type.getRank()));
}

/// The inputs that are true wherever an op is computed, if the others have all
/// of its axes.
SmallVector<unsigned>
Converter::findTrueInputs(linalg::LinalgOp op, const Restriction &restriction) {
  SmallVector<unsigned> found;
  llvm::SmallBitVector axes(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (op.isDpsInput(&operand) && isTrueAtPoints(operand, map, restriction)) {
      found.push_back(operand.getOperandNumber());
      continue;
    }
    for (unsigned axis = 0; axis < op.getNumLoops(); ++axis)
      if (map.getResultPosition(getAffineDimExpr(axis, op.getContext())))
        axes.set(axis);
  }
  return axes.all() ? found : SmallVector<unsigned>();
}

void Converter::convertStructured(linalg::LinalgOp op,
                                  const Restriction &restriction) {
  OpBuilder builder(op);
  SmallVector<Value> inputs, outputs;
  SmallVector<bool> packed;
  SmallVector<AffineMap> maps;
  SmallVector<unsigned> trueInputs = findTrueInputs(op, restriction);
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (llvm::is_contained(trueInputs, input->getOperandNumber()))
      continue;
    maps.push_back(op.getMatchingIndexingMap(input));
    bool isPacked = false;
    Value value = readOperand(*input, maps.back(), restriction, isPacked);
    inputs.push_back(isa<RankedTensorType>(value.getType())
                         ? value
                         : createTensorOf(builder, value));
    packed.push_back(isPacked);
  }
  SmallVector<int64_t> places = findPlaces(op);
  for (int64_t place : places) {
    inputs.push_back(createPlaces(builder, op, place));
    maps.push_back(
        AffineMap::get(op.getNumLoops(), 0, builder.getAffineDimExpr(place)));
    packed.push_back(false);
  }
  for (OpOperand &init : op.getDpsInitsMutable()) {
    maps.push_back(op.getMatchingIndexingMap(&init));
    SmallVector<int64_t> dims = mapAxesToDims(maps.back(), restriction.axes);
    // A result stays packed when all that is not computed is known or read by
    // nobody.
    bool staysPacked =
        !dims.empty() && restriction.reason != Restriction::Annihilated;
    outputs.push_back(staysPacked
                          ? pack(builder, init.get(), restriction.pattern, dims)
                          : values.getFull(init.get()));
    packed.push_back(staysPacked);
  }
  createGeneric(builder, op, restriction, maps, op.getIteratorTypesArray(),
                inputs, outputs, packed, op->getRegion(0), trueInputs, places);
}

void Converter::needWhole(Operation *op) {
  for (OpOperand &operand : op->getOpOperands()) {
    const PackedValue *form = values.getPacked(operand.get());
    if (!form)
      continue;
    if (isa<CallOpInterface>(op))
      reportEnd(op, form->pattern, "what is called is not looked into",
                propagation);
    if (isa<tensor::ExtractOp>(op))
      reportEnd(op, form->pattern,
                "elements are looked up at places that it does not restrict",
                propagation);
    operand.set(values.getFull(operand.get()));
  }
}

void Converter::convert(Block &block) {
  blocks.push_back(&block);
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto mark = dyn_cast<SparseOp>(op)) {
      reportPattern(mark, propagation);
      convertMark(mark);
      continue;
    }
    const Restriction *restriction = propagation.getRestriction(&op);
    if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
      reportAxes(structured, strict);
      if (!restriction)
        reportNoRule(structured, propagation);
    }
    if (restriction && isWorthwhile(cast<linalg::LinalgOp>(op), *restriction)) {
      reportRule(cast<linalg::LinalgOp>(op), *restriction, propagation);
      convertStructured(cast<linalg::LinalgOp>(op), *restriction);
      continue;
    }
    if (convertMovement(&op))
      continue;
    // Everything else needs its operands whole, and so does what is in its
    // regions, unless that is converted, too.
    SmallVector<Block *> nested = propagation.getNestedBlocks(&op);
    if (nested.empty()) {
      op.walk([&](Operation *inside) {
        needWhole(inside);
        if (auto structured = dyn_cast<linalg::LinalgOp>(inside);
            structured && inside != &op)
          reportOutOfReach(structured, propagation);
        if (auto mark = dyn_cast<SparseOp>(inside))
          reportOutOfReach(mark);
      });
      continue;
    }
    needWhole(&op);
    for (Block *inside : nested)
      convert(*inside);
  }
}

void Converter::run() {
  convert(func.getBody().front());
  for (Block *block : blocks)
    sortTopologically(block);
  // Inner blocks last come first: they read values of outer ones.
  for (Block *block : llvm::reverse(blocks))
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
      if (isOpTriviallyDead(&op))
        op.erase();
  if (!rules.empty())
    PITDialect::RulesAttrHelper(func.getContext())
        .setAttr(func, ArrayAttr::get(func.getContext(), rules));
}

void Converter::number(Block &block) {
  Builder builder(func.getContext());
  for (Operation &op : block) {
    const Restriction *restriction = propagation.getRestriction(&op);
    for (Block *nested : propagation.getNestedBlocks(&op))
      number(*nested);
    if (!restriction || !isWorthwhile(cast<linalg::LinalgOp>(op), *restriction))
      continue;
    PITDialect::RuleAttrHelper(func.getContext())
        .setAttr(&op, builder.getI64IntegerAttr(addRule(&op, *restriction)));
    for (const Restriction &further : getFurther(cast<linalg::LinalgOp>(op)))
      addRule(&op, further);
  }
}

void Converter::number() {
  number(func.getBody().front());
  if (!rules.empty())
    PITDialect::RulesAttrHelper(func.getContext())
        .setAttr(func, ArrayAttr::get(func.getContext(), rules));
}

namespace {
struct ConvertLinalgToPIT
    : pit::impl::ConvertLinalgToPITBase<ConvertLinalgToPIT> {
  using ConvertLinalgToPITBase::ConvertLinalgToPITBase;

  void runOnOperation() override {
    if (failed(checkSizes(getOperation())))
      return signalPassFailure();
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    if (!func.getBody().hasOneBlock()) {
      remarks::missed(func, remarks::kRules, "function")
          << "left as it is: the body has more than one block";
      func.walk([&](SparseOp mark) {
        if (!numberOnly)
          mark->emitWarning() << "nothing is skipped by this mark: the body of "
                                 "the function has more than one block";
      });
      return;
    }
    SparsityPropagation propagation(
        func, PropagationOptions{finite, strict, regions});
    Converter converter(func, propagation, strict, kernels, listKernels,
                        leastMicroseconds);
    if (numberOnly)
      return converter.number();
    converter.run();
    numRestricted += converter.numRestricted;
    numIndexes += converter.getNumIndexes();
  }
};
} // namespace
