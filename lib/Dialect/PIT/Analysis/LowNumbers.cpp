//===- LowNumbers.cpp - Numbers of masks at live points -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowNumbers.h"

#include "PIT/Analysis/RegionAnalysis.h"
#include "PIT/Dialect/PIT/Analysis/DataMovement.h"
#include "PIT/Dialect/PIT/Analysis/Lookups.h"
#include "PIT/Dialect/PIT/IR/PITAttention.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::pit;

/// NaN counts, as it is not known what it becomes.
static bool isLow(const APFloat &number) {
  bool isLowest = &number.getSemantics() == &APFloat::IEEEhalf() &&
                  number.isLargest() && number.isNegative();
  return number.isNaN() || isLowest ||
         number.convertToDouble() <= kHighestLowNumber;
}

static bool isLow(Attribute attr) {
  if (auto number = dyn_cast_or_null<FloatAttr>(attr))
    return isLow(number.getValue());
  auto elements = dyn_cast_or_null<DenseElementsAttr>(attr);
  if (!elements || !isa<FloatType>(elements.getElementType()))
    return false;
  if (elements.isSplat())
    return isLow(elements.getSplatValue<APFloat>());
  if (elements.getElementType().isF32())
    return llvm::any_of(elements.getValues<float>(), [](float number) {
      return !(number > kHighestLowNumber);
    });
  return llvm::any_of(elements.getValues<APFloat>(),
                      [](const APFloat &number) { return isLow(number); });
}

/// Whether a function of any number, -inf among them, is no low number.
static bool isBoundedBelow(Operation *op) {
  return isa<math::ExpOp, math::Exp2Op, math::ExpM1Op, math::AbsFOp,
             math::TanhOp, math::ErfOp, math::ErfcOp, math::SqrtOp,
             math::RsqrtOp, math::SinOp, math::CosOp, math::AtanOp,
             math::AsinOp, math::AcosOp, arith::SIToFPOp, arith::UIToFPOp>(op);
}

