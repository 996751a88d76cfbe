//===- MatchOperand.h - Operands of an epilogue -----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MATCH_MATCHOPERAND_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MATCH_MATCHOPERAND_H

#include "Match.h"

namespace mlir::pit::hopper {

/// An operand of elementwise work, its buffer, and its first element there.
struct MatchedOperand {
  EpilogueOperand operand;
  Value buffer;
  /// Of the buffer's axes but for the one that numbers segments.
  AffineMap map;
  std::optional<unsigned> segmentAxis;
  int64_t offset = 0;
};

/// Matches what is read through a map of a product's rows and columns: each
/// axis is one of the two, with a known distance. Fails for what a kernel
/// cannot load.
std::optional<MatchedOperand> matchOperand(MatrixSource source, AffineMap map);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MATCH_MATCHOPERAND_H
