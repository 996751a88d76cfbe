//===- LowerDetect.cpp - Detection as loops on tensors --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Per segment: live[c] = OR over the segment's micro-tiles of "element is
// live", one byte per element of the coordinate, swept in the memory order of
// the pattern's tensor; then a scan without branches,
//
//   coords[min(n, capacity)] = c;  n += live[c]
//
// whose last slot, behind the capacity, takes what is not kept. The order of
// the list is the order of coordinates.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "IndexExtents.h"
#include "ListedTwice.h"
#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/Utils/Liveness.h"
#include "RuntimeCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITLOWERDETECT
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

class DetectLowering {
public:
  DetectLowering(DetectOp op, OpBuilder &builder)
      : op(op), builder(builder), loc(op.getLoc()), math(builder, loc),
        pattern(op.getPattern()), type(op.getIndex().getType()),
        extents(getIndexExtents(builder, loc, op.getIndex().getType(),
                                op.getIndex())) {
    if (pattern.getKind() == PatternKind::Lengths && type.getRank() == 1)
      unflatten();
  }

  Value run(bool instrument);

private:
  bool isBlocks() const { return pattern.getKind() == PatternKind::Blocks; }
  void unflatten();
  Value getSource() { return op.getSource() ? op.getSource() : op.getBy(); }
  /// Entries of the live vector: elements of the coordinate, or micro-tiles for
  /// block masks.
  OpFoldResult getNumEntries();
  Value createLiveVector(OpBuilder &b, const SegmentSlice &segment);
  Value createLengthsLive(OpBuilder &b, const SegmentSlice &segment,
                          Value init);
  Value createReducedLive(OpBuilder &b, const SegmentSlice &segment,
                          Value init);
  Value createIsTileLive(Value live, Value number, int64_t tile);
  void checkLengths();
  void recordCoverage(Value rule, Value count);
  void call(StringRef name, ValueRange arguments);
  Value toI64(Value value) {
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                      value);
  }

  DetectOp op;
  OpBuilder &builder;
  Location loc;
  ExtentMath math;
  PatternAttr pattern;
  SparseIndexType type;
  SmallVector<OpFoldResult> extents;
  /// All sequences are one segment, of which coordinates are positions; `type`
  /// and `extents` have sequences and positions apart.
  bool isFlat = false;
};

} // namespace

void DetectLowering::unflatten() {
  OpFoldResult sequences = tensor::getMixedSize(builder, loc, op.getBy(), 0);
  Value count =
      arith::MaxUIOp::create(builder, loc, math.value(sequences),
                             arith::ConstantIndexOp::create(builder, loc, 1));
  Value positions =
      builder.createOrFold<arith::DivUIOp>(loc, math.value(extents[0]), count);
  extents = {sequences, getAsOpFoldResult(positions)};
  SmallVector<int64_t> shape = {
      getConstantIntValue(extents[0]).value_or(ShapedType::kDynamic),
      getConstantIntValue(extents[1]).value_or(ShapedType::kDynamic)};
  type = SparseIndexType::get(
      builder.getContext(), builder.getDenseI64ArrayAttr(shape),
      /*coordinate=*/1,
      /*tile=*/builder.getDenseI64ArrayAttr({1, 1}), type.getWidth());
  isFlat = true;
}

OpFoldResult DetectLowering::getNumEntries() {
  OpFoldResult extent = extents[type.getCoordinate()];
  return isBlocks() ? math.ceilDiv(extent, type.getCoordinateTile()) : extent;
}

