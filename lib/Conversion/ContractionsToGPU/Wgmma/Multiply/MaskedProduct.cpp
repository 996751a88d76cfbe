//===- MaskedProduct.cpp - wgmma with A masked in registers ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A step's rows of A are read into registers and masked there while the
// products of the step before are under way, which read other registers: steps
// come in pairs, so that no value moves to another register while it is read.
//
//===----------------------------------------------------------------------===//

#include "Products.h"
#include "RegisterMask.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

/// As rows of A times columns of B, but that the rows pass through registers.
class MaskedProduct : public TileProduct {
public:
  MaskedProduct(const ContractionKernel &kernel, const KernelState &state,
                std::unique_ptr<Writer> writer)
      : kernel(kernel), state(state), writer(std::move(writer)),
        rowLoader(kernel.layoutA), mask(*kernel.maskedByBytes) {}

  void prepare(Ring &ring, Value warp) override;
  SmallVector<Value> compute(Ring &ring, TilePosition tile,
                             ValueRange position) override;
  void finish(Ring &ring) override { writer->finish(ring.b); }

private:
  static constexpr int64_t kWordsOfProduct = 4,
                           kWordsOfStep = kProductsOfStage * kWordsOfProduct;
  /// Steps between the reading of a mask and its use: it comes from memory.
  static constexpr int64_t kAhead = 2;

  Value readMask(Ring &ring, Value step) {
    return mask.read(ring.b, ring.b.mul(step, kernel.getTileK()));
  }
  RegisterOperand loadRows(Ring &ring, Value stage, int64_t product);
  SmallVector<Value> computeInTurn(Ring &ring, ValueRange position);
  SmallVector<Value> loadStep(Ring &ring, RingPosition position, Value step,
                              Value read);
  SmallVector<Value> multiplyAndLoad(Ring &ring, Value step, ValueRange values,
                                     Value read);
  SmallVector<Value> computePairs(Ring &ring, ValueRange position);

  const ContractionKernel &kernel;
  const KernelState &state;
  std::unique_ptr<Writer> writer;
  RegisterLoader rowLoader;
  RegisterMask mask;
  MatrixDescriptor descriptorB;
  Value firstRow, warpRow;
};

} // namespace

void MaskedProduct::prepare(Ring &ring, Value warp) {
  KernelBuilder &b = ring.b;
  warpRow = b.mul(warp, 16);
  firstRow = b.advance(state.shared,
                       b.mul(ring.consumer, 64 * ContractionKernel::kRowBytes));
  descriptorB = b.matrixDescriptor(
      b.add(state.sharedAddress, kernel.getBytesOfA()), kernel.layoutB);
  rowLoader.prepare(b, state.lane, b.bitAnd(warp, 3));
  mask.prepare(b, state, warpRow);
  writer->prepare(b, warp);
}

RegisterOperand MaskedProduct::loadRows(Ring &ring, Value stage,
                                        int64_t product) {
  KernelBuilder &b = ring.b;
  Value rows = b.advance(firstRow, b.mul(stage, kernel.getStageBytes()));
  return mask.apply(b, rowLoader.load(b, rows, product), product);
}

/// Where a thread has few registers, as much is loaded behind the sums: one set
/// of them, while other warpgroups multiply.
SmallVector<Value> MaskedProduct::computeInTurn(Ring &ring,
                                                ValueRange position) {
  KernelBuilder &b = ring.b;
  Value none = LLVM::UndefOp::create(b, b.accumulatorType(kernel.tileN));
  SmallVector<Value> result =
      b.forLoop(b.i32(0), ring.numSteps, b.i32(1),
                {none, position[0], position[1], readMask(ring, b.i32(0))},
                [&](Value step, ValueRange values) -> SmallVector<Value> {
                  RingPosition here{values[1], values[2]};
                  mask.beginStep(b, values[3]);
                  Value following = readMask(ring, b.add(step, 1));
                  Value distance = ring.begin(here, step);
                  SmallVector<RegisterOperand> rows;
                  for (int64_t i = 0; i < kProductsOfStage; ++i)
                    rows.push_back(loadRows(ring, here.stage, i));
                  Value sum = multiplyRows(
                      b, kernel, values[0], rows,
                      b.advanceDescriptor(descriptorB, distance), 0, step);
                  b.waitProducts(0);
                  ring.releaseFromLanes(here.stage);
                  RingPosition after = ring.next(here);
                  return {sum, after.stage, after.phase, following};
                });
  result.pop_back();
  return result;
}

