//===- FormWindows.cpp - Convolutions as products of windows --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormWindows.h"
#include "ReportParts.h"
#include "TensorProduct.h"
#include "WindowLoops.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::pit;

/// Channels come in such multiples, so that a copy of 16 bytes has those of one
/// place in a window.
static int64_t getChunk(Type element) {
  constexpr int64_t kLeast = 8, kChunkBits = 128;
  return std::max<int64_t>(kLeast,
                           kChunkBits / element.getIntOrFloatBitWidth());
}

namespace {

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
  Value transpose(Value tensor, SmallVector<int64_t> permutation);
  Value padChannels(Value tensor, int64_t axis);
  Value createImages();
  Value createWeights();
  std::pair<Value, AffineMap> createOperand(Value operand, AffineMap map);
  Value expandResult(Value matrix);
  Value getNumImages();
  AffineMap getMap(ArrayRef<unsigned> dims) {
    SmallVector<AffineExpr> axes;
    for (unsigned dim : dims)
      axes.push_back(b.getAffineDimExpr(dim));
    return AffineMap::get(4, 0, axes, b.getContext());
  }

  const WindowLoops &loops;
  const TensorKernel &kernel;
  ImplicitLocOpBuilder b;
  /// Of weights: which dimension each axis is.
  AffineMap mapOfWeights;
  Value images;
};

/// Dimensions of the contract's maps.
enum Dim : unsigned { Tap, Row, Column, Channel };

} // namespace

static bool isIdentity(ArrayRef<int64_t> permutation) {
  return llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size()));
}

/// The tensor with axis i being the `permutation[i]`-th. What was transposed
/// for nobody else is read where it came from.
Value WindowFormer::transpose(Value tensor, SmallVector<int64_t> permutation) {
  while (auto before = tensor.getDefiningOp<linalg::TransposeOp>()) {
    for (int64_t &axis : permutation)
      axis = before.getPermutation()[axis];
    tensor = before.getInput();
  }
  if (isIdentity(permutation))
    return tensor;
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), tensor);
  applyPermutationToVector(sizes, permutation);
  Value empty = tensor::EmptyOp::create(b, sizes, getElementTypeOrSelf(tensor));
  return linalg::TransposeOp::create(b, tensor, empty, permutation)
      ->getResult(0);
}

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
  return padChannels(input,
                     cast<RankedTensorType>(input.getType()).getRank() - 1);
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
  SmallVector<int64_t> order;
  if (columnsFirst)
    order.push_back(columns);
  llvm::append_range(order, taps);
  order.push_back(channels);
  if (!columnsFirst)
    order.push_back(columns);
  Value weights = transpose(loops.weights, order);
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
  return padChannels(weights, columnsFirst ? 2 : 1);
}

bool WindowFormer::canRead(const WindowLoops &loops, AffineMap map) {
  unsigned rows = 0;
  for (AffineExpr axis : map.getResults())
    rows += cast<AffineDimExpr>(axis).getPosition() != loops.axisOfColumns;
  return rows == 0 || rows + 1 == loops.mapOfOutput.getNumResults();
}

/// The operand with its rows as one axis.
std::pair<Value, AffineMap> WindowFormer::createOperand(Value operand,
                                                        AffineMap map) {
  SmallVector<int64_t> permutation;
  for (int64_t axis : loops.orderOfOutput)
    if (auto position = map.getResultPosition(b.getAffineDimExpr(axis)))
      permutation.push_back(*position);
  if (permutation.empty())
    return {operand, getMap({})};
  bool hasColumns = map.isFunctionOfDim(loops.axisOfColumns);
  if (permutation.size() == 1 && hasColumns)
    return {operand, getMap({Column})};
  Value ordered = transpose(operand, permutation);
  ReassociationIndices rows = llvm::to_vector<2>(
      llvm::seq<int64_t>(0, permutation.size() - hasColumns));
  SmallVector<ReassociationIndices> groups{rows};
  if (hasColumns)
    groups.push_back({int64_t(rows.size())});
  if (rows.size() > 1)
    ordered = tensor::CollapseShapeOp::create(b, ordered, groups);
  return {ordered, hasColumns ? getMap({Row, Column}) : getMap({Row})};
}

/// The matrix of rows as what the program computes.
Value WindowFormer::expandResult(Value matrix) {
  auto type = cast<RankedTensorType>(kernel.result.getType());
  SmallVector<OpFoldResult> sizes;
  SmallVector<int64_t> shape;
  for (int64_t axis : loops.orderOfOutput) {
    bool isDynamic = type.isDynamicDim(axis);
    shape.push_back(type.getDimSize(axis));
    sizes.push_back(isDynamic
                        ? OpFoldResult(getNumImages())
                        : OpFoldResult(b.getIndexAttr(type.getDimSize(axis))));
  }
  int64_t numRows = shape.size() - 1;
  if (numRows > 1) {
    SmallVector<ReassociationIndices> groups{
        llvm::to_vector<2>(llvm::seq<int64_t>(0, numRows)), {numRows}};
    matrix = tensor::ExpandShapeOp::create(
        b, RankedTensorType::get(shape, type.getElementType()), matrix, groups,
        sizes);
  }
  return transpose(matrix, invertPermutationVector(loops.orderOfOutput));
}

Value WindowFormer::getNumImages() {
  return tensor::DimOp::create(b, images, 0);
}

Value WindowFormer::run() {
  images = createImages();
  Value weights = createWeights();
  SmallVector<AffineMap> maps{getMap({Row, Tap, Channel}), mapOfWeights};
  SmallVector<Value> operands;
  for (auto [operand, map] : llvm::zip_equal(kernel.operands, kernel.maps)) {
    auto [value, ofRows] = createOperand(operand, map);
    operands.push_back(value);
    maps.push_back(ofRows);
  }
  maps.push_back(getMap({Row, Column}));

  auto type = cast<RankedTensorType>(kernel.result.getType());
  WindowAttr window = loops.getWindow();
  int64_t columns = type.getDimSize(loops.axisOfColumns),
          positions = window.getNumPositions();
  auto typeOfImages = cast<RankedTensorType>(images.getType());
  OpFoldResult rows = b.getIndexAttr(typeOfImages.getDimSize(0) * positions);
  if (typeOfImages.isDynamicDim(0))
    rows = arith::MulIOp::create(
               b, getNumImages(),
               arith::ConstantIndexOp::create(b, positions).getResult())
               .getResult();
  Value init = tensor::EmptyOp::create(b, {rows, b.getIndexAttr(columns)},
                                       type.getElementType());
  SmallVector<bool> listed(maps.size(), false);
  auto contract = ContractOp::create(
      b, init.getType(), ContractDomain::Windows, /*index=*/Value(), images,
      weights, /*second=*/Value(), operands, init, /*mask=*/Value(),
      b.getAffineMapArrayAttr(maps), listed, /*of_b=*/false,
      kernel.product.isUnsigned[0], kernel.product.isUnsigned[1],
      /*fill=*/FloatAttr(), window, /*plan=*/PlanAttr());
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
