//===- LowerContraction.cpp - From a contraction to matrix products -------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads strides and extents of the operands, fuses loops that walk memory as
// one, chooses which loops the matrix product takes and writes loops for the
// others: batch, outer columns, outer rows, and outer reductions in the op's
// order.
//
//===----------------------------------------------------------------------===//

#include "ContractionLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;

/// Opens an operand as a flat buffer that starts where its allocation is
/// aligned, with the view's offset kept apart, so that addresses are never
/// negative even when strides are.
void ContractionLowering::readOperand(unsigned number) {
  Value value = op->getOperand(number);
  types[number] = cast<MemRefType>(value.getType());
  int64_t offset;
  if (failed(types[number].getStridesAndOffset(knownStrides[number], offset)))
    return;
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, value);
  for (auto [dim, known] : llvm::enumerate(knownStrides[number]))
    strides[number].push_back(
        ShapedType::isDynamic(known)
            ? metadata.getStrides()[dim]
            : arith::ConstantIndexOp::create(builder, loc, known).getResult());
  for (auto [dim, known] : llvm::enumerate(types[number].getShape()))
    sizes[number].push_back(
        ShapedType::isDynamic(known)
            ? metadata.getSizes()[dim]
            : arith::ConstantIndexOp::create(builder, loc, known).getResult());
  offsets[number] =
      ShapedType::isDynamic(offset)
          ? metadata.getOffset()
          : arith::ConstantIndexOp::create(builder, loc, offset).getResult();
  // An upper bound of the extent suffices: one past the last element that the
  // view reaches.
  Value extent = arith::ConstantIndexOp::create(builder, loc, 1);
  extent = builder.createOrFold<arith::AddIOp>(loc, extent, offsets[number]);
  for (auto [size, stride] : llvm::zip_equal(sizes[number], strides[number]))
    extent = builder.createOrFold<arith::AddIOp>(
        loc, extent, builder.createOrFold<arith::MulIOp>(loc, size, stride));
  auto flat =
      MemRefType::get({ShapedType::kDynamic}, types[number].getElementType());
  buffers[number] = memref::ReinterpretCastOp::create(
      builder, loc, flat, metadata.getBaseBuffer(),
      /*offset=*/builder.getIndexAttr(0), ArrayRef<OpFoldResult>{extent},
      ArrayRef<OpFoldResult>{builder.getIndexAttr(1)});
}

Axis ContractionLowering::getAxis(unsigned loop) {
  Axis axis;
  axis.knownSize = ShapedType::kDynamic;
  for (auto [number, map] : llvm::enumerate(op.getIndexingMapsArray())) {
    axis.strides[number] = arith::ConstantIndexOp::create(builder, loc, 0);
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      if (cast<AffineDimExpr>(expr).getPosition() != loop)
        continue;
      axis.positions[number] = position;
      axis.strides[number] = strides[number][position];
      axis.knownStrides[number] = knownStrides[number][position];
      int64_t known = types[number].getDimSize(position);
      if (!axis.size || (ShapedType::isDynamic(axis.knownSize) &&
                         !ShapedType::isDynamic(known))) {
        axis.size = sizes[number][position];
        axis.knownSize = known;
      }
    }
  }
  return axis;
}

/// In every operand, a step of the outer loop goes where the inner loop would
/// have arrived.
bool ContractionLowering::canFuse(const Axis &outer, const Axis &inner) const {
  for (unsigned number : {Left, Right, Out}) {
    if (outer.positions[number] < 0 && inner.positions[number] < 0)
      continue;
    if (outer.positions[number] < 0 ||
        inner.positions[number] != outer.positions[number] + 1)
      return false;
    int64_t outerStride = outer.knownStrides[number],
            innerStride = inner.knownStrides[number];
    bool isProven = !ShapedType::isDynamic(outerStride) &&
                    !ShapedType::isDynamic(innerStride) &&
                    !ShapedType::isDynamic(inner.knownSize) &&
                    outerStride == innerStride * inner.knownSize;
    if (!isProven && !types[number].getLayout().isIdentity())
      return false;
  }
  return true;
}

SmallVector<Axis> ContractionLowering::getAxes(ArrayRef<unsigned> loops) {
  SmallVector<Axis> axes;
  for (unsigned loop : loops) {
    Axis axis = getAxis(loop);
    if (axes.empty() || !canFuse(axes.back(), axis)) {
      axes.push_back(axis);
      continue;
    }
    const Axis &outer = axes.back();
    bool isKnown = !ShapedType::isDynamic(outer.knownSize) &&
                   !ShapedType::isDynamic(axis.knownSize);
    axis.size = builder.createOrFold<arith::MulIOp>(loc, outer.size, axis.size);
    axis.knownSize =
        isKnown ? outer.knownSize * axis.knownSize : ShapedType::kDynamic;
    axes.back() = axis;
  }
  return axes;
}

