//===- ModifierLoads.h - Numbers of a thread's logits -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers that logits are made of besides scores, one for each key: a bias, or
// a mask that is added. A thread loads those of a step at once, two neighbours
// at a time, and most of them while the scores are computed. One by one, where
// each is asked for, a bias of 4096 x 4096 f32 took twice the time of the rest.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_ROWS_MODIFIERLOADS_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_ROWS_MODIFIERLOADS_H

#include "Conversion/AttentionToGPU/Problem/Guards.h"
#include "Conversion/AttentionToGPU/Problem/Problem.h"

namespace mlir::pit::attention {

class ModifierLoads {
public:
  /// Of logits whose guards are known to let them live; or what these ask for
  /// besides.
  enum class Of { Live, Others };
  ModifierLoads(detect::Kernel &b, Problem &problem, const Guards &guards,
                ArrayRef<Value> batch, Of of);
  bool empty() const { return modifiers.empty(); }

  /// Columns of a thread, see RowTile: of each 8 keys it has two neighbours.
  static constexpr int64_t kGroup = 8;
  /// 32-bit registers that the numbers of a group take.
  int64_t getRegistersOfGroup() const;
  /// The numbers of groups `from` to `to`, vectors of two. Group 0 has the keys
  /// `column` and the next one. `end` is the key behind the step's last one;
  /// what lies behind the last key of all has any values.
  SmallVector<Value> load(const std::array<Value, 2> &queries, Value column,
                          Value end, int64_t from, int64_t to);
  /// As many values that mean nothing.
  SmallVector<Value> getNone(int64_t groups);
  /// Puts one of `loaded`, those of groups from 0 on, where it belongs:
  /// `numbers` has a value for each modifier of the op.
  void get(ArrayRef<Value> loaded, int64_t group, unsigned half, unsigned which,
           MutableArrayRef<Value> numbers);

private:
  struct Modifier {
    unsigned number;
    Type element;
    /// Whether both of the thread's queries have their own; whether two
    /// neighbours lie side by side, in a word of their size.
    bool isByQuery, isPaired;
    /// Bytes from one key to the next; null if they are the element's.
    Value stride;
  };
  Value loadPair(const Modifier &modifier, Value address, int64_t place);
  size_t getVectorsOfGroup() const;

  detect::Kernel &b;
  Problem &problem;
  SmallVector<Value> batch;
  SmallVector<Modifier> modifiers;
};

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_ROWS_MODIFIERLOADS_H
