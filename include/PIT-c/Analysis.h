//===- Analysis.h - C API: the axes of an op ------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_C_ANALYSIS_H
#define PIT_C_ANALYSIS_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What is known of one iteration axis.
typedef enum PITAxisKind {
  PIT_AXIS_PARALLEL = 0, ///< a permutation of the axis permutes the result
  PIT_AXIS_REDUCTION =
      1, ///< a permutation of the axis leaves the result unchanged
  PIT_AXIS_REFUSED = 2 ///< not a PIT-axis
} PITAxisKind;

/// The axes of one op, owned by the caller.
typedef struct PITAxes {
  void *ptr;
} PITAxes;

/// The axes of `op`, in order. With `strict`, axes whose floating-point sum or
/// product would be reassociated are refused. Null if `op` has no iteration
/// axes that PIT can read.
MLIR_CAPI_EXPORTED PITAxes pitAxesGet(MlirOperation op, bool strict);

MLIR_CAPI_EXPORTED bool pitAxesIsNull(PITAxes axes);
MLIR_CAPI_EXPORTED intptr_t pitAxesGetSize(PITAxes axes);

/// PIT_AXIS_REFUSED for a position outside of the axes.
MLIR_CAPI_EXPORTED PITAxisKind pitAxesGetKind(PITAxes axes, intptr_t pos);

/// Why the axis is refused; empty otherwise. Lives as long as `axes`.
MLIR_CAPI_EXPORTED MlirStringRef pitAxesGetReason(PITAxes axes, intptr_t pos);

MLIR_CAPI_EXPORTED void pitAxesDestroy(PITAxes axes);

#ifdef __cplusplus
}
#endif

#endif /* PIT_C_ANALYSIS_H */
