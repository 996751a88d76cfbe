//===- Cases.h - What is tried, each in a process of its own ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_ABUSE_CASES_H
#define PIT_UNITTESTS_ABUSE_CASES_H

#include "pit_runtime.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace pit::abuse {

/// What a case gives: empty for the outcome that was expected, else how it
/// differs.
using Body = std::function<std::string()>;

/// Counts of one family.
struct Family {
  int cases = 0, failures = 0;
  /// What is promised, and how often a case expected it.
  std::map<std::string, int> outcomes;
};

/// Whether a case may leave its process as it was, so that others can follow.
enum class Process { Shared, Own };

/// Runs cases and counts them.
class Cases {
public:
  /// Only cases whose "family: name" contains `filter` run.
  explicit Cases(std::string filter) : filter(std::move(filter)) {}

  /// Runs one case in a process of its own; a signal or a wait of more than
  /// ten seconds is a failure.
  void run(const std::string &family, const std::string &name,
           const std::string &outcome, const Body &body,
           Process process = Process::Shared);

  /// Runs all cases that `enumerate` runs, which must be the same ones each
  /// time: up to `perProcess` in one process, `jobs` processes at a time. A
  /// process that ends early costs the case that it was at.
  void runInBatches(const std::function<void(Cases &)> &enumerate, int jobs,
                    int perProcess);

  int numCases() const;
  int numFailures() const;
  bool write(const std::string &path) const;
  void print() const;

private:
  struct Entry {
    std::string family, name, outcome;
    Process process;
  };
  struct Batch;

  void count(const Entry &entry, const std::string &difference);
  /// Begins a process for cases from `first` on, before `last`.
  Batch start(const std::function<void(Cases &)> &enumerate, size_t first,
              size_t last);

  enum class Mode { Each, List, Part } mode = Mode::Each;
  std::string filter;
  std::map<std::string, Family> families;
  /// In the mode List, all of them.
  std::vector<Entry> list;
  /// In the mode Part: the case that comes next, those to run, and where the
  /// answers go.
  size_t next = 0, first = 0, last = 0;
  int answers = -1;
};

/// Memory between two pages that nobody may touch, so that reading or writing
/// beyond it ends the process. Lives as long as the process.
class Guarded {
public:
  /// `bytes` that end at the page behind them, or begin at the one before.
  explicit Guarded(size_t bytes, bool atEnd = true);
  void *data() const { return memory; }
  /// From now on, writing ends the process.
  void protect();

private:
  char *memory;
  char *pages;
  size_t pageBytes;
};

/// The families. `folder` has the compiled programs.
void tryPatterns(Cases &cases, const std::string &folder);
void tryLengths(Cases &cases, const std::string &folder);
void tryLists(Cases &cases, const std::string &folder);
void tryDescriptors(Cases &cases, const std::string &folder);
void tryShapes(Cases &cases, const std::string &folder);
void tryPlacement(Cases &cases, const std::string &folder);
void tryDamagedObjects(Cases &cases, const std::string &folder);
void tryThreads(Cases &cases, const std::string &folder);
/// What only a device has: streams, captures, a workspace.
void tryStreams(Cases &cases, const std::string &folder);
void tryWorkspace(Cases &cases, const std::string &folder);

} // namespace pit::abuse

#endif // PIT_UNITTESTS_ABUSE_CASES_H
