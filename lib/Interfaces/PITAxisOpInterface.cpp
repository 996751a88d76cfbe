//===- PITAxisOpInterface.cpp - Attaching the axis interface to linalg ----===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Interfaces/PITAxisOpInterface.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::pit;

#include "PIT/Interfaces/PITAxisOpInterface.cpp.inc"

static SmallVector<AxisInfo> inferLinalgAxes(linalg::LinalgOp op,
                                             const AxisOptions &options) {
  return inferPITAxes(op.getIndexingMapsArray(), op.getIteratorTypesArray(),
                      *op.getBlock(), op.getNumDpsInits(), options);
}

namespace {

/// One model for all structured ops, whatever their name: what it reads comes
/// from `linalg::LinalgOp`.
struct LinalgAxisModel : PITAxisOpInterface::FallbackModel<LinalgAxisModel> {
  SmallVector<AxisInfo> getPITAxes(Operation *op,
                                   const AxisOptions &options) const {
    return inferLinalgAxes(cast<linalg::LinalgOp>(op), options);
  }
};

} // namespace

FailureOr<SmallVector<AxisInfo>>
mlir::pit::inferPITAxes(Operation *op, const AxisOptions &options) {
  if (auto axisOp = dyn_cast<PITAxisOpInterface>(op))
    return axisOp.getPITAxes(options);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return inferLinalgAxes(linalgOp, options);
  return failure();
}

void mlir::pit::attachPITAxisModels(MLIRContext &context,
                                    StringRef dialectNamespace) {
  // Not getRegisteredOperationsByDialect: it searches by bisection a list that
  // LLVM 22.1 does not keep sorted, and finds nothing for linalg.
  for (RegisteredOperationName name : context.getRegisteredOperations())
    if (name.getDialectNamespace() == dialectNamespace &&
        name.hasInterface<linalg::LinalgOp>() &&
        !name.hasInterface<PITAxisOpInterface>())
      name.attachInterface<LinalgAxisModel>();
}

void mlir::pit::registerPITAxisOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    attachPITAxisModels(*context, linalg::LinalgDialect::getDialectNamespace());
  });
}
