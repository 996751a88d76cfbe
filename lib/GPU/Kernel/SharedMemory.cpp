//===- SharedMemory.cpp - Dynamic shared memory of kernels ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"
#include "KernelBuilder.h"

using namespace mlir;
using namespace mlir::pit::hopper;

static constexpr StringLiteral kSharedSymbol = "pit_dynamic_shared";

/// Tiles need 1024-byte alignment, which only an external symbol gets.
LLVM::GlobalOp
mlir::pit::hopper::getDynamicSharedMemory(gpu::GPUModuleOp module,
                                          Location loc) {
  if (auto global = module.lookupSymbol<LLVM::GlobalOp>(kSharedSymbol))
    return global;
  auto b = ImplicitLocOpBuilder::atBlockBegin(loc, module.getBody());
  return LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(b.getI8Type(), 0),
                                /*isConstant=*/false, LLVM::Linkage::External,
                                kSharedSymbol, Attribute(), /*alignment=*/1024,
                                Shared);
}
