//===- Guards.h - What makes a logit dead -----------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A logit is dead where its weight is 0 as long as its row has one that is not:
// where it is -inf, or so far below all scores that exp() of the difference is
// 0, as finfo.min is. Programs say so by a select, or by what they add. What a
// select puts in place of a score need not be far below all scores there are:
// it is enough that it is far below a row's largest logit, which kernels check.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_PROBLEM_GUARDS_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_PROBLEM_GUARDS_H

#include "PIT/Dialect/PIT/IR/PITAttention.h"
#include "PIT/GPU/ChipModel.h"

namespace mlir::pit::attention {

/// What lets a logit live or die, wherever the rest of it is.
struct Guard {
  enum class Kind {
    /// An i1: logits live where it has the value `liveIf`.
    Condition,
    /// A float that is added: logits die where it is `deadUpTo` or less, and
    /// are as without it where it is 0.
    Addend
  };
  Kind kind;
  Value value;
  bool liveIf = true;
};

/// An addend of this or less kills, given its type.
double getHighestDead(Type type);

struct Guards {
  SmallVector<Guard> guards;
  /// Logits that are dead are this or less, for all of the guards.
  double deadUpTo = 0;
  /// Whether dead logits are not all -inf: then a row of which all are dead has
  /// weights for them all the same.
  bool mayBeFinite = false;
  /// Whether logits that no guard knows of may be as far from 0 as masks are:
  /// then multiples of them are not exact, nor are differences of those.
  bool mayBeFar = false;
};

/// The guards of the logit that the op's region yields.
Guards findGuards(AttendOp op);

/// The share of logits that live, estimated from a grid of queries and keys; of
/// axes whose extents are not known, of 4096 points. Nothing if guards read
/// modifiers, or compute what the compiler cannot.
std::optional<double> estimateLiveShare(AttendOp op, const Guards &guards);

/// Whether a value of the region is the number of an axis, or made of such in a
/// way that cannot be negative.
bool isPosition(Value value);

/// Bytes of keys and values whose tiles may run in any order, as the chip
/// caches them; 0 if without guards all tiles take the same time, and the order
/// is best that which needs the least of the cache.
int64_t getCachedBytes(const Guards &guards, const ChipModel &chip);

/// What multiplies the score, and nothing else of a logit but dead values: all
/// comparisons of logits are those of scores, and the factor is one with that
/// of the exponential.
struct ScoreScale {
  /// The product in the region; null if there is none that can be left out.
  Value product;
  double factor = 1.0;
};
ScoreScale findScale(AttendOp op);

/// A dead value: -inf, or a number below which no score of use is.
bool isDeadValue(double value, Type type);

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_PROBLEM_GUARDS_H
