//===- ExpandSmallFloats.cpp - 8-bit floats as integers -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversions.h"

#include "PIT/Conversion/Passes.h"

#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITEXPANDSMALLFLOATS
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

static Type withElement(Type shape, Type element) {
  auto vector = dyn_cast<VectorType>(shape);
  return vector ? Type(vector.clone(element)) : element;
}

/// The format of a scalar or vector of 8-bit floats.
static std::optional<FloatFormat> getFormat(Type type) {
  if (!isa<FloatType, VectorType>(type))
    return std::nullopt;
  return FloatFormat::get(getElementTypeOrSelf(type));
}

/// f32 as bf16 that holds it. Without a rounding, which would be expanded, too,
/// where targets have none.
static Value createUpperHalf(OpBuilder &builder, Location loc, Value value) {
  Type shape = value.getType();
  Type wide = withElement(shape, builder.getI32Type());
  Value bits = arith::BitcastOp::create(builder, loc, wide, value);
  Value sixteen = createScalarOrSplatConstant(builder, loc, wide, 16);
  Value upper = arith::TruncIOp::create(
      builder, loc, withElement(shape, builder.getI16Type()),
      arith::ShRUIOp::create(builder, loc, bits, sixteen));
  return arith::BitcastOp::create(
      builder, loc, withElement(shape, builder.getBF16Type()), upper);
}

namespace {

struct ExpandExtension : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<FloatFormat> format = getFormat(op.getIn().getType());
    if (!format)
      return rewriter.notifyMatchFailure(op, "not from a float of 8 bits");
    Type target = op.getType();
    Type element = getElementTypeOrSelf(target);
    if (!element.isF16() && !element.isBF16() && !element.isF32() &&
        !element.isF64())
      return rewriter.notifyMatchFailure(op, "to a type without a conversion");
    // All of these hold every value of 8 bits, so that nothing is rounded.
    Value wide = createExtension(rewriter, op.getLoc(), *format, op.getIn());
    if (element.isF32())
      rewriter.replaceOp(op, wide);
    else if (element.isF64())
      rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, target, wide);
    else if (element.isF16())
      rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, target, wide);
    else
      rewriter.replaceOp(op, createUpperHalf(rewriter, op.getLoc(), wide));
    return success();
  }
};

struct ExpandRounding : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<FloatFormat> format = getFormat(op.getType());
    if (!format)
      return rewriter.notifyMatchFailure(op, "not to a float of 8 bits");
    std::optional<arith::RoundingMode> mode = op.getRoundingmode();
    if (mode && *mode != arith::RoundingMode::to_nearest_even)
      return rewriter.notifyMatchFailure(op, "not to the nearest");
    Value value = op.getIn();
    Type source = getElementTypeOrSelf(value.getType());
    // f32 holds these exactly. f64 it would round a first time.
    if (source.isF16() || source.isBF16())
      value = arith::ExtFOp::create(
          rewriter, op.getLoc(),
          withElement(value.getType(), rewriter.getF32Type()), value);
    else if (!source.isF32() && !source.isF64())
      return rewriter.notifyMatchFailure(op, "of a type without a conversion");
    rewriter.replaceOp(op, createRounding(rewriter, op.getLoc(), *format, value,
                                          op.getType()));
    return success();
  }
};

struct PITExpandSmallFloatsPass
    : pit::impl::PITExpandSmallFloatsBase<PITExpandSmallFloatsPass> {
  void runOnOperation() override {
    if (failed(computeInF32()))
      return signalPassFailure();
    // Folding would drop the rounding between two operations.
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandExtension, ExpandRounding>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }

private:
  /// Each operation on 8-bit floats is one of f32 and a rounding. Its result is
  /// the same: f32 has more than twice as many bits, and two, so that sums,
  /// products, quotients and roots are not rounded twice to something else
  /// (Figueroa, "When is double rounding innocuous?", 1995); and integers
  /// that f32 rounds are larger than what 8 bits hold.
  LogicalResult computeInF32() {
    MLIRContext *context = &getContext();
    TypeConverter converter;
    arith::populateEmulateUnsupportedFloatsConversions(
        converter, FloatFormat::getTypes(context), Float32Type::get(context));
    RewritePatternSet patterns(context);
    arith::populateEmulateUnsupportedFloatsPatterns(patterns, converter);
    ConversionTarget target(*context);
    arith::populateEmulateUnsupportedFloatsLegality(target, converter);
    target.addDynamicallyLegalDialect<math::MathDialect>(
        [&](Operation *op) { return converter.isLegal(op); });
    // This moves values, and computes nothing.
    target.addLegalOp<arith::SelectOp>();
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }
};

} // namespace
