//===- SeparateStarts.cpp - Products that add to what is there ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "SumsOfProducts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITSEPARATESTARTS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

static bool isZeroFill(Value start) {
  auto fill = start.getDefiningOp<linalg::FillOp>();
  return fill && matchPattern(fill.getInputs()[0], m_AnyZeroFloat());
}

/// Whether the op adds up products of 16 bits, in f32, to something else than
/// zeros, and may be a product of matrices: of batches, few chips have kernels.
static bool addsToSomething(linalg::GenericOp op) {
  auto has16Bits = [](Value input) {
    Type element = getElementTypeOrSelf(input.getType());
    return element.isBF16() || element.isF16();
  };
  if (!addsUpProducts(op) || !llvm::all_of(op.getInputs(), has16Bits))
    return false;
  Value start = op.getOutputs()[0];
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  return getElementTypeOrSelf(start.getType()).isF32() && !isZeroFill(start) &&
         succeeded(dims) && dims->batch.empty();
}

static void separate(linalg::GenericOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value start = op.getOutputs()[0];
  auto type = cast<RankedTensorType>(start.getType());
  auto createEmpty = [&] {
    return tensor::EmptyOp::create(builder, loc,
                                   tensor::getMixedSizes(builder, loc, start),
                                   type.getElementType());
  };
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(type.getElementType()));
  Value zeros =
      linalg::FillOp::create(builder, loc, zero, createEmpty().getResult())
          .getResult(0);
  op.getOutputsMutable()[0].set(zeros);

  builder.setInsertionPointAfter(op);
  auto identity =
      AffineMap::getMultiDimIdentityMap(type.getRank(), builder.getContext());
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  auto sum = linalg::GenericOp::create(
      builder, loc, type, ValueRange{op.getResult(0), start},
      createEmpty().getResult(),
      ArrayRef<AffineMap>{identity, identity, identity}, parallel,
      [](OpBuilder &b, Location loc, ValueRange arguments) {
        Value sum = arith::AddFOp::create(b, loc, arguments[1], arguments[0]);
        linalg::YieldOp::create(b, loc, sum);
      });
  op.getResult(0).replaceAllUsesExcept(sum.getResult(0), sum);
}

namespace {

struct PITSeparateStarts : pit::impl::PITSeparateStartsBase<PITSeparateStarts> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> sums;
    for (auto op : getOperation().getOps<linalg::GenericOp>())
      if (addsToSomething(op))
        sums.push_back(op);
    llvm::for_each(sums, separate);
    numSeparated += sums.size();
  }
};

} // namespace
