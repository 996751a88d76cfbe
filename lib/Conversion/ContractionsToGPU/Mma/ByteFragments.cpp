//===- ByteFragments.cpp - Fragments of bytes, transposed -----------------===//
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

/// Four 8 x 8 tiles of pairs are 32 k by 16 along m or n. A lane gets, of each,
/// the pair l / 4 of two k: lanes address rows so that both halves of 16 k
/// give it four k, one behind the other, from 4 * (l % 4) on.
class ByteFragments : public OperandFragments {
public:
  using OperandFragments::OperandFragments;

  void prepare(MMABuilder &b, const MMAState &state, Value first) override;
  SmallVector<Value> load(MMABuilder &b, Value stage, int64_t step) override;

private:
  static constexpr int64_t kStepDepth = 32;
  /// What the key permutes: chunks, each 16 along m or n, in 128 bytes.
  static constexpr int64_t kPermutedChunks = 8;

  /// Byte offsets of the first groups of 16.
  SmallVector<Value> offsets;
  Value shared;
};

} // namespace

void ByteFragments::prepare(MMABuilder &b, const MMAState &state, Value first) {
  shared = state.shared;
  Value lane = state.lane;
  // Lane l gives the address of row l % 8 of tile l / 8.
  Value half = b.shiftRight(lane, 4), pair = b.bitAnd(b.shiftRight(lane, 3), 1);
  Value k = b.add(b.mul(half, kStepDepth / 2), b.mul(pair, 2));
  k = b.add(k, b.add(b.mul(b.bitAnd(b.shiftRight(lane, 1), 3), 4),
                     b.bitAnd(lane, 1)));
  Value start = b.add(b.mul(k, tile.getRowBytes()), tile.offset);
  Value chunk = b.bitXor(b.shiftRight(first, 4), tile.getKey(b, k));
  int64_t groups = std::min(kPermutedChunks, getNumGroups());
  for (int64_t i = 0; i < groups; ++i)
    offsets.push_back(
        b.add(start, b.mul(b.bitXor(chunk, i), SharedTile::kChunkBytes)));
}

SmallVector<Value> ByteFragments::load(MMABuilder &b, Value stage,
                                       int64_t step) {
  // Bytes of two words: those of even places, and those of odd ones.
  constexpr int64_t kEven = 0x6420, kOdd = 0x7531;
  SmallVector<Value> words;
  for (int64_t group = 0; group < getNumGroups(); ++group) {
    int64_t bytes =
        kStepDepth * step * tile.getRowBytes() +
        group / kPermutedChunks * kPermutedChunks * SharedTile::kChunkBytes;
    Value place = b.add(stage, offsets[group % kPermutedChunks]);
    SmallVector<Value> pairs = b.loadMatrices(
        b.advance(b.advance(shared, place), bytes), /*transposed=*/true);
    Value even[2], odd[2];
    for (int64_t half : {0, 1}) {
      even[half] = b.permuteBytes(pairs[2 * half], pairs[2 * half + 1], kEven);
      odd[half] = b.permuteBytes(pairs[2 * half], pairs[2 * half + 1], kOdd);
    }
    // Along k last for A, first for B.
    if (tile.isA)
      words.append({even[0], odd[0], even[1], odd[1]});
    else
      words.append({even[0], even[1], odd[0], odd[1]});
  }
  return words;
}

std::unique_ptr<OperandFragments>
mlir::pit::mma::createByteFragments(const SharedTile &tile) {
  return std::make_unique<ByteFragments>(tile);
}
