//===- FillKernel.cpp - Large buffers of one constant ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A memset of any element: threads store vectors, one behind the other.
//
//===----------------------------------------------------------------------===//

#include "FillKernel.h"

#include "GPU/Lists/RowAccess.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;
using mlir::pit::detect::HostMath;
using mlir::pit::detect::Kernel;

/// What threads store at a time, and bytes below which any kernel will do.
static constexpr int64_t kVectorBytes = 16, kLargeBytes = 1 << 20,
                         kThreads = 256;

static MemRefType getOutputType(linalg::FillOp op) {
  return cast<MemRefType>(op.output().getType());
}

bool mlir::pit::rows::canFill(linalg::FillOp op) {
  auto type = dyn_cast<MemRefType>(op.output().getType());
  Operation *constant = op.value().getDefiningOp();
  if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity() ||
      type.getMemorySpace() || !type.getElementType().isIntOrFloat() ||
      op.value().getType() != type.getElementType() || !constant ||
      !constant->hasTrait<OpTrait::ConstantLike>())
    return false;
  return llvm::is_contained({8, 16, 32, 64}, type.getElementTypeBitWidth());
}

int64_t mlir::pit::rows::getFilledBytes(linalg::FillOp op) {
  MemRefType type = getOutputType(op);
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

RowPlanAttr mlir::pit::rows::planFill(linalg::FillOp op,
                                      const ChipModel &chip) {
  if (!canFill(op))
    return {};
  MemRefType type = getOutputType(op);
  int64_t vector = kVectorBytes * 8 / type.getElementTypeBitWidth();
  if (getFilledBytes(op) < kLargeBytes || type.getNumElements() % vector != 0)
    return {};
  // Twice as many as run at a time.
  return RowPlanAttr::get(
      op.getContext(), RowFamily::Fill,
      DenseI64ArrayAttr::get(op.getContext(), {1, kThreads * vector}), vector,
      /*unroll=*/1, /*evict_first=*/false, 2 * chip.getBlocksAtOnce(kThreads),
      /*group=*/-1);
}

static LogicalResult checkPlanOfOne(linalg::FillOp op, RowPlanAttr plan) {
  if (!canFill(op))
    return op.emitOpError("no kernel of the family 'fill' can take it: it "
                          "fills a contiguous buffer of a known shape with a "
                          "constant");
  if (getOutputType(op).getNumElements() % plan.getVector() != 0)
    return op.emitOpError("its plan has vectors of ")
           << plan.getVector() << " elements, which " << getOutputType(op)
           << " is not made up of";
  return success();
}

bool mlir::pit::rows::canFillAt(linalg::FillOp op, Operation *place) {
  auto alloc = op.output().getDefiningOp<memref::AllocOp>();
  Block *block = op->getBlock();
  if (!alloc || alloc->getBlock() != block || place->getBlock() != block ||
      !place->isBeforeInBlock(op) || alloc->getNumOperands() != 0)
    return false;
  return llvm::all_of(alloc->getUsers(), [&](Operation *user) {
    Operation *ancestor = block->findAncestorOpInBlock(*user);
    return ancestor && !ancestor->isBeforeInBlock(op);
  });
}

LogicalResult mlir::pit::rows::checkPlan(ArrayRef<linalg::FillOp> ops,
                                         RowPlanAttr plan) {
  for (linalg::FillOp op : ops) {
    if (failed(checkPlanOfOne(op, plan)))
      return failure();
    if (op != ops.front() && !canFillAt(op, ops.front()))
      return op.emitOpError("no kernel of the family 'fill' can compute it "
                            "with the others of its group: its buffer is no "
                            "allocation of this block, or used before");
  }
  return success();
}

void mlir::pit::rows::createFillLaunch(ArrayRef<linalg::FillOp> ops,
                                       RowPlanAttr plan, HostMath &host,
                                       gpu::GPUModuleOp module,
                                       StringRef name) {
  linalg::FillOp place = ops.front();
  for (linalg::FillOp op : ops.drop_front()) {
    Operation *alloc = op.output().getDefiningOp();
    if (place->isBeforeInBlock(alloc))
      alloc->moveBefore(place);
  }
  const int64_t threads = plan.getThreads();
  SmallVector<sums::Layout> layouts;
  int64_t most = 0;
  for (linalg::FillOp op : ops) {
    layouts.emplace_back(host, op.output());
    most = std::max(most, getOutputType(op).getNumElements());
  }
  Kernel b(module, place.getLoc(), name, threads);
  Value first =
      b.add(b.mul(b.extend(b.blockId()), threads), b.extend(b.threadId()));
  Value step = b.mul(b.extend(b.gridSize()), threads);
  for (size_t i = 0; i < ops.size(); ++i) {
    linalg::FillOp op = ops[i];
    int64_t bytes = layouts[i].bytes;
    Value constant = b.clone(*op.value().getDefiningOp())->getResult(0);
    SmallVector<Value> elements(plan.getVector(), constant);
    Value base = layouts[i].address(b, {});
    int64_t count = getOutputType(op).getNumElements() / plan.getVector();
    b.forLoop(first, b.i64(count), step, {}, [&](Value at, ValueRange) {
      sums::storeElements(b, b.element(base, at, plan.getVector() * bytes),
                          elements);
      return SmallVector<Value>();
    });
  }
  b.finish(host, host.constant(std::min<int64_t>(
                     llvm::divideCeil(most / plan.getVector(), threads),
                     plan.getMaxBlocks())));
}
