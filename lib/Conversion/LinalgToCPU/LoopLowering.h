//===- LoopLowering.h - A structured op as loops of the CPU -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOCPU_LOOPLOWERING_H
#define PIT_LIB_CONVERSION_LINALGTOCPU_LOOPLOWERING_H

#include "PIT/Dialect/PIT/Utils/Combiner.h"
#include "PIT/Dialect/PIT/Utils/Scan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

class LoopLowering {
public:
  /// If `strict`, sums and products of floats keep their order. Ops of at
  /// least `threadWork` units are cut into parts for threads, none if that is
  /// negative.
  LoopLowering(linalg::LinalgOp op, bool strict, int64_t threadWork);
  void run();

private:
  /// Reductions computed side by side.
  static constexpr int64_t kJam = 8;
  /// Edge of the square tiles of a transposition: one cache line of f32.
  static constexpr int64_t kTile = 16;

  Value cst(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  /// How badly `loop` walks memory: operands in which it is neither contiguous
  /// nor absent.
  unsigned countScattered(unsigned loop);
  bool isContiguous(unsigned operand, unsigned loop);
  void chooseOrder();
  void chooseTiles(bool isParallel);
  void skipEmptyNest();
  void emitLoops(unsigned depth);
  void emitReductions(unsigned depth, int64_t jam,
                      MutableArrayRef<SmallVector<Value>> accumulators);
  bool hasLongRows();
  bool isLong(unsigned depth) const;
  void emitChunks(unsigned depth, int64_t jam,
                  MutableArrayRef<SmallVector<Value>> accumulators);
  void emitSideBySide(unsigned depth, SmallVector<Value> &accumulators);
  void emitLongReduction(unsigned depth, int64_t jam,
                         MutableArrayRef<SmallVector<Value>> accumulators);
  bool hasLongColumns(unsigned depth) const;
  void emitLongColumns(unsigned depth);
  bool hasFewTaps(unsigned depth) const;
  void emitFewTaps(unsigned depth);
  void emitLoop(Value from, Value to, int64_t step,
                function_ref<void(Value)> body);
  void emitJammed(unsigned depth, int64_t jam);
  /// The first iteration of a loop, and the one behind the last: of the part
  /// that a thread computes, if it is that loop which is cut.
  Value getFirst(unsigned loop);
  Value getLast(unsigned loop);
  SmallVector<Value> getIndices(unsigned operand, int64_t copy);
  Value loadOperand(unsigned operand, int64_t copy);
  SmallVector<Value> emitBody(int64_t copy, ArrayRef<Value> accumulators) {
    return emitBody(copy, accumulators,
                    op.getBlock()->getTerminator()->getOperands());
  }
  SmallVector<Value> emitBody(int64_t copy, ArrayRef<Value> accumulators,
                              ValueRange wanted);
  void storeResults(int64_t copy, ArrayRef<Value> results);

  // Several threads, in ThreadRanges.cpp.

  /// Loops of which threads compute parts: one, or several outermost ones as if
  /// they were one.
  struct Cut {
    SmallVector<unsigned> loops;
    /// Parts begin at multiples of this many iterations.
    int64_t multiple = 1;
  };
  SmallVector<unsigned> findPlainLoops() const;
  std::optional<Cut> findInnerCut(size_t depth) const;
  std::optional<Cut> findCutOfScan();
  std::optional<Cut> findCut();
  bool emitInThreads();

  // Running sums, in ScanLoops.cpp.

  /// Rows whose sums run side by side, and columns in a piece.
  static constexpr int64_t kScannedRows = 4, kScannedColumns = 1024;
  SmallVector<unsigned> getScannedRows(std::optional<unsigned> columns) const;
  Type getRunningType();
  std::optional<unsigned> findScannedColumns();
  Value emitScanStep(Value position, Value before, Value count);
  Value countScanned();
  Value createRunningNeutral();
  void emitScanOfColumns(unsigned columns);
  void emitScanOfRows(std::optional<unsigned> loop, ArrayRef<Value> rows);
  void emitScan();

  linalg::LinalgOp op;
  OpBuilder builder;
  Location loc;
  SmallVector<AffineMap> maps;
  SmallVector<unsigned> order;
  /// Loops of `order` from here on are reductions with accumulators in
  /// registers.
  unsigned firstCarried = 0;
  SmallVector<Value> extents;
  SmallVector<Value> ivs;
  /// The loop that is cut, and the bounds of this part.
  std::optional<unsigned> cutLoop;
  Value cutFirst, cutLast;
  /// The loop of which several iterations are computed side by side, and their
  /// induction variables.
  std::optional<unsigned> jammedLoop;
  /// Loops walked in tiles, and the first iteration of the current tile.
  SmallVector<unsigned> tiledLoops;
  SmallVector<Value> tileStarts;
  SmallVector<Value> jammedIvs;
  /// How partial results become one, if their order may be another one.
  std::optional<Combiner> combiner;
  bool isStrict;
  int64_t threadWork;
  std::optional<Scan> scan;
};

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_LINALGTOCPU_LOOPLOWERING_H
