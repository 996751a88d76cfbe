//===- TensorOps.cpp - Meaning of the tensor dialect ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment.h"
#include "ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pit::fuzz;

static llvm::Error runConstant(arith::ConstantOp op, Environment &environment) {
  Attribute value = op.getValue();
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type) {
    Tensor scalar(op.getType(), {}, Number());
    if (auto number = dyn_cast<FloatAttr>(value))
      scalar.elements[0].f = number.getValueAsDouble();
    else
      scalar.elements[0].i = cast<IntegerAttr>(value).getValue().getSExtValue();
    environment.set(op, std::move(scalar));
    return llvm::Error::success();
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return fail(op, "is not dense");
  Tensor tensor(type.getElementType(), type.getShape().vec(), Number());
  Number *element = tensor.elements.data();
  if (isa<FloatType>(type.getElementType()))
    for (const APFloat &number : dense.getValues<APFloat>()) {
      APFloat wide = number;
      bool lossy;
      wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
      (element++)->f = wide.convertToDouble();
    }
  else
    for (const APInt &number : dense.getValues<APInt>())
      (element++)->i = number.getSExtValue();
  environment.set(op, std::move(tensor));
  return llvm::Error::success();
}

/// Scalars between tensor ops, mostly extents.
static llvm::Error runScalarOp(Operation *op, Environment &environment) {
  std::optional<ScalarInstruction> instruction = decodeScalarOp(op);
  if (!instruction)
    return fail(op, "not known");
  SmallVector<Number> frame;
  for (unsigned i = 0; i < 3; ++i) {
    Value operand = op->getOperand(i < op->getNumOperands() ? i : 0);
    frame.push_back(environment.get(operand).elements[0]);
    instruction->operands[i] = i;
  }
  environment.set(op->getResult(0),
                  Tensor(op->getResult(0).getType(), {},
                         execute(*instruction, frame.data())));
  return llvm::Error::success();
}

static llvm::Error runReshape(Operation *op, std::vector<int64_t> shape,
                              Environment &environment) {
  Tensor tensor = environment.get(op->getOperand(0));
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  if (count != tensor.numElements())
    return misfit(op, "the extents do not fit");
  tensor.shape = std::move(shape);
  environment.set(op->getResult(0), std::move(tensor));
  return llvm::Error::success();
}

static llvm::Error runCollapse(tensor::CollapseShapeOp op,
                               Environment &environment) {
  const Tensor &source = environment.get(op.getSrc());
  std::vector<int64_t> shape;
  for (const auto &group : op.getReassociationIndices()) {
    int64_t extent = 1;
    for (int64_t dim : group)
      extent *= source.shape[size_t(dim)];
    shape.push_back(extent);
  }
  return runReshape(op, std::move(shape), environment);
}

/// Copies between a tensor and a strided part of another one.
static llvm::Error copySlice(Operation *op, Tensor &whole, Tensor &part,
                             ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                             ArrayRef<int64_t> strides, bool insert) {
  for (auto [offset, size, stride, extent] :
       llvm::zip_equal(offsets, sizes, strides, whole.shape))
    if (offset < 0 || (size > 0 && offset + (size - 1) * stride >= extent))
      return misfit(op, "a slice is out of bounds");
  SmallVector<int64_t> index(sizes.size(), 0), at(sizes.size());
  Number *element = part.elements.data();
  if (part.numElements() > 0)
    do {
      for (size_t d = 0; d < at.size(); ++d)
        at[d] = offsets[d] + index[d] * strides[d];
      Number &other = whole.elements[size_t(linearize(at, whole.shape))];
      (insert ? other : *element) = insert ? *element : other;
      ++element;
    } while (next(index, sizes));
  return llvm::Error::success();
}

static llvm::Error runExtract(tensor::ExtractSliceOp op,
                              Environment &environment) {
  Tensor source = environment.get(op.getSource());
  SmallVector<int64_t> sizes = environment.getIndices(op.getMixedSizes());
  std::vector<int64_t> shape;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (auto [d, size] : llvm::enumerate(sizes))
    if (!dropped[unsigned(d)])
      shape.push_back(size);
  Tensor result(op.getType().getElementType(), std::move(shape));
  llvm::Error error = copySlice(
      op, source, result, environment.getIndices(op.getMixedOffsets()), sizes,
      environment.getIndices(op.getMixedStrides()), /*insert=*/false);
  environment.set(op, std::move(result));
  return error;
}

