//===- Tape.h - A program that learns its backward --------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reverse-mode differentiation as autograd does it: each op of the forward pass
// leaves a function behind that computes the gradients of its operands from
// that of its result. They run in reverse order, and gradients of what was read
// more than once are added.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_FUZZ_GRADIENTS_TAPE_H
#define PIT_TOOLS_PIT_FUZZ_GRADIENTS_TAPE_H

#include "Families.h"

#include <functional>

namespace mlir::pit::fuzz {

/// Truth values that say where a tensor is live.
struct LiveWhere {
  Value truth;
  Dims dims;
  /// Tensors of these extents may hold NaN where they are dead: what their
  /// data has to say for that. Nothing where dead places are not known before
  /// the program runs.
  std::optional<DataSpec> data;
  /// Of positions below a length: the lengths, and whether padding is in front.
  Value lengths;
  bool isLeft = false;
};

class Tape {
public:
  explicit Tape(ProgramBuilder &program) : program(program) {}

  //===--------------------------------------------------------------------===//
  // What has a gradient
  //===--------------------------------------------------------------------===//

  /// A new argument of numbers whose gradient is asked for.
  Operand addParameter(ArrayRef<unsigned> dims);
  Operand addParameterOf(ArrayRef<unsigned> dims, const DataSpec &spec);
  /// Another one that is masked at once. What is dead may be NaN.
  Operand addMaskedParameter(ArrayRef<unsigned> dims);
  /// A new argument of numbers that the program takes for constant.
  Operand addConstant(ArrayRef<unsigned> dims, DataSpec spec);

  /// A mark that says that a tensor has zeros, which changes nothing.
  Operand markValues(const Operand &operand);

  bool isTracked(const Operand &operand) const {
    return tracked.contains(operand.value);
  }
  using Transposed = std::function<void(const Operand &gradient)>;
  /// `result` was computed from `operands`; `transposed` gets its gradient and
  /// accumulates those of the operands. Nothing where none of them has one.
  Operand record(Operand result, ArrayRef<Operand> operands,
                 Transposed transposed);
  /// Adds to the gradient of a value, if that is asked for.
  void accumulate(const Operand &operand, const Operand &gradient);

  /// Runs the tape in reverse. Arguments with the gradients of `outputs` are
  /// made; they are returned in the outputs' order.
  SmallVector<Operand> transpose(ArrayRef<Operand> outputs);

  ArrayRef<Operand> getParameters() const { return parameters; }
  std::optional<Operand> getGradient(const Operand &operand) const;
  /// An argument that the gradient of a parameter is added to from the start,
  /// now and then.
  std::optional<Operand> pickStart(const Operand &parameter);
  /// Arguments that gradients are added to, as for micro-batches.
  ArrayRef<Value> getSumsSoFar() const { return sumsSoFar; }
  /// Tracked values, later ones behind earlier ones.
  SmallVector<Operand> values;

  //===--------------------------------------------------------------------===//
  // Ops without a rule of their own: what rules are written with
  //===--------------------------------------------------------------------===//

  /// An elementwise op over `dims`. The result's magnitude is `magnitude`.
  Operand pointwise(ArrayRef<MappedOperand> inputs, ArrayRef<unsigned> dims,
                    Type type, double magnitude,
                    llvm::function_ref<Value(OpBuilder &, ValueRange)> body);
  /// The same of inputs that have all dimensions. In types of 16 bits the body
  /// may be computed in f32, as exporters write it.
  Operand pointwise(ArrayRef<Operand> inputs, double magnitude,
                    llvm::function_ref<Value(OpBuilder &, ValueRange)> body);
  /// The sum of products over all loops that `outLoops` has not, `loops[i]`
  /// being the extent of loop i. A loop that only the result has repeats it.
  /// Written as one generic op, as several, or by name. It is added to `init`
  /// where there is one.
  Operand multiply(ArrayRef<MappedOperand> factors, ArrayRef<unsigned> loops,
                   ArrayRef<unsigned> outLoops,
                   std::optional<Operand> init = std::nullopt);
  /// A tensor with dead elements replaced by zero.
  Operand mask(const Operand &operand, ArrayRef<unsigned> loops,
               const LiveWhere &live, bool mayBeProduct);

  /// Truth values along these dimensions: the program's, or new ones.
  LiveWhere makeLive(ArrayRef<unsigned> dims);
  /// A description of data of a tensor, NaN where `live` says it is dead.
  std::optional<DataSpec> poison(ArrayRef<unsigned> dims,
                                 ArrayRef<unsigned> loops,
                                 const LiveWhere &live, DataSpec spec);
  /// Numbers for a tensor of the program's type.
  DataSpec numbers();

  /// Ascending loops 0, 1, …
  static SmallVector<unsigned> firstLoops(size_t count);
  /// Numbers loops of factors and of their product anew, so that none is
  /// missing, and returns what they were, ascending.
  static SmallVector<unsigned>
  renumberLoops(MutableArrayRef<MappedOperand> factors,
                MutableArrayRef<unsigned> out);
  /// A transpose, unless dimensions stay as they are.
  Operand permute(const Operand &operand, ArrayRef<int64_t> permutation);

  /// An extent for a dimension that products sum along, or have many of: in
  /// types of 16 bits often one that kernels take.
  unsigned pickWidth();

  ProgramBuilder &program;
  /// Whether differences say what gradients are. They do not where a number
  /// is added that is so low that nothing of the other one is left.
  bool isComparable = true;

private:
  SmallVector<unsigned> widths;
  struct Step {
    Value result;
    Transposed transposed;
  };
  Operand multiplyByName(ArrayRef<MappedOperand> factors,
                         ArrayRef<unsigned> loops, ArrayRef<unsigned> outLoops,
                         std::optional<Operand> init);
  Operand multiplyGeneric(ArrayRef<MappedOperand> factors,
                          ArrayRef<unsigned> loops, ArrayRef<unsigned> outLoops,
                          std::optional<Operand> init);
  Value createValuesMark(const Operand &operand);
  /// Where an output is dead, if it was masked.
  DenseMap<Value, std::pair<LiveWhere, SmallVector<unsigned>>> maskOf;

  SmallVector<Operand> parameters;
  SmallVector<Value> sumsSoFar;
  DenseSet<Value> tracked;
  DenseMap<Value, Operand> gradients;
  std::vector<Step> steps;
  SmallVector<LiveWhere> lives;
};

} // namespace mlir::pit::fuzz

#endif // PIT_TOOLS_PIT_FUZZ_GRADIENTS_TAPE_H
