//===- CommFixture.h - Ranks as threads -------------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ranks as threads of the test, on devices of the fake driver, which two ranks
// may share. Everything is given back in the end, files included.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_RUNTIME_COMMFIXTURE_H
#define PIT_UNITTESTS_RUNTIME_COMMFIXTURE_H

#include "FakeCuda.h"
#include "pit_comm.h"

#include "gtest/gtest.h"

#include <chrono>
#include <dirent.h>
#include <functional>
#include <string>
#include <thread>
#include <vector>

extern "C" {
int cuStreamBeginCapture_v2(void *stream, int mode);
int cuStreamEndCapture(void *stream, void **graph);
int cuGraphInstantiateWithFlags(void **executable, void *graph,
                                unsigned long long flags);
int cuGraphLaunch(void *executable, void *stream);
int cuGraphDestroy(void *graph);
}

struct Rank {
  explicit Rank(int32_t number) : number(number) {
    EXPECT_EQ(pit_context_create(&context), PIT_OK);
    EXPECT_EQ(pit_cuda_use_device(context, number % 2), PIT_OK);
    EXPECT_EQ(pit_cuda_stream_create(context, &stream), PIT_OK);
  }
  ~Rank() {
    pit_cuda_stream_destroy(context, stream);
    pit_context_destroy(context);
  }
  std::string error() {
    char buffer[600];
    pit_context_last_error(context, buffer, sizeof(buffer));
    return buffer;
  }
  int32_t number;
  pit_context *context = nullptr;
  pit_stream stream = nullptr;
  pit_comm *comm = nullptr;
};

inline int countFiles() {
  int count = 0;
  if (DIR *folder = opendir("/proc/self/fd")) {
    while (readdir(folder))
      ++count;
    closedir(folder);
  }
  return count;
}

struct Comm : testing::Test {
  Comm() {
    // What stays open with the driver is open now.
    Rank first(0);
    EXPECT_EQ(pit_comm_make_id(nullptr, &id), PIT_OK);
    fake_cuda_set_pools(1);
    fake_cuda_set_capturing(0);
    fake_cuda_reset();
    files = countFiles();
  }
  ~Comm() override {
    EXPECT_EQ(fake_cuda_live(), 0);
    EXPECT_EQ(countFiles(), files);
    pit_context_clear_error(nullptr);
  }
  /// Calls `body` on a thread for each rank, and waits for all.
  static void forRanks(int32_t ranks, const std::function<void(Rank &)> &body) {
    std::vector<std::thread> threads;
    for (int32_t i = 0; i < ranks; ++i)
      threads.emplace_back([&body, i] {
        Rank rank(i);
        body(rank);
      });
    for (std::thread &thread : threads)
      thread.join();
  }
  /// The same with a communicator of all.
  void forComms(int32_t ranks, const std::function<void(Rank &)> &body,
                int64_t limit = 10000) {
    forRanks(ranks, [&](Rank &rank) {
      ASSERT_EQ(pit_comm_create(rank.context, &id, rank.number, ranks, limit,
                                &rank.comm),
                PIT_OK)
          << rank.error();
      EXPECT_EQ(pit_comm_rank(rank.comm), rank.number);
      EXPECT_EQ(pit_comm_ranks(rank.comm), ranks);
      body(rank);
      pit_comm_destroy(rank.comm);
    });
  }
  pit_comm_id id;
  int files = 0;
};

#endif // PIT_UNITTESTS_RUNTIME_COMMFIXTURE_H
