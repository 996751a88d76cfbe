//===- TransposingLoader.cpp - Transposed while copied by cp.async --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads that multiply read neighbours along m and n at once: then a register
// of a factor lies in the same bank for each k, and that of a sum in the other
// one. A copy of 4 bytes goes anywhere, so that what is contiguous along k is
// transposed on the way. Such copies take four times as long as those of 16
// bytes, and so are not worth it where a thread has few sums for what it
// copies.
//
// A warp has 8 k of 4 rows: whole sectors of device memory, and different banks
// of shared memory, as the key of k permutes chunks of 4 rows.
//
//===----------------------------------------------------------------------===//

#include "OperandLoader.h"

using namespace mlir;
using namespace mlir::pit::mma;

namespace {

class TransposingLoader : public OperandLoader {
public:
  using OperandLoader::OperandLoader;

  void prepare(MMABuilder &b, const MMAState &state) override;
  void beginTile(MMABuilder &b, const MMAState &state,
                 TilePosition position) override;
  void load(MMABuilder &b, const MMAState &state, Value k, Value stage,
            ValueRange) override;

private:
  /// Of a warp's lanes: k, and m or n.
  static constexpr int64_t kDepthOfWarp = 8, kRowsOfWarp = 4, kBytes = 4;
  int64_t getRowsPerPass() const { return kernel.getNumThreads() / tile.depth; }
  int64_t getNumPasses() const { return tile.extent / getRowsPerPass(); }

  /// The thread's k, and its m or n of the first pass; where that lies, and the
  /// distance of rows in device memory.
  Value along, row, target, strideBytes;
  /// Of the tile: the thread's element at k = 0 in the first pass.
  Value pointer;
  /// Of the tile: how many m or n there are from the thread's first on.
  Value remaining;
};

} // namespace

void TransposingLoader::prepare(MMABuilder &b, const MMAState &state) {
  int64_t groups = tile.depth / kDepthOfWarp;
  Value group = b.bitAnd(state.warp, groups - 1);
  along =
      b.add(b.bitAnd(state.lane, kDepthOfWarp - 1), b.mul(group, kDepthOfWarp));
  row = b.add(
      b.shiftRight(state.lane, llvm::Log2_64(kDepthOfWarp)),
      b.mul(b.shiftRight(state.warp, llvm::Log2_64(groups)), kRowsOfWarp));
  Value key = b.mul(tile.getKey(b, along), SharedTile::kChunkBytes);
  target = b.add(b.add(b.mul(along, tile.getRowBytes()),
                       b.bitXor(b.mul(row, kBytes), key)),
                 tile.offset);
  strideBytes = getBytes(b, b.extend(state.arguments.strides[tile.operand]));
}

void TransposingLoader::beginTile(MMABuilder &b, const MMAState &state,
                                  TilePosition position) {
  Value first = b.add(tile.isA ? position.row : position.column, row);
  pointer = b.advance(
      b.advance(getBase(b, state, position), b.extend(getBytes(b, along))),
      b.mul(b.extend(first), strideBytes));
  Value end = tile.isA ? state.getEnd(position) : state.arguments.n;
  remaining = hasTail() ? saturatingSub(b, end, first) : Value();
}

void TransposingLoader::load(MMABuilder &b, const MMAState &state, Value k,
                             Value stage, ValueRange) {
  Value source = b.advance(pointer, b.extend(getBytes(b, k)));
  Value exists =
      b.isLess(kernel.tailK ? b.add(k, along) : k, state.arguments.k);
  // The key changes bits of the place that passes add to.
  int64_t period = tile.getNumKeysOfThreads() * kRowsOfWarp;
  for (int64_t pass = 0; pass < getNumPasses(); ++pass) {
    int64_t passRow = pass * getRowsPerPass();
    Value place = b.bitXor(b.add(stage, target), passRow % period * kBytes);
    Value isRead = exists;
    if (remaining)
      isRead = b.bitAnd(isRead, b.isLess(b.i32(passRow), remaining));
    b.copyAsync(b.advance(b.advance(state.shared, place),
                          passRow / period * period * kBytes),
                pass ? b.advance(source, b.mul(strideBytes, passRow)) : source,
                kBytes, b.select(isRead, b.i32(kBytes), b.i32(0)));
  }
}

std::unique_ptr<OperandLoader>
mlir::pit::mma::createTransposingLoader(const MMAKernel &kernel,
                                        const SharedTile &tile) {
  return std::make_unique<TransposingLoader>(kernel, tile);
}
