//===- Problem.h - One attention, as its kernels see it ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Extents and strides of a pit.attend on buffers, on the host and in a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_PROBLEM_PROBLEM_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_PROBLEM_PROBLEM_H

#include "GPU/Host/HostMath.h"
#include "GPU/Host/Kernel.h"
#include "PIT/Dialect/PIT/IR/PITAttention.h"

#include <map>

namespace mlir::pit::attention {

/// Axes of the batch whose points share keys and values, and differ in nothing
/// but their queries: heads of a group (GQA, MQA). Extents are known.
SmallVector<unsigned> getGroupAxes(AttendOp op);

/// Operands by number, as in the op's maps: query, key, value, modifiers, init,
/// lse.
enum Operand : unsigned { Query = 0, Key = 1, Values = 2, FirstModifier = 3 };

class Problem {
public:
  Problem(AttendOp op, detect::HostMath &host);

  AttendOp op;
  detect::HostMath &host;

  unsigned getInit() { return op.getInitNumber(); }
  unsigned getNumBatchAxes() const { return numBatchAxes; }
  unsigned getQueryAxis() const { return numBatchAxes; }
  unsigned getKeyAxis() const { return numBatchAxes + 1; }
  /// Elements of a row of query and key, and of value and init.
  int64_t getScoreWidth() const { return scoreWidth; }
  int64_t getValueWidth() const { return valueWidth; }
  Type getElement() const { return element; }

  /// Axes of the batch that are rows of a tile besides queries, if the plan
  /// says so: a row's number counts queries first. Points of the batch lack
  /// them.
  ArrayRef<unsigned> getRowAxes() const { return rowAxes; }
  /// How many rows a point of the batch has, an index of the host, and the
  /// number of the last one; how many tiles of so many rows there are.
  Value getRows();
  Value getLastRow();
  Value getRowTiles(int64_t rows);
  /// Of the kernel: the numbers that a row stands for by axis, for those of the
  /// batch and the query; null for those that are no part of it.
  SmallVector<Value> splitRow(detect::Kernel &b, Value row);
  /// Bytes from an operand's first row to this one, of 64 bits.
  Value getRowOffset(detect::Kernel &b, unsigned operand, Value row);

  /// The number of points along an axis, an index of the host; that of the last
  /// one; and how many tiles of so many points there are. Each is computed
  /// once.
  Value getExtent(unsigned axis);
  Value getLast(unsigned axis);
  Value getTiles(unsigned axis, int64_t tile);
  /// What is known of it, or ShapedType::kDynamic.
  int64_t getKnownExtent(unsigned axis) { return op.getAxisExtent(axis); }
  /// Elements between neighbours along an axis; null if the operand lacks it.
  Value getStride(unsigned operand, unsigned axis);

  /// Of the kernel: the address of an operand's element at these numbers of
  /// axes, of i32, null for those that count nothing. Sums are of 64 bits.
  Value getAddress(detect::Kernel &b, unsigned operand,
                   ArrayRef<Value> position);
  /// Bytes from one number along the axis to the next, as i64; null if the
  /// operand lacks it.
  Value getStrideBytes(detect::Kernel &b, unsigned operand, unsigned axis);
  /// Whether `elements` neighbours along an axis lie side by side, and each
  /// such group at a multiple of its size from the operand's first element.
  bool hasVectors(unsigned operand, unsigned axis, int64_t elements);
  /// Bytes of an element in memory; truth values have one.
  int64_t getElementBytes(unsigned operand);
  /// A number of the batch's axes for each part of `number`, innermost axis
  /// last.
  SmallVector<Value> splitBatch(detect::Kernel &b, Value number);
  /// How many such numbers there are, an index of the host.
  Value getBatchSize();

  /// A tile of so many queries: the number of its point of the batch, see
  /// splitBatch, and its own.
  struct TileOfBlock {
    Value point, tile;
  };
  /// The tile of a block, of getBatchSize() x getRowTiles(queries) blocks.
  /// Blocks start in the order of their numbers. The batch is cut into groups
  /// whose keys and values fit into `cachedBytes`; of a group, the longest
  /// tiles come first (Graham's list scheduling), which are those of late
  /// queries if any are longer.
  TileOfBlock getTileOfBlock(detect::Kernel &b, Value block, int64_t queries,
                             int64_t cachedBytes);
  /// The same of so many tiles and points, of which so many are a group; tiles
  /// in the order of their numbers.
  TileOfBlock getTileOfBlock(detect::Kernel &b, Value block, Value tiles,
                             Value points, Value pointsOfGroup);
  /// How many of so many points have rows along an axis that together fit into
  /// `cachedBytes`, those of both operands of products with these axes; at
  /// least one.
  Value getPointsOfGroup(unsigned axis, unsigned operand, Value points,
                         int64_t cachedBytes);
  /// A block for each of these tiles: emits `body` for the numbers of the batch
  /// and of the tile, and returns how many blocks there are, at least one.
  Value forEachTile(detect::Kernel &b, int64_t queries, int64_t cachedBytes,
                    function_ref<void(ArrayRef<Value>, Value)> body);

private:
  Value &cache(const char *what, unsigned a, int64_t b) {
    return cached[{what, {a, b}}];
  }
  Value computeExtent(unsigned axis);
  Value getStart(detect::Kernel &b, unsigned operand);

  bool isRowAxis(unsigned axis) const {
    return llvm::is_contained(rowAxes, axis);
  }

  unsigned numBatchAxes;
  SmallVector<unsigned> rowAxes;
  int64_t scoreWidth, valueWidth;
  Type element;
  std::map<std::pair<StringRef, std::pair<unsigned, int64_t>>, Value> cached;
};

/// Elements between neighbours along a dimension of a buffer, an index of the
/// host.
Value getBufferStride(detect::HostMath &host, Value buffer, unsigned dimension);

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_PROBLEM_PROBLEM_H
