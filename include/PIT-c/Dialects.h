//===- Dialects.h - C API: the pit dialect --------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_C_DIALECTS_H
#define PIT_C_DIALECTS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Declares `mlirGetDialectHandle__pit__()`, for functions of the MLIR C API
/// that take a dialect handle.
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(PIT, pit);

/// Inserts the pit dialect and the interface models that PIT attaches to other
/// dialects. The caller inserts those other dialects.
MLIR_CAPI_EXPORTED void pitRegisterDialects(MlirDialectRegistry registry);

/// Does what pitRegisterDialects does, and inserts every upstream dialect and
/// interface model that PIT's pipelines use.
MLIR_CAPI_EXPORTED void pitRegisterAllDialects(MlirDialectRegistry registry);

#ifdef __cplusplus
}
#endif

#endif /* PIT_C_DIALECTS_H */
