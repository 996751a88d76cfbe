//===- Rules.h - Ops of the forward pass, with their transposes -*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each writes an op, and leaves on the tape how its gradients are computed. A
// new op is a function like these, and an entry in `kLayers` of Layers.cpp when
// programs are to draw it.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_FUZZ_GRADIENTS_RULES_H
#define PIT_TOOLS_PIT_FUZZ_GRADIENTS_RULES_H

#include "Tape.h"

namespace mlir::pit::fuzz {

//===----------------------------------------------------------------------===//
// Linear ops
//===----------------------------------------------------------------------===//

/// The sum of products of Tape::multiply. The gradient of a factor is that of
/// the result times all others.
Operand product(Tape &tape, ArrayRef<MappedOperand> factors,
                ArrayRef<unsigned> loops, ArrayRef<unsigned> outLoops);
/// `operand` + `bias` along some of its dimensions, ascending.
Operand addBias(Tape &tape, const Operand &operand, const Operand &bias,
                ArrayRef<unsigned> loops);
/// `operand` with its dead elements replaced by zero.
Operand masked(Tape &tape, const Operand &operand, ArrayRef<unsigned> loops);
/// The same numbers in another type of floats.
Operand converted(Tape &tape, const Operand &operand, Type type);
Operand scaled(Tape &tape, const Operand &operand, double factor);
Operand transposed(Tape &tape, const Operand &operand,
                   ArrayRef<int64_t> permutation);
/// Dimensions [first, first + 2) as one.
Operand collapsed(Tape &tape, const Operand &operand, size_t first);
/// A dimension as two, of static extents.
Operand expanded(Tape &tape, const Operand &operand, size_t dim, int64_t outer);
/// Repeats a tensor along a new dimension.
Operand repeated(Tape &tape, const Operand &operand, size_t dim,
                 unsigned extent);
/// Elements [offset, offset + size) of a dimension.
Operand sliced(Tape &tape, const Operand &operand, size_t dim, int64_t offset,
               int64_t size);
/// Two tensors one behind the other along a dimension.
Operand joined(Tape &tape, const Operand &first, const Operand &second,
               size_t dim);
/// Rows of a table, `[rows, width]`, by numbers `[count]`.
Operand looked(Tape &tape, const Operand &table, const Operand &numbers);

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

enum class Function {
  Relu,
  Double,
  Square,
  Tanh,
  Sigmoid,
  Silu,
  Gelu,
  GeluTanh,
};
Operand applied(Tape &tape, const Operand &operand, Function function);
/// One that is exact on small integers where the program is.
Function pickFunction(Tape &tape);

//===----------------------------------------------------------------------===//
// Lines along one dimension
//===----------------------------------------------------------------------===//

/// The softmax of scores along a dimension.
Operand softmax(Tape &tape, const Operand &scores, unsigned dim);
/// x over its root mean square, or x - mean over its deviation, along the last
/// dimension.
Operand normalized(Tape &tape, const Operand &operand, bool isCentred);

//===----------------------------------------------------------------------===//
// What programs are made of
//===----------------------------------------------------------------------===//

/// softmax(mask(cap(scale * Q Kᵀ + bias))) V over what a layer has computed, or
/// over new arguments.
bool addAttention(Tape &tape, Operand &x);

/// Draws a layer over `x`, which becomes its result. False where none fits.
bool addLayer(Tape &tape, Operand &x);

} // namespace mlir::pit::fuzz

#endif // PIT_TOOLS_PIT_FUZZ_GRADIENTS_RULES_H
