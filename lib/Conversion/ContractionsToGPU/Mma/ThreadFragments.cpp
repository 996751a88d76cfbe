//===- ThreadFragments.cpp - Fragments of SIMT products -------------------===//
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

/// Along k: lane l has sums of row l / 4 of each 8 of A, and of columns
/// 2 * (l % 4) and the next one of each 8 of B. Across: of neighbouring rows
/// 2 * (l / 4) and the next one of each 16 of A, and of four columns
/// 4 * (l % 4) and up of each 16 of B, so that one load has them. Lanes that
/// share a row or column read the same words, which shared memory gives once.
class ThreadFragments : public OperandFragments {
public:
  using OperandFragments::OperandFragments;

  void prepare(MMABuilder &b, const MMAState &state, Value first) override;
  SmallVector<Value> load(MMABuilder &b, Value stage, int64_t step) override;

private:
  static constexpr int64_t kChunk = 4,
                           kDepth = SharedTile::kThreadStepBytes / 4;
  /// Chunks of 16 along m or n.
  static constexpr int64_t kGroupChunks = 4;
  /// Of 8 along m or n.
  int64_t getNumPlaces() const { return tile.isA ? 1 : 2; }
  void loadAlongK(MMABuilder &b, Value stage, int64_t step, int64_t eight,
                  SmallVectorImpl<Value> &words);
  void loadAcross(MMABuilder &b, Value stage, int64_t step, int64_t group,
                  SmallVectorImpl<Value> &words);

  /// A byte offset: of the first chunk, of the first 8 along m or n. All others
  /// are that one with some bits changed, and whole rows further: stages, and
  /// operands in them, begin at multiples of a row's bytes.
  Value offset;
  Value shared;
};

} // namespace

void ThreadFragments::prepare(MMABuilder &b, const MMAState &state,
                              Value first) {
  shared = state.shared;
  Value mine =
      b.mul(tile.isA ? b.shiftRight(state.lane, 2) : b.bitAnd(state.lane, 3),
            getNumPlaces() * (tile.isKMajor ? 1 : 2));
  if (tile.isKMajor) {
    // Two neighbouring columns, and rows that are eight apart, have one key.
    Value row = b.add(first, mine);
    offset = b.add(b.mul(row, tile.getRowBytes()),
                   b.mul(tile.getKey(b, row), SharedTile::kChunkBytes));
  } else {
    offset = b.add(b.mul(first, 4), b.mul(mine, 4));
  }
  offset = b.add(offset, tile.offset);
}

void ThreadFragments::loadAlongK(MMABuilder &b, Value stage, int64_t step,
                                 int64_t eight, SmallVectorImpl<Value> &words) {
  auto four = VectorType::get({kChunk}, b.getI32Type());
  constexpr int64_t kChunks = kDepth / kChunk;
  for (int64_t place = 0; place < getNumPlaces(); ++place)
    for (int64_t i = 0; i < kChunks; ++i) {
      Value chunk = b.bitXor(b.add(stage, offset),
                             (kChunks * step + i) * SharedTile::kChunkBytes);
      Value loaded = b.load(b.advance(b.advance(shared, chunk),
                                      (8 * eight + place) * tile.getRowBytes()),
                            four, SharedTile::kChunkBytes);
      for (int64_t k = 0; k < kChunk; ++k)
        words.push_back(LLVM::ExtractElementOp::create(b, loaded, b.i32(k)));
    }
}

void ThreadFragments::loadAcross(MMABuilder &b, Value stage, int64_t step,
                                 int64_t group, SmallVectorImpl<Value> &words) {
  // Of both fragments of 8, which lie between each other.
  const int64_t places = getNumPlaces(), count = 2 * places;
  auto type = VectorType::get({count}, b.getI32Type());
  SmallVector<Value> rows;
  for (int64_t k = 0; k < kDepth; ++k) {
    int64_t key = (kDepth * step + k) % tile.getNumKeysOfThreads();
    Value place =
        b.bitXor(b.add(stage, offset),
                 ((kGroupChunks * group) ^ key) * SharedTile::kChunkBytes);
    rows.push_back(b.load(b.advance(b.advance(shared, place),
                                    (kDepth * step + k) * tile.getRowBytes()),
                          type, 4 * count));
  }
  for (int64_t eight = 0; eight < 2; ++eight)
    for (int64_t place = 0; place < places; ++place)
      for (Value row : rows)
        words.push_back(
            LLVM::ExtractElementOp::create(b, row, b.i32(2 * place + eight)));
}

SmallVector<Value> ThreadFragments::load(MMABuilder &b, Value stage,
                                         int64_t step) {
  SmallVector<Value> words;
  for (int64_t group = 0; group < getNumGroups(); ++group)
    if (!tile.isKMajor)
      loadAcross(b, stage, step, group, words);
    else
      for (int64_t eight : {2 * group, 2 * group + 1})
        loadAlongK(b, stage, step, eight, words);
  return words;
}

std::unique_ptr<OperandFragments>
mlir::pit::mma::createThreadFragments(const SharedTile &tile) {
  return std::make_unique<ThreadFragments>(tile);
}
