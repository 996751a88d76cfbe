//===- PipelineFuzzer.cpp - The parser and PIT's pipelines ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input is a byte, which says which pipeline, and a program, which goes
// through it. The program is refused with a diagnostic, or what comes out
// verifies; anything else is a failure.
//
// PIT_FUZZ_PIPELINES names a file with a pipeline per line, as
// `--pass-pipeline` takes them, but for the module around it. Names of passes
// do not come from inputs, as some of upstream's passes write files.
//
//===----------------------------------------------------------------------===//

#include "File.h"
#include "TextMutator.h"

#include "PIT/InitAllDialects.h"
#include "PIT/InitAllPasses.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <fstream>
#include <memory>
#include <vector>

using namespace mlir;

namespace {

/// Attributes and types live as long as their context, which therefore is
/// another one after some programs.
constexpr unsigned kProgramsPerContext = 256;

class Compiler {
public:
  Compiler() {
    mlir::pit::registerAllDialects(registry);
    mlir::pit::registerAllPasses();
    const char *file = std::getenv("PIT_FUZZ_PIPELINES");
    std::ifstream in(file ? file : "");
    for (std::string line; std::getline(in, line);)
      if (!line.empty())
        pipelines.push_back(line);
    if (file && pipelines.empty()) {
      llvm::errs() << "error: no pipelines in '" << file << "'\n";
      std::exit(1);
    }
    if (pipelines.empty())
      pipelines = {"pit-to-cpu", "pit-to-ptx", "pit-to-cuda{chip=sm_80}"};
  }

  /// `text` is a string, as the lexer reads the zero behind it.
  void compile(uint8_t choice, const std::string &text) {
    if (programs++ % kProgramsPerContext == 0)
      context = std::make_unique<MLIRContext>(registry,
                                              MLIRContext::Threading::DISABLED);
    bool hadError = false;
    ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) {
      hadError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
      return success();
    });
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(text, ParserConfig(context.get()));
    if (!module) {
      ::pit::fuzz::require(hadError);
      return;
    }
    PassManager manager(context.get(), ModuleOp::getOperationName(),
                        OpPassManager::Nesting::Implicit);
    const std::string &pipeline = pipelines[choice % pipelines.size()];
    if (failed(parsePassPipeline(pipeline, manager))) {
      llvm::errs() << "error: no pipeline: '" << pipeline << "'\n";
      std::exit(1);
    }
    if (failed(manager.run(*module)))
      ::pit::fuzz::require(hadError);
  }

private:
  DialectRegistry registry;
  std::vector<std::string> pipelines;
  std::unique_ptr<MLIRContext> context;
  unsigned programs = 0;
};

} // namespace

static Compiler &getCompiler() {
  static Compiler compiler;
  return compiler;
}

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  getCompiler();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  getCompiler().compile(data[0],
                        {reinterpret_cast<const char *>(data + 1), size - 1});
  return 0;
}

#ifdef PIT_BUILD_FUZZERS
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  std::minstd_rand dice(seed);
  if (size < 2 || dice() % 4 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  if (dice() % 16 == 0)
    data[0] = uint8_t(dice());
  std::string text = ::pit::fuzz::mutateText(
      {reinterpret_cast<const char *>(data + 1), size - 1}, dice);
  if (text.size() > maxSize - 1)
    text.resize(maxSize - 1);
  std::memcpy(data + 1, text.data(), text.size());
  return text.size() + 1;
}
#endif
