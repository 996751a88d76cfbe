//===- pit-run-loaded.cpp - Runs compiled programs, without LLVM ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "RunLoaded.h"

#include "pit_runtime.h"

using namespace pit::run;

int main(int argc, char **argv) {
  int exitCode = 0;
  std::optional<Options> options =
      parseOptions(argc, argv, /*hasCompiler=*/false, exitCode);
  if (!options)
    return exitCode;
  pit_set_num_threads(options->threads);
  pit_context *context = nullptr;
  if (int32_t status = pit_context_create(&context))
    return fail(pit_status_string(status));
  pit_context_make_current(context);
  exitCode = runLoaded(*options);
  pit_context_destroy(context);
  return exitCode;
}
