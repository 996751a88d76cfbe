//===- Campaign.cpp - Many programs in processes of their own -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"
#include "Families.h"
#include "Gradients/Gradients.h"
#include "Progress.h"
#include "UnitExtents/UnitExtents.h"
#include "Worker.h"
#include "WrongArguments/Calls.h"
#include "WrongMarks/Damage.h"

#include "PIT/InitAllDialects.h"

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <poll.h>

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::fuzz;

using Clock = std::chrono::steady_clock;

std::unique_ptr<MLIRContext> mlir::pit::fuzz::makeContext() {
  DialectRegistry registry;
  mlir::pit::registerAllDialects(registry);
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context
      ->loadDialect<arith::ArithDialect, func::FuncDialect,
                    linalg::LinalgDialect, PITDialect, tensor::TensorDialect>();
  context->getOrLoadDialect("math");
  return context;
}

static void maybe(double probability, const char *word,
                  ::pit::run::Random &random, Coverage &coverage,
                  std::vector<std::string> &words) {
  if (!random.chance(probability))
    return;
  words.push_back(word);
  ++coverage[std::string("option ") + word];
}

static std::vector<std::string> chooseForCPU(::pit::run::Random &random,
                                             Coverage &coverage) {
  std::vector<std::string> words;
  if (random.chance(0.5)) {
    int64_t sizes[] = {1, 2, 3, 4, 8, 16, 64};
    words.push_back("tile-size=" + std::to_string(sizes[random.integer(0, 7)]));
  }
  maybe(0.25, "tiles-on-buffers=true", random, coverage, words);
  maybe(0.1, "strict=true", random, coverage, words);
  maybe(0.1, "finite=false", random, coverage, words);
  maybe(0.05, "instrument=true", random, coverage, words);
  maybe(0.05, "dense=true", random, coverage, words);
  return words;
}

static std::vector<std::string> chooseForCUDA(::pit::run::Random &random,
                                              Coverage &coverage) {
  std::vector<std::string> words;
  if (random.chance(0.25)) {
    int64_t sizes[] = {1, 3, 4, 8, 16, 32, 128};
    words.push_back("tile-size=" + std::to_string(sizes[random.integer(0, 7)]));
  }
  if (random.chance(0.25)) {
    int64_t sizes[] = {32, 64, 128, 512};
    words.push_back("block-size=" +
                    std::to_string(sizes[random.integer(0, 4)]));
  }
  maybe(0.1, "short-segments=true", random, coverage, words);
  maybe(0.1, "strict=true", random, coverage, words);
  maybe(0.1, "finite=false", random, coverage, words);
  maybe(0.05, "dense=true", random, coverage, words);
  return words;
}

OwningOpRef<ModuleOp> mlir::pit::fuzz::makeProgram(MLIRContext *context,
                                                   uint64_t seed,
                                                   RunOptions &options,
                                                   Coverage &coverage) {
  OwningOpRef<ModuleOp> module =
      options.gradients ? generateGradients(context, seed, coverage)
                        : generate(context, seed, coverage);
  // A stream of its own: a change of the generator leaves it alone.
  ::pit::run::Random random(~seed);
  std::vector<std::string> words = options.chip.empty()
                                       ? chooseForCPU(random, coverage)
                                       : chooseForCUDA(random, coverage);
  // Likewise: a choice that came later.
  ::pit::run::Random variants(~seed ^ (uint64_t(1) << 63));
  if (options.chip.empty())
    maybe(0.5, "dense-variants=false", variants, coverage, words);
  if (options.chip.empty())
    maybe(0.3, "thread-work=0", variants, coverage, words);
  // Code for any CPU instead of this one.
  if (options.chip.empty())
    maybe(0.3, "features=none", variants, coverage, words);
  addPipelineOptions(*module, llvm::join(words, " "));
  addPipelineOptions(*module, options.pipeline);
  auto count = [&](const Twine &what) { ++coverage[what.str()]; };
  options.optLevel = random.chance(0.06) ? 3 : 0;
  count("code at level " + Twine(options.optLevel));
  if (random.chance(0.1)) {
    options.cut = random.bits() >> 1;
    count("printed and read again");
  }
  if (options.wrongArguments) {
    options.cut.reset();
    addCalls(*module, seed, options, coverage);
  }
  if (options.wrongMarks) {
    options.cut.reset();
    addDamage(*module, seed, coverage);
  }
  if (options.unitExtents) {
    options.cut.reset();
    drawUnit(*module, seed);
  }
  return module;
}

