//===- StructuredOps.cpp - Structured ops distributed over threads --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StructuredOps.h"

#include "PIT/Dialect/PIT/Utils/Subscripts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::pit;

//===----------------------------------------------------------------------===//
// Choice of loops
//===----------------------------------------------------------------------===//

/// The loop along which the operand's elements lie next to each other.
static std::optional<unsigned> getContiguousLoop(Value operand, AffineMap map) {
  auto type = dyn_cast<MemRefType>(operand.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type || failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  for (auto [stride, expr] : llvm::zip_equal(strides, map.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && stride == 1)
      return dim.getPosition();
  return std::nullopt;
}

static bool isPlainDim(AffineMap map, unsigned loop) {
  return llvm::any_of(map.getResults(), [&](AffineExpr expr) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim && dim.getPosition() == loop;
  });
}

ThreadLoops mlir::pit::chooseThreadLoops(linalg::LinalgOp op) {
  ThreadLoops loops;
  SmallVector<AffineMap> outputs;
  for (OpOperand &init : op.getDpsInitsMutable())
    outputs.push_back(op.getMatchingIndexingMap(&init));
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool separates = kind == utils::IteratorType::parallel &&
                     llvm::all_of(outputs, [&, loop = loop](AffineMap map) {
                       return isPlainDim(map, loop);
                     });
    (separates ? loops.distributed : loops.sequential).push_back(loop);
  }
  loops.accumulates = llvm::all_of(outputs, [&](AffineMap map) {
    return llvm::none_of(loops.sequential, [&](unsigned loop) {
      return map.isFunctionOfDim(loop);
    });
  });
  // It may compute nothing, and only report.
  if (outputs.empty())
    return loops;
  if (std::optional<unsigned> fastest =
          getContiguousLoop(op.getDpsInits().front(), outputs.front());
      fastest && llvm::is_contained(loops.distributed, *fastest)) {
    llvm::erase(loops.distributed, *fastest);
    loops.distributed.push_back(*fastest);
  }
  return loops;
}

int64_t mlir::pit::countElementsOfPoint(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0)
    return 1;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  int64_t count = 1;
  for (unsigned loop : chooseThreadLoops(op).sequential) {
    if (ShapedType::isDynamic(extents[loop]))
      return ShapedType::kDynamic;
    count *= extents[loop];
  }
  return count;
}

SmallVector<Value> mlir::pit::createLoopExtents(OpBuilder &builder,
                                                linalg::LinalgOp op) {
  return llvm::map_to_vector(op.createLoopRanges(builder, op.getLoc()),
                             [&](Range range) {
                               return getValueOrCreateConstantIndexOp(
                                   builder, op.getLoc(), range.size);
                             });
}

