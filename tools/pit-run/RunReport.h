//===- RunReport.h - A run as a page, and as data ---------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_RUNREPORT_H
#define PIT_TOOLS_PIT_RUN_RUNREPORT_H

#include "Launches.h"
#include "Options.h"
#include "Report.h"

#include "PIT/Support/Explain.h"

namespace mlir::pit::run {

/// What is known of a run, as far as it came.
struct RunReport {
  /// The function that ran.
  std::string entry;
  std::shared_ptr<Explanation> explanation;
  std::vector<::pit::run::RuleLine> lines;
  ::pit::run::RuleTimes times;
  std::optional<::pit::run::BenchResult> timing;
  llvm::json::Array patterns;
  /// Of a device; none with a reason where they are not known.
  std::vector<Launch> launches;
  std::string whyNoLaunches;
  /// Of the CPU, what bounds of ops are computed from.
  std::optional<::pit::run::HostRates> hostRates;
  /// What went wrong; empty if nothing did.
  std::string error;
};

/// Measures what the machine does at most, on the CPU, and adds bytes,
/// operations and bounds to the explanation's ops and to the lines of rules.
void addBounds(RunReport &report, ModuleOp program, StringRef entry,
               const ::pit::run::Options &options,
               const ::pit::run::CudaDevice *device,
               const std::vector<::pit::npy::Array> &inputs);

/// Says in a line what bounds of rules are computed from.
void printRates(llvm::raw_ostream &os, const ::pit::run::HostRates &rates);

/// Writes the page or the data that the options ask for, and next to a page the
/// data and a trace for Perfetto. False, with a message, where that is not
/// possible. `device` is null for the CPU.
bool writeRunReport(const RunReport &report, const ::pit::run::Options &options,
                    const ::pit::run::CudaDevice *device, std::string &error);

} // namespace mlir::pit::run

#endif // PIT_TOOLS_PIT_RUN_RUNREPORT_H
