//===- RunLoaded.cpp - Runs a program that is compiled --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunLoaded.h"
#include "Bench.h"
#include "CompiledProgram.h"
#include "Inputs.h"
#include "Results.h"

using namespace pit::run;
using pit::npy::Array;

int pit::run::runLoaded(const Options &options) {
  const pit_program *program = nullptr;
  std::string error;
  // A name without a slash is a file here, not one among the libraries.
  std::string path = options.load;
  if (path.find('/') == std::string::npos)
    path = "./" + path;
  if (takeRuntimeError(
          pit_program_load(pit_context_current(), path.c_str(), &program),
          error))
    return fail(error);
  const char *name = options.entry.empty() ? "main" : options.entry.c_str();
  const pit_entry_point *entry = pit_program_find(program, name);
  if (!entry && options.entry.empty() && program->num_entries == 1)
    entry = program->entries;
  if (!entry)
    return fail("'" + options.load + "' has no entry point '" + name +
                "'; --entry names another");
  std::string target = program->target;
  if (options.target != "auto" && options.target != target)
    return fail("'" + options.load + "' is compiled for target '" + target +
                "', not '" + options.target + "'");
  std::vector<Array> inputs, results;
  if (!bindInputs(entry->name, readArgumentTypes(*entry), options, inputs,
                  error))
    return fail(error);
  std::unique_ptr<CudaDevice> device;
  if (target == "cuda") {
    device = CudaDevice::open(error);
    if (!device)
      return fail("target 'cuda': " + error);
  }

  CompiledProgram compiled(*entry, device.get());
  tools::Progress progress(options.reportAfter, "pit-run");
  progress.begin("running the program");
  if (!compiled.run(inputs, results, error))
    return fail(error);
  printResults(results, options.print);
  if (options.bench) {
    BenchResult timing;
    if (!bench(compiled, nullptr, inputs, options.bench, timing, progress,
               error))
      return fail(error);
    printBench(timing, options.bench, device != nullptr);
  }
  if (!options.inputsPrefix.empty() &&
      !writeArrays(options.inputsPrefix, inputs, error))
    return fail(error);
  if (!options.outputPrefix.empty() &&
      !writeArrays(options.outputPrefix, results, error))
    return fail(error);
  return 0;
}
