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

/// Runs cases and counts them.
class Cases {
public:
  /// Only cases whose "family: name" contains `filter` run.
  explicit Cases(std::string filter) : filter(std::move(filter)) {}

  /// Runs one case in a process of its own; a signal or a wait of more than
  /// ten seconds is a failure.
  void run(const std::string &family, const std::string &name,
           const std::string &outcome, const Body &body);

  int numCases() const;
  int numFailures() const;
  bool write(const std::string &path) const;
  void print() const;

private:
  std::string filter;
  std::map<std::string, Family> families;
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
void tryDescriptors(Cases &cases, const std::string &folder);
void tryShapes(Cases &cases, const std::string &folder);
void tryPlacement(Cases &cases, const std::string &folder);
void tryDamagedObjects(Cases &cases, const std::string &folder);
void tryThreads(Cases &cases, const std::string &folder);

} // namespace pit::abuse

#endif // PIT_UNITTESTS_ABUSE_CASES_H
