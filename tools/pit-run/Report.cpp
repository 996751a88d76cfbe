//===- Report.cpp - What each rule skipped --------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include <algorithm>
#include <cstdio>
#include <tuple>

using namespace pit::run;

//===----------------------------------------------------------------------===//
// Static facts
//===----------------------------------------------------------------------===//

void pit::run::nameRules(const std::vector<Rule> &rules, pit_context *context) {
  for (const Rule &rule : rules)
    if (!rule.location.empty())
      pit_context_name_rule(context, rule.pattern, rule.location.c_str());
}

std::vector<pit_rule_record> pit::run::readRecords(pit_context *context) {
  std::vector<pit_rule_record> records(
      pit_context_records(context, nullptr, 0));
  pit_context_records(context, records.data(), records.size());
  return records;
}

RuleTimes pit::run::readTimes(pit_context *context) {
  // The numbers that --pit-lower-detect and --pit-time-rules give to timers.
  constexpr int64_t kFirstPattern = int64_t(1) << 32;
  constexpr int64_t kFirstDenseVariant = int64_t(1) << 33;
  RuleTimes times;
  for (const pit_rule_record &record : readRecords(context)) {
    if (record.timed == 0)
      continue;
    double mean = double(record.nanoseconds) / double(record.timed) * 1e-6;
    if (record.rule >= kFirstDenseVariant)
      times.denseVariants[record.rule - kFirstDenseVariant] = mean;
    else if (record.rule >= kFirstPattern)
      times.patterns[record.rule - kFirstPattern] = mean;
    else
      times.rules[record.rule] = mean;
  }
  return times;
}