/// ORs the slice of the pattern's tensor that belongs to the segment into
/// `init`.
Value DetectLowering::createReducedLive(OpBuilder &b,
                                        const SegmentSlice &segment,
                                        Value init) {
  Value source = getSource();
  auto sourceType = cast<RankedTensorType>(source.getType());
  // Nothing is live, and the verifier takes a slice at 0 for one behind the
  // end.
  if (llvm::is_contained(sourceType.getShape(), 0))
    return init;
  bool isValues = pattern.getKind() == PatternKind::Values;
  SmallVector<int64_t> segmentDims = type.getSegmentDims();
  SmallVector<OpFoldResult> offsets(sourceType.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, source);
  SmallVector<OpFoldResult> strides(sourceType.getRank(), b.getIndexAttr(1));
  auto sourceDim = [&](int64_t patternDim) {
    return isValues ? pattern.getAxes()[patternDim] : patternDim;
  };
  for (auto [i, dim] : llvm::enumerate(segmentDims)) {
    if (isBlocks()) {
      // The tensor counts micro-tiles itself.
      ExtentMath inner(b, loc);
      offsets[sourceDim(dim)] =
          inner.apply(b.getAffineSymbolExpr(0).floorDiv(type.getTile()[dim]),
                      {segment.offsets[i]});
      sizes[sourceDim(dim)] = b.getIndexAttr(1);
      continue;
    }
    offsets[sourceDim(dim)] = segment.offsets[i];
    sizes[sourceDim(dim)] = segment.sizes[i];
  }
  Value slice =
      tensor::ExtractSliceOp::create(b, loc, source, offsets, sizes, strides);
  unsigned rank = sourceType.getRank();
  AffineMap identity = b.getMultiDimIdentityMap(rank);
  int64_t coordinateDim = sourceDim(type.getCoordinate());
  AffineMap toCoordinate =
      AffineMap::get(rank, 0, b.getAffineDimExpr(coordinateDim));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::reduction);
  iterators[coordinateDim] = utils::IteratorType::parallel;
  return linalg::GenericOp::create(
             b, loc, TypeRange(init.getType()), ValueRange(slice),
             ValueRange(init), ArrayRef<AffineMap>{identity, toCoordinate},
             iterators,
             [&](OpBuilder &nested, Location loc, ValueRange args) {
               Value live = createIsLive(nested, loc, pattern, args[0]);
               Value byte = arith::ExtUIOp::create(nested, loc,
                                                   nested.getI8Type(), live);
               Value any = arith::OrIOp::create(nested, loc, args[1], byte);
               linalg::YieldOp::create(nested, loc, any);
             })
      .getResult(0);
}

/// Lengths need no tensor of the pattern's extents: a point is live when its
/// position is inside its sequence.
Value DetectLowering::createLengthsLive(OpBuilder &b,
                                        const SegmentSlice &segment,
                                        Value init) {
  ExtentMath inner(b, loc);
  bool listsPositions = type.getCoordinate() == 1;
  // The other dimension's micro-tile, to be swept too: it is wider than 1 only
  // when the user asked for it.
  Value begin = inner.value(segment.offsets[0]);
  Value size = inner.value(segment.sizes[0]);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  SmallVector<utils::IteratorType> parallel{utils::IteratorType::parallel};
  return createLoop(
      b, loc, zero, size, one, init,
      [&](Value row, ValueRange carried) -> SmallVector<Value> {
        Value other = arith::AddIOp::create(b, loc, begin, row);
        auto generic = linalg::GenericOp::create(
            b, loc, TypeRange(init.getType()), ValueRange(), carried,
            ArrayRef<AffineMap>{b.getMultiDimIdentityMap(1)}, parallel,
            [&](OpBuilder &b, Location loc, ValueRange args) {
              Value entry = linalg::IndexOp::create(b, loc, 0);
              Value sequence = listsPositions ? other : entry;
              Value position = listsPositions ? entry : other;
              Value length =
                  tensor::ExtractOp::create(b, loc, op.getBy(), sequence);
              if (!length.getType().isIndex())
                length = arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                                    length);
              Value extent = ExtentMath(b, loc).value(extents[1]);
              Value live = createIsInside(b, loc, pattern.getPad(), position,
                                          length, extent);
              Value byte = arith::ExtUIOp::create(b, loc, b.getI8Type(), live);
              linalg::YieldOp::create(
                  b, loc,
                  arith::OrIOp::create(b, loc, args[0], byte).getResult());
            });
        return {generic.getResult(0)};
      })[0];
}

Value DetectLowering::createLiveVector(OpBuilder &b,
                                       const SegmentSlice &segment) {
  Value empty =
      tensor::EmptyOp::create(b, loc, {getNumEntries()}, b.getI8Type());
  Value zero = arith::ConstantOp::create(b, loc, b.getI8IntegerAttr(0));
  Value init = linalg::FillOp::create(b, loc, zero, empty).getResult(0);
  if (pattern.getKind() == PatternKind::Lengths)
    return createLengthsLive(b, segment, init);
  return createReducedLive(b, segment, init);
}

void DetectLowering::call(StringRef name, ValueRange arguments) {
  createRuntimeCall(builder, loc, op->getParentOfType<ModuleOp>(), name,
                    arguments);
}

