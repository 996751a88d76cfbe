//===- Fit.cpp - Whether arguments fit a program --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes the extents of all tensors of one call, op by op. It shares nothing
// with the compiler's checks but MLIR's accessors.
//
//===----------------------------------------------------------------------===//

#include "WrongArguments/Fit.h"

#include "Environment.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::fuzz;

namespace {

/// Wide enough for sums and products of two numbers.
using Wide = __int128;

/// What has extents alone is a tensor without elements here.
class Extents {
public:
  FitResult run(func::FuncOp function, ArrayRef<Tensor> arguments);

private:
  using Shape = std::vector<int64_t>;

  void visit(Operation *op);
  void visitStructured(linalg::LinalgOp op);
  void visitWindowed(linalg::LinalgOp op, OpOperand &operand, AffineExpr index,
                     int64_t extent, ArrayRef<int64_t> loops);
  void visitMark(SparseOp op);
  void visitSlice(Operation *op, const Shape &whole,
                  OffsetSizeAndStrideOpInterface slice);
  Shape getSliced(OffsetSizeAndStrideOpInterface slice,
                  const llvm::SmallBitVector &dropped);
  void visitGather(tensor::GatherOp op);
  void visitPad(tensor::PadOp op);
  void visitConcat(tensor::ConcatOp op);
  void visitExpand(tensor::ExpandShapeOp op);
  void visitCollapse(tensor::CollapseShapeOp op);
  void visitScalar(Operation *op);

  void require(bool holds, Operation *op, const Twine &why) {
    if (!holds && result.fit != Fit::No)
      set(Fit::No, op, why);
  }
  void setUnknown(Operation *op, const Twine &why) {
    if (result.fit == Fit::Yes)
      set(Fit::Unknown, op, why);
  }
  void set(Fit fit, Operation *op, const Twine &why) {
    result.fit = fit;
    result.why = ("'" + op->getName().getStringRef() + "': " + why).str();
  }
  /// Also looks at the type, which may say more, and at the size.
  void setShape(Operation *op, Value value, Shape shape);
  const Shape &getShape(Value value) { return environment.get(value).shape; }
  /// 0 for what elements say.
  int64_t getNumber(Operation *op, OpFoldResult number);
  SmallVector<int64_t> getNumbers(Operation *op, ArrayRef<OpFoldResult> list);

  Environment environment;
  FitResult result;
};

} // namespace

int64_t Extents::getNumber(Operation *op, OpFoldResult number) {
  if (auto value = dyn_cast<Value>(number))
    if (!getConstantIntValue(number) &&
        !environment.get(value).elements[0].isPromised()) {
      setUnknown(op, "a number depends on elements");
      return 0;
    }
  return environment.getIndex(number);
}

SmallVector<int64_t> Extents::getNumbers(Operation *op,
                                         ArrayRef<OpFoldResult> list) {
  return llvm::map_to_vector(
      list, [&](OpFoldResult number) { return getNumber(op, number); });
}

void Extents::setShape(Operation *op, Value value, Shape shape) {
  auto type = cast<RankedTensorType>(value.getType());
  Tensor tensor;
  tensor.type = Scalar::of(type.getElementType());
  Wide bytes = type.getElementType().isIndex()
                   ? 8
                   : llvm::divideCeil(type.getElementTypeBitWidth(), 8u);
  Wide elements = 1;
  require(shape.size() == size_t(type.getRank()), op, "another rank");
  if (result.fit == Fit::No)
    return;
  for (auto [extent, wanted] : llvm::zip_equal(shape, type.getShape())) {
    require(extent >= 0, op, "an extent is negative");
    require(ShapedType::isDynamic(wanted) || wanted == extent, op,
            "an extent is not the type's");
    bytes *= std::max<int64_t>(extent, 1);
    elements *= extent;
    require(bytes <= Wide(1) << 56, op, "has 2^56 bytes or more");
    if (result.fit == Fit::No)
      return;
  }
  result.mostElements = std::max(result.mostElements, int64_t(elements));
  tensor.shape = std::move(shape);
  environment.set(value, std::move(tensor));
}

