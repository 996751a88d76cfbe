//===- SharedMemoryTest.cpp - What kernels keep in shared memory ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel tells the parts it is put together from must not overlap, and
// lie in the memory that its launch asks for.
//
//===----------------------------------------------------------------------===//

#include "Conversion/ContractionsToGPU/Wgmma/KernelState.h"
#include "SignatureFixture.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

struct SharedRegion {
  const char *name;
  int64_t begin, bytes;
};

class SharedMemoryTest : public pit::SignatureFixture {
protected:
  SharedMemoryTest() {
    kernel.inputType = kernel.outputType = builder.getBF16Type();
  }

  std::vector<SharedRegion> getRegions() {
    constexpr int64_t kBarrierBytes = 8;
    PipelineShape shape = getPipelineShape(kernel);
    int64_t barriers = kBarrierBytes * shape.stages;
    std::vector<SharedRegion> regions{
        {"stages", 0, shape.stages * shape.stageBytes},
        {"staging", kernel.getStagingOffset(), kernel.getStagingBytes()},
        {"empty", shape.emptyOffset, barriers},
        {"full", shape.fullOffset, barriers}};
    if (shape.readyOffset)
      regions.push_back({"ready", *shape.readyOffset, barriers});
    if (kernel.segmented)
      regions.push_back({"scheduler", kernel.getSchedulerOffset(),
                         ContractionKernel::kSchedulerBytes});
    if (kernel.signaledSegments)
      regions.push_back(
          {"signals", getSignalShape(kernel).offset, RowSignals::kBytes});
    if (kernel.splitsK > 1)
      regions.push_back({"sums", getClusterShape(kernel).offset,
                         kernel.tileM * kernel.tileN * 4});
    return regions;
  }
  void check() {
    std::vector<SharedRegion> regions = getRegions();
    llvm::sort(regions, [](const SharedRegion &a, const SharedRegion &b) {
      return std::pair(a.begin, a.bytes) < std::pair(b.begin, b.bytes);
    });
    for (auto [before, after] :
         llvm::zip(regions, ArrayRef(regions).drop_front()))
      EXPECT_LE(before.begin + before.bytes, after.begin)
          << before.name << " and " << after.name;
    EXPECT_LE(regions.back().begin + regions.back().bytes,
              kernel.getSharedBytes())
        << regions.back().name;
  }

  ContractionKernel kernel;
};

TEST_F(SharedMemoryTest, Dense) {
  kernel.storesBoxes = true;
  check();
  PipelineShape shape = getPipelineShape(kernel);
  EXPECT_EQ(shape.stages, 4);
  EXPECT_EQ(shape.stageBytes, (128 + 256) * 128);
  EXPECT_EQ(shape.emptyArrivals, 2);
  EXPECT_FALSE(shape.readyOffset);
}

TEST_F(SharedMemoryTest, SegmentsThatTellOfRows) {
  kernel.segmented = kernel.storesBoxes = true;
  kernel.signaledSegments = 2;
  kernel.extraRows = 32;
  check();
  EXPECT_EQ(getSignalShape(kernel).mostRows, 128 + 32);
}

TEST_F(SharedMemoryTest, RowsThatAreCleared) {
  kernel.masked = BlockPattern{/*rows=*/1, /*depth=*/64, /*wordsAcross=*/true};
  kernel.clearsRows = true;
  check();
  PipelineShape shape = getPipelineShape(kernel);
  EXPECT_TRUE(shape.readyOffset);
  EXPECT_EQ(shape.readyArrivals, 32 * kClearingWarps);
  // Rows that pass through registers instead are given back lane by lane.
  kernel.clearsRows = false;
  EXPECT_FALSE(getPipelineShape(kernel).readyOffset);
  EXPECT_EQ(getPipelineShape(kernel).emptyArrivals, 2 * 128);
}

TEST_F(SharedMemoryTest, ClustersThatShareSums) {
  kernel.swapped = true;
  kernel.tileM = 32;
  kernel.splitsK = 4;
  check();
  EXPECT_EQ(getClusterShape(kernel).threads, 2 * 128);
}

} // namespace
