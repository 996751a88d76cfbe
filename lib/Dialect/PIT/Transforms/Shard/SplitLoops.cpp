//===- SplitLoops.cpp - Which loop of a dense op is split -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Splits.h"

using namespace mlir;
using namespace mlir::pit;

int64_t Splits::getPackedLoop(const OpLoops &loops) const {
  for (const OpLoops::Access &access : loops.accesses)
    if (Split split = get(access.value); split.kind == Split::Packed)
      return access.loops[split.dim];
  return -1;
}

/// Bytes, where 1024 stands for an extent that is not known.
static double getBytes(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  double bytes = tensor.getElementType().isIntOrFloat()
                     ? tensor.getElementTypeBitWidth() / 8.0
                     : 8.0;
  for (int64_t extent : tensor.getShape())
    bytes *= ShapedType::isDynamic(extent) ? 1024.0 : double(extent);
  return bytes;
}

/// What ranks pass to each other if they compute parts of a loop, in bytes.
double Splits::getCost(const OpLoops &loops, LoopSplit loop) const {
  double bytes = 0;
  for (const OpLoops::Access &access : loops.accesses) {
    Value value = access.value;
    const Split home = get(value), needed = loop.of(access);
    if (!access.isResult)
      bytes +=
          home.isCut() && !(home == needed) ? getBytes(value.getType()) : 0;
    else if (needed.isCut() && splits.contains(value) && !(home == needed))
      bytes += getBytes(value.getType());
    else if (loop && !needed.isCut())
      bytes += getBytes(value.getType()) * (home.isCut() ? 1 : 2);
  }
  return bytes;
}

LoopSplit Splits::getLoop(const OpLoops &loops) const {
  LoopSplit best;
  double cost = getCost(loops, best);
  for (const OpLoops::Access &access : loops.accesses) {
    Split home = get(access.value);
    if (!home.isCut())
      continue;
    LoopSplit loop{access.loops[home.dim], home.pieces};
    if (!loop || !loops.divides[loop.loop] ||
        (loop.pieces > 1 && loops.readsNumber(loop.loop)))
      continue;
    if (!llvm::all_of(loops.accesses, [&](const OpLoops::Access &other) {
          return isEven(other.value.getType(), loop.of(other));
        }))
      continue;
    double found = getCost(loops, loop);
    if (found < cost || (!best && found == cost)) {
      best = loop;
      cost = found;
    }
  }
  return best;
}

LogicalResult Splits::visitLoops(const OpLoops &loops) {
  if (int64_t packed = getPackedLoop(loops); packed >= 0) {
    for (const OpLoops::Access &access : loops.accesses) {
      const int64_t dim = access.getDim(packed);
      if (!access.isResult)
        continue;
      if (dim < 0)
        return loops.op->emitError("cannot be split over ranks: it adds up "
                                   "packed results of all ranks");
      set(access.value, {Split::Packed, dim});
    }
    return success();
  }
  const LoopSplit loop = getLoop(loops);
  if (!loop)
    return success();
  Split::Kind kind = Split::Cut;
  for (const OpLoops::Access &access : loops.accesses)
    if (Split home = get(access.value);
        kind == Split::Cut && home.isCut() && home == loop.of(access))
      kind = home.kind;
  for (const OpLoops::Access &access : loops.accesses)
    if (Split split = loop.of(access); split.isCut())
      if (split.pieces == 1 || !isa<BlockArgument>(access.value))
        set(access.value, {kind, split.dim, split.pieces});
  return success();
}
