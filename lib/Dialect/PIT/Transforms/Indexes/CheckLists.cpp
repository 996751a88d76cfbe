//===- CheckLists.cpp - Lists that a program brings along -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What detection lists is right by construction. An index that a program
// assembles of its own lists is as good as these, and what follows reads and
// writes where they say. So they are looked through before: one pass over the
// coordinates, segment by segment, which kernels run in parallel. Then, op by
// op, whether what is read and written there is as large.
//
//===----------------------------------------------------------------------===//

#include "CheckListUses.h"
#include "IndexExtents.h"
#include "RuntimeCalls.h"

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/Transforms/NormalForm.h"
#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITCHECKLISTS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

class ListCheck {
public:
  ListCheck(AssembleOp op)
      : op(op), builder(op), loc(op.getLoc()), math(builder, loc),
        type(cast<SparseIndexType>(op.getIndex().getType())) {}

  /// Puts the check in front of the op, and empty lists into it where one of
  /// them is damaged.
  void emit();

private:
  Value i64(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  }
  /// The number of each segment, from 1, whose list is damaged, and 0 of
  /// others.
  Value createDamage(OpFoldResult numSegments, Value numTiles);
  /// Whether the list between two offsets, of type i64, leaves its bounds.
  Value createIsDamaged(OpBuilder &b, Value begin, Value end, Value first,
                        Value capacity, Value numTiles);
  linalg::GenericOp
  createGeneric(ValueRange inputs, Value init, ArrayRef<AffineMap> maps,
                utils::IteratorType iterator,
                function_ref<Value(OpBuilder &, ValueRange)> body);

  AssembleOp op;
  OpBuilder builder;
  Location loc;
  ExtentMath math;
  SparseIndexType type;
};

} // namespace

linalg::GenericOp
ListCheck::createGeneric(ValueRange inputs, Value init,
                         ArrayRef<AffineMap> maps, utils::IteratorType iterator,
                         function_ref<Value(OpBuilder &, ValueRange)> body) {
  return linalg::GenericOp::create(
      builder, loc, init.getType(), inputs, init, maps, iterator,
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(b, loc, body(b, arguments));
      });
}

Value ListCheck::createIsDamaged(OpBuilder &b, Value begin, Value end,
                                 Value first, Value capacity, Value numTiles) {
  auto compare = [&](arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, predicate, x, y).getResult();
  };
  auto either = [&](Value x, Value y) {
    return arith::OrIOp::create(b, loc, x, y).getResult();
  };
  Value damaged = compare(arith::CmpIPredicate::slt, begin, first);
  damaged = either(damaged, compare(arith::CmpIPredicate::slt, end, begin));
  damaged = either(damaged, compare(arith::CmpIPredicate::sgt, end, capacity));
  Value from = arith::MaxSIOp::create(b, loc, begin, first);
  Value to = arith::MinSIOp::create(b, loc, end, capacity);
  auto index = [&](Value value) {
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), value)
        .getResult();
  };
  Value none = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(-1));
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto loop = scf::ForOp::create(
      b, loc, index(from), index(to), one, ValueRange{damaged, none},
      [&](OpBuilder &b, Location loc, Value position, ValueRange carried) {
        Value coordinate =
            tensor::ExtractOp::create(b, loc, op.getCoords(), position);
        if (type.getWidth() < 64)
          coordinate =
              arith::ExtSIOp::create(b, loc, b.getI64Type(), coordinate);
        auto compare = [&](arith::CmpIPredicate predicate, Value y) {
          return arith::CmpIOp::create(b, loc, predicate, coordinate, y)
              .getResult();
        };
        // Above -1 and those before, so that none is negative or there twice.
        Value isOut = arith::OrIOp::create(
            b, loc, compare(arith::CmpIPredicate::sle, carried[1]),
            compare(arith::CmpIPredicate::sge, numTiles));
        Value any = arith::OrIOp::create(b, loc, carried[0], isOut);
        scf::YieldOp::create(b, loc, ValueRange{any, coordinate});
      });
  return loop.getResult(0);
}

