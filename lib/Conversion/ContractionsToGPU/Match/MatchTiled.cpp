//===- MatchTiled.cpp - Gather GEMM and grouped GEMM ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of A come from, or rows of C go to, where a list says (gather GEMM), or
// come in segments with a B each (grouped GEMM, as experts are).
//
//===----------------------------------------------------------------------===//

#include "GPU/Host/BufferAccess.h"
#include "GPU/Lists/DetectedLists.h"
#include "Match.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// What the op asks for with an attribute of true or false.
template <typename Helper>
static bool getChoice(Operation *op, bool otherwise) {
  BoolAttr choice = Helper(op->getContext()).getAttr(op);
  return choice ? choice.getValue() : otherwise;
}

/// The buffer behind an operand's tiles, and how they follow from the lists.
static MatrixSource getSource(TiledOp op, unsigned operand) {
  SparseIndexType index = op.getIndexType();
  unsigned numInputs = op.getInputs().size();
  MatrixSource access;
  access.buffer = operand < numInputs ? op.getInputs()[operand]
                                      : op.getOutputs()[operand - numInputs];
  access.rows = RowAccess::Other;
  for (auto [dim, axis] : llvm::enumerate(op.getOperandDims(operand)))
    if (int64_t(dim) != index.getCoordinate() && axis >= 0)
      access.segmentAxis = axis;
  int64_t axis = op.getOperandDims(operand)[index.getCoordinate()];
  bool packed = op.getPacked()[operand];
  // Rows are what is left of axis 0 without the segments'.
  if (axis < 0)
    access.rows = packed ? RowAccess::Other : RowAccess::Whole;
  else if (axis == (access.segmentAxis == 0 ? 1 : 0))
    access.rows = packed ? RowAccess::Packed : RowAccess::Listed;
  if (packed && access.segmentAxis)
    access.rows = RowAccess::Other;
  return access;
}

/// Whether the index lists single rows, of one or many segments that one axis
/// numbers.
static bool listsRows(SparseIndexType index) {
  return index.getRank() <= 2 &&
         llvm::all_of(index.getTile().asArrayRef(),
                      [](int64_t size) { return size == 1; });
}

/// Whether the extents of the lists alone say that segments are short.
static bool areListsShort(Value index, int64_t rows) {
  auto assemble = index.getDefiningOp<AssembleOp>();
  if (!assemble)
    return false;
  auto coords = cast<ShapedType>(assemble.getCoords().getType());
  auto offsets = cast<ShapedType>(assemble.getOffsets().getType());
  return coords.hasStaticShape() && offsets.hasStaticShape() &&
         coords.getNumElements() < rows * (offsets.getNumElements() - 1);
}

bool mlir::pit::hopper::drawsTilesOfSegments(Operation *op) {
  return getChoice<PITDialect::DrawTilesAttrHelper>(op, true);
}

bool mlir::pit::hopper::hasShortSegments(Value index, Operation *op,
                                         MatchRequirements needs) {
  return getChoice<PITDialect::ShortSegmentsAttrHelper>(
      op, needs.shortSegments || areListsShort(index, needs.shortSegmentRows));
}

// Copied 8 elements at a time along k.
LogicalResult mlir::pit::hopper::canGatherRows(const ContractionMatch &match,
                                               MatchRequirements needs) {
  if (match.layoutA != SharedLayout::KMajor)
    return needs.log.refuse("rows of A are gathered, but k is not contiguous "
                            "in them");
  if (needs.aligned && match.k % 8 != 0)
    return needs.log.refuse("rows of A are gathered, and k = " +
                                Twine(match.k) + " is not a multiple of 8",
                            "pad k to " + Twine(llvm::alignTo(match.k, 8)));
  return success();
}

/// Whether all that the op writes are buffers of its block.
static bool writesOnlyLocals(Operation &op) {
  SmallVector<Value> written;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    llvm::append_range(written, structured.getDpsInits());
  else if (auto copy = dyn_cast<memref::CopyOp>(op))
    written.push_back(copy.getTarget());
  else
    return false;
  return llvm::all_of(written, [&](Value buffer) {
    auto alloc = getRootBuffer(buffer).getDefiningOp<memref::AllocOp>();
    return alloc && alloc->getBlock() == op.getBlock();
  });
}

