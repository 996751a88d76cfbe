//===- DenseVariant.h - Whether to skip at all ------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where little is dead, a product is faster with nothing skipped. How much is
// live is known on the device alone, and a kernel has both variants: its blocks
// decide, all in the same way, before they begin.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOHOPPER_DENSEVARIANT_H
#define PIT_LIB_CONVERSION_LINALGTOHOPPER_DENSEVARIANT_H

#include "ContractionKernel.h"

#include "PIT/Selection/CostModel.h"

namespace mlir::pit::hopper {

/// In which a kernel's `mostLive` counts.
inline constexpr int64_t kLiveUnit = 256;

/// What is live of some lists, or words, the same in all threads; i32.
struct LiveSample {
  Value live, numbers;
};

/// Emits, in all threads of a block, a look at no more lists, or words, than it
/// has threads, evenly spread over all of them. Shared memory is free behind
/// it.
LiveSample emitSample(KernelBuilder &builder, const ContractionKernel &kernel,
                      const KernelState &state);

/// Whether as little is live as the kernel says.
Value isWorthSkipping(KernelBuilder &builder, const ContractionKernel &kernel,
                      const LiveSample &sample);

/// The kernel of the same product, with the same arguments, threads and shared
/// memory, but tiles of fewer strips, which is faster where less still is live;
/// none if it never is.
std::optional<ContractionKernel>
getSparserVariant(const ContractionKernel &kernel);

/// Whether as little is live.
Value isSparse(KernelBuilder &builder, const ContractionKernel &kernel,
               const KernelState &state, const LiveSample &sample);

/// The kernel's `mostLive` for a product of such extents, by measured times;
/// none if there are no times.
std::optional<int64_t> getMostLive(const ContractionKernel &kernel,
                                   const ProductShape &shape);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_LINALGTOHOPPER_DENSEVARIANT_H
