//===- CommProcessTest.cpp - Ranks that are processes ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommFixture.h"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace {

/// Starts a process for each rank and returns them. The test has no other
/// threads then.
std::vector<pid_t> startRanks(int32_t ranks,
                              const std::function<int(Rank &)> &body,
                              const pit_comm_id &id, int64_t limit) {
  std::vector<pid_t> started;
  for (int32_t i = 0; i < ranks; ++i) {
    pid_t child = fork();
    if (child == 0) {
      Rank rank(i);
      if (pit_comm_create(rank.context, &id, i, ranks, limit, &rank.comm))
        _exit(100);
      int code = body(rank);
      pit_comm_destroy(rank.comm);
      _exit(fake_cuda_live() ? 101 : code);
    }
    started.push_back(child);
  }
  return started;
}

int waitForExit(pid_t process) {
  int status = 0;
  waitpid(process, &status, 0);
  return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

TEST_F(Comm, ProcessesShareMemory) {
  for (int32_t ranks : {2, 4}) {
    auto processes = startRanks(
        ranks,
        [&](Rank &rank) {
          pit_comm_buffer *buffer = nullptr;
          if (pit_comm_buffer_create(rank.comm, 1 << 20, 4096, &buffer))
            return 1;
          for (int round = 0; round < 200; ++round) {
            static_cast<int32_t *>(buffer->own)[1000] =
                1000 * round + rank.number;
            if (pit_comm_barrier(rank.comm, rank.stream, 0))
              return 2;
            for (int32_t peer = 0; peer < ranks; ++peer)
              if (reinterpret_cast<int32_t *>(
                      static_cast<char *>(buffer->parts) +
                      peer * buffer->pitch)[1000] != 1000 * round + peer)
                return 3;
            if (pit_comm_barrier(rank.comm, rank.stream, 1))
              return 4;
          }
          return pit_comm_check(rank.comm, rank.stream) ? 5 : 0;
        },
        id, 10000);
    for (pid_t process : processes)
      EXPECT_EQ(waitForExit(process), 0);
  }
}

TEST_F(Comm, AKilledRankIsAnErrorOnTheOthers) {
  auto before = std::chrono::steady_clock::now();
  // The limit is long: the end of a process is seen at once.
  auto processes = startRanks(
      3,
      [](Rank &rank) {
        pit_comm_buffer *buffer = nullptr;
        if (pit_comm_buffer_create(rank.comm, 1 << 20, 1, &buffer))
          return 1;
        for (int32_t round = 0;; ++round) {
          if (rank.number == 1 && round == 50)
            raise(SIGKILL);
          if (pit_comm_barrier(rank.comm, rank.stream, round % 2))
            break;
        }
        // Memory of the dead is still there.
        static_cast<volatile char *>(buffer->parts)[buffer->pitch] = 1;
        return rank.error().find("rank 1 has ended") != std::string::npos ? 7
                                                                          : 8;
      },
      id, 60000);
  EXPECT_EQ(waitForExit(processes[0]), 7);
  EXPECT_EQ(waitForExit(processes[1]), 1000 + SIGKILL);
  EXPECT_EQ(waitForExit(processes[2]), 7);
  EXPECT_LT(std::chrono::steady_clock::now() - before,
            std::chrono::seconds(20));
}

TEST_F(Comm, AStoppedRankIsAnErrorAfterTheLimit) {
  auto before = std::chrono::steady_clock::now();
  auto processes = startRanks(
      2,
      [](Rank &rank) {
        if (rank.number == 1)
          raise(SIGSTOP);
        // The one that was stopped may still find the signal of the other.
        int32_t first = pit_comm_barrier(rank.comm, rank.stream, 0);
        if (rank.number == 0 && first != PIT_ERROR_DEVICE)
          return 9;
        return pit_comm_barrier(rank.comm, rank.stream, 1) == PIT_ERROR_DEVICE
                   ? 7
                   : 8;
      },
      id, 500);
  EXPECT_EQ(waitForExit(processes[0]), 7);
  kill(processes[1], SIGCONT);
  EXPECT_EQ(waitForExit(processes[1]), 7);
  EXPECT_LT(std::chrono::steady_clock::now() - before,
            std::chrono::seconds(20));
}

} // namespace
