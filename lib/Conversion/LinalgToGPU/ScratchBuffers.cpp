//===- ScratchBuffers.cpp - Buffers of loops become buffers of the host ---===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels allocate nothing. A buffer that a loop allocates becomes a flat one
// before the loop, large enough for every iteration, of which each iteration
// takes the part it needs. One block runs such loops, so that one buffer will
// do.
//
//===----------------------------------------------------------------------===//

#include "DevicePieces.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// Finds values on the host that are at least as large as a value in a kernel.
class UpperBounds {
public:
  UpperBounds(OpBuilder &builder, Location loc, const DeviceAnalysis &analysis)
      : builder(builder), loc(loc), analysis(analysis) {}

  /// Returns null when the host cannot tell.
  Value get(Value value);

private:
  Value getOfMin(affine::AffineMinOp op);
  Value getOfExpression(AffineExpr expression, affine::AffineApplyOp op);
  Value getOfDim(Value buffer, int64_t dim);
  Value getOfSize(OpFoldResult size);
  template <typename Op> Value combine(Value a, Value b) {
    return a && b ? Op::create(builder, loc, a, b).getResult() : Value();
  }

  OpBuilder &builder;
  Location loc;
  const DeviceAnalysis &analysis;
};

} // namespace

/// Any of the results that only uses what the host knows bounds the smallest.
Value UpperBounds::getOfMin(affine::AffineMinOp op) {
  Value bound;
  AffineMap map = op.getMap();
  for (unsigned i = 0; i < map.getNumResults(); ++i) {
    AffineMap part = map.getSubMap({i});
    bool isKnown = true;
    for (auto [k, operand] : llvm::enumerate(op.getOperands())) {
      bool isUsed = k < map.getNumDims()
                        ? part.isFunctionOfDim(k)
                        : part.isFunctionOfSymbol(k - map.getNumDims());
      isKnown &= !isUsed || analysis.isKnownOnHost(operand);
    }
    // Operands that the part does not use may be unknown: leave them out.
    if (!isKnown)
      continue;
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(
          analysis.isKnownOnHost(operand)
              ? operand
              : arith::ConstantIndexOp::create(builder, loc, 0).getResult());
    Value value = affine::AffineApplyOp::create(builder, loc, part, operands);
    bound = bound ? combine<arith::MinSIOp>(bound, value) : value;
  }
  return bound;
}

