//===- FormWindows.cpp - Convolutions as products of windows --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormWindows.h"
#include "CopiedWindows.h"
#include "ReportParts.h"
#include "TensorProduct.h"
#include "WindowLoops.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::pit;

/// Channels, of a group, come in such multiples, so that a copy of 16 bytes has
/// those of one place in a window.
static int64_t getChunk(Type element) {
  constexpr int64_t kLeast = 8, kChunkBits = 128;
  return std::max<int64_t>(kLeast,
                           kChunkBits / element.getIntOrFloatBitWidth());
}

namespace {

/// Dimensions of the contract's maps.
enum Dim : unsigned { Tap, Row, Column, Channel };

/// Builds the contract in front of the last op that it computes.
class WindowFormer {
public:
  WindowFormer(const WindowLoops &loops, const TensorKernel &kernel)
      : loops(loops), kernel(kernel),
        b(loops.op->getLoc(), kernel.result.getDefiningOp()) {}

  /// Returns the value that replaces the kernel's result.
  Value run();
  /// Whether an operand of elementwise work, whose axes these are of C, has the
  /// rows of C as it is, or none of them.
  static bool canRead(const WindowLoops &loops, AffineMap map);

private:
  Value transpose(Value tensor, SmallVector<int64_t> permutation) {
    return transposeAxes(b, tensor, std::move(permutation));
  }
  Value padChannels(Value tensor, int64_t axis);
  Value joinAxes(Value tensor, int64_t axis);
  Value createImages();
  Value createWeights();
  std::pair<Value, AffineMap> createOperand(Value operand, AffineMap map);
  Value expandResult(Value matrix);
  OpFoldResult getSizeOfResult(int64_t axis) {
    return pit::getSizeOfResult(b, loops, axis);
  }
  /// Where windows are copied, places in them are part of k.
  AffineMap getMap(ArrayRef<unsigned> dims) {
    unsigned first = loops.isCopied() ? Row : Tap;
    SmallVector<AffineExpr> axes;
    for (unsigned dim : dims)
      if (dim >= first)
        axes.push_back(b.getAffineDimExpr(dim - first));
    return AffineMap::get(4 - first, 0, axes, b.getContext());
  }

  const WindowLoops &loops;
  const TensorKernel &kernel;
  ImplicitLocOpBuilder b;
  /// Of weights: which dimension each axis is.
  AffineMap mapOfWeights;
  Value images;
};

} // namespace

/// Zeros behind the channels, up to whole chunks.
Value WindowFormer::padChannels(Value tensor, int64_t axis) {
  auto type = cast<RankedTensorType>(tensor.getType());
  int64_t chunk = getChunk(type.getElementType());
  if (type.getDimSize(axis) % chunk == 0)
    return tensor;
  SmallVector<OpFoldResult> sizes =
                                tensor::getMixedSizes(b, b.getLoc(), tensor),
                            padded = sizes;
  padded[axis] = b.getIndexAttr(llvm::alignTo(type.getDimSize(axis), chunk));
  Value empty = tensor::EmptyOp::create(b, padded, type.getElementType());
  Value zero =
      arith::ConstantOp::create(b, b.getZeroAttr(type.getElementType()));
  Value zeros = linalg::FillOp::create(b, zero, empty).getResult(0);
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)),
      strides(type.getRank(), b.getIndexAttr(1));
  return tensor::InsertSliceOp::create(b, tensor, zeros, offsets, sizes,
                                       strides);
}

/// The input as [image, position ..., channel].
Value WindowFormer::createImages() {
  SmallVector<int64_t> permutation;
  if (loops.axisOfImages)
    permutation.push_back(*loops.axisOfImages);
  for (const WindowAxis &axis : loops.axes)
    permutation.push_back(axis.axis);
  if (loops.axisOfGroups)
    permutation.push_back(*loops.axisOfGroups);
  permutation.push_back(loops.axisOfChannels);
  Value input = transpose(loops.input, permutation);
  auto type = cast<RankedTensorType>(input.getType());
  if (!loops.axisOfImages) {
    SmallVector<int64_t> shape{1};
    llvm::append_range(shape, type.getShape());
    SmallVector<ReassociationIndices> groups{{0, 1}};
    for (int64_t axis = 1; axis < type.getRank(); ++axis)
      groups.push_back({axis + 1});
    input = tensor::ExpandShapeOp::create(
        b, RankedTensorType::get(shape, type.getElementType()), input, groups);
  }
  int64_t last = cast<RankedTensorType>(input.getType()).getRank() - 1;
  input = padChannels(input, last);
  return loops.group ? joinAxes(input, last - 1) : input;
}

/// The tensor with an axis and the next one as one.
Value WindowFormer::joinAxes(Value tensor, int64_t axis) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0, rank = cast<RankedTensorType>(tensor.getType()).getRank();
       i < rank; ++i)
    if (i == axis + 1)
      groups.back().push_back(i);
    else
      groups.push_back({i});
  return tensor::CollapseShapeOp::create(b, tensor, groups);
}

