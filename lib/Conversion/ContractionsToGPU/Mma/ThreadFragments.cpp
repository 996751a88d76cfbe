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

/// Lane l has sums of row l / 4 of each 8 of A, and of columns 2 * (l % 4) and
/// the next one of each 8 of B. Lanes that share a row or column read the same
/// words, which shared memory gives once.
class ThreadFragments : public OperandFragments {
public:
  using OperandFragments::OperandFragments;

  void prepare(MMABuilder &b, const MMAState &state, Value first) override;
  SmallVector<Value> load(MMABuilder &b, Value stage, int64_t step) override;

private:
  static constexpr int64_t kDepth = SharedTile::getStepBytes(4) / 4, kChunk = 4;
  /// Of 8 along m or n.
  int64_t getNumPlaces() const { return tile.isA ? 1 : 2; }
  void loadAlongK(MMABuilder &b, Value stage, int64_t step, int64_t eight,
                  SmallVectorImpl<Value> &words);
  void loadAcross(MMABuilder &b, Value stage, int64_t step, int64_t eight,
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
  Value mine = tile.isA ? b.shiftRight(state.lane, 2)
                        : b.mul(b.bitAnd(state.lane, 3), 2);
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
                                 int64_t eight, SmallVectorImpl<Value> &words) {
  const int64_t places = getNumPlaces();
  auto type = VectorType::get({places}, b.getI32Type());
  SmallVector<Value> rows;
  for (int64_t k = 0; k < kDepth; ++k) {
    // The key permutes pairs of chunks, which are 8 along m or n.
    Value pair = b.bitXor(b.add(stage, offset),
                          (eight ^ (k & 3)) * 2 * SharedTile::kChunkBytes);
    rows.push_back(b.load(b.advance(b.advance(shared, pair),
                                    (kDepth * step + k) * tile.getRowBytes()),
                          type, 4 * places));
  }
  for (int64_t place = 0; place < places; ++place)
    for (Value row : rows)
      words.push_back(LLVM::ExtractElementOp::create(b, row, b.i32(place)));
}

SmallVector<Value> ThreadFragments::load(MMABuilder &b, Value stage,
                                         int64_t step) {
  SmallVector<Value> words;
  for (int64_t eight = 0; eight < 2 * getNumGroups(); ++eight)
    if (tile.isKMajor)
      loadAlongK(b, stage, step, eight, words);
    else
      loadAcross(b, stage, step, eight, words);
  return words;
}

std::unique_ptr<OperandFragments>
mlir::pit::mma::createThreadFragments(const SharedTile &tile) {
  return std::make_unique<ThreadFragments>(tile);
}
