//===- CarryInPlace.cpp - Tensors that loops and branches pass on ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "mlir/Dialect/Affine/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITCARRYINPLACE
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// What a tensor may be in place of: follows destinations, and views.
static Value getRoot(Value tensor) {
  while (Operation *def = tensor.getDefiningOp()) {
    auto result = cast<OpResult>(tensor);
    if (auto loop = dyn_cast<scf::ForOp>(def))
      tensor = loop.getInitArgs()[result.getResultNumber()];
    else if (auto op = dyn_cast<DestinationStyleOpInterface>(def))
      tensor = op.getTiedOpOperand(result)->get();
    else if (isa<tensor::CastOp, tensor::ExtractSliceOp, tensor::ExpandShapeOp,
                 tensor::CollapseShapeOp>(def))
      tensor = def->getOperand(0);
    else
      break;
  }
  return tensor;
}

/// Whether `tensor` is `carried` with some of its elements changed.
static bool isInPlaceOf(Value tensor, Value carried) {
  while (tensor != carried) {
    Operation *def = tensor.getDefiningOp();
    if (!def)
      return false;
    auto result = cast<OpResult>(tensor);
    if (auto loop = dyn_cast<scf::ForOp>(def)) {
      unsigned number = result.getResultNumber();
      if (!isInPlaceOf(loop.getYieldedValues()[number],
                       loop.getRegionIterArg(number)))
        return false;
      tensor = loop.getInitArgs()[number];
    } else if (auto op = dyn_cast<DestinationStyleOpInterface>(def)) {
      tensor = op.getTiedOpOperand(result)->get();
    } else if (isa<tensor::CastOp>(def)) {
      tensor = def->getOperand(0);
    } else {
      return false;
    }
  }
  return true;
}

static bool hasSameExtents(Value a, Value b) {
  auto type = cast<RankedTensorType>(a.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    FailureOr<bool> areEqual =
        ValueBoundsConstraintSet::areEqual({a, dim}, {b, dim});
    if (failed(areEqual) || !*areEqual)
      return false;
  }
  return true;
}

/// Whether a tensor has the extents of what a loop starts with.
static bool keepsExtents(Value tensor, Value init) {
  return isa<RankedTensorType>(init.getType()) &&
         tensor.getType() == init.getType() && hasSameExtents(tensor, init);
}

/// A structured op, and no `bufferization.materialize_in_destination`: that one
/// is an error where what it writes to is read later.
static Value createCopy(OpBuilder &builder, Location loc, Value from,
                        Value to) {
  return linalg::CopyOp::create(builder, loc, from, to).getResult(0);
}

namespace {

/// The values that a terminator hands on, and the tensors of its block that
/// the next iteration finds them in.
struct Carried {
  Operation *terminator;
  unsigned operand;
  BlockArgument tensor;
  /// What the loop starts with, where each tensor that it hands on has the
  /// extents of that: then all of them have, one iteration after the other.
  Value init = {};
};

struct PITCarryInPlace : pit::impl::PITCarryInPlaceBase<PITCarryInPlace> {
  void runOnOperation() override {
    SmallVector<arith::SelectOp> choices;
    getOperation().walk([&](arith::SelectOp op) {
      if (isa<RankedTensorType>(op.getType()) &&
          op.getCondition().getType().isInteger(1))
        choices.push_back(op);
    });
    for (arith::SelectOp op : choices)
      makeElementwise(op);
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::IndexSwitchOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
        carryOutOfBranches(op);
      else if (auto loop = dyn_cast<scf::ForOp>(op))
        carryThrough(loop);
      else
        carryThrough(cast<scf::WhileOp>(op));
    }
  }

private:
  void makeElementwise(arith::SelectOp op);
  void carryOutOfBranches(Operation *op);
  void carryThrough(scf::ForOp loop);
  void carryThrough(scf::WhileOp loop);
  void carryBack(ArrayRef<Carried> all);
};

} // namespace

