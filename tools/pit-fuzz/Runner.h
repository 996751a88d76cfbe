//===- Runner.h - One program, sparse and as it is written ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_FUZZ_RUNNER_H
#define PIT_TOOLS_PIT_FUZZ_RUNNER_H

#include "Device.h"
#include "Interpreter.h"
#include "Npy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::pit::fuzz {

/// The attribute of a function with the options of `pit-to-cpu`, or of
/// `pit-to-cuda`, that it is compiled with.
constexpr llvm::StringLiteral kPipelineAttrName = "pipeline";

enum class Outcome {
  Agrees,
  /// Nothing more was asked for.
  Compiled,
  /// The interpreter has no answer: an op that it does not know, or too many
  /// points.
  Skipped,
  /// The generator made something that the verifier refuses.
  Invalid,
  /// What docs/Reliability.md says is not compiled, with the error that it
  /// names.
  Refused,
  /// Another error on a valid program.
  Diagnostic,
  /// The compiled program reported an error to the runtime.
  RuntimeError,
  Mismatch,
  /// Another run of the same code on the same arguments gives other bits.
  Unstable,
  /// A program that was printed and read again between two passes gives
  /// something else.
  Roundtrip,
  /// A call whose arguments do not fit was made.
  Accepted,
  /// A call wrote what it may not write, or left memory behind.
  Damage,
  /// An attribute is neither refused, nor warned of, nor understood.
  Ignored,
  /// A program's gradients are not those of its outputs: the generator's
  /// mistake.
  WrongGradient,
  Crash,
  Hang
};
constexpr int kNumOutcomes = int(Outcome::Hang) + 1;

StringRef stringify(Outcome outcome);
std::optional<Outcome> symbolizeOutcome(StringRef name);
/// Whether it is nobody's fault.
inline bool isGood(Outcome outcome) {
  return outcome == Outcome::Agrees || outcome == Outcome::Compiled ||
         outcome == Outcome::Skipped || outcome == Outcome::Refused;
}

struct Verdict {
  Outcome outcome = Outcome::Agrees;
  std::string message;
  /// Elements of results: compared, of these not bit by bit, and not promised.
  int64_t compared = 0, inexact = 0, exempt = 0;
  /// The number of the call that failed, -1 for none.
  int64_t call = -1;
  /// Whether nothing more can run in the process: after an error of a kernel,
  /// CUDA answers every call with that error.
  bool isLast = false;
};

/// Faults planted into a run, so that tests see that it can fail.
enum class Fault { None, Result, Reference, Rerun, Crash, Hang };

struct RunOptions {
  /// LLVM's level for the sparse program's code.
  unsigned optLevel = 0;
  /// Print and read the program again in front of a pass with this number,
  /// modulo how many there are. What is left of the number says how it is
  /// printed, and whether clean-ups run between the passes behind that.
  std::optional<uint64_t> cut;
  Fault fault = Fault::None;
  /// Kernels for this chip, run on a device. Empty for the CPU.
  std::string chip;
  /// The device, where the caller has opened one; otherwise each check does.
  ::pit::run::CudaDevice *device = nullptr;
  /// Options of the pipeline that new programs are given, after those of their
  /// seed.
  std::string pipeline;
  /// How often to run again and compare bits.
  unsigned reruns = 0;
  /// Compile, and do not run.
  bool compileOnly = false;
  /// Call programs with arguments that do not fit, too.
  bool wrongArguments = false;
  /// Put attributes into programs that may mean nothing there.
  bool wrongMarks = false;
  /// Compare rules with those of the program with another extent of 1.
  bool unitExtents = false;
  /// Programs are forward passes with their backward.
  bool gradients = false;
  /// How much the interpreter may compute.
  int64_t maxPoints = 1000000;
};

/// Adds to the options of the pipeline that `main` is compiled with.
void addPipelineOptions(ModuleOp program, StringRef options);

/// The limit that a diagnostic stands for, empty for none that is known.
StringRef findLimit(StringRef diagnostic);

/// A copy of the program in which marks that are attributes are ops. Null where
/// one cannot be read.
OwningOpRef<ModuleOp> materializeMarks(ModuleOp program);

/// Compares one result; on failure the message says where.
bool compareResult(size_t number, const Tensor &reference,
                   const ::pit::npy::Array &result, Verdict &verdict);

/// Compiles and runs `main`, and compares it with what the interpreter makes of
/// it. The module is left as it is.
Verdict check(ModuleOp program, const RunOptions &options);

/// Lowers a copy of a program to the LLVM dialect; with a cut it is printed
/// and parsed on its way, with a chip it launches kernels for that. Fails with
/// the diagnostics as text.
llvm::Expected<OwningOpRef<ModuleOp>>
lower(ModuleOp program, const std::string &chip, std::optional<uint64_t> cut);

} // namespace mlir::pit::fuzz

#endif // PIT_TOOLS_PIT_FUZZ_RUNNER_H