/// The weights as one matrix for each place in a window.
Value WindowFormer::createWeights() {
  SmallVector<int64_t> taps, permutation;
  for (const WindowAxis &axis : loops.axes)
    if (axis.tap)
      taps.push_back(
          *loops.mapOfWeights.getResultPosition(b.getAffineDimExpr(*axis.tap)));
  auto axisOf = [&](unsigned loop) -> int64_t {
    return *loops.mapOfWeights.getResultPosition(b.getAffineDimExpr(loop));
  };
  int64_t channels = axisOf(loops.channel), columns = axisOf(loops.column);
  // Columns first, or places first: what needs no transposition, if one does
  // not.
  bool columnsFirst = columns < channels;
  SmallVector<int64_t> order, ofColumns;
  if (loops.group)
    ofColumns.push_back(axisOf(*loops.group));
  ofColumns.push_back(columns);
  if (columnsFirst)
    order = ofColumns;
  llvm::append_range(order, taps);
  order.push_back(channels);
  if (!columnsFirst)
    llvm::append_range(order, ofColumns);
  Value weights = transpose(loops.weights, order);
  if (loops.group)
    weights = joinAxes(weights, columnsFirst ? 0 : taps.size() + 1);
  auto type = cast<RankedTensorType>(weights.getType());
  // All places become one axis, also where there is one, without an axis.
  int64_t first = columnsFirst ? 1 : 0, count = taps.size();
  int64_t numTaps = 1;
  for (const WindowAxis &axis : loops.axes)
    numTaps *= axis.size;
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> groups;
  if (columnsFirst)
    shape.push_back(type.getDimSize(0)), groups.push_back({0});
  shape.push_back(numTaps);
  ReassociationIndices places;
  for (int64_t i = 0; i < std::max<int64_t>(count, 1); ++i)
    places.push_back(first + i);
  groups.push_back(places);
  int64_t next = first + std::max<int64_t>(count, 1);
  for (int64_t axis = first + count; axis < type.getRank(); ++axis) {
    shape.push_back(type.getDimSize(axis));
    groups.push_back({next++});
  }
  auto collapsed = RankedTensorType::get(shape, type.getElementType());
  if (count > 1) {
    weights = tensor::CollapseShapeOp::create(b, collapsed, weights, groups);
  } else if (count == 0) {
    // The unit axis joins its neighbour.
    SmallVector<ReassociationIndices> joined;
    for (int64_t axis = 0; axis < collapsed.getRank(); ++axis)
      if (axis == first + 1)
        joined.back().push_back(axis);
      else
        joined.push_back({axis});
    weights = tensor::ExpandShapeOp::create(b, collapsed, weights, joined);
  }
  mapOfWeights = columnsFirst ? getMap({Column, Tap, Channel})
                              : getMap({Tap, Channel, Column});
  weights = padChannels(weights, columnsFirst ? 2 : 1);
  return loops.isDynamic ? joinAxes(weights, columnsFirst ? 1 : 0) : weights;
}

bool WindowFormer::canRead(const WindowLoops &loops, AffineMap map) {
  ArrayRef<int64_t> order = loops.orderOfOutput;
  int64_t numColumns = loops.getNumColumnAxes(),
          numRows = order.size() - numColumns;
  auto count = [&](ArrayRef<int64_t> axes) {
    return llvm::count_if(
        axes, [&](int64_t axis) { return map.isFunctionOfDim(axis); });
  };
  int64_t rows = count(order.drop_back(numColumns)),
          columns = count(order.take_back(numColumns));
  return (rows == 0 || rows == numRows) &&
         (columns == 0 || columns == numColumns);
}

/// The operand with its rows as one axis, and its columns as one.
std::pair<Value, AffineMap> WindowFormer::createOperand(Value operand,
                                                        AffineMap map) {
  SmallVector<int64_t> permutation;
  for (int64_t axis : loops.orderOfOutput)
    if (auto position = map.getResultPosition(b.getAffineDimExpr(axis)))
      permutation.push_back(*position);
  if (permutation.empty())
    return {operand, getMap({})};
  int64_t numColumns = map.isFunctionOfDim(loops.axisOfColumns)
                           ? loops.getNumColumnAxes()
                           : 0,
          numRows = permutation.size() - numColumns;
  Value ordered = transpose(operand, permutation);
  SmallVector<ReassociationIndices> groups;
  SmallVector<unsigned> dims;
  auto addGroup = [&](int64_t from, int64_t count, unsigned dim) {
    if (count == 0)
      return;
    groups.push_back(
        llvm::to_vector<2>(llvm::seq<int64_t>(from, from + count)));
    dims.push_back(dim);
  };
  addGroup(0, numRows, Row);
  addGroup(numRows, numColumns, Column);
  if (groups.size() < permutation.size())
    ordered = tensor::CollapseShapeOp::create(b, ordered, groups);
  return {ordered, getMap(dims)};
}

