//===- Report.cpp - What each rule skipped --------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace mlir;
using namespace mlir::pit::run;

//===----------------------------------------------------------------------===//
// Static facts
//===----------------------------------------------------------------------===//

/// Spells an attribute for people: extents as 32x1, locations as file:line:col.
static std::string spell(Attribute attribute) {
  if (!attribute)
    return "";
  if (auto text = dyn_cast<StringAttr>(attribute))
    return text.getValue().str();
  if (auto number = dyn_cast<IntegerAttr>(attribute))
    return std::to_string(number.getValue().getSExtValue());
  if (auto extents = dyn_cast<DenseI64ArrayAttr>(attribute)) {
    std::string text;
    for (int64_t extent : extents.asArrayRef())
      text += (text.empty() ? "" : "x") + std::to_string(extent);
    return text;
  }
  if (auto list = dyn_cast<ArrayAttr>(attribute)) {
    std::string text;
    for (Attribute element : list)
      text += (text.empty() ? "" : "x") + spell(element);
    return text;
  }
  if (auto location = dyn_cast<LocationAttr>(attribute))
    if (auto place = location.findInstanceOf<FileLineColLoc>())
      return (llvm::sys::path::filename(place.getFilename()) + ":" +
              llvm::Twine(place.getLine()) + ":" +
              llvm::Twine(place.getColumn()))
          .str();
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

std::vector<Rule> mlir::pit::run::readRules(ModuleOp module, StringRef entry) {
  std::vector<Rule> rules;
  Operation *function = module.lookupSymbol(entry);
  auto list =
      function ? function->getAttrOfType<ArrayAttr>("pit.rules") : ArrayAttr();
  if (!list)
    return rules;
  for (Attribute attribute : list) {
    auto facts = dyn_cast<DictionaryAttr>(attribute);
    auto id = facts ? facts.getAs<IntegerAttr>("id") : IntegerAttr();
    auto pattern = facts ? facts.getAs<IntegerAttr>("pattern") : IntegerAttr();
    if (!id || !pattern)
      continue;
    Rule rule{id.getInt(),
              pattern.getInt(),
              spell(facts.get("loc")),
              spell(facts.get("kind")),
              spell(facts.get("axis")),
              spell(facts.get("micro_tile"))};
    if (auto tile = facts.getAs<DenseI64ArrayAttr>("micro_tile")) {
      rule.microTileElements = 1;
      for (int64_t extent : tile.asArrayRef())
        rule.microTileElements *= extent;
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

void mlir::pit::run::nameRules(const std::vector<Rule> &rules,
                               pit_context *context) {
  for (const Rule &rule : rules)
    if (!rule.location.empty())
      pit_context_name_rule(context, rule.pattern, rule.location.c_str());
}

std::vector<pit_rule_record> mlir::pit::run::readRecords(pit_context *context) {
  std::vector<pit_rule_record> records(
      pit_context_records(context, nullptr, 0));
  pit_context_records(context, records.data(), records.size());
  return records;
}

RuleTimes mlir::pit::run::readTimes(pit_context *context) {
  // The numbers that --pit-lower-detect gives to the timers of patterns.
  constexpr int64_t kFirstPattern = int64_t(1) << 32;
  RuleTimes times;
  for (const pit_rule_record &record : readRecords(context)) {
    if (record.timed == 0)
      continue;
    double mean = double(record.nanoseconds) / double(record.timed) * 1e-6;
    if (record.rule >= kFirstPattern)
      times.patterns[record.rule - kFirstPattern] = mean;
    else
      times.rules[record.rule] = mean;
  }
  return times;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static std::string percent(int64_t part, int64_t whole) {
  if (whole <= 0)
    return "-";
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("%.1f%%", 100.0 * double(part) / double(whole));
  return text;
}

static std::string milliseconds(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.3f", value);
  return text;
}

/// Prints rows in columns as wide as their widest entry.
static void printTable(ArrayRef<std::vector<std::string>> rows,
                       llvm::raw_ostream &os) {
  std::vector<size_t> widths(rows.front().size(), 0);
  for (const std::vector<std::string> &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  for (const std::vector<std::string> &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
    os << StringRef(line).rtrim() << "\n";
  }
}

void mlir::pit::run::printReport(const std::vector<Rule> &rules,
                                 const std::vector<pit_rule_record> &records,
                                 const RuleTimes &sparse,
                                 const RuleTimes &dense,
                                 const std::optional<BenchResult> &timing,
                                 llvm::raw_ostream &os) {
  // Every rule shows the coverage of its pattern; a record without a rule still
  // gets its line.
  std::vector<std::pair<Rule, pit_rule_record>> lines;
  int64_t live = 0, total = 0;
  for (const pit_rule_record &record : records) {
    if (record.indexes == 0)
      continue;
    live += record.live;
    total += record.total;
    bool named = false;
    for (const Rule &rule : rules)
      if (rule.pattern == record.rule) {
        lines.emplace_back(rule, record);
        named = true;
      }
    if (!named)
      lines.emplace_back(Rule{record.rule, record.rule, "", "", "", ""},
                         record);
  }

  std::vector<std::vector<std::string>> table;
  table.push_back({"rule", "location", "kind", "PIT-axis", "micro-tile",
                   "live/total", "skipped", "waste", "sparse ms", "dense ms"});
  auto timeOf = [](const llvm::DenseMap<int64_t, double> &times, int64_t id) {
    auto it = times.find(id);
    return it == times.end() ? std::string("-") : milliseconds(it->second);
  };
  for (const auto &[rule, record] : lines) {
    auto orDash = [](const std::string &text) {
      return text.empty() ? std::string("-") : text;
    };
    std::string waste = "-";
    if (record.covered_elements > 0)
      waste = percent(record.covered_elements - record.live_elements,
                      record.covered_elements);
    else if (rule.microTileElements == 1 && record.indexes > 0)
      waste = "0.0%";
    table.push_back(
        {std::to_string(rule.id), orDash(rule.location), orDash(rule.kind),
         orDash(rule.axis), orDash(rule.microTile),
         record.indexes
             ? std::to_string(record.live) + "/" + std::to_string(record.total)
             : "-",
         record.indexes ? percent(record.total - record.live, record.total)
                        : "-",
         waste, timeOf(sparse.rules, rule.id), timeOf(dense.rules, rule.id)});
  }

  if (lines.empty()) {
    os << "report: no rule applies, the program is computed densely\n";
  } else {
    printTable(table, os);
    os << "report: skipped " << total - live << " of " << total
       << " micro-tiles (" << percent(total - live, total) << ")\n";
    for (const pit_rule_record &record : records)
      if (auto it = sparse.patterns.find(record.rule);
          it != sparse.patterns.end())
        os << "report: pattern " << record.rule << " was found in "
           << milliseconds(it->second) << " ms\n";
  }
  if (timing)
    os << "report: whole program: sparse "
       << milliseconds(timing->sparseMilliseconds) << " ms, dense "
       << milliseconds(timing->denseMilliseconds) << " ms\n";
}
