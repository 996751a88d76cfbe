//===- PackedBuffers.h - Packed SpMM: the host's side -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_LAUNCH_PACKEDBUFFERS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_LAUNCH_PACKEDBUFFERS_H

#include "Conversion/ContractionsToGPU/Match/Match.h"
#include "Conversion/ContractionsToGPU/Plan/ContractionKernel.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pit::hopper {

/// What `pit.detect_packed_into` writes.
struct PackedBuffers {
  Value counts, coords, values;
  /// Lists of a strip of rows.
  int64_t partsOfStrip = 0;
};

/// Packs the micro-tiles of a match before its detection, or leaves that where
/// much more is live than the kernel would skip anything for.
PackedBuffers createPackedBuffers(ImplicitLocOpBuilder &builder,
                                  const ContractionMatch &match,
                                  const ContractionKernel &kernel);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_LAUNCH_PACKEDBUFFERS_H
