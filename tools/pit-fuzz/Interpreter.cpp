//===- Interpreter.cpp - What a program means -----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "Elements.h"
#include "Environment.h"
#include "ScalarOps.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cstring>

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::fuzz;
using ::pit::npy::Array;

Tensor::Tensor(Type elementType, std::vector<int64_t> shape, Number fill)
    : type(Scalar::of(elementType)), shape(std::move(shape)) {
  int64_t count = 1;
  for (int64_t extent : this->shape)
    count *= extent;
  elements.assign(size_t(count), fill);
}

Tensor mlir::pit::fuzz::readArray(const Array &array, Type elementType) {
  Tensor tensor(elementType, array.shape, Number());
  const void *data = array.data.data();
  for (auto [i, element] : llvm::enumerate(tensor.elements)) {
    int64_t at = int64_t(i);
    if (tensor.type.isFloat())
      element.f = ::pit::run::load(array.dtype, data, at);
    else if (array.dtype == PIT_DTYPE_I64)
      element.i = static_cast<const int64_t *>(data)[at];
    else
      element.i =
          tensor.type.wrap(int64_t(::pit::run::load(array.dtype, data, at)));
  }
  return tensor;
}

llvm::Error mlir::pit::fuzz::fail(Operation *op, const llvm::Twine &why) {
  return llvm::createStringError("interpreter: '" +
                                 op->getName().getStringRef() + "': " + why);
}

static constexpr llvm::StringLiteral kMisfit = "interpreter: does not fit: ";

llvm::Error mlir::pit::fuzz::misfit(Operation *op, const llvm::Twine &why) {
  return llvm::createStringError(kMisfit + "'" + op->getName().getStringRef() +
                                 "': " + why);
}

bool mlir::pit::fuzz::isMisfit(StringRef error) {
  return error.starts_with(kMisfit);
}

bool mlir::pit::fuzz::next(SmallVectorImpl<int64_t> &index,
                           ArrayRef<int64_t> shape) {
  for (size_t i = shape.size(); i-- > 0;) {
    if (++index[i] < shape[i])
      return true;
    index[i] = 0;
  }
  return false;
}

int64_t mlir::pit::fuzz::linearize(ArrayRef<int64_t> index,
                                   ArrayRef<int64_t> shape) {
  int64_t at = 0;
  for (auto [i, extent] : llvm::zip_equal(index, shape))
    at = at * extent + i;
  return at;
}

static Number constantNumber(Attribute value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return Number::makeFloat(number.getValueAsDouble());
  return Number::makeInt(cast<IntegerAttr>(value).getValue().getSExtValue());
}

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

namespace {

/// A region without control flow, its values numbered.
class Body {
public:
  static llvm::Expected<Body> create(linalg::LinalgOp op,
                                     const Environment &environment);

  /// Computes one point. The first places of the frame hold the arguments.
  void run(ArrayRef<int64_t> point, Environment &environment) {
    for (auto [place, dim] : indices)
      frame[place].i = point[dim];
    for (const Step &step : code) {
      if (step.table)
        lookUp(step, environment);
      else
        frame[step.instruction.result] =
            execute(step.instruction, frame.data());
    }
  }
  SmallVector<Number> frame;
  SmallVector<unsigned> yields;

private:
  /// An operation, or an element of a tensor at indexes that were computed.
  struct Step {
    ScalarInstruction instruction;
    const Tensor *table = nullptr;
    SmallVector<unsigned> indexes;
  };
  void lookUp(const Step &step, Environment &environment) {
    SmallVector<Number> at = llvm::map_to_vector(
        step.indexes, [&](unsigned place) { return frame[place]; });
    int64_t position = locate(*step.table, at, environment);
    frame[step.instruction.result] =
        position < 0 ? Number::unpromised()
                     : step.table->elements[size_t(position)];
  }

  SmallVector<Step> code;
  SmallVector<std::pair<unsigned, unsigned>> indices;
};

/// Where an operand's element lies as a function of the point.
struct Access {
  /// What is done to a number that is not negative.
  struct Division {
    enum { None, Quotient, Rest } kind = None;
    int64_t by = 1;
  };
  /// Per dimension of the operand: a constant, then one factor per loop; and
  /// what the sum is divided by.
  SmallVector<SmallVector<int64_t>> rows;
  SmallVector<Division> divisions;
  ArrayRef<int64_t> shape;