/// All threads of a device copy what is chosen, where a branch would be one
/// block's.
void PITCarryInPlace::makeElementwise(arith::SelectOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  Value yes = op.getTrueValue(), no = op.getFalseValue();
  SmallVector<OpFoldResult> extents = tensor::getMixedSizes(builder, loc, yes);
  bool isSame = hasSameExtents(yes, no);
  if (!isSame) {
    SmallVector<OpFoldResult> others = tensor::getMixedSizes(builder, loc, no);
    for (auto [extent, other] : llvm::zip(extents, others))
      if (isa<Value>(extent))
        extent = arith::SelectOp::create(
                     builder, loc, op.getCondition(),
                     getValueOrCreateConstantIndexOp(builder, loc, extent),
                     getValueOrCreateConstantIndexOp(builder, loc, other))
                     .getResult();
  }
  Value result =
      tensor::EmptyOp::create(builder, loc, extents, type.getElementType());
  AffineMap map = builder.getMultiDimIdentityMap(unsigned(type.getRank()));
  SmallVector<utils::IteratorType> parallel(size_t(type.getRank()),
                                            utils::IteratorType::parallel);
  SmallVector<Value> inputs;
  if (isSame)
    inputs = {yes, no};
  SmallVector<AffineMap> maps(inputs.size() + 1, map);
  auto choose = [&](OpBuilder &b, Location loc, ValueRange elements) {
    if (isSame) {
      Value chosen = arith::SelectOp::create(b, loc, op.getCondition(),
                                             elements[0], elements[1]);
      linalg::YieldOp::create(b, loc, chosen);
      return;
    }
    // An index of one tensor may lie outside of the other one.
    SmallVector<Value> place;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      place.push_back(linalg::IndexOp::create(b, loc, uint64_t(dim)));
    auto read = [&](Value tensor) {
      return [&place, tensor](OpBuilder &b, Location loc) {
        Value element = tensor::ExtractOp::create(b, loc, tensor, place);
        scf::YieldOp::create(b, loc, element);
      };
    };
    auto chosen =
        scf::IfOp::create(b, loc, op.getCondition(), read(yes), read(no));
    linalg::YieldOp::create(b, loc, chosen.getResults());
  };
  auto generic =
      linalg::GenericOp::create(builder, loc, TypeRange(result.getType()),
                                inputs, result, maps, parallel, choose);
  Value chosen = generic.getResult(0);
  if (chosen.getType() != type)
    chosen = tensor::CastOp::create(builder, loc, type, chosen);
  op.replaceAllUsesWith(chosen);
  op.erase();
}

/// The extent of a tensor inside of `op`, as a value in front of it; null where
/// it is not known there.
static OpFoldResult getExtentInFront(OpBuilder &builder, Operation *op,
                                     Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return builder.getIndexAttr(type.getDimSize(dim));
  auto isInFront = [&](Value value) {
    return !op->isAncestor(value.getParentBlock()->getParentOp());
  };
  if (isInFront(tensor))
    return tensor::DimOp::create(builder, op->getLoc(), tensor, dim)
        .getResult();
  FailureOr<OpFoldResult> bound = affine::reifyShapedValueDimBound(
      builder, op->getLoc(), presburger::BoundType::EQ, tensor, dim,
      [&](Value value, std::optional<int64_t> d,
          ValueBoundsConstraintSet &constraints) { return isInFront(value); });
  return succeeded(bound) ? *bound : OpFoldResult();
}

