//===- MatchWanted.h - Masked SDDMM: blocks of C by a mask ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MATCH_MATCHWANTED_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MATCH_MATCHWANTED_H

#include "Match.h"

namespace mlir::pit::hopper {

/// The match of a product of wanted blocks, and where the mask is that its
/// detection reads. What filled C before is part of the match's ops.
struct WantedMatch {
  ContractionMatch product;
  SampledPattern pattern;
  Value mask;
  float fill = 0;
};

/// Matches what matchSampledProduct does where a mask says what is wanted, and
/// nothing but a constant is in C before.
FailureOr<WantedMatch> matchWantedProduct(TiledOp op, MatchLog log = {});

/// A mask of more blocks is not read by every block of threads.
inline constexpr int64_t kMostWantedBlocks = 32 * 1024;

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MATCH_MATCHWANTED_H
