//===- Passes.h - C API: passes and pipelines -----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_C_PASSES_H
#define PIT_C_PASSES_H

#include "mlir-c/Pass.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Registers PIT's passes and pipelines by name, for
/// mlirOpPassManagerAddPipeline and mlirParsePassPipeline. May be called more
/// than once.
MLIR_CAPI_EXPORTED void pitRegisterPasses(void);

/// Appends PIT's pipeline `name` ("pit-to-cpu", ...) to `pm`, which must be
/// anchored on `builtin.module`. `options` is the text between the braces of a
/// textual pipeline, such as "strict=true tile-size=128"; it may be empty. On
/// failure nothing is appended, and `onError` is called with a message and
/// `userData` unless it is null.
MLIR_CAPI_EXPORTED MlirLogicalResult pitAddPipeline(MlirOpPassManager pm,
                                                    MlirStringRef name,
                                                    MlirStringRef options,
                                                    MlirStringCallback onError,
                                                    void *userData);

#ifdef __cplusplus
}
#endif

#endif /* PIT_C_PASSES_H */
