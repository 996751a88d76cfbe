//===- PackedLoop.cpp - Packed SpMM: the main loop ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile is one strip of rows and many columns: every live k of the strip has
// its row of B loaded once, and nothing else. Rows of the strip are the columns
// of the matrix instructions; columns of B, their rows, come through registers,
// for which rows of B may lie in shared memory one by one.
//
// The k of a list are multiplied in its order.
//
//===----------------------------------------------------------------------===//

#include "PackedLoop.h"
#include "Conversion/ContractionsToGPU/Wgmma/Load/PackedLoader.h"
#include "Conversion/ContractionsToGPU/Wgmma/Multiply/RegisterProduct.h"
#include "Conversion/ContractionsToGPU/Wgmma/Multiply/StripOperand.h"
#include "Conversion/ContractionsToGPU/Wgmma/Write/ClusterWriter.h"
#include "Conversion/ContractionsToGPU/Wgmma/Write/SwappedBoxWriter.h"
#include "MainLoop.h"

using namespace mlir;
using namespace mlir::pit::hopper;

/// Of each thread that loads.
static constexpr unsigned kLoaderRegisters = 40;

namespace {

class PackedLoop {
public:
  PackedLoop(KernelBuilder &builder, const ContractionKernel &kernel,
             const KernelState &state)
      : b(builder), kernel(kernel), state(state),
        ring(builder, getPipelineShape(kernel), state, /*needsFence=*/false),
        lists(builder, kernel, state), loader(ring, kernel, state, lists),
        rows(kernel.packed->rows), strip(rows, SharedLayout::MNMajor),
        writer(kernel, state), clusterWriter(kernel, state) {}

  void emit();

private:
  void initShared();
  MatrixDescriptor describePacked(Value stage);
  RegisterOperand loadColumns(Value stage, Value left, int64_t step,
                              int64_t block);
  SmallVector<Value> multiplyStage(ArrayRef<Value> sums, Value stage,
                                   Value left, int64_t depth);
  SmallVector<Value> multiplyStep(ValueRange values, Value left);
  SmallVector<Value> multiplyPart(ArrayRef<Value> values, Value count);
  void writeTile(ArrayRef<Value> sums, TilePosition tile);
  void emitConsumer();

  /// Columns of B that are the rows of one instruction; each warpgroup has as
  /// many blocks of them.
  static constexpr int64_t kBlockColumns = 64;
  int64_t getNumBlocks() const {
    return kernel.tileN / kBlockColumns / kernel.consumers;
  }

  KernelBuilder &b;
  const ContractionKernel &kernel;
  const KernelState &state;
  Ring ring;
  PackedLists lists;
  PackedLoader loader;
  const int64_t rows;
  const StripOperand strip;
  SwappedBoxWriter writer;
  /// Of tiles whose parts of k blocks of a cluster share.
  ClusterWriter clusterWriter;

  /// Of the lane's row of the four 8 x 8 tiles: its number, its distance from
  /// the stage, and per block that of its chunk of 16 bytes from there.
  Value row, rowBytes, zeros, firstColumn;
  SmallVector<Value> chunkBytes;
};

} // namespace

void PackedLoop::initShared() {
  zeros = b.advance(state.shared, kernel.getSchedulerOffset());
  b.ifThen(b.isEqual(state.thread, 0), [&] {
    for (int64_t stage = 0; stage < kernel.stages; ++stage) {
      b.initBarrier(ring.getFullBarrier(b.i32(stage)), loader.getNumArrivals());
      b.initBarrier(ring.getEmptyBarrier(b.i32(stage)), 128 * kernel.consumers);
    }
    b.fenceBarrierInit();
    Value zero = arith::ConstantOp::create(
        b, b.getZeroAttr(VectorType::get({4}, b.getI32Type())));
    b.store(zero, zeros, PackedPattern::kZeroBytes);
  });
  b.syncBlock();
}

/// The descriptor of a stage's packed values: rows of one k each.
MatrixDescriptor PackedLoop::describePacked(Value stage) {
  return strip.describe(
      b, b.add(b.add(state.sharedAddress, b.mul(stage, kernel.getStageBytes())),
               kernel.getBytesOfB()));
}

/// 16 of the step's k, of which `left` there are; others read zeros, as what
/// lies in their rows may be no number.
RegisterOperand PackedLoop::loadColumns(Value stage, Value left, int64_t step,
                                        int64_t block) {
  const int64_t first = step * kProductDepth;
  Value exists = b.compare(arith::CmpIPredicate::slt, b.add(row, first), left);
  Value there =
      b.advance(stage, b.add(b.add(rowBytes, first * kernel.getRowPitch()),
                             chunkBytes[block]));
  return loadRegisterOperand(b, b.select(exists, there, zeros),
                             /*transposed=*/true);
}

/// Adds the products of the first `depth` k of a stage to the sums.
SmallVector<Value> PackedLoop::multiplyStage(ArrayRef<Value> sums, Value stage,
                                             Value left, int64_t depth) {
  SmallVector<Value> result(sums);
  Value there = b.advance(state.shared, b.mul(stage, kernel.getStageBytes()));
  MatrixDescriptor packed = describePacked(stage);
  for (int64_t step = 0; step < depth / kProductDepth; ++step) {
    SmallVector<RegisterOperand> columns;
    for (int64_t block = 0; block < getNumBlocks(); ++block)
      columns.push_back(loadColumns(there, left, step, block));
    MatrixDescriptor ofStep =
        b.advanceDescriptor(packed, step * strip.getStepBytes());
    b.beginProducts();
    for (int64_t block = 0; block < getNumBlocks(); ++block)
      result[block] =
          multiplyFromRegisters(b, result[block], columns[block], ofStep, rows,
                                kernel.inputType, SharedLayout::MNMajor);
    b.commitProducts();
  }
  b.waitProducts(0);
  return result;
}

