//===- CheckRules.cpp - PIT's rules on every small op ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Visits small structured ops, asks PIT about their axes and about what absent
// values do to them, and tries the answers. Without --full a part of the
// spaces; see docs/Reliability.md.
//
//===----------------------------------------------------------------------===//

#include "Findings.h"

#include "mlir/Support/LLVM.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::pit::proofs;

namespace {
struct Options {
  llvm::cl::OptionCategory category{"options"};
  llvm::cl::opt<bool> full{"full", llvm::cl::desc("Visit the whole spaces"),
                           llvm::cl::cat(category)};
  llvm::cl::opt<uint64_t> stride{
      "stride",
      llvm::cl::desc("With --full: of the largest spaces, visit each so "
                     "manieth member"),
      llvm::cl::init(1), llvm::cl::cat(category)};
  llvm::cl::opt<uint64_t> strideOfTwo{
      "stride-of-two", llvm::cl::desc("The same for bodies in two loops"),
      llvm::cl::init(1), llvm::cl::cat(category)};
  llvm::cl::opt<uint64_t> seed{"seed", llvm::cl::desc("Of random arguments"),
                               llvm::cl::init(1), llvm::cl::cat(category)};
  llvm::cl::opt<uint64_t> fault{
      "fault", llvm::cl::desc("Falsify each so manieth answer"),
      llvm::cl::init(0), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> output{"o", llvm::cl::desc("Write JSON here"),
                                    llvm::cl::cat(category)};
  llvm::cl::opt<std::string> commit{
      "commit", llvm::cl::desc("Commit that the JSON names"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> only{
      "only", llvm::cl::desc("`maps`, `bodies` or `annihilators`"),
      llvm::cl::cat(category)};
};
} // namespace

static void print(const Findings &findings) {
  llvm::raw_ostream &os = llvm::outs();
  os << findings.space << ": " << llvm::format("%.1f s", findings.seconds);
  for (const auto &[what, count] : findings.counts)
    os << "\n  " << count << " " << what;
  for (const auto &[reason, example] : findings.conservative)
    os << "\n  - " << example.count << " " << reason << "\n    "
       << example.first;
  os << "\n  " << findings.numWrong << " wrong\n";
  for (const std::string &wrong : findings.wrong)
    os << "  WRONG " << wrong << "\n";
  os.flush();
}

static void write(llvm::json::OStream &json, const Findings &findings) {
  json.object([&] {
    json.attribute("space", findings.space);
    json.attribute("description", findings.description);
    json.attribute("seconds", int64_t(findings.seconds + 0.5));
    json.attributeObject("counts", [&] {
      for (const auto &[what, count] : findings.counts)
        json.attribute(what, count);
    });
    json.attribute("wrong", findings.numWrong);
    json.attributeArray("wrong_examples", [&] {
      for (const std::string &wrong : findings.wrong)
        json.value(wrong);
    });
    json.attributeArray("conservative", [&] {
      for (const auto &[reason, example] : findings.conservative)
        json.object([&] {
          json.attribute("reason", reason);
          json.attribute("count", example.count);
          json.attribute("example", example.first);
        });
    });
  });
}

/// Writes everything that is known so far: a long run may be ended early.
static llvm::Error writeAll(const std::vector<Findings> &all,
                            const Options &options) {
  std::error_code error;
  llvm::raw_fd_ostream os(options.output, error);
  if (error)
    return llvm::createStringError(error,
                                   "cannot write '" + options.output + "'");
  llvm::json::OStream json(os, /*IndentSize=*/1);
  json.object([&] {
    json.attribute("schema", "pit-rules");
    json.attribute("version", 1);
    json.attribute("pit_version", PIT_VERSION);
    json.attribute("commit", options.commit);
    json.attribute("full", bool(options.full));
    json.attribute("stride", int64_t(options.stride));
    json.attribute("stride_of_two_loops", int64_t(options.strideOfTwo));
    json.attribute("seed", int64_t(options.seed));
    json.attributeArray("spaces", [&] {
      for (const Findings &findings : all)
        write(json, findings);
    });
  });
  os << "\n";
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  llvm::cl::HideUnrelatedOptions(options.category);
  llvm::cl::ParseCommandLineOptions(argc, argv, "PIT's rules, tried\n");
  CheckOptions check;
  check.seed = options.seed;
  check.fault = options.fault;
  check.stride = std::max<uint64_t>(options.stride, 1);

  check.strideOfTwo = std::max<uint64_t>(options.strideOfTwo, 1);

  std::vector<Findings> all;
  bool failed = false;
  auto report = [&](Findings findings) {
    print(findings);
    failed |= findings.numWrong != 0;
    all.push_back(std::move(findings));
    if (options.output.empty())
      return;
    if (llvm::Error error = writeAll(all, options)) {
      llvm::errs() << llvm::toString(std::move(error)) << "\n";
      failed = true;
    }
  };
  StringRef only = options.only;
  if (only.empty() || only == "maps")
    checkMaps(options.full, check, report);
  if (only.empty() || only == "bodies")
    checkBodies(options.full, check, report);
  if (only.empty() || only == "annihilators")
    checkAnnihilators(options.full, check, report);
  return failed;
}
