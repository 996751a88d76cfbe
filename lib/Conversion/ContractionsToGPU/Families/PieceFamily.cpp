//===- PieceFamily.cpp - Row-piece SpMM: live pieces of single rows -------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "OwnKernel.h"

#include "Conversion/ContractionsToGPU/Launch/RowSumLaunch.h"
#include "Conversion/ContractionsToGPU/Plan/ReportKernels.h"
#include "Conversion/ContractionsToGPU/Plan/RowSumKernel.h"
#include "Conversion/ContractionsToGPU/Wgmma/Families/RowSums.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

namespace {

class PieceKernel final : public OwnKernel<PieceKernel, RowSumKernel> {
public:
  static char ID;
  using OwnKernel::OwnKernel;

  PlanParts plan(const PlanOptions &options) override;
  LogicalResult bind(PlanAttr plan, const DeviceModel &device) override;
  void report() const override;
  KernelSignature getSignature(MLIRContext *context) const override {
    return hopper::getSignature(context, kernel);
  }
  FailureOr<LLVM::LLVMFuncOp>
  build(gpu::GPUModuleOp module, StringRef name,
        const KernelSignature &signature) const override {
    return buildRowSumKernel(module, getLastOp().getLoc(), name, kernel,
                             signature);
  }
  LogicalResult launch(const KernelSignature &signature, SymbolRefAttr symbol,
                       const EmitOptions &options) override {
    return createRowSumLaunch(parts.front(), kernel, signature, symbol,
                              options.device.multiprocessors,
                              options.freeBuffers);
  }
};

class PieceFamily : public ContractionFamily {
public:
  PieceFamily()
      : ContractionFamily(KernelFamily::Pieces,
                          getFieldName(SparseFamily::Pieces)) {}

  int64_t getLeastSharedBytes() const override { return kSharedBytesOfPieces; }
  FailureOr<ContractionMatch> match(Operation *op,
                                    const DenseSet<Operation *> &taken,
                                    MatchRequirements needs) const override {
    return matchMicroTiles(op, taken, needs.log, takeAsPieces);
  }
  LogicalResult take(ContractionMatch &match, ContractOp op,
                     MatchLog log) const override {
    return takeAsPieces(match, op.getIndexType(), op, log);
  }
  std::unique_ptr<ProductKernel>
  makeKernel(ContractionMatch match) const override {
    return std::make_unique<PieceKernel>(*this, std::move(match));
  }
};

} // namespace

char PieceKernel::ID = 0;

PlanParts PieceKernel::plan(const PlanOptions &options) {
  kernel = describeRowSum(parts.front(), options.device);
  PlanParts plan;
  plan.family = family.getId();
  plan.tile = {RowSumKernel::kTileRows, RowSumKernel::kTileColumns};
  plan.stages = kernel.stages;
  plan.consumers = RowSumKernel::kConsumers;
  plan.pieces = kernel.piecesOfGroup;
  if (kernel.dense)
    addDenseVariant(plan, VariantGuard::Live, kernel.mostLive, *kernel.dense);
  return plan;
}

LogicalResult PieceKernel::bind(PlanAttr plan, const DeviceModel &device) {
  auto emitError = [&] { return getLastOp().emitOpError(); };
  kernel = describeRowSumOperands(parts.front());
  constexpr int64_t kTile[] = {RowSumKernel::kTileRows,
                               RowSumKernel::kTileColumns};
  const int64_t mostPieces = kernel.stages / RowSumKernel::kConsumers;
  if (plan.getTile().asArrayRef() != ArrayRef(kTile) ||
      plan.getStages() != kernel.stages ||
      plan.getConsumers() != RowSumKernel::kConsumers ||
      plan.getPieces() > mostPieces)
    return emitError() << "its plan does not say what pieces of rows are made "
                          "for: tile = ["
                       << kTile[0] << ", " << kTile[1]
                       << "], stages = " << kernel.stages
                       << ", consumers = " << RowSumKernel::kConsumers
                       << ", and pieces up to " << mostPieces;
  kernel.piecesOfGroup = plan.getPieces();
  if (failed(bindDense(plan, VariantGuard::Live, kernel.mostLive)))
    return failure();
  return kernel.dense
             ? verifyThreads(*kernel.dense, RowSumKernel::kThreads, emitError)
             : success();
}

void PieceKernel::report() const {
  remarks::InFlight remark =
      reportProduct(parts.front(), "wgmma", family.getName());
  if (!remark)
    return;
  remark << remarks::metric("Tile", spellTile(RowSumKernel::kTileRows,
                                              RowSumKernel::kTileColumns,
                                              RowSumKernel::kDepth))
         << remarks::metric("Stages", kernel.stages)
         << remarks::metric("SharedBytes", kernel.getSharedBytes());
  if (kernel.dense)
    remark << remarks::metric("Variants",
                              "nothing skipped, where little is dead");
}

std::unique_ptr<ContractionFamily> mlir::pit::hopper::createPieceFamily() {
  return std::make_unique<PieceFamily>();
}
