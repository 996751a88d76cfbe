//===- PackMatrices.cpp - Matrices are packed for the micro-kernel --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks of both matrices are copied into scratch memory, in the order in which
// the micro-kernel reads them. Whichever of its dimensions a matrix has
// contiguous in memory is read along, in vectors, and transposed in registers
// where the packed one has the other.
//
//===----------------------------------------------------------------------===//

#include "GemmBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::pit;

/// Row i of the block goes to scratchA[i * depthBlock ...]. Rows up to the next
/// full tile are zero.
void GemmBuilder::packA(const MatrixView &a, Value row, Value depth, Value rows,
                        Value steps) {
  if (a.hasDigits()) {
    packWindowsA(a, row, depth, rows, steps);
    return;
  }
  if (word.usesWords()) {
    packWordsA(a, row, depth, rows, steps);
    padA(rows, steps);
    return;
  }
  Value zero = cst(0), width = cst(depthBlock);
  auto copy = [&](Value i, Value p) {
    Value value = load(a, add(row, i), add(depth, p));
    memref::StoreOp::create(builder, loc, value, scratchA,
                            ValueRange{add(mul(i, width), p)});
  };
  bool isByte = a.getElementType().getIntOrFloatBitWidth() >= 8;
  if (isByte && rowBlock >= lanes && a.knownStrides[0] == 1 &&
      a.knownStrides[1] != 1)
    packTransposedA(a, row, depth, rows, steps, copy);
  else
    loop(zero, rows, 1,
         [&](Value i) { loop(zero, steps, 1, [&](Value p) { copy(i, p); }); });
  padA(rows, steps);
}

/// Columns of A are contiguous: blocks of lanes x lanes are transposed in
/// registers, two next to each other in a row, so that lines of the cache are
/// written as a whole. One element after the other would go to as many rows as
/// the block has, whose distance is a power of two.
void GemmBuilder::packTransposedA(const MatrixView &a, Value row, Value depth,
                                  Value rows, Value steps,
                                  llvm::function_ref<void(Value, Value)> copy) {
  Value zero = cst(0), width = cst(depthBlock);
  auto wholeOf = [&](Value extent) {
    return sub(extent,
               builder.createOrFold<arith::RemUIOp>(loc, extent, cst(lanes)));
  };
  Value wholeRows = wholeOf(rows), wholeSteps = wholeOf(steps);
  auto type = VectorType::get({lanes}, a.getElementType());
  loop(zero, wholeSteps, 2 * lanes, [&](Value group) {
    Value end = min(add(group, cst(2 * lanes)), wholeSteps);
    loop(zero, wholeRows, lanes, [&](Value i) {
      loop(group, end, lanes, [&](Value p) {
        SmallVector<Value> columns;
        for (int64_t lane = 0; lane < lanes; ++lane) {
          Value source = at(a, add(row, i), add(depth, add(p, cst(lane))));
          Value value = vector::LoadOp::create(builder, loc, type, a.buffer,
                                               ValueRange{source});
          columns.push_back(extend(value, a.extension));
        }
        transposeInRegisters(columns);
        for (int64_t lane = 0; lane < lanes; ++lane) {
          Value dest = add(mul(add(i, cst(lane)), width), p);
          vector::StoreOp::create(builder, loc, columns[lane], scratchA,
                                  ValueRange{dest});
        }
      });
    });
  });
  loop(wholeSteps, steps, 1, [&](Value p) {
    loop(zero, wholeRows, 1, [&](Value i) { copy(i, p); });
  });
  loop(zero, steps, 1, [&](Value p) {
    loop(wholeRows, rows, 1, [&](Value i) { copy(i, p); });
  });
}

void GemmBuilder::padA(Value rows, Value steps) {
  // Of a number of rows that is known, no others are read.
  if (rowsPerTile == 1 || !ShapedType::isDynamic(shape.knownM))
    return;
  Value zero = cst(0), width = cst(depthBlock), tile = cst(rowsPerTile);
  Value tiles = builder.createOrFold<arith::CeilDivUIOp>(loc, rows, tile);
  Value padding =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(packedType));
  loop(rows, mul(tiles, tile), 1, [&](Value i) {
    loop(zero, steps, 1, [&](Value p) {
      memref::StoreOp::create(builder, loc, padding, scratchA,
                              ValueRange{add(mul(i, width), p)});
    });
  });
}

/// Panel j of columnsPerTile columns goes to scratchB[j * columnsPerTile *
/// depthBlock ...], one step of the reduction after the other.
void GemmBuilder::packB(const MatrixView &b, Value depth, Value column,
                        Value steps, Value columns) {
  if (b.hasDigits()) {
    packWindowsB(b, depth, column, steps, columns);
    return;
  }
  if (word.usesWords()) {
    packWordsB(b, depth, column, steps, columns);
    return;
  }
  // Vectors of i1 are packed in bits, unlike its memrefs.
  bool isByte = b.getElementType().getIntOrFloatBitWidth() >= 8;
  bool rowsContiguous = isByte && b.knownStrides[1] == 1;
  bool columnsContiguous = isByte && b.knownStrides[0] == 1;
  if (rowsContiguous) {
    packRows(b, depth, column, steps, columns);
    return;
  }
  loop(cst(0), columns, columnsPerTile, [&](Value j) {
    Value panel = mul(j, cst(depthBlock));
    Value width = min(cst(columnsPerTile), sub(columns, j));
    Value first = add(column, j);
    if (!columnsContiguous) {
      packPanel(b, depth, first, cst(0), steps, width, panel);
      return;
    }
    when(
        isEqual(width, cst(columnsPerTile)),
        [&] { packTransposed(b, depth, first, steps, panel); },
        [&] { packPanel(b, depth, first, cst(0), steps, width, panel); });
  });
}