Verdict mlir::pit::fuzz::checkAsAsked(ModuleOp program,
                                      const RunOptions &options,
                                      Coverage &coverage) {
  if (options.wrongArguments)
    return checkCalls(program, options, coverage);
  if (options.wrongMarks)
    return checkDamage(program, options, coverage);
  if (options.unitExtents)
    return checkUnitExtents(program, options, coverage);
  return check(program, options);
}

//===----------------------------------------------------------------------===//
// Campaigns
//===----------------------------------------------------------------------===//

namespace {
/// Seeds that one worker has still to do.
struct Share {
  uint64_t next, end;
  std::unique_ptr<Worker> worker;
  /// Whether the worker has said that it ends.
  bool isEnding = false;
};

class Campaign {
public:
  explicit Campaign(const CampaignOptions &options)
      : options(options), reporter(::pit::tools::StepReporter::Time(
                              options.reportAfter.value_or(0))) {
    summary.begin = options.begin;
    summary.end = options.end;
  }
  Summary run();

private:
  void start(Share &share);
  void record(uint64_t seed, const Verdict &verdict, const Coverage &coverage);
  void advance(Share &share, bool readable);
  void keep(const Failure &failure);
  bool isOver() const {
    return options.totalSeconds && elapsed() > options.totalSeconds;
  }
  double elapsed() const {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  const CampaignOptions &options;
  Summary summary;
  uint64_t nextSeed = 0;
  /// Behind the last seed with a verdict.
  uint64_t reached = 0;
  Clock::time_point begin = Clock::now();
  /// Asked between programs: a thread that waits would be lost in a fork.
  ::pit::tools::StepReporter reporter;
};
} // namespace

/// A few hundred programs per process bound what contexts and code keep.
constexpr uint64_t kSeedsPerWorker = 200;

void Campaign::start(Share &share) {
  if (share.next == share.end) {
    if (nextSeed == options.end || isOver())
      return;
    share.next = nextSeed;
    share.end = nextSeed = std::min(options.end, nextSeed + kSeedsPerWorker);
  }
  share.isEnding = false;
  share.worker = std::make_unique<Worker>([&](int pipe) {
    std::unique_ptr<MLIRContext> context = makeContext();
    std::unique_ptr<::pit::run::CudaDevice> device;
    if (!options.run.chip.empty() && !options.run.compileOnly) {
      std::string why;
      device = ::pit::run::CudaDevice::open(why);
      if (!device)
        llvm::report_fatal_error(Twine("no device: ") + why, false);
    }
    for (uint64_t seed = share.next; seed < share.end; ++seed) {
      if ((seed - share.next) % 50 == 49)
        context = makeContext();
      Coverage coverage;
      RunOptions run = options.run;
      run.device = device.get();
      OwningOpRef<ModuleOp> program =
          makeProgram(context.get(), seed, run, coverage);
      Verdict verdict = checkAsAsked(*program, run, coverage);
      writeAll(pipe, encode(seed, verdict, coverage));
      if (verdict.isLast)
        return;
    }
  });
}

void Campaign::record(uint64_t seed, const Verdict &verdict,
                      const Coverage &coverage) {
  reached = std::max(reached, seed + 1);
  reporter.advance();
  ++summary.outcomes[int(verdict.outcome)];
  summary.compared += verdict.compared;
  summary.inexact += verdict.inexact;
  summary.exempt += verdict.exempt;
  for (const auto &[what, times] : coverage)
    summary.coverage[what] += times;
  if (verdict.outcome == Outcome::Skipped)
    ++summary.skips[verdict.message];
  if (verdict.outcome == Outcome::Refused)
    summary.refusals[findLimit(verdict.message).str()].push_back(seed);
  if (isGood(verdict.outcome))
    return;
  summary.failures.push_back(
      {seed, verdict.outcome, verdict.message, verdict.call});
  llvm::outs() << "seed " << seed << ": " << stringify(verdict.outcome) << ": "
               << verdict.message << "\n";
  llvm::outs().flush();
  keep(summary.failures.back());
}

void Campaign::keep(const Failure &failure) {
  if (options.keep.empty())
    return;
  // In a process of its own, too: the generator may be what crashes.
  std::unique_ptr<MLIRContext> context = makeContext();
  Coverage coverage;
  RunOptions run = options.run;
  OwningOpRef<ModuleOp> program =
      makeProgram(context.get(), failure.seed, run, coverage);
  Verdict verdict;
  verdict.outcome = failure.outcome;
  verdict.message = failure.message;
  OwningOpRef<ModuleOp> reduced;
  if (run.wrongMarks || run.unitExtents) {
    reduced = std::move(program);
  } else {
    if (run.wrongArguments && failure.call >= 0)
      keepCall(*program, size_t(failure.call));
    reduced = reduce(*program, run, options.seconds, verdict);
  }
  SmallString<128> path(options.keep);
  llvm::sys::path::append(path, stringify(failure.outcome) + "-" +
                                    Twine(failure.seed) + ".mlir");
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (error)
    return;
  os << "// Seed " << failure.seed << ", " << stringify(failure.outcome) << ": "
     << failure.message << "\n// RUN: pit-fuzz %s";
  if (run.wrongArguments)
    os << " --wrong-arguments";
  if (run.wrongMarks)
    os << " --wrong-marks";
  if (run.unitExtents)
    os << " --unit-extents";
  if (!run.chip.empty())
    os << " --target cuda";
  if (run.optLevel)
    os << " --opt-level " << run.optLevel;
  if (failure.outcome == Outcome::Roundtrip && run.cut)
    os << " --cut " << *run.cut;
  os << "\n\n";
  reduced->print(os);
  os << "\n";
}

void Campaign::advance(Share &share, bool readable) {
  Worker &worker = *share.worker;
  bool ends = readable && !worker.receive();
  while (std::optional<std::string> line = worker.takeLine()) {
    uint64_t seed;
    Verdict verdict;
    Coverage coverage;
    if (!decode(*line, seed, verdict, coverage))
      continue;
    share.next = seed + 1;
    share.isEnding = verdict.isLast;
    worker.touch();
    record(seed, verdict, coverage);
    worker.touch();
  }
  Verdict verdict;
  if (ends) {
    verdict.outcome = Outcome::Crash;
    verdict.message = worker.finish(/*kill=*/false);
  } else if (worker.isSilent(options.seconds)) {
    verdict.outcome = Outcome::Hang;
    verdict.message =
        "no result after " + std::to_string(options.seconds) + " seconds";
    worker.finish(/*kill=*/true);
  } else {
    return;
  }
  share.worker.reset();
  bool isRegular = share.isEnding && verdict.message.empty();
  if (share.next != share.end && !isRegular)
    record(share.next++, verdict, Coverage());
  if (!isOver() || share.next == share.end)
    start(share);
}

Summary Campaign::run() {
  nextSeed = options.begin;
  std::vector<Share> shares(options.jobs);
  for (Share &share : shares) {
    share.next = share.end = 0;
    start(share);
  }
  double lastWrite = 0;
  auto now = [&] { return ::pit::tools::StepReporter::Time(elapsed()); };
  if (options.reportAfter)
    reporter.begin("running program", options.end - options.begin, now());
  while (true) {
    SmallVector<pollfd> entries;
    SmallVector<Share *> polled;
    for (Share &share : shares)
      if (share.worker) {
        entries.push_back({share.worker->getPipe(), POLLIN, 0});
        polled.push_back(&share);
      }
    if (polled.empty())
      break;
    ::poll(entries.data(), entries.size(), 200);
    for (auto [entry, share] : llvm::zip_equal(entries, polled)) {
      advance(*share, entry.revents != 0);
      // At the end of the time, what runs is not waited for.
      if (share->worker && isOver())
        share->worker.reset();
    }
    if (std::string line = reporter.report(now()); !line.empty())
      llvm::errs() << "pit-fuzz: " << line << "\n";
    summary.seconds = elapsed();
    if (!options.output.empty() && summary.seconds > lastWrite + 60) {
      lastWrite = summary.seconds;
      llvm::consumeError(writeSummary(summary, options));
    }
  }
  summary.seconds = elapsed();
  // Where time was up, the rest has not been tried.
  if (isOver())
    summary.end = reached;
  return summary;
}

Summary mlir::pit::fuzz::runCampaign(const CampaignOptions &options) {
  return Campaign(options).run();
}
