//===- ListWriter.h - From a bitmap to lists -------------------*- C++ -*--===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_DETECTTOGPU_LISTWRITER_H
#define PIT_LIB_CONVERSION_DETECTTOGPU_LISTWRITER_H

#include "RowCheck.h"

#include "PIT/GPU/ChipModel.h"

namespace mlir::pit::detect {

/// Buffers of rank 0, and the slots for coordinates, an index value.
struct Lists {
  Value offsets, coords, capacity, status;
};

/// The second step of detection: each block adds up the counts of all chunks
/// before its own, and writes the offsets and coordinates of its words in
/// order. Nothing behind the capacity is written; the last block reports it.
/// Blocks of their own look for rows that must not be listed twice.
class ListWriter {
public:
  ListWriter(const Problem &problem, const Chunks &chunks, const Lists &lists,
             HostMath &host, bool oneBlock, const ChipModel &chip);

  Value getNumBlocks() const { return numBlocks; }
  void emit(Kernel &kernel, const Scratch &scratch);

private:
  void emitLists(Kernel &b, const Scratch &scratch, Value numBlocks);
  Value getFirstWord(Kernel &b, Value chunk);
  Value addUpCounts(Kernel &b, const Scratch &scratch, Value numChunks);
  Value emitWords(Kernel &b, Value number, Value word, Value exists,
                  Value before, Value segmentBase, Value segment);
  void emitCoordinates(Kernel &b, Value word, Value first, Value position);
  void finishOffsets(Kernel &b, Value numWords, Value total);

  const Problem &problem;
  Chunks chunks;
  Lists lists;
  RowCheck check;
  bool oneBlock;
  /// Of the launch, and those of them that write lists.
  Value numBlocks, numListBlocks;
  Value numWords;
  Value warpSums;
};

} // namespace mlir::pit::detect

#endif // PIT_LIB_CONVERSION_DETECTTOGPU_LISTWRITER_H
