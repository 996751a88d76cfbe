//===- Programs.h - Programs that pit-tune compiles -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_TUNE_PROGRAMS_H
#define PIT_TOOLS_PIT_TUNE_PROGRAMS_H

#include "Options.h"

#include "PIT/Selection/CardDatabase.h"

namespace mlir::pit::tune {

/// Products that one compiled program takes, whatever their m: a function on
/// buffers `main(A, B, C)`, of segments `main(A, B, offsets, rows, C)`.
struct Site {
  Family family;
  int64_t batches, n, k;

  bool hasProduct(const Product &product) const {
    return family == product.family && batches == product.batches &&
           n == product.n && k == product.k;
  }
};

/// The program of a site with a tiling, as a plan that is written out.
/// `sharedBytes` are those of a block, which limit its stages.
std::string writeProgram(const Site &site, const Tiling &tiling,
                         int64_t sharedBytes);
/// A program `main(A, B)` that reads A, 4096 f32 a row, and writes B.
std::string writeCopy();

/// The tilings that are tried.
std::vector<Tiling> getTilings(Family family);
/// The products that are measured where no others are asked for, the most
/// important first.
std::vector<Product> getProducts(Family family);

} // namespace mlir::pit::tune

#endif // PIT_TOOLS_PIT_TUNE_PROGRAMS_H
