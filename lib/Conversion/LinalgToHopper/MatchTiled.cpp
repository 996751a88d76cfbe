//===- MatchTiled.cpp - Gathered and scattered products -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Match.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

namespace {

/// How the tiles of an operand follow from the list of rows.
enum class RowAccess { Whole, Packed, Listed, Other };

} // namespace

static RowAccess getRowAccess(TiledOp op, unsigned operand) {
  int64_t dim = op.getOperandDims(operand)[0];
  if (op.getPacked()[operand])
    return dim == 0 ? RowAccess::Packed : RowAccess::Other;
  return dim == 0    ? RowAccess::Listed
         : dim == -1 ? RowAccess::Whole
                     : RowAccess::Other;
}

/// Whether the block does nothing besides the matched ops.
static bool isAllThereIs(Block &block, ArrayRef<Operation *> ops) {
  return llvm::all_of(block.without_terminator(), [&](Operation &op) {
    return llvm::is_contained(ops, &op) || isMemoryEffectFree(&op) ||
           isa<memref::AllocOp, memref::DeallocOp>(op);
  });
}

FailureOr<ContractionMatch>
mlir::pit::hopper::matchTiledContraction(TiledOp op) {
  // One segment of rows, each row on its own.
  SparseIndexType index = op.getIndexType();
  if (!op.isOnBuffers() || index.getRank() != 1 ||
      index.getCoordinateTile() != 1 || op.getOutputs().size() != 1)
    return failure();
  // Lists are read from their bases on.
  if (auto assemble = op.getIndex().getDefiningOp<AssembleOp>())
    for (Value list : {assemble.getOffsets(), assemble.getCoords()})
      if (auto type = dyn_cast<MemRefType>(list.getType());
          !type || !type.getLayout().isIdentity())
        return failure();
  Block &body = op.getRegion().front();
  SmallVector<Value> operands = llvm::to_vector(op.getInputs());
  llvm::append_range(operands, op.getOutputs());
  auto getNumber = [&](Value tile) -> std::optional<unsigned> {
    auto argument = dyn_cast<BlockArgument>(tile);
    if (!argument || argument.getOwner() != &body)
      return std::nullopt;
    return argument.getArgNumber();
  };

  for (auto candidate : body.getOps<linalg::LinalgOp>()) {
    auto match = matchContractionThrough(candidate, [&](Value tile) {
      std::optional<unsigned> number = getNumber(tile);
      return number ? operands[*number] : tile;
    });
    if (failed(match) || !isAllThereIs(body, match->ops))
      continue;
    auto getAccess = [&](const Matrix &matrix) {
      const auto *operand = llvm::find(operands, matrix.buffer);
      // The same buffer twice may be accessed in two ways.
      if (operand == operands.end() || llvm::count(operands, *operand) != 1)
        return RowAccess::Other;
      return getRowAccess(op, operand - operands.begin());
    };
    RowAccess a = getAccess(match->a), c = getAccess(match->c);
    auto isRows = [](RowAccess access) {
      return access == RowAccess::Packed || access == RowAccess::Listed;
    };
    if (!isRows(a) || !isRows(c) || getAccess(match->b) != RowAccess::Whole ||
        match->c.buffer != op.getOutputs()[0])
      return failure();
    // Listed rows are copied 8 elements at a time along k.
    if (a == RowAccess::Listed &&
        (match->layoutA != SharedLayout::KMajor || match->k % 8 != 0))
      return failure();
    match->index = op.getIndex();
    match->gathersA = a == RowAccess::Listed;
    match->scattersC = c == RowAccess::Listed;
    match->m = ShapedType::kDynamic;
    match->ops = {op};
    return match;
  }
  return failure();
}
