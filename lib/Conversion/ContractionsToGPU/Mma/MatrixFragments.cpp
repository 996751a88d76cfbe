//===- MatrixFragments.cpp - Fragments loaded by ldmatrix -----------------===//
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

class MatrixFragments : public OperandFragments {
public:
  using OperandFragments::OperandFragments;

  void prepare(MMABuilder &b, const MMAState &state, Value first) override;
  SmallVector<Value> load(MMABuilder &b, Value stage, int64_t step) override;

private:
  /// Byte offsets; K-major by step, otherwise by group.
  SmallVector<Value> offsets;
  Value shared;
};

} // namespace

void MatrixFragments::prepare(MMABuilder &b, const MMAState &state,
                              Value first) {
  shared = state.shared;
  // The four 8 x 8 tiles that are loaded at once are two along m or n by two
  // along k, in the order in which the products take the words: along k last
  // for A, first for B.
  Value bits[2] = {b.bitAnd(b.shiftRight(state.lane, 3), 1),
                   b.shiftRight(state.lane, 4)};
  Value halfMN = bits[tile.isA ? 0 : 1], halfK = bits[tile.isA ? 1 : 0];
  Value inTile = b.bitAnd(state.lane, 7);
  Value row, chunk;
  if (tile.isKMajor) {
    row = b.add(b.add(first, inTile), b.mul(halfMN, 8));
    chunk = halfK;
  } else {
    row = b.add(inTile, b.mul(halfK, 8));
    chunk = b.add(b.shiftRight(first, 3), halfMN);
  }
  Value start = b.add(b.mul(row, tile.getRowBytes()), tile.offset);
  chunk = b.bitXor(chunk, tile.getKey(b, row));
  // Two chunks further is another bit of the chunk's number.
  int64_t count = tile.isKMajor ? tile.getNumSteps() : getNumGroups();
  for (int64_t i = 0; i < count; ++i)
    offsets.push_back(
        b.add(start, b.mul(b.bitXor(chunk, 2 * i), SharedTile::kChunkBytes)));
}

SmallVector<Value> MatrixFragments::load(MMABuilder &b, Value stage,
                                         int64_t step) {
  SmallVector<Value> words;
  int64_t rowsBytes = 16 * tile.getRowBytes();
  for (int64_t group = 0; group < getNumGroups(); ++group) {
    Value offset = offsets[tile.isKMajor ? step : group];
    Value pointer = b.advance(b.advance(shared, b.add(stage, offset)),
                              rowsBytes * (tile.isKMajor ? group : step));
    llvm::append_range(words,
                       b.loadMatrices(pointer, /*transposed=*/!tile.isKMajor));
  }
  return words;
}

std::unique_ptr<OperandFragments>
mlir::pit::mma::createMatrixFragments(const SharedTile &tile) {
  return std::make_unique<MatrixFragments>(tile);
}
