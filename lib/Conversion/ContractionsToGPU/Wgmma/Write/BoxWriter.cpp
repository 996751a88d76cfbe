//===- BoxWriter.cpp - Results stored by TMA ------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GPU/Pipeline/Staging.h"
#include "Writers.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

/// Each warp has buffers of 16 x 64 elements, and if there are two, of its own
/// or one that is lent to it, fills one while the copy engine still stores the
/// other.
class BoxWriter : public Writer {
public:
  BoxWriter(const ContractionKernel &kernel, const KernelState &state)
      : kernel(kernel), state(state) {}

  void prepare(KernelBuilder &b, Value warp) override {
    isFirst = b.isEqual(state.lane, 0);
    buffers = b.advance(state.shared,
                        b.add(b.mul(warp, kernel.getStagingBytesOfWarp()),
                              kernel.getStagingOffset()));
    staging.prepare(b, state.lane);
  }

  void write(KernelBuilder &b, ArrayRef<Value> values, Value row,
             TilePosition tile) override {
    Value tensorMap = getArgumentsOfPart(b, state.arguments, tile).tensorMapC;
    const int64_t parts = values.size() / Staging::kValues;
    for (int64_t part = 0; part < parts; ++part) {
      Value buffer = getBuffer(b, part);
      const int64_t pending = countPending(part, parts);
      // Groups belong to the thread that issued them: it waits until this
      // buffer was read, the others for it.
      b.ifThen(isFirst, [&] { b.waitStores(pending, /*read=*/true); });
      b.syncWarp();
      staging.store(b, values.slice(part * Staging::kValues, Staging::kValues),
                    buffer, kernel.outputType);
      b.fenceSharedMemory();
      b.syncWarp();
      b.ifThen(isFirst, [&] {
        SmallVector<Value> place{b.add(tile.column, part * Staging::kColumns),
                                 row};
        // The copy engine cuts off what lies behind the batch's last row.
        if (kernel.batched || kernel.raggedK)
          place.push_back(tile.segment);
        b.storeBox(tensorMap, buffer, place);
        b.commitStores();
      });
    }
  }

  void lend(Value buffer) override { lent = buffer; }
  void returnLent(KernelBuilder &b) override {
    // The last store but one was from there.
    b.ifThen(isFirst, [&] { b.waitStores(1, /*read=*/true); });
    lent = Value();
  }

  void finish(KernelBuilder &b) override {
    b.ifThen(isFirst, [&] { b.waitStores(0, /*read=*/false); });
  }

  /// Emits what lets all of the warp write to its buffers again.
  void reclaimBuffers(KernelBuilder &b) {
    b.ifThen(isFirst, [&] { b.waitStores(0, /*read=*/true); });
    b.syncWarp();
  }

private:
  int64_t getNumBuffers() const {
    return kernel.getStagingBytesOfWarp() / Staging::kBytes + (lent ? 1 : 0);
  }
  /// How many stores may be pending when a part of so many is written: those
  /// behind the last one from the same buffer, which may be one of the tile
  /// before.
  int64_t countPending(int64_t part, int64_t parts) const {
    const int64_t buffers = getNumBuffers();
    if (part >= buffers)
      return buffers - 1;
    int64_t last = part + (parts - 1 - part) / buffers * buffers;
    return std::min(buffers - 1, parts - 1 - last + part);
  }
  /// What is lent comes first, so that it is not the last that is stored.
  Value getBuffer(KernelBuilder &b, int64_t part) {
    int64_t number = part % getNumBuffers() - (lent ? 1 : 0);
    return number < 0 ? lent : b.advance(buffers, number * Staging::kBytes);
  }

  const ContractionKernel &kernel;
  const KernelState &state;
  Value isFirst, buffers, lent;
  Staging staging;
};

/// Behind the end of a segment lie the rows of the next one: a warp whose rows
/// do not all belong to the segment stores those that do one by one.
class SegmentBoxWriter : public Writer {
public:
  SegmentBoxWriter(const ContractionKernel &kernel, const KernelState &state)
      : boxes(kernel, state), rows(createStagedWriter(kernel, state)) {}

  void prepare(KernelBuilder &b, Value warp) override {
    boxes.prepare(b, warp);
    rows->prepare(b, warp);
  }

  void write(KernelBuilder &b, ArrayRef<Value> values, Value row,
             TilePosition tile) override {
    Value isWhole = b.compare(arith::CmpIPredicate::ule,
                              b.add(row, Staging::kRows), tile.end);
    b.ifThenElse(
        isWhole, [&] { boxes.write(b, values, row, tile); },
        [&] {
          b.ifThen(b.isLess(row, tile.end), [&] {
            boxes.reclaimBuffers(b);
            rows->write(b, values, row, tile);
          });
        });
  }

  void lend(Value buffer) override { boxes.lend(buffer); }
  void returnLent(KernelBuilder &b) override { boxes.returnLent(b); }
  void finish(KernelBuilder &b) override { boxes.finish(b); }

private:
  BoxWriter boxes;
  std::unique_ptr<Writer> rows;
};

} // namespace

std::unique_ptr<Writer>
mlir::pit::hopper::createBoxWriter(const ContractionKernel &kernel,
                                   const KernelState &state) {
  // Other tiles that lack rows are swapped.
  if (kernel.segmented && (!kernel.swapsTails || kernel.extraRows))
    return std::make_unique<SegmentBoxWriter>(kernel, state);
  return std::make_unique<BoxWriter>(kernel, state);
}
