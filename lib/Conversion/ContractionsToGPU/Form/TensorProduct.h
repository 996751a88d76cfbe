//===- TensorProduct.h - Matrix products (GEMM) on tensors ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which ops one kernel computes, by the uses of their results: values on
// tensors do not change, so that nothing has to be known of memory.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_CONTRACTIONSTOGPU_FORM_TENSORPRODUCT_H
#define PIT_CONVERSION_CONTRACTIONSTOGPU_FORM_TENSORPRODUCT_H

#include "PIT/GPU/ChipModel.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// C[m,n] = sum over k of A * B, from zero, in what ContractOp::getSumType says
/// of the inputs' type, or such a product for each batch b. Maps are over (m,
/// n, k), or (b, m, n, k).
struct TensorProduct {
  linalg::LinalgOp op;
  Value a, b;
  AffineMap mapA, mapB, mapC;
  /// Whether integers of A and B are unsigned.
  std::array<bool, 2> isUnsigned = {false, false};

  bool hasBatches() const { return mapC.getNumDims() == 4; }
  unsigned getDimK() const { return mapC.getNumDims() - 1; }
  unsigned getDimN() const { return mapC.getNumDims() - 2; }
};

/// Matches an op that one matrix of rows and one of columns go into, or one for
/// each batch of them, and nothing but zero. Products of elements in `batched`
/// may have batches.
FailureOr<TensorProduct>
matchTensorProduct(linalg::LinalgOp op,
                   MatrixElement batched = MatrixElement::None);

/// Whether an op on tensors adds to zeros.
bool startsFromZero(linalg::LinalgOp op);

/// A product, perhaps a second one with the same A, and elementwise work on
/// their sums. Nobody else uses what is in between.
struct TensorKernel {
  TensorProduct product;
  std::optional<TensorProduct> second;
  /// What the work reads besides, and the axes of it over those of C.
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  /// The function of the sums and operands, which yields what
  /// ContractOp::getValueType says of the result's elements; none if it is the
  /// identity.
  std::unique_ptr<Region> function;
  /// The ops that it is made of.
  SmallVector<Operation *> parts;
  /// What is computed, and the tensor that it is computed into.
  Value result, init;
};

/// Whether kernels read an operand of elementwise work by a map of C's axes.
using ReadCheck = llvm::function_ref<bool(AffineMap)>;

/// Follows the uses of a product as far as kernels can; `batched` as above, and
/// `canRead` may be null.
TensorKernel followProduct(const TensorProduct &product,
                           MatrixElement batched = MatrixElement::None,
                           ReadCheck canRead = {});

} // namespace mlir::pit

#endif // PIT_CONVERSION_CONTRACTIONSTOGPU_FORM_TENSORPRODUCT_H
