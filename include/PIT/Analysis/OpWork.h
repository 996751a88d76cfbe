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

/// A sum of products of extents: `512 * d0 * d2 + 64`, where `d0` is the extent
/// of an op's first axis. Extents that are known are in the factors.
class ExtentCount {
public:
  /// Adds the factor times the extents of the axes.
  void add(double factor, SmallVector<unsigned> axes);
  bool isZero() const { return terms.empty(); }
  /// None where it depends on an extent that is not known.
  std::optional<double> getNumber() const;
  /// "67.1 M", or "4.2 MB + 1.0 kB d0" for the unit "B".
  std::string spell(StringRef unit) const;

private:
  /// By axes, in their order; an axis stands there as often as it counts.
  std::map<SmallVector<unsigned>, double> terms;
};

/// What an op computes as a dense one.
struct OpWork {
  /// Of all operands that are tensors or buffers, each once and whole, as what
  /// runs from memory moves at least. None if the extent of an operand is
  /// neither known nor one of an axis.
  std::optional<ExtentCount> bytes;
  /// Multiplications and additions of a product; zero of other ops.
  ExtentCount flops;
  /// The element type of what is multiplied; null of other ops.
  Type multiplied;
};

OpWork getOpWork(linalg::LinalgOp op);

} // namespace mlir::pit

#endif // PIT_ANALYSIS_OPWORK_H
