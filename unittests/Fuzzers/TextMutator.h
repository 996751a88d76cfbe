//===- TextMutator.h - Changes of programs, token by token ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_FUZZERS_TEXTMUTATOR_H
#define PIT_UNITTESTS_FUZZERS_TEXTMUTATOR_H

#include <cstdint>
#include <random>
#include <string>

namespace pit::fuzz {

/// Changes some tokens or lines of a program: takes one away, has it twice,
/// puts another one of the same kind in its place. Changes of bytes alone
/// hardly come by the parser.
std::string mutateText(const std::string &text, std::minstd_rand &dice);

} // namespace pit::fuzz

#endif // PIT_UNITTESTS_FUZZERS_TEXTMUTATOR_H
