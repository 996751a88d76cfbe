//===- pit-fuzz.cpp - Random programs against what they mean --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Makes random programs of level 1, compiles and runs each sparse, and compares
// the results with an interpreter of the program as it is written. Programs
// that fail are reduced and written as files that this tool runs again.
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"
#include "Progress.h"

#include "PIT/InitAllPasses.h"
#include "PIT/Pipelines/Pipelines.h"
#include "PIT/Support/ShortHelp.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"

#include "pit_runtime.h"

using namespace mlir;
using namespace mlir::pit::fuzz;

static int fail(const Twine &message) {
  llvm::errs() << "pit-fuzz: error: " << message << "\n";
  return 2;
}

namespace {
struct Options {
  llvm::cl::OptionCategory category{"pit-fuzz options"};
  llvm::cl::list<std::string> files{llvm::cl::Positional,
                                    llvm::cl::desc("[programs]"),
                                    llvm::cl::cat(category)};
  llvm::cl::opt<std::string> seeds{
      "seeds", llvm::cl::desc("Run the programs of these seeds"),
      llvm::cl::value_desc("FIRST:END"), llvm::cl::cat(category)};
  llvm::cl::opt<int64_t> seed{"seed", llvm::cl::desc("Run one seed's program"),
                              llvm::cl::init(-1), llvm::cl::cat(category)};
  llvm::cl::opt<bool> print{"print",
                            llvm::cl::desc("Print that program instead"),
                            llvm::cl::cat(category)};
  llvm::cl::opt<bool> reduce{
      "reduce", llvm::cl::desc("Print programs that fail, made smaller"),
      llvm::cl::cat(category)};
  llvm::cl::opt<unsigned> jobs{"jobs", llvm::cl::desc("Processes at a time"),
                               llvm::cl::init(1), llvm::cl::cat(category)};
  llvm::cl::opt<int> timeLimit{
      "time-limit", llvm::cl::desc("Seconds that a program may take"),
      llvm::cl::init(20), llvm::cl::cat(category)};
  llvm::cl::opt<int> totalTime{"total-time",
                               llvm::cl::desc("Seconds after which to stop"),
                               llvm::cl::init(0), llvm::cl::cat(category)};
  llvm::cl::opt<double> progress{
      "progress",
      llvm::cl::desc("Say on stderr how many programs of --seeds were run, "
                     "after so many seconds (2 on a terminal, else never)"),
      llvm::cl::value_desc("S"), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> keep{
      "keep", llvm::cl::desc("Write programs that fail here, made smaller"),
      llvm::cl::value_desc("folder"), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> output{"o", llvm::cl::desc("Write a summary here"),
                                    llvm::cl::value_desc("file"),
                                    llvm::cl::cat(category)};
  llvm::cl::opt<std::string> commit{
      "commit", llvm::cl::desc("What the summary says was tested"),
      llvm::cl::cat(category)};
  llvm::cl::opt<unsigned> optLevel{
      "opt-level", llvm::cl::desc("LLVM's level for the code of files"),
      llvm::cl::init(0), llvm::cl::cat(category)};
  llvm::cl::opt<int64_t> cut{
      "cut", llvm::cl::desc("Print and read files again in front of this pass"),
      llvm::cl::init(-1), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> target{
      "target", llvm::cl::desc("Where programs run: cpu or cuda"),
      llvm::cl::init("cpu"), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> chip{
      "chip",
      llvm::cl::desc("Compile kernels for this chip instead of the device's"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> pipeline{
      "pipeline",
      llvm::cl::desc("Options of --pit-to-cpu, or of --pit-to-cuda, for every "
                     "program, such as \"strict=true\""),
      llvm::cl::value_desc("options"), llvm::cl::cat(category)};
  llvm::cl::opt<bool> compileOnly{
      "compile-only",
      llvm::cl::desc("Compile programs and do not run them; no device needed"),
      llvm::cl::cat(category)};
  llvm::cl::opt<bool> wrongArguments{
      "wrong-arguments",
      llvm::cl::desc("Call programs with arguments that do not fit, too: each "
                     "is refused, with nothing written, or right"),
      llvm::cl::cat(category)};
  llvm::cl::opt<bool> wrongMarks{
      "wrong-marks",
      llvm::cl::desc("Put attributes into programs: each is refused, warned "
                     "of, or understood"),
      llvm::cl::cat(category)};
  llvm::cl::opt<bool> unitExtents{
      "unit-extents",
      llvm::cl::desc("Compare the rules of programs with those that they have "
                     "with another extent of 1, and run these"),
      llvm::cl::cat(category)};
  llvm::cl::opt<bool> gradients{
      "gradients",
      llvm::cl::desc("Make programs with their backward, as autograd writes "
                     "it; some are compared with differences"),
      llvm::cl::cat(category)};
  llvm::cl::opt<unsigned> reruns{
      "reruns", llvm::cl::desc("How often to run again and compare bits"),
      llvm::cl::init(0), llvm::cl::cat(category)};
  llvm::cl::opt<Fault> fault{
      "fault", llvm::cl::desc("Plant a fault that has to be found:"),
      llvm::cl::values(
          clEnumValN(Fault::Result, "result", "in one element of the results"),
          clEnumValN(Fault::Reference, "reference", "in the reference"),
          clEnumValN(Fault::Rerun, "rerun", "in the last of the reruns"),
          clEnumValN(Fault::Crash, "crash", "every program crashes"),
          clEnumValN(Fault::Hang, "hang", "no program ends")),
      llvm::cl::init(Fault::None), llvm::cl::cat(category)};
};
} // namespace

static void report(StringRef name, const Verdict &verdict) {
  llvm::outs() << name << ": " << stringify(verdict.outcome);
  if (!verdict.message.empty())
    llvm::outs() << ": " << verdict.message;
  llvm::outs() << " (" << verdict.compared << " elements compared, "
               << verdict.inexact << " of them within bounds, "
               << verdict.exempt << " not promised)\n";
  llvm::outs().flush();
}

/// Runs one program. 1 where it fails.
static int runProgram(StringRef name, ModuleOp program, const RunOptions &run,
                      const Options &options) {
  Coverage coverage;
  Verdict verdict = runGuarded(
      options.timeLimit, [&] { return checkAsAsked(program, run, coverage); });
  report(name, verdict);
  if (options.reduce && !run.wrongMarks && !run.unitExtents &&
      !isGood(verdict.outcome)) {
    OwningOpRef<ModuleOp> reduced =
        mlir::pit::fuzz::reduce(program, run, options.timeLimit, verdict);
    reduced->print(llvm::outs());
    llvm::outs() << "\n";
  }
  return !isGood(verdict.outcome);
}

static int runSeeds(const Options &options, const RunOptions &run) {
  CampaignOptions campaign;
  auto [first, last] = StringRef(options.seeds).split(':');
  if (first.getAsInteger(10, campaign.begin) ||
      last.getAsInteger(10, campaign.end) || campaign.begin >= campaign.end)
    return fail("--seeds wants FIRST:END, with FIRST below END");
  if (options.jobs == 0)
    return fail("--jobs must be positive");
  campaign.jobs = options.jobs;
  campaign.seconds = options.timeLimit;
  campaign.totalSeconds = options.totalTime;
  campaign.keep = options.keep;
  campaign.output = options.output;
  campaign.commit = options.commit;
  campaign.run = run;
  campaign.reportAfter = ::pit::tools::getDefaultThreshold();
  if (options.progress.getNumOccurrences())
    campaign.reportAfter = options.progress;
  if (campaign.reportAfter && !(*campaign.reportAfter >= 0))
    return fail("--progress wants seconds, 0 or more");
  if (!campaign.keep.empty())
    if (std::error_code error =
            llvm::sys::fs::create_directories(campaign.keep))
      return fail("cannot make '" + campaign.keep + "': " + error.message());
  Summary summary = runCampaign(campaign);
  llvm::outs() << summary.numPrograms() << " programs in "
               << int64_t(summary.seconds) << " s";
  for (int i = 0; i < kNumOutcomes; ++i)
    if (summary.outcomes[i])
      llvm::outs() << ", " << summary.outcomes[i] << " "
                   << stringify(Outcome(i));
  llvm::outs() << "\n"
               << summary.compared << " elements compared, "
               << summary.compared - summary.inexact << " of them exactly; "
               << summary.exempt << " not promised\n";
  for (const auto &[why, times] : summary.skips)
    llvm::outs() << "skipped " << times << ": " << why << "\n";
  for (const auto &[limit, seeds] : summary.refusals)
    llvm::outs() << "refused " << seeds.size() << ": " << limit << "\n";
  if (!campaign.output.empty())
    if (llvm::Error error = writeSummary(summary, campaign))
      return fail(llvm::toString(std::move(error)));
  return summary.numFailures() != 0;
}

static constexpr llvm::StringLiteral kHelp =
    R"(Makes random programs, runs each sparse, and compares its results with an
interpreter of the program as it is written.

USAGE: pit-fuzz --seeds=FIRST:END [options]
       pit-fuzz [options] FILE.mlir...

OPTIONS that are used most:
  --seeds=FIRST:END   Run the programs of these seeds
  --jobs=N            Processes at a time
  --keep=FOLDER       Write programs that fail there, made smaller
  --target=cuda       Run on a GPU; --compile-only needs none
  --seed=N --print    Print the program of one seed
  --reduce            Print a program that fails, made smaller
  --gradients         Make programs with their backward
  --wrong-arguments   Call programs with arguments that do not fit, too

EXAMPLES:
  pit-fuzz --seeds=0:1000 --jobs=4 --keep=failures
  pit-fuzz failures/mismatch-17.mlir --reduce

--help-all lists all options.
)";

int main(int argc, char **argv) {
  if (mlir::pit::printShortHelp(argc, argv, kHelp))
    return 0;
  llvm::InitLLVM init(argc, argv);
  Options options;
  llvm::cl::HideUnrelatedOptions(options.category);
  mlir::pit::registerAllPasses();
  llvm::cl::ParseCommandLineOptions(argc, argv,
                                    "Random programs against what they mean\n");
  pit_context *runtime = nullptr;
  if (int32_t status = pit_context_create(&runtime))
    return fail(pit_status_string(status));
  pit_context_make_current(runtime);
  // However small, what is compiled for threads is computed by several.
  setenv("PIT_THREAD_WORK", "1", /*overwrite=*/0);
  pit_set_num_threads(3);

  RunOptions run;
  run.fault = options.fault;
  run.compileOnly = options.compileOnly;
  run.reruns = options.reruns;
  run.wrongArguments = options.wrongArguments;
  run.wrongMarks = options.wrongMarks;
  run.unitExtents = options.unitExtents;
  run.gradients = options.gradients;
  // Backwards are as long again, and twice.
  if (run.gradients)
    run.maxPoints *= 6;
  if (run.wrongArguments && (run.compileOnly || run.reruns || run.wrongMarks))
    return fail("--wrong-arguments goes with no --compile-only, --reruns or "
                "--wrong-marks");
  if (run.unitExtents && (run.wrongArguments || run.wrongMarks))
    return fail("--unit-extents goes with no --wrong-arguments or "
                "--wrong-marks");
  if (run.gradients &&
      (run.wrongArguments || run.wrongMarks || run.unitExtents))
    return fail("--gradients goes with no --wrong-arguments, --wrong-marks or "
                "--unit-extents");
  if (options.target == "cuda") {
    auto chip = findChip(options.chip, !options.compileOnly && !options.print);
    if (!chip)
      return fail(llvm::toString(chip.takeError()));
    run.chip = *chip;
  } else if (options.target != "cpu") {
    return fail("--target wants cpu or cuda");
  }
  run.pipeline = options.pipeline;
  // Of what cannot be read, the parser has said why.
  if (run.chip.empty()
          ? !mlir::pit::PITToCPUOptions::createFromString(run.pipeline)
          : !mlir::pit::PITToPTXOptions::createFromString(run.pipeline))
    return fail("--pipeline=" + run.pipeline + ": the options cannot be read");
  if (!options.seeds.empty())
    return runSeeds(options, run);
  std::unique_ptr<MLIRContext> context = makeContext();
  if (options.seed >= 0) {
    Coverage coverage;
    OwningOpRef<ModuleOp> program = makeProgram(
        context.get(), uint64_t(int64_t(options.seed)), run, coverage);
    if (options.print) {
      program->print(llvm::outs());
      llvm::outs() << "\n";
      return 0;
    }
    return runProgram("seed " + std::to_string(options.seed), *program, run,
                      options);
  }
  if (options.files.empty())
    return fail("nothing to do: name programs, or --seeds or --seed");
  run.optLevel = options.optLevel;
  if (options.cut >= 0)
    run.cut = uint64_t(int64_t(options.cut));
  int status = 0;
  for (const std::string &file : options.files) {
    OwningOpRef<ModuleOp> program =
        parseSourceFile<ModuleOp>(file, context.get());
    if (!program)
      return 2;
    addPipelineOptions(*program, run.pipeline);
    status |= runProgram(file, *program, run, options);
  }
  return status;
}