static bool hasFloats(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

/// Stands for pattern and dimensions in tables.
static Attribute getKey(MLIRContext *context, unsigned pattern,
                        ArrayRef<int64_t> dims) {
  SmallVector<int64_t> numbers(dims);
  if (!dims.empty())
    numbers.push_back(pattern);
  return DenseI64ArrayAttr::get(context, numbers);
}

void LowNumbers::push(Elements elements) {
  if (!elements.tensor || !hasFloats(elements.tensor))
    return;
  Attribute key =
      getKey(elements.tensor.getContext(), elements.pattern, elements.dims);
  if (!clean.contains({elements.tensor, key}) &&
      seen.insert({elements.tensor, key}).second)
    pending.push_back(std::move(elements));
}

//===----------------------------------------------------------------------===//
// What the pattern says of values
//===----------------------------------------------------------------------===//

/// A mark of a mask that is read from what it marks: truth values, or numbers
/// of which 0 is false, and other ones stand for 1.
TypedAttr LowNumbers::getKnownOfMark(SparseOp mark, const Elements &elements,
                                     unsigned depth) {
  ArrayRef<int64_t> axes = mark.getPattern().getAxes().asArrayRef();
  Value source = mark.getSource();
  auto element = dyn_cast<IntegerType>(getElementTypeOrSelf(source.getType()));
  bool isSame = propagation.getPattern(mark) == elements.pattern &&
                axes == ArrayRef(elements.dims);
  // Another mark may write zeros at these elements, unless it marks its own
  // mask, which is true where it is live.
  if (!isSame && mark.getBy() != source)
    return {};
  bool isOwn = isSame && element && mark.getBy() &&
               mark.getPattern().getKind() == PatternKind::Mask;
  Value by = mark.getBy();
  while (isOwn && by != source && by.getDefiningOp() &&
         isDataMovement(by.getDefiningOp()))
    by = by.getDefiningOp()->getOperand(0);
  auto asks = isOwn && by != source ? by.getDefiningOp<linalg::GenericOp>()
                                    : linalg::GenericOp();
  if (asks && asks.getNumDpsInputs() == 1 && asks.getNumReductionLoops() == 0 &&
      asks.getInputs()[0] == source) {
    auto zero = AbstractScalar::getConstant(IntegerAttr::get(element, 0));
    if (interpretBody(*asks.getBlock(), 1, {zero})[0].isZero())
      by = source;
  }
  if (isOwn && by == source)
    return IntegerAttr::get(element, 1);
  return getKnown({source, elements.pattern, elements.dims}, depth + 1);
}

TypedAttr LowNumbers::computeKnown(const Elements &elements, unsigned depth) {
  // Each step may double what is looked at where nothing is found.
  constexpr unsigned kMostSteps = 16;
  Value tensor = elements.tensor;
  const SparsePattern &pattern = propagation.getPatterns()[elements.pattern];
  if (tensor == pattern.by && pattern.attr.getKind() == PatternKind::Mask &&
      getElementTypeOrSelf(tensor).isInteger(1) &&
      llvm::equal(elements.dims, llvm::seq<int64_t>(elements.dims.size())))
    return BoolAttr::get(tensor.getContext(), true);
  Operation *def = tensor.getDefiningOp();
  if (!def)
    return {};
  if (depth > kMostSteps) {
    ++numCut;
    return {};
  }
  if (auto mark = dyn_cast<SparseOp>(def))
    return getKnownOfMark(mark, elements, depth);
  if (isDataMovement(def)) {
    SmallVector<OpOperand *> moved = getMovedOperands(def);
    if (moved.size() != 1 || getPaddingValue(def))
      return {};
    auto dims = mapDimsToOperand(*moved.front(), elements.dims);
    return dims ? getKnown({moved.front()->get(), elements.pattern, *dims},
                           depth + 1)
                : TypedAttr();
  }
  auto op = dyn_cast<linalg::LinalgOp>(def);
  if (!op || !op.hasPureTensorSemantics() || op.getNumReductionLoops() != 0)
    return {};
  unsigned number = cast<OpResult>(tensor).getResultNumber();
  SmallVector<int64_t> axes = mapDimsToAxes(
      op.getMatchingIndexingMap(op.getDpsInitOperand(number)), elements.dims);
  unsigned numInputs = op.getNumDpsInputs();
  SmallVector<std::optional<AbstractScalar>> values = getKnownInputs(
      numInputs,
      [&](unsigned input) -> Elements {
        OpOperand *operand = op.getDpsInputOperand(input);
        return {operand->get(), elements.pattern,
                mapAxesToDims(op.getMatchingIndexingMap(operand), axes)};
      },
      depth + 1);
  return interpretBody(*op.getBlock(), numInputs, values)[number].constant;
}

SmallVector<std::optional<AbstractScalar>>
LowNumbers::getKnownInputs(unsigned numInputs,
                           function_ref<Elements(unsigned)> getElements,
                           unsigned depth) {
  SmallVector<std::optional<AbstractScalar>> values(numInputs);
  for (auto [input, value] : llvm::enumerate(values))
    if (Elements elements = getElements(input); !elements.dims.empty())
      if (TypedAttr constant = getKnown(elements, depth))
        value = AbstractScalar::getConstant(constant);
  return values;
}

TypedAttr LowNumbers::getKnown(const Elements &elements, unsigned depth) {
  // Lines are completed before micro-tiles are: a point is live by itself.
  if (elements.dims.empty() ||
      propagation.getPatterns()[elements.pattern].getBase())
    return {};
  std::pair<Value, Attribute> key{
      elements.tensor,
      getKey(elements.tensor.getContext(), elements.pattern, elements.dims)};
  auto it = known.find(key);
  if (it != known.end())
    return it->second;
  unsigned before = numCut;
  TypedAttr constant = computeKnown(elements, depth);
  // Who asks with fewer steps behind may find what was cut here.
  if (constant || numCut == before)
    known[key] = constant;
  return constant;
}

//===----------------------------------------------------------------------===//
// Where numbers come from
//===----------------------------------------------------------------------===//

/// Follows numbers of a body back from `yielded`. `getElements` tells what an
/// argument is an element of; those of outputs are told where they count.
bool LowNumbers::visitBody(
    Block &body, unsigned numInputs, ValueRange yielded,
    function_ref<Elements(unsigned)> getElements,
    function_ref<SmallVector<int64_t>(Lookup &)> getLookedUp,
    unsigned pattern) {
  llvm::DenseMap<Value, AbstractScalar> scalars = interpretValues(
      body, numInputs, getKnownInputs(numInputs, getElements, /*depth=*/0));
  auto isOutput = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == &body &&
           argument.getArgNumber() >= numInputs;
  };

  llvm::SetVector<Value> numbers;
  numbers.insert_range(yielded);
  for (unsigned i = 0; i < numbers.size(); ++i) {
    Value number = numbers[i];
    if (!hasFloats(number))
      continue;
    Attribute constant;
    auto scalar = scalars.find(number);
    if (scalar != scalars.end() && scalar->second.isConstant())
      constant = scalar->second.constant;
    if (constant || matchPattern(number, m_Constant(&constant))) {
      if (isLow(constant))
        return true;
      continue;
    }
    auto argument = dyn_cast<BlockArgument>(number);
    if (argument && argument.getOwner() == &body) {
      push(getElements(argument.getArgNumber()));
      continue;
    }
    Operation *def = number.getDefiningOp();
    if (!def || def->getBlock() != &body) {
      push({number});
      continue;
    }
    if (isBoundedBelow(def))
      continue;
    if (isa<math::LogOp, math::Log2Op, math::Log10Op>(def) ||
        def->getNumRegions() != 0)
      return true;
    if (auto extract = dyn_cast<tensor::ExtractOp>(def)) {
      std::optional<Lookup> lookup = getLookup(extract);
      push({extract.getTensor(), pattern,
            lookup ? getLookedUp(*lookup) : SmallVector<int64_t>()});
      continue;
    }
    if (auto select = dyn_cast<arith::SelectOp>(def)) {
      auto condition = scalars.find(select.getCondition());
      bool isKnown =
          condition != scalars.end() && condition->second.isConstant();
      if (!isKnown || !condition->second.isZero())
        numbers.insert(select.getTrueValue());
      if (!isKnown || condition->second.isZero())
        numbers.insert(select.getFalseValue());
      continue;
    }
    if (isa<arith::MaximumFOp, arith::MaxNumFOp>(def)) {
      // Low only if both are: one that is not, or the one that is not what was
      // found before, decides.
      auto isKnownHigh = [&](Value operand) {
        auto it = scalars.find(operand);
        return it != scalars.end() && it->second.isConstant() &&
               !isLow(it->second.constant);
      };
      if (llvm::any_of(def->getOperands(), isKnownHigh))
        continue;
      auto isUnknown = [&](Value operand) {
        auto it = scalars.find(operand);
        return !isOutput(operand) &&
               (it == scalars.end() || !it->second.isConstant());
      };
      numbers.insert(def->getOperand(isUnknown(def->getOperand(0)) ? 0 : 1));
      continue;
    }
    numbers.insert_range(def->getOperands());
  }
  return false;
}

