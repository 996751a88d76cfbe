//===- WidenSums.cpp - Sums of products of 16 bits, kept in f32 -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As exporters write it, a product of bf16 adds up in bf16 and rounds at every
// step, which is neither what frameworks compute nor what matrix units can.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "Dialect/PIT/Transforms/Sums/SumsOfProducts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Matchers.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITWIDENSUMS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// Whether the op adds up products of two inputs, and inputs, products, and
/// sums have the same type of 16 bits.
static bool isNarrowSum(linalg::GenericOp op) {
  if (!addsUpProducts(op))
    return false;
  Type element = getElementTypeOrSelf(op.getOutputs()[0].getType());
  if (!element.isBF16() && !element.isF16())
    return false;
  // A product, a sum, and nothing else.
  constexpr size_t kNumOps = 3;
  return llvm::all_of(op.getInputs(),
                      [&](Value input) {
                        return getElementTypeOrSelf(input.getType()) == element;
                      }) &&
         op.getBody()->getOperations().size() == kNumOps;
}

/// The tensor with each element as another type of floats.
static Value castElements(OpBuilder &builder, Location loc, Value tensor,
                          Type element) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto identity =
      AffineMap::getMultiDimIdentityMap(type.getRank(), builder.getContext());
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, tensor), element);
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  bool widens = element.isF32();
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), tensor, empty,
             ArrayRef<AffineMap>{identity, identity}, parallel,
             [&](OpBuilder &b, Location loc, ValueRange arguments) {
               Value result = widens ? Value(arith::ExtFOp::create(
                                           b, loc, element, arguments[0]))
                                     : Value(arith::TruncFOp::create(
                                           b, loc, element, arguments[0]));
               linalg::YieldOp::create(b, loc, result);
             })
      .getResult(0);
}

/// What a sum starts from, in f32.
static Value widenStart(OpBuilder &builder, Location loc, Value start) {
  Type f32 = builder.getF32Type();
  auto fill = start.getDefiningOp<linalg::FillOp>();
  FloatAttr value;
  if (!fill || !matchPattern(fill.getInputs()[0], m_Constant(&value)))
    return castElements(builder, loc, start, f32);
  APFloat wide = value.getValue();
  bool losesInfo = false;
  wide.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &losesInfo);
  Value constant = arith::ConstantOp::create(builder, loc, f32,
                                             builder.getFloatAttr(f32, wide));
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, start), f32);
  return linalg::FillOp::create(builder, loc, constant, empty).getResult(0);
}

static void widen(linalg::GenericOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type narrow = getElementTypeOrSelf(op.getOutputs()[0].getType());
  Value start = widenStart(builder, loc, op.getOutputs()[0]);
  auto wide = linalg::GenericOp::create(
      builder, loc, start.getType(), op.getInputs(), start,
      op.getIndexingMapsArray(), op.getIteratorTypesArray(),
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        auto extend = [&](Value value) {
          return arith::ExtFOp::create(b, loc, b.getF32Type(), value);
        };
        Value product = arith::MulFOp::create(b, loc, extend(arguments[0]),
                                              extend(arguments[1]));
        Value sum = arith::AddFOp::create(b, loc, arguments[2], product);
        linalg::YieldOp::create(b, loc, sum);
      });
  wide->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op.getResult(0).replaceAllUsesWith(
      castElements(builder, loc, wide.getResult(0), narrow));
  op.erase();
}

namespace {

struct PITWidenSums : pit::impl::PITWidenSumsBase<PITWidenSums> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> sums;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (isNarrowSum(op))
        sums.push_back(op);
    });
    llvm::for_each(sums, widen);
    numWidened += sums.size();
  }
};

} // namespace