Value ListCheck::createDamage(OpFoldResult numSegments, Value numTiles) {
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  auto slice = [&](OpFoldResult offset) -> Value {
    return tensor::ExtractSliceOp::create(
        builder, loc, op.getOffsets(), ArrayRef<OpFoldResult>{offset},
        ArrayRef<OpFoldResult>{numSegments}, ArrayRef<OpFoldResult>{one});
  };
  Value begins = slice(zero), ends = slice(one), none = i64(0),
        firstSegment = i64(1);
  Value capacity = arith::IndexCastOp::create(
      builder, loc, builder.getI64Type(),
      tensor::DimOp::create(builder, loc, op.getCoords(), 0));
  Value init = tensor::EmptyOp::create(builder, loc, {numSegments},
                                       builder.getI64Type());
  AffineMap identity = builder.getMultiDimIdentityMap(1);
  return createGeneric(
             {begins, ends}, init, {identity, identity, identity},
             utils::IteratorType::parallel,
             [&](OpBuilder &b, ValueRange arguments) -> Value {
               Value segment = arith::IndexCastOp::create(
                   b, loc, b.getI64Type(), linalg::IndexOp::create(b, loc, 0));
               // The first list begins at 0.
               Value isFirst = arith::CmpIOp::create(
                   b, loc, arith::CmpIPredicate::eq, segment, none);
               Value begins =
                   arith::SelectOp::create(b, loc, isFirst, none, arguments[0]);
               Value isShifted = arith::CmpIOp::create(
                   b, loc, arith::CmpIPredicate::ne, begins, arguments[0]);
               Value damaged = createIsDamaged(b, arguments[0], arguments[1],
                                               none, capacity, numTiles);
               damaged = arith::OrIOp::create(b, loc, damaged, isShifted);
               Value number =
                   arith::AddIOp::create(b, loc, segment, firstSegment);
               return arith::SelectOp::create(b, loc, damaged, number, none);
             })
      .getResult(0);
}

void ListCheck::emit() {
  // They fold to what the op names, so that nothing reads the index yet.
  SmallVector<OpFoldResult> extents =
      getIndexExtents(builder, loc, type, op.getIndex());
  OpFoldResult numSegments = createNumSegments(builder, loc, type, extents);
  Value numTiles = arith::IndexCastOp::create(
      builder, loc, builder.getI64Type(),
      math.value(math.ceilDiv(extents[type.getCoordinate()],
                              type.getCoordinateTile())));
  // Offsets that are too few must not be read as if they were not.
  Value offsets = op.getOffsets();
  Value given = tensor::DimOp::create(builder, loc, offsets, 0);
  OpFoldResult wanted = math.add(numSegments, builder.getIndexAttr(1));
  Value isWhole = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        given, math.value(wanted));
  if (!cast<RankedTensorType>(offsets.getType()).hasStaticShape() ||
      !getConstantIntValue(numSegments)) {
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value some = arith::SubIOp::create(
        builder, loc, arith::MaxUIOp::create(builder, loc, given, one), one);
    numSegments =
        arith::MinUIOp::create(builder, loc, some, math.value(numSegments))
            .getResult();
  }
  Value damage = createDamage(numSegments, numTiles), none = i64(0);

  MLIRContext *context = builder.getContext();
  AffineMap identity = builder.getMultiDimIdentityMap(1);
  AffineMap scalar = AffineMap::get(1, 0, context);
  Value empty = tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>{},
                                        builder.getI64Type());
  Value init = linalg::FillOp::create(builder, loc, none, empty).getResult(0);
  Value last =
      createGeneric(
          {damage}, init, {identity, scalar}, utils::IteratorType::reduction,
          [&](OpBuilder &b, ValueRange arguments) -> Value {
            return arith::MaxSIOp::create(b, loc, arguments[0], arguments[1]);
          })
          .getResult(0);
  Value number = tensor::ExtractOp::create(builder, loc, last, ValueRange());
  // Segment 0 stands for all where their number is not that of the offsets.
  number = arith::SelectOp::create(builder, loc, isWhole, number, i64(1));
  Value isDamaged = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ne, number, none);
  {
    auto guarded =
        scf::IfOp::create(builder, loc, isDamaged, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(guarded.thenBlock());
    Value segment = arith::SubIOp::create(builder, loc, number, i64(1));
    createRuntimeCall(builder, loc, op->getParentOfType<ModuleOp>(),
                      "pit_rt_bad_index", {i64(-1), segment, i64(-1)});
  }
  Value kept =
      tensor::EmptyOp::create(builder, loc, {wanted}, builder.getI64Type());
  Value checked =
      createGeneric(
          {last}, kept, {scalar, identity}, utils::IteratorType::parallel,
          [&](OpBuilder &b, ValueRange arguments) -> Value {
            Value at = linalg::IndexOp::create(b, loc, 0);
            Value isGood = arith::CmpIOp::create(
                b, loc, arith::CmpIPredicate::eq, arguments[0], none);
            isGood = arith::AndIOp::create(b, loc, isGood, isWhole);
            auto read = scf::IfOp::create(
                b, loc, isGood,
                [&](OpBuilder &b, Location loc) {
                  Value offset = tensor::ExtractOp::create(b, loc, offsets, at);
                  scf::YieldOp::create(b, loc, offset);
                },
                [&](OpBuilder &b, Location loc) {
                  scf::YieldOp::create(b, loc, none);
                });
            return read.getResult(0);
          })
          .getResult(0);
  op.getOffsetsMutable().assign(checked);
}