/// Of what grows with each of its operands.
Value UpperBounds::getOfExpression(AffineExpr expression,
                                   affine::AffineApplyOp op) {
  if (auto number = dyn_cast<AffineConstantExpr>(expression))
    return arith::ConstantIndexOp::create(builder, loc, number.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return get(op.getDimOperands()[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return get(op.getSymbolOperands()[symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expression);
  Value left = getOfExpression(binary.getLHS(), op);
  if (!left)
    return {};
  if (expression.getKind() == AffineExprKind::Add)
    return combine<arith::AddIOp>(left, getOfExpression(binary.getRHS(), op));
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!factor || factor.getValue() <= 0)
    return {};
  Value right = arith::ConstantIndexOp::create(builder, loc, factor.getValue());
  switch (expression.getKind()) {
  case AffineExprKind::Mul:
    return combine<arith::MulIOp>(left, right);
  case AffineExprKind::FloorDiv:
    return combine<arith::FloorDivSIOp>(left, right);
  case AffineExprKind::CeilDiv:
    return combine<arith::CeilDivSIOp>(left, right);
  default:
    return {};
  }
}

Value UpperBounds::getOfSize(OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return arith::ConstantIndexOp::create(builder, loc, *constant);
  return get(cast<Value>(size));
}

/// A dimension of a buffer: the host knows those of its own buffers, and those
/// of views and of buffers in the kernel come from sizes.
Value UpperBounds::getOfDim(Value buffer, int64_t dim) {
  auto type = cast<MemRefType>(buffer.getType());
  if (dim < 0 || dim >= type.getRank())
    return Value();
  if (!type.isDynamicDim(dim))
    return arith::ConstantIndexOp::create(builder, loc, type.getDimSize(dim));
  if (analysis.isKnownOnHost(buffer))
    return memref::DimOp::create(builder, loc, buffer, dim);
  Operation *def = buffer.getDefiningOp();
  if (!def)
    return Value();
  if (isa<memref::AllocOp, memref::AllocaOp>(def))
    return get(def->getOperand(type.getDynamicDimIndex(dim)));
  if (auto view = dyn_cast<memref::ViewOp>(def))
    return get(view.getSizes()[type.getDynamicDimIndex(dim)]);
  if (auto cast = dyn_cast<memref::CastOp>(def))
    return isa<MemRefType>(cast.getSource().getType())
               ? getOfDim(cast.getSource(), dim)
               : Value();
  // Dimensions that are dropped are 1, so that dynamic sizes are those of the
  // dynamic dimensions.
  if (auto view = dyn_cast<memref::SubViewOp>(def))
    return get(view.getSizes()[type.getDynamicDimIndex(dim)]);
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(def))
    return getOfSize(expand.getMixedOutputShape()[dim]);
  if (auto view = dyn_cast<memref::ReinterpretCastOp>(def))
    return getOfSize(view.getMixedSizes()[dim]);
  if (auto collapse = dyn_cast<memref::CollapseShapeOp>(def)) {
    Value product = arith::ConstantIndexOp::create(builder, loc, 1);
    // The list of lists does not outlive the statement.
    const ReassociationIndices group = collapse.getReassociationIndices()[dim];
    for (int64_t from : group)
      product =
          combine<arith::MulIOp>(product, getOfDim(collapse.getSrc(), from));
    return product;
  }
  return Value();
}

Value UpperBounds::get(Value value) {
  if (analysis.isKnownOnHost(value))
    return value;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getInductionVar()
               ? get(loop.getUpperBound())
               : Value();
  }
  Operation *def = value.getDefiningOp();
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return arith::ConstantIndexOp::create(builder, loc, *constant);
  if (isa<arith::MinUIOp, arith::MinSIOp>(def)) {
    Value a = get(def->getOperand(0)), b = get(def->getOperand(1));
    return a && b ? combine<arith::MinSIOp>(a, b) : a ? a : b;
  }
  if (isa<arith::MaxUIOp, arith::MaxSIOp>(def))
    return combine<arith::MaxSIOp>(get(def->getOperand(0)),
                                   get(def->getOperand(1)));
  if (isa<arith::SelectOp>(def))
    return combine<arith::MaxSIOp>(get(def->getOperand(1)),
                                   get(def->getOperand(2)));
  if (isa<arith::AddIOp>(def))
    return combine<arith::AddIOp>(get(def->getOperand(0)),
                                  get(def->getOperand(1)));
  if (auto min = dyn_cast<affine::AffineMinOp>(def))
    return getOfMin(min);
  if (auto apply = dyn_cast<affine::AffineApplyOp>(def))
    return getOfExpression(apply.getMap().getResult(0), apply);
  if (auto dim = dyn_cast<memref::DimOp>(def))
    if (isa<MemRefType>(dim.getSource().getType()))
      if (std::optional<int64_t> index = dim.getConstantIndex())
        return getOfDim(dim.getSource(), *index);
  if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(def)) {
    auto sizes = metadata.getSizes();
    auto size = llvm::find(sizes, value);
    return size == sizes.end()
               ? Value()
               : getOfDim(metadata.getSource(), size - sizes.begin());
  }
  return Value();
}

/// Whether the buffer, or a view of it, outlives the iteration.
static bool escapes(Value buffer) {
  for (Operation *user : buffer.getUsers()) {
    if (user->hasTrait<OpTrait::IsTerminator>())
      return true;
    for (Value result : user->getResults())
      if (isa<MemRefType>(result.getType()) && escapes(result))
        return true;
  }
  return false;
}

/// One buffer per block of a loop over blocks, of at most `elements` times
/// `known` elements, as views of bytes: where a plain buffer begins is part of
/// its pointer, not of its type.
static Value createBuffersOfBlocks(OpBuilder &outside, OpBuilder &inside,
                                   scf::ForallOp forall, MemRefType type,
                                   Value elements, int64_t known,
                                   ValueRange dynamicSizes, Value &bytes) {
  Location loc = forall.getLoc();
  int64_t width =
      type.getElementType().isIndex() ? 64 : type.getElementTypeBitWidth();
  // Buffers start where vectors of 16 bytes may.
  constexpr int64_t kAlignment = 16;
  Value perBlock = arith::ConstantIndexOp::create(
      outside, loc, known * llvm::divideCeil(width, 8));
  if (elements)
    perBlock = arith::MulIOp::create(outside, loc, perBlock, elements);
  Value alignment = arith::ConstantIndexOp::create(outside, loc, kAlignment);
  perBlock = arith::MulIOp::create(
      outside, loc,
      arith::CeilDivUIOp::create(outside, loc, perBlock, alignment), alignment);
  Value blocks = getValueOrCreateConstantIndexOp(
      outside, loc, forall.getMixedUpperBound()[0]);
  Value size = arith::MulIOp::create(outside, loc, perBlock, blocks);
  bytes = memref::AllocOp::create(
      outside, loc,
      MemRefType::get({ShapedType::kDynamic}, outside.getI8Type()), size);
  Value first =
      arith::MulIOp::create(inside, loc, forall.getInductionVar(0), perBlock);
  return memref::ViewOp::create(inside, loc, type, bytes, first, dynamicSizes);
}

