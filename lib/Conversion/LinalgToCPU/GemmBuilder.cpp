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
// Where C is filled with a number before, the first tiles of a sum start from
// that number, and C is not read.
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
                         const CPUTarget &target, const WordProduct &word,
                         Value start)
    : builder(builder), loc(loc), shape(shape), elementType(elementType),
      word(word), start(start), hasMasks(target.hasMasks) {
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
  int64_t knownSteps = ShapedType::isDynamic(shape.knownK)
                           ? shape.knownK
                           : llvm::divideCeil(shape.knownK, word.steps);
  depthBlock = clampBlock(target.getDepth(bits), knownSteps, 1);
  rowBlock = clampBlock(roundUp(target.getRowBlock(), rowsPerTile),
                        shape.knownM, rowsPerTile);
  columnBlock = clampBlock(roundUp(target.getColumnBlock(), columnsPerTile),
                           shape.knownN, columnsPerTile);
  vectorType = VectorType::get({lanes}, elementType);
  packedType = word.usesWords() ? Type(builder.getI32Type()) : elementType;
  packedVector = VectorType::get({lanes}, packedType);
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
  auto create = [&](int64_t size, Type type) -> Value {
    return memref::AllocOp::create(builder, loc, MemRefType::get({size}, type),
                                   builder.getI64IntegerAttr(64));
  };
  if (word.usesWords()) {
    bytesOfA = create(rowBlock * depthBlock * 4, builder.getI8Type());
    scratchA = memref::ViewOp::create(
        builder, loc, MemRefType::get({rowBlock * depthBlock}, packedType),
        bytesOfA, cst(0), ValueRange());
  } else {
    scratchA = create(rowBlock * depthBlock, elementType);
  }
  scratchB = create(columnBlock * depthBlock, packedType);
  // Tiles of C and of the scratch buffer are selected at run time, so both have
  // the type of a flat view.
  scratchC = create(rowsPerTile * columnsPerTile, elementType);
  if (word.flipsA)
    columnSums = create(columnBlock, elementType);
  if (hasDigitsInB)
    stepOffsets = create(depthBlock * word.steps, builder.getIndexType());
}

void GemmBuilder::deallocate() {
  Value baseOfA = bytesOfA ? bytesOfA : scratchA;
  for (Value buffer : {baseOfA, scratchB, scratchC, stepOffsets, columnSums})
    if (buffer)
      memref::DeallocOp::create(builder, loc, buffer);
}

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

Value GemmBuilder::multiplyAdd(Value a, Value b, Value acc) {
  if (word.usesWords())
    return multiplyAddWords(a, b, acc);
  if (isa<FloatType>(elementType))
    return vector::FMAOp::create(builder, loc, a, b, acc);
  return arith::AddIOp::create(builder, loc, acc,
                               arith::MulIOp::create(builder, loc, a, b));
}

/// The accumulators: what is in the tile, or what sums start from.
SmallVector<Value>
GemmBuilder::loadTile(Value buffer, ArrayRef<Value> addresses, Value isFirst) {
  auto loadAll = [&] {
    return llvm::map_to_vector(addresses, [&](Value address) -> Value {
      return vector::LoadOp::create(builder, loc, vectorType, buffer,
                                    ValueRange{address});
    });
  };
  if (!isFirst)
    return loadAll();
  Value starts = vector::BroadcastOp::create(builder, loc, vectorType, start);
  SmallVector<Value> numbers(addresses.size(), starts);
  auto branch = scf::IfOp::create(builder, loc, TypeRange(numbers), isFirst,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, numbers);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, loadAll());
  return llvm::to_vector_of<Value>(branch.getResults());
}