//===----------------------------------------------------------------------===//
// Structured ops and marks
//===----------------------------------------------------------------------===//

/// The least and the greatest index lie in the operand.
void Extents::visitWindowed(linalg::LinalgOp op, OpOperand &operand,
                            AffineExpr index, int64_t extent,
                            ArrayRef<int64_t> loops) {
  if (llvm::is_contained(loops, 0))
    return;
  // Of what is divided, the numbers are 0 and more.
  bool isQuotient = index.getKind() == AffineExprKind::FloorDiv,
       isRest = index.getKind() == AffineExprKind::Mod;
  AffineExpr sum = index;
  Wide by = 1;
  if (isQuotient || isRest) {
    auto divided = cast<AffineBinaryOpExpr>(index);
    sum = divided.getLHS();
    by = cast<AffineConstantExpr>(divided.getRHS()).getValue();
  }
  AffineMap map = AffineMap::get(unsigned(loops.size()), 0, sum);
  SmallVector<int64_t> zero(loops.size(), 0);
  Wide least = map.compose(zero)[0], greatest = least;
  for (auto [loop, count] : llvm::enumerate(loops)) {
    SmallVector<int64_t> unit(zero);
    unit[loop] = 1;
    Wide factor = map.compose(unit)[0] - map.compose(zero)[0];
    (factor > 0 ? greatest : least) += factor * (count - 1);
  }
  if (isQuotient)
    greatest /= by;
  if (isRest)
    greatest = std::min<Wide>(greatest, by - 1);
  require(least >= 0 && greatest < extent, op,
          "operand " + Twine(operand.getOperandNumber()) +
              " is not as large as its window goes");
}

void Extents::visitStructured(linalg::LinalgOp op) {
  unsigned numLoops = op.getNumLoops();
  SmallVector<int64_t> loops(numLoops, -1);
  auto forEach = [&](auto visitIndex) {
    for (OpOperand &operand : op->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType()))
        for (auto [index, extent] :
             llvm::zip_equal(op.getMatchingIndexingMap(&operand).getResults(),
                             getShape(operand.get())))
          visitIndex(operand, index, extent);
  };
  forEach([&](OpOperand &operand, AffineExpr index, int64_t extent) {
    auto plain = dyn_cast<AffineDimExpr>(index);
    if (!plain)
      return;
    int64_t &loop = loops[plain.getPosition()];
    require(loop < 0 || loop == extent, op,
            "operand " + Twine(operand.getOperandNumber()) + " has " +
                Twine(extent) + " where another has " + Twine(loop));
    loop = extent;
  });
  if (llvm::is_contained(loops, -1))
    return setUnknown(op, "a loop has no operand's extent");
  forEach([&](OpOperand &operand, AffineExpr index, int64_t extent) {
    if (!isa<AffineDimExpr>(index))
      visitWindowed(op, operand, index, extent, loops);
  });
  for (auto [value, init] : llvm::zip_equal(op->getResults(), op.getDpsInits()))
    setShape(op, value, getShape(init));
}

void Extents::visitMark(SparseOp op) {
  PatternAttr pattern = op.getPattern();
  const Shape &source = getShape(op.getSource());
  if (Value by = op.getBy())
    for (auto [i, extent] : llvm::enumerate(getShape(by))) {
      int64_t wanted = source[size_t(pattern.getAxes()[i])];
      if (pattern.getKind() == PatternKind::Blocks)
        wanted = int64_t((Wide(wanted) + pattern.getTile()[i] - 1) /
                         pattern.getTile()[i]);
      require(extent == wanted, op,
              "what says what is live has " + Twine(extent) + ", not " +
                  Twine(wanted));
    }
  setShape(op, op.getResult(), source);
}

//===----------------------------------------------------------------------===//
// Ops on tensors
//===----------------------------------------------------------------------===//

