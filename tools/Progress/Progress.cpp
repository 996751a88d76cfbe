//===- Progress.cpp - What a tool is doing when it takes long -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Progress.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

using namespace pit::tools;

static StepReporter::Time getNow() {
  return std::chrono::steady_clock::now().time_since_epoch();
}

//===----------------------------------------------------------------------===//
// What, and when
//===----------------------------------------------------------------------===//

void StepReporter::begin(std::string newStep, unsigned newCount, Time now) {
  step = std::move(newStep);
  count = newCount;
  current = 1;
  begun = now;
  wait = threshold;
}

std::string StepReporter::report(Time now) {
  if (!isActive() || now < getNext())
    return "";
  while (wait.count() > 0 && getNext() <= now)
    wait *= 2;
  std::string line = step;
  if (count > 0)
    line += " " + std::to_string(std::min(current, count)) + " of " +
            std::to_string(count);
  if (auto seconds = int64_t((now - begun).count()))
    line += " (since " + std::to_string(seconds) + " s)";
  return line;
}

//===----------------------------------------------------------------------===//
// On stderr
//===----------------------------------------------------------------------===//

std::optional<double> pit::tools::getDefaultThreshold() {
  if (isatty(STDERR_FILENO))
    return 2.0;
  return std::nullopt;
}

Progress::Progress(std::optional<double> threshold, Print print)
    : reporter(StepReporter::Time(threshold.value_or(0))),
      print(std::move(print)), isSilent(!threshold) {
  // What is reported at once needs nobody who waits.
  if (threshold && *threshold > 0)
    watcher = std::thread([this] { watch(); });
}

Progress::Progress(std::optional<double> threshold, const std::string &tool)
    : Progress(threshold, [tool](const std::string &line) {
        std::fprintf(stderr, "%s: %s\n", tool.c_str(), line.c_str());
      }) {}

Progress::~Progress() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isOver = true;
  }
  changed.notify_one();
  if (watcher.joinable())
    watcher.join();
}

void Progress::printLine() {
  std::string line = reporter.report(getNow());
  if (!line.empty())
    print(line);
}

void Progress::watch() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!isOver) {
    if (!reporter.isActive()) {
      changed.wait(lock);
      continue;
    }
    // Clocks count no centuries.
    changed.wait_for(lock, std::min(reporter.getNext() - getNow(),
                                    StepReporter::Time(3600)));
    if (!isOver)
      printLine();
  }
}

void Progress::begin(std::string step, unsigned count) {
  if (isSilent)
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    reporter.begin(std::move(step), count, getNow());
    printLine();
  }
  changed.notify_one();
}

void Progress::advance() {
  if (isSilent)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  reporter.advance();
  // Without a watcher, everything is reported at once.
  if (!watcher.joinable())
    printLine();
}