static llvm::Error runInsert(tensor::InsertSliceOp op,
                             Environment &environment) {
  Tensor source = environment.get(op.getSource());
  Tensor result = environment.get(op.getDest());
  llvm::Error error = copySlice(
      op, result, source, environment.getIndices(op.getMixedOffsets()),
      environment.getIndices(op.getMixedSizes()),
      environment.getIndices(op.getMixedStrides()), /*insert=*/true);
  environment.set(op, std::move(result));
  return error;
}

static llvm::Error runPad(tensor::PadOp op, Environment &environment) {
  Value padding = op.getConstantPaddingValue();
  if (!padding)
    return fail(op, "does not pad with a constant");
  Tensor source = environment.get(op.getSource());
  SmallVector<int64_t> low = environment.getIndices(op.getMixedLowPad());
  SmallVector<int64_t> high = environment.getIndices(op.getMixedHighPad());
  std::vector<int64_t> shape = source.shape;
  for (size_t d = 0; d < shape.size(); ++d)
    shape[d] += low[d] + high[d];
  Number fill;
  if (environment.values.count(padding)) {
    fill = environment.get(padding).elements[0];
  } else {
    Attribute value = padding.getDefiningOp<arith::ConstantOp>().getValue();
    if (auto number = dyn_cast<FloatAttr>(value))
      fill.f = number.getValueAsDouble();
    else
      fill.i = cast<IntegerAttr>(value).getValue().getSExtValue();
  }
  Tensor result(op.getResultType().getElementType(), std::move(shape), fill);
  SmallVector<int64_t> ones(low.size(), 1);
  llvm::Error error =
      copySlice(op, result, source, low, source.shape, ones, /*insert=*/true);
  environment.set(op, std::move(result));
  return error;
}

