//===- BackwardEmitter.h - A kernel of gradients of attention ----*- C++
//-*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_BACKWARD_BACKWARDEMITTER_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_BACKWARD_BACKWARDEMITTER_H

#include "BackwardProblem.h"

#include "Conversion/AttentionToGPU/Steps/StepWalk.h"

#include <functional>

namespace mlir::pit::attention {

class BackwardEmitter {
public:
  /// `gradient` is the number of that of a modifier, for its pass.
  BackwardEmitter(BackwardProblem &backward, BackwardPass pass,
                  Summaries &summaries, detect::Kernel &b,
                  std::optional<unsigned> gradient = std::nullopt);
  /// Emits the kernel; returns how many blocks there are to be.
  Value run(int64_t cachedBytes);

private:
  using Vector = SmallVector<Value>;
  /// A stage of the ring, and the phase of its barriers.
  struct Place {
    Value stage, phase;
  };
  Place advance(Place place);
  Value barrier(int64_t offset) { return b.advance(shared, offset); }
  Value barrier(int64_t offset, Value stage) {
    return b.advance(shared,
                     b.add(b.mul(stage, WgmmaShape::kBarrierBytes), offset));
  }
  bool rowsAreQueries() const { return shape.rowsAreQueries(); }
  unsigned getRowAxis() {
    return rowsAreQueries() ? problem.getQueryAxis() : problem.getKeyAxis();
  }
  unsigned getColumnAxis() {
    return rowsAreQueries() ? problem.getKeyAxis() : problem.getQueryAxis();
  }
  /// Operands that rows and columns are of: the factors of scores, and those of
  /// the gradients of weights, where these are needed.
  SmallVector<unsigned> getRowOperands();
  SmallVector<unsigned> getColumnOperands();

  void initBarriers();
  void emitTile(Value tile);
  Value runModifier();
  /// Emits `body` for each point of the groups that share the block's rows, or
  /// of what is added up to the gradient of a modifier, and what it carries;
  /// sets the numbers of the batch.
  Vector forEachPoint(ArrayRef<Value> carried,
                      function_ref<Vector(ValueRange)> body);
  /// Emits `body` for each step of the tile that is not dead, and `beginPoint`
  /// in front of the steps of a point.
  Vector
  forEachStep(Value tile, ArrayRef<Value> carried,
              function_ref<void()> beginPoint,
              function_ref<Vector(StepWalk &, LogitEmitter &,
                                  const StepWalk::Step &, Place, ValueRange)>
                  body);

  void emitLoader(Value tile);
  void loadNumbers(const StepWalk::Step &step, Value stage, Value lane);
  void loadStage(const StepWalk::Step &step, Place place);

  void emitConsumer(Value tile);
  Vector getNumbers(Place place, bool ofDelta);
  Vector emitStep(StepWalk &walk, LogitEmitter &logits,
                  const StepWalk::Step &step, Place place, ValueRange sums);
  /// Weights, and the same times what caps make of gradients.
  struct Weights {
    Vector plain, capped;
  };
  Weights weigh(StepWalk &walk, LogitEmitter &logits,
                const StepWalk::Step &step, ArrayRef<Value> scores,
                ArrayRef<Value> lse);
  /// The logarithm to base 2 that weights are divided by, and delta, of a
  /// query.
  std::pair<Value, Value> loadNumbersOf(Value query);
  Vector round(ArrayRef<Value> weights);
  void loadNumbersOfRows();
  void store(unsigned result, ArrayRef<Value> sums, double factor);
  void storeModifier(ArrayRef<Value> sums);
  Value getRow(unsigned half);
  Value constant(double value);

  BackwardProblem &backward;
  Problem &problem;
  const BackwardPass pass;
  const Guards &guards;
  Summaries &summaries;
  detect::Kernel &b;
  const BackwardShape shape;
  const std::optional<unsigned> gradient;
  const LogitSlope slope;
  Vector mapsOfRows, mapsOfColumns;
  Value shared, address;
  Vector batch;
  /// The first row of the block, and its only step, if it has one.
  Value first, onlyStep;
  /// Of the thread that multiplies.
  Value warp, consumer;
  /// Of its rows, where these are queries.
  Vector lseOfRows, deltaOfRows;
};

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_BACKWARD_BACKWARDEMITTER_H
