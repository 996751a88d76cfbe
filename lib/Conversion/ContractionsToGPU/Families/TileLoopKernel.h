//===- TileLoopKernel.h - Families of the persistent tile loop --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most families are the same persistent loop over tiles with other loaders,
// schedulers, products and writers. Their launches may have several parts, and
// hand rows or bits over.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FAMILIES_TILELOOPKERNEL_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FAMILIES_TILELOOPKERNEL_H

#include "Conversion/ContractionsToGPU/Launch/Launch.h"
#include "Conversion/ContractionsToGPU/Plan/ContractionKernel.h"
#include "Conversion/ContractionsToGPU/Registry/ContractionFamily.h"

namespace mlir::pit::hopper {

class TileLoopKernel final
    : public llvm::RTTIExtends<TileLoopKernel, ProductKernel> {
public:
  static char ID;

  TileLoopKernel(const ContractionFamily &family, ContractionMatch match)
      : RTTIExtends(family, std::move(match)) {}

  bool canJoin(const ProductKernel &last,
               const DeviceModel &device) const override;
  PlanParts plan(const PlanOptions &options) override;
  LogicalResult bind(PlanAttr plan, const DeviceModel &device) override;
  bool takeRows(ProductKernel &earlier, const DeviceModel &device) override;
  bool takeBits(ProductKernel &earlier) override;
  int64_t getSharedBytes() const override { return kernel.getSharedBytes(); }
  void report() const override;
  KernelSignature getSignature(MLIRContext *context) const override;
  bool isSameFunction(const ProductKernel &other) const override;
  FailureOr<LLVM::LLVMFuncOp>
  build(gpu::GPUModuleOp module, StringRef name,
        const KernelSignature &signature) const override;
  LogicalResult launch(const KernelSignature &signature, SymbolRefAttr symbol,
                       const EmitOptions &options) override;

private:
  ContractionKernel kernel;
  /// What its launch tells others of, and through which buffers.
  Value flags, liveBits;
  SharedBuffers shared{&flags, &liveBits, nullptr};
};

/// A family with such kernels.
class TileLoopFamily : public ContractionFamily {
public:
  using ContractionFamily::ContractionFamily;

  std::unique_ptr<ProductKernel>
  makeKernel(ContractionMatch match) const final {
    return std::make_unique<TileLoopKernel>(*this, std::move(match));
  }
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FAMILIES_TILELOOPKERNEL_H
