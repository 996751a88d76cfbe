//===- ThreadsTest.cpp - Tests of ranges that threads compute -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Threads.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

/// So much that every range is worth threads.
constexpr int64_t kMuch = int64_t(1) << 40;

struct Counts {
  explicit Counts(size_t count) : counts(count) {}
  std::vector<std::atomic<int>> counts;
  int64_t multiple = 1;

  static void run(void *values, int64_t begin, int64_t end) {
    auto *self = static_cast<Counts *>(values);
    EXPECT_LT(begin, end);
    EXPECT_EQ(begin % self->multiple, 0);
    for (int64_t i = begin; i < end; ++i)
      ++self->counts[size_t(i)];
  }

  void expectOnce() {
    EXPECT_TRUE(std::all_of(counts.begin(), counts.end(),
                            [](const auto &count) { return count == 1; }));
  }
};

class Threads : public testing::Test {
protected:
  void SetUp() override { pit_set_num_threads(4); }
  void TearDown() override { pit_set_num_threads(0); }
};

TEST_F(Threads, EachIterationOnce) {
  for (int64_t count : {1, 2, 3, 4, 5, 15, 16, 17, 63, 64, 65, 1000, 4099})
    for (int64_t multiple : {1, 8, 64}) {
      Counts counts{size_t(count)};
      counts.multiple = multiple;
      pit_rt_parallel(Counts::run, &counts, count, multiple, kMuch);
      counts.expectOnce();
    }
}

TEST_F(Threads, NothingOfAnEmptyRange) {
  auto fail = [](void *, int64_t, int64_t) { ADD_FAILURE(); };
  pit_rt_parallel(fail, nullptr, 0, 1, kMuch);
  pit_rt_parallel(fail, nullptr, -1, 1, kMuch);
}

/// Waits until as many threads are in the range at once.
struct Meeting {
  std::atomic<int> arrived{0};
  int wanted;
  static void run(void *values, int64_t begin, int64_t end) {
    auto *self = static_cast<Meeting *>(values);
    self->arrived += int(end - begin);
    auto start = std::chrono::steady_clock::now();
    while (self->arrived < self->wanted &&
           std::chrono::steady_clock::now() - start < std::chrono::seconds(20))
      std::this_thread::yield();
  }
};

