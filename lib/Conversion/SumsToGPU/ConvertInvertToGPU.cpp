//===- ConvertInvertToGPU.cpp - Inversions of indexes as kernels ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A coordinate is listed at most once per segment, so a bitmap with a row per
// coordinate and a bit per segment says all there is to know: the number of
// bits in a row is the length of its list, and the number of bits before a bit
// is the place of its position in the list. Which thread sets a bit first does
// not matter.
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"

#include "../LinalgToGPU/KernelModule.h"
#include "ListSearch.h"

namespace mlir::pit {
#define GEN_PASS_DEF_CONVERTINVERTTOGPU
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::sums;

namespace {

/// Coordinates per block of the third step, and threads of all.
constexpr int64_t kThreads = 256;
/// Counters of blocks lie this many words apart, each in memory of its own:
/// atomics on one line wait for each other.
constexpr int64_t kCounterStride = 32;

class Inversion {
public:
  Inversion(InvertIntoOp op, HostMath &host, gpu::GPUModuleOp module)
      : op(op), host(host), module(module) {}

  LogicalResult describe();
  void convert();

private:
  void emitClear();
  void emitMark();
  void emitOffsets();
  void emitPlace();
  void emitOffsetsOfBlock(Kernel &b, Value block, Value warpSums);

  Kernel createKernel() {
    return Kernel(module, op.getLoc(),
                  makeName(module,
                           op->getParentOfType<func::FuncOp>().getName(),
                           "_invert_"),
                  kThreads);
  }
  void finish(Kernel &kernel, Value count) {
    constexpr int64_t kBlocks = 1056;
    Value blocks =
        host.min(host.ceilDiv(count, kThreads), host.constant(kBlocks));
    kernel.finish(host, host.max(blocks, host.constant(1)));
  }
  /// How many positions are listed and have room, i64.
  Value loadCount(Kernel &b) {
    return b.minimum(
        loadOffset(b, source.offsets, b.number(source.numSegments)),
        b.number(capacity, 64));
  }
  /// A word of the row of a coordinate.
  Value getWord(Kernel &b, Value coordinate, Value word) {
    Value first = b.mul(coordinate, b.number(numWords, 64));
    return b.element(b.pointer(bitmap), b.add(first, b.extend(word)), 4);
  }
  Value getCounter(Kernel &b, Value block) {
    Value first = b.number(numBits, 64);
    return b.element(b.pointer(bitmap),
                     b.add(first, b.mul(b.extend(block), kCounterStride)), 4);
  }
  void atomic(Kernel &b, LLVM::AtomicBinOp kind, Value pointer, Value value) {
    LLVM::AtomicRMWOp::create(b, kind, pointer, value,
                              LLVM::AtomicOrdering::monotonic, "device");
  }

