//===- RowCheck.h - Rows that are listed twice -----------------*- C++ -*--===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_DETECTTOGPU_ROWCHECK_H
#define PIT_LIB_CONVERSION_DETECTTOGPU_ROWCHECK_H

#include "Reader.h"

namespace mlir::pit::detect {

/// Reports coordinates that are live in two segments, where the pattern says
/// that there are none (`listsRowsOnce`). It reads the bitmap of the first
/// step, 32 rows of all segments at a time.
class RowCheck {
public:
  RowCheck(const Problem &problem, Value status, HostMath &host);

  /// Blocks that share the work; any other number is right, too. Zero where the
  /// pattern does not say so.
  Value getNumBlocks() const { return numBlocks; }
  /// Emits the part of block `block` of `blocks`; all threads of the block take
  /// part.
  void emit(Kernel &kernel, const Scratch &scratch, Value block, Value blocks);

private:
  void emitWords(Kernel &b, const Scratch &scratch, Value first);

  const Problem &problem;
  Value status, numBlocks;
  Value shared;
};

} // namespace mlir::pit::detect

#endif // PIT_LIB_CONVERSION_DETECTTOGPU_ROWCHECK_H
