//===- Launches.h - What a program launches, for reports --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_LAUNCHES_H
#define PIT_TOOLS_PIT_RUN_LAUNCHES_H

#include "Device.h"
#include "Executable.h"
#include "HostRates.h"

#include "PIT/GPU/OpBounds.h"
#include "PIT/Support/Explain.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::pit::run {

/// A launch of this run.
struct Launch {
  std::string kernel;
  /// Of the op that the kernel was made for, as remarks spell it.
  std::string place;
  /// What remarks call the kernel; empty where they say nothing of it.
  std::string family;
  int64_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  int64_t sharedBytes = 0;
  /// Of all buffers that the launch is given, each once and whole. A kernel
  /// that skips reads less.
  double bytes = 0;
  /// Multiplications and additions of the product, as if nothing were skipped,
  /// and the type of what is multiplied; 0 and null of other kernels.
  double flops = 0;
  Type multiplied;
  /// Milliseconds of the device; negative if not timed.
  double start = 0, time = -1;
};

/// The launches of an entry point, in order, for these inputs. `kernels` is
/// what `--pit-to-ptx` leaves. Empty, with a reason, where the host part is
/// more than a list of launches.
std::vector<Launch> readLaunches(ModuleOp kernels, StringRef entry,
                                 const std::vector<::pit::npy::Array> &inputs,
                                 std::string &whyNot);

/// Adds what the program's products compute to the launches that take them.
void addProducts(std::vector<Launch> &launches, ModuleOp program,
                 StringRef entry, const std::vector<::pit::npy::Array> &inputs,
                 const Explanation &explanation);

/// The same of a core, as it was measured.
PeakRates getPeakRates(const ::pit::run::HostRates &rates);

/// Notes bytes, operations and bounds of the program's ops for these inputs.
void addWork(Explanation &explanation, ModuleOp program, StringRef entry,
             const std::vector<::pit::npy::Array> &inputs,
             const PeakRates &rates);

/// Adds which family a launch is of.
void addFamilies(std::vector<Launch> &launches, const Explanation &explanation);

/// Runs a few times and notes how long each launch took; they run one after the
/// other then. False, with an error, where a run fails.
bool timeLaunches(std::vector<Launch> &launches,
                  ::pit::run::Executable &program,
                  const std::vector<::pit::npy::Array> &inputs,
                  pit_context *context, std::string &error);

/// Prints how long the timed launches took, and the `most` longest ones.
void printLaunches(llvm::raw_ostream &os, const std::vector<Launch> &launches,
                   size_t most, const ::pit::run::CudaDevice *device);

/// `launches` of docs/report.schema.json, with bounds of the card.
llvm::json::Array describeLaunches(const std::vector<Launch> &launches,
                                   const CardModel &card, F32Products f32);

} // namespace mlir::pit::run

#endif // PIT_TOOLS_PIT_RUN_LAUNCHES_H
