//===- KernelLaunch.cpp - Ops wrapped into launches -----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelLaunch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// Brings the values that a kernel uses into it.
class Captures {
public:
  explicit Captures(gpu::LaunchOp launch)
      : launch(launch), host(launch), kernel(launch.getContext()) {
    kernel.setInsertionPointToStart(&launch.getBody().front());
  }

  /// Returns the value's stand-in inside the kernel, null after an error.
  Value bring(Value value);

private:
  Value clone(Operation *op);
  Value passBuffer(Value buffer);

  gpu::LaunchOp launch;
  OpBuilder host, kernel;
  DenseMap<Value, Value> brought;
};

} // namespace

/// Whether making the value again in the kernel is free.
static bool isRemadeInside(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() ||
         (isa<ViewLikeOpInterface>(op) &&
          isa<memref::MemRefDialect>(op->getDialect()));
}

Value Captures::bring(Value value) {
  if (Value known = brought.lookup(value))
    return known;
  Value result;
  if (Operation *def = value.getDefiningOp(); def && isRemadeInside(def))
    result = clone(def);
  else if (isa<BaseMemRefType>(value.getType()))
    result = passBuffer(value);
  else
    result = value;
  return brought[value] = result;
}

Value Captures::clone(Operation *op) {
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    Value inside = bring(operand);
    if (!inside)
      return Value();
    mapping.map(operand, inside);
  }
  return kernel.clone(*op, mapping)->getResult(0);
}

/// Passes a buffer as its base pointer and puts it together again inside.
Value Captures::passBuffer(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> staticStrides;
  int64_t staticOffset;
  if (!type || failed(type.getStridesAndOffset(staticStrides, staticOffset))) {
    emitError(buffer.getLoc(), "a buffer of type ")
        << buffer.getType() << " cannot be passed to a kernel";
    return Value();
  }
  Location loc = buffer.getLoc();
  auto metadata = memref::ExtractStridedMetadataOp::create(host, loc, buffer);
  SmallVector<OpFoldResult> sizes, strides(type.getRank());
  for (auto [axis, extent] : llvm::enumerate(type.getShape())) {
    if (ShapedType::isStatic(extent))
      sizes.push_back(host.getIndexAttr(extent));
    else
      sizes.push_back(
          memref::DimOp::create(host, loc, buffer, int64_t(axis)).getResult());
  }
  OpFoldResult offset = host.getIndexAttr(0);
  if (type.getLayout().isIdentity()) {
    // Row-major strides follow from the extents.
    Value stride;
    int64_t factor = 1;
    for (int64_t i = type.getRank(); i-- > 0;) {
      if (!stride)
        strides[i] = host.getIndexAttr(factor);
      else
        strides[i] = stride;
      Value size = dyn_cast<Value>(sizes[i]);
      if (!stride && !size) {
        factor *= type.getDimSize(i);
        continue;
      }
      if (i == 0)
        break;
      if (!stride)
        stride = arith::ConstantIndexOp::create(kernel, loc, factor);
      if (!size)
        size = arith::ConstantIndexOp::create(kernel, loc, type.getDimSize(i));
      stride = arith::MulIOp::create(kernel, loc, stride, size);
    }
  } else {
    if (ShapedType::isStatic(staticOffset))
      offset = host.getIndexAttr(staticOffset);
    else
      offset = metadata.getOffset();
    for (auto [i, stride] : llvm::enumerate(staticStrides))
      strides[i] = ShapedType::isStatic(stride)
                       ? OpFoldResult(host.getIndexAttr(stride))
                       : OpFoldResult(metadata.getStrides()[i]);
  }
  return memref::ReinterpretCastOp::create(
      kernel, loc, type, metadata.getBaseBuffer(), offset, sizes, strides);
}

FailureOr<gpu::LaunchOp>
mlir::pit::wrapIntoLaunch(ArrayRef<Operation *> ops, Value blocks,
                          int64_t threads, StringRef module, StringRef name) {
  Location loc = ops.front()->getLoc();
  OpBuilder builder(ops.back());
  builder.setInsertionPointAfter(ops.back());
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value size = arith::ConstantIndexOp::create(builder, loc, threads);
  MLIRContext *context = builder.getContext();
  auto launch = gpu::LaunchOp::create(
      builder, loc, blocks ? blocks : one, one, one, size, one, one,
      /*dynamicSharedMemorySize=*/nullptr, /*asyncTokenType=*/nullptr,
      /*asyncDependencies=*/{}, /*workgroupAttributions=*/{},
      /*privateAttributions=*/{}, nullptr, nullptr, nullptr,
      FlatSymbolRefAttr::get(context, module),
      FlatSymbolRefAttr::get(context, name));
  Block &body = launch.getBody().front();
  builder.setInsertionPointToStart(&body);
  auto terminator = gpu::TerminatorOp::create(builder, loc);
  for (Operation *op : ops)
    op->moveBefore(terminator);

  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(launch.getBody(), used);
  Captures captures(launch);
  for (Value value : used) {
    Value inside = captures.bring(value);
    if (!inside)
      return failure();
    if (inside != value)
      value.replaceUsesWithIf(inside, [&](OpOperand &use) {
        return launch->isProperAncestor(use.getOwner()) &&
               use.getOwner() != inside.getDefiningOp();
      });
  }
  return launch;
}
