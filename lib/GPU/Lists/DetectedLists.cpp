//===- DetectedLists.cpp - What a detection says of its lists -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DetectedLists.h"

#include "GPU/Host/BufferAccess.h"

#include "PIT/Dialect/PIT/Utils/Liveness.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

bool mlir::pit::listsRowsOnce(TiledOp op) {
  auto assemble = op.getIndex().getDefiningOp<AssembleOp>();
  if (!assemble)
    return false;
  Value coords = assemble.getCoords(), offsets = assemble.getOffsets();
  Operation *writer = op->getPrevNode();
  // Since an op was planned, others have become launches, which read lists:
  // detections become some last.
  auto passes = [&](Operation *before) {
    return (op.getPlanAttr() && isa<gpu::LaunchFuncOp>(before)) ||
           (!mayWrite(before, coords) && !mayWrite(before, offsets));
  };
  while (writer && passes(writer))
    writer = writer->getPrevNode();
  auto detect = dyn_cast_or_null<DetectIntoOp>(writer);
  auto isSame = [](Value a, Value b) {
    return memref::isSameViewOrTrivialAlias(cast<MemrefValue>(a),
                                            cast<MemrefValue>(b));
  };
  return detect && isSame(detect.getCoords(), coords) &&
         isSame(detect.getOffsets(), offsets) &&
         detect.getIndexType() == op.getIndexType() &&
         listsRowsOnce(detect.getPattern(), detect.getIndexType());
}
