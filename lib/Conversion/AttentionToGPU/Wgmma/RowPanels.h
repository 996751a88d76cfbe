//===- RowPanels.h - Rows in shared memory, and their products -*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows lie in panels of 64 elements, see WgmmaShape.h. So they are copied by
// boxes, and are operands of products both as rows and as what sums run along.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_WGMMA_ROWPANELS_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_WGMMA_ROWPANELS_H

#include "Conversion/AttentionToGPU/Problem/Problem.h"

namespace mlir::pit::attention {

/// The tensor map of an operand as axes of the batch, rows and elements, for
/// boxes of so many rows along `axis` and a panel.
Value createRowMap(Problem &problem, unsigned operand, unsigned axis,
                   int64_t rows);

/// Copies the panels of so many rows of an operand, from `first` on, by one
/// thread. The barrier counts their bytes, which it expects already.
void copyRows(Problem &problem, detect::Kernel &b, unsigned operand, Value map,
              ArrayRef<Value> batch, Value first, int64_t rows, Value target,
              Value barrier);

/// Panels of so many rows in shared memory.
struct RowPanels {
  /// Of i32: that of the first row of products.
  Value address;
  int64_t rows;
};

/// The sums along a row of 64 rows, from the first of the panels on, with all
/// other ones; not waited for.
Value multiplyRows(detect::Kernel &b, Type element, RowPanels rows,
                   RowPanels others, int64_t width);
/// Adds the sums along `others` of weights with them, words as
/// RowTile::round makes them; not waited for.
Value addWeighted(detect::Kernel &b, Type element, Value sums,
                  ArrayRef<Value> words, RowPanels others, int64_t width);

/// Elements of a product that are there once the wait before this is over.
SmallVector<Value> pinElements(detect::Kernel &b, Value accumulator,
                               int64_t columns);

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_WGMMA_ROWPANELS_H