static LogicalResult hoist(Operation *alloc, Operation *anchor,
                           const DeviceAnalysis &analysis) {
  Value buffer = alloc->getResult(0);
  auto type = cast<MemRefType>(buffer.getType());
  Location loc = alloc->getLoc();
  if (!type.getLayout().isIdentity() ||
      alloc->getNumOperands() != unsigned(type.getNumDynamicDims()))
    return emitError(loc, "needs a buffer in a kernel whose layout is not "
                          "plain");
  if (escapes(buffer))
    return emitError(loc, "a loop or a branch passes this tensor on, and its "
                          "extents may change there; kernels have one buffer "
                          "for all iterations");

  OpBuilder outside(anchor), inside(alloc);
  UpperBounds bounds(outside, loc, analysis);
  int64_t known = 1;
  Value elements;
  SmallVector<OpFoldResult> sizes, strides(type.getRank());
  auto dynamic = alloc->operand_begin();
  for (int64_t extent : type.getShape()) {
    if (ShapedType::isStatic(extent)) {
      known *= extent;
      sizes.push_back(inside.getIndexAttr(extent));
      continue;
    }
    Value size = *dynamic++;
    Value bound = bounds.get(size);
    if (!bound) {
      InFlightDiagnostic diagnostic = emitError(
          loc, "needs a buffer in a kernel, of a size that the host can bound");
      diagnostic.attachNote(size.getLoc()) << "the size is computed here";
      return diagnostic;
    }
    sizes.push_back(size);
    elements =
        elements
            ? arith::MulIOp::create(outside, loc, elements, bound).getResult()
            : bound;
  }
  Value flat, view;
  if (isLoopOverBlocks(anchor)) {
    view = createBuffersOfBlocks(outside, inside, cast<scf::ForallOp>(anchor),
                                 type, elements, known, alloc->getOperands(),
                                 flat);
  } else {
    OpFoldResult stride = inside.getIndexAttr(1);
    for (int64_t i = type.getRank(); i-- > 0;) {
      strides[i] = stride;
      AffineExpr a = inside.getAffineSymbolExpr(0),
                 b = inside.getAffineSymbolExpr(1);
      stride = affine::makeComposedFoldedAffineApply(inside, loc, a * b,
                                                     {stride, sizes[i]});
    }

    if (!elements) {
      flat = memref::AllocOp::create(
          outside, loc, MemRefType::get({known}, type.getElementType()));
    } else {
      if (known != 1)
        elements = arith::MulIOp::create(
            outside, loc, elements,
            arith::ConstantIndexOp::create(outside, loc, known));
      flat = memref::AllocOp::create(
          outside, loc,
          MemRefType::get({ShapedType::kDynamic}, type.getElementType()),
          elements);
    }
    view = memref::ReinterpretCastOp::create(
        inside, loc, type, flat, inside.getIndexAttr(0), sizes, strides);
  }
  for (Operation *user : llvm::make_early_inc_range(buffer.getUsers()))
    if (isa<memref::DeallocOp>(user))
      user->erase();
  buffer.replaceAllUsesWith(view);
  alloc->erase();

  OpBuilder end(anchor->getBlock()->getTerminator());
  memref::DeallocOp::create(end, loc, flat);
  return success();
}

LogicalResult mlir::pit::hoistScratchBuffers(func::FuncOp function) {
  DeviceAnalysis analysis(function);
  Block *body = &function.getBody().front();
  SmallVector<Operation *> allocs;
  function.walk([&](Operation *op) {
    if (isa<memref::AllocOp, memref::AllocaOp>(op))
      allocs.push_back(op);
  });
  for (Operation *alloc : allocs) {
    if (alloc->getBlock() != body) {
      Operation *anchor = body->findAncestorOpInBlock(*alloc);
      if (failed(hoist(alloc, anchor, analysis)))
        return failure();
      continue;
    }
    for (Value size : alloc->getOperands())
      if (!analysis.isKnownOnHost(size))
        return emitError(alloc->getLoc(),
                         "needs a buffer of a size that only the device knows; "
                         "pass the size as a scalar argument, or bound what a "
                         "mark lists with 'at_most'");
  }
  return success();
}
