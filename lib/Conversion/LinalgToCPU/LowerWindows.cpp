//===- LowerWindows.cpp - Convolutions as matrix products -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places of the result are rows or columns of one product, all elements of a
// window are its steps. Loops of the result that lie in no piece with those
// inside, such as the images of a batch in channels-first layout, stay around
// it.
//
//===----------------------------------------------------------------------===//

#include "ContractionLowering.h"

#include "PIT/Dialect/PIT/Utils/Subscripts.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pit;

ContractionLowering::WindowLoop
ContractionLowering::getWindowLoop(unsigned loop) {
  auto cst = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  WindowLoop found;
  found.knownSize = ShapedType::kDynamic;
  for (auto [number, map] : llvm::enumerate(op.getIndexingMapsArray())) {
    Value stride = cst(0);
    int64_t known = 0;
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      int64_t factor = (*getFactors(expr, op.getNumLoops()))[loop];
      if (factor == 0)
        continue;
      stride = builder.createOrFold<arith::AddIOp>(
          loc, stride,
          builder.createOrFold<arith::MulIOp>(loc, strides[number][position],
                                              cst(factor)));
      int64_t step = knownStrides[number][position];
      known = ShapedType::isDynamic(step) || ShapedType::isDynamic(known)
                  ? ShapedType::kDynamic
                  : known + step * factor;
      if (!isa<AffineDimExpr>(expr))
        continue;
      int64_t size = types[number].getDimSize(position);
      if (!found.size || (ShapedType::isDynamic(found.knownSize) &&
                          !ShapedType::isDynamic(size))) {
        found.size = sizes[number][position];
        found.knownSize = size;
      }
    }
    found.strides[number] = stride;
    found.knownStrides[number] = known;
  }
  return found;
}

/// Loops of one step are no digits.
SmallVector<ContractionLowering::WindowLoop>
ContractionLowering::getWindowLoops(ArrayRef<unsigned> loops) {
  SmallVector<WindowLoop> found;
  for (unsigned loop : loops) {
    found.push_back(getWindowLoop(loop));
    if (found.back().knownSize == 1 && loops.size() > 1)
      found.pop_back();
  }
  if (found.empty())
    found.push_back(getWindowLoop(loops.back()));
  return found;
}

/// Whether a step of the outer loop goes where the inner one would have
/// arrived.
bool ContractionLowering::isOneStep(const WindowLoop &outer,
                                    const WindowLoop &inner,
                                    OperandNumber operand) {
  int64_t step = outer.knownStrides[operand],
          inside = inner.knownStrides[operand];
  return !ShapedType::isDynamic(step) && !ShapedType::isDynamic(inside) &&
         !ShapedType::isDynamic(inner.knownSize) &&
         step == inside * inner.knownSize;
}

/// Removes and returns the innermost loops that are one dimension of the
/// result.
SmallVector<ContractionLowering::WindowLoop>
ContractionLowering::takeDimension(SmallVector<WindowLoop> &loops) {
  size_t first = loops.size() - 1;
  while (first > 0 && isOneStep(loops[first - 1], loops[first], Out))
    --first;
  SmallVector<WindowLoop> taken(loops.begin() + first, loops.end());
  loops.truncate(first);
  return taken;
}

void ContractionLowering::setDimension(MatrixView &view, unsigned dim,
                                       OperandNumber operand,
                                       ArrayRef<WindowLoop> loops) {
  SmallVector<MatrixDigit> digits;
  for (auto [i, loop] : llvm::enumerate(loops)) {
    Value size = loop.size;
    if (i > 0 && isOneStep(loops[i - 1], loop, operand)) {
      size = builder.createOrFold<arith::MulIOp>(loc, digits.back().size, size);
      digits.pop_back();
    }
    digits.push_back({size, loop.strides[operand], loop.knownStrides[operand]});
  }
  view.strides[dim] = digits.back().stride;
  view.knownStrides[dim] = digits.back().knownStride;
  if (digits.size() > 1)
    view.digits[dim] = std::move(digits);
}

MatrixView ContractionLowering::getWindowView(OperandNumber operand,
                                              ArrayRef<WindowLoop> rows,
                                              ArrayRef<WindowLoop> columns,
                                              ArrayRef<Value> operandOffsets) {
  MatrixView view;
  view.buffer = buffers[operand];
  view.offset = operandOffsets[operand];
  setDimension(view, 0, operand, rows);
  setDimension(view, 1, operand, columns);
  if (operand != Out)
    view.extension = contraction.extensions[operand];
  return view;
}

void ContractionLowering::lowerWindows() {
  SmallVector<WindowLoop> rows = getWindowLoops(contraction.m),
                          columns = getWindowLoops(contraction.n),
                          steps = getWindowLoops(contraction.k), outer;
  for (unsigned loop : contraction.batch)
    outer.push_back(getWindowLoop(loop));
  // Columns are the vector dimension.
  if (rows.back().knownStrides[Out] == 1 &&
      columns.back().knownStrides[Out] != 1) {
    std::swap(rows, columns);
    std::swap(roles[0], roles[1]);
  }
  SmallVector<WindowLoop> innerRows = takeDimension(rows),
                          innerColumns = takeDimension(columns);
  outer.append(columns);
  outer.append(rows);
  auto count = [&](ArrayRef<WindowLoop> loops) {
    Value size = loops.front().size;
    int64_t known = loops.front().knownSize;
    for (const WindowLoop &loop : loops.drop_front()) {
      size = builder.createOrFold<arith::MulIOp>(loc, size, loop.size);
      known =
          ShapedType::isDynamic(known) || ShapedType::isDynamic(loop.knownSize)
              ? ShapedType::kDynamic
              : known * loop.knownSize;
    }
    return std::pair(size, known);
  };
  auto [m, knownM] = count(innerRows);
  auto [n, knownN] = count(innerColumns);
  auto [k, knownK] = count(steps);
  MatrixView matrixOfB = getWindowView(roles[1], steps, innerColumns, offsets);
  SmallVector<OuterLoop> loops;
  for (const WindowLoop &loop : outer)
    loops.push_back({loop.size,
                     loop.knownSize,
                     {loop.strides[0], loop.strides[1], loop.strides[2]}});
  emitProducts(
      {m, n, k, knownM, knownN, knownK}, loops, /*reductions=*/{},
      [&](ArrayRef<Value> inside) -> std::array<MatrixView, 3> {
        return {getWindowView(roles[0], innerRows, steps, inside),
                getWindowView(roles[1], steps, innerColumns, inside),
                getWindowView(roles[2], innerRows, innerColumns, inside)};
      },
      matrixOfB.hasDigits());
}
