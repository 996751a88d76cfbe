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
  BackwardEmitter(BackwardProblem &backward, BackwardPass pass,
                  Summaries &summaries, detect::Kernel &b);
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
  bool isOfQueries() const { return pass == BackwardPass::Queries; }
  unsigned getRowAxis() {
    return isOfQueries() ? problem.getQueryAxis() : problem.getKeyAxis();
  }
  unsigned getColumnAxis() {
    return isOfQueries() ? problem.getKeyAxis() : problem.getQueryAxis();
  }
  /// Operands that rows and columns are of: the factors of scores, and those of
  /// the gradients of weights.
  std::array<unsigned, 2> getRowOperands();
  std::array<unsigned, 2> getColumnOperands();

  void initBarriers();
  void emitTile(Value tile);
  /// Emits `body` for each point of the groups that share the block's rows, and
  /// what it carries; sets the numbers of the batch.
  Vector forEachPoint(ArrayRef<Value> carried,
                      function_ref<Vector(ValueRange)> body);
  /// Emits `body` for each step of the tile that is not dead.
  Vector
  forEachStep(Value tile, ArrayRef<Value> carried,
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
  Vector weigh(StepWalk &walk, LogitEmitter &logits, const StepWalk::Step &step,
               ArrayRef<Value> scores, ArrayRef<Value> lse);
  /// The logarithm to base 2 that weights are divided by, and delta, of a
  /// query.
  std::pair<Value, Value> loadNumbersOf(Value query);
  Vector round(ArrayRef<Value> weights);
  void store(unsigned result, ArrayRef<Value> sums, double factor);
  Value getRow(unsigned half);
  Value constant(double value);

  BackwardProblem &backward;
  Problem &problem;
  const BackwardPass pass;
  const Guards &guards;
  Summaries &summaries;
  detect::Kernel &b;
  const BackwardShape shape;
  Value mapsOfRows[2], mapsOfColumns[2];
  Value shared, address;
  Vector batch;
  /// The first row of the block.
  Value first;
  /// Of the thread that multiplies.
  Value warp, consumer;
  /// Of its rows, where these are queries.
  Vector lseOfRows, deltaOfRows;
};

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_BACKWARD_BACKWARDEMITTER_H
