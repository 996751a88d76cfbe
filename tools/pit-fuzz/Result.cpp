//===- Result.cpp - What a campaign found, as JSON ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::pit::fuzz;

int64_t Summary::numPrograms() const {
  int64_t count = 0;
  for (int64_t number : outcomes)
    count += number;
  return count;
}

int64_t Summary::numFailures() const {
  int64_t count = 0;
  for (int i = 0; i < kNumOutcomes; ++i)
    if (!isGood(Outcome(i)))
      count += outcomes[i];
  return count;
}

llvm::Error mlir::pit::fuzz::writeSummary(const Summary &summary,
                                          const CampaignOptions &options) {
  std::error_code error;
  llvm::raw_fd_ostream os(options.output, error);
  if (error)
    return llvm::createStringError(error,
                                   "cannot write '" + options.output + "'");
  llvm::json::OStream json(os, /*IndentSize=*/1);
  auto writeCounts = [&](StringRef name,
                         const std::map<std::string, int64_t> &counts) {
    json.attributeObject(name, [&] {
      for (const auto &[what, times] : counts)
        json.attribute(what, times);
    });
  };
  json.object([&] {
    json.attribute("schema", "pit-fuzz");
    json.attribute("version", 1);
    json.attribute("pit_version", PIT_VERSION);
    json.attribute("commit", options.commit);
    json.attributeArray("seeds", [&] {
      json.value(int64_t(summary.begin));
      json.value(int64_t(summary.end));
    });
    json.attribute("target",
                   options.run.chip.empty() ? "cpu" : options.run.chip);
    json.attribute("programs", summary.numPrograms());
    json.attribute("runs_of_each", int64_t(1 + options.run.reruns));
    json.attribute("jobs", int64_t(options.jobs));
    json.attribute("seconds", int64_t(summary.seconds));
    json.attributeObject("outcomes", [&] {
      for (int i = 0; i < kNumOutcomes; ++i)
        json.attribute(stringify(Outcome(i)), summary.outcomes[i]);
    });
    json.attributeObject("elements", [&] {
      json.attribute("compared", summary.compared);
      json.attribute("bit_exact", summary.compared - summary.inexact);
      json.attribute("within_bound", summary.inexact);
      json.attribute("not_promised", summary.exempt);
    });
    writeCounts("skips", summary.skips);
    json.attributeObject("refusals", [&] {
      for (const auto &refusal : summary.refusals)
        json.attributeObject(refusal.first, [&] {
          const auto &seeds = refusal.second;
          json.attribute("programs", int64_t(seeds.size()));
          std::vector<uint64_t> sorted(seeds);
          llvm::sort(sorted);
          json.attributeArray("first_seeds", [&] {
            for (uint64_t seed : ArrayRef<uint64_t>(sorted).take_front(20))
              json.value(int64_t(seed));
          });
        });
    });
    writeCounts("coverage", summary.coverage);
    json.attributeArray("failures", [&] {
      for (const Failure &failure : summary.failures)
        json.object([&] {
          json.attribute("seed", int64_t(failure.seed));
          json.attribute("outcome", stringify(failure.outcome));
          json.attribute("message", llvm::json::fixUTF8(failure.message));
        });
    });
  });
  os << "\n";
  return llvm::Error::success();
}