  InvertIntoOp op;
  HostMath &host;
  gpu::GPUModuleOp module;
  SourceLists source;
  /// The lists that are written, with their slots for positions.
  Value offsets, coords, capacity;
  int64_t width = 32;
  /// Words per row of the bitmap, and in all rows; counters are behind.
  Value numCoordinates, numWords, numBits, numCounters, bitmap;
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
  numWords = host.ceilDiv(source.numSegments, 32);
  numBits = host.mul(numCoordinates, numWords);
  numCounters =
      host.mul(host.ceilDiv(numCoordinates, kThreads), kCounterStride);
  return success();
}

void Inversion::emitClear() {
  Kernel b = createKernel();
  Value count = host.add(numBits, numCounters);
  forAll(b, b.number(count, 64), [&](Value i) {
    b.store(b.i32(0), b.element(b.pointer(bitmap), i, 4), 4);
  });
  finish(b, count);
}

void Inversion::emitMark() {
  Kernel b = createKernel();
  forAll(b, loadCount(b), [&](Value position) {
    Value coordinate = loadCoordinate(b, source, position);
    Value segment = findSegment(b, source, position);
    Value bit = b.shiftLeft(b.i32(1), b.bitAnd(segment, 31));
    Value word = b.shiftRight(segment, 5);
    atomic(b, LLVM::AtomicBinOp::_or, getWord(b, coordinate, word), bit);
    atomic(b, LLVM::AtomicBinOp::add,
           getCounter(b, b.divide(coordinate, kThreads)), b.i32(1));
  });
  finish(b, capacity);
}

void Inversion::emitOffsetsOfBlock(Kernel &b, Value block, Value warpSums) {
  // What is listed of the coordinates of the blocks before.
  Value before =
      b.forLoop(b.threadId(), block, b.i32(kThreads), b.i64(0),
                [&](Value other, ValueRange sum) {
                  Value count = b.load(getCounter(b, other), b.getI32Type(), 4);
                  return SmallVector<Value>{b.add(sum[0], b.extend(count))};
                })[0];
  before = b.sumBlock(before);

  Value coordinate =
      b.add(b.mul(b.extend(block), kThreads), b.extend(b.threadId()));
  Value end = b.number(numCoordinates, 64);
  Value exists = b.isLess(coordinate, end);
  Value existing = b.select(exists, coordinate, b.i64(0));
  Value count =
      b.forLoop(b.i32(0), b.number(numWords), b.i32(1), b.i32(0),
                [&](Value word, ValueRange sum) {
                  Value bits =
                      b.load(getWord(b, existing, word), b.getI32Type(), 4);
                  return SmallVector<Value>{b.add(sum[0], b.popcount(bits))};
                })[0];
  count = b.select(exists, count, b.i32(0));
  Value inclusive = b.scanLanes(count);
  b.ifThen(b.isEqual(b.lane(), 31),
           [&] { b.store(inclusive, b.element(warpSums, b.warp(), 4), 4); });
  b.syncBlock();
  for (int64_t i = 0; i < kThreads / 32; ++i) {
    Value sum = b.load(b.advance(warpSums, i * 4), b.getI32Type(), 4);
    Value isBefore = b.isLess(b.i32(i), b.warp());
    before = b.add(before, b.extend(b.select(isBefore, sum, b.i32(0))));
  }
  b.syncBlock();
  Value start = b.add(before, b.extend(b.sub(inclusive, count)));
  b.ifThen(exists, [&] {
    Value slot = b.element(b.pointer(offsets), coordinate, 8);
    b.store(start, slot, 8);
    b.ifThen(
        b.compare(arith::CmpIPredicate::eq, b.add(coordinate, 1), end),
        [&] { b.store(b.add(start, b.extend(count)), b.advance(slot, 8), 8); });
  });
}

void Inversion::emitOffsets() {
  Kernel b = createKernel();
  Value warpSums = b.sharedWords(kThreads / 32);
  Value numBlocks = b.ceilDivide(b.number(numCoordinates), kThreads);
  b.forLoop(b.blockId(), numBlocks, b.gridSize(), {},
            [&](Value block, ValueRange) {
              emitOffsetsOfBlock(b, block, warpSums);
              return SmallVector<Value>();
            });
  // Without coordinates there is still an end of the list.
  Value first = b.bitOr(b.blockId(), b.threadId());
  Value isAlone = b.bitAnd(b.isEqual(first, 0), b.isEqual(numBlocks, 0));
  b.ifThen(isAlone, [&] { b.store(b.i64(0), b.pointer(offsets), 8); });
  finish(b, numCoordinates);
}

void Inversion::emitPlace() {
  Kernel b = createKernel();
  forAll(b, loadCount(b), [&](Value position) {
    Value coordinate = loadCoordinate(b, source, position);
    Value segment = findSegment(b, source, position);
    Value start = loadOffset(b, offsets, coordinate);
    Value word = b.shiftRight(segment, 5);
    Value below = b.sub(b.shiftLeft(b.i32(1), b.bitAnd(segment, 31)), 1);
    Value bits = b.load(getWord(b, coordinate, word), b.getI32Type(), 4);
    Value rank = b.popcount(b.bitAnd(bits, below));
    if (detect::getKnown(numWords) != 1)
      rank = b.forLoop(
          b.i32(0), word, b.i32(1), rank, [&](Value other, ValueRange sum) {
            Value bits =
                b.load(getWord(b, coordinate, other), b.getI32Type(), 4);
            return SmallVector<Value>{b.add(sum[0], b.popcount(bits))};
          })[0];
    Value slot = b.add(start, b.extend(rank));
    Value number =
        width == 64
            ? position
            : arith::TruncIOp::create(b, b.getI32Type(), position).getResult();
    b.store(number, b.element(b.pointer(coords), slot, width / 8), width / 8);
  });
  finish(b, capacity);
}

void Inversion::convert() {
  Value size = host.max(host.add(numBits, numCounters), host.constant(1));
  std::optional<int64_t> known = detect::getKnown(size);
  SmallVector<Value> dynamic;
  if (!known)
    dynamic.push_back(size);
  auto type = MemRefType::get({known.value_or(ShapedType::kDynamic)},
                              host.getI32Type());
  Value words = memref::AllocOp::create(host, type, dynamic);
  bitmap = getBase(host, words);
  emitClear();
  emitMark();
  emitOffsets();
  emitPlace();
  memref::DeallocOp::create(host, words);
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
    if (op->getParentOp() != function)
      return op.emitOpError("is not at the top level of its function, from "
                            "which kernels are launched");
    if (!op.isOnBuffers())
      return op.emitOpError("works on tensors; bufferize before converting to "
                            "GPU kernels");
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
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (failed(convert(function)))
      return signalPassFailure();
}