  /// Row-major position, -1 outside.
  int64_t at(ArrayRef<int64_t> point) const {
    int64_t position = 0;
    for (auto [row, division, extent] :
         llvm::zip_equal(rows, divisions, shape)) {
      int64_t i = row[0];
      for (size_t loop = 0; loop < point.size(); ++loop)
        i += row[loop + 1] * point[loop];
      if (division.kind != Division::None && i >= 0)
        i = division.kind == Division::Quotient ? i / division.by
                                                : i % division.by;
      if (i < 0 || i >= extent)
        return -1;
      position = position * extent + i;
    }
    return position;
  }
};

} // namespace

llvm::Expected<Body> Body::create(linalg::LinalgOp op,
                                  const Environment &environment) {
  Body body;
  llvm::DenseMap<Value, unsigned> places;
  auto place = [&](Value value) {
    auto [it, isNew] = places.try_emplace(value, body.frame.size());
    if (isNew) {
      bool isOutside = environment.values.count(value);
      body.frame.push_back(isOutside ? environment.get(value).elements[0]
                                     : Number());
    }
    return it->second;
  };
  Block *block = op.getBlock();
  for (BlockArgument argument : block->getArguments())
    place(argument);
  for (Operation &inner : block->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      body.indices.push_back({place(index), unsigned(index.getDim())});
      continue;
    }
    if (auto constant = dyn_cast<arith::ConstantOp>(inner)) {
      body.frame[place(constant)] = constantNumber(constant.getValue());
      continue;
    }
    Step step;
    if (auto extract = dyn_cast<tensor::ExtractOp>(inner)) {
      step.table = &environment.get(extract.getTensor());
      for (Value index : extract.getIndices())
        step.indexes.push_back(place(index));
      step.instruction.result = place(extract);
      body.code.push_back(std::move(step));
      continue;
    }
    std::optional<ScalarInstruction> instruction = decodeScalarOp(&inner);
    if (!instruction)
      return fail(&inner, "not known in a region");
    step.instruction = *instruction;
    for (unsigned i = 0; i < 3; ++i)
      step.instruction.operands[i] =
          place(inner.getOperand(i < inner.getNumOperands() ? i : 0));
    step.instruction.result = place(inner.getResult(0));
    body.code.push_back(std::move(step));
  }
  for (Value value : block->getTerminator()->getOperands())
    body.yields.push_back(place(value));
  return body;
}

static llvm::Expected<Access> readMap(Operation *op, AffineMap map,
                                      ArrayRef<int64_t> shape) {
  unsigned loops = map.getNumDims();
  Access access;
  access.shape = shape;
  SmallVector<AffineExpr> sums(map.getResults());
  access.divisions.resize(sums.size());
  for (auto [sum, division] : llvm::zip_equal(sums, access.divisions)) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(sum);
    bool isRest = sum.getKind() == AffineExprKind::Mod;
    if (!isRest && sum.getKind() != AffineExprKind::FloorDiv)
      continue;
    auto by = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (!by || by.getValue() < 1)
      continue;
    division = {isRest ? Access::Division::Rest : Access::Division::Quotient,
                by.getValue()};
    sum = binary.getLHS();
  }
  map = AffineMap::get(loops, map.getNumSymbols(), sums, map.getContext());
  SmallVector<int64_t> zero(loops, 0), large(loops, 1000003);
  SmallVector<int64_t> origin = map.compose(zero), far = map.compose(large);
  for (int64_t constant : origin)
    access.rows.push_back({constant});
  for (unsigned loop = 0; loop < loops; ++loop) {
    SmallVector<int64_t> unit(loops, 0);
    unit[loop] = 1;
    for (auto [row, value] : llvm::zip_equal(access.rows, map.compose(unit)))
      row.push_back(value - row[0]);
  }
  for (auto [row, value] : llvm::zip_equal(access.rows, far)) {
    int64_t sum = row[0];
    for (unsigned loop = 0; loop < loops; ++loop)
      sum += row[loop + 1] * large[loop];
    if (sum != value)
      return fail(op, "an indexing map is not linear");
  }
  return access;
}

