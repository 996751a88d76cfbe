//===- WindowLoops.cpp - Loops of a convolution ---------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WindowLoops.h"
#include "ProductLoops.h"

#include "PIT/Conversion/LinalgToCPU/Contraction.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

/// That `#pit.window` may have.
static constexpr size_t kMostAxes = 3;

namespace {

class Matcher {
public:
  Matcher(linalg::LinalgOp op, MatchLog log)
      : op(op), log(log), iterators(op.getIteratorTypesArray()),
        extents(op.getStaticLoopRanges()) {}

  FailureOr<WindowLoops> run();

private:
  bool isOfOutput(unsigned loop) {
    return iterators[loop] == utils::IteratorType::parallel;
  }
  LogicalResult readAxis(unsigned axis, AffineExpr expression);
  LogicalResult sortPlainAxes();
  LogicalResult checkOperands();
  LogicalResult setOrderOfOutput();
  void takePadding();
  LogicalResult checkExtents();
  bool arePatches();

  linalg::LinalgOp op;
  MatchLog log;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<int64_t> extents;
  AffineMap mapOfInput;
  /// Axes of the input that one loop indexes: of the result, or of the sum.
  SmallVector<std::pair<unsigned, unsigned>> parallel, summed;
  WindowLoops loops;
};

} // namespace

WindowAttr WindowLoops::getWindow() const {
  SmallVector<int64_t> size, strides, dilations, low, positions;
  for (const WindowAxis &axis : axes) {
    size.push_back(axis.size);
    strides.push_back(axis.stride);
    dilations.push_back(axis.dilation);
    low.push_back(axis.low);
    positions.push_back(axis.positions);
  }
  auto array = [&](ArrayRef<int64_t> values) {
    return DenseI64ArrayAttr::get(op->getContext(), values);
  };
  return WindowAttr::get(op->getContext(), array(size), array(strides),
                         array(dilations), array(low), array(positions));
}

/// A loop times a number.
static std::optional<std::pair<unsigned, int64_t>> getTerm(AffineExpr term) {
  int64_t factor = 1;
  if (auto product = dyn_cast<AffineBinaryOpExpr>(term);
      product && term.getKind() == AffineExprKind::Mul) {
    auto constant = dyn_cast<AffineConstantExpr>(product.getRHS());
    if (!constant || constant.getValue() <= 0)
      return std::nullopt;
    factor = constant.getValue();
    term = product.getLHS();
  }
  if (auto loop = dyn_cast<AffineDimExpr>(term))
    return std::make_pair(loop.getPosition(), factor);
  return std::nullopt;
}

LogicalResult Matcher::readAxis(unsigned axis, AffineExpr expression) {
  if (auto loop = dyn_cast<AffineDimExpr>(expression)) {
    if (loop.getPosition() == loops.group) {
      loops.axisOfGroups = axis;
      return success();
    }
    (isOfOutput(loop.getPosition()) ? parallel : summed)
        .emplace_back(axis, loop.getPosition());
    return success();
  }
  SmallVector<AffineExpr> terms{expression};
  if (auto sum = dyn_cast<AffineBinaryOpExpr>(expression);
      sum && expression.getKind() == AffineExprKind::Add)
    terms = {sum.getLHS(), sum.getRHS()};
  WindowAxis window{axis};
  for (AffineExpr term : terms) {
    auto found = getTerm(term);
    if (!found)
      return log.refuse("axis " + Twine(axis) +
                        " of the input is read at something else than a sum "
                        "of two loops with strides");
    auto [loop, factor] = *found;
    if (loop == loops.group)
      return log.refuse("windows move along the axis of groups");
    bool ofOutput = isOfOutput(loop);
    std::optional<unsigned> &number = ofOutput ? window.position : window.tap;
    if (number)
      return log.refuse("axis " + Twine(axis) +
                        " of the input is read at a sum of two loops of the "
                        "result, or of the sum");
    number = loop;
    (ofOutput ? window.stride : window.dilation) = factor;
  }
  loops.axes.push_back(window);
  return success();
}

