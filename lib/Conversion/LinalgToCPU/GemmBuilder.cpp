//===- GemmBuilder.cpp - The blocked loop nest of one matrix product ------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for jc (columns, columnBlock):
//     for pc (reduction, depthBlock), ascending:
//       pack B[pc.., jc..] into panels of columnsPerTile columns
//       for ic (rows, rowBlock):
//         pack A[ic.., pc..] row by row
//         for jr, ir: one register tile
//
// A tile that is cut by the edge of C, or lies in a C whose rows are not
// contiguous, is copied into a scratch tile and back; packed panels are padded
// with zeros. So every element of C sees the same operations wherever it lies.
//
//===----------------------------------------------------------------------===//

#include "GemmBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::pit;

static int64_t roundUp(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// The block of a dimension: no larger than the dimension itself, rounded up to
/// `multiple`.
static int64_t clampBlock(int64_t block, int64_t known, int64_t multiple) {
  if (ShapedType::isDynamic(known))
    return block;
  return std::min(block, roundUp(std::max<int64_t>(known, 1), multiple));
}

GemmBuilder::GemmBuilder(OpBuilder &builder, Location loc,
                         const GemmShape &shape, Type elementType,
                         const CPUTarget &target)
    : builder(builder), loc(loc), shape(shape), elementType(elementType) {
  int64_t bits = elementType.getIntOrFloatBitWidth();
  // Narrow integers gain nothing from rows wider than the packing loops can
  // fill.
  lanes = std::min<int64_t>(target.getLanes(bits), 16);
  rowsPerTile = target.getRows();
  if (!ShapedType::isDynamic(shape.knownM))
    rowsPerTile = std::clamp<int64_t>(shape.knownM, 1, rowsPerTile);
  vectorsPerRow = target.getColumnVectors();
  if (!ShapedType::isDynamic(shape.knownN) && shape.knownN <= lanes)
    vectorsPerRow = 1;
  columnsPerTile = lanes * vectorsPerRow;
  depthBlock = clampBlock(target.getDepth(bits), shape.knownK, 1);
  rowBlock = clampBlock(roundUp(target.getRowBlock(), rowsPerTile),
                        shape.knownM, rowsPerTile);
  columnBlock = clampBlock(roundUp(target.getColumnBlock(), columnsPerTile),
                           shape.knownN, columnsPerTile);
  vectorType = VectorType::get({lanes}, elementType);
}

//===----------------------------------------------------------------------===//
// Scalars and loops
//===----------------------------------------------------------------------===//

Value GemmBuilder::cst(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}
Value GemmBuilder::add(Value a, Value b) {
  return builder.createOrFold<arith::AddIOp>(loc, a, b);
}
Value GemmBuilder::sub(Value a, Value b) {
  return builder.createOrFold<arith::SubIOp>(loc, a, b);
}
Value GemmBuilder::mul(Value a, Value b) {
  return builder.createOrFold<arith::MulIOp>(loc, a, b);
}
Value GemmBuilder::min(Value a, Value b) {
  return builder.createOrFold<arith::MinUIOp>(loc, a, b);
}
Value GemmBuilder::isEqual(Value a, Value b) {
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, a,
                                             b);
}

void GemmBuilder::loop(Value begin, Value end, int64_t step,
                       llvm::function_ref<void(Value)> body) {
  auto nest = scf::ForOp::create(builder, loc, begin, end, cst(step));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(nest.getBody());
  body(nest.getInductionVar());
}

void GemmBuilder::when(Value condition, llvm::function_ref<void()> then,
                       llvm::function_ref<void()> otherwise) {
  auto branch = scf::IfOp::create(
      builder, loc, condition, /*withElseRegion=*/static_cast<bool>(otherwise));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  then();
  if (!otherwise)
    return;
  builder.setInsertionPointToStart(branch.elseBlock());
  otherwise();
}

Value GemmBuilder::at(const MatrixView &view, Value i, Value j) {
  return add(add(view.offset, locate(view, 0, i)), locate(view, 1, j));
}

Value GemmBuilder::extend(Value value, Extension extension) {
  Type type = isa<VectorType>(value.getType()) ? Type(vectorType) : elementType;
  switch (extension) {
  case Extension::None:
    return value;
  case Extension::Float:
    return arith::ExtFOp::create(builder, loc, type, value);
  case Extension::Signed:
    return arith::ExtSIOp::create(builder, loc, type, value);
  case Extension::Unsigned:
    return arith::ExtUIOp::create(builder, loc, type, value);
  }
  return value;
}

