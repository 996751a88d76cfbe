//===- RecomputeRows.cpp - Cheap rows again instead of stored -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A backward program reads what the forward has computed element by element:
// the activation, and its product with the other half. Kernels of rows wait for
// memory, so that computing it again of what is there anyway is cheaper than
// storing it. Chen et al., "Training Deep Nets with Sublinear Memory Cost"
// (2016), have the same idea for memory.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"
#include "PIT/Support/Remarks.h"

#include "TileRegions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITRECOMPUTEROWS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// Whether the op computes rows of columns, element by element, from not much
/// more than they are.
static bool isCheap(TiledOp op) {
  if (op->getNumResults() != 1 || !computesRows(op) ||
      !op.getPacked()[op.getInputs().size()] ||
      !isOverwritten(op.getRegion().front().getArguments().back()))
    return false;
  for (auto nested : op.getRegion().front().getOps<linalg::LinalgOp>())
    if (nested.getNumReductionLoops() != 0)
      return false;
  // Storing takes a write and a read for each who reads it.
  constexpr int64_t kMostOfResult = 2;
  std::optional<int64_t> result = getBytesOfRow(op, op.getInputs().size());
  int64_t inputs = 0;
  for (unsigned i = 0; i < op.getInputs().size(); ++i) {
    std::optional<int64_t> bytes = getBytesOfRow(op, i);
    if (!bytes)
      return false;
    inputs += *bytes;
  }
  return result && *result > 0 && inputs <= kMostOfResult * *result;
}

/// Whether all who read the op's rows compute rows of the same list, so that
/// nothing has to be stored for them.
static bool isReadByRowsAlone(TiledOp op) {
  unsigned output = op.getInputs().size();
  return llvm::all_of(op.getResult(0).getUses(), [&](OpOperand &use) {
    auto user = dyn_cast<TiledOp>(use.getOwner());
    unsigned number = use.getOperandNumber() - 1;
    return user && user->getBlock() == op->getBlock() &&
           haveSameDomain(op, user) && computesRows(user) &&
           number < user.getInputs().size() && user.getPacked()[number] &&
           user.getOperandDims(number) == op.getOperandDims(output);
  });
}

namespace {

struct PITRecomputeRows : pit::impl::PITRecomputeRowsBase<PITRecomputeRows> {
  void runOnOperation() override {
    SmallVector<TiledOp> ops;
    getOperation().walk([&](TiledOp op) {
      if (!op.isOnBuffers())
        ops.push_back(op);
    });
    // What is computed again reads what was computed before: last ones first.
    for (TiledOp op : llvm::reverse(ops))
      visit(op);
  }

private:
  void visit(TiledOp op) {
    constexpr unsigned kMostReaders = 4;
    llvm::SmallSetVector<Operation *, 4> readers;
    readers.insert_range(op->getUsers());
    if (readers.size() < 2 || readers.size() > kMostReaders || !isCheap(op) ||
        !isReadByRowsAlone(op))
      return;
    for (Operation *reader : readers) {
      OpBuilder builder(reader);
      Operation *again = builder.clone(*op);
      op.getResult(0).replaceUsesWithIf(
          again->getResult(0),
          [&](OpOperand &use) { return use.getOwner() == reader; });
      ++numRecomputed;
    }
    remarks::passed(op, remarks::kFusion, "rows")
        << "computed again by each op that reads it, instead of stored";
    op->erase();
  }
};

} // namespace
