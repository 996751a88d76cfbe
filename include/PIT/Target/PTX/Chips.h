//===- Chips.h - Chips and the PTX versions that know them ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TARGET_PTX_CHIPS_H
#define PIT_TARGET_PTX_CHIPS_H

#include "mlir/IR/Diagnostics.h"

#include <string>

namespace mlir::pit {

/// A chip and a PTX version that fit together.
struct PTXTarget {
  std::string chip;
  /// As the back end spells it: "+ptx80".
  std::string features;
  /// 80 for PTX 8.0.
  unsigned ptxVersion;
};

/// Checks a chip and its features together; empty features mean the first PTX
/// version that knows the chip. One diagnostic says what is possible.
FailureOr<PTXTarget>
resolvePTXTarget(StringRef chip, StringRef features,
                 function_ref<InFlightDiagnostic()> emitError);

/// Bytes of shared memory that a block may have; 0 for an unknown chip.
int64_t getSharedBytesPerBlock(StringRef chip);

/// Whether a known chip has what came with sm_80: copies into shared memory
/// that go on in the background, and `mma.sync` on bf16.
bool hasAsyncCopies(StringRef chip);

/// Whether a known chip has what came with sm_90: kernels that start while the
/// one before ends, and wait for it themselves.
bool hasDependentLaunches(StringRef chip);

/// Whether a known chip has, with every PTX version that knows it, loads that
/// say how caches shall treat what they read: sm_80, and PTX 7.4.
bool hasCachePolicies(StringRef chip);

/// The known chip whose code is best for a device of compute capability
/// `major.minor`; empty where every known chip is newer.
std::string getBestChip(int major, int minor);

} // namespace mlir::pit

#endif // PIT_TARGET_PTX_CHIPS_H