static llvm::Error runConcat(tensor::ConcatOp op, Environment &environment) {
  auto dim = size_t(op.getDim());
  std::vector<int64_t> shape = environment.get(op.getInputs()[0]).shape;
  shape[dim] = 0;
  for (Value input : op.getInputs())
    shape[dim] += environment.get(input).shape[dim];
  Tensor result(op.getResultType().getElementType(), shape);
  SmallVector<int64_t> offsets(shape.size(), 0), ones(shape.size(), 1);
  for (Value input : op.getInputs()) {
    Tensor part = environment.get(input);
    if (llvm::Error error = copySlice(op, result, part, offsets, part.shape,
                                      ones, /*insert=*/true))
      return error;
    offsets[dim] += part.shape[dim];
  }
  environment.set(op, std::move(result));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Single elements
//===----------------------------------------------------------------------===//

int64_t mlir::pit::fuzz::locate(const Tensor &tensor, ArrayRef<Number> indexes,
                                Environment &environment) {
  int64_t position = 0;
  for (auto [index, extent] : llvm::zip_equal(indexes, tensor.shape)) {
    if (!index.isPromised())
      return -1;
    bool isInside = index.i >= 0 && index.i < extent;
    environment.areElementsOutside |= !isInside;
    position = position * extent + (isInside ? index.i : 0);
  }
  return tensor.elements.empty() ? -1 : position;
}

static SmallVector<Number> getNumbers(ValueRange values,
                                      Environment &environment) {
  return llvm::map_to_vector(
      values, [&](Value value) { return environment.get(value).elements[0]; });
}

static void runElementRead(tensor::ExtractOp op, Environment &environment) {
  const Tensor &source = environment.get(op.getTensor());
  int64_t at =
      locate(source, getNumbers(op.getIndices(), environment), environment);
  environment.set(
      op, Tensor(op.getType(), {},
                 at < 0 ? Number::unpromised() : source.elements[size_t(at)]));
}

static void runElementWrite(tensor::InsertOp op, Environment &environment) {
  Tensor result = environment.get(op.getDest());
  bool wasOutside = std::exchange(environment.areElementsOutside, false);
  int64_t at =
      locate(result, getNumbers(op.getIndices(), environment), environment);
  // What is outside is not written.
  if (at >= 0 && !environment.areElementsOutside)
    result.elements[size_t(at)] = environment.get(op.getScalar()).elements[0];
  environment.areElementsOutside |= wasOutside;
  environment.set(op, std::move(result));
}

static llvm::Error runGather(tensor::GatherOp op, Environment &environment) {
  const Tensor &source = environment.get(op.getSource()),
               &places = environment.get(op.getIndices());
  ArrayRef<int64_t> gathered = op.getGatherDims();
  size_t batch = places.shape.size() - 1;
  bool areKept =
      size_t(op.getResultType().getRank()) == batch + source.shape.size();
  std::vector<int64_t> shape(places.shape.begin(), places.shape.end() - 1);
  SmallVector<size_t> resultDims(source.shape.size(), 0);
  for (auto [dim, extent] : llvm::enumerate(source.shape)) {
    bool isGathered = llvm::is_contained(gathered, int64_t(dim));
    resultDims[dim] = shape.size();
    if (!isGathered || areKept)
      shape.push_back(isGathered ? 1 : extent);
  }
  Tensor result(op.getResultType().getElementType(), shape);
  if (!environment.spend(result.numElements()))
    return fail(op, "too many points");
  SmallVector<int64_t> point(shape.size(), 0);
  size_t numGathered = gathered.size(), number = 0;
  if (result.numElements() > 0)
    do {
      int64_t row = linearize(ArrayRef(point).take_front(batch),
                              ArrayRef(shape).take_front(batch));
      SmallVector<Number> at(source.shape.size());
      for (size_t dim = 0; dim < at.size(); ++dim)
        if (!llvm::is_contained(gathered, int64_t(dim)))
          at[dim] = Number::makeInt(point[resultDims[dim]]);
      for (size_t i = 0; i < numGathered; ++i)
        at[size_t(gathered[i])] =
            places.elements[size_t(row) * numGathered + i];
      int64_t position = locate(source, at, environment);
      result.elements[number++] = position < 0
                                      ? Number::unpromised()
                                      : source.elements[size_t(position)];
    } while (next(point, shape));
  environment.set(op, std::move(result));
  return llvm::Error::success();
}

llvm::Error mlir::pit::fuzz::runTensorOp(Operation *operation,
                                         Environment &environment) {
  return llvm::TypeSwitch<Operation *, llvm::Error>(operation)
      .Case([&](arith::ConstantOp op) { return runConstant(op, environment); })
      .Case([&](tensor::EmptyOp op) {
        SmallVector<int64_t> shape = environment.getIndices(op.getMixedSizes());
        environment.set(op, Tensor(op.getType().getElementType(),
                                   {shape.begin(), shape.end()}));
        return llvm::Error::success();
      })
      .Case([&](tensor::DimOp op) {
        int64_t dim = environment.getIndex(op.getIndex());
        int64_t extent = environment.get(op.getSource()).shape[size_t(dim)];
        environment.set(op, Tensor(op.getType(), {}, Number::makeInt(extent)));
        return llvm::Error::success();
      })
      .Case([&](tensor::CastOp op) {
        environment.set(op, environment.get(op.getSource()));
        return llvm::Error::success();
      })
      .Case([&](tensor::ExpandShapeOp op) {
        SmallVector<int64_t> shape =
            environment.getIndices(op.getMixedOutputShape());
        return runReshape(op, {shape.begin(), shape.end()}, environment);
      })
      .Case([&](tensor::CollapseShapeOp op) {
        return runCollapse(op, environment);
      })
      .Case([&](tensor::ExtractSliceOp op) {
        return runExtract(op, environment);
      })
      .Case(
          [&](tensor::InsertSliceOp op) { return runInsert(op, environment); })
      .Case([&](tensor::ExtractOp op) {
        runElementRead(op, environment);
        return llvm::Error::success();
      })
      .Case([&](tensor::InsertOp op) {
        runElementWrite(op, environment);
        return llvm::Error::success();
      })
      .Case([&](tensor::GatherOp op) { return runGather(op, environment); })
      .Case([&](tensor::PadOp op) { return runPad(op, environment); })
      .Case([&](tensor::ConcatOp op) { return runConcat(op, environment); })
      .Default([&](Operation *op) { return runScalarOp(op, environment); });
}