/// The matrix of rows as what the program computes.
Value WindowFormer::expandResult(Value matrix) {
  auto type = cast<RankedTensorType>(kernel.result.getType());
  SmallVector<OpFoldResult> sizes;
  SmallVector<int64_t> shape;
  for (int64_t axis : loops.orderOfOutput) {
    shape.push_back(type.getDimSize(axis));
    sizes.push_back(getSizeOfResult(axis));
  }
  int64_t rank = shape.size(), numRows = rank - loops.getNumColumnAxes();
  if (rank > 2) {
    SmallVector<ReassociationIndices> groups{
        llvm::to_vector<2>(llvm::seq<int64_t>(0, numRows)),
        llvm::to_vector<2>(llvm::seq<int64_t>(numRows, rank))};
    matrix = tensor::ExpandShapeOp::create(
        b, RankedTensorType::get(shape, type.getElementType()), matrix, groups,
        sizes);
  }
  return transpose(matrix, invertPermutationVector(loops.orderOfOutput));
}

Value WindowFormer::run() {
  Value input, weights;
  if (loops.arePatches) {
    CopiedPatches copied = copyPatches(b, loops);
    input = copied.patches, weights = copied.weights;
    mapOfWeights = copied.columnsFirst ? getMap({Column, Channel})
                                       : getMap({Channel, Column});
  } else {
    images = createImages();
    weights = createWeights();
    input = loops.isDynamic ? copyWindows(b, loops, images) : images;
  }
  SmallVector<AffineMap> maps{loops.isCopied() ? getMap({Row, Channel})
                                               : getMap({Row, Tap, Channel}),
                              mapOfWeights};
  SmallVector<Value> operands;
  for (auto [operand, map] : llvm::zip_equal(kernel.operands, kernel.maps)) {
    auto [value, ofRows] = createOperand(operand, map);
    operands.push_back(value);
    maps.push_back(ofRows);
  }
  maps.push_back(getMap({Row, Column}));

  auto type = cast<RankedTensorType>(kernel.result.getType());
  ArrayRef<int64_t> order = loops.orderOfOutput;
  int64_t numColumns = loops.getNumColumnAxes(), columns = 1;
  for (int64_t axis : order.take_back(numColumns))
    columns *= type.getDimSize(axis);
  // All rows; those of images alone need not be known.
  OpFoldResult rows = b.getIndexAttr(1);
  for (int64_t axis : order.drop_back(numColumns)) {
    OpFoldResult size = getSizeOfResult(axis);
    std::optional<int64_t> known = getConstantIntValue(rows),
                           factor = getConstantIntValue(size);
    if (known && factor)
      rows = b.getIndexAttr(*known * *factor);
    else
      rows = b.createOrFold<arith::MulIOp>(
          getValueOrCreateConstantIndexOp(b, b.getLoc(), rows),
          getValueOrCreateConstantIndexOp(b, b.getLoc(), size));
  }
  Value init = tensor::EmptyOp::create(b, {rows, b.getIndexAttr(columns)},
                                       type.getElementType());
  SmallVector<bool> listed(maps.size(), false);
  auto contract = ContractOp::create(
      b, init.getType(),
      loops.isCopied() ? ContractDomain::Dense : ContractDomain::Windows,
      /*index=*/Value(), input, weights,
      /*second=*/Value(), operands, init, /*mask=*/Value(),
      b.getAffineMapArrayAttr(maps), listed, /*of_b=*/false,
      kernel.product.isUnsigned[0], kernel.product.isUnsigned[1],
      /*fill=*/FloatAttr(), loops.isCopied() ? WindowAttr() : loops.getWindow(),
      /*plan=*/PlanAttr());
  if (kernel.function)
    contract.getEpilogue().takeBody(*kernel.function);
  return expandResult(contract.getResult());
}

FailureOr<Operation *> mlir::pit::formWindows(linalg::LinalgOp op,
                                              MatrixElement elements,
                                              MatchLog log) {
  FailureOr<WindowLoops> loops = matchWindowLoops(op, log);
  if (failed(loops))
    return failure();
  auto elementOf = [](Value tensor) { return getElementTypeOrSelf(tensor); };
  Type element = elementOf(loops->input);
  if (element != elementOf(loops->weights) ||
      (getMatrixElement(element) & elements) == MatrixElement::None)
    return log.refuse("inputs are " + spell(element) + " and " +
                      spell(elementOf(loops->weights)) +
                      "; kernels multiply two of bf16, f16, f32, f64 or i8");
  if (!startsFromZero(op))
    return log.refuse("its sums do not start from zeros");
  if (loops->isDynamic)
    (void)log.refuse("extents along its windows are dynamic");
  // Maps are asked for how many axes C has alone.
  TensorProduct product{op,
                        loops->input,
                        loops->weights,
                        loops->mapOfOutput,
                        loops->mapOfWeights,
                        loops->mapOfOutput,
                        {loops->isUnsigned[0], loops->isUnsigned[1]}};
  TensorKernel kernel =
      followProduct(product, MatrixElement::None, [&](AffineMap map) {
        return WindowFormer::canRead(*loops, map);
      });
  Operation *last = kernel.result.getDefiningOp();
  reportParts(kernel.parts, op);
  kernel.result.replaceAllUsesWith(WindowFormer(*loops, kernel).run());
  return last;
}
