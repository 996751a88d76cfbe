//===- GuardedHeapTest.cpp - Memory that notices wrong accesses -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WrongArguments/GuardedMemory.h"

#include "gtest/gtest.h"

#include <thread>
#include <vector>

using namespace mlir::pit::fuzz;

/// Loops of compiled code have threads, and each allocates what it needs.
TEST(GuardedHeap, ThreadsAllocateAndRelease) {
  constexpr int kThreads = 8, kBlocks = 4000;
  mlir::pit::run::Heap heap = getGuardedHeap();
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      void *before = nullptr;
      for (int block = 0; block < kBlocks; ++block) {
        void *memory = heap.allocate(24);
        heap.release(before);
        before = memory;
      }
      heap.release(before);
    });
  for (std::thread &thread : threads)
    thread.join();
  HeapCounts counts = getHeapCounts();
  EXPECT_EQ(counts.unknown, 0);
  EXPECT_EQ(counts.damaged, 0);
  EXPECT_EQ(counts.blocks, 0);
}
