//===- main.cpp - What the runtime and compiled programs must bear --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   PITAbuseTests FOLDER [-o FILE] [FILTER]
//
// FOLDER has abuse.so, which pit-compile made of test/Runtime/Inputs/abuse.mlir
// for the CPU. Needs the runtime and no LLVM, so that sanitizers can watch it:
// scripts/check-runtime.sh.
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

#include <cstdio>

using namespace pit::abuse;

int main(int argc, char **argv) {
  std::string folder, output, filter;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word == "-o" && i + 1 < argc)
      output = argv[++i];
    else if (folder.empty())
      folder = word;
    else
      filter = word;
  }
  if (folder.empty()) {
    std::fprintf(stderr, "usage: PITAbuseTests FOLDER [-o FILE] [FILTER]\n");
    return 2;
  }
  Cases cases(filter);
  tryPatterns(cases, folder);
  tryLengths(cases, folder);
  tryDescriptors(cases, folder);
  tryShapes(cases, folder);
  tryPlacement(cases, folder);
  tryDamagedObjects(cases, folder);
  tryThreads(cases, folder);
  cases.print();
  if (!output.empty() && !cases.write(output)) {
    std::fprintf(stderr, "cannot write '%s'\n", output.c_str());
    return 2;
  }
  return cases.numFailures() != 0 || cases.numCases() == 0;
}
