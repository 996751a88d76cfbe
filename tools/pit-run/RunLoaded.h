//===- RunLoaded.h - Runs a program that is compiled ------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_RUNLOADED_H
#define PIT_TOOLS_PIT_RUN_RUNLOADED_H

#include "Options.h"

namespace pit::run {

/// Runs the program of --load in the current context; returns the exit code.
int runLoaded(const Options &options);

} // namespace pit::run

#endif // PIT_TOOLS_PIT_RUN_RUNLOADED_H
