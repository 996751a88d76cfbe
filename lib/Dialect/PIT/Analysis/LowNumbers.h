//===- LowNumbers.h - Numbers of masks at live points ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mask writes -inf, or a number as low as `finfo.min`, and a maximum or a
// softmax over a line leaves it out. That holds while the line has another
// number. With two masks a point that is live by one may be dead by the other,
// and a line may hold low numbers alone, whichever of the two is skipped.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_ANALYSIS_LOWNUMBERS_H
#define PIT_LIB_DIALECT_PIT_ANALYSIS_LOWNUMBERS_H

#include "PIT/Analysis/RegionAnalysis.h"
#include "PIT/Dialect/PIT/Analysis/Lookups.h"
#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"
#include "PIT/Dialect/PIT/IR/PITAttention.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// Follows numbers back to what wrote them. Arguments of the function and
/// results of calls are live data, which is taken to be no low number.
class LowNumbers {
public:
  explicit LowNumbers(const SparsityPropagation &propagation)
      : propagation(propagation) {}

  /// Whether `op` may read a low number at a point that is live by `pattern`,
  /// which lies along `axes`. Of a projection, live points are those of what is
  /// projected.
  bool mayRead(linalg::LinalgOp op, unsigned pattern, ArrayRef<int64_t> axes);
  /// The same of the logits of attention. Scores are live data.
  bool mayRead(AttendOp op, unsigned pattern, ArrayRef<int64_t> axes);

private:
  /// Elements of a tensor: those at live points of a pattern along `dims`, or
  /// all where there are no `dims`.
  struct Elements {
    Value tensor;
    unsigned pattern = 0;
    SmallVector<int64_t> dims = {};
  };

  /// What all elements are, if the pattern itself says it.
  TypedAttr getKnown(const Elements &elements, unsigned depth = 0);
  TypedAttr computeKnown(const Elements &elements, unsigned depth);
  /// The same of what is read through the first arguments of a body.
  SmallVector<std::optional<AbstractScalar>>
  getKnownInputs(unsigned numInputs,
                 function_ref<Elements(unsigned)> getElements, unsigned depth);
  TypedAttr getKnownOfMark(SparseOp mark, const Elements &elements,
                           unsigned depth);
  /// Has what decides `elements` looked at; true if a low number is written.
  bool visit(const Elements &elements);
  bool visitBody(Block &body, unsigned numInputs, ValueRange yielded,
                 function_ref<Elements(unsigned)> getElements,
                 function_ref<SmallVector<int64_t>(Lookup &)> getLookedUp,
                 unsigned pattern);
  bool visitStructured(linalg::LinalgOp op, ValueRange yielded,
                       unsigned pattern, ArrayRef<int64_t> axes,
                       bool readsOutputs);
  bool visitControlFlow(Value value);
  void push(Elements elements);
  void unproject(unsigned pattern);
  bool findAny();

  const SparsityPropagation &propagation;
  SmallVector<Elements> pending;
  /// By the attribute that stands for pattern and dimensions.
  llvm::DenseSet<std::pair<Value, Attribute>> seen;
  /// What no low number was found behind.
  llvm::DenseSet<std::pair<Value, Attribute>> clean;
  llvm::DenseMap<std::pair<Value, Attribute>, TypedAttr> known;
  /// How often a search ended as it had too many steps.
  unsigned numCut = 0;
};

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_ANALYSIS_LOWNUMBERS_H
