//===- ListedSum.h - What adds up listed rows -------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_LISTEDSUM_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_LISTEDSUM_H

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit {

/// What adds up rows of one list, from zero, on tensors: of two factors, C[m,
/// n] = sum over listed k of A[k, m] * B[k, n], or by column, c[n] = sum of a
/// function of the elements of row k in column n.
struct ListedSum {
  TiledOp op;
  /// The result's extents, and the number of rows that may be listed.
  SmallVector<int64_t> extents;
  int64_t k;

  bool isProduct() const { return extents.size() == 2; }
};

/// Matches sums of f32 whose extents are known, and products of 16 bits.
FailureOr<ListedSum> matchListedSum(TiledOp op);

/// Parts of lists as segments: an index of two dimensions for each list, number
/// of parts and step, which stands right behind the list's own.
class ListParts {
public:
  /// The sum in so many parts of the list, of about as many rows each, in whole
  /// `step`s of rows but for the last: a tensor with the parts in front. It is
  /// a grouped product of ragged k, or a segment sum.
  Value split(RewriterBase &b, const ListedSum &sum, int64_t parts,
              int64_t step);

private:
  Value getIndex(RewriterBase &b, TiledOp op, int64_t rows, int64_t parts,
                 int64_t step);

  DenseMap<std::tuple<Value, int64_t, int64_t>, Value> indexes;
};

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_LISTEDSUM_H