/// Live points of the pattern against points of listed micro-tiles: what is
/// left is coverage waste.
void DetectLowering::recordCoverage(Value rule, Value count) {
  int64_t tileElements = 1;
  for (int64_t extent : type.getTile().asArrayRef())
    tileElements *= extent;
  Value covered =
      toI64(math.value(math.mul(count, builder.getIndexAttr(tileElements))));
  Value live = covered;
  if (Value mask =
          createPatternMask(builder, loc, pattern, getSource(), extents)) {
    int64_t rank = cast<RankedTensorType>(mask.getType()).getRank();
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
    Value empty = tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>{},
                                          builder.getI64Type());
    Value init = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
    Value sum =
        linalg::GenericOp::create(
            builder, loc, TypeRange(init.getType()), ValueRange(mask),
            ValueRange(init),
            ArrayRef<AffineMap>{
                builder.getMultiDimIdentityMap(rank),
                AffineMap::get(rank, 0, {}, builder.getContext())},
            SmallVector<utils::IteratorType>(rank,
                                             utils::IteratorType::reduction),
            [](OpBuilder &b, Location loc, ValueRange args) {
              Value one =
                  arith::ExtUIOp::create(b, loc, b.getI64Type(), args[0]);
              linalg::YieldOp::create(
                  b, loc,
                  arith::AddIOp::create(b, loc, args[1], one).getResult());
            })
            .getResult(0);
    live = tensor::ExtractOp::create(builder, loc, sum, ValueRange());
  }
  call("pit_rt_record_coverage", {rule, live, covered});
}

/// A length outside its sequence is an error of the caller's, and reported; the
/// list is right for 0 or the full extent.
void DetectLowering::checkLengths() {
  Value rule = arith::ConstantOp::create(
      builder, loc, builder.getI64IntegerAttr(op.getRule().value_or(-1)));
  Value extent = math.value(extents[1]);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop =
      scf::ForOp::create(builder, loc, zero, math.value(extents[0]), one);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value length = tensor::ExtractOp::create(builder, loc, op.getBy(),
                                           loop.getInductionVar());
  if (!length.getType().isIndex())
    length = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                        length);
  // Unsigned, so that negative lengths are too large.
  Value isBad = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt,
                                      length, extent);
  auto guarded =
      scf::IfOp::create(builder, loc, isBad, /*withElseRegion=*/false);
  builder.setInsertionPointToStart(guarded.thenBlock());
  call("pit_rt_bad_index", {rule, toI64(length), toI64(extent)});
}

/// The live byte of one micro-tile: an entry of the vector, or the OR of the
/// entries it covers.
Value DetectLowering::createIsTileLive(Value live, Value number, int64_t tile) {
  if (tile == 1)
    return tensor::ExtractOp::create(builder, loc, live, number);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  OpFoldResult extent = builder.getIndexAttr(tile);
  Value begin = math.value(math.mul(number, extent));
  Value end = math.value(
      math.min(math.add(begin, extent), extents[type.getCoordinate()]));
  Value none =
      arith::ConstantOp::create(builder, loc, builder.getI8IntegerAttr(0));
  return createLoop(builder, loc, begin, end, one, none,
                    [&](Value element, ValueRange seen) -> SmallVector<Value> {
                      Value bit = tensor::ExtractOp::create(builder, loc, live,
                                                            element);
                      return {arith::OrIOp::create(builder, loc, seen[0], bit)};
                    })[0];
}

