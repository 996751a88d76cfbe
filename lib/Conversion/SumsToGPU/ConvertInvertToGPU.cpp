//===- ConvertInvertToGPU.cpp - Inversions of indexes as kernels ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block makes the lists of 32 coordinates by itself. Segments list
// coordinates in ascending order, so a search in each segment says where those
// of the block begin, and how many listed coordinates are smaller: together,
// where the block's lists begin. A coordinate is listed at most once per
// segment, so what a segment lists of the block is a word with one bit per
// coordinate: the bits of one coordinate in the words of all segments are its
// list, in order. Nothing is shared between blocks.
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"
#include "PIT/Dialect/PIT/Utils/Sizes.h"
#include "PIT/Support/Remarks.h"

#include "GPU/Host/KernelModule.h"
#include "GPU/Lists/ListSearch.h"

namespace mlir::pit {
#define GEN_PASS_DEF_CONVERTINVERTTOGPU
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::sums;

namespace {

/// Coordinates are the lanes of each warp, and the bits of a word.
constexpr int64_t kLanes = 32;
constexpr int64_t kWarps = 8;

/// What 32 neighbouring segments list of a block's coordinates, a segment in
/// each lane.
struct Segments {
  /// A bit per listed coordinate.
  Value word;
  /// The position of the first of them, i64.
  Value first;
  /// How many smaller coordinates the segment lists, i64.
  Value before;
};

class Inversion {
public:
  Inversion(InvertIntoOp op, HostMath &host, gpu::GPUModuleOp module)
      : op(op), host(host), module(module) {}

  LogicalResult describe();
  void convert();

private:
  Value findFirst(Kernel &b, Value from, Value to, Value coordinate);
  Segments readSegments(Kernel &b, Value group, Value begin, Value end);
  void emitBlock(Kernel &b, Value block, Value counts);
  Value place(Kernel &b, const Segments &segments, Value slot);

