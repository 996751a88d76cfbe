//===- CommTest.cpp - Tests of communicators ------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ranks are threads here, and processes in CommProcessTest.cpp. Memory of the
// fake driver is memory of the host, so that tests read and write it.
//
//===----------------------------------------------------------------------===//

#include "CommFixture.h"

#include <cstdlib>
#include <cstring>

namespace {

TEST_F(Comm, Ids) {
  pit_comm_id first, second;
  EXPECT_EQ(pit_comm_make_id(nullptr, &first), PIT_OK);
  EXPECT_EQ(pit_comm_make_id(nullptr, &second), PIT_OK);
  EXPECT_NE(std::memcmp(&first, &second, sizeof(first)), 0);
  EXPECT_EQ(pit_comm_name_id(nullptr, "host:29500", &first), PIT_OK);
  EXPECT_EQ(pit_comm_name_id(nullptr, "host:29500", &second), PIT_OK);
  EXPECT_EQ(std::memcmp(&first, &second, sizeof(first)), 0);
  EXPECT_EQ(pit_comm_name_id(nullptr, "host:29501", &second), PIT_OK);
  EXPECT_NE(std::memcmp(&first, &second, sizeof(first)), 0);
  EXPECT_EQ(pit_comm_make_id(nullptr, nullptr), PIT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(pit_comm_name_id(nullptr, nullptr, &first),
            PIT_ERROR_INVALID_ARGUMENT);
}

TEST_F(Comm, RefusesWrongNumbers) {
  struct {
    int32_t rank, ranks;
    int64_t limit;
  } wrong[] = {{0, 0, 100}, {-1, 2, 100}, {2, 2, 100}, {0, 65, 100}, {0, 1, 0}};
  for (auto &numbers : wrong)
    forRanks(1, [&](Rank &rank) {
      pit_comm *comm = nullptr;
      EXPECT_EQ(pit_comm_create(rank.context, &id, numbers.rank, numbers.ranks,
                                numbers.limit, &comm),
                PIT_ERROR_INVALID_ARGUMENT);
      EXPECT_EQ(comm, nullptr);
      EXPECT_NE(rank.error().find("no communicator has rank"),
                std::string::npos);
    });
}

TEST_F(Comm, MissingRanksAreAnError) {
  auto before = std::chrono::steady_clock::now();
  for (int32_t present : {0, 1})
    forRanks(1, [&](Rank &rank) {
      pit_comm *comm = nullptr;
      EXPECT_EQ(pit_comm_create(rank.context, &id, present, 2, 100, &comm),
                PIT_ERROR_DEVICE);
      EXPECT_NE(rank.error().find("after 100 ms"), std::string::npos)
          << rank.error();
    });
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5));
}

TEST_F(Comm, RanksThatDisagree) {
  forRanks(2, [&](Rank &rank) {
    pit_comm *comm = nullptr;
    EXPECT_NE(pit_comm_create(rank.context, &id, rank.number, 2 + rank.number,
                              500, &comm),
              PIT_OK);
    EXPECT_NE(rank.error().find("joins"), std::string::npos) << rank.error();
  });
}

