//===- OutlinedLoop.cpp - Which loops the host can run --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutlinedLoop.h"

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/IR/PITCheck.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::pit;

//===----------------------------------------------------------------------===//
// Numbers of the host
//===----------------------------------------------------------------------===//

static bool isNumber(Value value) {
  return value.getType().isIntOrIndexOrFloat();
}

static bool isOfFunction(Value value) {
  return isa<func::FuncOp>(value.getParentBlock()->getParentOp());
}

/// Whether extents of a tensor follow from what the host knows: all numbers
/// that it is made with do, and so do extents of the tensors it is made of.
static bool hasHostExtents(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || !isOfFunction(tensor))
    return false;
  Operation *def = tensor.getDefiningOp();
  if (type.hasStaticShape() || !def)
    return true;
  if (auto op = dyn_cast<DestinationStyleOpInterface>(def))
    return hasHostExtents(op.getTiedOpOperand(cast<OpResult>(tensor))->get());
  if (!isa<tensor::TensorDialect, PITDialect>(def->getDialect()) ||
      def->getNumRegions() != 0)
    return false;
  return llvm::all_of(def->getOperands(), [](Value operand) {
    return isNumber(operand) ? isHostNumber(operand) : hasHostExtents(operand);
  });
}

bool mlir::pit::isHostNumber(Value value) {
  if (!isNumber(value) || !isOfFunction(value))
    return false;
  Operation *def = value.getDefiningOp();
  if (!def)
    return true;
  if (auto dim = dyn_cast<tensor::DimOp>(def))
    return isHostNumber(dim.getIndex()) && hasHostExtents(dim.getSource());
  return isa<arith::ArithDialect, affine::AffineDialect>(def->getDialect()) &&
         def->getNumRegions() == 0 &&
         llvm::all_of(def->getOperands(), isHostNumber);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static bool haveEqualExtents(Value a, int64_t axisOfA, Value b,
                             int64_t axisOfB) {
  FailureOr<bool> equal =
      ValueBoundsConstraintSet::areEqual({a, axisOfA}, {b, axisOfB});
  return succeeded(equal) && *equal;
}

/// Whether the next of what is carried as `number` has the extent of the first
/// one, if all that the iteration takes have those of what they start with.
static bool keepsExtent(scf::ForOp loop, unsigned number, int64_t axis) {
  Value next = loop.getYieldedValues()[number];
  Value init = loop.getInitArgs()[number];
  if (haveEqualExtents(next, axis, init, axis))
    return true;
  for (auto [tensor, start] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitArgs())) {
    auto type = cast<RankedTensorType>(tensor.getType());
    for (int64_t other = 0; other < type.getRank(); ++other)
      if (haveEqualExtents(next, axis, tensor, other) &&
          haveEqualExtents(start, other, init, axis))
        return true;
  }
  return false;
}

static bool keepsExtents(scf::ForOp loop, unsigned number) {
  auto type = cast<RankedTensorType>(loop.getInitArgs()[number].getType());
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (type.isDynamicDim(unsigned(axis)) && !keepsExtent(loop, number, axis))
      return false;
  return true;
}

/// Whether the op takes the number as something else than an extent of its
/// result.
static bool takesAsElement(OpOperand &use) {
  Operation *op = use.getOwner();
  if (op->getParentOfType<linalg::LinalgOp>())
    return true;
  if (auto slices = dyn_cast<OffsetSizeAndStrideOpInterface>(op)) {
    unsigned first = slices.getOffsetSizeAndStrideStartOperandIndex();
    unsigned number = use.getOperandNumber();
    return number < first || number < first + slices.getOffsets().size();
  }
  return isa<linalg::LinalgOp, tensor::ExtractOp, tensor::InsertOp, scf::ForOp,
             scf::IfOp, CheckOp>(op);
}

/// Whether an extent in the loop may follow from which iteration it is, or from
/// an element, which only the device knows.
static bool hasVaryingExtents(scf::ForOp loop) {
  SmallVector<Value> worklist{loop.getInductionVar()};
  loop.walk([&](tensor::ExtractOp extract) {
    if (!extract->getParentOfType<linalg::LinalgOp>())
      worklist.push_back(extract);
  });
  DenseSet<Value> seen(worklist.begin(), worklist.end());
  auto follow = [&](Value value) {
    if (seen.insert(value).second)
      worklist.push_back(value);
  };
  while (!worklist.empty()) {
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      Operation *op = use.getOwner();
      bool isArithmetic =
          isa<arith::ArithDialect, affine::AffineDialect>(op->getDialect());
      if (!isArithmetic && !takesAsElement(use))
        return true;
      if (isArithmetic)
        llvm::for_each(op->getResults(), follow);
      if (auto inner = dyn_cast<scf::ForOp>(op))
        follow(inner.getInductionVar());
    }
  }
  return false;
}

/// Of what is used in the loop and made in front of it.
static bool capturesOnlyHostValues(MutableArrayRef<Region> regions) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(regions, captured);
  return llvm::all_of(captured, [](Value value) {
    return isa<RankedTensorType>(value.getType()) || isHostNumber(value);
  });
}

const char *mlir::pit::findObstacle(scf::ForOp loop) {
  for (Value bound :
       {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
    if (!isHostNumber(bound))
      return "only the device knows how often it iterates";
  for (Value init : loop.getInitArgs())
    if (!isa<RankedTensorType>(init.getType()))
      return "it carries a number, which only the device knows";
  if (!capturesOnlyHostValues(loop->getRegions()))
    return "it uses a number that only the device knows";
  for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i)
    if (!keepsExtents(loop, i))
      return "a tensor that it carries may have other extents in the next "
             "iteration";
  if (hasVaryingExtents(loop))
    return "extents inside may follow from which iteration it is, or from "
           "elements";
  return nullptr;
}

const char *mlir::pit::findObstacle(scf::IfOp branch) {
  if (!isHostNumber(branch.getCondition()))
    return "only the device knows its condition; one that is an argument, or "
           "follows from extents, would let the host choose";
  for (Type type : branch.getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return "it has a number as a result, which only the device knows";
    if (!tensor.hasStaticShape())
      return "a result may have other extents in each of its regions";
  }
  if (!capturesOnlyHostValues(branch->getRegions()))
    return "it uses a number that only the device knows";
  auto isElement = [](tensor::ExtractOp extract) {
    return extract->getParentOfType<linalg::LinalgOp>()
               ? WalkResult::advance()
               : WalkResult::interrupt();
  };
  if (branch.walk(isElement).wasInterrupted())
    return "it reads an element, which only the device knows";
  return nullptr;
}

bool mlir::pit::hasFewPoints(Operation *op, int64_t few) {
  return !op->walk([&](linalg::LinalgOp op) {
              int64_t points = 1;
              for (int64_t range : op.getStaticLoopRanges())
                if (ShapedType::isDynamic(range) ||
                    llvm::MulOverflow(points, range, points))
                  return WalkResult::interrupt();
              return points > few ? WalkResult::interrupt()
                                  : WalkResult::advance();
            }).wasInterrupted();
}
