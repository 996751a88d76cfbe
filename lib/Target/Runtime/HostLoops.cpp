//===- HostLoops.cpp - Loops of the host around launches ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of a loop is emitted once, inside of a loop of the entry point. What
// kernels are given are addresses, so that destinations change places by
// addresses that the loop carries. Kernels of one iteration wait for those of
// the one before as they wait for all in the stream: the first of a function
// waits before it touches memory.
//
//===----------------------------------------------------------------------===//

#include "EntryPoint.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pit;

bool mlir::pit::isIteration(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getArgNumber() != 0)
    return false;
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  if (!function || !function.isPrivate())
    return false;
  auto module = function->getParentOfType<ModuleOp>();
  return module
      .walk([&](HostLoopOp loop) {
        return loop.getBody() == function.getName() ? WalkResult::interrupt()
                                                    : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Without overflow, and with steps of at least 1.
Value EntryPoint::countIterations(HostLoopOp loop) {
  Value lower = mapping.lookup(loop.getLower());
  Value upper = mapping.lookup(loop.getUpper());
  Value one = arith::ConstantIndexOp::create(builder, 1);
  Value zero = arith::ConstantIndexOp::create(builder, 0);
  Value step =
      arith::MaxSIOp::create(builder, mapping.lookup(loop.getStep()), one);
  Value distance = arith::SubIOp::create(builder, upper, lower);
  Value count = arith::DivUIOp::create(
      builder, arith::SubIOp::create(builder, distance, one), step);
  count = arith::AddIOp::create(builder, count, one);
  Value runs =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::slt, lower, upper);
  return arith::SelectOp::create(builder, runs, count, zero);
}

/// One iteration, which reads what is carried at `from` and leaves the next one
/// at `to`.
LogicalResult EntryPoint::emitIteration(HostLoopOp loop, Value iteration,
                                        ValueRange from, ValueRange to) {
  func::FuncOp body = loop.findBody();
  Block &block = body.getBody().front();
  size_t numCarried = loop.getCarried().size();
  mapping.map(body.getArgument(0), iteration);
  auto place = [&](Value buffer, Value address) {
    mapping.map(buffer, makeBuffer(cast<MemRefType>(buffer.getType()), address,
                                   getExtents(buffer)));
  };
  for (auto [i, address] : llvm::enumerate(from))
    place(body.getArgument(unsigned(1 + i)), address);
  Operation *end = block.getTerminator();
  llvm::SmallDenseSet<unsigned> placed;
  for (auto alloc : block.getOps<memref::AllocOp>()) {
    auto result = resultOf.find(alloc);
    if (result == resultOf.end())
      continue;
    placed.insert(result->second);
    place(alloc.getResult(), to[result->second]);
  }
  // The pointers to arguments are as another launch has left them.
  redirected.assign(redirected.size(), true);
  if (failed(emitBody(body)))
    return failure();
  for (unsigned i = 0; i < numCarried; ++i) {
    Value next = end->getOperand(i);
    if (placed.contains(i))
      continue;
    Value bytes = getBytes(cast<MemRefType>(next.getType()), getExtents(next));
    calls.call("pit_rt_copy", {frame, to[i], getPointer(mapping.lookup(next)),
                               calls.toI64(bytes)});
  }
  return success();
}

LogicalResult EntryPoint::emitLoop(HostLoopOp loop) {
  func::FuncOp body = loop.findBody();
  size_t numCarried = loop.getCarried().size();
  Value count = countIterations(loop);
  Value one = arith::ConstantIndexOp::create(builder, 1);
  Value zero = arith::ConstantIndexOp::create(builder, 0);
  auto isEqual = [&](Value a, Value b) {
    return arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, a, b);
  };
  Value isOdd = isEqual(arith::AndIOp::create(builder, count, one), one);
  Value isEmpty = isEqual(count, zero);

  mapStatus(body);
  for (auto [i, captured] : llvm::enumerate(loop.getCaptured())) {
    BlockArgument argument = body.getArgument(unsigned(1 + numCarried + i));
    Value passed = mapping.lookup(captured);
    if (auto type = dyn_cast<MemRefType>(argument.getType()))
      passed = makeBuffer(type, getPointer(passed), getExtents(captured));
    mapping.map(argument, passed);
  }
  // The last iteration is to write the first of its destinations.
  SmallVector<Value> from, to, other;
  for (size_t i = 0; i < numCarried; ++i) {
    Value out = loop.getOuts()[i];
    Value init = getPointer(mapping.lookup(loop.getCarried()[i]));
    Value result = getPointer(mapping.lookup(out));
    Value spare = getPointer(mapping.lookup(loop.getOuts()[numCarried + i]));
    from.push_back(init);
    to.push_back(arith::SelectOp::create(builder, isOdd, result, spare));
    other.push_back(arith::SelectOp::create(builder, isOdd, spare, result));
    Value bytes = getBytes(cast<MemRefType>(out.getType()), getExtents(out));
    bytes = arith::SelectOp::create(builder, isEmpty, bytes, zero);
    calls.call("pit_rt_copy", {frame, result, init, calls.toI64(bytes)});
  }
  SmallVector<Value> carried(from);
  llvm::append_range(carried, to);
  llvm::append_range(carried, other);
  auto onHost = scf::ForOp::create(builder, zero, count, one, carried);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(onHost.getBody());
    ValueRange addresses = onHost.getRegionIterArgs();
    from = addresses.take_front(numCarried);
    to = addresses.slice(numCarried, numCarried);
    other = addresses.take_back(numCarried);
    Value step =
        arith::MaxSIOp::create(builder, mapping.lookup(loop.getStep()), one);
    Value iteration = arith::AddIOp::create(
        builder, mapping.lookup(loop.getLower()),
        arith::MulIOp::create(builder, onHost.getInductionVar(), step));
    if (failed(emitIteration(loop, iteration, from, to)))
      return failure();
    builder.setLoc(loop.getLoc());
    SmallVector<Value> next(to);
    llvm::append_range(next, other);
    llvm::append_range(next, to);
    scf::YieldOp::create(builder, next);
  }
  redirected.assign(redirected.size(), true);
  return success();
}