RuleTimes pit::run::getLeast(RuleTimes times, const RuleTimes &others) {
  for (auto kind :
       {&RuleTimes::rules, &RuleTimes::denseVariants, &RuleTimes::patterns})
    for (auto [number, time] : others.*kind) {
      double &least = (times.*kind).try_emplace(number, time).first->second;
      least = std::min(least, time);
    }
  return times;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static std::string format(const char *how, double value) {
  char text[64];
  std::snprintf(text, sizeof(text), how, value);
  return text;
}

static std::string percent(int64_t part, int64_t whole) {
  return whole <= 0 ? "-"
                    : format("%.1f%%", 100.0 * double(part) / double(whole));
}

static std::string milliseconds(double value) { return format("%.3f", value); }

/// Up to how much is live a rule skips.
static std::string limit(const Rule &rule) {
  if (!rule.mostLive)
    return "-";
  return *rule.mostLive ? percent(*rule.mostLive, 1000) : "never";
}

/// Which variant of a rule ran, as far as it was timed.
static std::string getVariant(const RuleTimes &times, int64_t rule) {
  bool sparse = times.rules.count(rule),
       dense = times.denseVariants.count(rule);
  return sparse && dense ? "both" : sparse ? "sparse" : dense ? "dense" : "";
}

static std::optional<double> findTime(const RuleTimes &times, int64_t rule) {
  for (const auto &found : {times.rules, times.denseVariants})
    if (auto it = found.find(rule); it != found.end())
      return it->second;
  return std::nullopt;
}

/// Prints rows in columns as wide as their widest entry.
static void printTable(const std::vector<std::vector<std::string>> &rows) {
  std::vector<size_t> widths(rows.front().size(), 0);
  for (const std::vector<std::string> &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  for (const std::vector<std::string> &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    std::printf("%s\n", line.c_str());
  }
}

std::vector<RuleLine>
pit::run::collectLines(const std::vector<Rule> &rules,
                       const std::vector<pit_rule_record> &records,
                       const RuleTimes &sparse, const RuleTimes &dense) {
  std::vector<RuleLine> lines;
  auto add = [&](const Rule &rule, const pit_rule_record &record) {
    lines.push_back({rule, record, getVariant(sparse, rule.id),
                     findTime(sparse, rule.id), findTime(dense, rule.id)});
  };
  // Every rule shows the coverage of its pattern; a record without a rule still
  // gets its line.
  for (const pit_rule_record &record : records) {
    if (record.indexes == 0)
      continue;
    bool named = false;
    for (const Rule &rule : rules)
      if (rule.pattern == record.rule) {
        add(rule, record);
        named = true;
      }
    if (!named)
      add(Rule{record.rule, record.rule, "", "", "", ""}, record);
  }
  // Nothing is looked for where all that a pattern governs is dense anyway.
  for (const Rule &rule : rules)
    if (rule.mostLive && *rule.mostLive == 0 &&
        std::none_of(lines.begin(), lines.end(), [&](const RuleLine &line) {
          return line.rule.id == rule.id;
        }))
      add(rule, pit_rule_record{});
  return lines;
}

/// The lines that matter most, in their order.
static std::vector<RuleLine> pickLines(const std::vector<RuleLine> &lines,
                                       size_t most) {
  if (lines.size() <= most)
    return lines;
  std::vector<size_t> order(lines.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  auto getWeight = [&](size_t i) {
    return std::make_tuple(-lines[i].dense.value_or(0),
                           -lines[i].getNumSkipped(), i);
  };
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return getWeight(a) < getWeight(b); });
  order.resize(most);
  std::sort(order.begin(), order.end());
  std::vector<RuleLine> picked;
  for (size_t i : order)
    picked.push_back(lines[i]);
  return picked;
}

static std::string spellWaste(const RuleLine &line) {
  const pit_rule_record &record = line.record;
  if (record.covered_elements > 0)
    return percent(record.covered_elements - record.live_elements,
                   record.covered_elements);
  return line.rule.microTileElements == 1 && record.indexes > 0 ? "0.0%" : "-";
}

static std::vector<std::string> spellLine(const RuleLine &line) {
  auto orDash = [](const std::string &text) {
    return text.empty() ? std::string("-") : text;
  };
  auto time = [](const std::optional<double> &value) {
    return value ? milliseconds(*value) : std::string("-");
  };
  const Rule &rule = line.rule;
  const pit_rule_record &record = line.record;
  return {std::to_string(rule.id),
          orDash(rule.location),
          orDash(rule.kind),
          orDash(rule.axis),
          orDash(rule.microTile),
          record.indexes
              ? std::to_string(record.live) + "/" + std::to_string(record.total)
              : "-",
          record.indexes ? percent(line.getNumSkipped(), record.total) : "-",
          spellWaste(line),
          limit(rule),
          orDash(line.ran),
          time(line.sparse),
          time(line.dense),
          time(line.bound)};
}

void pit::run::printReport(const std::vector<RuleLine> &lines, size_t most,
                           const std::vector<pit_rule_record> &records,
                           const RuleTimes &sparse,
                           const std::optional<BenchResult> &timing) {
  if (lines.empty()) {
    std::printf("report: no rule applies, the program is computed densely; "
                "docs/Troubleshooting.md has the usual reasons\n");
  } else {
    std::vector<std::vector<std::string>> table;
    table.push_back({"rule", "location", "kind", "PIT-axis", "micro-tile",
                     "live/total", "skipped", "waste", "sparse up to", "ran",
                     "sparse ms", "dense ms", "bound ms"});
    for (const RuleLine &line : pickLines(lines, most))
      table.push_back(spellLine(line));
    printTable(table);
    if (lines.size() > most)
      std::printf("report: %zu more rules; --report=all prints them\n",
                  lines.size() - most);
    // Of a pattern that several rules share, micro-tiles count once, and as
    // skipped where any of them skips.
    int64_t skipped = 0, total = 0;
    for (const pit_rule_record &record : records) {
      if (record.indexes == 0)
        continue;
      total += record.total;
      int64_t most = 0;
      for (const RuleLine &line : lines)
        if (line.rule.pattern == record.rule && line.record.indexes)
          most = std::max(most, line.getNumSkipped());
      skipped += most;
    }
    std::printf("report: skipped %lld of %lld micro-tiles (%s)\n",
                static_cast<long long>(skipped), static_cast<long long>(total),
                percent(skipped, total).c_str());
    for (const pit_rule_record &record : records)
      if (auto it = sparse.patterns.find(record.rule);
          it != sparse.patterns.end())
        std::printf("report: pattern %lld was found in %.3f ms\n",
                    static_cast<long long>(record.rule), it->second);
  }
  if (timing && timing->dense)
    std::printf("report: whole program: sparse %.3f ms, dense %.3f ms\n",
                timing->sparse, *timing->dense);
  std::fflush(stdout);
}