TEST_F(Threads, AsManyAsAreSetWorkAtOnce) {
  // Long enough apart that workers sleep in between, and one after the other.
  for (int round = 0; round < 20; ++round) {
    Meeting meeting;
    meeting.wanted = 4;
    // A chunk for each thread: with less work than for several of them.
    pit_rt_parallel(Meeting::run, &meeting, 4, 1, 1 << 16);
    EXPECT_EQ(meeting.arrived, 4);
    if (round % 4 == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
}

TEST_F(Threads, FewerAreAllowedLater) {
  std::mutex lock;
  std::set<std::thread::id> seen;
  struct State {
    std::mutex &lock;
    std::set<std::thread::id> &seen;
  } state{lock, seen};
  auto run = [](void *values, int64_t, int64_t) {
    auto *state = static_cast<State *>(values);
    std::lock_guard guard(state->lock);
    state->seen.insert(std::this_thread::get_id());
  };
  pit_set_num_threads(2);
  for (int round = 0; round < 200; ++round)
    pit_rt_parallel(run, &state, 64, 1, kMuch);
  EXPECT_LE(seen.size(), 2u);
  seen.clear();
  pit_set_num_threads(1);
  pit_rt_parallel(run, &state, 64, 1, kMuch);
  EXPECT_EQ(seen, std::set{std::this_thread::get_id()});
}

TEST_F(Threads, SmallWorkStaysHere) {
  struct State {
    int parts = 0;
    std::thread::id thread;
  } state;
  pit_rt_parallel(
      [](void *values, int64_t begin, int64_t end) {
        auto *state = static_cast<State *>(values);
        ++state->parts;
        state->thread = std::this_thread::get_id();
        EXPECT_EQ(end - begin, 1000);
      },
      &state, 1000, 1, 10);
  EXPECT_EQ(state.parts, 1);
  EXPECT_EQ(state.thread, std::this_thread::get_id());
}

TEST_F(Threads, RangesInRanges) {
  Counts counts{64 * 64};
  struct State {
    Counts &counts;
    int64_t row;
  };
  pit_rt_parallel(
      [](void *values, int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          State state{*static_cast<Counts *>(values), i};
          pit_rt_parallel(
              [](void *inner, int64_t first, int64_t last) {
                auto *state = static_cast<State *>(inner);
                for (int64_t j = first; j < last; ++j)
                  ++state->counts.counts[size_t(state->row * 64 + j)];
              },
              &state, 64, 1, kMuch);
        }
      },
      &counts, 64, 1, kMuch);
  counts.expectOnce();
}

TEST_F(Threads, CallsOfSeveralThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([] {
      for (int round = 0; round < 300; ++round) {
        Counts counts{257};
        pit_rt_parallel(Counts::run, &counts, 257, 1, kMuch);
        counts.expectOnce();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(Threads, MemoryForEachThread) {
  pit_release_host_memory();
  auto run = [](void *, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      auto *memory = static_cast<int64_t *>(pit_rt_allocate(1 << 17));
      memory[0] = memory[1000] = i;
      std::this_thread::yield();
      EXPECT_EQ(memory[0], i);
      EXPECT_EQ(memory[1000], i);
      pit_rt_free(memory);
    }
  };
  pit_rt_parallel(run, nullptr, 1000, 1, kMuch);
  EXPECT_LE(pit_release_host_memory(), size_t(4) << 18);
}

TEST_F(Threads, ErrorsAreOfTheCall) {
  pit_context *context = nullptr;
  ASSERT_EQ(pit_context_create(&context), PIT_OK);
  pit_call call;
  pit_rt_begin_host(&call, context);
  pit_rt_parallel(
      [](void *, int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          if (i % 7 == 3)
            pit_rt_bad_index(2, i, 100);
      },
      nullptr, 1000, 1, kMuch);
  EXPECT_EQ(pit_rt_end(&call), PIT_ERROR_BAD_INDEX);
  EXPECT_EQ(pit_context_status(context), PIT_ERROR_BAD_INDEX);
  pit_context_destroy(context);
  // Nothing of it stays with the threads.
  EXPECT_EQ(pit_context_status(nullptr), PIT_OK);
}

TEST_F(Threads, ForkedChildrenHaveTheirOwn) {
  Counts before{1000};
  pit_rt_parallel(Counts::run, &before, 1000, 1, kMuch);
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Meeting meeting;
    meeting.wanted = 4;
    pit_rt_parallel(Meeting::run, &meeting, 4, 1, 1 << 16);
    _exit(meeting.arrived == 4 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  before.expectOnce();
}

TEST_F(Threads, NumberOfThreads) {
  EXPECT_EQ(pit_num_threads(), 4);
  pit_set_num_threads(5000);
  EXPECT_EQ(pit_num_threads(), 1024);
  pit_set_num_threads(-3);
  EXPECT_GE(pit_num_threads(), 1);
}

TEST_F(Threads, Chunks) {
  // One part where the work is short, one for each thread, several for each.
  EXPECT_EQ(pitChunkOfRange(1000, 1, 100, 4), 1000);
  EXPECT_EQ(pitChunkOfRange(1000, 1, 300, 4), 250);
  EXPECT_EQ(pitChunkOfRange(1000, 1, 10000, 4), 63);
  EXPECT_EQ(pitChunkOfRange(1000, 64, 10000, 4), 64);
  EXPECT_EQ(pitChunkOfRange(1, 1, kMuch, 64), 1);
  EXPECT_EQ(pitChunkOfRange(INT64_MAX / 2, 8, INT64_MAX, 2) % 8, 0);
}

/// A task's part of the result, and how often the busiest thread computes one.
TEST_F(Threads, ProductsAreCutEvenly) {
  struct Case {
    int64_t batches, m, n, k, threads;
  };
  for (Case c : {Case{1, 4096, 4096, 4096, 64}, Case{1, 4096, 4096, 64, 3},
                 Case{1, 100000, 64, 64, 16}, Case{1, 64, 100000, 64, 16},
                 Case{3, 512, 512, 512, 2}, Case{12, 128, 128, 64, 8},
                 Case{1, 1, 65536, 4096, 4}, Case{1, 2048, 2048, 2048, 96}}) {
    int64_t rows, columns;
    pitSplitProduct(c.batches, c.m, c.n, c.k, 6, 16, c.threads, &rows,
                    &columns);
    EXPECT_TRUE(rows % 6 == 0 || rows == c.m);
    EXPECT_TRUE(columns % 16 == 0 || columns == c.n);
    int64_t tasks =
        c.batches * ((c.m + rows - 1) / rows) * ((c.n + columns - 1) / columns);
    int64_t rounds = (tasks + c.threads - 1) / c.threads;
    double time = double(rounds) * double(rows) * double(columns);
    double ideal =
        double(c.batches) * double(c.m) * double(c.n) / double(c.threads);
    EXPECT_LE(time, 1.35 * ideal)
        << c.batches << " x " << c.m << " x " << c.n << " x " << c.k << " on "
        << c.threads << ": " << rows << " x " << columns;
  }
}

TEST_F(Threads, SmallProductsAreNotCut) {
  int64_t rows, columns;
  pitSplitProduct(1, 64, 64, 64, 6, 16, 8, &rows, &columns);
  EXPECT_EQ(rows, 64);
  EXPECT_EQ(columns, 64);
  pitSplitProduct(1, 0, 64, 64, 6, 16, 8, &rows, &columns);
  EXPECT_EQ(rows, 1);
  pitSplitProduct(0, 64, 0, 64, 6, 16, 8, &rows, &columns);
  EXPECT_EQ(columns, 1);
  EXPECT_EQ(pit_rt_task_rows(1, 64, 64, 64, 6, 16), 64);
  EXPECT_EQ(pit_rt_task_columns(1, 64, 64, 64, 6, 16), 64);
}

} // namespace