void PITCarryInPlace::carryOutOfBranches(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  SmallVector<Operation *> ends;
  for (Region &region : op->getRegions())
    if (!region.empty())
      ends.push_back(region.front().getTerminator());
  auto choice = dyn_cast<scf::IfOp>(op);
  for (OpResult result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || ends.size() != op->getNumRegions())
      continue;
    unsigned number = result.getResultNumber();
    SmallVector<OpFoldResult> extents;
    bool isKnown = true;
    for (int64_t dim = 0; dim < type.getRank() && isKnown; ++dim) {
      OpFoldResult extent;
      for (Operation *end : ends) {
        OpFoldResult of =
            getExtentInFront(builder, op, end->getOperand(number), dim);
        if (!of || (extent && extent != of && !choice)) {
          isKnown = false;
          break;
        }
        if (extent && extent != of)
          of = arith::SelectOp::create(
                   builder, loc, choice.getCondition(),
                   getValueOrCreateConstantIndexOp(builder, loc, extent),
                   getValueOrCreateConstantIndexOp(builder, loc, of))
                   .getResult();
        extent = of;
      }
      extents.push_back(
          type.isDynamicDim(dim)
              ? extent
              : OpFoldResult(builder.getIndexAttr(type.getDimSize(dim))));
    }
    if (!isKnown)
      continue;
    Value buffer =
        tensor::EmptyOp::create(builder, loc, extents, type.getElementType());
    if (buffer.getType() != type)
      buffer = tensor::CastOp::create(builder, loc, type, buffer);
    for (Operation *end : ends) {
      OpBuilder inside(end);
      end->setOperand(number, createCopy(inside, end->getLoc(),
                                         end->getOperand(number), buffer));
    }
  }
}

/// Tensors that change places are copied twice, since none may be written
/// before all are read.
void PITCarryInPlace::carryBack(ArrayRef<Carried> all) {
  SmallVector<Carried> copied;
  for (const Carried &carried : all) {
    Value value = carried.terminator->getOperand(carried.operand);
    if (isa<RankedTensorType>(value.getType()) &&
        value.getType() == carried.tensor.getType() &&
        !isInPlaceOf(value, carried.tensor) &&
        (carried.init || hasSameExtents(value, carried.tensor)))
      copied.push_back(carried);
  }
  for (const Carried &carried : copied) {
    OpBuilder builder(carried.terminator);
    Location loc = carried.terminator->getLoc();
    Value value = carried.terminator->getOperand(carried.operand);
    Value root = getRoot(value);
    if (root != carried.tensor && llvm::any_of(all, [&](const Carried &other) {
          return other.tensor == root;
        })) {
      Value other = tensor::EmptyOp::create(
          builder, loc, tensor::getMixedSizes(builder, loc, value),
          cast<RankedTensorType>(value.getType()).getElementType());
      if (other.getType() != value.getType())
        other = tensor::CastOp::create(builder, loc, value.getType(), other);
      carried.terminator->setOperand(carried.operand,
                                     createCopy(builder, loc, value, other));
    }
  }
  for (const Carried &carried : copied) {
    OpBuilder builder(carried.terminator);
    Value value = carried.terminator->getOperand(carried.operand);
    carried.terminator->setOperand(
        carried.operand, createCopy(builder, carried.terminator->getLoc(),
                                    value, carried.tensor));
  }
}

void PITCarryInPlace::carryThrough(scf::ForOp loop) {
  Operation *end = loop.getBody()->getTerminator();
  SmallVector<Carried> all;
  for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i) {
    Value init = loop.getInitArgs()[i];
    bool isKept = keepsExtents(end->getOperand(i), init);
    all.push_back({end, i, loop.getRegionIterArg(i), isKept ? init : Value()});
  }
  carryBack(all);
}

/// What the condition hands to the body lies where the condition found it, and
/// the other way round.
void PITCarryInPlace::carryThrough(scf::WhileOp loop) {
  auto before = loop.getBeforeArguments(), after = loop.getAfterArguments();
  if (before.size() != after.size())
    return;
  SmallVector<Carried> toBody, toCondition;
  for (unsigned i = 0; i < before.size(); ++i) {
    Value init = loop.getInits()[i];
    Value handedOn = loop.getConditionOp().getArgs()[i];
    Value yielded = loop.getYieldOp()->getOperand(i);
    if ((handedOn != before[i] && !keepsExtents(handedOn, init)) ||
        (yielded != after[i] && !keepsExtents(yielded, init)))
      init = Value();
    toBody.push_back({loop.getConditionOp(), i + 1, before[i], init});
    toCondition.push_back({loop.getYieldOp(), i, after[i], init});
  }
  carryBack(toBody);
  carryBack(toCondition);
}
