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
      makeBranch(op);
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
  void makeBranch(arith::SelectOp op);
  void carryOutOfBranches(Operation *op);
  void carryThrough(scf::ForOp loop);
  void carryThrough(scf::WhileOp loop);
  void carryBack(ArrayRef<Carried> all);
};

} // namespace

void PITCarryInPlace::makeBranch(arith::SelectOp op) {
  OpBuilder builder(op);
  auto branch = scf::IfOp::create(
      builder, op.getLoc(), op.getCondition(),
      [&](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc, op.getTrueValue());
      },
      [&](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc, op.getFalseValue());
      });
  op.replaceAllUsesWith(branch.getResult(0));
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
        hasSameExtents(value, carried.tensor))
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
  for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i)
    all.push_back({end, i, loop.getRegionIterArg(i)});
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
    toBody.push_back({loop.getConditionOp(), i + 1, before[i]});
    toCondition.push_back({loop.getYieldOp(), i, after[i]});
  }
  carryBack(toBody);
  carryBack(toCondition);
}
