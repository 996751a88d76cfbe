//===- SignatureFixture.h - A module for tests of signatures ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_GPU_SIGNATUREFIXTURE_H
#define PIT_UNITTESTS_GPU_SIGNATUREFIXTURE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OwningOpRef.h"

#include "gtest/gtest.h"

namespace mlir::pit {

/// An empty module to build in, and the diagnostics so far, one a line.
class SignatureFixture : public testing::Test {
protected:
  SignatureFixture()
      : handler(&context, [this](Diagnostic &diagnostic) {
          messages += diagnostic.str() + "\n";
        }) {
    context.loadDialect<arith::ArithDialect, func::FuncDialect, gpu::GPUDialect,
                        LLVM::LLVMDialect, linalg::LinalgDialect,
                        memref::MemRefDialect, nvgpu::NVGPUDialect,
                        NVVM::NVVMDialect, scf::SCFDialect>();
    builder.setInsertionPointToEnd(module->getBody());
  }

  /// A value of the type, of which nothing else is known.
  Value makeValue(Type type) {
    return UnrealizedConversionCastOp::create(builder, type, ValueRange())
        .getResult(0);
  }
  Value makeInteger(unsigned width) {
    return makeValue(builder.getIntegerType(width));
  }
  Value makePointer() {
    return makeValue(MemRefType::get({}, builder.getF32Type()));
  }
  Value makeTensorMap() {
    auto tile = MemRefType::get({64, 64}, builder.getF16Type(),
                                MemRefLayoutAttrInterface(),
                                builder.getI64IntegerAttr(3));
    return makeValue(nvgpu::TensorMapDescriptorType::get(
        &context, tile, nvgpu::TensorMapSwizzleKind::SWIZZLE_128B,
        nvgpu::TensorMapL2PromoKind::L2PROMO_128B,
        nvgpu::TensorMapOOBKind::OOB_ZERO,
        nvgpu::TensorMapInterleaveKind::INTERLEAVE_NONE));
  }

  MLIRContext context;
  std::string messages;
  ScopedDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module{ModuleOp::create(UnknownLoc::get(&context))};
  ImplicitLocOpBuilder builder{UnknownLoc::get(&context), &context};
};

} // namespace mlir::pit

#endif // PIT_UNITTESTS_GPU_SIGNATUREFIXTURE_H
