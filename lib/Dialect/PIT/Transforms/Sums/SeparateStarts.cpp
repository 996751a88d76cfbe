//===- SeparateStarts.cpp - Products that add to what is there ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "SumsOfProducts.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

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
  return fill && (matchPattern(fill.getInputs()[0], m_AnyZeroFloat()) ||
                  matchPattern(fill.getInputs()[0], m_Zero()));
}

/// Whether kernels may compute it: a product of matrices, or a convolution if
/// there are kernels of these.
static bool mayBeProduct(linalg::GenericOp op, bool convolutions) {
  if (succeeded(linalg::inferContractionDims(op)))
    return true;
  if (!convolutions)
    return false;
  FailureOr<linalg::ConvolutionDimensions> windows =
      linalg::inferConvolutionDims(op);
  return succeeded(windows) && windows->depth.empty();
}

/// Whether the op adds up products of elements that kernels multiply, in what
/// they add these up in, to something else than zeros.
static bool addsToSomething(linalg::GenericOp op, bool convolutions) {
  if (!addsUpProducts(op))
    return false;
  Value start = op.getOutputs()[0];
  Type sum = getElementTypeOrSelf(start.getType());
  auto isMultiplied = [&](Value input) {
    Type element = getElementTypeOrSelf(input.getType());
    return (element.isBF16() || element.isF16() || element.isF32() ||
            element.isF64() || element.isInteger(8)) &&
           ContractOp::getSumType(element) == sum;
  };
  if (!llvm::all_of(op.getInputs(), isMultiplied) || isZeroFill(start))
    return false;
  // A product by a vector is a reduction, which starts from anything; those of
  // 16 bits have kernels of products, too.
  bool isOf16Bits =
      sum.isF32() && !getElementTypeOrSelf(op.getInputs()[0].getType()).isF32();
  if (FailureOr<linalg::ContractionDimensions> loops =
          linalg::inferContractionDims(op);
      !isOf16Bits && succeeded(loops) && (loops->m.empty() || loops->n.empty()))
    return false;
  return mayBeProduct(op, convolutions);
}

namespace {

/// What a sum starts from, and which axes of the sum its own are.
struct Start {
  Value tensor;
  AffineMap map;
};

} // namespace

/// A bias is often broadcast, and cast before or behind, to be what a product
/// adds to: finds it.
static Start findStart(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Start start{tensor, AffineMap::getMultiDimIdentityMap(type.getRank(),
                                                        tensor.getContext())};
  while (auto op = start.tensor.getDefiningOp<linalg::LinalgOp>()) {
    if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
        op.getNumLoops() != op.getNumParallelLoops() ||
        !isa<RankedTensorType>(op.getDpsInputs()[0].getType()))
      break;
    Value yielded = op.getBlock()->getTerminator()->getOperand(0);
    if (auto wider = yielded.getDefiningOp<arith::ExtFOp>())
      yielded = wider.getIn();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    if (yielded != op.getBlock()->getArgument(0) || !maps[1].isIdentity() ||
        !maps[0].isProjectedPermutation())
      break;
    start = {op.getDpsInputs()[0], maps[0].compose(start.map)};
  }
  return start;
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
  Start added = findStart(start);
  auto identity =
      AffineMap::getMultiDimIdentityMap(type.getRank(), builder.getContext());
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  auto sum = linalg::GenericOp::create(
      builder, loc, type, ValueRange{op.getResult(0), added.tensor},
      createEmpty().getResult(),
      ArrayRef<AffineMap>{identity, added.map, identity}, parallel,
      [](OpBuilder &b, Location loc, ValueRange arguments) {
        Value wide = arguments[1], sum;
        Type type = arguments[0].getType();
        if (wide.getType() != type)
          wide = arith::ExtFOp::create(b, loc, type, wide);
        if (type.isFloat())
          sum = arith::AddFOp::create(b, loc, wide, arguments[0]);
        else
          sum = arith::AddIOp::create(b, loc, wide, arguments[0]);
        linalg::YieldOp::create(b, loc, sum);
      });
  op.getResult(0).replaceAllUsesExcept(sum.getResult(0), sum);
}

namespace {

struct PITSeparateStarts : pit::impl::PITSeparateStartsBase<PITSeparateStarts> {
  using PITSeparateStartsBase::PITSeparateStartsBase;

  void runOnOperation() override {
    SmallVector<linalg::GenericOp> sums;
    for (auto op : getOperation().getOps<linalg::GenericOp>())
      if (addsToSomething(op, convolutions))
        sums.push_back(op);
    llvm::for_each(sums, separate);
    numSeparated += sums.size();
  }
};

} // namespace
