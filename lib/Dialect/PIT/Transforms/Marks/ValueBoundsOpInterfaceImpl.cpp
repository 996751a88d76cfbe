//===- ValueBoundsOpInterfaceImpl.cpp - Extents of marked tensors ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/ValueBoundsOpInterfaceImpl.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::pit;

namespace {
struct SparseBounds
    : ValueBoundsOpInterface::ExternalModel<SparseBounds, SparseOp> {
  void populateBoundsForShapedValueDim(Operation *op, Value value, int64_t dim,
                                       ValueBoundsConstraintSet &cstr) const {
    cstr.bound(value)[dim] == cstr.getExpr(cast<SparseOp>(op).getSource(), dim);
  }
};
} // namespace

void pit::registerValueBoundsOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, PITDialect *) {
    SparseOp::attachInterface<SparseBounds>(*context);
  });
}