bool mlir::pit::hopper::isAllThereIs(Block &block, ArrayRef<Operation *> ops) {
  return llvm::all_of(block.without_terminator(), [&](Operation &op) {
    return llvm::is_contained(ops, &op) || isMemoryEffectFree(&op) ||
           isa<memref::AllocOp, memref::DeallocOp>(op) || writesOnlyLocals(op);
  });
}

bool mlir::pit::hopper::goesThroughListsOfRows(TiledOp op) {
  if (!op.isOnBuffers() || !listsRows(op.getIndexType()))
    return false;
  // Lists are read from their bases on.
  if (auto assemble = op.getIndex().getDefiningOp<AssembleOp>())
    for (Value list : {assemble.getOffsets(), assemble.getCoords()})
      if (auto type = dyn_cast<MemRefType>(list.getType());
          !type || !type.getLayout().isIdentity())
        return false;
  return true;
}

FailureOr<ContractionMatch>
mlir::pit::hopper::matchTiledContraction(TiledOp op, MatchRequirements needs) {
  const MatchLog &log = needs.log;
  if (!goesThroughListsOfRows(op))
    return log.pass();
  if (op.getOutputs().size() != 1)
    return log.refuse("it has " + Twine(op.getOutputs().size()) +
                      " results; kernels write one");
  unsigned output = op.getInputs().size();
  if (!op.getPacked()[output] &&
      op.getOperandDims(output)[op.getIndexType().getCoordinate()] < 0)
    // Sums over listed k have families of their own.
    return log.pass();
  Block &body = op.getRegion().front();
  auto resolve = [&](Value tile) {
    auto argument = dyn_cast<BlockArgument>(tile);
    // What lives inside the region has rows of nothing.
    return argument && argument.getOwner() == &body
               ? getSource(op, argument.getArgNumber())
               : MatrixSource{tile, std::nullopt, RowAccess::Other};
  };

  DenseSet<Operation *> taken;
  for (auto candidate : body.getOps<linalg::LinalgOp>()) {
    auto match =
        matchContractionThrough(candidate, MatchScope{resolve, taken, needs});
    if (failed(match))
      continue;
    if (!isAllThereIs(body, match->ops)) {
      (void)log.refuse("its region does more than the product and the "
                       "elementwise work that the kernel takes in");
      continue;
    }
    RowAccess a = match->a.rows, c = match->c.rows;
    auto isRows = [](RowAccess access) {
      return access == RowAccess::Packed || access == RowAccess::Listed;
    };
    if (!isRows(a) || !isRows(c) || match->c.buffer != op.getOutputs()[0] ||
        match->a.segmentAxis)
      return log.refuse("rows of A and of C must be the listed ones, or those "
                        "at a row's place in the list");
    if (match->b.rows != RowAccess::Whole)
      return log.refuse("rows of B are listed, too; B must be whole, or one "
                        "matrix for each segment");
    // Either all segments are one list of rows, or each has its own B.
    SparseIndexType index = op.getIndexType();
    bool isOneList = index.getRank() == 1 || op.getFlat();
    if (isOneList == match->b.segmentAxis.has_value())
      return log.refuse(isOneList
                            ? "its rows are one list, but B has a matrix for "
                              "each segment"
                            : "segments of rows share one B; as one flat list "
                              "they would be a GEMM of listed rows");
    // Where a list of many segments ends must be known where it is launched.
    if (isOneList && llvm::any_of(index.getSegmentDims(), [&](int64_t dim) {
          return index.isDynamicExtent(dim);
        }))
      return log.refuse("how many segments the list has is dynamic; where it "
                        "ends must be known at the launch");
    if (index.getRank() > 1 && c == RowAccess::Listed &&
        !match->c.segmentAxis && !listsRowsOnce(op))
      return log.refuse("a row of C may be listed in several segments, so that "
                        "two tiles would write it");
    if (a == RowAccess::Listed && failed(canGatherRows(*match, needs)))
      return failure();
    match->index = op.getIndex();
    match->gathersA = a == RowAccess::Listed;
    match->scattersC = c == RowAccess::Listed;
    match->segmented = !isOneList;
    match->drawsTiles = match->segmented && drawsTilesOfSegments(op);
    match->hasShortSegments =
        match->segmented && hasShortSegments(op.getIndex(), op, needs);
    match->m = ShapedType::kDynamic;
    match->ops = {op};
    return match;
  }
  return failure();
}
