//===- CheckListUses.cpp - What a brought list is followed into -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Coordinates are looked through against the extents that an index names. The
// program chooses these, and which tensors the index is used with: nothing says
// that they are as large. Most often that can be proven, as the extents are
// those of a tensor that the others have the shape of.
//
//===----------------------------------------------------------------------===//

#include "CheckListUses.h"

#include "IndexExtents.h"
#include "RuntimeCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::pit;

using Bounds = ValueBoundsConstraintSet;

namespace {

/// What has to be at most an extent of `tensor`, or `limit` where there is
/// none: the index's extent along a dimension, or how many elements it lists.
struct Need {
  std::optional<unsigned> indexDim;
  Value tensor;
  int64_t dim = 0;
  OpFoldResult limit;

  Bounds::Variable getLimit() const {
    return tensor ? Bounds::Variable(tensor, dim) : Bounds::Variable(limit);
  }
};

class UseCheck {
public:
  UseCheck(AssembleOp op, OpOperand &use)
      : op(op), use(use), builder(use.getOwner()),
        loc(use.getOwner()->getLoc()), math(builder, loc),
        type(cast<SparseIndexType>(use.get().getType())) {}

  LogicalResult run();

private:
  void collect();
  void needFull(Value full, ArrayRef<int64_t> dims);
  void needPacked(Value packed, int64_t dim) {
    needs.push_back({std::nullopt, packed, dim, {}});
  }
  void collectGeneric(GenericOp generic);
  bool isKnown(const Need &need, ArrayRef<OpFoldResult> extents);
  Value createCount();

  AssembleOp op;
  OpOperand &use;
  OpBuilder builder;
  Location loc;
  ExtentMath math;
  SparseIndexType type;
  SmallVector<Need> needs;
};

} // namespace

/// Where dimension `dim` of a tensor is in its packed form, in which `packed`
/// dimensions are one, with `numWide` extents of micro-tiles behind it.
static int64_t getDimOfPackedForm(int64_t dim, ArrayRef<int64_t> packed,
                                  int64_t numWide) {
  int64_t first = *llvm::min_element(packed);
  int64_t before = llvm::count_if(packed, [&](int64_t p) { return p < dim; });
  return dim < first ? dim : dim - before + 1 + numWide;
}

void UseCheck::needFull(Value full, ArrayRef<int64_t> dims) {
  for (auto [i, dim] : llvm::enumerate(dims))
    if (dim >= 0)
      needs.push_back({unsigned(i), full, dim, {}});
}

void UseCheck::collectGeneric(GenericOp generic) {
  unsigned first = generic.getFurtherIndexes().getBeginOperandIndex();
  bool isMain = &use == &generic.getIndexMutable();
  ArrayRef<int64_t> mainAxes = generic.getIndexAxes(),
                    axes = isMain ? mainAxes
                                  : generic.getFurtherIndexAxes(
                                        use.getOperandNumber() - first);
  auto mainType = cast<SparseIndexType>(generic.getIndex().getType());
  SmallVector<Value> operands(generic.getInputs());
  llvm::append_range(operands, generic.getOutputs());
  for (auto [operand, map, isPacked] : llvm::zip_equal(
           operands, generic.getIndexingMapsArray(), generic.getPacked())) {
    auto getDims = [map = map](ArrayRef<int64_t> axes) {
      return llvm::map_to_vector(axes, [&](int64_t axis) -> int64_t {
        std::optional<unsigned> dim =
            map.getResultPosition(getAffineDimExpr(axis, map.getContext()));
        return dim ? int64_t(*dim) : -1;
      });
    };
    SmallVector<int64_t> dims = getDims(axes);
    if (!isPacked) {
      needFull(operand, dims);
      continue;
    }
    SmallVector<int64_t> packed = getDims(mainAxes);
    if (isMain) {
      needPacked(operand, *llvm::min_element(packed));
      continue;
    }
    int64_t numWide =
        llvm::count_if(mainType.getSegmentDims(), [&](int64_t dim) {
          return mainType.getTile()[dim] > 1;
        });
    for (int64_t &dim : dims)
      if (dim >= 0)
        dim = getDimOfPackedForm(dim, packed, numWide);
    needFull(operand, dims);
  }
}