/// Of the axes with one loop, one is that of images, one that of channels; what
/// is left are windows of one element, or with one position.
LogicalResult Matcher::sortPlainAxes() {
  unsigned last = mapOfInput.getNumResults() - 1;
  auto channels =
      llvm::find_if(summed, [&](auto &entry) { return entry.first == last; });
  if (channels == summed.end()) {
    if (summed.empty() && loops.group)
      return log.refuse(
          "it is depthwise: the sum is over positions in a window "
          "alone");
    if (summed.size() != 1)
      return log.refuse("the input has " + Twine(summed.size()) +
                        " axes of channels, of which the last one is none");
    channels = summed.begin();
  }
  std::tie(loops.axisOfChannels, loops.channel) = *channels;
  summed.erase(channels);
  auto images = llvm::min_element(parallel);
  if (images != parallel.end()) {
    loops.axisOfImages = images->first;
    parallel.erase(images);
  }
  for (auto [axis, loop] : parallel) {
    WindowAxis window{axis};
    window.position = loop;
    loops.axes.push_back(window);
  }
  for (auto [axis, loop] : summed) {
    WindowAxis window{axis};
    window.tap = loop;
    loops.axes.push_back(window);
  }
  llvm::sort(loops.axes, [](const WindowAxis &a, const WindowAxis &b) {
    return a.axis < b.axis;
  });
  for (WindowAxis &axis : loops.axes) {
    if (axis.position)
      axis.positions = extents[*axis.position];
    if (axis.tap)
      axis.size = extents[*axis.tap];
    if (ShapedType::isDynamic(axis.size))
      return log.refuse("the extent of windows along axis " + Twine(axis.axis) +
                        " of the input is dynamic");
    loops.isDynamic |=
        ShapedType::isDynamic(axis.positions) ||
        cast<RankedTensorType>(loops.input.getType()).isDynamicDim(axis.axis);
    if (axis.positions == 0 || axis.size == 0)
      return log.refuse("there is nothing to multiply");
  }
  return success();
}

/// Each loop has its place in the other operands.
LogicalResult Matcher::checkOperands() {
  SmallVector<unsigned> seen{loops.channel};
  auto ofWeights = [&](unsigned loop) {
    return loops.mapOfWeights.isFunctionOfDim(loop);
  };
  for (const WindowAxis &axis : loops.axes) {
    if (axis.position)
      seen.push_back(*axis.position);
    if (axis.tap)
      seen.push_back(*axis.tap);
  }
  if (loops.axisOfImages)
    seen.push_back(mapOfInput.getDimPosition(*loops.axisOfImages));
  if (loops.group)
    seen.push_back(*loops.group);
  SmallVector<unsigned> columns;
  for (unsigned loop = 0; loop < iterators.size(); ++loop)
    if (!llvm::is_contained(seen, loop))
      columns.push_back(loop);
  if (columns.size() != 1 || !isOfOutput(columns[0]) || !ofWeights(columns[0]))
    return log.refuse("it has " + Twine(columns.size()) +
                      " axes of channels of the result");
  loops.column = columns[0];
  bool areInWeights = llvm::all_of(
      seen, [&](unsigned loop) { return isOfOutput(loop) || ofWeights(loop); });
  if (!areInWeights ||
      loops.mapOfWeights.getNumResults() !=
          iterators.size() - loops.mapOfOutput.getNumResults() + 1 +
              loops.group.has_value() ||
      !loops.mapOfWeights.isProjectedPermutation() ||
      !loops.mapOfOutput.isProjectedPermutation())
    return log.refuse("an axis of the weights or of the result has no loop, or "
                      "one that the input does not have");
  return success();
}