Value GemmBuilder::load(const MatrixView &view, Value i, Value j) {
  return extend(memref::LoadOp::create(builder, loc, view.buffer,
                                       ValueRange{at(view, i, j)}),
                view.extension);
}

//===----------------------------------------------------------------------===//
// Scratch memory
//===----------------------------------------------------------------------===//

void GemmBuilder::allocate(bool hasDigitsInB) {
  auto create = [&](int64_t size) -> Value {
    return memref::AllocOp::create(builder, loc,
                                   MemRefType::get({size}, elementType),
                                   builder.getI64IntegerAttr(64));
  };
  scratchA = create(rowBlock * depthBlock);
  scratchB = create(columnBlock * depthBlock);
  // Tiles of C and of the scratch buffer are selected at run time, so both have
  // the type of a flat view.
  scratchC = create(rowsPerTile * columnsPerTile);
  if (hasDigitsInB)
    columnOffsets = memref::AllocOp::create(
        builder, loc,
        MemRefType::get({columnsPerTile}, builder.getIndexType()));
}

void GemmBuilder::deallocate() {
  for (Value buffer : {scratchA, scratchB, scratchC, columnOffsets})
    if (buffer)
      memref::DeallocOp::create(builder, loc, buffer);
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

/// Row i of the block goes to scratchA[i * depthBlock ...]. Rows up to the next
/// full tile are zero.
void GemmBuilder::packA(const MatrixView &a, Value row, Value depth, Value rows,
                        Value steps) {
  if (a.hasDigits()) {
    packWindowsA(a, row, depth, rows, steps);
    return;
  }
  Value zero = cst(0), width = cst(depthBlock);
  auto copy = [&](Value i, Value p) {
    Value value = load(a, add(row, i), add(depth, p));
    memref::StoreOp::create(builder, loc, value, scratchA,
                            ValueRange{add(mul(i, width), p)});
  };
  // Read along the contiguous dimension.
  if (a.knownStrides[0] == 1 && a.knownStrides[1] != 1)
    loop(zero, steps, 1,
         [&](Value p) { loop(zero, rows, 1, [&](Value i) { copy(i, p); }); });
  else
    loop(zero, rows, 1,
         [&](Value i) { loop(zero, steps, 1, [&](Value p) { copy(i, p); }); });
  padA(rows, steps);
}

void GemmBuilder::padA(Value rows, Value steps) {
  if (rowsPerTile == 1)
    return;
  Value zero = cst(0), width = cst(depthBlock), tile = cst(rowsPerTile);
  Value tiles = builder.createOrFold<arith::CeilDivUIOp>(loc, rows, tile);
  Value padding =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(elementType));
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
      // Swap ever smaller off-diagonal blocks.
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

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

Value GemmBuilder::multiplyAdd(Value a, Value b, Value acc) {
  if (isa<FloatType>(elementType))
    return vector::FMAOp::create(builder, loc, a, b, acc);
  return arith::AddIOp::create(builder, loc, acc,
                               arith::MulIOp::create(builder, loc, a, b));
}

void GemmBuilder::microKernel(Value buffer, Value offset, Value rowStride,
                              Value packedA, Value packedB, Value steps) {
  SmallVector<Value> addresses, acc;
  for (int64_t i = 0; i < rowsPerTile; ++i) {
    Value row = add(offset, mul(cst(i), rowStride));
    for (int64_t v = 0; v < vectorsPerRow; ++v) {
      addresses.push_back(add(row, cst(v * lanes)));
      acc.push_back(vector::LoadOp::create(builder, loc, vectorType, buffer,
                                           ValueRange{addresses.back()}));
    }
  }
  auto reduction = scf::ForOp::create(builder, loc, cst(0), steps, cst(1), acc);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(reduction.getBody());
    Value p = reduction.getInductionVar();
    Value rowOfB = add(packedB, mul(p, cst(columnsPerTile)));
    SmallVector<Value> right, next;
    for (int64_t v = 0; v < vectorsPerRow; ++v)
      right.push_back(
          vector::LoadOp::create(builder, loc, vectorType, scratchB,
                                 ValueRange{add(rowOfB, cst(v * lanes))}));
    Value columnOfA = add(packedA, p);
    for (int64_t i = 0; i < rowsPerTile; ++i) {
      Value scalar = memref::LoadOp::create(
          builder, loc, scratchA,
          ValueRange{add(columnOfA, cst(i * depthBlock))});
      Value left =
          vector::BroadcastOp::create(builder, loc, vectorType, scalar);
      for (int64_t v = 0; v < vectorsPerRow; ++v)
        next.push_back(multiplyAdd(left, right[v],
                                   reduction.getRegionIterArg(next.size())));
    }
    scf::YieldOp::create(builder, loc, next);
  }
  for (auto [address, value] :
       llvm::zip_equal(addresses, reduction.getResults()))
    vector::StoreOp::create(builder, loc, value, buffer, ValueRange{address});
}