/// What a step multiplies: a distance in descriptors, and words of rows.
SmallVector<Value> MaskedProduct::loadStep(Ring &ring, RingPosition position,
                                           Value step, Value read) {
  KernelBuilder &b = ring.b;
  mask.beginStep(b, read);
  SmallVector<Value> loaded{ring.begin(position, step)};
  for (int64_t i = 0; i < kProductsOfStage; ++i)
    llvm::append_range(loaded, loadRows(ring, position.stage, i));
  return loaded;
}

/// Multiplies a loaded step, and loads the next one if there is one. Values are
/// the sums, the step's place, the stage before it (negative at first), and
/// what was loaded.
SmallVector<Value> MaskedProduct::multiplyAndLoad(Ring &ring, Value step,
                                                  ValueRange values,
                                                  Value read) {
  KernelBuilder &b = ring.b;
  RingPosition here{values[1], values[2]};
  Value before = values[3];
  ValueRange words = values.drop_front(5);
  SmallVector<RegisterOperand> rows;
  for (int64_t i = 0; i < kWordsOfStep; i += kWordsOfProduct)
    rows.push_back(llvm::to_vector<4>(words.slice(i, kWordsOfProduct)));
  Value sum =
      multiplyRows(b, kernel, values[0], rows,
                   b.advanceDescriptor(descriptorB, values[4]), 0, step);
  // The step before is done, and its registers are free.
  b.waitProducts(1);
  b.ifThen(b.compare(arith::CmpIPredicate::sge, before, b.i32(0)),
           [&] { ring.releaseFromLanes(before); });
  RingPosition after = ring.next(here);
  Value next = b.add(step, 1);
  SmallVector<Value> result{sum, after.stage, after.phase, here.stage};
  llvm::append_range(
      result, b.choose(
                  b.isLess(next, ring.numSteps),
                  [&] { return loadStep(ring, after, next, read); },
                  [&] {
                    // Nobody reads them.
                    SmallVector<Value> nothing{b.i32(0)};
                    nothing.append(kWordsOfStep,
                                   LLVM::UndefOp::create(b, b.getI32Type()));
                    return nothing;
                  }));
  return result;
}

SmallVector<Value> MaskedProduct::computePairs(Ring &ring,
                                               ValueRange position) {
  KernelBuilder &b = ring.b;
  Value none = LLVM::UndefOp::create(b, b.accumulatorType(kernel.tileN));
  RingPosition first{position[0], position[1]};
  SmallVector<Value> values{none, first.stage, first.phase, b.i32(-1)};
  llvm::append_range(values,
                     loadStep(ring, first, b.i32(0), readMask(ring, b.i32(0))));
  // Behind them, what the mask says of the next two steps.
  for (int64_t step = 1; step <= kAhead; ++step)
    values.push_back(readMask(ring, b.i32(step)));
  auto emitStep = [&](Value step, ValueRange values) {
    ValueRange reads = values.take_back(kAhead);
    Value later = readMask(ring, b.add(step, 1 + kAhead));
    SmallVector<Value> result =
        multiplyAndLoad(ring, step, values.drop_back(kAhead), reads[0]);
    result.append({reads[1], later});
    return result;
  };
  Value even = b.bitAnd(ring.numSteps, -2);
  values = b.forLoop(b.i32(0), even, b.i32(2), values,
                     [&](Value step, ValueRange values) {
                       return emitStep(b.add(step, 1), emitStep(step, values));
                     });
  values = b.choose(
      b.isLess(even, ring.numSteps), [&] { return emitStep(even, values); },
      [&] { return values; });
  b.waitProducts(0);
  ring.releaseFromLanes(values[3]);
  values.truncate(3);
  return values;
}

SmallVector<Value> MaskedProduct::compute(Ring &ring, TilePosition tile,
                                          ValueRange position) {
  KernelBuilder &b = ring.b;
  mask.beginTile(b, tile);
  // Tiles are narrower where what stands behind the sums takes registers.
  constexpr int64_t kColumnsBesideTwoSets = 256;
  SmallVector<Value> result = kernel.tileN == kColumnsBesideTwoSets
                                  ? computePairs(ring, position)
                                  : computeInTurn(ring, position);
  ring.afterProducts();
  writeRows(ring, kernel, state, *writer, result[0], b.add(tile.row, warpRow),
            tile);
  return {result[1], result[2]};
}

std::unique_ptr<TileProduct>
mlir::pit::hopper::createMaskedProduct(const ContractionKernel &kernel,
                                       const KernelState &state,
                                       std::unique_ptr<Writer> writer) {
  return std::make_unique<MaskedProduct>(kernel, state, std::move(writer));
}