Axis ContractionLowering::getUnitAxis() {
  Axis axis;
  axis.size = arith::ConstantIndexOp::create(builder, loc, 1);
  for (Value &stride : axis.strides)
    stride = arith::ConstantIndexOp::create(builder, loc, 0);
  return axis;
}

/// Removes and returns the axis the matrix product should take: the one that is
/// contiguous in `operand`, else the longest. None left means an extent of 1.
Axis ContractionLowering::takeAxis(SmallVector<Axis> &axes,
                                   OperandNumber operand) {
  if (axes.empty())
    return getUnitAxis();
  auto isBetter = [&](const Axis &a, const Axis &b) {
    bool aContiguous = a.knownStrides[operand] == 1 && a.knownSize != 1;
    bool bContiguous = b.knownStrides[operand] == 1 && b.knownSize != 1;
    if (aContiguous != bContiguous)
      return aContiguous;
    // A dynamic extent may be long.
    auto rank = [](const Axis &axis) {
      return ShapedType::isDynamic(axis.knownSize) ? int64_t(64)
                                                   : axis.knownSize;
    };
    return rank(a) >= rank(b);
  };
  size_t best = 0;
  for (size_t i = 1; i < axes.size(); ++i)
    if (isBetter(axes[i], axes[best]))
      best = i;
  Axis axis = axes[best];
  axes.erase(axes.begin() + best);
  return axis;
}

MatrixView ContractionLowering::getView(OperandNumber operand, const Axis &row,
                                        const Axis &column,
                                        ArrayRef<Value> operandOffsets) {
  MatrixView view;
  view.buffer = buffers[operand];
  view.offset = operandOffsets[operand];
  view.strides[0] = row.strides[operand];
  view.strides[1] = column.strides[operand];
  view.knownStrides[0] = row.knownStrides[operand];
  view.knownStrides[1] = column.knownStrides[operand];
  if (operand != Out)
    view.extension = contraction.extensions[operand];
  return view;
}

void ContractionLowering::run() {
  for (unsigned number : {Left, Right, Out})
    readOperand(number);
  if (!llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
        return map.isProjectedPermutation();
      })) {
    lowerWindows();
    op->erase();
    return;
  }
  SmallVector<Axis> batch = getAxes(contraction.batch),
                    rows = getAxes(contraction.m),
                    columns = getAxes(contraction.n),
                    reductions = getAxes(contraction.k);

  // Columns are the vector dimension. Multiplication commutes, so rows may take
  // their place.
  auto hasLongContiguous = [](ArrayRef<Axis> axes) {
    return llvm::any_of(axes, [](const Axis &axis) {
      return axis.knownStrides[Out] == 1 && axis.knownSize != 1;
    });
  };
  auto isLong = [](ArrayRef<Axis> axes) {
    return llvm::any_of(axes, [](const Axis &a) { return a.knownSize != 1; });
  };
  bool rowsContiguous = hasLongContiguous(rows),
       columnsContiguous = hasLongContiguous(columns);
  if ((rowsContiguous && !columnsContiguous) ||
      (rowsContiguous == columnsContiguous && isLong(rows) &&
       !isLong(columns))) {
    std::swap(rows, columns);
    std::swap(roles[0], roles[1]);
  }

  k = reductions.pop_back_val();
  n = takeAxis(columns, Out);
  m = takeAxis(rows, roles[0]);
  auto toLoops = [](ArrayRef<ArrayRef<Axis>> groups) {
    SmallVector<OuterLoop> loops;
    for (ArrayRef<Axis> group : groups)
      for (const Axis &axis : group)
        loops.push_back({axis.size,
                         axis.knownSize,
                         {axis.strides[0], axis.strides[1], axis.strides[2]}});
    return loops;
  };
  GemmShape shape{m.size,      n.size,      k.size,
                  m.knownSize, n.knownSize, k.knownSize};
  emitProducts(shape, toLoops({batch, columns, rows}), toLoops({reductions}),
               [&](ArrayRef<Value> inside) -> std::array<MatrixView, 3> {
                 return {getView(roles[0], m, k, inside),
                         getView(roles[1], k, n, inside),
                         getView(roles[2], m, n, inside)};
               });
  op->erase();
}

void mlir::pit::lowerContraction(linalg::LinalgOp op,
                                 const Contraction &contraction,
                                 const CPUTarget &target, int64_t threadWork,
                                 linalg::FillOp fill) {
  ContractionLowering(op, contraction, target, threadWork, fill).run();
}
