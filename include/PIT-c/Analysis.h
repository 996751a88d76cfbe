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

/// Returns the iteration axes of `op`, in loop order. With `strict`, an axis is
/// refused if permuting it would reassociate a floating-point sum or product.
/// Returns null if `op` has no iteration axes that PIT can read.
MLIR_CAPI_EXPORTED PITAxes pitAxesGet(MlirOperation op, bool strict);

MLIR_CAPI_EXPORTED bool pitAxesIsNull(PITAxes axes);
MLIR_CAPI_EXPORTED intptr_t pitAxesGetSize(PITAxes axes);

/// Returns PIT_AXIS_REFUSED if `pos` is out of range.
MLIR_CAPI_EXPORTED PITAxisKind pitAxesGetKind(PITAxes axes, intptr_t pos);

/// Returns why the axis is refused, or an empty string if it is not. The string
/// lives as long as `axes`.
MLIR_CAPI_EXPORTED MlirStringRef pitAxesGetReason(PITAxes axes, intptr_t pos);

MLIR_CAPI_EXPORTED void pitAxesDestroy(PITAxes axes);

#ifdef __cplusplus
}
#endif

#endif /* PIT_C_ANALYSIS_H */
