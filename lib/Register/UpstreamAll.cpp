//===- UpstreamAll.cpp - Registers all of upstream, from libMLIR.so -------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled when libMLIR.so is linked: everything is in it anyway.
//
//===----------------------------------------------------------------------===//

#include "PIT/InitAllDialects.h"
#include "PIT/InitAllPasses.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

using namespace mlir;

void pit::registerAllDialects(DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  registerPITDialects(registry);
}

void pit::registerAllPasses() {
  mlir::registerAllPasses();
  registerPITPasses();
}
