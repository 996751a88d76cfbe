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
// Packed panels are padded with zeros, so that every element of C sees the same
// operations wherever it lies.
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
// Blocks
//===----------------------------------------------------------------------===//

GemmPart GemmBuilder::getWhole() { return {cst(0), shape.m, cst(0), shape.n}; }

void GemmBuilder::build(const MatrixView &a, const MatrixView &b,
                        const MatrixView &c, const GemmPart &part,
                        Value isFirst) {
  Value zero = cst(0);
  bool readsInPlace = canReadInPlace(a);
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
        if (!readsInPlace)
          packA(a, ic, pc, rows, steps);
        loop(zero, columns, columnsPerTile, [&](Value jr) {
          Value width = min(cst(columnsPerTile), sub(columns, jr));
          auto tile = [&](Value ir, int64_t tileRows, Value height) {
            LeftRows left{scratchA, mul(ir, cst(depthBlock)), cst(depthBlock),
                          cst(1)};
            if (readsInPlace)
              left = {a.buffer, at(a, add(ic, ir), pc), a.strides[0],
                      a.strides[1]};
            registerTile(c, add(ic, ir), add(jc, jr), tileRows, height, width,
                         left, jr, steps, startsHere);
          };
          if (ShapedType::isDynamic(shape.knownM)) {
            loop(zero, rows, rowsPerTile, [&](Value ir) {
              tile(ir, rowsPerTile, min(cst(rowsPerTile), sub(rows, ir)));
            });
            return;
          }
          // Whole tiles, and one of the rows that are left of C.
          int64_t left = shape.knownM % rowsPerTile;
          Value rest =
              builder.createOrFold<arith::RemUIOp>(loc, rows, cst(rowsPerTile));
          Value whole = sub(rows, rest);
          loop(zero, whole, rowsPerTile,
               [&](Value ir) { tile(ir, rowsPerTile, cst(rowsPerTile)); });
          if (left != 0)
            when(isEqual(rest, cst(left)),
                 [&] { tile(whole, left, cst(left)); });
        });
      });
    });
  });
}

/// Whether rows of A are read where they are: where each is read for few
/// columns, to pack them is no gain.
bool GemmBuilder::canReadInPlace(const MatrixView &a) const {
  if (word.usesWords() || a.hasDigits() || a.extension != Extension::None ||
      ShapedType::isDynamic(shape.knownM) ||
      ShapedType::isDynamic(shape.knownN) ||
      shape.knownN > kFewPanels * columnsPerTile)
    return false;
  int64_t rowStride = a.knownStrides[0], stepStride = a.knownStrides[1];
  if (ShapedType::isDynamic(rowStride) || ShapedType::isDynamic(stepStride))
    return false;
  int64_t bytes = elementType.getIntOrFloatBitWidth() / 8;
  // Rows whose lines all go to the same places of the cache would push each
  // other out of it.
  constexpr int64_t kBytesOfWay = 4096;
  if (stepStride == 1)
    return rowStride * bytes % kBytesOfWay != 0;
  // Steps far from each other are in more pages than the CPU knows at a time.
  constexpr int64_t kNearBytes = 1024;
  return rowStride == 1 && stepStride * bytes <= kNearBytes;
}
