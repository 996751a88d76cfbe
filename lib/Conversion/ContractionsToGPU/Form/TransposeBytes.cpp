//===- TransposeBytes.cpp - Inputs of i8 stored along k -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransposeBytes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::pit;

/// The axis of k, if the operand does not lie along it.
static std::optional<unsigned> findOuterK(AffineMap map, unsigned k) {
  unsigned axis = *map.getResultPosition(getAffineDimExpr(k, map.getContext()));
  return axis + 1 == map.getNumResults() ? std::nullopt : std::optional(axis);
}

/// Exchanges an operand's axis of k and its last one.
static void storeAlongK(ImplicitLocOpBuilder &b, Value &operand, AffineMap &map,
                        unsigned k) {
  std::optional<unsigned> axis = findOuterK(map, k);
  if (!axis)
    return;
  unsigned rank = map.getNumResults();
  auto order = llvm::to_vector(llvm::seq<int64_t>(rank));
  std::swap(order[*axis], order.back());
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), operand);
  std::swap(sizes[*axis], sizes.back());
  Value copy = tensor::EmptyOp::create(b, sizes, getElementTypeOrSelf(operand));
  operand = linalg::TransposeOp::create(b, operand, copy, order)->getResult(0);
  SmallVector<AffineExpr> axes(map.getResults());
  std::swap(axes[*axis], axes.back());
  map = AffineMap::get(map.getNumDims(), 0, axes, map.getContext());
}

/// Whether wgmma takes the product once its inputs lie along k, and the copies
/// are worth it.
static bool isWorthCopies(const TensorProduct &product) {
  auto typeB = cast<RankedTensorType>(product.b.getType()),
       typeC = cast<RankedTensorType>(product.op->getResult(0).getType());
  auto getExtent = [](RankedTensorType type, AffineMap map, unsigned dim) {
    return type.getDimSize(
        *map.getResultPosition(getAffineDimExpr(dim, map.getContext())));
  };
  int64_t k = getExtent(typeB, product.mapB, product.getDimK()),
          n = getExtent(typeB, product.mapB, product.getDimN()),
          m = getExtent(typeC, product.mapC, product.getDimN() - 1);
  // Rows of the copies are aligned to 16 bytes, columns of C come by eights.
  if (ShapedType::isDynamic(k) || ShapedType::isDynamic(n) || k % 16 != 0 ||
      n % 8 != 0 || product.isUnsigned[0] != product.isUnsigned[1])
    return false;
  // mma.sync takes them as they lie.
  constexpr int64_t kLeastRows = 512;
  return ShapedType::isStatic(m) && m >= kLeastRows && n >= kLeastRows;
}

void mlir::pit::transposeBytes(TensorKernel &kernel, MatrixElement elements) {
  TensorProduct &product = kernel.product;
  Type type = getElementTypeOrSelf(product.a);
  unsigned k = product.getDimK();
  bool liesAlongK =
      !findOuterK(product.mapA, k) && !findOuterK(product.mapB, k);
  // Of floats of 8 bits, the units' sums are less exact than those of threads,
  // which take what does not lie along k.
  if (liesAlongK || !type.isInteger(8) ||
      (MatrixElement::I8 & elements) == MatrixElement::None ||
      getElementTypeOrSelf(kernel.result).isInteger(8) ||
      !isWorthCopies(product))
    return;
  ImplicitLocOpBuilder b(product.op->getLoc(), product.op);
  AffineMap mapB = product.mapB;
  storeAlongK(b, product.a, product.mapA, k);
  storeAlongK(b, product.b, product.mapB, k);
  if (kernel.second) {
    b.setInsertionPoint(kernel.second->op);
    kernel.second->mapB = mapB;
    storeAlongK(b, kernel.second->b, kernel.second->mapB, k);
  }
}
