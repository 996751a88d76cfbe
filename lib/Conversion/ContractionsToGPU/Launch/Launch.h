//===- Launch.h - The host's side of a contraction kernel -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_LAUNCH_LAUNCH_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_LAUNCH_LAUNCH_H

#include "Conversion/ContractionsToGPU/Match/Match.h"
#include "Conversion/ContractionsToGPU/Plan/ContractionKernel.h"
#include "GPU/Host/LaunchArguments.h"

namespace mlir::pit::hopper {

/// Binds the parameters behind the prefix of a kernel that computes the match
/// with nothing skipped, and emits what that needs, in front of the match's
/// last op; returns how many tiles there are, an index value.
Value bindDenseArguments(const ContractionMatch &match,
                         const ContractionKernel &dense,
                         LaunchArguments &arguments, StringRef prefix);

/// Where the buffers are through which a launch's kernel tells another one's
/// something: made by the launch of the first of the two, used, and freed, by
/// that of the second. Null if it has none.
struct SharedBuffers {
  /// Flags of rows that are signaled.
  Value *flags = nullptr;
  /// Bits of the micro-tiles that are live, of C for another one, and of A from
  /// another one.
  Value *liveOfOutput = nullptr, *liveOfA = nullptr;
};

/// Emits, before the last match's last op, the tensor maps and the launch of at
/// most `maxBlocks` blocks of the kernel that was built with the signature,
/// which compute all of the matches. Buffers that the
/// launch needs are freed behind it, or left to a later pass.
LogicalResult createLaunch(ArrayRef<const ContractionMatch *> matches,
                           const ContractionKernel &kernel,
                           const KernelSignature &signature,
                           SymbolRefAttr symbol, int64_t maxBlocks,
                           bool freeBuffers, SharedBuffers shared = {});

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_LAUNCH_LAUNCH_H
