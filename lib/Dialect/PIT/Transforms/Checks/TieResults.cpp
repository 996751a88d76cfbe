//===- TieResults.cpp - Extents of results that loops and branches have ---===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "EntryValues.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITTIERESULTS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// Whether a loop or a branch makes the tensor, which views may follow.
static bool isOfRegion(Value tensor) {
  while (auto cast = tensor.getDefiningOp<tensor::CastOp>())
    tensor = cast.getSource();
  Operation *op = tensor.getDefiningOp();
  return isa_and_present<scf::ForOp, scf::WhileOp, scf::IfOp>(op);
}

namespace {

struct PITTieResults : pit::impl::PITTieResultsBase<PITTieResults> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal() &&
          function.getBody().hasOneBlock())
        tieResults(function, symbols);
  }

  void tieResults(func::FuncOp function, SymbolTableCollection &symbols) {
    Operation *end = function.getBody().front().getTerminator();
    for (OpOperand &result : end->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(result.get().getType());
      if (!type || type.hasStaticShape() || !isOfRegion(result.get()))
        continue;
      OpBuilder builder(end);
      SmallVector<Value> extents;
      {
        EntryValues values(
            function, builder, symbols,
            {[](BlockArgument argument) -> Value { return argument; },
             [&](BlockArgument argument, int64_t axis) -> Value {
               return tensor::DimOp::create(builder, end->getLoc(), argument,
                                            axis);
             }});
        for (int64_t axis = 0; axis < type.getRank(); ++axis)
          if (type.isDynamicDim(unsigned(axis)))
            extents.push_back(values.getExtent(result.get(), axis));
      }
      if (llvm::is_contained(extents, Value()))
        continue;
      // No structured op, which would be left out as one that changes nothing.
      Location loc = end->getLoc();
      Value own = tensor::EmptyOp::create(builder, loc, type, extents);
      SmallVector<OpFoldResult> offsets(size_t(type.getRank()),
                                        builder.getIndexAttr(0)),
          strides(size_t(type.getRank()), builder.getIndexAttr(1));
      result.set(tensor::InsertSliceOp::create(
          builder, loc, result.get(), own, offsets,
          getMixedValues(type.getShape(), extents, builder), strides));
      ++numTied;
    }
  }
};

} // namespace
