//===- BoxWriter.cpp - Results stored by the copy engine ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Staging.h"
#include "Writer.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

/// Each warp has two buffers of 16 x 64 elements, and fills one while the copy
/// engine still stores the other.
class BoxWriter : public Writer {
public:
  explicit BoxWriter(const ContractionKernel &kernel) : kernel(kernel) {}

  void prepare(KernelBuilder &b, const KernelState &state,
               Value warp) override {
    tensorMap = state.arguments.tensorMapC;
    isFirst = b.isEqual(state.lane, 0);
    buffers =
        b.advance(state.shared, b.add(b.mul(warp, kBuffers * Staging::kBytes),
                                      kernel.getStagingOffset()));
    staging.prepare(b, state.lane);
  }

  void write(KernelBuilder &b, ArrayRef<Value> values, Value row,
             Value column) override {
    for (int64_t part = 0; part < kernel.tileN / Staging::kColumns; ++part) {
      Value buffer = b.advance(buffers, part % kBuffers * Staging::kBytes);
      // Groups belong to the thread that issued them: it waits until this
      // buffer was read, the others for it.
      b.ifThen(isFirst, [&] { b.waitStores(kBuffers - 1, /*read=*/true); });
      b.syncWarp();
      staging.store(b, values.slice(part * Staging::kValues, Staging::kValues),
                    buffer, kernel.outputType);
      b.fenceSharedMemory();
      b.syncWarp();
      b.ifThen(isFirst, [&] {
        b.storeBox(tensorMap, buffer,
                   {b.add(column, part * Staging::kColumns), row});
        b.commitStores();
      });
    }
  }

  void finish(KernelBuilder &b) override {
    b.ifThen(isFirst, [&] { b.waitStores(0, /*read=*/false); });
  }

private:
  static constexpr int64_t kBuffers = 2;

  const ContractionKernel &kernel;
  Value tensorMap, isFirst, buffers;
  Staging staging;
};

} // namespace

std::unique_ptr<Writer>
mlir::pit::hopper::createBoxWriter(const ContractionKernel &kernel) {
  return std::make_unique<BoxWriter>(kernel);
}
