//===- GuardExtents.cpp - Extents that are looked at when they run --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GuardExtents.h"

#include "DeviceFallback.h"
#include "OpRequirements.h"
#include "PIT/Dialect/PIT/IR/PIT.h"

#include "Dialect/PIT/Transforms/Indexes/RuntimeCalls.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// What an op is given, as the function computes it in front of the op.
class ValuesAtOp : public OpValues {
public:
  explicit ValuesAtOp(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc) {}

  using OpValues::get;
  Value get(Value number) override {
    return number.getType().isIndex() ? number : Value();
  }
  Value getExtent(Value tensor, int64_t axis) override {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (!type.isDynamicDim(unsigned(axis)))
      return getConstant(type.getDimSize(unsigned(axis)));
    return builder.createOrFold<tensor::DimOp>(loc, tensor, axis);
  }
  Value getConstant(int64_t number) override {
    return arith::ConstantIndexOp::create(builder, loc, number);
  }

private:
  OpBuilder &builder;
  Location loc;
};

/// Checks in front of one op.
class ExtentGuard {
public:
  ExtentGuard(Operation *op, ModuleOp module, bool forDevice)
      : op(op), module(module), forDevice(forDevice), builder(op),
        loc(op->getLoc()), values(builder, loc),
        writer(builder, CheckWriter::Place::Op) {}

  /// Of new tensors of the given numbers of elements along their dynamic axes:
  /// this op's, and others behind it. `largest` is the one with most bytes.
  void guardSizes(Operation *largest, MutableOperandRange numbers);
  void guardSteps(LoopLikeOpInterface loop);
  /// Whether all that the op requires is looked at.
  bool guardOp();

private:
  Value getCondition(ArrayRef<Value> all);
  void requireResultSizes(Operation *maker, ArrayRef<Value> dynamicExtents);
  Value isThereRoom(Value fits, RankedTensorType type,
                    ArrayRef<Value> dynamicExtents);
  Value makeFallback(OpResult result, OpBuilder &nested);
  void guardMark(SparseOp mark, Value holds);
  Value tieExtents(Value result, Value dest);

  Operation *op;
  ModuleOp module;
  bool forDevice;
  OpBuilder builder;
  Location loc;
  ValuesAtOp values;
  CheckWriter writer;
};

} // namespace

Value ExtentGuard::getCondition(ArrayRef<Value> all) {
  Value holds;
  for (Value one : all)
    holds = holds ? builder.createOrFold<arith::AndIOp>(loc, holds, one) : one;
  return holds;
}

//===----------------------------------------------------------------------===//
// New tensors
//===----------------------------------------------------------------------===//

/// Numbers of elements along the dynamic axes of a tensor that an op makes;
/// none where they are not operands.
static std::optional<MutableOperandRange> getSizeOperands(Operation *op) {
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return empty.getDynamicSizesMutable();
  if (auto generate = dyn_cast<tensor::GenerateOp>(op))
    return generate.getDynamicExtentsMutable();
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return splat.getDynamicSizesMutable();
  if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op))
    if (!alloc.getCopy())
      return alloc.getDynamicSizesMutable();
  return std::nullopt;
}

static RankedTensorType getResultType(Operation *op) {
  return cast<RankedTensorType>(op->getResult(0).getType());
}

void ExtentGuard::requireResultSizes(Operation *maker,
                                     ArrayRef<Value> dynamicExtents) {
  writer.requireSize(maker, getResultType(maker), dynamicExtents, "result 0");
  writer.writeSizes();
}

/// Whether the system has as much memory; asked for nothing where it is known
/// that the tensor does not fit, and not of devices: null.
Value ExtentGuard::isThereRoom(Value fits, RankedTensorType type,
                               ArrayRef<Value> dynamicExtents) {
  if (forDevice)
    return {};
  Value bytes = writer.constant(CheckWriter::getStaticBytes(type));
  for (Value extent : dynamicExtents)
    bytes = writer.combine<arith::MulIOp>(bytes, extent);
  if (fits)
    bytes =
        arith::SelectOp::create(builder, loc, fits, bytes, writer.constant(0));
  Type i64 = builder.getI64Type();
  Value room = createRuntimeCall(
      builder, loc, module, "pit_rt_room",
      {arith::IndexCastOp::create(builder, loc, i64, bytes).getResult()},
      /*hasResult=*/true);
  Value none = arith::ConstantIntOp::create(builder, loc, i64, 0);
  return writer.compare(arith::CmpIPredicate::ne, room, none);
}

/// Everything behind the check sees the number that is none too large.
static void replaceBehind(Value number, Value safe) {
  DominanceInfo dominance(
      safe.getDefiningOp()->getParentOfType<FunctionOpInterface>());
  number.replaceUsesWithIf(safe, [&](OpOperand &use) {
    return dominance.properlyDominates(safe.getDefiningOp(), use.getOwner());
  });
}