bool LowNumbers::visitStructured(linalg::LinalgOp op, ValueRange yielded,
                                 unsigned pattern, ArrayRef<int64_t> axes,
                                 bool readsOutputs) {
  return visitBody(
      *op.getBlock(), op.getNumDpsInputs(), yielded,
      [&](unsigned argument) -> Elements {
        OpOperand &operand = op->getOpOperand(argument);
        if (op.isDpsInit(&operand) && !readsOutputs)
          return {};
        return {operand.get(), pattern,
                mapAxesToDims(op.getMatchingIndexingMap(&operand), axes)};
      },
      [&](Lookup &lookup) { return lookup.mapAxesToDims(axes); }, pattern);
}

/// What comes out of branches and loops, or goes round in them: what has the
/// same type among what goes in and what each of their blocks ends with.
bool LowNumbers::visitControlFlow(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *op =
      argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  if (!isa<RegionBranchOpInterface>(op))
    return true;
  for (Value operand : op->getOperands())
    if (operand.getType() == value.getType())
      push({operand});
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Value operand : block.getTerminator()->getOperands())
        if (operand.getType() == value.getType())
          push({operand});
  return false;
}

bool LowNumbers::visit(const Elements &elements) {
  Value value = elements.tensor;
  Operation *def = value.getDefiningOp();
  if (!def) {
    auto *parent = cast<BlockArgument>(value).getOwner()->getParentOp();
    return !isa<FunctionOpInterface>(parent) && visitControlFlow(value);
  }
  if (getKnown(elements) || isa<AttendOp, CallOpInterface>(def) ||
      isa<tensor::EmptyOp>(def))
    return isLow(getKnown(elements));
  Attribute constant;
  if (matchPattern(def, m_Constant(&constant)))
    return isLow(constant);
  if (auto mark = dyn_cast<SparseOp>(def)) {
    push({mark.getSource(), elements.pattern, elements.dims});
    bool isOwn =
        propagation.getPattern(mark) == elements.pattern &&
        mark.getPattern().getAxes().asArrayRef() == ArrayRef(elements.dims);
    return mark.getPattern().getAbsent() == Absent::NegInf && !isOwn;
  }
  if (auto fill = dyn_cast<linalg::FillOp>(def)) {
    Value scalar = fill.getInputs()[0];
    if (!matchPattern(scalar, m_Constant(&constant)))
      push({scalar});
    return isLow(constant);
  }
  if (isDataMovement(def)) {
    for (OpOperand *operand : getMovedOperands(def))
      push({operand->get(), elements.pattern,
            mapDimsToOperand(*operand, elements.dims)
                .value_or(SmallVector<int64_t>())});
    Value padding = getPaddingValue(def);
    if (padding && !matchPattern(padding, m_Constant(&constant)))
      push({padding});
    return isLow(constant);
  }
  if (auto op = dyn_cast<linalg::LinalgOp>(def);
      op && op.hasPureTensorSemantics()) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    OpOperand *init = op.getDpsInitOperand(number);
    // What is reduced has dead points, too.
    SmallVector<int64_t> axes =
        mapDimsToAxes(op.getMatchingIndexingMap(init), elements.dims);
    return visitStructured(op,
                           op.getBlock()->getTerminator()->getOperand(number),
                           elements.pattern, axes, /*readsOutputs=*/true);
  }
  if (isa<RegionBranchOpInterface>(def))
    return visitControlFlow(value);
  for (Value operand : def->getOperands())
    push({operand});
  return def->getNumRegions() != 0;
}

