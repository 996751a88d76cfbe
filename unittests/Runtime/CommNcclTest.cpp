//===- CommNcclTest.cpp - Communicators made from those of NCCL -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommFixture.h"

extern "C" void fake_nccl_create(int ranks, void **members);

namespace {

struct CommNccl : Comm {
  /// Calls `body` for each rank with a communicator from NCCL.
  void forNccl(int32_t ranks, int32_t maps,
               const std::function<void(Rank &)> &body, int64_t limit = 10000) {
    std::vector<void *> members(ranks);
    fake_nccl_create(ranks, members.data());
    forRanks(ranks, [&](Rank &rank) {
      ASSERT_EQ(pit_comm_from_nccl(rank.context, members[rank.number], limit,
                                   maps, &rank.comm),
                PIT_OK)
          << rank.error();
      EXPECT_EQ(pit_comm_rank(rank.comm), rank.number);
      EXPECT_EQ(pit_comm_ranks(rank.comm), ranks);
      body(rank);
      pit_comm_destroy(rank.comm);
    });
  }
};

/// What is gathered and shared is the same with mapped memory and without.
void exchange(Rank &rank, int32_t ranks) {
  pit_comm_buffer *all = nullptr, *own = nullptr;
  ASSERT_EQ(pit_comm_buffer_create(rank.comm, 4 * ranks, 4, &all), PIT_OK);
  ASSERT_EQ(pit_comm_buffer_create(rank.comm, 272, 272, &own), PIT_OK);
  for (int32_t round = 0; round < 50; ++round) {
    auto *mine = static_cast<int32_t *>(own->own);
    mine[3] = 100 * round + rank.number;
    ASSERT_EQ(pit_comm_gather(rank.comm, rank.stream, all, 0, mine + 3, 4),
              PIT_OK);
    ASSERT_EQ(pit_comm_share(rank.comm, rank.stream, own), PIT_OK);
    ASSERT_EQ(pit_comm_barrier(rank.comm, rank.stream, 0), PIT_OK);
    for (int32_t peer = 0; peer < ranks; ++peer) {
      ASSERT_EQ(static_cast<int32_t *>(all->own)[peer], 100 * round + peer);
      ASSERT_EQ(reinterpret_cast<int32_t *>(static_cast<char *>(own->parts) +
                                            peer * own->pitch)[3],
                100 * round + peer);
    }
    ASSERT_EQ(pit_comm_barrier(rank.comm, rank.stream, 1), PIT_OK);
  }
}

TEST_F(CommNccl, MovesOrMaps) {
  for (int32_t ranks : {1, 2, 3, 4})
    for (int32_t maps : {0, 1})
      forNccl(ranks, maps, [&](Rank &rank) {
        EXPECT_EQ(pit_comm_maps(rank.comm), maps);
        exchange(rank, ranks);
      });
}

TEST_F(CommNccl, MovesWhereOneRankCannotMap) {
  for (const char *function :
       {"cuMemCreate", "cuMemImportFromShareableHandle", "cuMemSetAccess"}) {
    fake_cuda_fail(function, 1, 801);
    forNccl(3, 1, [&](Rank &rank) {
      EXPECT_EQ(pit_comm_maps(rank.comm), 0) << function;
      EXPECT_EQ(pit_context_status(rank.context), PIT_OK) << rank.error();
      exchange(rank, 3);
    });
  }
}

TEST_F(CommNccl, AllReduces) {
  forNccl(4, 1, [&](Rank &rank) {
    pit_comm_buffer *buffer = nullptr;
    ASSERT_EQ(pit_comm_buffer_create(rank.comm, 64, 1, &buffer), PIT_OK);
    auto *values = static_cast<float *>(buffer->own);
    values[0] = 1.5f;
    values[1] = float(rank.number);
    ASSERT_EQ(pit_comm_all_reduce(rank.comm, rank.stream, values, values + 4, 2,
                                  PIT_DTYPE_F32),
              PIT_OK);
    EXPECT_EQ(values[4], 6);
    EXPECT_EQ(values[5], 6);
    EXPECT_EQ(pit_comm_all_reduce(rank.comm, rank.stream, values, values, 1,
                                  PIT_DTYPE_I1),
              PIT_ERROR_INVALID_ARGUMENT);
    EXPECT_NE(rank.error().find("of type i1"), std::string::npos);
    EXPECT_EQ(pit_comm_status(rank.comm), PIT_OK);
  });
}

TEST_F(CommNccl, NeedsNcclToAdd) {
  forComms(2, [&](Rank &rank) {
    float value = 0;
    EXPECT_EQ(pit_comm_all_reduce(rank.comm, rank.stream, &value, &value, 1,
                                  PIT_DTYPE_F32),
              PIT_ERROR_UNSUPPORTED);
    EXPECT_NE(rank.error().find("needs a communicator made from one of NCCL"),
              std::string::npos);
  });
  forRanks(1, [&](Rank &rank) {
    pit_comm *comm = nullptr;
    EXPECT_EQ(pit_comm_from_nccl(rank.context, nullptr, 100, 1, &comm),
              PIT_ERROR_INVALID_ARGUMENT);
  });
}

TEST_F(CommNccl, ALateRankIsAnErrorOnAll) {
  auto before = std::chrono::steady_clock::now();
  for (int32_t maps : {0, 1})
    forNccl(
        3, maps,
        [&](Rank &rank) {
          if (rank.number == 2)
            while (pit_comm_status(rank.comm) == PIT_OK)
              std::this_thread::sleep_for(std::chrono::milliseconds(1));
          else
            EXPECT_NE(pit_comm_barrier(rank.comm, rank.stream, 0), PIT_OK);
          EXPECT_EQ(pit_comm_status(rank.comm), PIT_ERROR_DEVICE);
        },
        200);
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5));
}

} // namespace
