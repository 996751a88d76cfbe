//===- ContractionLowering.h - A contraction as loops of GEMMs --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOCPU_CONTRACTIONLOWERING_H
#define PIT_LIB_CONVERSION_LINALGTOCPU_CONTRACTIONLOWERING_H

#include "GemmBuilder.h"

#include <array>

namespace mlir::pit {

enum OperandNumber { Left = 0, Right = 1, Out = 2 };

/// One loop, or several loops fused into one.
struct Axis {
  Value size;
  int64_t knownSize = 1;
  /// Per operand: which dimension the loop walks (-1 for none) and the stride.
  int64_t positions[3] = {-1, -1, -1};
  Value strides[3];
  int64_t knownStrides[3] = {0, 0, 0};
};

class ContractionLowering {
public:
  /// Products of at least `threadWork` units are cut into tasks for threads,
  /// none if that is negative.
  ContractionLowering(linalg::LinalgOp op, const Contraction &contraction,
                      const CPUTarget &target, int64_t threadWork,
                      linalg::FillOp fill)
      : op(op), contraction(contraction), target(target),
        threadWork(threadWork), fill(fill), builder(op), loc(op.getLoc()) {}
  void run();

private:
  void readOperand(unsigned number);
  Axis getAxis(unsigned loop);
  SmallVector<Axis> getAxes(ArrayRef<unsigned> loops);
  bool canFuse(const Axis &outer, const Axis &inner) const;
  Axis takeAxis(SmallVector<Axis> &axes, OperandNumber operand);
  Axis getUnitAxis();
  Operation *getScratchScope();

  // Around the product.

  /// A loop, and how far a step of it goes in each operand.
  struct OuterLoop {
    Value size;
    int64_t knownSize;
    Value strides[3];
  };
  /// The operands of the product, given where they begin.
  using GetViews =
      function_ref<std::array<MatrixView, 3>(ArrayRef<Value> offsets)>;
  using Offsets = std::array<Value, 3>;
  Offsets move(const Offsets &offsets, const OuterLoop &loop, Value iv);
  /// The body is told whether this is the first iteration of all the loops,
  /// with null if there are none.
  void emitLoops(ArrayRef<OuterLoop> loops, Offsets offsets,
                 function_ref<void(const Offsets &, Value)> body,
                 Value isFirst = nullptr);
  void emitTask(Value task, ArrayRef<OuterLoop> results,
                ArrayRef<OuterLoop> reductions, Value rows, Value columns,
                const GemmShape &shape, GetViews getViews);
  Value takeFill(Value steps);
  void emitProducts(const GemmShape &shape, ArrayRef<OuterLoop> results,
                    ArrayRef<OuterLoop> reductions, GetViews getViews,
                    bool hasDigitsInB = false);
  MatrixView getView(OperandNumber operand, const Axis &row, const Axis &column,
                     ArrayRef<Value> offsets);

  // Convolutions, in LowerWindows.cpp.

  /// A loop, and how far a step of it goes in each operand.
  struct WindowLoop {
    Value size;
    int64_t knownSize;
    Value strides[3];
    int64_t knownStrides[3];
  };
  WindowLoop getWindowLoop(unsigned loop);
  SmallVector<WindowLoop> getWindowLoops(ArrayRef<unsigned> loops);
  static bool isOneStep(const WindowLoop &outer, const WindowLoop &inner,
                        OperandNumber operand);
  SmallVector<WindowLoop> takeDimension(SmallVector<WindowLoop> &loops);
  void setDimension(MatrixView &view, unsigned dim, OperandNumber operand,
                    ArrayRef<WindowLoop> loops);
  MatrixView getWindowView(OperandNumber operand, ArrayRef<WindowLoop> rows,
                           ArrayRef<WindowLoop> columns,
                           ArrayRef<Value> offsets);
  void lowerWindows();

  linalg::LinalgOp op;
  const Contraction &contraction;
  const CPUTarget &target;
  int64_t threadWork;
  /// What the result holds before; null if that is not known.
  linalg::FillOp fill;
  OpBuilder builder;
  Location loc;
  MemRefType types[3];
  SmallVector<int64_t> knownStrides[3];
  SmallVector<Value> strides[3], sizes[3];
  Value buffers[3], offsets[3];
  /// Operand numbers in the roles of A, B and C: the first two are swapped when
  /// C is contiguous along rows.
  std::array<OperandNumber, 3> roles = {Left, Right, Out};
  Axis m, n, k;
  std::unique_ptr<GemmBuilder> gemm;
};

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_LINALGTOCPU_CONTRACTIONLOWERING_H