/// The same for `left` k, at the place in the ring that is behind the sums.
SmallVector<Value> PackedLoop::multiplyStep(ValueRange values, Value left) {
  const int64_t blocks = getNumBlocks();
  SmallVector<Value> sums = llvm::to_vector(values.take_front(blocks));
  RingPosition here{values[blocks], values[blocks + 1]};
  b.waitBarrier(ring.getFullBarrier(here.stage), here.phase);
  // The end of a list, or all of it where most is dead.
  sums = b.choose(
      b.compare(arith::CmpIPredicate::sgt, left, b.i32(kProductDepth)),
      [&] {
        return multiplyStage(sums, here.stage, left, kernel.getStepDepth());
      },
      [&] { return multiplyStage(sums, here.stage, left, kProductDepth); });
  ring.releaseFromLanes(here.stage);
  RingPosition after = ring.next(here);
  sums.append({after.stage, after.phase});
  return sums;
}

SmallVector<Value> PackedLoop::multiplyPart(ArrayRef<Value> values,
                                            Value count) {
  const int64_t depth = kernel.getStepDepth();
  return b.forLoop(b.i32(0), b.ceilDivide(count, depth), b.i32(1), values,
                   [&](Value step, ValueRange values) {
                     return multiplyStep(values,
                                         b.sub(count, b.mul(step, depth)));
                   });
}

void PackedLoop::writeTile(ArrayRef<Value> sums, TilePosition tile) {
  // As many blocks as there are boxes for.
  constexpr int64_t kBlocks = 4;
  for (size_t first = 0; first < sums.size(); first += kBlocks) {
    SmallVector<SmallVector<Value>> blocks;
    for (Value sum : sums.drop_front(first).take_front(kBlocks))
      blocks.push_back(b.getElements(sum, rows / 2));
    Value column =
        b.add(b.add(tile.column, firstColumn), int64_t(first) * kBlockColumns);
    writer.write(ring, blocks, column, tile);
  }
}

void PackedLoop::emitConsumer() {
  b.setMaxRegisters(getConsumerRegisters(kernel, kLoaderRegisters),
                    /*increase=*/true);
  const int64_t blocks = getNumBlocks();
  ring.consumer = b.sub(state.warpgroup, 1);
  Value warp = b.bitAnd(state.warp, 3), inTile = b.bitAnd(state.lane, 7);
  firstColumn = b.mul(ring.consumer, blocks * kBlockColumns);
  row = b.add(b.mul(b.shiftRight(state.lane, 4), 8), inTile);
  rowBytes = b.mul(row, kernel.getRowPitch());
  Value chunk = b.add(b.mul(warp, 2), b.bitAnd(b.shiftRight(state.lane, 3), 1));
  for (int64_t block = 0; block < blocks; ++block) {
    // Chunks are permuted by bits 7 to 9 of their address.
    Value panel = b.add(b.mul(ring.consumer, blocks), block);
    Value line = b.add(b.mul(inTile, kernel.getRowPitch() / 128), panel);
    chunkBytes.push_back(b.add(b.mul(panel, 128),
                               b.mul(b.bitXor(chunk, b.bitAnd(line, 7)), 16)));
  }
  if (kernel.splitsK > 1)
    clusterWriter.prepare(ring, b.sub(state.warp, 4));
  else
    writer.prepare(ring, warp);

  Value first = lists.firstTile, zero = b.i32(0);
  SmallVector<Value> values{zero, zero, lists.readCount(first, lists.firstPart),
                            first};
  b.whileLoop(
      values,
      [&](ValueRange values) -> std::pair<Value, SmallVector<Value>> {
        return {b.isLess(values[3], lists.numTiles), llvm::to_vector(values)};
      },
      [&](ValueRange values) -> SmallVector<Value> {
        Value tile = values[3], nextTile = b.add(tile, lists.tileStep);
        SmallVector<Value> carried;
        for (int64_t block = 0; block < blocks; ++block)
          carried.push_back(b.zeroAccumulator(rows));
        llvm::append_range(carried, values.take_front(3));
        carried =
            b.forLoop(lists.firstPart, lists.numParts, lists.partStep, carried,
                      [&](Value part, ValueRange inner) {
                        Value following = b.add(part, lists.partStep);
                        Value isLast = b.compare(arith::CmpIPredicate::sge,
                                                 following, lists.numParts);
                        Value ahead = lists.readCount(
                            b.select(isLast, nextTile, tile),
                            b.select(isLast, lists.firstPart, following));
                        SmallVector<Value> result = multiplyPart(
                            llvm::to_vector(inner.drop_back()), inner.back());
                        result.push_back(ahead);
                        return result;
                      });
        ArrayRef<Value> sums = ArrayRef(carried).take_front(blocks);
        if (kernel.splitsK > 1)
          clusterWriter.write(ring, sums, rows, lists.getPosition(tile));
        else
          writeTile(sums, lists.getPosition(tile));
        return {carried[blocks], carried[blocks + 1], carried[blocks + 2],
                nextTile};
      });
  if (kernel.splitsK == 1)
    writer.finish(ring);
}

void PackedLoop::emit() {
  initShared();
  b.ifThenElse(
      b.isEqual(state.warpgroup, 0),
      [&] {
        b.setMaxRegisters(kLoaderRegisters, /*increase=*/false);
        loader.emit();
      },
      [&] { emitConsumer(); });
}

void mlir::pit::hopper::emitPackedLoop(KernelBuilder &builder,
                                       const ContractionKernel &kernel,
                                       const KernelState &state) {
  PackedLoop(builder, kernel, state).emit();
}
