//===- EntryValues.cpp - What follows from a function's arguments ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryValues.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

using namespace mlir;
using namespace mlir::pit;

namespace {
/// Keeps what is built, in order.
struct Recorder : OpBuilder::Listener {
  explicit Recorder(SmallVectorImpl<Operation *> &built) : built(built) {}
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    built.push_back(op);
  }
  SmallVectorImpl<Operation *> &built;
};
} // namespace

EntryValues::EntryValues(func::FuncOp function, OpBuilder &builder,
                         SymbolTableCollection &symbols, Arguments arguments)
    : function(function), builder(builder), symbols(symbols),
      arguments(std::move(arguments)),
      varying(std::make_shared<DenseSet<Value>>()) {}

EntryValues::~EntryValues() {
  for (Operation *op : llvm::reverse(reified))
    if (op->use_empty())
      op->erase();
}

Value EntryValues::getConstant(int64_t number) {
  return arith::ConstantIndexOp::create(builder, function.getLoc(), number);
}

Value OpValues::get(OpFoldResult number) {
  if (auto attribute = dyn_cast<Attribute>(number)) {
    auto integer = dyn_cast<IntegerAttr>(attribute);
    return integer ? getConstant(integer.getInt()) : Value();
  }
  return get(cast<Value>(number));
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Integer arithmetic that is defined for all operands, and that hosts of
/// kernels know (see HostExpressions.cpp).
static bool isHostArithmetic(Operation *op) {
  auto hasPureMap = [](AffineMap map) {
    return llvm::all_of(map.getResults(),
                        [](AffineExpr e) { return e.isPureAffine(); });
  };
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return hasPureMap(apply.getMap());
  if (auto min = dyn_cast<affine::AffineMinOp>(op))
    return hasPureMap(min.getMap());
  if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    return hasPureMap(max.getMap());
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp, arith::AddIOp, arith::SubIOp, arith::MulIOp,
          arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp,
          arith::CmpIOp, arith::SelectOp>(op))
    return true;
  if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return op->getResult(0).getType().isInteger(1);
  return isa<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp,
             arith::CeilDivUIOp, arith::CeilDivSIOp, arith::RemUIOp>(op) &&
         isSpeculatable(op);
}

