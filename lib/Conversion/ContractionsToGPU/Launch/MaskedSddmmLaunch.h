//===- MaskedSddmmLaunch.h - Masked SDDMM: the host's side -----------*- C++
//-*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_LAUNCH_MASKEDSDDMMLAUNCH_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_LAUNCH_MASKEDSDDMMLAUNCH_H

#include "Conversion/ContractionsToGPU/Plan/MaskedSddmmKernel.h"

namespace mlir::pit::hopper {

/// Emits the launch for such a match.
LogicalResult createMaskedSddmmLaunch(const ContractionMatch &match,
                                      const MaskedSddmmKernel &kernel,
                                      const KernelSignature &signature,
                                      SymbolRefAttr symbol);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_LAUNCH_MASKEDSDDMMLAUNCH_H
