//===- BackwardProblem.cpp - Gradients of attention, as kernels see them
//-----===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackwardProblem.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using mlir::pit::detect::HostMath;
using mlir::pit::detect::Kernel;

static AttendOp createForward(AttendBackwardOp op, IRMapping &mapping) {
  OpBuilder builder(op);
  auto getMap = [&](unsigned number) { return op.getMaps()[number]; };
  SmallVector<Value> modifiers(op.getModifiers());
  SmallVector<Attribute> maps{getMap(0), getMap(1), getMap(2)};
  for (unsigned i = 0; i < op.getModifiers().size(); ++i)
    maps.push_back(getMap(op.kFirstModifier + i));
  unsigned numModifiers = modifiers.size();
  modifiers.push_back(op.getDelta());
  maps.push_back(getMap(op.kDelta));
  for (unsigned i = 0; i < op.getDpsInits().size(); ++i) {
    modifiers.push_back(op.getDpsInits()[i]);
    maps.push_back(getMap(op.getFirstInit() + i));
  }
  maps.append({getMap(op.kGradient), getMap(op.kLse)});
  auto forward = AttendOp::create(
      builder, op.getLoc(), TypeRange(), op.getQuery(), op.getKey(),
      op.getValue(), modifiers, op.getGradient(), op.getLse(),
      builder.getArrayAttr(maps), UnitAttr(), op.getPlanAttr(),
      /*biases=*/DenseI64ArrayAttr());
  op.getRegion().cloneInto(&forward.getRegion(), mapping);
  for (unsigned i = numModifiers; i < modifiers.size(); ++i)
    forward.getRegion().insertArgument(
        1 + i, cast<ShapedType>(modifiers[i].getType()).getElementType(),
        op.getLoc());
  return forward;
}

BackwardProblem::BackwardProblem(AttendBackwardOp op, HostMath &host)
    : op(op), forward(createForward(op, mapping)), problem(forward, host),
      guards(findGuards(forward)) {
  if (guards.mayBeFinite)
    guards.guards.clear();
  for (unsigned axis = 0; axis < op.getNumBatchAxes(); ++axis)
    (op.getDimension(Key, axis) ? keyBatch : groups).push_back(axis);
}

SmallVector<unsigned> BackwardProblem::getModifierBatch(unsigned gradient,
                                                        bool has) {
  unsigned operand = op.kFirstModifier + op.getModifierOf(gradient);
  SmallVector<unsigned> axes;
  for (unsigned axis = 0; axis < op.getNumBatchAxes(); ++axis)
    if (op.getDimension(operand, axis).has_value() == has)
      axes.push_back(axis);
  return axes;
}

LogitSlope BackwardProblem::getSlope(std::optional<unsigned> gradient) {
  LogitSlope slope =
      gradient
          ? *op.getSlopeBy(op.getModifierArgument(op.getModifierOf(*gradient)))
          : *op.getSlope();
  for (Value &cap : slope.caps)
    cap = mapping.lookup(cap);
  return slope;
}

Value BackwardProblem::getPoints(ArrayRef<unsigned> axes) {
  HostMath &host = problem.host;
  Value points = host.constant(1);
  for (unsigned axis : axes)
    points = host.mul(points, problem.getExtent(axis));
  return points;
}

void BackwardProblem::splitPoint(Kernel &b, Value number,
                                 ArrayRef<unsigned> axes,
                                 SmallVectorImpl<Value> &batch) {
  for (unsigned axis : llvm::reverse(axes)) {
    if (axis == axes.front()) {
      batch[axis] = number;
      return;
    }
    Value extent = b.number(problem.getExtent(axis));
    batch[axis] = b.remainder(number, extent);
    number = b.divide(number, extent);
  }
}
