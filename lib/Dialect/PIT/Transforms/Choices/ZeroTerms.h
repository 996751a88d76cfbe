//===- ZeroTerms.h - What is zero where choices fail ------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_CHOICES_ZEROTERMS_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_CHOICES_ZEROTERMS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::pit {

/// Which scalars are zero, or false, if some others are. If data is `finite`,
/// zero times any float is zero.
class ZeroTerms {
public:
  ZeroTerms(const llvm::SmallDenseSet<Value> &zeros, bool finite)
      : zeros(zeros), finite(finite) {}

  bool isZero(Value value);

private:
  bool compute(Value value);
  /// Whether a truth value is true for certain.
  bool isTrue(Value value);

  const llvm::SmallDenseSet<Value> &zeros;
  bool finite;
  llvm::SmallDenseMap<Value, bool> known;
};

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_CHOICES_ZEROTERMS_H