Value mlir::pit::createThreadPoints(OpBuilder &builder, Location loc,
                                    const ThreadLoops &loops,
                                    ArrayRef<Value> extents) {
  Value points;
  for (unsigned loop : loops.distributed)
    points = points ? arith::MulIOp::create(builder, loc, points, extents[loop])
                          .getResult()
                    : extents[loop];
  return points ? points : arith::ConstantIndexOp::create(builder, loc, 1);
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

SmallVector<Value> mlir::pit::clonePayload(OpBuilder &builder,
                                           linalg::LinalgOp op,
                                           ArrayRef<Value> arguments,
                                           ArrayRef<Value> ivs) {
  IRMapping mapping;
  Block *body = op.getBlock();
  for (auto [argument, value] :
       llvm::zip_equal(body->getArguments(), arguments))
    if (value)
      mapping.map(argument, value);
  for (Operation &nested : body->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(nested)) {
      mapping.map(index.getResult(), ivs[index.getDim()]);
      continue;
    }
    // Conditions in the body may hold index ops.
    builder.clone(nested, mapping)->walk([&](linalg::IndexOp inner) {
      inner.replaceAllUsesWith(ivs[inner.getDim()]);
      inner.erase();
    });
  }
  return llvm::map_to_vector(
      body->getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

namespace {

/// Emits one point of the distributed loops.
class PointEmitter {
public:
  PointEmitter(linalg::LinalgOp op, const ThreadLoops &loops,
               ArrayRef<Value> extents)
      : op(op), loops(loops), extents(extents), builder(op), loc(op.getLoc()),
        maps(op.getIndexingMapsArray()), ivs(op.getNumLoops()) {}

  void run(Value first, Value stride);

private:
  void delinearize(Value point);
  void emitSequential();
  SmallVector<Value> getIndices(unsigned operand);
  Value load(unsigned operand);
  SmallVector<Value> emitBody(ValueRange accumulators);
  void store(ValueRange results);

  linalg::LinalgOp op;
  const ThreadLoops &loops;
  ArrayRef<Value> extents;
  OpBuilder builder;
  Location loc;
  SmallVector<AffineMap> maps;
  SmallVector<Value> ivs;
};

} // namespace

void PointEmitter::delinearize(Value point) {
  for (unsigned loop : llvm::reverse(loops.distributed)) {
    if (loop == loops.distributed.front()) {
      ivs[loop] = point;
      break;
    }
    ivs[loop] = arith::RemUIOp::create(builder, loc, point, extents[loop]);
    point = arith::DivUIOp::create(builder, loc, point, extents[loop]);
  }
}

SmallVector<Value> PointEmitter::getIndices(unsigned operand) {
  SmallVector<Value> indices;
  for (AffineExpr expr : maps[operand].getResults())
    indices.push_back(createSubscript(builder, loc, expr, ivs));
  return indices;
}

Value PointEmitter::load(unsigned operand) {
  Value value = op->getOperand(operand);
  if (!isa<MemRefType>(value.getType()))
    return value;
  return memref::LoadOp::create(builder, loc, value, getIndices(operand));
}

SmallVector<Value> PointEmitter::emitBody(ValueRange accumulators) {
  SmallVector<Value> values;
  unsigned numInputs = op.getNumDpsInputs();
  for (BlockArgument argument : op.getBlock()->getArguments()) {
    unsigned number = argument.getArgNumber();
    if (number >= numInputs && !accumulators.empty())
      values.push_back(accumulators[number - numInputs]);
    else
      values.push_back(argument.use_empty() ? Value() : load(number));
  }
  return clonePayload(builder, op, values, ivs);
}

void PointEmitter::store(ValueRange results) {
  for (auto [i, result] : llvm::enumerate(results)) {
    unsigned operand = op.getNumDpsInputs() + i;
    memref::StoreOp::create(builder, loc, result, op->getOperand(operand),
                            getIndices(operand));
  }
}

void PointEmitter::emitSequential() {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> carried;
  if (loops.accumulates && !loops.sequential.empty())
    for (unsigned i = 0; i < op.getNumDpsInits(); ++i)
      carried.push_back(load(op.getNumDpsInputs() + i));

  SmallVector<scf::ForOp> nest;
  for (unsigned loop : loops.sequential) {
    auto forOp =
        scf::ForOp::create(builder, loc, zero, extents[loop], one, carried);
    ivs[loop] = forOp.getInductionVar();
    carried.assign(forOp.getRegionIterArgs().begin(),
                   forOp.getRegionIterArgs().end());
    nest.push_back(forOp);
    // A loop that carries values comes without its yield.
    builder.setInsertionPointToStart(forOp.getBody());
  }
  SmallVector<Value> results = emitBody(carried);
  if (carried.empty()) {
    store(results);
    return;
  }
  for (scf::ForOp forOp : llvm::reverse(nest)) {
    scf::YieldOp::create(builder, loc, results);
    results.assign(forOp.getResults().begin(), forOp.getResults().end());
    builder.setInsertionPointAfter(forOp);
  }
  store(results);
}

void PointEmitter::run(Value first, Value stride) {
  Value points = createThreadPoints(builder, loc, loops, extents);
  auto forOp = scf::ForOp::create(builder, loc, first, points, stride);
  builder.setInsertionPointToStart(forOp.getBody());
  delinearize(forOp.getInductionVar());
  emitSequential();
}

void mlir::pit::distributeStructuredOp(linalg::LinalgOp op, Value first,
                                       Value stride) {
  OpBuilder builder(op);
  ThreadLoops loops = chooseThreadLoops(op);
  SmallVector<Value> extents = createLoopExtents(builder, op);
  PointEmitter(op, loops, extents).run(first, stride);
  op->erase();
}
