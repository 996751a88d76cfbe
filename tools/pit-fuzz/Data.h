//===- Data.h - Descriptions of arguments -----------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_FUZZ_DATA_H
#define PIT_TOOLS_PIT_FUZZ_DATA_H

#include "Npy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlir::pit::fuzz {

/// The attribute of a function that says what its arguments hold: one text per
/// argument, of words `key=value`. It travels with the program, so that a
/// reduced program is run with the same arguments.
constexpr llvm::StringLiteral kInputsAttrName = "inputs";

/// What an argument holds.
struct DataSpec {
  /// `shape=3x4`, empty for scalars.
  std::vector<int64_t> shape;
  /// `kind=ints` or `kind=reals`: uniform in [lo, hi).
  bool areReals = false;
  int64_t lo = 0, hi = 1;
  /// `live=0.25`: the share of blocks that are live, and `block=1x4`, the
  /// blocks' extents; elements of others are `dead=zero`, `neg_inf`, `nan`, or
  /// `signed_zero`, which is -0.0 every other time.
  double live = 1;
  std::vector<int64_t> block;
  std::string dead = "zero";
  /// `lengths=0x1x0x9x17x0`: elements are dead, too, whose place along the
  /// second of two dimensions is not below the length of their place along the
  /// first. Lengths are what `lo=0 hi=9 seed=17` gives; a last 1 counts them
  /// from the end.
  std::vector<int64_t> lengths;
  /// `most=2`: that many live elements per index of the first dimension.
  int64_t most = -1;
  uint64_t seed = 0;

  std::string print() const;
  static llvm::Expected<DataSpec> parse(StringRef text);
};

/// An array of the description's shape, with what it describes.
llvm::Expected<::pit::npy::Array> makeArray(const DataSpec &spec,
                                            pit_dtype type);

/// The arguments that a function's attribute describes.
llvm::Expected<std::vector<::pit::npy::Array>>
makeInputs(func::FuncOp function);

} // namespace mlir::pit::fuzz

#endif // PIT_TOOLS_PIT_FUZZ_DATA_H
