//===- ConvertLinalgToCPULoops.cpp - Structured ops to vector loops -------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every linalg op on buffers becomes a nest of scf.for:
//
//  * the innermost loop is a parallel one that walks all operands contiguously,
//    if there is one: then LLVM vectorises it, and reduction loops stay around
//    it in their order;
//  * otherwise reductions stay innermost. Their accumulators travel in
//    registers, and `kJam` neighbours along a parallel loop are reduced side by
//    side, because a single chain of dependent additions would wait on each of
//    them;
//  * a transposition, where no order is contiguous for all operands, is walked
//    in small square tiles.
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"
#include "PIT/Dialect/PIT/Utils/Sizes.h"
#include "PIT/Support/Remarks.h"

#include "CollapseReductions.h"
#include "LoopLowering.h"
#include "StridedCopies.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::pit {
#define GEN_PASS_DEF_CONVERTLINALGTOCPULOOPS
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

struct ConvertLinalgToCPULoopsPass
    : pit::impl::ConvertLinalgToCPULoopsBase<ConvertLinalgToCPULoopsPass> {
  using ConvertLinalgToCPULoopsBase::ConvertLinalgToCPULoopsBase;

  void runOnOperation() override {
    if (failed(checkSizes(getOperation())))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    llvm::for_each(loops, interchangeStridedCopies);
    SmallVector<memref::CopyOp> copies;
    getOperation().walk([&](memref::CopyOp copy) {
      auto source = dyn_cast<MemRefType>(copy.getSource().getType());
      auto dest = dyn_cast<MemRefType>(copy.getTarget().getType());
      // Copies of contiguous buffers are left: they become memcpy.
      bool isMemcpy = source && dest && source.getLayout().isIdentity() &&
                      dest.getLayout().isIdentity();
      if (source && dest && !isMemcpy)
        copies.push_back(copy);
    });
    for (memref::CopyOp copy : copies) {
      rewriter.setInsertionPoint(copy);
      linalg::makeMemRefCopyOp(rewriter, copy.getLoc(), copy.getSource(),
                               copy.getTarget());
      rewriter.eraseOp(copy);
    }
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics())
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops) {
      remarks::kernel(op, "loops");
      LoopLowering(collapseReductions(op, rewriter), strict, threadWork).run();
    }
  }
};

} // namespace
