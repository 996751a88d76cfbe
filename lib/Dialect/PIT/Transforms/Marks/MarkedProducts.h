//===- MarkedProducts.h - Products that read a marked value -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_MARKS_MARKEDPRODUCTS_H
#define PIT_DIALECT_PIT_TRANSFORMS_MARKS_MARKEDPRODUCTS_H

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Selection/ChooseDatabase.h"
#include "PIT/Selection/CostModel.h"
#include "PIT/Selection/KernelCatalog.h"

#include "mlir/IR/Operation.h"

namespace mlir::pit {

/// C[m,n] += A[m,k] * B[k,n], with A marked; or with B marked, as which it is
/// C^T += B^T * A^T, whose A is what is marked.
struct MarkedProduct {
  /// What is dynamic of m and n is a guess.
  ProductShape shape;
  /// The axis of the marked value that is m; the other one is k.
  unsigned axisOfRows;
  /// What the catalog of kernels is asked of, as far as tensors say it.
  SparseProduct product;
};

/// The product that an op computes of the marked value and another one, of bf16
/// or f16, rounded to 16 bits behind its sum. Fails for others, and where
/// columns of C or k are dynamic, or nothing is multiplied.
FailureOr<MarkedProduct> matchMarkedProduct(Operation *user, Value marked);

/// The products that read what is marked, if nothing else does but for its
/// extents.
FailureOr<SmallVector<MarkedProduct>> matchMarkedProducts(SparseOp mark);

/// Whether a mark says which elements of a matrix are zero, along both axes and
/// without a bound.
bool marksZerosOfMatrix(SparseOp mark);

/// Whether there are times that count for products of such elements.
bool hasDatabase(const ChipModel &chip, Type element);

/// Up to how many rows take one strip, whatever is dead together in them.
inline constexpr int64_t kFewRows = 64;

/// Whether a kernel takes such micro-tiles of what is marked, and may pay: the
/// one that was measured for them, or, if `otherwise`, also one for more k at a
/// time.
bool hasKernelForMicroTiles(const KernelCatalog &catalog, MicroTile tile,
                            const MarkedProduct &product, bool otherwise);
/// What the catalog says where a mask of micro-tiles is given, and what is dead
/// may hold anything.
CatalogAnswer findKernelForGivenMicroTiles(const KernelCatalog &catalog,
                                           MicroTile tile,
                                           const MarkedProduct &product);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_MARKS_MARKEDPRODUCTS_H
