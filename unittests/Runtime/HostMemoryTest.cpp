//===- HostMemoryTest.cpp - Tests of buffers of programs on the CPU -------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pit_runtime_calls.h"

#include "gtest/gtest.h"

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace {

constexpr size_t kLarge = 1 << 20;

/// Allocates, writes to all of it and frees.
void use(size_t bytes) {
  void *memory = pit_rt_allocate(bytes);
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 64, 0u);
  std::memset(memory, 1, bytes);
  pit_rt_free(memory);
}

TEST(HostMemory, KeepsLargeBlocks) {
  pit_release_host_memory();
  void *first = pit_rt_allocate(kLarge);
  pit_rt_free(first);
  void *second = pit_rt_allocate(kLarge + 1000);
  EXPECT_EQ(second, first);
  pit_rt_free(second);
  size_t kept = pit_release_host_memory();
  EXPECT_GE(kept, kLarge);
  EXPECT_LE(kept, kLarge + kLarge / 4 + 64);
  EXPECT_EQ(pit_release_host_memory(), 0u);
}

TEST(HostMemory, SmallBlocksAreNotKept) {
  pit_release_host_memory();
  for (size_t bytes : {0, 1, 63, 1000, 65000})
    use(bytes);
  EXPECT_EQ(pit_release_host_memory(), 0u);
}

TEST(HostMemory, AllTogetherNotMoreThanBefore) {
  pit_release_host_memory();
  for (size_t bytes = kLarge; bytes < 8 * kLarge; bytes += 5000)
    use(bytes);
  EXPECT_LE(pit_release_host_memory(), 10 * kLarge);
}

TEST(HostMemory, EveryClassHoldsItsSizes) {
  for (size_t bits = 15; bits < 23; ++bits)
    for (size_t quarter = 0; quarter < 4; ++quarter)
      for (int64_t near : {-65, -64, -63, 0, 1})
        use((size_t(1) << bits) + (size_t(1) << bits) / 4 * quarter +
            size_t(near));
}

TEST(HostMemory, TooMuch) {
  EXPECT_EQ(pit_rt_allocate(SIZE_MAX), nullptr);
  EXPECT_EQ(pit_rt_allocate(SIZE_MAX - 64), nullptr);
  pit_rt_free(nullptr);
}

TEST(HostMemory, Threads) {
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number)
    threads.emplace_back([number] {
      std::vector<char *> blocks;
      for (size_t round = 0; round < 2000; ++round) {
        size_t bytes = (size_t(1) << 16) + round % 7 * 50000;
        auto *memory = static_cast<char *>(pit_rt_allocate(bytes));
        ASSERT_NE(memory, nullptr);
        memory[0] = memory[bytes - 1] = char(number);
        blocks.push_back(memory);
        if (blocks.size() == 5) {
          for (char *block : blocks) {
            ASSERT_EQ(block[0], char(number));
            pit_rt_free(block);
          }
          blocks.clear();
        }
      }
      for (char *block : blocks)
        pit_rt_free(block);
    });
  for (std::thread &thread : threads)
    thread.join();
  pit_release_host_memory();
}

} // namespace