void Extents::visitSlice(Operation *op, const Shape &whole,
                         OffsetSizeAndStrideOpInterface slice) {
  for (auto [offset, size, stride, extent] :
       llvm::zip_equal(getNumbers(op, slice.getMixedOffsets()),
                       getNumbers(op, slice.getMixedSizes()),
                       getNumbers(op, slice.getMixedStrides()), whole)) {
    require(offset >= 0 && offset <= extent, op, "an offset is outside");
    require(size >= 0, op, "a size is negative");
    require(stride >= 1, op, "a stride is not positive");
    require(size <= 0 || Wide(offset) + Wide(size - 1) * stride < extent, op,
            "a slice reaches beyond its tensor");
  }
}

Extents::Shape Extents::getSliced(OffsetSizeAndStrideOpInterface slice,
                                  const llvm::SmallBitVector &dropped) {
  Shape shape;
  for (auto [i, size] :
       llvm::enumerate(getNumbers(slice, slice.getMixedSizes())))
    if (!dropped.test(unsigned(i)))
      shape.push_back(size);
  return shape;
}

/// Which elements are read is looked at when it runs.
void Extents::visitGather(tensor::GatherOp op) {
  const Shape &source = getShape(op.getSource());
  Shape shape = getShape(op.getIndices());
  shape.pop_back();
  bool areKept =
      size_t(op.getResultType().getRank()) == shape.size() + source.size();
  for (auto [dim, extent] : llvm::enumerate(source)) {
    bool isGathered = llvm::is_contained(op.getGatherDims(), int64_t(dim));
    if (!isGathered || areKept)
      shape.push_back(isGathered ? 1 : extent);
  }
  setShape(op, op.getResult(), std::move(shape));
}

void Extents::visitPad(tensor::PadOp op) {
  Shape shape = getShape(op.getSource());
  for (auto [extent, low, high] :
       llvm::zip_equal(shape, getNumbers(op, op.getMixedLowPad()),
                       getNumbers(op, op.getMixedHighPad()))) {
    require(low >= 0 && high >= 0, op, "pads by less than nothing");
    Wide sum = Wide(extent) + low + high;
    require(sum < Wide(1) << 60, op, "has 2^56 bytes or more");
    extent = int64_t(sum);
  }
  setShape(op, op.getResult(), std::move(shape));
}

void Extents::visitConcat(tensor::ConcatOp op) {
  Shape shape = getShape(op.getInputs()[0]);
  auto dim = size_t(op.getDim());
  Wide sum = 0;
  for (Value input : op.getInputs()) {
    Shape other = getShape(input);
    sum += other[dim];
    other[dim] = shape[dim];
    require(other == shape, op, "operands have other extents");
  }
  require(sum < Wide(1) << 60, op, "has 2^56 bytes or more");
  shape[dim] = int64_t(sum);
  setShape(op, op.getResult(), std::move(shape));
}

void Extents::visitExpand(tensor::ExpandShapeOp op) {
  SmallVector<int64_t> sizes = getNumbers(op, op.getMixedOutputShape());
  const Shape &source = getShape(op.getSrc());
  setShape(op, op.getResult(), {sizes.begin(), sizes.end()});
  for (auto [group, extent] :
       llvm::zip_equal(op.getReassociationIndices(), source)) {
    Wide product = 1;
    for (int64_t dim : group)
      if (product *= sizes[size_t(dim)]; product > Wide(1) << 60)
        return require(false, op, "has 2^56 bytes or more");
    require(product == extent, op, "an extent is not the product");
  }
}

void Extents::visitCollapse(tensor::CollapseShapeOp op) {
  const Shape &source = getShape(op.getSrc());
  Shape shape;
  for (const auto &group : op.getReassociationIndices()) {
    Wide product = 1;
    for (int64_t dim : group)
      if (product *= source[size_t(dim)]; product > Wide(1) << 60)
        return require(false, op, "has 2^56 bytes or more");
    shape.push_back(int64_t(product));
  }
  setShape(op, op.getResult(), std::move(shape));
}

