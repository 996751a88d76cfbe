//===- Dialects.cpp - C API: the pit dialect ------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT-c/Dialects.h"

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/InitAllDialects.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(PIT, pit, mlir::pit::PITDialect)

void pitRegisterDialects(MlirDialectRegistry registry) {
  mlir::pit::registerPITDialects(*unwrap(registry));
}

void pitRegisterAllDialects(MlirDialectRegistry registry) {
  mlir::pit::registerAllDialects(*unwrap(registry));
}
