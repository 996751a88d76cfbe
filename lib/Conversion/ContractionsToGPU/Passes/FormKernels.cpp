//===- FormKernels.cpp - The pass that forms kernels: pit.contract --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"
#include "PIT/Dialect/PIT/Transforms/CollapseProducts.h"
#include "PIT/GPU/ChipModel.h"

#include "Conversion/ContractionsToGPU/Families/Families.h"
#include "Conversion/ContractionsToGPU/Form/FormOnTensors.h"
#include "Conversion/ContractionsToGPU/Form/ZeroPoints.h"
#include "Conversion/ContractionsToGPU/Match/F32Products.h"
#include "Conversion/ContractionsToGPU/Mma/MMAPlan.h"
#include "Conversion/ContractionsToGPU/Registry/FormOnBuffers.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITFORMKERNELS
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

struct PITFormKernels : pit::impl::PITFormKernelsBase<PITFormKernels> {
  using PITFormKernelsBase::PITFormKernelsBase;

  LogicalResult initialize(MLIRContext *context) override {
    FailureOr<const ChipModel *> found = lookupChip(chip, context);
    if (failed(found))
      return failure();
    model = *found;
    return success();
  }
  void runOnOperation() override;

private:
  const ChipModel *model = nullptr;
};

} // namespace

void PITFormKernels::runOnOperation() {
  FailureOr<F32Products> products =
      parseF32Products(getOperation().getLoc(), f32Products);
  if (failed(products))
    return signalPassFailure();
  if (!model->hasTileKernels())
    return;
  const hopper::FamilyRegistry &families = hopper::getFamilies();
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    bool hasWarpgroups = model->has(ChipFeature::WarpgroupProducts);
    MatrixElement elements =
        hasWarpgroups ? getWgmmaElements(*products) : MatrixElement::None;
    // Kernels take one axis of batches, of rows, of columns and of the sum.
    MatrixElement batched = elements | mma::getRequirements().elements;
    auto isMultiplied = [&](Type type) {
      return (getMatrixElement(type) & batched) != MatrixElement::None;
    };
    if (failed(collapseAxes(function, isMultiplied)))
      return signalPassFailure();
    separateZeroPoints(function);
    numFormed += formKernelsOnTensors(function, batched, elements);
    if (hasWarpgroups) {
      hopper::MatchRequirements needs;
      needs.elements = elements;
      numFormed += hopper::formWgmmaKernels(function, families, needs);
    }
    numFormed += mma::formKernels(function, families, {*model, *products});
  }
}