llvm::Error mlir::pit::fuzz::runStructuredOp(Operation *operation,
                                             Environment &environment) {
  auto op = cast<linalg::LinalgOp>(operation);
  SmallVector<int64_t> extents;
  for (Value operand : operation->getOperands())
    llvm::append_range(extents, environment.get(operand).shape);
  SmallVector<int64_t> loops = op.getShapesToLoopsMap().compose(extents);
  int64_t count = 1;
  for (int64_t extent : loops)
    count *= extent;
  if (!environment.spend(count))
    return fail(operation, "too many points");

  llvm::Expected<Body> body = Body::create(op, environment);
  if (!body)
    return body.takeError();
  unsigned numInputs = unsigned(op.getNumDpsInputs());
  std::vector<Tensor> outputs;
  for (OpOperand &init : op.getDpsInitsMutable())
    outputs.push_back(environment.get(init.get()));
  SmallVector<Access> accesses;
  SmallVector<Number *> data;
  for (OpOperand &operand : operation->getOpOperands()) {
    const Tensor &tensor = environment.get(operand.get());
    // Dynamic extents may be at odds.
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (map.isProjectedPermutation() &&
        !llvm::equal(map.compose(loops), tensor.shape))
      return misfit(operation, "extents are at odds");
    auto access =
        readMap(operation, op.getMatchingIndexingMap(&operand), tensor.shape);
    if (!access)
      return access.takeError();
    accesses.push_back(std::move(*access));
    unsigned number = operand.getOperandNumber();
    data.push_back(number < numInputs
                       ? const_cast<Number *>(tensor.elements.data())
                       : outputs[number - numInputs].elements.data());
  }
  SmallVector<int64_t> point(loops.size(), 0), positions(accesses.size());
  if (count > 0)
    do {
      for (auto [i, access] : llvm::enumerate(accesses)) {
        positions[i] = access.at(point);
        if (positions[i] < 0)
          return misfit(operation, "an access is out of bounds");
        body->frame[i] = data[i][positions[i]];
      }
      body->run(point, environment);
      for (auto [i, place] : llvm::enumerate(body->yields))
        data[numInputs + i][positions[numInputs + i]] = body->frame[place];
    } while (next(point, loops));
  for (auto [result, output] :
       llvm::zip_equal(operation->getResults(), outputs))
    environment.set(result, std::move(output));
  return llvm::Error::success();
}

