//===- Campaign.h - Many programs in processes of their own -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_FUZZ_CAMPAIGN_H
#define PIT_TOOLS_PIT_FUZZ_CAMPAIGN_H

#include "ProgramBuilder.h"
#include "Runner.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace mlir::pit::fuzz {

struct Failure {
  uint64_t seed;
  Outcome outcome;
  std::string message;
  /// The number of the call that failed, -1 for none.
  int64_t call;
};

/// What a range of seeds gave.
struct Summary {
  uint64_t begin = 0, end = 0;
  double seconds = 0;
  int64_t outcomes[kNumOutcomes] = {};
  int64_t compared = 0, inexact = 0, exempt = 0;
  Coverage coverage;
  std::map<std::string, int64_t> skips;
  /// Seeds of programs that were refused, by the limit.
  std::map<std::string, std::vector<uint64_t>> refusals;
  std::vector<Failure> failures;

  int64_t numPrograms() const;
  int64_t numFailures() const;
};

struct CampaignOptions {
  uint64_t begin = 0, end = 0;
  unsigned jobs = 1;
  /// Per program.
  int seconds = 20;
  /// No new programs are started after that many seconds, 0 for no limit.
  int totalSeconds = 0;
  /// Failing programs are written there, reduced. Empty for nowhere.
  std::string keep;
  /// Where results are written now and then. Empty for nowhere.
  std::string output;
  std::string commit;
  /// Seconds after which stderr says how many programs were run; never without.
  std::optional<double> reportAfter;
  /// How programs are compiled and run, as far as seeds do not say it.
  RunOptions run;
};

/// A context for generated programs.
std::unique_ptr<MLIRContext> makeContext();

/// The program of a seed, with the options that it is compiled with. Which
/// those are depends on `options.chip`.
OwningOpRef<ModuleOp> makeProgram(MLIRContext *context, uint64_t seed,
                                  RunOptions &options, Coverage &coverage);

/// Checks a program in the way that the options ask for.
Verdict checkAsAsked(ModuleOp program, const RunOptions &options,
                     Coverage &coverage);

/// Runs the programs of a range of seeds. Each may crash, or be killed when it
/// takes too long, which ends up in the summary.
Summary runCampaign(const CampaignOptions &options);

/// Runs `body` in a process of its own; its verdict, or that of its end.
Verdict runGuarded(int seconds, llvm::function_ref<Verdict()> body);

/// The chip that kernels are compiled for: `named`, or if that is empty the
/// best one for the device. With `needsDevice`, one must answer. Asks in a
/// process of its own, because a process that has called CUDA cannot fork.
llvm::Expected<std::string> findChip(const std::string &named,
                                     bool needsDevice);

/// Removes what a failure does not need, and writes the rest. The program is
/// left as it is where nothing smaller fails in the same way.
OwningOpRef<ModuleOp> reduce(ModuleOp program, const RunOptions &options,
                             int seconds, const Verdict &verdict);

/// Writes the summary as JSON.
llvm::Error writeSummary(const Summary &summary,
                         const CampaignOptions &options);

} // namespace mlir::pit::fuzz

#endif // PIT_TOOLS_PIT_FUZZ_CAMPAIGN_H
