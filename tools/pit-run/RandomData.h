//===- RandomData.h - Generated inputs --------------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_RANDOMDATA_H
#define PIT_TOOLS_PIT_RUN_RANDOMDATA_H

#include "Npy.h"

#include <string>
#include <vector>

namespace pit::run {

/// The part of --help that lists the descriptions of generated data.
const char *randomDataHelp();

/// Splits "normal:0.02@8x128" into the description and the extents behind '@';
/// `hasShape` says whether there are any.
bool splitRandomSpec(const std::string &text, std::string &description,
                     std::vector<int64_t> &shape, bool &hasShape,
                     std::string &error);

/// Fills `array`, which is allocated. The same seed gives the same data on
/// every machine.
bool fillRandom(const std::string &description, uint64_t seed,
                ::pit::npy::Array &array, std::string &error);

} // namespace pit::run

#endif // PIT_TOOLS_PIT_RUN_RANDOMDATA_H