void Extents::visitScalar(Operation *op) {
  bool hasTensor =
      llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>);
  if (op->getNumResults() != 1 || isa<TensorType>(op->getResult(0).getType()))
    return setUnknown(op, "not known");
  // What is read of a tensor is not known here.
  if (hasTensor)
    return environment.set(op->getResult(0),
                           Tensor(op->getResult(0).getType(), {}));
  if (llvm::Error error = runTensorOp(op, environment))
    setUnknown(op, llvm::toString(std::move(error)));
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

void Extents::visit(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](linalg::LinalgOp op) { visitStructured(op); })
      .Case([&](linalg::SoftmaxOp op) {
        require(getShape(op.getInput()) == getShape(op.getOutput()), op,
                "operands have other extents");
        setShape(op, op->getResult(0), getShape(op.getOutput()));
      })
      .Case([&](SparseOp op) { visitMark(op); })
      .Case([&](tensor::EmptyOp op) {
        SmallVector<int64_t> sizes = getNumbers(op, op.getMixedSizes());
        setShape(op, op.getResult(), {sizes.begin(), sizes.end()});
      })
      .Case([&](tensor::DimOp op) {
        auto dim = size_t(getNumber(op, op.getIndex()));
        environment.set(op,
                        Tensor(op.getType(), {},
                               Number::makeInt(getShape(op.getSource())[dim])));
      })
      .Case([&](tensor::CastOp op) {
        setShape(op, op.getResult(), getShape(op.getSource()));
      })
      .Case([&](tensor::ExpandShapeOp op) { visitExpand(op); })
      .Case([&](tensor::CollapseShapeOp op) { visitCollapse(op); })
      .Case([&](tensor::ExtractSliceOp op) {
        visitSlice(op, getShape(op.getSource()), op);
        setShape(op, op.getResult(), getSliced(op, op.getDroppedDims()));
      })
      .Case([&](tensor::InsertSliceOp op) {
        visitSlice(op, getShape(op.getDest()), op);
        require(getShape(op.getSource()) == getSliced(op, op.getDroppedDims()),
                op, "what is inserted has other extents");
        setShape(op, op.getResult(), getShape(op.getDest()));
      })
      .Case([&](tensor::InsertOp op) {
        setShape(op, op.getResult(), getShape(op.getDest()));
        setUnknown(op, "an index is looked at when it runs");
      })
      .Case([&](tensor::ExtractOp op) {
        visitScalar(op);
        setUnknown(op, "an index is looked at when it runs");
      })
      .Case([&](tensor::GatherOp op) { visitGather(op); })
      .Case([&](tensor::PadOp op) { visitPad(op); })
      .Case([&](tensor::ConcatOp op) { visitConcat(op); })
      .Case([&](arith::ConstantOp op) {
        auto type = dyn_cast<RankedTensorType>(op.getType());
        if (type)
          return setShape(op, op.getResult(), type.getShape().vec());
        visitScalar(op);
      })
      .Default([&](Operation *op) { visitScalar(op); });
}

FitResult Extents::run(func::FuncOp function, ArrayRef<Tensor> arguments) {
  if (!llvm::hasSingleElement(function.getBody()))
    return {Fit::Unknown, "more than one block", 0};
  environment.points = 0;
  for (auto [argument, given] :
       llvm::zip_equal(function.getArguments(), arguments)) {
    if (!isa<RankedTensorType>(argument.getType()))
      environment.set(argument, given);
    else
      setShape(function, argument, given.shape);
  }
  for (Operation &op : function.getBody().front().without_terminator()) {
    if (result.fit == Fit::No)
      break;
    visit(&op);
    // Without a shape nothing that uses it can be looked at.
    for (Value value : op.getResults())
      if (result.fit != Fit::No && !environment.values.count(value))
        return result.fit == Fit::Unknown
                   ? result
                   : FitResult{Fit::Unknown, "an op is not known", 0};
  }
  return result;
}

FitResult mlir::pit::fuzz::checkFit(func::FuncOp function,
                                    ArrayRef<Tensor> arguments) {
  return Extents().run(function, arguments);
}