/// Of a projection, what is live is so at points of what is projected.
void LowNumbers::unproject(unsigned pattern) {
  const SparsePattern &info = propagation.getPatterns()[pattern];
  if (!info.projected)
    return;
  for (Elements &elements : pending) {
    SmallVector<int64_t> dims;
    for (const SparseFact &fact : propagation.getFacts(elements.tensor)) {
      if (fact.pattern != *info.projected || elements.dims.empty())
        continue;
      SmallVector<int64_t> kept = llvm::map_to_vector(
          info.kept, [&](int64_t dim) { return fact.dims[dim]; });
      if (kept == elements.dims)
        dims = fact.dims;
    }
    elements = {elements.tensor, *info.projected, dims};
  }
}

bool LowNumbers::findAny() {
  bool found = false;
  while (!found && !pending.empty())
    found = visit(pending.pop_back_val());
  // Each layer of a model would go through all layers before it.
  if (!found)
    clean.insert_range(seen);
  pending.clear();
  seen.clear();
  return found;
}

bool LowNumbers::mayRead(linalg::LinalgOp op, unsigned pattern,
                         ArrayRef<int64_t> axes) {
  bool found =
      visitStructured(op, op.getBlock()->getTerminator()->getOperands(),
                      pattern, axes, /*readsOutputs=*/false);
  unproject(pattern);
  return findAny() || found;
}

bool LowNumbers::mayRead(AttendOp op, unsigned pattern,
                         ArrayRef<int64_t> axes) {
  Block &body = op.getRegion().front();
  bool found = visitBody(
      body, body.getNumArguments(), body.getTerminator()->getOperands(),
      [&](unsigned number) -> Elements {
        if (number == 0 || number > op.getModifiers().size())
          return {};
        return {op.getModifiers()[number - 1], pattern,
                mapAxesToDims(op.getModifierMap(number - 1), axes)};
      },
      [](Lookup &) { return SmallVector<int64_t>(); }, pattern);
  unproject(pattern);
  return findAny() || found;
}
