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

/// Row i of the block goes to scratchA[i * depthBlock ...].
void GemmBuilder::packWindowsA(const MatrixView &a, Value row, Value depth,
                               Value rows, Value steps) {
  Value zero = cst(0), width = cst(depthBlock);
  Value stride = getStrideInPiece(a, 1);
  loop(zero, rows, 1, [&](Value i) {
    Value start = add(a.offset, locate(a, 0, add(row, i)));
    Value dest = mul(i, width);
    forPieces(a, 1, depth, steps, [&](Value behind, Value count, Value place) {
      loop(zero, count, 1, [&](Value p) {
        Value source = add(add(start, place), mul(p, stride));
        Value value = memref::LoadOp::create(builder, loc, a.buffer, source);
        memref::StoreOp::create(builder, loc, extend(value, a.extension),
                                scratchA, add(add(dest, behind), p));
      });
    });
  });
  padA(rows, steps);
}

/// Panel j of columnsPerTile columns goes to scratchB[j * columnsPerTile *
/// depthBlock ...]. Where its columns are neighbours in memory, it is copied by
/// vectors.
void GemmBuilder::packWindowsB(const MatrixView &b, Value depth, Value column,
                               Value steps, Value columns) {
  Value zero = cst(0), width = cst(columnsPerTile);
  Value padding =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(elementType));
  Value stride = getStrideInPiece(b, 0);
  auto type = VectorType::get({lanes}, b.getElementType());
  bool isByte = b.getElementType().getIntOrFloatBitWidth() >= 8;
  int64_t known =
      b.digits[1].empty() ? b.knownStrides[1] : b.digits[1].back().knownStride;
  loop(zero, columns, columnsPerTile, [&](Value j) {
    Value panel = mul(j, cst(depthBlock));
    Value count = min(width, sub(columns, j));
    loop(zero, count, 1, [&](Value i) {
      Value place = locate(b, 1, add(add(column, j), i));
      memref::StoreOp::create(builder, loc, add(b.offset, place), columnOffsets,
                              i);
    });
    auto getOffset = [&](Value i) -> Value {
      return memref::LoadOp::create(builder, loc, columnOffsets, i);
    };
    auto packOneByOne = [&] {
      forPieces(b, 0, depth, steps, [&](Value behind, Value some, Value place) {
        loop(zero, some, 1, [&](Value p) {
          Value source = add(place, mul(p, stride));
          Value dest = add(panel, mul(add(behind, p), width));
          loop(zero, count, 1, [&](Value i) {
            Value value = memref::LoadOp::create(builder, loc, b.buffer,
                                                 add(source, getOffset(i)));
            memref::StoreOp::create(builder, loc, extend(value, b.extension),
                                    scratchB, add(dest, i));
          });
          loop(count, width, 1, [&](Value i) {
            memref::StoreOp::create(builder, loc, padding, scratchB,
                                    add(dest, i));
          });
        });
      });
    };
    if (!isByte || known != 1) {
      packOneByOne();
      return;
    }
    // What is behind the last column of a panel that is cut was there before,
    // and is not asked for.
    Value first = getOffset(zero);
    Value distance = sub(getOffset(cst(columnsPerTile - 1)), first);
    Value isPiece = builder.createOrFold<arith::AndIOp>(
        loc, isEqual(count, width), isEqual(distance, cst(columnsPerTile - 1)));
    when(
        isPiece,
        [&] {
          forPieces(b, 0, depth, steps,
                    [&](Value behind, Value some, Value place) {
                      loop(zero, some, 1, [&](Value p) {
                        Value source = add(add(place, mul(p, stride)), first);
                        Value dest = add(panel, mul(add(behind, p), width));
                        for (int64_t v = 0; v < vectorsPerRow; ++v) {
                          Value step = cst(v * lanes);
                          Value value = vector::LoadOp::create(
                              builder, loc, type, b.buffer, add(source, step));
                          vector::StoreOp::create(builder, loc,
                                                  extend(value, b.extension),
                                                  scratchB, add(dest, step));
                        }
                      });
                    });
        },
        packOneByOne);
  });
}