  InvertIntoOp op;
  HostMath &host;
  gpu::GPUModuleOp module;
  SourceLists source;
  /// The lists that are written, with their slots for positions.
  Value offsets, coords, capacity;
  int64_t width = 32;
  Value numCoordinates;
  /// 32 segments each.
  Value numGroups, groupsPerWarp;
};

} // namespace

LogicalResult Inversion::describe() {
  FailureOr<SourceLists> lists = getLists(op.getSource(), host);
  if (failed(lists))
    return op.emitOpError("inverts an index that was not put together from "
                          "contiguous lists");
  source = *lists;
  for (Value list : {op.getOffsets(), op.getCoords()})
    if (!cast<MemRefType>(list.getType()).getLayout().isIdentity())
      return op.emitOpError("writes a list of type ")
             << list.getType() << "; it must be contiguous";
  width = getElementTypeOrSelf(op.getCoords()).getIntOrFloatBitWidth();
  SparseIndexType type = op.getSourceType();
  auto assemble = op.getSource().getDefiningOp<AssembleOp>();
  int64_t extent = type.getExtents()[type.getCoordinate()];
  if (ShapedType::isDynamic(extent)) {
    unsigned number = 0;
    for (int64_t dim = 0; dim < type.getCoordinate(); ++dim)
      number += type.isDynamicExtent(dim);
    numCoordinates = assemble.getExtents()[number];
  } else {
    numCoordinates = host.constant(extent);
  }
  capacity = getExtent(host, op.getCoords(), 0);
  offsets = getBase(host, op.getOffsets());
  coords = getBase(host, op.getCoords());
  numGroups = host.ceilDiv(source.numSegments, kLanes);
  groupsPerWarp = host.ceilDiv(numGroups, kWarps);
  return success();
}

/// The first position whose coordinate is not smaller.
Value Inversion::findFirst(Kernel &b, Value from, Value to, Value coordinate) {
  return b.whileLoop(
      {from, to},
      [&](ValueRange bounds) {
        return std::make_pair(b.isLess(bounds[0], bounds[1]),
                              SmallVector<Value>(bounds));
      },
      [&](ValueRange bounds) {
        Value middle = b.shiftRight(b.add(bounds[0], bounds[1]), 1);
        Value isSmaller =
            b.isLess(loadCoordinate(b, source, middle), coordinate);
        return SmallVector<Value>{
            b.select(isSmaller, b.add(middle, 1), bounds[0]),
            b.select(isSmaller, bounds[1], middle)};
      })[0];
}

/// Segments of a group, and the block's coordinates from `begin` to `end`.
Segments Inversion::readSegments(Kernel &b, Value group, Value begin,
                                 Value end) {
  Value segment = b.add(b.mul(group, kLanes), b.lane());
  Value exists = b.isLess(segment, b.number(source.numSegments));
  auto loadEnd = [&](Value number) {
    Value existing = b.select(exists, number, b.i32(0));
    return b.minimum(loadOffset(b, source.offsets, existing),
                     b.number(capacity, 64));
  };
  Value from = loadEnd(segment), to = loadEnd(b.add(segment, 1));
  to = b.select(exists, to, from);
  Value first = findFirst(b, from, to, begin);
  SmallVector<Value> walked = b.whileLoop(
      {first, b.i32(0)},
      [&](ValueRange values) {
        Value coordinate = b.choose(
            b.isLess(values[0], to),
            [&] {
              return SmallVector<Value>{loadCoordinate(b, source, values[0])};
            },
            [&] { return SmallVector<Value>{end}; })[0];
        return std::make_pair(
            b.isLess(coordinate, end),
            SmallVector<Value>{values[0], values[1], coordinate});
      },
      [&](ValueRange values) {
        Value place =
            arith::TruncIOp::create(b, b.getI32Type(), b.sub(values[2], begin));
        Value bit = b.shiftLeft(b.i32(1), place);
        return SmallVector<Value>{b.add(values[0], 1), b.bitOr(values[1], bit)};
      });
  return {walked[1], first, b.sub(first, from)};
}

/// Writes what a group lists of the lane's coordinate; returns the next slot.
Value Inversion::place(Kernel &b, const Segments &segments, Value slot) {
  Value low = arith::TruncIOp::create(b, b.getI32Type(), segments.first);
  Value high = arith::TruncIOp::create(b, b.getI32Type(),
                                       b.shiftRight(segments.first, 32));
  Value below = b.sub(b.shiftLeft(b.i32(1), b.lane()), 1);
  return b.forLoop(
      b.i32(0), b.i32(kLanes), b.i32(1), slot,
      [&](Value lane, ValueRange carried) {
        Value word = b.readLane(segments.word, lane);
        Value first = b.extend(b.readLane(low, lane));
        if (width == 64)
          first =
              b.bitOr(first, b.shiftLeft(b.extend(b.readLane(high, lane)), 32));
        Value bit = b.bitAnd(b.shiftRight(word, b.lane()), 1);
        b.ifThen(b.isEqual(bit, 1), [&] {
          Value position =
              b.add(first, b.extend(b.popcount(b.bitAnd(word, below))));
          if (width != 64)
            position = arith::TruncIOp::create(b, b.getI32Type(), position);
          b.store(position, b.element(b.pointer(coords), carried[0], width / 8),
                  width / 8);
        });
        return SmallVector<Value>{b.add(carried[0], b.extend(bit))};
      })[0];
}

void Inversion::emitBlock(Kernel &b, Value block, Value counts) {
  Value last = b.number(numCoordinates, 64);
  Value begin = b.mul(b.extend(block), kLanes);
  Value end = b.minimum(b.add(begin, kLanes), last);
  Value firstGroup = b.mul(b.warp(), b.number(groupsPerWarp));
  Value endGroup = b.minimum(b.add(firstGroup, b.number(groupsPerWarp)),
                             b.number(numGroups));

  // How often each lane's coordinate is listed in the segments of each warp.
  // What a warp with one group has found stays in registers.
  bool once = detect::getKnown(groupsPerWarp) == 1;
  Segments kept;
  SmallVector<Value> found = b.forLoop(
      firstGroup, once ? b.add(firstGroup, 1) : endGroup, b.i32(1),
      {b.i32(0), b.i64(0), b.i32(0), b.i64(0)},
      [&](Value group, ValueRange carried) {
        Segments segments = readSegments(b, group, begin, end);
        Value count = b.forLoop(b.i32(0), b.i32(kLanes), b.i32(1), carried[0],
                                [&](Value lane, ValueRange sum) {
                                  Value word = b.readLane(segments.word, lane);
                                  Value bit =
                                      b.bitAnd(b.shiftRight(word, b.lane()), 1);
                                  return SmallVector<Value>{b.add(sum[0], bit)};
                                })[0];
        return SmallVector<Value>{count, b.add(carried[1], segments.before),
                                  segments.word, segments.first};
      });
  kept = {found[2], found[3], Value()};
  b.store(found[0],
          b.element(counts, b.add(b.mul(b.warp(), kLanes), b.lane()), 4), 4);
  Value before = b.sumBlock(found[1]);

  Value total = b.i32(0), inWarpsBefore = b.i32(0);
  for (int64_t warp = 0; warp < kWarps; ++warp) {
    Value count = b.load(b.element(counts, b.add(b.lane(), warp * kLanes), 4),
                         b.getI32Type(), 4);
    inWarpsBefore =
        b.add(inWarpsBefore,
              b.select(b.isLess(b.i32(warp), b.warp()), count, b.i32(0)));
    total = b.add(total, count);
  }
  Value start = b.sub(b.scanLanes(total), total);
  start = b.add(before, b.extend(start));
  Value coordinate = b.add(begin, b.extend(b.lane()));
  Value writes = b.bitAnd(b.isEqual(b.warp(), 0), b.isLess(coordinate, last));
  b.ifThen(writes, [&] {
    Value slot = b.element(b.pointer(offsets), coordinate, 8);
    b.store(start, slot, 8);
    b.ifThen(
        b.compare(arith::CmpIPredicate::eq, b.add(coordinate, 1), last),
        [&] { b.store(b.add(start, b.extend(total)), b.advance(slot, 8), 8); });
  });

  Value slot = b.add(start, b.extend(inWarpsBefore));
  if (once)
    place(b, kept, slot);
  else
    b.forLoop(firstGroup, endGroup, b.i32(1), slot,
              [&](Value group, ValueRange carried) {
                Segments segments = readSegments(b, group, begin, end);
                return SmallVector<Value>{place(b, segments, carried[0])};
              });
  b.syncBlock();
}

void Inversion::convert() {
  Kernel b(module, op.getLoc(),
           makeKernelName(module, op->getParentOfType<func::FuncOp>().getName(),
                          "_invert_"),
           kWarps * kLanes);
  Value counts = b.sharedWords(kWarps * kLanes);
  Value numBlocks = b.ceilDivide(b.number(numCoordinates), kLanes);
  b.forLoop(b.blockId(), numBlocks, b.gridSize(), {},
            [&](Value block, ValueRange) {
              emitBlock(b, block, counts);
              return SmallVector<Value>();
            });
  // Without coordinates there is still an end of the list.
  Value first = b.bitOr(b.blockId(), b.threadId());
  Value isAlone = b.bitAnd(b.isEqual(first, 0), b.isEqual(numBlocks, 0));
  b.ifThen(isAlone, [&] { b.store(b.i64(0), b.pointer(offsets), 8); });
  constexpr int64_t kBlocks = 4096;
  Value blocks =
      host.min(host.ceilDiv(numCoordinates, kLanes), host.constant(kBlocks));
  b.finish(host, host.max(blocks, host.constant(1)));
}

namespace {

struct ConvertInvertToGPUPass
    : pit::impl::ConvertInvertToGPUBase<ConvertInvertToGPUPass> {
  void runOnOperation() override;

private:
  LogicalResult convert(func::FuncOp function);
};

} // namespace

LogicalResult ConvertInvertToGPUPass::convert(func::FuncOp function) {
  SmallVector<InvertIntoOp> worklist;
  WalkResult walk = function.walk([&](InvertIntoOp op) -> WalkResult {
    if (failed(checkIsLaunched(function, op, op.isOnBuffers())))
      return WalkResult::interrupt();
    worklist.push_back(op);
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  if (worklist.empty())
    return success();
  FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
  if (failed(module))
    return failure();
  for (InvertIntoOp op : worklist) {
    HostMath host(op.getLoc(), op);
    Inversion inversion(op, host, *module);
    if (failed(inversion.describe()))
      return failure();
    remarks::kernel(op, "inversion of lists");
    inversion.convert();
    auto assemble = op.getSource().getDefiningOp<AssembleOp>();
    op.erase();
    if (assemble->use_empty())
      assemble.erase();
    ++numInversions;
  }
  return success();
}

void ConvertInvertToGPUPass::runOnOperation() {
  if (failed(checkSizes(getOperation())))
    return signalPassFailure();
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (failed(convert(function)))
      return signalPassFailure();
}
