//===- RunReport.cpp - A run as a page, and as data -----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunReport.h"

#include "PIT/Support/ReportPage.h"

#include "llvm/Support/Format.h"

#include <set>

using namespace mlir;
using namespace mlir::pit::run;
using llvm::json::fixUTF8;
using mlir::pit::CardModel;
using mlir::pit::ChipModel;
using mlir::pit::ChipTable;
using mlir::pit::Explanation;
using mlir::pit::F32Products;
using mlir::pit::PeakRates;
using ::pit::run::RuleLine;

static llvm::json::Array toJSON(const std::vector<RuleLine> &lines) {
  llvm::json::Array rules;
  for (const RuleLine &line : lines) {
    llvm::json::Object rule{
        {"id", line.rule.id},
        {"pattern", line.rule.pattern},
        {"location", fixUTF8(line.rule.location)},
        {"kind", fixUTF8(line.rule.kind)},
        {"axis", fixUTF8(line.rule.axis)},
        {"micro_tile", fixUTF8(line.rule.microTile)},
        {"live", line.record.live},
        {"total", line.record.total},
        {"skipped", line.getNumSkipped()},
        {"live_elements", line.record.live_elements},
        {"covered_elements", line.record.covered_elements},
        {"ran", line.ran},
    };
    if (line.sparse)
      rule["sparse_ms"] = *line.sparse;
    if (line.dense)
      rule["dense_ms"] = *line.dense;
    if (line.flops)
      rule["flops"] = *line.flops;
    if (line.bytes)
      rule["bytes"] = *line.bytes;
    if (line.bound) {
      rule["bound_ms"] = *line.bound;
      rule["bound_by"] = line.isBoundByProducts ? "products" : "memory";
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

/// What was timed, in the program's order and one after the other: a pattern is
/// found before its first rule.
static llvm::json::Array makeTimeline(const RunReport &report) {
  llvm::json::Array timeline;
  std::set<int64_t> found;
  double now = 0;
  auto add = [&](const std::string &name, double time) {
    timeline.push_back(llvm::json::Object{
        {"name", fixUTF8(name)}, {"start_ms", now}, {"ms", time}});
    now += time;
  };
  for (const RuleLine &line : report.lines) {
    auto it = report.times.patterns.find(line.rule.pattern);
    if (it != report.times.patterns.end() &&
        found.insert(line.rule.pattern).second)
      add("detection of pattern " + std::to_string(line.rule.pattern),
          it->second);
    if (line.sparse)
      add("rule " + std::to_string(line.rule.id) + " (" + line.ran + ") at " +
              line.rule.location,
          *line.sparse);
  }
  for (const Launch &launch : report.launches)
    if (launch.time >= 0)
      timeline.push_back(llvm::json::Object{
          {"name", fixUTF8(launch.kernel + " at " + launch.place)},
          {"start_ms", launch.start},
          {"ms", launch.time}});
  return timeline;
}

/// The timeline in the Trace Event Format, which Perfetto opens.
static llvm::json::Object makeTrace(const llvm::json::Array &timeline,
                                    StringRef where) {
  constexpr double kMicroseconds = 1000;
  llvm::json::Array events;
  events.push_back(llvm::json::Object{
      {"name", "thread_name"},
      {"ph", "M"},
      {"pid", 1},
      {"tid", 1},
      {"args", llvm::json::Object{{"name", fixUTF8(where)}}}});
  for (const llvm::json::Value &value : timeline) {
    const llvm::json::Object &entry = *value.getAsObject();
    events.push_back(llvm::json::Object{
        {"name", *entry.getString("name")},
        {"ph", "X"},
        {"pid", 1},
        {"tid", 1},
        {"ts", *entry.getNumber("start_ms") * kMicroseconds},
        {"dur", *entry.getNumber("ms") * kMicroseconds},
    });
  }
  return llvm::json::Object{{"displayTimeUnit", "ms"},
                            {"traceEvents", std::move(events)}};
}

static F32Products getF32Products(const ::pit::run::Options &options) {
  StringRef text = options.kernelPipeline;
  if (text.contains("f32-products=tf32x3"))
    return F32Products::TF32x3;
  return text.contains("f32-products=tf32") ? F32Products::TF32
                                            : F32Products::Threads;
}

static const CardModel *findCard(const ::pit::run::Options &options,
                                 const ::pit::run::CudaDevice &device) {
  const CardModel *card = ChipTable::get().findCard(device.getInfo().name);
  const ChipModel *chip = ChipTable::get().find(options.chip);
  return card || !chip ? card : chip->card;
}

void mlir::pit::run::addBounds(RunReport &report, ModuleOp program,
                               StringRef entry,
                               const ::pit::run::Options &options,
                               const ::pit::run::CudaDevice *device,
                               const std::vector<::pit::npy::Array> &inputs) {
  std::optional<PeakRates> rates;
  if (!device) {
    report.hostRates = ::pit::run::measureHostRates();
    rates = getPeakRates(*report.hostRates);
  } else if (const CardModel *card = findCard(options, *device)) {
    rates = mlir::pit::getPeakRates(*card, getF32Products(options));
  }
  if (rates)
    addWork(*report.explanation, program, entry, inputs, *rates);
  for (RuleLine &line : report.lines) {
    const Explanation::Work *work =
        report.explanation->findWork(line.rule.location);
    if (!work)
      continue;
    if (!work->multiplied.empty())
      line.flops = work->flops;
    line.bytes = work->bytes;
    line.bound = work->bound;
    line.isBoundByProducts = work->isBoundByProducts;
  }
}

void mlir::pit::run::printRates(llvm::raw_ostream &os,
                                const ::pit::run::HostRates &rates) {
  os << "report: bounds are of dense ops on " << rates.threads
     << (rates.threads == 1 ? " thread that does " : " threads that do ")
     << llvm::format("%.0f", rates.f32) << " GFLOPS of f32 and read "
     << llvm::format("%.0f", rates.memory.front().rate) << " to "
     << llvm::format("%.0f", rates.memory.back().rate)
     << " GB/s, as measured\n";
}

static llvm::json::Object toJSON(const ::pit::run::HostRates &rates) {
  llvm::json::Array memory;
  for (const ::pit::run::HostRates::Memory &size : rates.memory)
    memory.push_back(llvm::json::Object{{"bytes", size.bytes},
                                        {"gigabytes_per_second", size.rate}});
  return llvm::json::Object{{"threads", rates.threads},
                            {"gigaflops_f32", rates.f32},
                            {"gigaflops_f64", rates.f64},
                            {"memory", std::move(memory)}};
}

/// The card that bounds are of: the device, or what stands for the chip.
static llvm::json::Object describeDevice(const CardModel &card,
                                         const ::pit::run::CudaDevice &device) {
  StringRef name = device.getInfo().name;
  return llvm::json::Object{
      {"name", fixUTF8(name)},
      {"card", card.name},
      {"is_card", ChipTable::get().findCard(name) == &card},
      {"gigabytes_per_second", card.memoryRate},
  };
}

bool mlir::pit::run::writeRunReport(const RunReport &report,
                                    const ::pit::run::Options &options,
                                    const ::pit::run::CudaDevice *device,
                                    std::string &error) {
  llvm::json::Object all = report.explanation
                               ? report.explanation->toJSON()
                               : mlir::pit::Explanation().toJSON();
  all["version"] = mlir::pit::kReportVersion;
  all["program"] = llvm::json::Object{
      {"file", fixUTF8(options.file)},
      {"entry", fixUTF8(report.entry)},
      {"target", device ? fixUTF8(options.chip) : "the CPU"}};
  all["rules"] = toJSON(report.lines);
  all["patterns"] = llvm::json::Array(report.patterns);
  llvm::json::Array timeline = makeTimeline(report);
  llvm::json::Object trace =
      makeTrace(timeline, device ? device->getInfo().name : "rules on the CPU");
  all["timeline"] = std::move(timeline);
  if (report.hostRates)
    all["machine"] = toJSON(*report.hostRates);
  if (const CardModel *card = device ? findCard(options, *device) : nullptr) {
    all["device"] = describeDevice(*card, *device);
    all["launches"] = mlir::pit::run::describeLaunches(report.launches, *card,
                                                       getF32Products(options));
    if (!report.whyNoLaunches.empty())
      all["no_launches"] = fixUTF8(report.whyNoLaunches);
  }
  if (report.timing) {
    llvm::json::Object bench{{"sparse_ms", report.timing->sparse}};
    if (report.timing->dense)
      bench["dense_ms"] = *report.timing->dense;
    all["bench"] = std::move(bench);
  }
  if (!report.error.empty())
    all["error"] = fixUTF8(report.error);
  StringRef path = options.reportFile;
  if (!mlir::pit::writeReport(path, all, error))
    return false;
  if (!path.consume_back(".html"))
    return true;
  return mlir::pit::writeReport((path + ".json").str(), all, error) &&
         mlir::pit::writeReport((path + ".trace.json").str(), trace, error);
}
