//===- Report.h - What each rule skipped ------------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_REPORT_H
#define PIT_TOOLS_PIT_RUN_REPORT_H

#include "Bench.h"

#include "pit_runtime.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pit::run {

/// What the compiler knows of a rule. Fields that it did not say are empty.
struct Rule {
  int64_t id;
  /// The pattern that the rule runs over; the runtime's records are per
  /// pattern.
  int64_t pattern;
  std::string location, kind, axis, microTile;
  /// Elements per micro-tile, 0 when not known.
  int64_t microTileElements = 0;
  /// Where there is a dense variant: how many of a thousand micro-tiles may be
  /// live before it runs; 0 where nothing else was compiled.
  std::optional<int64_t> mostLive = std::nullopt;
};

/// Makes runtime messages name the rules' locations.
void nameRules(const std::vector<Rule> &rules, pit_context *context);

/// Returns the records of the runs since the last reset.
std::vector<pit_rule_record> readRecords(pit_context *context);

/// Milliseconds by number: of rules, of their dense variants, and of the
/// detection of patterns.
struct RuleTimes {
  std::map<int64_t, double> rules, denseVariants, patterns;
};
/// Means since the last reset.
RuleTimes readTimes(pit_context *context);
/// The least of two runs: other work of the machine only adds to times.
RuleTimes getLeast(RuleTimes times, const RuleTimes &others);

/// A rule, and what it did. A pattern without a rule has a line, too.
struct RuleLine {
  Rule rule;
  /// Of the pattern; `indexes` is 0 where nothing was looked for.
  pit_rule_record record{};
  /// Which variant ran: "sparse", "dense" or "both"; empty if not timed.
  std::string ran;
  /// Milliseconds of the sparse program's ops, and of the dense one's.
  std::optional<double> sparse, dense;
  /// Of the dense op: multiplications and additions, bytes of its operands, and
  /// the milliseconds that the longer of both takes at the machine's peak.
  std::optional<double> flops = {}, bytes = {}, bound = {};
  bool isBoundByProducts = false;

  int64_t getNumSkipped() const {
    return ran == "dense" ? 0 : record.total - record.live;
  }
};
std::vector<RuleLine> collectLines(const std::vector<Rule> &rules,
                                   const std::vector<pit_rule_record> &records,
                                   const RuleTimes &sparse,
                                   const RuleTimes &dense);

/// Prints a line for each of the `most` rules that take longest in the dense
/// program, in the program's order, and totals of all. `timing` is the result
/// of --bench.
void printReport(const std::vector<RuleLine> &lines, size_t most,
                 const std::vector<pit_rule_record> &records,
                 const RuleTimes &sparse,
                 const std::optional<BenchResult> &timing);

} // namespace pit::run

#endif // PIT_TOOLS_PIT_RUN_REPORT_H