LogicalResult Matcher::setOrderOfOutput() {
  auto add = [&](unsigned loop) {
    std::optional<unsigned> axis = loops.mapOfOutput.getResultPosition(
        getAffineDimExpr(loop, op.getContext()));
    if (axis)
      loops.orderOfOutput.push_back(*axis);
  };
  if (loops.axisOfImages)
    add(mapOfInput.getDimPosition(*loops.axisOfImages));
  for (const WindowAxis &axis : loops.axes)
    if (axis.position)
      add(*axis.position);
  if (loops.group)
    add(*loops.group);
  add(loops.column);
  if (loops.orderOfOutput.size() != loops.mapOfOutput.getNumResults() ||
      loops.orderOfOutput.size() < 2 + loops.group.has_value())
    return log.refuse("the result has one window, or an axis of its own");
  loops.axisOfColumns = loops.orderOfOutput.back();
  return success();
}

/// The axis of a tensor that becomes each of a collapsed one's, if the others
/// have one element.
static std::optional<SmallVector<int64_t>>
getKeptAxes(tensor::CollapseShapeOp collapse) {
  RankedTensorType type = collapse.getSrcType();
  SmallVector<int64_t> kept;
  for (ReassociationIndicesRef group : collapse.getReassociationIndices()) {
    int64_t axis = group.front();
    for (int64_t other : group)
      if (type.getDimSize(other) != 1)
        axis = other;
    for (int64_t other : group)
      if (other != axis && type.getDimSize(other) != 1)
        return std::nullopt;
    kept.push_back(axis);
  }
  return kept;
}

/// Zeros around are not stored: loads fill them in. Axes of one element may
/// have been dropped behind them.
void Matcher::takePadding() {
  auto collapse = loops.input.getDefiningOp<tensor::CollapseShapeOp>();
  auto pad = (collapse ? collapse.getSrc() : loops.input)
                 .getDefiningOp<tensor::PadOp>();
  Value value = pad ? pad.getConstantPaddingValue() : Value();
  if (!value || !isZeroOfSums(value))
    return;
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(0, pad.getSourceType().getRank()));
  if (collapse) {
    std::optional<SmallVector<int64_t>> kept = getKeptAxes(collapse);
    if (!kept)
      return;
    axes = *kept;
  }
  ArrayRef<int64_t> low = pad.getStaticLow(), high = pad.getStaticHigh();
  SmallVector<int64_t> lowOfWindows(axes.size(), 0);
  for (int64_t axis = 0; axis < int64_t(low.size()); ++axis) {
    if (low[axis] == 0 && high[axis] == 0)
      continue;
    // Only windows reach beyond the input, and only by what is known.
    auto *place = llvm::find(axes, axis);
    bool isWindow = llvm::any_of(loops.axes, [&](const WindowAxis &window) {
      return window.axis == place - axes.begin();
    });
    if (!isWindow || ShapedType::isDynamic(low[axis]) ||
        ShapedType::isDynamic(high[axis]) || low[axis] < 0 || high[axis] < 0 ||
        pad.getSourceType().isDynamicDim(axis))
      return;
    lowOfWindows[place - axes.begin()] = low[axis];
  }
  for (WindowAxis &axis : loops.axes)
    axis.low = lowOfWindows[axis.axis];
  loops.input = pad.getSource();
  if (!collapse)
    return;
  OpBuilder builder(op);
  loops.input = tensor::CollapseShapeOp::create(
      builder, op.getLoc(), loops.input, collapse.getReassociationIndices());
}

/// Whether the input falls into windows, of so few channels that steps along k
/// of one place in them would be mostly empty.
bool Matcher::arePatches() {
  constexpr int64_t kFewChannels = 32, kChunk = 8;
  auto type = cast<RankedTensorType>(loops.input.getType());
  int64_t depth = type.getDimSize(loops.axisOfChannels);
  if (loops.isDynamic || loops.group || ShapedType::isDynamic(depth) ||
      depth > kFewChannels)
    return false;
  bool isLarge = false;
  for (const WindowAxis &axis : loops.axes) {
    if (!axis.position || !axis.tap || axis.dilation != 1 ||
        axis.stride != axis.size ||
        type.getDimSize(axis.axis) != axis.positions * axis.size)
      return false;
    isLarge |= axis.size > 1;
    depth *= axis.size;
  }
  return isLarge && depth % kChunk == 0;
}

