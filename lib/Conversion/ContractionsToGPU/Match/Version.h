//===- Version.h - Products that the host chooses between -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product whose extents only its caller knows may stand several times in a
// program, each time for other extents, and with a plan of its own. The host
// launches the one whose condition holds, and no other (function
// multiversioning). The attribute `pit.version` says which.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MATCH_VERSION_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MATCH_VERSION_H

#include "Match.h"

namespace mlir::pit::hopper {

/// What a version knows of distances in memory.
enum class VersionAlignment {
  Any,
  /// Rows and batches of A, B and C are multiples of 16 bytes apart, n is one
  /// of 16 bytes of C, and of 8 where A has elements of at most 16 bits, and k
  /// is not 0.
  Aligned,
  Unaligned ///< That is not so.
};

/// When the host launches a version, and what its kernel is planned for.
struct Version {
  static constexpr StringLiteral kName = "pit.version";

  VersionAlignment alignment = VersionAlignment::Any;
  /// Elements of C, of all batches together, from which on it is launched, and
  /// below which it is; 0 is no limit.
  int64_t least = 0, most = 0;
  /// m, n, k and batches that tiles are chosen for, where the op does not say
  /// them.
  SmallVector<int64_t, 4> expected;
};

/// Of an op that has the attribute.
std::optional<Version> getVersion(Operation *op);
void setVersion(Operation *op, const Version &version);

/// Of the match's product.
std::optional<Version> getVersion(const ContractionMatch &match);
bool isKnownAligned(Operation *op);

/// The number of batches of the match, or the one that is assumed.
int64_t guessBatches(const ContractionMatch &match);

/// Where nothing tells their number.
inline constexpr int64_t kGuessedBatches = 32;

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MATCH_VERSION_H
