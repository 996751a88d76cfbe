//===- HostArithmetic.cpp - Scalars of programs on the host ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostArithmetic.h"

#include "PIT/Conversion/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::pit;

static void emulateBF16(OpPassManager &manager) {
  arith::ArithEmulateUnsupportedFloatsOptions emulation;
  emulation.sourceTypeStrs = {"bf16"};
  manager.addPass(arith::createArithEmulateUnsupportedFloats(emulation));
}

void pit::addHostArithmetic(OpPassManager &functions) {
  // Before anything folds the roundings between operations on 8 bits.
  functions.addPass(createPITExpandSmallFloats());
  // No CPU computes in bf16, and few runtime libraries convert to it: each
  // operation is one of f32 and a rounding. So are functions of f16.
  functions.addPass(math::createMathExtendToSupportedTypes());
  emulateBF16(functions);
  functions.addPass(createApproximateMathForCPU());
}

void pit::addHostArithmeticToLLVM(OpPassManager &modules) {
  // Canonicalization makes a conversion to bf16 of one to f32 and a rounding.
  emulateBF16(modules);
  // x86 has no conversion from f32 to bf16 below AVX-512.
  arith::ArithExpandOpsPassOptions expansion;
  expansion.includeBf16 = true;
  modules.addPass(arith::createArithExpandOpsPass(expansion));
  modules.addPass(createConvertMathToLLVMPass());
  modules.addPass(createConvertMathToLibmPass());
}
