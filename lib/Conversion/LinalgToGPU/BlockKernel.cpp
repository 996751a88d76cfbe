//===- BlockKernel.cpp - Any code by the threads of one block -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockKernel.h"
#include "StructuredOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

class BlockEmitter {
public:
  explicit BlockEmitter(gpu::LaunchOp launch)
      : launch(launch), builder(launch.getContext()),
        thread(launch.getThreadIds().x), numThreads(launch.getBlockSize().x) {}

  void run() { emit(launch.getBody().front()); }

private:
  void emit(Block &block);
  void emitSerial(Operation *op);
  void barrierBefore(Operation *op);
  Value getMailbox(Type type, unsigned slot);

  gpu::LaunchOp launch;
  OpBuilder builder;
  Value thread, numThreads;
  /// Words of shared memory, through which the first thread hands out what it
  /// computed. One piece of code may use several of a type.
  DenseMap<std::pair<Type, unsigned>, Value> mailboxes;
  /// Some thread may still be reading since the last barrier.
  bool reading = false;
};

} // namespace

static bool contains(Operation *op, function_ref<bool(Operation *)> test) {
  return op
      ->walk([&](Operation *nested) {
        return test(nested) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool isStructured(Operation *op) { return isa<linalg::LinalgOp>(op); }

/// Whether the first thread has to run it alone, and can.
static bool isSerial(Operation *op) {
  return !contains(op, isStructured) && contains(op, [](Operation *nested) {
    return isa<memref::StoreOp>(nested);
  }) && llvm::all_of(op->getResultTypes(), [](Type type) {
    return type.isIntOrIndexOrFloat();
  });
}

void BlockEmitter::barrierBefore(Operation *op) {
  if (!reading)
    return;
  builder.setInsertionPoint(op);
  gpu::BarrierOp::create(builder, op->getLoc());
  reading = false;
}

Value BlockEmitter::getMailbox(Type type, unsigned slot) {
  Value &mailbox = mailboxes[{type, slot}];
  if (!mailbox) {
    auto space = gpu::AddressSpaceAttr::get(launch.getContext(),
                                            gpu::AddressSpace::Workgroup);
    mailbox = launch.addWorkgroupAttribution(
        MemRefType::get({1}, type, MemRefLayoutAttrInterface(), space),
        launch.getLoc());
  }
  return mailbox;
}

void BlockEmitter::emitSerial(Operation *op) {
  Location loc = op->getLoc();
  barrierBefore(op);
  builder.setInsertionPoint(op);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        thread, zero);
  auto only = scf::IfOp::create(builder, loc, isFirst);
  op->moveBefore(only.thenBlock()->getTerminator());

  SmallVector<std::pair<Value, Value>> sent;
  DenseMap<Type, unsigned> slots;
  builder.setInsertionPoint(only.thenBlock()->getTerminator());
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    Value mailbox = getMailbox(result.getType(), slots[result.getType()]++);
    sent.emplace_back(result, mailbox);
  }
  for (auto [result, mailbox] : sent)
    memref::StoreOp::create(builder, loc, result, mailbox, zero);

  builder.setInsertionPointAfter(only);
  gpu::BarrierOp::create(builder, loc);
  for (auto [result, mailbox] : sent) {
    Value received = memref::LoadOp::create(builder, loc, mailbox, zero);
    Value original = result;
    original.replaceUsesWithIf(received, [&](OpOperand &use) {
      return !only->isAncestor(use.getOwner());
    });
    reading = true;
  }
}

void BlockEmitter::emit(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
      barrierBefore(&op);
      builder.setInsertionPointAfter(&op);
      gpu::BarrierOp::create(builder, op.getLoc());
      distributeStructuredOp(structured, thread, numThreads);
      continue;
    }
    if (isSerial(&op)) {
      emitSerial(&op);
      continue;
    }
    if (contains(&op,
                 [](Operation *nested) { return isa<memref::LoadOp>(nested); }))
      reading = true;
    for (Region &region : op.getRegions()) {
      // What reads at the end of an iteration precedes what writes at the
      // start of the next one; what a branch leaves out says nothing.
      reading = true;
      for (Block &nested : region)
        emit(nested);
      reading = true;
    }
  }
}

void mlir::pit::emitBlockKernel(gpu::LaunchOp launch) {
  BlockEmitter(launch).run();
}