void GemmBuilder::registerTile(const MatrixView &c, Value row, Value column,
                               Value rows, Value columns, Value packedA,
                               Value packedB, Value steps) {
  Value zero = cst(0);
  Value isWhole = builder.createOrFold<arith::AndIOp>(
      loc, isEqual(rows, cst(rowsPerTile)),
      isEqual(columns, cst(columnsPerTile)));
  isWhole = builder.createOrFold<arith::AndIOp>(loc, isWhole,
                                                isEqual(c.strides[1], cst(1)));
  Value scratch =
      memref::CastOp::create(builder, loc, c.buffer.getType(), scratchC);
  Value origin = at(c, row, column);
  auto copyTile = [&](bool out) {
    loop(zero, rows, 1, [&](Value i) {
      loop(zero, columns, 1, [&](Value j) {
        Value inC =
            add(origin, add(mul(i, c.strides[0]), mul(j, c.strides[1])));
        Value inScratch = add(mul(i, cst(columnsPerTile)), j);
        Value value = memref::LoadOp::create(
            builder, loc, out ? scratch : c.buffer, out ? inScratch : inC);
        memref::StoreOp::create(builder, loc, value, out ? c.buffer : scratch,
                                out ? inC : inScratch);
      });
    });
  };
  Value isCut = builder.createOrFold<arith::XOrIOp>(
      loc, isWhole, arith::ConstantIntOp::create(builder, loc, 1, 1));
  when(isCut, [&] { copyTile(/*out=*/false); });
  Value buffer =
      builder.createOrFold<arith::SelectOp>(loc, isWhole, c.buffer, scratch);
  Value offset =
      builder.createOrFold<arith::SelectOp>(loc, isWhole, origin, zero);
  Value rowStride = builder.createOrFold<arith::SelectOp>(
      loc, isWhole, c.strides[0], cst(columnsPerTile));
  microKernel(buffer, offset, rowStride, packedA, packedB, steps);
  when(isCut, [&] { copyTile(/*out=*/true); });
}

GemmPart GemmBuilder::getWhole() { return {cst(0), shape.m, cst(0), shape.n}; }

void GemmBuilder::build(const MatrixView &a, const MatrixView &b,
                        const MatrixView &c, const GemmPart &part) {
  Value zero = cst(0);
  loop(part.firstColumn, part.lastColumn, columnBlock, [&](Value jc) {
    Value columns = min(cst(columnBlock), sub(part.lastColumn, jc));
    loop(zero, shape.k, depthBlock, [&](Value pc) {
      Value steps = min(cst(depthBlock), sub(shape.k, pc));
      packB(b, pc, jc, steps, columns);
      loop(part.firstRow, part.lastRow, rowBlock, [&](Value ic) {
        Value rows = min(cst(rowBlock), sub(part.lastRow, ic));
        packA(a, ic, pc, rows, steps);
        loop(zero, columns, columnsPerTile, [&](Value jr) {
          Value width = min(cst(columnsPerTile), sub(columns, jr));
          Value packedB = mul(jr, cst(depthBlock));
          loop(zero, rows, rowsPerTile, [&](Value ir) {
            Value height = min(cst(rowsPerTile), sub(rows, ir));
            registerTile(c, add(ic, ir), add(jc, jr), height, width,
                         mul(ir, cst(depthBlock)), packedB, steps);
          });
        });
      });
    });
  });
}