/// Says what is wrong with lists that are part of the program; empty where
/// nothing is. All extents are known.
static std::string findDamage(AssembleOp op, DenseIntElementsAttr offsets,
                              DenseIntElementsAttr coords) {
  auto type = cast<SparseIndexType>(op.getIndex().getType());
  auto countTiles = [&](int64_t dim) -> uint64_t {
    return llvm::divideCeil(uint64_t(type.getExtents()[dim]),
                            uint64_t(type.getTile()[dim]));
  };
  uint64_t numSegments = 1;
  for (int64_t dim : type.getSegmentDims())
    numSegments *= countTiles(dim);
  SmallVector<APInt> ends(offsets.getValues<APInt>());
  SmallVector<APInt> entries(coords.getValues<APInt>());
  if (ends.size() != numSegments + 1)
    return "got " + std::to_string(ends.size()) + " offsets for " +
           std::to_string(numSegments) + " segments";
  if (!ends[0].isZero())
    return "the first offset is not 0";
  for (size_t segment = 0; segment + 1 < ends.size(); ++segment) {
    int64_t begin = ends[segment].getSExtValue(),
            end = ends[segment + 1].getSExtValue(), last = -1;
    if (end < begin || end > int64_t(entries.size()))
      return "offsets do not ascend up to the number of coordinates";
    for (int64_t i = begin; i < end; ++i) {
      int64_t coordinate = entries[size_t(i)].getSExtValue();
      if (coordinate <= last ||
          uint64_t(coordinate) >= countTiles(type.getCoordinate()))
        return "the list of segment " + std::to_string(segment) +
               " does not ascend, or leaves its bounds";
      last = coordinate;
    }
  }
  return "";
}

namespace {
struct PITCheckLists : pit::impl::PITCheckListsBase<PITCheckLists> {
  void runOnOperation() override {
    SmallVector<AssembleOp> worklist, all;
    WalkResult result = getOperation().walk([&](AssembleOp op) -> WalkResult {
      auto type = dyn_cast<SparseIndexType>(op.getIndex().getType());
      // Those of passes are what they should be.
      if (!type || op->removeDiscardableAttr(kProvenLists))
        return WalkResult::advance();
      all.push_back(op);
      DenseIntElementsAttr offsets, coords;
      if (!matchPattern(op.getOffsets(), m_Constant(&offsets)) ||
          !matchPattern(op.getCoords(), m_Constant(&coords)) ||
          type.getNumDynamicExtents() != 0) {
        worklist.push_back(op);
        return WalkResult::advance();
      }
      if (std::string why = findDamage(op, offsets, coords); !why.empty())
        return op.emitOpError() << why;
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (AssembleOp op : worklist)
      ListCheck(op).emit();
    for (AssembleOp op : all)
      if (failed(checkListUses(op)))
        return signalPassFailure();
  }
};
} // namespace
