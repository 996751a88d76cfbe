//===- CPUTarget.cpp - What features say of a CPU -------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/LinalgToCPU/CPUTarget.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir::pit;

CPUTarget CPUTarget::get(llvm::StringRef features, int64_t vectorBits) {
  llvm::SmallVector<llvm::StringRef> names;
  features.split(names, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  llvm::StringSet<> known;
  for (llvm::StringRef name : names)
    known.insert(name);
  auto has = [&](llvm::StringRef name) { return known.contains(name); };
  CPUTarget target;
  target.vectorBits = vectorBits ? vectorBits : has("avx512f") ? 512 : 256;
  bool isWide = target.vectorBits == 512;
  bool hasShort = isWide || has("avx512vl");
  target.hasPairProducts =
      isWide ? has("avx512bw") : target.vectorBits == 256 && has("avx2");
  target.hasDotProducts = (hasShort && has("avx512vnni")) ||
                          (target.vectorBits == 256 && has("avxvnni"));
  target.hasBF16Products = hasShort && has("avx512bf16");
  target.hasMasks = hasShort && has("avx512bw");
  return target;
}