Value DetectLowering::run(bool instrument) {
  constexpr int64_t kFirstTimer = int64_t(1) << 32;
  Value timer;
  if (instrument) {
    int64_t number =
        kFirstTimer + static_cast<int64_t>(op.getRule().value_or(0));
    timer = arith::ConstantOp::create(builder, loc,
                                      builder.getI64IntegerAttr(number));
    call("pit_rt_timer_start", timer);
  }
  if (pattern.getKind() == PatternKind::Lengths)
    checkLengths();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value capacity =
      math.value(createCapacity(builder, loc, pattern, type, extents));
  Value numSegments =
      math.value(createNumSegments(builder, loc, type, extents));
  Value numOffsets =
      arith::AddIOp::create(builder, loc, isFlat ? one : numSegments, one);
  Value numSlots = arith::AddIOp::create(builder, loc, capacity, one);
  Type coordType = builder.getIntegerType(type.getWidth());
  // The index owns its lists: each is an allocation that nothing else is merged
  // with.
  auto createList = [&](Value size, Type element) -> Value {
    SmallVector<Value> dynamic;
    SmallVector<int64_t> shape;
    dispatchIndexOpFoldResults({getAsOpFoldResult(size)}, dynamic, shape);
    return bufferization::AllocTensorOp::create(
        builder, loc, RankedTensorType::get(shape, element), dynamic);
  };
  Value offsets = createList(numOffsets, builder.getI64Type());
  Value coords = createList(numSlots, coordType);
  Value zero64 =
      arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
  offsets = tensor::InsertOp::create(builder, loc, zero64, offsets, zero);
  // Without sequences, nothing else would say where the one segment ends.
  if (isFlat)
    offsets = tensor::InsertOp::create(builder, loc, zero64, offsets, one);
  int64_t tile = isBlocks() ? 1 : type.getCoordinateTile();
  OpFoldResult numTiles =
      math.ceilDiv(extents[type.getCoordinate()], type.getCoordinateTile());
  Value numTilesValue = math.value(numTiles);

  SmallVector<Value> segments = createLoop(
      builder, loc, zero, numSegments, one, ValueRange{offsets, coords, zero},
      [&](Value segment, ValueRange carried) -> SmallVector<Value> {
        Value live = createLiveVector(
            builder, createSegmentSlice(builder, loc, type, extents, segment));
        Value before;
        if (isFlat)
          before = arith::MulIOp::create(builder, loc, segment, numTilesValue);
        SmallVector<Value> scan = createLoop(
            builder, loc, zero, numTilesValue, one,
            ValueRange{carried[1], carried[2]},
            [&](Value number, ValueRange state) -> SmallVector<Value> {
              Value isLive = createIsTileLive(live, number, tile);
              Value slot =
                  arith::MinUIOp::create(builder, loc, state[1], capacity);
              Value position =
                  isFlat ? arith::AddIOp::create(builder, loc, before, number)
                         : number;
              Value coordinate =
                  arith::IndexCastOp::create(builder, loc, coordType, position);
              Value written = tensor::InsertOp::create(builder, loc, coordinate,
                                                       state[0], slot);
              Value step = arith::IndexCastUIOp::create(
                  builder, loc, builder.getIndexType(), isLive);
              Value next = arith::AddIOp::create(builder, loc, state[1], step);
              return {written, next};
            });
        Value kept = arith::MinUIOp::create(builder, loc, scan[1], capacity);
        Value end = arith::IndexCastOp::create(builder, loc,
                                               builder.getI64Type(), kept);
        Value following =
            isFlat ? one : arith::AddIOp::create(builder, loc, segment, one);
        Value ends =
            tensor::InsertOp::create(builder, loc, end, carried[0], following);
        return {ends, scan[0], scan[1]};
      });

  Value count = segments[2];
  Value rule = arith::ConstantOp::create(
      builder, loc, builder.getI64IntegerAttr(op.getRule().value_or(-1)));
  auto reportIf = [&](Value isTooMany, Value live, Value bound) {
    auto guarded =
        scf::IfOp::create(builder, loc, isTooMany, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(guarded.thenBlock());
    call("pit_rt_overflow", {rule, toI64(live), toI64(bound)});
  };
  reportIf(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, count,
                                 capacity),
           count, capacity);
  if (listsRowsOnce(pattern, type)) {
    Value kept = arith::MinUIOp::create(builder, loc, count, capacity);
    Value two = arith::ConstantIndexOp::create(builder, loc, 2);
    reportIf(createIsListedTwice(builder, loc, segments[1], kept, extents[0]),
             two, one);
  }
  if (instrument) {
    Value total = math.value(math.mul(numSegments, numTilesValue));
    call("pit_rt_timer_stop", timer);
    call("pit_rt_record_index", {rule, toI64(count), toI64(total)});
    recordCoverage(rule, count);
  }
  return AssembleOp::create(builder, loc, op.getIndex().getType(), segments[0],
                            segments[1], op.getExtents());
}

namespace {
struct PITLowerDetect : pit::impl::PITLowerDetectBase<PITLowerDetect> {
  using PITLowerDetectBase::PITLowerDetectBase;

  void runOnOperation() override {
    SmallVector<DetectOp> worklist;
    getOperation().walk([&](DetectOp op) { worklist.push_back(op); });
    for (DetectOp op : worklist) {
      OpBuilder builder(op);
      Value index = DetectLowering(op, builder).run(instrument);
      op.getIndex().replaceAllUsesWith(index);
      op.erase();
    }
  }
};
} // namespace
