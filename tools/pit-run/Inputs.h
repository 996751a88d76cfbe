//===- Inputs.h - Arguments of the entry function ---------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_INPUTS_H
#define PIT_TOOLS_PIT_RUN_INPUTS_H

#include "Npy.h"
#include "Options.h"

namespace pit::run {

/// The type of an argument, -1 for extents that are only known at run time.
struct ArgumentType {
  pit_dtype dtype;
  std::vector<int64_t> shape;
  /// The element type as the program spells it.
  std::string text;
};

/// The types that a compiled program's table holds.
std::vector<ArgumentType> readArgumentTypes(const pit_entry_point &entry);

/// Reads or generates one array per argument, a scalar's of rank 0, in the
/// order of the command line. `name` is the function's, for messages.
bool bindInputs(const std::string &name,
                const std::vector<ArgumentType> &arguments,
                const Options &options, std::vector<npy::Array> &arrays,
                std::string &error);

} // namespace pit::run

#endif // PIT_TOOLS_PIT_RUN_INPUTS_H
