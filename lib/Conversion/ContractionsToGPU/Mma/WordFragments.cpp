//===- WordFragments.cpp - Fragments loaded word by word ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandFragments.h"

using namespace mlir;
using namespace mlir::pit::mma;

namespace {

/// Lane l has words at l % 4 and l % 4 + 4 along k, at l / 4 and l / 4 + 8
/// along m or n.
class WordFragments : public OperandFragments {
public:
  using OperandFragments::OperandFragments;

  void prepare(MMABuilder &b, const MMAState &state, Value first) override;
  SmallVector<Value> load(MMABuilder &b, Value stage, int64_t step) override;

private:
  /// What the key permutes: chunks in 128 bytes, two of which are 8 words.
  static constexpr int64_t kPermutedBytes = 128;
  static constexpr int64_t kPairs =
      kPermutedBytes / 2 / SharedTile::kChunkBytes;

  /// Byte offsets of 8 along m or n, of the first 32.
  SmallVector<Value> offsets;
  Value shared;
};

} // namespace

void WordFragments::prepare(MMABuilder &b, const MMAState &state, Value first) {
  shared = state.shared;
  Value alongK = b.bitAnd(state.lane, 3), across = b.shiftRight(state.lane, 2);
  Value start = b.add(b.mul(alongK, tile.getRowBytes()), tile.offset);
  start = b.add(start, b.mul(b.bitAnd(across, 3), 4));
  // Rows that are four apart have one key.
  Value chunk = b.bitXor(b.add(b.shiftRight(first, 2), b.shiftRight(across, 2)),
                         tile.getKey(b, alongK));
  int64_t pairs = std::min(kPairs, 2 * getNumGroups());
  for (int64_t i = 0; i < pairs; ++i)
    offsets.push_back(
        b.add(start, b.mul(b.bitXor(chunk, 2 * i), SharedTile::kChunkBytes)));
}

SmallVector<Value> WordFragments::load(MMABuilder &b, Value stage,
                                       int64_t step) {
  auto loadWord = [&](int64_t alongK, int64_t across) {
    int64_t bytes = (8 * step + 4 * alongK) * tile.getRowBytes() +
                    across / kPairs * kPermutedBytes;
    Value place = b.add(stage, offsets[across % kPairs]);
    return b.load(b.advance(b.advance(shared, place), bytes), b.getI32Type());
  };
  SmallVector<Value> words;
  for (int64_t group = 0; group < getNumGroups(); ++group)
    for (int64_t i = 0; i < 4; ++i) {
      // Along k last for A, first for B.
      int64_t alongK = tile.isA ? i / 2 : i % 2;
      int64_t across = tile.isA ? i % 2 : i / 2;
      words.push_back(loadWord(alongK, 2 * group + across));
    }
  return words;
}

std::unique_ptr<OperandFragments>
mlir::pit::mma::createWordFragments(const SharedTile &tile) {
  return std::make_unique<WordFragments>(tile);
}