/// Whether there is a tensor of that extent, or of a larger one: the size of a
/// slice is looked at before.
static bool isExtent(Value number) {
  if (number.getDefiningOp<tensor::DimOp>() || getConstantIntValue(number))
    return true;
  return llvm::any_of(number.getUsers(), [&](Operation *user) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    return slice && llvm::is_contained(slice.getSizes(), number);
  });
}

void ExtentGuard::guardSizes(Operation *largest, MutableOperandRange numbers) {
  SmallVector<Value> extents;
  for (OpOperand &number : numbers)
    extents.push_back(number.get());
  // Of one tensor's extent there is as much memory for another one, within
  // reason.
  if (llvm::all_of(extents, isExtent) && extents.size() < 2)
    return;
  requireResultSizes(largest, extents);
  Value fits = getCondition(writer.getConditions());
  SmallVector<Value> both;
  if (Value room = isThereRoom(fits, getResultType(largest), extents))
    both.push_back(room);
  if (fits)
    both.push_back(fits);
  Value holds = getCondition(both);
  if (!holds)
    return;
  bool areAllExtents = llvm::all_of(extents, isExtent);
  llvm::SmallDenseSet<Value> seen;
  for (Value number : extents)
    if ((areAllExtents || !isExtent(number)) && seen.insert(number).second)
      replaceBehind(number, arith::SelectOp::create(builder, loc, holds, number,
                                                    writer.constant(0)));
}

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

void ExtentGuard::guardSteps(LoopLikeOpInterface loop) {
  std::optional<SmallVector<OpFoldResult>> steps = loop.getLoopSteps();
  if (!steps)
    return;
  for (OpFoldResult by : *steps) {
    auto step = dyn_cast<Value>(by);
    if (!step || getConstantIntValue(step))
      continue;
    Value number = step;
    if (!number.getType().isIndex())
      number = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                          number);
    CheckWriter own(builder, CheckWriter::Place::Op);
    own.requireWithin(loop, number, 1, own.constant(CheckWriter::kMostBytes),
                      "step {0} is not within 1 to {1}");
    Value one = arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(step.getType(), 1));
    for (Value holds : own.getConditions())
      op->replaceUsesOfWith(
          step, arith::SelectOp::create(builder, loc, holds, step, one));
  }
}

/// The result of an op that is not run.
Value ExtentGuard::makeFallback(OpResult result, OpBuilder &nested) {
  if (auto writes = dyn_cast<DestinationStyleOpInterface>(op))
    return writes.getTiedOpOperand(result)->get();
  auto type = cast<RankedTensorType>(result.getType());
  SmallVector<Value> none(
      size_t(type.getNumDynamicDims()),
      arith::ConstantIndexOp::create(nested, loc, 0).getResult());
  return tensor::EmptyOp::create(nested, loc, type, none);
}

/// A mark stays where it is, for patterns to be found, and is given another
/// tensor that says what is live: of its extents, and nothing is.
void ExtentGuard::guardMark(SparseOp mark, Value holds) {
  Value by = mark.getBy();
  Type element = getElementTypeOrSelf(by);
  SmallVector<int64_t> shape;
  SmallVector<Value> sizes;
  dispatchIndexOpFoldResults(getMarkedExtents(builder, mark), sizes, shape);
  auto type = RankedTensorType::get(shape, element);
  auto choice = scf::IfOp::create(builder, loc, type, holds,
                                  /*withElseRegion=*/true);
  OpBuilder inside = OpBuilder::atBlockEnd(choice.thenBlock());
  if (by.getType() != type)
    by = tensor::CastOp::create(inside, loc, type, by);
  scf::YieldOp::create(inside, loc, by);
  OpBuilder otherwise = OpBuilder::atBlockEnd(choice.elseBlock());
  Value none =
      arith::ConstantOp::create(otherwise, loc, otherwise.getZeroAttr(element));
  Value dead = tensor::SplatOp::create(otherwise, loc, none, type, sizes);
  scf::YieldOp::create(otherwise, loc, dead);
  mark.getByMutable().assign(choice.getResult(0));
}