llvm::Error mlir::pit::fuzz::runSoftmax(Operation *operation,
                                        Environment &environment) {
  auto op = cast<linalg::SoftmaxOp>(operation);
  const Tensor &input = environment.get(op.getInput());
  if (input.shape != environment.get(op.getOutput()).shape)
    return misfit(operation, "extents are at odds");
  Tensor output = input;
  auto dim = size_t(op.getDimension());
  std::vector<int64_t> lines = input.shape;
  lines[dim] = 1;
  int64_t extent = input.shape[dim], stride = 1;
  for (size_t d = dim + 1; d < lines.size(); ++d)
    stride *= lines[d];
  if (!environment.spend(4 * input.numElements()))
    return fail(operation, "too many points");
  Number frame[2];
  auto apply = [&](ScalarCode code, const Number &a, const Number &b) {
    ScalarInstruction instruction{code, 0, input.type, input.type};
    frame[0] = a, frame[1] = b;
    instruction.operands[1] = 1;
    return execute(instruction, frame);
  };
  SmallVector<int64_t> line(lines.size(), 0);
  if (input.numElements() > 0)
    do {
      Number *first = &output.elements[size_t(linearize(line, input.shape))];
      Number top = Number::makeFloat(-std::numeric_limits<double>::infinity());
      Number sum;
      for (int64_t i = 0; i < extent; ++i)
        top = apply(ScalarCode::MaxNumF, first[i * stride], top);
      for (int64_t i = 0; i < extent; ++i) {
        Number distance = apply(ScalarCode::SubF, first[i * stride], top);
        Number e = apply(ScalarCode::Exp, distance, distance);
        first[i * stride] = e;
        sum = apply(ScalarCode::AddF, e, sum);
      }
      for (int64_t i = 0; i < extent; ++i)
        first[i * stride] = apply(ScalarCode::DivF, first[i * stride], sum);
    } while (next(line, lines));
  environment.set(operation->getResult(0), std::move(output));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

/// Whether a point is live, as docs/Semantics.md has it.
static Number isLive(PatternAttr pattern, ArrayRef<int64_t> point,
                     const Tensor &by, int64_t extent) {
  SmallVector<int64_t> at;
  for (int64_t axis : pattern.getAxes().asArrayRef())
    at.push_back(point[size_t(axis)]);
  if (pattern.getKind() == PatternKind::Lengths) {
    const Number &length = by.elements[size_t(at[0])];
    bool inside = pattern.getPad() == Padding::Right
                      ? at[1] < length.i
                      : at[1] >= extent - length.i;
    return Number::makeInt(inside, length.isPromised());
  }
  if (pattern.getKind() == PatternKind::Blocks)
    for (auto [i, position] : llvm::enumerate(at))
      position /= pattern.getTile().asArrayRef()[i];
  const Number &bit = by.elements[size_t(linearize(at, by.shape))];
  if (!by.type.isFloat())
    return Number::makeInt(bit.i != 0, bit.isPromised());
  bool certain = bit.bound == 0 || std::fabs(bit.f) > bit.bound;
  return Number::makeInt(bit.f != 0, certain);
}

llvm::Error mlir::pit::fuzz::runMark(Operation *operation,
                                     Environment &environment) {
  auto op = cast<SparseOp>(operation);
  PatternAttr pattern = op.getPattern();
  Tensor result = environment.get(op.getSource());
  if (!environment.spend(result.numElements()))
    return fail(operation, "too many points");
  if (pattern.getKind() == PatternKind::Lengths) {
    int64_t extent = result.shape[size_t(pattern.getAxes().asArrayRef()[1])];
    for (const Number &length : environment.get(op.getBy()).elements)
      environment.areElementsOutside |= length.i < 0 || length.i > extent;
  }
  if (pattern.getKind() != PatternKind::Values && result.numElements() > 0) {
    Number absent;
    if (pattern.getAbsent() == Absent::NegInf)
      absent.f = -std::numeric_limits<double>::infinity();
    else if (pattern.getAbsent() == Absent::Undef)
      absent = Number::unpromised();
    const Tensor &by = environment.get(op.getBy());
    int64_t extent = 0;
    if (pattern.getKind() == PatternKind::Lengths)
      extent = result.shape[size_t(pattern.getAxes().asArrayRef()[1])];
    SmallVector<int64_t> point(result.shape.size(), 0);
    Number *element = result.elements.data();
    do {
      Number live = isLive(pattern, point, by, extent);
      if (!live.isPromised())
        *element = Number::unpromised();
      else if (!live.i)
        *element = absent;
      ++element;
    } while (next(point, result.shape));
  }
  environment.set(operation->getResult(0), std::move(result));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

llvm::Expected<std::vector<Tensor>>
mlir::pit::fuzz::interpret(func::FuncOp function,
                           const std::vector<Tensor> &arguments,
                           int64_t maxPoints, bool *areElementsOutside) {
  Environment environment;
  environment.points = maxPoints;
  if (!llvm::hasSingleElement(function.getBody()))
    return fail(function, "has more than one block");
  for (auto [argument, tensor] :
       llvm::zip_equal(function.getArguments(), arguments))
    environment.set(argument, tensor);
  Block &block = function.getBody().front();
  for (Operation &op : block.without_terminator()) {
    llvm::Error error =
        isa<linalg::LinalgOp>(op)    ? runStructuredOp(&op, environment)
        : isa<linalg::SoftmaxOp>(op) ? runSoftmax(&op, environment)
        : isa<SparseOp>(op)          ? runMark(&op, environment)
                                     : runTensorOp(&op, environment);
    if (error)
      return std::move(error);
  }
  if (areElementsOutside)
    *areElementsOutside = environment.areElementsOutside;
  std::vector<Tensor> results;
  for (Value value : block.getTerminator()->getOperands())
    results.push_back(environment.get(value));
  return std::move(results);
}