LogicalResult Matcher::checkExtents() {
  auto type = cast<RankedTensorType>(loops.input.getType());
  if (loops.axes.empty() || loops.axes.size() > kMostAxes)
    return log.refuse("windows have " + Twine(loops.axes.size()) +
                      " axes; kernels read them along one to three");
  if (loops.isDynamic && loops.group)
    return log.refuse("it is grouped, and extents along windows are dynamic");
  if (type.isDynamicDim(loops.axisOfChannels) ||
      ShapedType::isDynamic(extents[loops.column]))
    return log.refuse("the number of channels, of the input or of the result, "
                      "is dynamic");
  if (llvm::is_contained(extents, 0) || llvm::is_contained(type.getShape(), 0))
    return log.refuse("there is nothing to multiply");
  if (!loops.group)
    return success();
  // Tiles of a group have at least 64 columns, and steps 8 channels.
  constexpr int64_t kFewColumns = 8, kFewChannels = 4;
  int64_t groups = extents[*loops.group], columns = extents[loops.column],
          channels = type.getDimSize(loops.axisOfChannels);
  if (ShapedType::isDynamic(groups) || groups == 0)
    return log.refuse("the number of groups is dynamic, or 0");
  if (columns < kFewColumns || channels < kFewChannels)
    return log.refuse("groups have " + Twine(channels) + " channels and " +
                      Twine(columns) +
                      " of the result, of which tiles would be mostly empty");
  return success();
}

FailureOr<WindowLoops> Matcher::run() {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto isPlain = [](AffineMap map) { return map.isProjectedPermutation(); };
  bool exchanged = isPlain(maps[0]);
  if (exchanged && isPlain(maps[1]))
    return log.pass();
  mapOfInput = maps[exchanged];
  loops.op = op;
  loops.input = op.getDpsInputs()[exchanged];
  loops.weights = op.getDpsInputs()[!exchanged];
  loops.mapOfWeights = maps[!exchanged];
  loops.mapOfOutput = maps[2];
  if (!isPlain(loops.mapOfWeights) || !isPlain(loops.mapOfOutput))
    return log.refuse("the weights or the result are read at sums of loops");
  for (unsigned loop = 0; loop < iterators.size(); ++loop)
    if (isOfOutput(loop) && mapOfInput.isFunctionOfDim(loop) &&
        loops.mapOfWeights.isFunctionOfDim(loop)) {
      if (loops.group)
        return log.refuse("loops d" + Twine(*loops.group) + " and d" +
                          Twine(loop) + " are on all operands");
      loops.group = loop;
    }
  for (auto [axis, expression] : llvm::enumerate(mapOfInput.getResults()))
    if (failed(readAxis(axis, expression)))
      return failure();
  if (loops.group && !loops.axisOfGroups)
    return log.refuse("groups are no axis of the input");
  if (failed(sortPlainAxes()) || failed(checkOperands()) ||
      failed(setOrderOfOutput()))
    return failure();
  loops.arePatches = arePatches();
  if (!loops.isCopied())
    takePadding();
  if (failed(checkExtents()))
    return failure();
  return loops;
}

FailureOr<WindowLoops> mlir::pit::matchWindowLoops(linalg::LinalgOp op,
                                                   MatchLog log) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      op.hasIndexSemantics())
    return log.pass();
  FailureOr<Contraction> product = matchProductBody(op);
  Type element = getElementTypeOrSelf(op.getDpsInputs()[0]);
  if (failed(product) ||
      product->elementType != ContractOp::getSumType(element))
    return log.pass();
  FailureOr<WindowLoops> loops = Matcher(op, log).run();
  if (failed(loops))
    return failure();
  bool exchanged = loops->input != op.getDpsInputs()[0];
  for (int i : {0, 1})
    loops->isUnsigned[i != int(exchanged)] =
        product->extensions[i] == Extension::Unsigned;
  return loops;
}
