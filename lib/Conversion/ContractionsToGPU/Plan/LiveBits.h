//===- LiveBits.h - A GEMM that writes bits of its live blocks --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where one product's output, behind an activation, is what another one takes
// live micro-tiles of, the first one sets their bits while it still has the
// values in registers, and no launch reads them again.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_LIVEBITS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_LIVEBITS_H

namespace mlir::pit::hopper {

struct ContractionKernel;
struct ContractionMatch;

/// Has the first product set the bits of the second one's A, if that is what it
/// writes, nothing comes between, and its kernel can.
bool tellLiveMicroTiles(const ContractionMatch &first,
                        ContractionKernel &firstKernel,
                        const ContractionMatch &second,
                        const ContractionKernel &secondKernel);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_LIVEBITS_H