/// Ops of level 3 come of those of level 2, behind the check. A tile of a list
/// is within it by construction.
void UseCheck::collect() {
  Operation *user = use.getOwner();
  auto collectAccess = [&](Value full, Value packed, ArrayRef<int64_t> dims,
                           bool isWhole) {
    needFull(full, dims);
    int64_t first = std::numeric_limits<int64_t>::max();
    for (int64_t dim : dims)
      if (dim >= 0)
        first = std::min(first, dim);
    if (isWhole && isa<OpResult>(packed) && packed.getDefiningOp() == user) {
      // Its extent is a size that the op names.
      auto read = cast<SReadOp>(user);
      auto shape = cast<RankedTensorType>(packed.getType());
      OpFoldResult size = builder.getIndexAttr(shape.getDimSize(first));
      if (shape.isDynamicDim(first))
        size = OpFoldResult(
            read.getResultExtents()[shape.getDynamicDimIndex(first)]);
      needs.push_back({std::nullopt, Value(), 0, size});
    } else if (isWhole) {
      needPacked(packed, first);
    }
  };
  if (auto read = dyn_cast<SReadOp>(user))
    collectAccess(read.getSource(), read.getResult(), read.getDims(),
                  read.getTile().empty());
  else if (auto write = dyn_cast<SWriteOp>(user))
    collectAccess(write.getDest(), write.getSource(), write.getDims(),
                  write.getTile().empty());
  else if (auto generic = dyn_cast<GenericOp>(user))
    collectGeneric(generic);
  else if (auto invert = dyn_cast<InvertOp>(user)) {
    SmallVector<OpFoldResult> extents = getMixedValues(
        cast<SparseIndexType>(invert.getResult().getType()).getExtents(),
        invert.getExtents(), builder);
    needs.push_back({unsigned(type.getCoordinate()), Value(), 0, extents[0]});
    // Positions beyond the second extent are left out.
  }
}

bool UseCheck::isKnown(const Need &need, ArrayRef<OpFoldResult> extents) {
  if (need.indexDim)
    return Bounds::compare(Bounds::Variable(extents[*need.indexDim]),
                           Bounds::LE, need.getLimit());
  // It lists as many micro-tiles as there is room for.
  return type.getCoordinateTile() == 1 &&
         Bounds::compare(Bounds::Variable(op.getCoords(), 0), Bounds::LE,
                         need.getLimit());
}

/// How many elements the index lists along its coordinate.
Value UseCheck::createCount() {
  Value offsets = op.getOffsets();
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value last = arith::SubIOp::create(
      builder, loc, tensor::DimOp::create(builder, loc, offsets, 0), one);
  Value count = arith::IndexCastOp::create(
      builder, loc, builder.getIndexType(),
      tensor::ExtractOp::create(builder, loc, offsets, last));
  return math.value(
      math.mul(count, builder.getIndexAttr(type.getCoordinateTile())));
}

LogicalResult UseCheck::run() {
  collect();
  SmallVector<OpFoldResult> extents =
      getMixedValues(type.getExtents(), op.getExtents(), builder);
  llvm::erase_if(needs,
                 [&](const Need &need) { return isKnown(need, extents); });
  if (needs.empty())
    return success();
  Value fits, count;
  for (const Need &need : needs) {
    OpFoldResult limit = need.limit;
    if (need.tensor)
      limit = tensor::getMixedSize(builder, loc, need.tensor, need.dim);
    if (need.indexDim) {
      std::optional<int64_t> extent =
                                 getConstantIntValue(extents[*need.indexDim]),
                             most = getConstantIntValue(limit);
      if (extent && most)
        return use.getOwner()->emitOpError("follows an index of ")
               << *extent << " elements along dimension " << *need.indexDim
               << " into " << *most;
    } else if (!count) {
      count = createCount();
    }
    Value size = need.indexDim ? math.value(extents[*need.indexDim]) : count;
    Value isLess = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::sle, size, math.value(limit));
    fits = fits ? arith::AndIOp::create(builder, loc, fits, isLess).getResult()
                : isLess;
  }
  auto i64 = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  };
  Value none = i64(0), bound = i64(-1);
  Value isTooLarge = arith::XOrIOp::create(
      builder, loc, fits,
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)));
  {
    auto guarded =
        scf::IfOp::create(builder, loc, isTooLarge, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(guarded.thenBlock());
    createRuntimeCall(builder, loc, op->getParentOfType<ModuleOp>(),
                      "pit_rt_bad_index", {bound, none, bound});
  }
  Value offsets = op.getOffsets();
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, offsets),
      builder.getI64Type());
  AffineMap identity = builder.getMultiDimIdentityMap(1);
  Value kept = linalg::GenericOp::create(
                   builder, loc, empty.getType(), offsets, empty,
                   {identity, identity}, {utils::IteratorType::parallel},
                   [&](OpBuilder &b, Location loc, ValueRange arguments) {
                     Value offset = arith::SelectOp::create(b, loc, fits,
                                                            arguments[0], none);
                     linalg::YieldOp::create(b, loc, offset);
                   })
                   .getResult(0);
  use.set(AssembleOp::create(builder, loc, type, kept, op.getCoords(),
                             op.getExtents()));
  return success();
}

LogicalResult pit::checkListUses(AssembleOp op) {
  SmallVector<OpOperand *> uses = llvm::map_to_vector(
      op.getIndex().getUses(), [](OpOperand &use) { return &use; });
  for (OpOperand *use : llvm::reverse(uses))
    if (failed(UseCheck(op, *use).run()))
      return failure();
  return success();
}
