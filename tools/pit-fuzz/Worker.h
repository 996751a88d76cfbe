//===- Worker.h - Processes that programs run in ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_FUZZ_WORKER_H
#define PIT_TOOLS_PIT_FUZZ_WORKER_H

#include "Campaign.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <chrono>
#include <optional>
#include <string>

namespace mlir::pit::fuzz {

/// What a child writes when it is through with a program: its verdict and its
/// coverage, as one line of JSON.
std::string encode(uint64_t seed, const Verdict &verdict,
                   const Coverage &coverage);
bool decode(StringRef line, uint64_t &seed, Verdict &verdict,
            Coverage &coverage);

/// Writes all of a text to a pipe, or ends the process.
void writeAll(int file, StringRef text);

/// A process that runs programs and reports each through a pipe.
class Worker {
public:
  /// Starts one that calls `body` with the pipe.
  explicit Worker(llvm::function_ref<void(int)> body);
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;
  /// Kills it where it has not been waited for.
  ~Worker();

  int getPipe() const { return pipe; }
  /// It has given a sign.
  void touch();
  /// Whether it has computed for that long without a sign. On a busy machine
  /// more time passes; who does not even compute has ten times as much. Time
  /// in which this was not asked, a few times a second, does not count.
  bool isSilent(int seconds);
  /// Reads what is there. False at the end.
  bool receive();
  std::optional<std::string> takeLine();
  /// Waits for its end and says how it was, empty when it was regular.
  std::string finish(bool kill);

private:
  double secondsComputed() const;

  int pid;
  int pipe;
  double computedThen = 0;
  std::string pending;
  std::chrono::steady_clock::time_point lastSign, lastAsked;
};

} // namespace mlir::pit::fuzz

#endif // PIT_TOOLS_PIT_FUZZ_WORKER_H
