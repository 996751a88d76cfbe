//===- CommKernelTest.cpp - The kernel of a communicator's barrier --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver does the kernel's work itself where ranks wait for each other.
// Here it runs under another name, with the signals that it waits for set.
//
//===----------------------------------------------------------------------===//

#include "../../runtime/src/CommKernels.h"
#include "DriverCalls.h"

#include "gtest/gtest.h"

#include <cstring>
#include <string>
#include <vector>

TEST(CommKernel, SetsSignalsOfPeersAndTakesItsOwnBack) {
  constexpr uint32_t kRanks = 40, kChannel = 2, kWords = 256, kNothing = 7;
  std::string text = pitCommKernels, name = PIT_COMM_BARRIER_KERNEL;
  text.replace(text.find(name), name.size(), "alone");
  void *context = nullptr, *module = nullptr, *function = nullptr;
  cuDevicePrimaryCtxRetain(&context, 0);
  cuCtxSetCurrent(context);
  ASSERT_EQ(cuModuleLoadDataEx(&module, text.c_str(), 0, nullptr, nullptr), 0);
  ASSERT_EQ(cuModuleGetFunction(&function, module, "alone"), 0);
  uint64_t signals = 0, pitch = 4 * kWords;
  ASSERT_EQ(cuMemAlloc_v2(&signals, kRanks * pitch), 0);
  auto *words = reinterpret_cast<uint32_t *>(signals);
  for (uint32_t me : {0u, 33u, kRanks - 1}) {
    std::vector<uint32_t> expected(kRanks * kWords, kNothing);
    for (uint32_t from = 0; from < kRanks; ++from)
      if (from != me)
        expected[me * kWords + kChannel * kRanks + from] = 1;
    std::memcpy(words, expected.data(), 4 * expected.size());
    uint32_t ranks = kRanks, channel = kChannel;
    void *arguments[] = {&signals, &pitch, &ranks, &me, &channel};
    ASSERT_EQ(cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments,
                             nullptr),
              0);
    for (uint32_t peer = 0; peer < kRanks; ++peer)
      if (peer != me) {
        expected[me * kWords + kChannel * kRanks + peer] = 0;
        expected[peer * kWords + kChannel * kRanks + me] = 1;
      }
    EXPECT_EQ(std::memcmp(words, expected.data(), 4 * expected.size()), 0)
        << "rank " << me;
  }
  cuMemFree_v2(signals);
  cuModuleUnload(module);
}
