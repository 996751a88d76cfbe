//===- main.cpp - What the runtime and compiled programs must bear --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   PITAbuseTests FOLDER [-o FILE] [--jobs N] [FILTER]
//
// FOLDER has abuse.so, which pit-compile made of test/Runtime/Inputs/abuse.mlir
// for the CPU, or for a device, which is then needed. Needs the runtime and no
// LLVM, so that sanitizers can watch it: scripts/check-runtime.sh. With --jobs,
// many cases share a process, and N processes run at a time: to begin with a
// device takes long.
//
//===----------------------------------------------------------------------===//

#include "Area.h"

#include <cstdio>
#include <cstdlib>

using namespace pit::abuse;

int main(int argc, char **argv) {
  std::string folder, output, filter;
  int jobs = 0;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word == "-o" && i + 1 < argc)
      output = argv[++i];
    else if (word == "--jobs" && i + 1 < argc)
      jobs = std::atoi(argv[++i]);
    else if (folder.empty())
      folder = word;
    else
      filter = word;
  }
  if (folder.empty() || jobs < 0) {
    std::fprintf(stderr,
                 "usage: PITAbuseTests FOLDER [-o FILE] [--jobs N] [FILTER]\n");
    return 2;
  }
  // Nothing of a device is touched here: processes that are begun from one with
  // a device have none.
  bool forDevice = getTarget(folder) == "cuda";
  auto enumerate = [&](Cases &cases) {
    tryPatterns(cases, folder);
    tryLengths(cases, folder);
    tryLists(cases, folder);
    tryDescriptors(cases, folder);
    tryShapes(cases, folder);
    tryPlacement(cases, folder);
    tryDamagedObjects(cases, folder);
    if (!forDevice) {
      tryThreads(cases, folder);
      return;
    }
    tryStreams(cases, folder);
    tryWorkspace(cases, folder);
  };
  Cases cases(filter);
  if (jobs > 0)
    cases.runInBatches(enumerate, jobs, 50);
  else
    enumerate(cases);
  cases.print();
  if (!output.empty() && !cases.write(output)) {
    std::fprintf(stderr, "cannot write '%s'\n", output.c_str());
    return 2;
  }
  return cases.numFailures() != 0 || cases.numCases() == 0;
}
