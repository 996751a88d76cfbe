//===- Progress.h - What pit-run is doing when it takes long ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_PROGRESS_H
#define PIT_TOOLS_PIT_RUN_PROGRESS_H

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace pit::run {

/// Decides what is said of the steps of a run, and when. The caller has the
/// clock.
class StepTeller {
public:
  using Time = std::chrono::duration<double>;

  explicit StepTeller(Time threshold) : threshold(threshold) {}

  /// Starts a step; one with a count is done so often.
  void begin(std::string step, unsigned count, Time now);
  /// Goes on to the next of the count.
  void advance() { ++current; }
  /// Nothing is going on.
  void end() { step.clear(); }
  bool isActive() const { return !step.empty(); }

  /// The line that is due, empty for none: the first one when a step takes
  /// longer than the threshold, then each time that has doubled.
  std::string tell(Time now);
  /// When to ask again, if the step is not over before.
  Time getNext() const { return begun + wait; }

private:
  Time threshold, begun{0}, wait{0};
  std::string step;
  unsigned count = 0, current = 0;
};

/// Says on stderr what takes longer than the threshold, while it does.
class Progress {
public:
  /// In seconds: 0 says everything at once, none says nothing.
  /// `print` takes one line, and is called by one thread at a time.
  explicit Progress(std::optional<double> threshold,
                    std::function<void(const std::string &)> print = onStderr);
  ~Progress();
  Progress(const Progress &) = delete;

  void begin(std::string step, unsigned count = 0);
  void advance();

private:
  static void onStderr(const std::string &line);
  void watch();
  void say();

  StepTeller teller;
  std::function<void(const std::string &)> print;
  bool isSilent, isOver = false;
  std::mutex mutex;
  std::condition_variable changed;
  std::thread watcher;
};

} // namespace pit::run

#endif // PIT_TOOLS_PIT_RUN_PROGRESS_H
