//===- RowEmitter.h - What a kernel of rows does ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ROWSTOGPU_ROWEMITTER_H
#define PIT_LIB_CONVERSION_ROWSTOGPU_ROWEMITTER_H

#include "GPU/Lists/RowAccess.h"
#include "RowKernel.h"

namespace mlir::pit::rows {

constexpr int64_t kWarpLanes = 32;

class RowEmitter {
public:
  RowEmitter(const RowsMatch &match, RowPlanAttr plan,
             const sums::SourceLists *lists, int64_t sharedBytes,
             detect::HostMath &host);
  void run(gpu::GPUModuleOp module, StringRef name);

private:
  using Elements = SmallVector<Value>;

  Value getRow(detect::Kernel &b, const Operand &operand, Value position,
               Value coordinate);
  /// Where an operand's row is: nowhere, if all share it.
  SmallVector<Value> getPlace(const Operand &operand, Value row) const;
  void emitRow(detect::Kernel &b);
  Elements load(detect::Kernel &b, unsigned operand, Value row);
  void store(detect::Kernel &b, unsigned operand, Value row,
             ArrayRef<Value> elements);
  void emitStep(detect::Kernel &b, Operation *step);
  SmallVector<Value> getStarts(detect::Kernel &b, linalg::LinalgOp op);
  SmallVector<Value> reduceElements(detect::Kernel &b, linalg::LinalgOp op,
                                    SmallVector<Value> found);
  SmallVector<Value> reduceLanes(detect::Kernel &b, linalg::LinalgOp op,
                                 SmallVector<Value> found);
  Elements emitMap(detect::Kernel &b, linalg::LinalgOp op);
  SmallVector<Value> getArguments(detect::Kernel &b, linalg::LinalgOp op,
                                  unsigned element);
  SmallVector<Value> emitElement(detect::Kernel &b, linalg::LinalgOp op,
                                 ArrayRef<Value> arguments, unsigned element);
  Elements emitPlaces(detect::Kernel &b, linalg::LinalgOp places);
  bool isReadFirst(Value buffer);
  Operation *getLastWriter(Value buffer) const;
  Elements getColumnsOf(const Operand &output) const;
  void fillOthers(detect::Kernel &b, unsigned number, Value count);
  /// Whether the lane has columns in its i-th vector, null if all have.
  Value exists(detect::Kernel &b, int64_t vector);
  /// The thread's number among those of its row.
  Value lane(detect::Kernel &b) {
    return lanes >= kWarpLanes && !isWide ? b.lane()
           : isWide                       ? b.threadId()
                                          : b.bitAnd(b.threadId(), lanes - 1);
  }
  /// The number of the first row's threads of a warp among all, of a row's
  /// threads, and how many of them there are.
  Value firstGroup(detect::Kernel &b) {
    return isWide ? b.blockId()
                  : b.mul(b.add(b.mul(b.blockId(), b.i32(numWarps)), b.warp()),
                          kWarpLanes / lanes);
  }
  Value group(detect::Kernel &b) {
    return hasPartsOfWarp()
               ? b.add(firstGroup(b), b.divide(b.lane(), b.i32(lanes)))
               : firstGroup(b);
  }
  Value numGroups(detect::Kernel &b) {
    return b.mul(b.extend(b.gridSize()), isWide ? 1 : plan.getRows());
  }
  /// Whether a warp has several rows.
  bool hasPartsOfWarp() const { return lanes < kWarpLanes; }
  Value getColumn(detect::Kernel &b, int64_t vector) {
    Value first = chunk ? b.add(lane(b), b.mul(b.add(chunk, vector), lanes))
                        : b.add(lane(b), vector * lanes);
    return b.extend(b.mul(first, length));
  }
  SmallVector<Value> combineWarps(detect::Kernel &b, linalg::LinalgOp op,
                                  ArrayRef<Value> found);
  int64_t countVectors() const { return chunk ? vectorsOfChunk : numVectors; }
  int64_t getNumElements() const { return countVectors() * length; }

  // Rows that registers do not hold, in RowSweeps.cpp.

  /// What one sweep over a row does: reductions that need no other's result,
  /// or, where there are none, what is stored.
  struct Sweep {
    SmallVector<linalg::LinalgOp> reductions;
    /// The step before which all that it needs is computed.
    size_t end = 0;
    /// Steps on single numbers of a row, before it.
    SmallVector<Operation *> before;
    /// Maps, in order, and operands that are loaded for them.
    SmallVector<Operation *> maps;
    SmallVector<unsigned> loads;
  };
  void planSweeps(int64_t sharedBytes);
  void addSweep(Sweep sweep);
  SetVector<Value> listNeeded(ArrayRef<Value> targets, size_t end,
                              SmallVectorImpl<Operation *> &maps) const;
  void keepRows(int64_t sharedBytes);
  void emitLongRow(detect::Kernel &b, ArrayRef<Value> rows);
  void emitSweep(detect::Kernel &b, size_t sweep, ArrayRef<Value> rows);
  SmallVector<Value> emitChunk(detect::Kernel &b, size_t sweep,
                               ArrayRef<Value> rows, ValueRange found,
                               bool mayKeep);
  Elements loadChunk(detect::Kernel &b, unsigned operand, Value row,
                     bool mayKeep, size_t sweep);

  const RowsMatch &match;
  RowPlanAttr plan;
  /// Null if all rows are computed.
  const sums::SourceLists *lists;
  detect::HostMath &host;
  /// None of what is in no memory.
  SmallVector<std::optional<sums::Layout>> layouts;
  /// How many threads have one row, and whether all of a block have.
  int64_t lanes;
  bool isWide;
  int64_t numWarps;
  /// Columns of a vector, and vectors of a lane.
  int64_t length, numVectors;
  /// Where warps leave what they found, if they have a row together.
  Value shared;
  /// The number of the row at hand, i64, and whether there is one: lanes
  /// without one compute the last row again, so that all of a warp exchange
  /// what they found. Null if all have one.
  Value position, isRow;
  /// The segment that lists the row at hand, i64; null if nobody asks for it.
  Value segment;
  /// What buffers hold of a row.
  DenseMap<Value, Elements> values;
  /// Whether lanes take rows chunk by chunk; the first vector of the lane's
  /// chunk, i32, and how many vectors one has. Whole ones have columns alone.
  bool isLong = false, isWhole = false;
  Value chunk;
  int64_t vectorsOfChunk = 0;
  SmallVector<Sweep, 0> sweeps;
  /// Of an operand, whether it stays in shared memory from the sweep that loads
  /// it first on, and where.
  struct Kept {
    bool isKept = false;
    size_t firstSweep = 0;
    int64_t offset = 0;
  };
  SmallVector<Kept> keeps;
  /// Vectors of each lane that are kept, bytes of all, and where they are.
  int64_t vectorsKept = 0, bytesKept = 0;
  Value kept;
};

} // namespace mlir::pit::rows

#endif // PIT_LIB_CONVERSION_ROWSTOGPU_ROWEMITTER_H