/// Rows of B are contiguous: walk a few of them at a time, so that reads are
/// long streams.
void GemmBuilder::packRows(const MatrixView &b, Value depth, Value column,
                           Value steps, Value columns) {
  constexpr int64_t kStreams = 8;
  auto type = VectorType::get({lanes}, b.getElementType());
  loop(cst(0), steps, kStreams, [&](Value group) {
    Value end = min(add(group, cst(kStreams)), steps);
    loop(cst(0), columns, columnsPerTile, [&](Value j) {
      Value panel = mul(j, cst(depthBlock));
      Value width = min(cst(columnsPerTile), sub(columns, j));
      Value first = add(column, j);
      when(
          isEqual(width, cst(columnsPerTile)),
          [&] {
            loop(group, end, 1, [&](Value p) {
              Value source = at(b, add(depth, p), first);
              Value dest = add(panel, mul(p, cst(columnsPerTile)));
              for (int64_t v = 0; v < vectorsPerRow; ++v) {
                Value step = cst(v * lanes);
                Value value =
                    vector::LoadOp::create(builder, loc, type, b.buffer,
                                           ValueRange{add(source, step)});
                vector::StoreOp::create(builder, loc,
                                        extend(value, b.extension), scratchB,
                                        ValueRange{add(dest, step)});
              }
            });
          },
          [&] { packPanel(b, depth, first, group, end, width, panel); });
    });
  });
}

/// Steps `begin` to `end` of a panel with any strides and number of columns;
/// the rest of the panel's rows is zero.
void GemmBuilder::packPanel(const MatrixView &b, Value depth, Value column,
                            Value begin, Value end, Value columns,
                            Value panel) {
  Value zero = cst(0), width = cst(columnsPerTile);
  Value padding =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(elementType));
  loop(begin, end, 1, [&](Value p) {
    Value dest = add(panel, mul(p, width));
    loop(zero, columns, 1, [&](Value j) {
      Value value = load(b, add(depth, p), add(column, j));
      memref::StoreOp::create(builder, loc, value, scratchB,
                              ValueRange{add(dest, j)});
    });
    loop(columns, width, 1, [&](Value j) {
      memref::StoreOp::create(builder, loc, padding, scratchB,
                              ValueRange{add(dest, j)});
    });
  });
}

/// Transposes a block of lanes x lanes by swapping ever smaller off-diagonal
/// blocks.
void GemmBuilder::transposeInRegisters(SmallVector<Value> &rows) {
  for (int64_t block = lanes / 2; block >= 1; block /= 2) {
    for (int64_t i = 0; i < lanes; ++i) {
      if (i & block)
        continue;
      SmallVector<int64_t> low, high;
      for (int64_t lane = 0; lane < lanes; ++lane) {
        low.push_back(lane & block ? lanes + lane - block : lane);
        high.push_back(lane & block ? lanes + lane : lane + block);
      }
      Value upper = rows[i], lower = rows[i + block];
      rows[i] = vector::ShuffleOp::create(builder, loc, upper, lower, low);
      rows[i + block] =
          vector::ShuffleOp::create(builder, loc, upper, lower, high);
    }
  }
}

/// A full panel of a B whose columns are contiguous, in blocks of lanes x lanes
/// transposed in registers.
void GemmBuilder::packTransposed(const MatrixView &b, Value depth, Value column,
                                 Value steps, Value panel) {
  Value zero = cst(0);
  Value rest = builder.createOrFold<arith::RemUIOp>(loc, steps, cst(lanes));
  Value whole = sub(steps, rest);
  auto type = VectorType::get({lanes}, b.getElementType());
  loop(zero, whole, lanes, [&](Value p) {
    for (int64_t group = 0; group < vectorsPerRow; ++group) {
      SmallVector<Value> rows;
      for (int64_t lane = 0; lane < lanes; ++lane) {
        Value source =
            at(b, add(depth, p), add(column, cst(group * lanes + lane)));
        Value value = vector::LoadOp::create(builder, loc, type, b.buffer,
                                             ValueRange{source});
        rows.push_back(extend(value, b.extension));
      }
      transposeInRegisters(rows);
      for (int64_t lane = 0; lane < lanes; ++lane) {
        Value dest = add(panel, add(mul(add(p, cst(lane)), cst(columnsPerTile)),
                                    cst(group * lanes)));
        vector::StoreOp::create(builder, loc, rows[lane], scratchB,
                                ValueRange{dest});
      }
    }
  });
  loop(whole, steps, 1, [&](Value p) {
    loop(zero, cst(columnsPerTile), 1, [&](Value j) {
      Value value = load(b, add(depth, p), add(column, j));
      Value dest = add(panel, add(mul(p, cst(columnsPerTile)), j));
      memref::StoreOp::create(builder, loc, value, scratchB, ValueRange{dest});
    });
  });
}
