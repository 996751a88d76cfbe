//===- Progress.h - What a tool is doing when it takes long -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PROGRESS_PROGRESS_H
#define PIT_TOOLS_PROGRESS_PROGRESS_H

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace pit::tools {

/// Decides what is reported of the steps of a tool, and when. The caller has
/// the clock.
class StepReporter {
public:
  using Time = std::chrono::duration<double>;

  explicit StepReporter(Time threshold) : threshold(threshold) {}

  /// Starts a step; one with a count is done so often.
  void begin(std::string step, unsigned count, Time now);
  /// Goes on to the next of the count.
  void advance() { ++current; }
  /// Nothing is going on.
  void end() { step.clear(); }
  bool isActive() const { return !step.empty(); }

  /// The line that is due, empty for none: the first one when a step takes
  /// longer than the threshold, then each time that has doubled.
  std::string report(Time now);
  /// When to ask again, if the step is not over before.
  Time getNext() const { return begun + wait; }

private:
  Time threshold, begun{0}, wait{0};
  std::string step;
  unsigned count = 0, current = 0;
};

/// Reports on stderr what takes longer than the threshold, while it does.
class Progress {
public:
  using Print = std::function<void(const std::string &)>;

  /// In seconds: 0 reports everything at once, none reports nothing.
  /// `print` takes one line, and is called by one thread at a time.
  Progress(std::optional<double> threshold, Print print);
  /// Lines go to stderr, behind the name of the tool.
  Progress(std::optional<double> threshold, const std::string &tool);
  ~Progress();
  Progress(const Progress &) = delete;

  void begin(std::string step, unsigned count = 0);
  void advance();

private:
  void watch();
  void printLine();

  StepReporter reporter;
  Print print;
  bool isSilent, isOver = false;
  std::mutex mutex;
  std::condition_variable changed;
  std::thread watcher;
};

/// After how many seconds a step is reported where nobody asked: on a terminal
/// two. A file, or another program, wants no such lines.
std::optional<double> getDefaultThreshold();

} // namespace pit::tools

#endif // PIT_TOOLS_PROGRESS_PROGRESS_H
