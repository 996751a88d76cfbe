//===- PackWindows.cpp - Matrices of windows are packed -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a convolution, a row of the matrix of windows is a place of the result,
// and a step is an element of the window. The matrix is in no memory: packing
// reads the image, as BLAS libraries pack any other matrix ("implicit im2col",
// Chetlur et al., "cuDNN: efficient primitives for deep learning", 2014).
//
//===----------------------------------------------------------------------===//

#include "GemmBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::pit;

Value GemmBuilder::locate(const MatrixView &view, unsigned dim, Value number) {
  ArrayRef<MatrixDigit> digits = view.digits[dim];
  if (digits.empty())
    return mul(number, view.strides[dim]);
  Value place = cst(0);
  for (size_t i = digits.size(); i-- > 0;) {
    Value digit = number;
    if (i > 0) {
      digit = builder.createOrFold<arith::RemUIOp>(loc, number, digits[i].size);
      number =
          builder.createOrFold<arith::DivUIOp>(loc, number, digits[i].size);
    }
    place = add(place, mul(digit, digits[i].stride));
  }
  return place;
}

Value GemmBuilder::getStrideInPiece(const MatrixView &view, unsigned dim) {
  ArrayRef<MatrixDigit> digits = view.digits[dim];
  return digits.empty() ? view.strides[dim] : digits.back().stride;
}

int64_t GemmBuilder::getKnownStrideInPiece(const MatrixView &view,
                                           unsigned dim) {
  ArrayRef<MatrixDigit> digits = view.digits[dim];
  return digits.empty() ? view.knownStrides[dim] : digits.back().knownStride;
}

void GemmBuilder::forPieces(
    const MatrixView &view, unsigned dim, Value first, Value count,
    llvm::function_ref<void(Value, Value, Value)> body) {
  if (view.digits[dim].empty()) {
    body(cst(0), count, locate(view, dim, first));
    return;
  }
  Value size = view.digits[dim].back().size, end = add(first, count);
  Value firstPiece = builder.createOrFold<arith::DivUIOp>(loc, first, size),
        lastPiece = builder.createOrFold<arith::CeilDivUIOp>(loc, end, size);
  loop(firstPiece, lastPiece, 1, [&](Value piece) {
    Value start = mul(piece, size);
    Value begin = builder.createOrFold<arith::MaxUIOp>(loc, first, start),
          stop = min(end, add(start, size));
    body(sub(begin, first), sub(stop, begin), locate(view, dim, begin));
  });
}

/// How many steps of the sum the words from `depth` on have.
Value GemmBuilder::countSteps(Value depth, Value words) {
  if (!word.usesWords())
    return words;
  Value perWord = cst(word.steps);
  return min(mul(words, perWord), sub(shape.k, mul(depth, perWord)));
}

/// Row i of the block goes to scratchA[i * depthBlock ...]. Words are written
/// element by element, as in memory, and put into their order behind that.
void GemmBuilder::packWindowsA(const MatrixView &a, Value row, Value depth,
                               Value rows, Value words) {
  Value zero = cst(0), perWord = cst(word.steps);
  Value width = cst(depthBlock * word.steps);
  Value stride = getStrideInPiece(a, 1);
  Value first = mul(depth, perWord), steps = countSteps(depth, words);
  Value elements = scratchA;
  if (word.usesWords()) {
    Type narrow = word.isBF16 ? Type(builder.getBF16Type())
                              : builder.getIntegerType(word.getBits());
    auto type = MemRefType::get({rowBlock * depthBlock * word.steps}, narrow);
    elements = memref::ViewOp::create(builder, loc, type, bytesOfA, zero,
                                      ValueRange());
  }
  Type type = cast<MemRefType>(elements.getType()).getElementType();
  auto widen = [&](Value value) -> Value {
    if (!word.usesWords())
      return extend(value, a.extension);
    if (value.getType() == type)
      return value;
    if (a.extension == Extension::Signed)
      return arith::ExtSIOp::create(builder, loc, type, value);
    return arith::ExtUIOp::create(builder, loc, type, value);
  };
  loop(zero, rows, 1, [&](Value i) {
    Value start = add(a.offset, locate(a, 0, add(row, i)));
    Value dest = mul(i, width);
    forPieces(a, 1, first, steps, [&](Value behind, Value count, Value place) {
      loop(zero, count, 1, [&](Value p) {
        Value source = add(add(start, place), mul(p, stride));
        Value value = memref::LoadOp::create(builder, loc, a.buffer, source);
        memref::StoreOp::create(builder, loc, widen(value), elements,
                                add(add(dest, behind), p));
      });
    });
    if (!word.usesWords())
      return;
    loop(steps, mul(words, perWord), 1, [&](Value p) {
      memref::StoreOp::create(builder, loc, getPadding(type, /*isOfA=*/true),
                              elements, add(dest, p));
    });
    loop(zero, words, 1, [&](Value p) {
      Value place = add(mul(i, cst(depthBlock)), p);
      Value value = memref::LoadOp::create(builder, loc, scratchA, place);
      memref::StoreOp::create(builder, loc,
                              fromMemoryOrder(value, /*isOfA=*/true), scratchA,
                              place);
    });
  });
  padA(rows, words);
}

/// Panel j of columnsPerTile columns goes to scratchB[j * columnsPerTile *
/// depthBlock ...], one run of neighbouring columns after the other. What is
/// behind the last column was there before, and is not asked for.
void GemmBuilder::packWindowsB(const MatrixView &b, Value depth, Value column,
                               Value words, Value columns) {
  Value zero = cst(0), width = cst(columnsPerTile), perWord = cst(word.steps);
  Value stride = getStrideInPiece(b, 0);
  Value whole = countWholeWords(depth, words);
  forPieces(b, 0, mul(depth, perWord), countSteps(depth, words),
            [&](Value behind, Value some, Value place) {
              loop(zero, some, 1, [&](Value p) {
                memref::StoreOp::create(builder, loc,
                                        add(place, mul(p, stride)), stepOffsets,
                                        add(behind, p));
              });
            });
  loop(zero, columns, columnsPerTile, [&](Value j) {
    Value panel = mul(j, cst(depthBlock));
    Value count = min(width, sub(columns, j));
    forPieces(b, 1, add(column, j), count,
              [&](Value behind, Value some, Value place) {
                packPiece(b, place, some, add(panel, behind), whole,
                          [&](Value p, int64_t step) -> Value {
                            return memref::LoadOp::create(
                                builder, loc, stepOffsets,
                                add(mul(p, perWord), cst(step)));
                          });
              });
    if (whole != words)
      loop(whole, words, 1, [&](Value p) {
        loop(zero, count, 1, [&](Value i) {
          Value value = loadWord(b, 0, add(add(column, j), i), add(depth, p),
                                 /*isCut=*/true);
          memref::StoreOp::create(builder, loc, value, scratchB,
                                  add(panel, add(mul(p, width), i)));
        });
      });
    if (word.flipsA)
      sumPanel(panel, j, words);
  });
}
