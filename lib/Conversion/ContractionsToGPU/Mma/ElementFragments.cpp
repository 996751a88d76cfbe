//===- ElementFragments.cpp - Fragments loaded element by element ---------===//
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

/// Lane l has elements at l % 4 and l % 4 + 4 along k, at l / 4 and l / 4 + 8
/// along m or n.
class ElementFragments : public OperandFragments {
public:
  using OperandFragments::OperandFragments;

  void prepare(MMABuilder &b, const MMAState &state, Value first) override;
  SmallVector<Value> load(MMABuilder &b, Value stage, int64_t step) override;

private:
  /// What the key permutes: pairs of chunks in 128 bytes.
  static constexpr int64_t kPermutedBytes = 128, kPairBytes = 32;

  /// Of a number of pairs, the one whose offset is prepared, and the bytes from
  /// there on.
  int64_t getPair(int64_t pair) const {
    return pair % (kPermutedBytes / kPairBytes);
  }
  int64_t getBytesBehind(int64_t pair) const {
    return (pair - getPair(pair)) * kPairBytes;
  }
  /// Bytes along the contiguous axis of what lanes read together: of 8 along m
  /// or n, or of 4 along k.
  int64_t getBytesAtOnce() const {
    return (tile.isKMajor ? 4 : 8) * tile.elementBytes;
  }

  /// Byte offsets, by the number of a pair of chunks in 128 bytes.
  SmallVector<Value> offsets;
  Value shared;
};

} // namespace

void ElementFragments::prepare(MMABuilder &b, const MMAState &state,
                               Value first) {
  shared = state.shared;
  Value alongK = b.bitAnd(state.lane, 3), across = b.shiftRight(state.lane, 2);
  Value row = tile.isKMajor ? b.add(first, across) : alongK;
  Value bytes =
      b.mul(tile.isKMajor ? alongK : b.add(first, across), tile.elementBytes);
  Value start = b.add(b.mul(row, tile.getRowBytes()), tile.offset);
  start = b.add(start, b.bitAnd(bytes, SharedTile::kChunkBytes - 1));
  // Rows that are four apart have one key.
  Value chunk = b.bitXor(b.shiftRight(bytes, 4), tile.getKey(b, row));
  int64_t length = tile.isKMajor ? tile.getRowBytes()
                                 : tile.extentOfWarp * tile.elementBytes;
  int64_t pairs = std::min(kPermutedBytes, length) / kPairBytes;
  for (int64_t i = 0; i < pairs; ++i)
    offsets.push_back(
        b.add(start, b.mul(b.bitXor(chunk, 2 * i), SharedTile::kChunkBytes)));
}

SmallVector<Value> ElementFragments::load(MMABuilder &b, Value stage,
                                          int64_t step) {
  Type type = tile.elementBytes == 8 ? Type(b.getF64Type()) : b.getI32Type();
  auto loadElement = [&](int64_t alongK, int64_t across) {
    // Of four along k, and of eight along m or n.
    int64_t four = 2 * step + alongK;
    int64_t pair =
        (tile.isKMajor ? four : across) * getBytesAtOnce() / kPairBytes;
    int64_t rows = tile.isKMajor ? 8 * across : 4 * four;
    Value place = b.add(stage, offsets[getPair(pair)]);
    return b.load(b.advance(b.advance(shared, place),
                            rows * tile.getRowBytes() + getBytesBehind(pair)),
                  type);
  };
  SmallVector<Value> elements;
  for (int64_t group = 0; group < getNumGroups(); ++group)
    for (int64_t i = 0; i < 4; ++i) {
      // Along k last for A, first for B.
      int64_t alongK = tile.isA ? i / 2 : i % 2;
      int64_t across = tile.isA ? i % 2 : i / 2;
      elements.push_back(loadElement(alongK, 2 * group + across));
    }
  return elements;
}

std::unique_ptr<OperandFragments>
mlir::pit::mma::createElementFragments(const SharedTile &tile) {
  return std::make_unique<ElementFragments>(tile);
}
