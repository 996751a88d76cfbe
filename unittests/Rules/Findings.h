//===- Findings.h - What a check of the rules found -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_RULES_FINDINGS_H
#define PIT_UNITTESTS_RULES_FINDINGS_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mlir::pit::proofs {

struct Example {
  int64_t count = 0;
  std::string first;
};

/// The counts of one space of ops or bodies.
struct Findings {
  std::string space;
  std::string description;
  double seconds = 0;
  std::map<std::string, int64_t> counts;
  /// What the rules refuse although nothing was found that speaks against it,
  /// by the reason that they give.
  std::map<std::string, Example> conservative;
  /// Verdicts that are wrong; the first of them.
  int64_t numWrong = 0;
  std::vector<std::string> wrong;

  void noteWrong(std::string what) {
    if (++numWrong <= 20)
      wrong.push_back(std::move(what));
  }
  template <typename Describe>
  void noteConservative(const std::string &reason, Describe describe) {
    Example &example = conservative[reason];
    if (example.count++ == 0)
      example.first = describe();
  }
};

struct CheckOptions {
  /// Of the largest spaces (bodies in three loops, and annihilators of floats)
  /// only each `stride`-th member, from a place that the seed gives.
  uint64_t stride = 1;
  /// The same for bodies in two loops.
  uint64_t strideOfTwo = 1;
  uint64_t seed = 1;
  /// Falsify every so many verdicts, to see that this is found.
  uint64_t fault = 0;
};

/// Takes what was found in a space, when it is done.
using Report = llvm::function_ref<void(Findings)>;

void checkMaps(bool full, const CheckOptions &options, Report report);
void checkBodies(bool full, const CheckOptions &options, Report report);
void checkAnnihilators(bool full, const CheckOptions &options, Report report);

} // namespace mlir::pit::proofs

#endif // PIT_UNITTESTS_RULES_FINDINGS_H
