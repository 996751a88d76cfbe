//===- SplitIndex.cpp - Indexes become their parts ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITSPLITINDEX
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// Offsets, coordinates, dynamic extents.
static void appendParts(SparseIndexType type, bool onBuffers,
                        SmallVectorImpl<Type> &parts) {
  MLIRContext *context = type.getContext();
  for (int64_t width : {int64_t(64), type.getWidth()}) {
    Type element = IntegerType::get(context, width);
    if (onBuffers)
      parts.push_back(MemRefType::get({ShapedType::kDynamic}, element));
    else
      parts.push_back(RankedTensorType::get({ShapedType::kDynamic}, element));
  }
  parts.append(type.getNumDynamicExtents(), IndexType::get(context));
}

static Value castTo(OpBuilder &builder, Location loc, Value list, Type type) {
  if (list.getType() == type)
    return list;
  if (isa<MemRefType>(type))
    return memref::CastOp::create(builder, loc, type, list);
  return tensor::CastOp::create(builder, loc, type, list);
}

namespace {

struct SplitAssemble : OpConversionPattern<AssembleOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AssembleOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertType(op.getIndex().getType(), types)))
      return failure();
    if (isa<MemRefType>(types[0]) &&
        (!memref::CastOp::areCastCompatible(adaptor.getOffsets().getType(),
                                            types[0]) ||
         !memref::CastOp::areCastCompatible(adaptor.getCoords().getType(),
                                            types[1])))
      return rewriter.notifyMatchFailure(
          op, "the lists of an index must be contiguous");
    SmallVector<Value> parts{
        castTo(rewriter, op.getLoc(), adaptor.getOffsets(), types[0]),
        castTo(rewriter, op.getLoc(), adaptor.getCoords(), types[1])};
    llvm::append_range(parts, adaptor.getExtents());
    SmallVector<ValueRange> replacement{parts};
    rewriter.replaceOpWithMultiple(op, replacement);
    return success();
  }
};

/// `pit.offsets`, `pit.coords`: part number `part`.
template <typename OpTy, unsigned part>
struct SplitList : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;
  using OneToNAdaptor = typename OpConversionPattern<OpTy>::OneToNOpAdaptor;

  LogicalResult
  matchAndRewrite(OpTy op, OneToNAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op,
                       castTo(rewriter, op.getLoc(), adaptor.getIndex()[part],
                              op->getResult(0).getType()));
    return success();
  }
};

struct SplitExtent : OpConversionPattern<ExtentOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ExtentOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto buffer = dyn_cast<IndexBufferType>(op.getIndex().getType());
    SparseIndexType type = buffer
                               ? buffer.getIndex()
                               : cast<SparseIndexType>(op.getIndex().getType());
    unsigned dim = op.getDim();
    if (!type.isDynamicExtent(dim)) {
      rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(
          op, type.getExtents()[dim]);
      return success();
    }
    unsigned number = 2;
    for (unsigned i = 0; i < dim; ++i)
      number += type.isDynamicExtent(i);
    rewriter.replaceOp(op, adaptor.getIndex()[number]);
    return success();
  }
};

struct PITSplitIndex : pit::impl::PITSplitIndexBase<PITSplitIndex> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion(
        [](SparseIndexType type,
           SmallVectorImpl<Type> &parts) -> std::optional<LogicalResult> {
          appendParts(type, /*onBuffers=*/false, parts);
          return success();
        });
    converter.addConversion(
        [](IndexBufferType type,
           SmallVectorImpl<Type> &parts) -> std::optional<LogicalResult> {
          appendParts(type.getIndex(), /*onBuffers=*/true, parts);
          return success();
        });
    // Ops that want the index whole find it put together beside them.
    auto assemble = [](OpBuilder &builder, Type type, ValueRange parts,
                       Location loc) -> Value {
      return AssembleOp::create(builder, loc, type, parts[0], parts[1],
                                parts.drop_front(2));
    };
    converter.addSourceMaterialization(
        [=](OpBuilder &builder, SparseIndexType type, ValueRange parts,
            Location loc) -> Value {
          return assemble(builder, type, parts, loc);
        });
    converter.addSourceMaterialization(
        [=](OpBuilder &builder, IndexBufferType type, ValueRange parts,
            Location loc) -> Value {
          return assemble(builder, type, parts, loc);
        });

    RewritePatternSet patterns(context);
    ConversionTarget target(*context);
    patterns.add<SplitAssemble, SplitList<OffsetsOp, 0>, SplitList<CoordsOp, 1>,
                 SplitExtent>(converter, context);
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                   converter);
    populateCallOpTypeConversionPattern(patterns, converter);
    populateReturnOpTypeConversionPattern(patterns, converter);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
      return converter.isSignatureLegal(op.getFunctionType());
    });
    target.addDynamicallyLegalOp<AssembleOp, OffsetsOp, CoordsOp, ExtentOp,
                                 func::CallOp, func::ReturnOp>(
        [&](Operation *op) { return converter.isLegal(op); });
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
