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

namespace {

constexpr uint32_t kRanks = 40, kFirst = 80, kWords = 256, kNothing = 7;

/// A kernel of communicators, alone in its module, and the words of all ranks.
class CommKernel : public ::testing::Test {
protected:
  void load(std::string name) {
    std::string text = pitCommKernels;
    text.replace(text.find(name), name.size(), "alone");
    void *context = nullptr;
    cuDevicePrimaryCtxRetain(&context, 0);
    cuCtxSetCurrent(context);
    ASSERT_EQ(cuModuleLoadDataEx(&module, text.c_str(), 0, nullptr, nullptr),
              0);
    ASSERT_EQ(cuModuleGetFunction(&function, module, "alone"), 0);
    ASSERT_EQ(cuMemAlloc_v2(&signals, kRanks * pitch), 0);
  }
  void TearDown() override {
    cuMemFree_v2(signals);
    cuModuleUnload(module);
  }
  /// Words from `before` on, in a launch of rank `me`, have to become `behind`.
  void run(uint32_t me, const std::vector<uint32_t> &before,
           const std::vector<uint32_t> &behind) {
    auto *words = reinterpret_cast<uint32_t *>(signals);
    std::memcpy(words, before.data(), 4 * before.size());
    uint32_t ranks = kRanks, first = kFirst;
    void *arguments[] = {&signals, &pitch, &ranks, &me, &first};
    ASSERT_EQ(cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments,
                             nullptr),
              0);
    EXPECT_EQ(std::memcmp(words, behind.data(), 4 * behind.size()), 0)
        << "rank " << me;
  }
  /// The word that `to` has of `from`.
  static uint32_t &at(std::vector<uint32_t> &words, uint32_t to,
                      uint32_t from) {
    return words[to * kWords + kFirst + from];
  }

  void *module = nullptr, *function = nullptr;
  uint64_t signals = 0, pitch = 4 * kWords;
  const std::vector<uint32_t> nothing =
      std::vector<uint32_t>(kRanks * kWords, kNothing);
};

} // namespace

TEST_F(CommKernel, SetsSignalsOfPeersAndTakesItsOwnBack) {
  load(PIT_COMM_BARRIER_KERNEL);
  for (uint32_t me : {0u, 33u, kRanks - 1}) {
    std::vector<uint32_t> before = nothing, behind = nothing;
    for (uint32_t peer = 0; peer < kRanks; ++peer)
      if (peer != me) {
        at(before, me, peer) = 1;
        at(behind, me, peer) = 0;
        at(behind, peer, me) = 1;
      }
    run(me, before, behind);
  }
}

TEST_F(CommKernel, TakesWordsOfPiecesBack) {
  load(PIT_COMM_AWAIT_KERNEL);
  for (uint32_t me : {0u, 33u, kRanks - 1}) {
    std::vector<uint32_t> before = nothing, behind = nothing;
    for (uint32_t peer = 0; peer < kRanks; ++peer)
      if (peer != me) {
        at(before, me, peer) = 1;
        at(behind, me, peer) = 0;
      }
    run(me, before, behind);
  }
}
