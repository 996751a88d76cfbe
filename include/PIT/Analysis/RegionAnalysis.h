//===- RegionAnalysis.h - What absent operands do to a scalar body --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_ANALYSIS_REGIONANALYSIS_H
#define PIT_ANALYSIS_REGIONANALYSIS_H

#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace mlir::pit {

/// The highest floating-point constant that stands for -inf in a mask.
inline constexpr double kHighestLowNumber = -1e30;

/// Whether a constant is the lowest number of f16, which is not as low: what is
/// added to it may be as large. It stands for -inf where a select writes it:
/// exp() of the difference to any number of use is 0.
bool isLowestOfF16(Attribute constant);

/// What is known of a scalar in the body of a structured op.
struct AbstractScalar {
  enum Kind {
    Constant,    ///< `constant`
    Undef,       ///< may hold anything; nobody may rely on it
    Accumulator, ///< the old value of output number `accumulator`, unchanged
    Depends      ///< computed from `operands` and from the position on `axes`
  };

  Kind kind = Depends;
  TypedAttr constant;
  unsigned accumulator = 0;
  /// Block arguments that a `Depends` is computed from, inputs and outputs.
  llvm::SmallBitVector operands;
  /// Iteration axes whose `linalg.index` a `Depends` is computed from.
  llvm::SmallBitVector axes;
  /// Block arguments from which a divisor of a zero was computed on the way to
  /// this value. The value is right only where those divisors are not zero. The
  /// bit after the last argument stands for a divisor computed from no
  /// argument.
  llvm::SmallBitVector assumedNonZero;

  static AbstractScalar getConstant(TypedAttr value);
  static AbstractScalar getUndef();
  static AbstractScalar getAccumulator(unsigned output);
  /// The value of block argument number `argument`.
  static AbstractScalar getOperand(unsigned argument);

  bool isConstant() const { return kind == Constant; }
  bool isUndef() const { return kind == Undef; }
  bool isAccumulator() const { return kind == Accumulator; }
  bool isDepends() const { return kind == Depends; }
  bool dependsOn(unsigned argument) const {
    return kind == Depends && argument < operands.size() &&
           operands.test(argument);
  }
  /// Tests for the constants that matter to PIT. -0.0 counts as zero.
  bool isZero() const;
  bool isNegInf() const;
  bool isPosInf() const;

  void print(llvm::raw_ostream &os) const;
};

/// Interprets `body` with the given values in place of block arguments, and
/// returns one result per yielded value. `body` has one block argument per
/// operand, inputs first; those of outputs may be missing. `operandValues` may
/// be shorter than the argument list: an argument without a value is `Depends`
/// on itself if it is an input, and `Accumulator` if it is an output.
///
/// With `finite`, values that are not given are taken to be finite: `0 * x` is
/// 0, and `-inf + x` is -inf. `0 / x` is 0, and `x` is noted in
/// `assumedNonZero`. Without `finite`, only identities that are exact in IEEE
/// arithmetic are used, up to the sign of zero.
///
/// An op with an undef operand is undef unless its other operands determine the
/// result: the other arm of a select, or the zero side of an integer product.
///
/// With `maskConstants`, a floating-point constant of at most
/// `kHighestLowNumber` that the body holds or captures is read as -inf, as
/// exporters write `finfo.min` for it. So is the lowest number of f16, where a
/// select chooses it. `given` holds what is known of values
/// that the body itself computes.
SmallVector<AbstractScalar>
interpretBody(Block &body, unsigned numInputs,
              ArrayRef<std::optional<AbstractScalar>> operandValues,
              bool finite = true, bool maskConstants = false,
              const llvm::DenseMap<Value, AbstractScalar> &given =
                  llvm::DenseMap<Value, AbstractScalar>());

/// The same for every value of the body, without `maskConstants`.
llvm::DenseMap<Value, AbstractScalar>
interpretValues(Block &body, unsigned numInputs,
                ArrayRef<std::optional<AbstractScalar>> operandValues,
                bool finite = true);

} // namespace mlir::pit

#endif // PIT_ANALYSIS_REGIONANALYSIS_H