TEST_F(Comm, OneRankTwice) {
  forRanks(1, [&](Rank &rank) {
    std::thread other([&] {
      forRanks(1, [&](Rank &same) {
        pit_comm *comm = nullptr;
        pit_comm_create(same.context, &id, 0, 2, 300, &comm);
      });
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    pit_comm *comm = nullptr;
    EXPECT_EQ(pit_comm_create(rank.context, &id, 0, 2, 300, &comm),
              PIT_ERROR_INVALID_ARGUMENT);
    EXPECT_NE(rank.error().find("is there already"), std::string::npos);
    other.join();
  });
}

TEST_F(Comm, BuffersAreOneArray) {
  for (int32_t ranks : {1, 2, 3, 4, 8})
    forComms(ranks, [&](Rank &rank) {
      pit_comm_buffer *buffer = nullptr;
      // A row of 272 bytes is no part of a page.
      ASSERT_EQ(pit_comm_buffer_create(rank.comm, 10 * 272, 272, &buffer),
                PIT_OK);
      EXPECT_EQ(buffer->pitch % 272, 0);
      EXPECT_GE(buffer->pitch, 10 * 272);
      EXPECT_EQ(static_cast<char *>(buffer->own),
                static_cast<char *>(buffer->parts) +
                    rank.number * buffer->pitch);
      auto *own = static_cast<int32_t *>(buffer->own);
      EXPECT_EQ(own[0], 0);
      EXPECT_EQ(own[10 * 272 / 4 - 1], 0);
      own[5] = 100 + rank.number;
      ASSERT_EQ(pit_comm_barrier(rank.comm, rank.stream, 0), PIT_OK);
      for (int32_t peer = 0; peer < ranks; ++peer) {
        auto *part = reinterpret_cast<int32_t *>(
            static_cast<char *>(buffer->parts) + peer * buffer->pitch);
        EXPECT_EQ(part[5], 100 + peer);
      }
      EXPECT_EQ(pit_comm_check(rank.comm, rank.stream), PIT_OK);
      ASSERT_EQ(pit_comm_barrier(rank.comm, rank.stream, 1), PIT_OK);
      EXPECT_EQ(pit_comm_buffer_destroy(rank.comm, buffer), PIT_OK);
    });
}

/// Each rank gathers 16 bytes of all, and looks at them.
static void gather(Rank &rank, int32_t rounds) {
  pit_comm_buffer *all = nullptr, *piece = nullptr;
  ASSERT_EQ(pit_comm_buffer_create(rank.comm, 64, 16, &all), PIT_OK);
  ASSERT_EQ(pit_comm_buffer_create(rank.comm, 16, 16, &piece), PIT_OK);
  for (int32_t round = 0; round < rounds; ++round) {
    auto *mine = static_cast<int32_t *>(piece->own);
    for (int i = 0; i < 4; ++i)
      mine[i] = round * 100 + rank.number * 10 + i;
    ASSERT_EQ(pit_comm_gather(rank.comm, rank.stream, all, 0, mine, 16),
              PIT_OK);
    ASSERT_EQ(pit_comm_barrier(rank.comm, rank.stream, 3), PIT_OK);
    for (int i = 0; i < 16; ++i)
      ASSERT_EQ(static_cast<int32_t *>(all->own)[i],
                round * 100 + i / 4 * 10 + i % 4);
    ASSERT_EQ(pit_comm_barrier(rank.comm, rank.stream, 4), PIT_OK);
  }
}

TEST_F(Comm, GathersAThousandTimes) {
  forComms(4, [](Rank &rank) { gather(rank, 1000); });
}

/// Whose device does not take the kernels signals and copies otherwise, beside
/// ranks that launch them.
TEST_F(Comm, ARankWithoutKernels) {
  const int before = fake_cuda_count("cuStreamBatchMemOp_v2");
  for (const char *function : {"cuModuleLoadDataEx", "cuModuleGetFunction"}) {
    fake_cuda_fail(function, 1, 222);
    forComms(4, [](Rank &rank) { gather(rank, 10); });
    EXPECT_EQ(fake_cuda_live(), 0);
  }
  EXPECT_EQ(fake_cuda_count("cuStreamBatchMemOp_v2") - before, 2 * 20);
}

TEST_F(Comm, RefusesWhatDoesNotFit) {
  forComms(2, [&](Rank &rank) {
    pit_comm_buffer *buffer = nullptr;
    ASSERT_EQ(pit_comm_buffer_create(rank.comm, 64, 1, &buffer), PIT_OK);
    for (int64_t offset : {-1, 1, 65})
      EXPECT_EQ(pit_comm_gather(rank.comm, rank.stream, buffer, offset,
                                buffer->own, 32),
                PIT_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(
        pit_comm_gather(rank.comm, rank.stream, nullptr, 0, buffer->own, 1),
        PIT_ERROR_INVALID_ARGUMENT);
    for (int32_t channel : {-1, PIT_COMM_CHANNELS})
      EXPECT_EQ(pit_comm_barrier(rank.comm, rank.stream, channel),
                PIT_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(pit_comm_barrier(rank.comm, rank.stream, 2), PIT_OK);
    EXPECT_EQ(pit_comm_barrier(rank.comm, rank.stream, 2),
              PIT_ERROR_INVALID_ARGUMENT);
    pit_comm_buffer stranger = {};
    EXPECT_EQ(pit_comm_buffer_destroy(rank.comm, &stranger),
              PIT_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(pit_comm_buffer_destroy(rank.comm, nullptr), PIT_OK);
    // None of it breaks the communicator.
    EXPECT_EQ(pit_comm_status(rank.comm), PIT_OK);
    EXPECT_EQ(pit_comm_barrier(rank.comm, rank.stream, 3), PIT_OK);
  });
}

TEST_F(Comm, BuffersThatDiffer) {
  forComms(3, [&](Rank &rank) {
    pit_comm_buffer *buffer = nullptr;
    EXPECT_EQ(pit_comm_buffer_create(rank.comm, 64 + rank.number, 1, &buffer),
              PIT_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(buffer, nullptr);
    EXPECT_NE(rank.error().find("wants a buffer of"), std::string::npos)
        << rank.error();
  });
}

TEST_F(Comm, DriverErrorsReachAll) {
  for (const char *function :
       {"cuMemCreate", "cuMemAddressReserve", "cuMemExportToShareableHandle",
        "cuMemMap", "cuMemImportFromShareableHandle", "cuMemSetAccess"}) {
    forComms(3, [&](Rank &rank) {
      if (rank.number == 0)
        fake_cuda_fail(function, 1, 2);
      ASSERT_EQ(pit_comm_barrier(rank.comm, rank.stream, 0), PIT_OK);
      pit_comm_buffer *buffer = nullptr;
      EXPECT_EQ(pit_comm_buffer_create(rank.comm, 64, 1, &buffer),
                PIT_ERROR_OUT_OF_MEMORY)
          << function;
      EXPECT_EQ(buffer, nullptr);
    });
    EXPECT_EQ(fake_cuda_live(), 0) << function;
  }
}

TEST_F(Comm, ABarrierThatIsLate) {
  auto before = std::chrono::steady_clock::now();
  forComms(
      3,
      [&](Rank &rank) {
        if (rank.number == 1) {
          // This one does something else.
          while (pit_comm_status(rank.comm) == PIT_OK)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          EXPECT_NE(rank.error().find("more than 200 ms"), std::string::npos)
              << rank.error();
          return;
        }
        EXPECT_EQ(pit_comm_barrier(rank.comm, rank.stream, 0),
                  PIT_ERROR_DEVICE);
        EXPECT_NE(rank.error().find("has waited at a barrier"),
                  std::string::npos)
            << rank.error();
        EXPECT_EQ(pit_comm_check(rank.comm, rank.stream), PIT_ERROR_DEVICE);
        pit_comm_buffer *buffer = nullptr;
        EXPECT_EQ(pit_comm_buffer_create(rank.comm, 64, 1, &buffer),
                  PIT_ERROR_DEVICE);
      },
      200);
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5));
}

TEST_F(Comm, AnAbortReachesAll) {
  forComms(3, [&](Rank &rank) {
    // The first may hear of it already.
    pit_comm_barrier(rank.comm, rank.stream, 1);
    if (rank.number == 2) {
      pit_comm_abort(rank.comm, "the data is gone");
      return;
    }
    EXPECT_EQ(pit_comm_barrier(rank.comm, rank.stream, 0), PIT_ERROR_DEVICE);
    EXPECT_NE(rank.error().find("rank 2: the data is gone"), std::string::npos)
        << rank.error();
  });
}

TEST_F(Comm, ADeviceErrorReachesAll) {
  forComms(2, [&](Rank &rank) {
    pit_comm_barrier(rank.comm, rank.stream, 1);
    if (rank.number == 1) {
      fake_cuda_fail("cuStreamQuery", 1, 700);
      EXPECT_EQ(pit_comm_check(rank.comm, rank.stream), PIT_ERROR_DEVICE);
      return;
    }
    EXPECT_EQ(pit_comm_barrier(rank.comm, rank.stream, 0), PIT_ERROR_DEVICE);
    EXPECT_NE(rank.error().find("illegal memory access"), std::string::npos)
        << rank.error();
  });
}

TEST_F(Comm, ARankThatLeaves) {
  forComms(3, [&](Rank &rank) {
    if (rank.number == 0)
      return;
    if (rank.number == 1) {
      // It says goodbye, and is missed when it is needed.
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      EXPECT_EQ(pit_comm_status(rank.comm), PIT_OK);
      EXPECT_EQ(pit_comm_barrier(rank.comm, rank.stream, 0), PIT_ERROR_DEVICE);
    } else {
      while (pit_comm_status(rank.comm) == PIT_OK)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_NE(rank.error().find("rank 0 has left"), std::string::npos)
        << rank.error();
  });
}

TEST_F(Comm, GraphsReplay) {
  forComms(3, [&](Rank &rank) {
    pit_comm_buffer *all = nullptr, *piece = nullptr;
    ASSERT_EQ(pit_comm_buffer_create(rank.comm, 12, 4, &all), PIT_OK);
    ASSERT_EQ(pit_comm_buffer_create(rank.comm, 4, 4, &piece), PIT_OK);
    auto *mine = static_cast<int32_t *>(piece->own);
    void *graph = nullptr, *executable = nullptr;
    ASSERT_EQ(cuStreamBeginCapture_v2(rank.stream, 2), 0);
    ASSERT_EQ(pit_comm_gather(rank.comm, rank.stream, all, 0, mine, 4), PIT_OK);
    ASSERT_EQ(pit_comm_barrier(rank.comm, rank.stream, 0), PIT_OK);
    ASSERT_EQ(pit_comm_barrier(rank.comm, rank.stream, 1), PIT_OK);
    ASSERT_EQ(cuStreamEndCapture(rank.stream, &graph), 0);
    ASSERT_EQ(cuGraphInstantiateWithFlags(&executable, graph, 0), 0);
    for (int32_t round = 0; round < 100; ++round) {
      *mine = round + 1000 * rank.number;
      ASSERT_EQ(cuGraphLaunch(executable, rank.stream), 0);
      ASSERT_EQ(pit_comm_check(rank.comm, rank.stream), PIT_OK);
      for (int32_t i = 0; i < 3; ++i)
        ASSERT_EQ(static_cast<int32_t *>(all->own)[i], round + 1000 * i);
      // Nobody sends the next before all have looked.
      ASSERT_EQ(pit_comm_barrier(rank.comm, rank.stream, 2), PIT_OK);
    }
    cuGraphDestroy(graph);
  });
}

static void pushAndAwait(Rank &rank, int64_t words) {
  constexpr int32_t kChannel = 5;
  pit_comm_buffer *all = nullptr, *piece = nullptr;
  ASSERT_EQ(pit_comm_buffer_create(rank.comm, 12 * words, 4, &all), PIT_OK);
  ASSERT_EQ(pit_comm_buffer_create(rank.comm, 4 * words, 4, &piece), PIT_OK);
  auto *mine = static_cast<int32_t *>(piece->own);
  auto *found = static_cast<int32_t *>(all->own);
  EXPECT_EQ(
      pit_comm_push(rank.comm, rank.stream, PIT_COMM_CHANNELS, all, 0, mine, 4),
      PIT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(
      pit_comm_push(rank.comm, rank.stream, kChannel, all, 4, mine, 4 * words),
      PIT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(pit_comm_await(rank.comm, rank.stream, -1),
            PIT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(pit_comm_arrivals(rank.comm, kChannel, nullptr),
            PIT_ERROR_INVALID_ARGUMENT);
  void *arrivals = nullptr;
  ASSERT_EQ(pit_comm_arrivals(rank.comm, kChannel, &arrivals), PIT_OK);
  auto *arrived = static_cast<int32_t *>(arrivals);
  auto push = [&] {
    pit_stream side = nullptr;
    ASSERT_EQ(pit_comm_fork(rank.comm, rank.stream, &side), PIT_OK);
    ASSERT_EQ(pit_comm_push(rank.comm, side, kChannel, all, 0, mine, 4 * words),
              PIT_OK);
    ASSERT_EQ(pit_comm_join_own(rank.comm, rank.stream), PIT_OK);
    ASSERT_EQ(pit_comm_await(rank.comm, rank.stream, kChannel), PIT_OK);
    ASSERT_EQ(pit_comm_join(rank.comm, rank.stream), PIT_OK);
  };
  void *graph = nullptr, *executable = nullptr;
  ASSERT_EQ(cuStreamBeginCapture_v2(rank.stream, 2), 0);
  push();
  ASSERT_EQ(cuStreamEndCapture(rank.stream, &graph), 0);
  ASSERT_EQ(cuGraphInstantiateWithFlags(&executable, graph, 0), 0);
  for (int32_t round = 0; round < 20; ++round) {
    mine[0] = mine[words - 1] = round + 1000 * rank.number;
    if (round % 2)
      push();
    else
      ASSERT_EQ(cuGraphLaunch(executable, rank.stream), 0);
    ASSERT_EQ(pit_comm_check(rank.comm, rank.stream), PIT_OK);
    for (int32_t i = 0; i < 3; ++i) {
      EXPECT_EQ(found[i * words], round + 1000 * i);
      EXPECT_EQ(found[(i + 1) * words - 1], round + 1000 * i);
      // They are taken back.
      EXPECT_EQ(arrived[i], 0);
    }
    // Nobody pushes the next before all have looked.
    ASSERT_EQ(pit_comm_barrier(rank.comm, rank.stream, round % 2), PIT_OK);
  }
  cuGraphDestroy(graph);
}

TEST_F(Comm, PushesSetWords) {
  // Few words are pushed by a kernel, 2 MiB are copied on several streams.
  for (int64_t words : {int64_t(4), int64_t(1) << 19})
    forComms(3, [=](Rank &rank) { pushAndAwait(rank, words); });
  // One rank's device does not take the kernels.
  const int before = fake_cuda_count("cuStreamBatchMemOp_v2");
  fake_cuda_fail("cuModuleLoadDataEx", 1, 222);
  forComms(3, [](Rank &rank) { pushAndAwait(rank, 4); });
  EXPECT_GT(fake_cuda_count("cuStreamBatchMemOp_v2"), before);
}

TEST_F(Comm, GathersBesideTheStream) {
  // 2 MiB are copied on several streams, and a graph records all of them.
  constexpr int64_t kWords = 1 << 19;
  forComms(2, [&](Rank &rank) {
    pit_comm_buffer *all = nullptr, *piece = nullptr;
    ASSERT_EQ(pit_comm_buffer_create(rank.comm, 8 * kWords, 4, &all), PIT_OK);
    ASSERT_EQ(pit_comm_buffer_create(rank.comm, 4 * kWords, 4, &piece), PIT_OK);
    auto *mine = static_cast<int32_t *>(piece->own);
    auto *found = static_cast<int32_t *>(all->own);
    auto push = [&] {
      pit_stream side = nullptr;
      ASSERT_EQ(pit_comm_fork(rank.comm, rank.stream, &side), PIT_OK);
      ASSERT_NE(side, rank.stream);
      ASSERT_EQ(pit_comm_gather(rank.comm, side, all, 0, mine, 4 * kWords),
                PIT_OK);
      ASSERT_EQ(pit_comm_barrier(rank.comm, side, 3), PIT_OK);
      ASSERT_EQ(pit_comm_barrier(rank.comm, rank.stream, 0), PIT_OK);
      ASSERT_EQ(pit_comm_join(rank.comm, rank.stream), PIT_OK);
      ASSERT_EQ(pit_comm_barrier(rank.comm, rank.stream, 1), PIT_OK);
    };
    void *graph = nullptr, *executable = nullptr;
    mine[0] = mine[kWords - 1] = -1;
    ASSERT_EQ(cuStreamBeginCapture_v2(rank.stream, 2), 0);
    push();
    ASSERT_EQ(cuStreamEndCapture(rank.stream, &graph), 0);
    EXPECT_EQ(found[0], 0);
    ASSERT_EQ(cuGraphInstantiateWithFlags(&executable, graph, 0), 0);
    for (int32_t round = 0; round < 20; ++round) {
      mine[0] = mine[kWords - 1] = round + 1000 * rank.number;
      if (round % 2)
        push();
      else
        ASSERT_EQ(cuGraphLaunch(executable, rank.stream), 0);
      ASSERT_EQ(pit_comm_check(rank.comm, rank.stream), PIT_OK);
      for (int32_t i = 0; i < 2; ++i) {
        EXPECT_EQ(found[i * kWords], round + 1000 * i);
        EXPECT_EQ(found[(i + 1) * kWords - 1], round + 1000 * i);
      }
      // Nobody sends the next before all have looked.
      ASSERT_EQ(pit_comm_barrier(rank.comm, rank.stream, 2), PIT_OK);
    }
    EXPECT_EQ(pit_comm_fork(rank.comm, rank.stream, nullptr),
              PIT_ERROR_INVALID_ARGUMENT);
    cuGraphDestroy(graph);
  });
}

} // namespace

int main(int argc, char **argv) {
  // Before anything opens the driver.
  setenv("PIT_CUDA_DRIVER", FAKE_CUDA_LIBRARY, 1);
  setenv("PIT_NCCL", FAKE_NCCL_LIBRARY, 1);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
