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
  /// Of the buffer's axes but for the one that numbers segments or batches.
  AffineMap map;
  std::optional<unsigned> segmentAxis;
  int64_t offset = 0;
};

/// Matches what is read through a map of a product's rows and columns: each
/// axis is one of the two, with a known distance. Fails for what a kernel
/// cannot load.
std::optional<MatchedOperand> matchOperand(MatrixSource source, AffineMap map);

/// The source as matrices of one batch each, of which a loop has the number,
/// and the map of the other axes over all loops. What lacks the axis is the
/// same for all batches.
std::pair<MatrixSource, AffineMap> withoutBatches(MatrixSource source,
                                                  AffineMap map, unsigned loop);

/// What an elementwise op, whose loops are the axes of C, reads or writes
/// through a map, as matrices, and their axes as rows and columns of C.
std::pair<MatrixSource, AffineMap>
resolveOnOutput(MatrixSource source, AffineMap map,
                const ContractionMatch &match);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MATCH_MATCHOPERAND_H