static bool hasSumsAndProductsOnly(AffineExpr expr) {
  return !expr.walk([](AffineExpr e) {
                return e.getKind() == AffineExprKind::Mod ||
                               e.getKind() == AffineExprKind::FloorDiv ||
                               e.getKind() == AffineExprKind::CeilDiv
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Whether the result is linear in operands of which some vary.
static bool isLinear(Operation *op, ArrayRef<bool> varying) {
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return hasSumsAndProductsOnly(apply.getMap().getResult(0));
  if (isa<arith::MulIOp>(op))
    return !(varying[0] && varying[1]);
  return isa<arith::AddIOp, arith::SubIOp, arith::IndexCastOp, arith::ExtSIOp>(
      op);
}

Value EntryValues::cloneWith(Operation *op, unsigned result) {
  IRMapping mapping;
  SmallVector<bool> operandVaries;
  for (Value operand : op->getOperands()) {
    Value known = get(operand);
    if (!known)
      return {};
    mapping.map(operand, known);
    operandVaries.push_back(varies(known));
  }
  bool anyVaries = llvm::is_contained(operandVaries, true);
  if (anyVaries && !isLinear(op, operandVaries))
    return {};
  Operation *clone = op->cloneWithoutRegions(mapping);
  clone->setDiscardableAttrs(ArrayRef<NamedAttribute>());
  SmallVector<Value> folded;
  if (succeeded(builder.tryFold(clone, folded)) && !folded.empty()) {
    clone->erase();
  } else {
    builder.insert(clone);
    folded = llvm::to_vector_of<Value>(clone->getResults());
  }
  if (anyVaries && !getConstantIntValue(folded[result]))
    varying->insert(folded[result]);
  return folded[result];
}

void EntryValues::assume(Value number, Value value) {
  known.numbers[number] = value;
  varying->insert(value);
}

Value EntryValues::compute(Value number) {
  if (!number.getType().isIntOrIndex())
    return {};
  if (auto argument = dyn_cast<BlockArgument>(number))
    return argument.getOwner() == &function.getBody().front()
               ? arguments.scalar(argument)
               : Value();
  Operation *op = number.getDefiningOp();
  unsigned result = cast<OpResult>(number).getResultNumber();
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (number.getType().isIndex())
      return getConstant(cast<IntegerAttr>(constant.getValue()).getInt());
    return cloneWith(op, result);
  }
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> axis = dim.getConstantIndex();
    auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
    return axis && type && *axis >= 0 && *axis < type.getRank()
               ? getExtent(dim.getSource(), *axis)
               : Value();
  }
  if (isHostArithmetic(op))
    return cloneWith(op, result);
  auto apply = dyn_cast<affine::AffineApplyOp>(op);
  return apply ? expand(apply) : Value();
}

/// Products of symbols are no affine maps of hosts, and arithmetic that is.
/// Unlike upstream's, it wraps around: a check may ask for too large a product.
Value EntryValues::expand(affine::AffineApplyOp apply) {
  AffineMap map = apply.getMap();
  if (!hasSumsAndProductsOnly(map.getResult(0)))
    return {};
  SmallVector<Value> operands;
  for (Value operand : apply.getMapOperands()) {
    Value known = get(operand);
    if (!known || varies(known))
      return {};
    operands.push_back(known);
  }
  auto emit = [&](auto &self, AffineExpr expr) -> Value {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return getConstant(constant.getValue());
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      return operands[dim.getPosition()];
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
      return operands[map.getNumDims() + symbol.getPosition()];
    auto binary = cast<AffineBinaryOpExpr>(expr);
    Value a = self(self, binary.getLHS()), b = self(self, binary.getRHS());
    return expr.getKind() == AffineExprKind::Add
               ? builder.createOrFold<arith::AddIOp>(apply.getLoc(), a, b)
               : builder.createOrFold<arith::MulIOp>(apply.getLoc(), a, b);
  };
  return emit(emit, map.getResult(0));
}

Value EntryValues::get(Value number) {
  auto [entry, isNew] = known.numbers.try_emplace(number, Value());
  if (!isNew)
    return entry->second;
  Value value = compute(number);
  return known.numbers[number] = value;
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

/// Whether two values of the other place are surely one number.
static bool areSame(Value one, Value other) {
  if (one == other)
    return true;
  std::optional<int64_t> a = getConstantIntValue(one);
  return a && a == getConstantIntValue(other);
}

/// Of a tensor that a loop carries: the initial one, if an iteration yields
/// what has the extent that it was given.
Value EntryValues::getCarriedExtent(scf::ForOp loop, unsigned number,
                                    int64_t axis) {
  Value initial = getExtent(loop.getInits()[number], axis);
  if (!initial)
    return {};
  Known before = known;
  known.extents[{loop.getRegionIterArg(number), axis}] = initial;
  Value yielded = getExtent(loop.getYieldedValues()[number], axis);
  if (yielded && areSame(yielded, initial))
    return initial;
  known = std::move(before);
  return {};
}

/// The same of a loop whose condition is a region: that is given the initial
/// tensors, and what iterations yield. Iterations, and what uses the loop's
/// results, are given what goes with the condition.
Value EntryValues::getCarriedExtent(scf::WhileOp loop, BlockArgument tensor,
                                    int64_t axis) {
  unsigned number = tensor.getArgNumber();
  if (tensor.getOwner() == loop.getAfterBody())
    return getExtent(loop.getConditionOp().getArgs()[number], axis);
  Value initial = getExtent(loop.getInits()[number], axis);
  if (!initial)
    return {};
  Known before = known;
  known.extents[{tensor, axis}] = initial;
  Value yielded = getExtent(loop.getYieldOp().getOperand(number), axis);
  if (yielded && areSame(yielded, initial))
    return initial;
  known = std::move(before);
  return {};
}

Value EntryValues::getChosenExtent(scf::IfOp branch, unsigned number,
                                   int64_t axis) {
  Value one = getExtent(branch.thenYield().getOperand(number), axis);
  Value other = getExtent(branch.elseYield().getOperand(number), axis);
  if (!one || !other)
    return {};
  if (areSame(one, other))
    return one;
  Value condition = get(branch.getCondition());
  return condition ? builder.createOrFold<arith::SelectOp>(
                         branch.getLoc(), condition, one, other)
                   : Value();
}

Value EntryValues::computeExtent(OpResult tensor, int64_t axis) {
  Operation *op = tensor.getOwner();
  unsigned number = tensor.getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return getCarriedExtent(loop, number, axis);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return getExtent(loop.getConditionOp().getArgs()[number], axis);
  // Iterations write to parts of it, which changes no extent.
  if (auto loop = dyn_cast<scf::ForallOp>(op))
    return getExtent(loop.getOutputs()[number], axis);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return getChosenExtent(branch, number, axis);
  if (auto call = dyn_cast<func::CallOp>(op)) {
    func::FuncOp callee = getCallee(call);
    if (!callee || !callee.getBody().hasOneBlock())
      return {};
    Operation *end = callee.getBody().front().getTerminator();
    return enter(call)->getExtent(end->getOperand(number), axis);
  }
  if (auto writes = dyn_cast<DestinationStyleOpInterface>(op))
    return getExtent(writes.getTiedOpOperand(tensor)->get(), axis);
  if (auto mark = dyn_cast<SparseOp>(op))
    return getExtent(mark.getSource(), axis);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return getExtent(select.getTrueValue(), axis);
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return isa<RankedTensorType>(cast.getSource().getType())
               ? getExtent(cast.getSource(), axis)
               : Value();
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return get(expand.getMixedOutputShape()[size_t(axis)]);
  // Upstream says them as products of symbols, which are no affine maps of
  // hosts.
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    Value product;
    SmallVector<ReassociationIndices> groups =
        collapse.getReassociationIndices();
    for (int64_t dim : groups[size_t(axis)]) {
      Value extent = getExtent(collapse.getSrc(), dim);
      if (!extent || varies(extent))
        return {};
      product = product ? builder.createOrFold<arith::MulIOp>(op->getLoc(),
                                                              product, extent)
                        : extent;
    }
    return product;
  }
  if (OpTrait::hasElementwiseMappableTraits(op)) {
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        return getExtent(operand, axis);
    return {};
  }
  if (!isa<ReifyRankedShapedTypeOpInterface>(op))
    return {};
  Recorder recorder(reified);
  OpBuilder before(op, &recorder);
  FailureOr<OpFoldResult> extent =
      reifyDimOfResult(before, op, int(number), int(axis));
  return succeeded(extent) && *extent ? get(*extent) : Value();
}

Value EntryValues::computeExtent(Value tensor, int64_t axis) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || axis >= type.getRank())
    return {};
  if (!type.isDynamicDim(unsigned(axis)))
    return getConstant(type.getDimSize(unsigned(axis)));
  if (auto result = dyn_cast<OpResult>(tensor))
    return computeExtent(result, axis);
  auto argument = cast<BlockArgument>(tensor);
  if (argument.getOwner() == &function.getBody().front())
    return arguments.extent(argument, axis);
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto forall = dyn_cast<scf::ForallOp>(parent))
    return getExtent(forall.getTiedOpOperand(argument)->get(), axis);
  if (auto loop = dyn_cast<scf::WhileOp>(parent))
    return getCarriedExtent(loop, argument, axis);
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (!loop || argument.getArgNumber() < loop.getNumInductionVars())
    return {};
  return getCarriedExtent(
      loop, argument.getArgNumber() - loop.getNumInductionVars(), axis);
}

Value EntryValues::getExtent(Value tensor, int64_t axis) {
  std::pair<Value, int64_t> key(tensor, axis);
  auto [entry, isNew] = known.extents.try_emplace(key, Value());
  if (!isNew)
    return entry->second;
  Value value = computeExtent(tensor, axis);
  return known.extents[key] = value;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

func::FuncOp EntryValues::getCallee(func::CallOp call) {
  auto callee =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  if (!callee || callee.isExternal())
    return {};
  for (const EntryValues *values = this; values; values = values->caller)
    if (values->function == callee)
      return {};
  return callee;
}

std::unique_ptr<EntryValues> EntryValues::enter(func::CallOp call) {
  Operation *operands = call;
  Arguments passed{[this, operands](BlockArgument argument) {
                     return get(operands->getOperand(argument.getArgNumber()));
                   },
                   [this, operands](BlockArgument argument, int64_t axis) {
                     return getExtent(
                         operands->getOperand(argument.getArgNumber()), axis);
                   }};
  auto inside = std::make_unique<EntryValues>(getCallee(call), builder, symbols,
                                              std::move(passed));
  inside->caller = this;
  inside->varying = varying;
  return inside;
}
