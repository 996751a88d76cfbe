//===- Progress.cpp - What pit-run is doing when it takes long ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Progress.h"

#include <algorithm>
#include <cstdio>

using namespace pit::run;

static StepTeller::Time getNow() {
  return std::chrono::steady_clock::now().time_since_epoch();
}

//===----------------------------------------------------------------------===//
// What, and when
//===----------------------------------------------------------------------===//

void StepTeller::begin(std::string newStep, unsigned newCount, Time now) {
  step = std::move(newStep);
  count = newCount;
  current = 1;
  begun = now;
  wait = threshold;
}

std::string StepTeller::tell(Time now) {
  if (!isActive() || now < getNext())
    return "";
  while (wait.count() > 0 && getNext() <= now)
    wait *= 2;
  std::string line = step;
  if (count > 0)
    line += " " + std::to_string(current) + " of " + std::to_string(count);
  if (auto seconds = int64_t((now - begun).count()))
    line += " (since " + std::to_string(seconds) + " s)";
  return line;
}

//===----------------------------------------------------------------------===//
// On stderr
//===----------------------------------------------------------------------===//

Progress::Progress(std::optional<double> threshold,
                   std::function<void(const std::string &)> print)
    : teller(StepTeller::Time(threshold.value_or(0))), print(std::move(print)),
      isSilent(!threshold) {
  // What is said at once needs nobody who waits.
  if (threshold && *threshold > 0)
    watcher = std::thread([this] { watch(); });
}

Progress::~Progress() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isOver = true;
  }
  changed.notify_one();
  if (watcher.joinable())
    watcher.join();
}

void Progress::say() {
  std::string line = teller.tell(getNow());
  if (!line.empty())
    print(line);
}

void Progress::onStderr(const std::string &line) {
  std::fprintf(stderr, "pit-run: %s\n", line.c_str());
}

void Progress::watch() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!isOver) {
    if (!teller.isActive()) {
      changed.wait(lock);
      continue;
    }
    // Clocks count no centuries.
    changed.wait_for(
        lock, std::min(teller.getNext() - getNow(), StepTeller::Time(3600)));
    if (!isOver)
      say();
  }
}

void Progress::begin(std::string step, unsigned count) {
  if (isSilent)
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    teller.begin(std::move(step), count, getNow());
    say();
  }
  changed.notify_one();
}

void Progress::advance() {
  if (isSilent)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  teller.advance();
  // Without a watcher, all is said at once.
  if (!watcher.joinable())
    say();
}
