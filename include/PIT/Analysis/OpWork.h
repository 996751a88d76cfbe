//===- OpWork.h - Bytes and operations of a structured op -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_ANALYSIS_OPWORK_H
#define PIT_ANALYSIS_OPWORK_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <map>
#include <optional>

namespace mlir::pit {

/// A sum of products of extents, such as `512 * d0 * d2 + 64`. `d0` is the
/// extent of an op's first axis. Static extents are part of the factors.
class ExtentCount {
public:
  /// Adds `factor` times the extents of `axes`.
  void add(double factor, SmallVector<unsigned> axes);
  bool isZero() const { return terms.empty(); }
  /// The value; none if it depends on a dynamic extent.
  std::optional<double> getNumber() const;
  /// Factors by axes, sorted; an axis appears once for each power.
  const std::map<SmallVector<unsigned>, double> &getTerms() const {
    return terms;
  }
  /// The sum as text: "67.1 M", or "4.2 MB + 1.0 kB d0" if `unit` is "B".
  std::string spell(StringRef unit) const;

private:
  std::map<SmallVector<unsigned>, double> terms;
};

/// The work of an op that runs dense.
struct OpWork {
  /// Bytes of all operands that are tensors or buffers, each counted once and
  /// whole: the least that moves to and from memory. None if an operand has a
  /// dynamic extent that is not the extent of an axis.
  std::optional<ExtentCount> bytes;
  /// Multiplications plus additions of a product; zero for other ops.
  ExtentCount flops;
  /// The element type of the factors of a product; null for other ops.
  Type multiplied;
};

OpWork getOpWork(linalg::LinalgOp op);

} // namespace mlir::pit

#endif // PIT_ANALYSIS_OPWORK_H
