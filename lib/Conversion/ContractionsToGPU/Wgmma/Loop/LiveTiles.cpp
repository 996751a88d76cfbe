//===- LiveTiles.cpp - Block SpMM: picks a variant of tiles ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LiveTiles.h"
#include "BlockLoop.h"
#include "Conversion/ContractionsToGPU/Plan/LiveVariants.h"
#include "Conversion/ContractionsToGPU/Wgmma/Load/BlockLoader.h"

using namespace mlir;
using namespace mlir::pit::hopper;

/// Whether no more is live, in percent of the steps that the words stand for.
static Value isLiveUpTo(KernelBuilder &b, const ContractionKernel &kernel,
                        const KernelState &state, const LiveSample &sample,
                        int64_t percent) {
  Value steps = kernel.blocks->wordsAcross
                    ? b.ceilDivide(state.numRows, kernel.blocks->rows)
                    : b.ceilDivide(state.arguments.k,
                                   std::max(kernel.blocks->depth,
                                            ContractionKernel::kTileKOf16Bits));
  Value words = getWordsOfLine(b, kernel, state);
  return b.compare(
      arith::CmpIPredicate::ule,
      b.mul(b.extend(sample.live), b.mul(b.extend(words), 100)),
      b.mul(b.extend(sample.numbers), b.mul(b.extend(steps), percent)));
}

void mlir::pit::hopper::emitLoopByLive(
    KernelBuilder &b, const ContractionKernel &kernel, const KernelState &state,
    const std::optional<LiveSample> &sample) {
  std::vector<LiveVariant> variants = getVariantsByLive(kernel);
  auto emitFrom = [&](auto &self, size_t i) -> void {
    const LiveVariant &variant = variants[i];
    auto emitLoop = [&] { emitBlockLoop(b, variant.kernel, state); };
    if (i + 1 == variants.size())
      return emitLoop();
    b.ifThenElse(isLiveUpTo(b, kernel, state, *sample, variant.mostPercent),
                 emitLoop, [&] { self(self, i + 1); });
  };
  emitFrom(emitFrom, 0);
}