/// What a function returns has extents that follow from its arguments, which
/// the result of a branch does not say.
Value ExtentGuard::tieExtents(Value result, Value dest) {
  auto type = cast<RankedTensorType>(result.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      strides(type.getRank(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(
      builder, loc, type, result, offsets,
      tensor::getMixedSizes(builder, loc, dest), strides);
}

bool ExtentGuard::guardOp() {
  // No other op may stand there.
  if (isa<ParallelCombiningOpInterface>(op))
    return false;
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  if (isa<func::CallOp, tensor::ReshapeOp, tensor::GatherOp, tensor::ScatterOp,
          tensor::ExtractOp>(op) ||
      !llvm::all_of(op->getResultTypes(), isTensor) ||
      (forDevice && !isa<DestinationStyleOpInterface>(op) &&
       !DeviceFallback::isKnown(op)))
    return false;
  // First, as products of extents that are too large say nothing.
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    SmallVector<Value> extents;
    for (OpFoldResult extent : expand.getMixedOutputShape())
      if (!getConstantIntValue(extent))
        extents.push_back(cast<Value>(extent));
    requireResultSizes(op, extents);
  }
  OpRequirements(values, writer).write(op);
  SmallVector<Value> extents;
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    for (int64_t axis = 0; axis < pad.getType().getRank(); ++axis)
      if (pad.getType().isDynamicDim(unsigned(axis)))
        extents.push_back(getPaddedExtent(pad, axis, values, writer));
  } else if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    for (int64_t axis = 0; axis < concat.getRank(); ++axis)
      if (concat.getResultType().isDynamicDim(unsigned(axis)))
        extents.push_back(getJoinedExtent(concat, axis, values, writer));
  }
  if (!extents.empty())
    requireResultSizes(op, extents);
  SmallVector<Value> conditions(writer.getConditions());
  if (!extents.empty())
    if (Value room =
            isThereRoom(getCondition(conditions), getResultType(op), extents))
      conditions.push_back(room);
  Value holds = getCondition(conditions);
  if (!holds)
    return true;
  if (forDevice && !isa<DestinationStyleOpInterface>(op)) {
    DeviceFallback(op, holds).apply();
    return true;
  }
  if (auto mark = dyn_cast<SparseOp>(op)) {
    guardMark(mark, holds);
    return true;
  }
  auto choice = scf::IfOp::create(builder, loc, op->getResultTypes(), holds,
                                  /*withElseRegion=*/true);
  SmallVector<Value> results(choice.getResults());
  if (auto writes = dyn_cast<DestinationStyleOpInterface>(op))
    for (OpResult result : op->getResults())
      if (!cast<RankedTensorType>(result.getType()).hasStaticShape() &&
          llvm::any_of(result.getUsers(), [](Operation *user) {
            return isa<func::ReturnOp>(user);
          }))
        results[result.getResultNumber()] =
            tieExtents(choice.getResult(result.getResultNumber()),
                       writes.getTiedOpOperand(result)->get());
  op->replaceAllUsesWith(results);
  op->moveBefore(choice.thenBlock(), choice.thenBlock()->end());
  OpBuilder inside = OpBuilder::atBlockEnd(choice.thenBlock());
  scf::YieldOp::create(inside, loc, op->getResults());
  OpBuilder otherwise = OpBuilder::atBlockEnd(choice.elseBlock());
  SmallVector<Value> fallbacks;
  for (OpResult result : op->getResults())
    fallbacks.push_back(makeFallback(result, otherwise));
  scf::YieldOp::create(otherwise, loc, fallbacks);
  return true;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

namespace {
/// New tensors of the same extents, in one block.
struct SizeGroup {
  Operation *first, *largest;
  SmallVector<Value> numbers;
};
} // namespace

static void addToGroups(Operation *op, ValueRange numbers,
                        SmallVectorImpl<SizeGroup> &groups) {
  for (SizeGroup &group : groups) {
    if (group.first->getBlock() != op->getBlock() ||
        !llvm::equal(group.numbers, numbers))
      continue;
    if (CheckWriter::getStaticBytes(getResultType(group.largest)) <
        CheckWriter::getStaticBytes(getResultType(op)))
      group.largest = op;
    if (op->isBeforeInBlock(group.first))
      group.first = op;
    return;
  }
  groups.push_back({op, op, llvm::to_vector(numbers)});
}

void pit::guardExtents(ArrayRef<Operation *> all, ModuleOp module,
                       bool forDevice) {
  // What computes a tile has the extents that pit.tiled cuts for it.
  auto ops = llvm::to_vector(llvm::make_filter_range(
      all, [](Operation *op) { return !op->getParentOfType<TiledOp>(); }));
  SmallVector<SizeGroup> groups;
  for (Operation *op : ops)
    if (std::optional<MutableOperandRange> numbers = getSizeOperands(op))
      if (!numbers->empty())
        addToGroups(op, ValueRange(OperandRange(*numbers)), groups);
  for (SizeGroup &group : groups)
    ExtentGuard(group.first, module, forDevice)
        .guardSizes(group.largest, *getSizeOperands(group.first));
  for (Operation *op : ops) {
    if (getSizeOperands(op))
      continue;
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
      ExtentGuard(op, module, forDevice).guardSteps(loop);
    else if (!ExtentGuard(op, module, forDevice).guardOp())
      CheckWriter::sayUnchecked(op);
  }
}
