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
  std::shared_ptr<Explanation> explanation;
  std::vector<::pit::run::RuleLine> lines;
  ::pit::run::RuleTimes times;
  std::optional<::pit::run::BenchResult> timing;
  llvm::json::Array patterns;
  /// Of a device; none with a reason where they are not known.
  std::vector<Launch> launches;
  std::string whyNoLaunches;
  /// What went wrong; empty if nothing did.
  std::string error;
};

/// Writes the page or the data that the options ask for, and next to a page the
/// data and a trace for Perfetto. False, with a message, where that is not
/// possible. `device` is null for the CPU.
bool writeRunReport(const RunReport &report, const ::pit::run::Options &options,
                    const ::pit::run::CudaDevice *device, std::string &error);

} // namespace mlir::pit::run

#endif // PIT_TOOLS_PIT_RUN_RUNREPORT_H