void GemmBuilder::microKernel(Value buffer, Value offset, Value rowStride,
                              Value packedA, Value packedB, Value columnInBlock,
                              Value steps, Value isFirst) {
  SmallVector<Value> addresses;
  for (int64_t i = 0; i < rowsPerTile; ++i) {
    Value row = add(offset, mul(cst(i), rowStride));
    for (int64_t v = 0; v < vectorsPerRow; ++v)
      addresses.push_back(add(row, cst(v * lanes)));
  }
  SmallVector<Value> acc = loadTile(buffer, addresses, isFirst);
  if (columnSums)
    for (int64_t v = 0; v < vectorsPerRow; ++v) {
      Value sum = vector::LoadOp::create(builder, loc, vectorType, columnSums,
                                         add(columnInBlock, cst(v * lanes)));
      for (int64_t i = 0; i < rowsPerTile; ++i) {
        Value &number = acc[i * vectorsPerRow + v];
        number = arith::SubIOp::create(builder, loc, number, sum);
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
          vector::LoadOp::create(builder, loc, packedVector, scratchB,
                                 ValueRange{add(rowOfB, cst(v * lanes))}));
    Value columnOfA = add(packedA, p);
    for (int64_t i = 0; i < rowsPerTile; ++i) {
      Value scalar = memref::LoadOp::create(
          builder, loc, scratchA,
          ValueRange{add(columnOfA, cst(i * depthBlock))});
      Value left =
          vector::BroadcastOp::create(builder, loc, packedVector, scalar);
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

/// One row of a cut tile. The scratch tile has whole vectors.
void GemmBuilder::copyRow(const MatrixView &c, Value inC, Value scratch,
                          Value inScratch, Value columns, bool out) {
  auto copyFrom = [&](Value first) {
    loop(first, columns, 1, [&](Value j) {
      Value from = add(inScratch, j), to = add(inC, mul(j, c.strides[1]));
      if (!out)
        std::swap(from, to);
      Value value =
          memref::LoadOp::create(builder, loc, out ? scratch : c.buffer, from);
      memref::StoreOp::create(builder, loc, value, out ? c.buffer : scratch,
                              to);
    });
  };
  if (c.knownStrides[1] != 1) {
    copyFrom(cst(0));
    return;
  }
  for (int64_t v = 0; v < vectorsPerRow; ++v) {
    Value first = cst(v * lanes), from = add(inScratch, first),
          to = add(inC, first);
    if (!out)
      std::swap(from, to);
    Value source = out ? scratch : c.buffer, dest = out ? c.buffer : scratch;
    if (hasMasks) {
      Value mask = vector::CreateMaskOp::create(
          builder, loc, VectorType::get({lanes}, builder.getI1Type()),
          ValueRange{sub(columns, first)});
      if (out) {
        Value value =
            vector::LoadOp::create(builder, loc, vectorType, source, from);
        vector::MaskedStoreOp::create(builder, loc, dest, to, mask, value);
        continue;
      }
      Value none = arith::ConstantOp::create(builder, loc,
                                             builder.getZeroAttr(vectorType));
      Value value = vector::MaskedLoadOp::create(builder, loc, vectorType,
                                                 source, from, mask, none);
      vector::StoreOp::create(builder, loc, value, dest, to);
      continue;
    }
    Value isWhole = builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::uge, columns, cst((v + 1) * lanes));
    when(
        isWhole,
        [&] {
          Value value =
              vector::LoadOp::create(builder, loc, vectorType, source, from);
          vector::StoreOp::create(builder, loc, value, dest, to);
        },
        [&] { copyFrom(first); });
  }
}

void GemmBuilder::copyTile(const MatrixView &c, Value origin, Value scratch,
                           Value rows, Value columns, bool out) {
  loop(cst(0), rows, 1, [&](Value i) {
    copyRow(c, add(origin, mul(i, c.strides[0])), scratch,
            mul(i, cst(columnsPerTile)), columns, out);
  });
}

void GemmBuilder::registerTile(const MatrixView &c, Value row, Value column,
                               Value rows, Value columns, Value packedA,
                               Value columnInBlock, Value steps,
                               Value isFirst) {
  Value zero = cst(0), packedB = mul(columnInBlock, cst(depthBlock));
  Value isWhole = builder.createOrFold<arith::AndIOp>(
      loc, isEqual(rows, cst(rowsPerTile)),
      isEqual(columns, cst(columnsPerTile)));
  isWhole = builder.createOrFold<arith::AndIOp>(loc, isWhole,
                                                isEqual(c.strides[1], cst(1)));
  Value scratch =
      memref::CastOp::create(builder, loc, c.buffer.getType(), scratchC);
  Value origin = at(c, row, column);
  auto isNot = [&](Value condition) {
    return builder.createOrFold<arith::XOrIOp>(
        loc, condition, arith::ConstantIntOp::create(builder, loc, 1, 1));
  };
  Value isCut = isNot(isWhole), isRead = isCut;
  if (isFirst)
    isRead = builder.createOrFold<arith::AndIOp>(loc, isCut, isNot(isFirst));
  when(isRead,
       [&] { copyTile(c, origin, scratch, rows, columns, /*out=*/false); });
  Value buffer =
      builder.createOrFold<arith::SelectOp>(loc, isWhole, c.buffer, scratch);
  Value offset =
      builder.createOrFold<arith::SelectOp>(loc, isWhole, origin, zero);
  Value rowStride = builder.createOrFold<arith::SelectOp>(
      loc, isWhole, c.strides[0], cst(columnsPerTile));
  microKernel(buffer, offset, rowStride, packedA, packedB, columnInBlock, steps,
              isFirst);
  when(isCut,
       [&] { copyTile(c, origin, scratch, rows, columns, /*out=*/true); });
}

GemmPart GemmBuilder::getWhole() { return {cst(0), shape.m, cst(0), shape.n}; }

void GemmBuilder::build(const MatrixView &a, const MatrixView &b,
                        const MatrixView &c, const GemmPart &part,
                        Value isFirst) {
  Value zero = cst(0);
  Value depth =
      builder.createOrFold<arith::CeilDivUIOp>(loc, shape.k, cst(word.steps));
  loop(part.firstColumn, part.lastColumn, columnBlock, [&](Value jc) {
    Value columns = min(cst(columnBlock), sub(part.lastColumn, jc));
    loop(zero, depth, depthBlock, [&](Value pc) {
      Value steps = min(cst(depthBlock), sub(depth, pc));
      Value startsHere;
      if (start) {
        startsHere = isEqual(pc, zero);
        if (isFirst)
          startsHere =
              builder.createOrFold<arith::AndIOp>(loc, isFirst, startsHere);
      }
      packB(b, pc, jc, steps, columns);
      loop(part.firstRow, part.lastRow, rowBlock, [&](Value ic) {
        Value rows = min(cst(rowBlock), sub(part.lastRow, ic));
        packA(a, ic, pc, rows, steps);
        loop(zero, columns, columnsPerTile, [&](Value jr) {
          Value width = min(cst(columnsPerTile), sub(columns, jr));
          loop(zero, rows, rowsPerTile, [&](Value ir) {
            Value height = min(cst(rowsPerTile), sub(rows, ir));
            registerTile(c, add(ic, ir), add(jc, jr), height, width,
                         mul(ir, cst(depthBlock)), jr, steps, startsHere);
          });
        });
      });
    });
  });
}
