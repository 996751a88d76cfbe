//===- AttentionShape.h - Dimensions of attention ---------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_FUZZ_GRADIENTS_ATTENTIONSHAPE_H
#define PIT_TOOLS_PIT_FUZZ_GRADIENTS_ATTENTIONSHAPE_H

#include "Rules.h"

namespace mlir::pit::fuzz {

/// What dimensions of scores there are, in order: batch, heads, the queries of
/// a group, then queries and keys.
struct AttentionShape {
  bool hasBatch, hasHeads, hasGroups;
  unsigned batch, heads, groups, queries, keys, width, valueWidth;

  /// Loops are 0 batch, 1 heads, 2 groups, 3 queries, 4 keys, 5 width.
  SmallVector<unsigned> lead(bool withGroups) const {
    SmallVector<unsigned> loops;
    if (hasBatch)
      loops.push_back(0);
    if (hasHeads)
      loops.push_back(1);
    if (hasGroups && withGroups)
      loops.push_back(2);
    return loops;
  }
  SmallVector<unsigned> with(ArrayRef<unsigned> loops, bool withGroups) const {
    SmallVector<unsigned> all = lead(withGroups);
    all.append(loops.begin(), loops.end());
    return all;
  }
  unsigned extent(unsigned loop, bool isValue) const {
    unsigned extents[] = {batch, heads, groups, queries, keys, width};
    return loop == 5 && isValue ? valueWidth : extents[loop];
  }
  Dims dims(ArrayRef<unsigned> loops, bool isValue = false) const {
    Dims dims;
    for (unsigned loop : loops)
      dims.push_back(extent(loop, isValue));
    return dims;
  }
};

/// softmax(mask(cap(scale * Q Kᵀ + bias))) V as one op of the tape, as what
/// computes weights again in the backward (Dao et al., "FlashAttention", 2022):
/// nothing of queries by keys is kept but the logarithms of the sums. Of types
/// of 16 bits, in f32. Operands have the loops of `AttentionShape` that are
/// given.
Operand attendAgain(Tape &tape, const AttentionShape &shape, const Operand &q,
                    const Operand &k, const Operand &v,
                    ArrayRef<unsigned> keyLoops, double scale);

} // namespace mlir::pit::fuzz

#endif // PIT_TOOLS_PIT_FUZZ_GRADIENTS_ATTENTIONSHAPE_H
