//===- PackWords.cpp - Narrow numbers are packed as words -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A word is what one instruction multiplies: the elements of several steps of
// the sum in 32 bits. Along steps, words are loaded as vectors are;
// across them, vectors of neighbouring columns are shifted and joined. In both
// scratch buffers, words are where the elements of other types are.
//
//===----------------------------------------------------------------------===//

#include "GemmBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::pit;

/// -128 in each byte: what is added to elements of A where signs are flipped.
static constexpr int64_t kSignsOfBytes = 0x80808080;

static Value splat(OpBuilder &builder, Location loc, Type type, int64_t bits) {
  APInt value(32, static_cast<uint64_t>(bits));
  Attribute attribute = IntegerAttr::get(builder.getI32Type(), value);
  if (auto vector = dyn_cast<VectorType>(type))
    attribute = DenseElementsAttr::get(vector, value);
  return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(attribute));
}

/// The bits of a number as an integer.
static Value getBits(OpBuilder &builder, Location loc, Value value) {
  Type type = value.getType();
  Type element = getElementTypeOrSelf(type);
  if (element.isInteger())
    return value;
  Type bits = builder.getIntegerType(element.getIntOrFloatBitWidth());
  if (auto vector = dyn_cast<VectorType>(type))
    bits = vector.clone(bits);
  return arith::BitcastOp::create(builder, loc, bits, value);
}

/// Joins the elements of a word of each step, scalars or vectors.
Value GemmBuilder::joinWord(ArrayRef<Value> elements, const MatrixView &view,
                            bool isOfA) {
  if (!word.usesWords())
    return extend(elements.front(), view.extension);
  Type type = isa<VectorType>(elements.front().getType()) ? Type(packedVector)
                                                          : packedType;
  bool signs = view.getElementType().getIntOrFloatBitWidth() < word.getBits() &&
               view.extension == Extension::Signed;
  Value joined;
  for (auto [step, element] : llvm::enumerate(elements)) {
    Value bits = getBits(builder, loc, element), wide;
    int64_t shift = word.getShift(step);
    if (signs)
      wide = arith::ExtSIOp::create(builder, loc, type, bits);
    else
      wide = arith::ExtUIOp::create(builder, loc, type, bits);
    if (signs && shift + word.getBits() < 32)
      wide = arith::AndIOp::create(
          builder, loc, wide,
          splat(builder, loc, type, (int64_t(1) << word.getBits()) - 1));
    if (shift > 0)
      wide = arith::ShLIOp::create(builder, loc, wide,
                                   splat(builder, loc, type, shift));
    joined = joined ? arith::OrIOp::create(builder, loc, joined, wide) : wide;
  }
  if (isOfA && word.flipsA)
    joined = arith::XOrIOp::create(builder, loc, joined,
                                   splat(builder, loc, type, kSignsOfBytes));
  return joined;
}

/// Words, scalars or vectors, whose elements lie in them as in memory: the
/// first step lowest.
Value GemmBuilder::fromMemoryOrder(Value words, bool isOfA) {
  Type type = words.getType();
  if (isOfA && word.flipsA)
    return arith::XOrIOp::create(builder, loc, words,
                                 splat(builder, loc, type, kSignsOfBytes));
  if (!word.isBF16)
    return words;
  Value half = splat(builder, loc, type, 16);
  return arith::OrIOp::create(
      builder, loc, arith::ShLIOp::create(builder, loc, words, half),
      arith::ShRUIOp::create(builder, loc, words, half));
}

/// What the steps behind the last one have, so that they change no sum: zeros,
/// of which that of A has a minus, as x + -0 is x.
Value GemmBuilder::getPadding(Type type, bool isOfA) {
  if (auto number = dyn_cast<FloatType>(type); number && isOfA)
    return arith::ConstantOp::create(
        builder, loc,
        builder.getFloatAttr(
            number, APFloat::getZero(number.getFloatSemantics(), true)));
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

/// Steps are dimension `dim` of the view, 1 of A and 0 of B; `other` is the
/// number along the other one. A word that is cut is padded behind the last
/// step.
Value GemmBuilder::loadWord(const MatrixView &view, unsigned dim, Value other,
                            Value number, bool isCut) {
  SmallVector<Value> elements;
  Value first = mul(number, cst(word.steps));
  for (int64_t i = 0; i < word.steps; ++i) {
    Value step = add(first, cst(i));
    Value valid = isCut ? min(step, sub(shape.k, cst(1))) : step;
    Value place = dim == 1 ? at(view, other, valid) : at(view, valid, other);
    Value element = memref::LoadOp::create(builder, loc, view.buffer, place);
    if (isCut)
      element = builder.createOrFold<arith::SelectOp>(
          loc, isEqual(step, valid), element,
          getPadding(view.getElementType(), dim == 1));
    elements.push_back(element);
  }
  return joinWord(elements, view, dim == 1);
}

/// A vector of words behind each other, where steps are contiguous in memory.
Value GemmBuilder::loadWordsAlong(const MatrixView &view, unsigned dim,
                                  Value other, Value number) {
  int64_t count = lanes * word.steps;
  Value step = mul(number, cst(word.steps));
  Value place = dim == 1 ? at(view, other, step) : at(view, step, other);
  Value value = vector::LoadOp::create(
      builder, loc, VectorType::get({count}, view.getElementType()),
      view.buffer, place);
  if (view.getElementType().getIntOrFloatBitWidth() < word.getBits()) {
    auto wide =
        VectorType::get({count}, builder.getIntegerType(word.getBits()));
    value = view.extension == Extension::Signed
                ? arith::ExtSIOp::create(builder, loc, wide, value).getResult()
                : arith::ExtUIOp::create(builder, loc, wide, value).getResult();
  }
  return fromMemoryOrder(
      vector::BitCastOp::create(builder, loc, packedVector, value), dim == 1);
}

/// A vector of words side by side, where the other dimension is contiguous.
Value GemmBuilder::loadWordsAcross(const MatrixView &view, unsigned dim,
                                   Value other, Value number) {
  auto type = VectorType::get({lanes}, view.getElementType());
  Value first = mul(number, cst(word.steps));
  SmallVector<Value> elements;
  for (int64_t i = 0; i < word.steps; ++i) {
    Value step = add(first, cst(i));
    Value place = dim == 1 ? at(view, other, step) : at(view, step, other);
    elements.push_back(
        vector::LoadOp::create(builder, loc, type, view.buffer, place));
  }
  return joinWord(elements, view, dim == 1);
}

/// How many of the words from `depth` on have all of their steps.
Value GemmBuilder::countWholeWords(Value depth, Value words) {
  if (!word.usesWords())
    return words;
  if (!ShapedType::isDynamic(shape.knownK) && shape.knownK % word.steps == 0)
    return words;
  Value whole =
      builder.createOrFold<arith::DivUIOp>(loc, shape.k, cst(word.steps));
  return min(words, sub(whole, depth));
}

/// Row i of the block goes to scratchA[i * depthBlock ...].
void GemmBuilder::packWordsA(const MatrixView &a, Value row, Value depth,
                             Value rows, Value words) {
  Value zero = cst(0), width = cst(depthBlock);
  Value whole = countWholeWords(depth, words);
  auto wholeVectors = [&](Value extent) {
    return sub(extent,
               builder.createOrFold<arith::RemUIOp>(loc, extent, cst(lanes)));
  };
  auto store = [&](Value value, Value i, Value p) {
    Value dest = add(mul(i, width), p);
    if (isa<VectorType>(value.getType()))
      vector::StoreOp::create(builder, loc, value, scratchA, dest);
    else
      memref::StoreOp::create(builder, loc, value, scratchA, dest);
  };
  auto copy = [&](Value i, Value p, bool isCut = false) {
    store(loadWord(a, 1, add(row, i), add(depth, p), isCut), i, p);
  };
  if (a.knownStrides[1] == 1) {
    Value inVectors = wholeVectors(whole);
    loop(zero, rows, 1, [&](Value i) {
      loop(zero, inVectors, lanes, [&](Value p) {
        store(loadWordsAlong(a, 1, add(row, i), add(depth, p)), i, p);
      });
      loop(inVectors, whole, 1, [&](Value p) { copy(i, p); });
    });
  } else if (a.knownStrides[0] == 1 && rowBlock >= lanes) {
    Value rowsInVectors = wholeVectors(rows), inVectors = wholeVectors(whole);
    loop(zero, inVectors, lanes, [&](Value p) {
      loop(zero, rowsInVectors, lanes, [&](Value i) {
        SmallVector<Value> columns;
        for (int64_t lane = 0; lane < lanes; ++lane)
          columns.push_back(loadWordsAcross(a, 1, add(row, i),
                                            add(depth, add(p, cst(lane)))));
        transposeInRegisters(columns);
        for (int64_t lane = 0; lane < lanes; ++lane)
          store(columns[lane], add(i, cst(lane)), p);
      });
    });
    loop(inVectors, whole, 1, [&](Value p) {
      loop(zero, rowsInVectors, 1, [&](Value i) { copy(i, p); });
    });
    loop(zero, whole, 1, [&](Value p) {
      loop(rowsInVectors, rows, 1, [&](Value i) { copy(i, p); });
    });
  } else {
    loop(zero, rows, 1,
         [&](Value i) { loop(zero, whole, 1, [&](Value p) { copy(i, p); }); });
  }
  if (whole != words)
    loop(whole, words, 1, [&](Value p) {
      loop(zero, rows, 1, [&](Value i) { copy(i, p, /*isCut=*/true); });
    });
}

/// Panel j of columnsPerTile columns goes to scratchB[j * columnsPerTile *
/// depthBlock ...]. What is behind the last column of B is that one again: its
/// results are not kept.
void GemmBuilder::packWordsB(const MatrixView &b, Value depth, Value column,
                             Value words, Value columns) {
  Value zero = cst(0), tile = cst(columnsPerTile);
  Value whole = countWholeWords(depth, words);
  Value wholeVectors =
      sub(whole, builder.createOrFold<arith::RemUIOp>(loc, whole, cst(lanes)));
  loop(zero, columns, columnsPerTile, [&](Value j) {
    Value panel = mul(j, cst(depthBlock));
    Value last = sub(columns, cst(1));
    auto getColumn = [&](Value i) { return add(column, min(add(j, i), last)); };
    auto copyStep = [&](Value p, bool isCut = false) {
      loop(zero, tile, 1, [&](Value i) {
        Value value = loadWord(b, 0, getColumn(i), add(depth, p), isCut);
        memref::StoreOp::create(builder, loc, value, scratchB,
                                add(panel, add(mul(p, tile), i)));
      });
    };
    if (b.knownStrides[0] == 1) {
      loop(zero, wholeVectors, lanes, [&](Value p) {
        for (int64_t v = 0; v < vectorsPerRow; ++v) {
          SmallVector<Value> rows;
          for (int64_t lane = 0; lane < lanes; ++lane)
            rows.push_back(loadWordsAlong(
                b, 0, getColumn(cst(v * lanes + lane)), add(depth, p)));
          transposeInRegisters(rows);
          for (int64_t lane = 0; lane < lanes; ++lane) {
            Value dest = add(mul(add(p, cst(lane)), tile), cst(v * lanes));
            vector::StoreOp::create(builder, loc, rows[lane], scratchB,
                                    add(panel, dest));
          }
        }
      });
      loop(wholeVectors, whole, 1, [&](Value p) { copyStep(p); });
    } else {
      Value count = min(tile, sub(columns, j));
      packPiece(b, locate(b, 1, add(column, j)), count, panel, whole,
                [&](Value p, int64_t step) {
                  return locate(
                      b, 0,
                      add(mul(add(depth, p), cst(word.steps)), cst(step)));
                });
    }
    if (whole != words)
      loop(whole, words, 1, [&](Value p) { copyStep(p, /*isCut=*/true); });
    if (word.flipsA)
      sumPanel(panel, j, words);
  });
}

/// Copies neighbouring columns of B, `place` from its beginning, to `dest` in
/// rows of a panel. `getStep` says where a step of a word is.
void GemmBuilder::packPiece(const MatrixView &b, Value place, Value count,
                            Value dest, Value words,
                            llvm::function_ref<Value(Value, int64_t)> getStep) {
  Value zero = cst(0), tile = cst(columnsPerTile);
  Value stride = getStrideInPiece(b, 1), start = add(b.offset, place);
  bool isContiguous = getKnownStrideInPiece(b, 1) == 1 &&
                      b.getElementType().getIntOrFloatBitWidth() >= 8;
  if (!isContiguous || !hasMasks) {
    loop(zero, words, 1, [&](Value p) {
      SmallVector<Value> starts;
      for (int64_t i = 0; i < word.steps; ++i)
        starts.push_back(add(start, getStep(p, i)));
      Value row = add(dest, mul(p, tile));
      loop(zero, count, 1, [&](Value c) {
        SmallVector<Value> elements;
        for (Value from : starts)
          elements.push_back(memref::LoadOp::create(builder, loc, b.buffer,
                                                    add(from, mul(c, stride))));
        memref::StoreOp::create(builder, loc,
                                joinWord(elements, b, /*isOfA=*/false),
                                scratchB, add(row, c));
      });
    });
    return;
  }
  auto type = VectorType::get({lanes}, b.getElementType());
  auto maskType = VectorType::get({lanes}, builder.getI1Type());
  loop(zero, count, lanes, [&](Value c) {
    Value mask = vector::CreateMaskOp::create(builder, loc, maskType,
                                              ValueRange{sub(count, c)});
    Value none =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    loop(zero, words, 1, [&](Value p) {
      SmallVector<Value> elements;
      for (int64_t i = 0; i < word.steps; ++i)
        elements.push_back(vector::MaskedLoadOp::create(
            builder, loc, type, b.buffer, add(add(start, c), getStep(p, i)),
            mask, none));
      vector::MaskedStoreOp::create(builder, loc, scratchB,
                                    add(add(dest, mul(p, tile)), c), mask,
                                    joinWord(elements, b, /*isOfA=*/false));
    });
  });
}

/// 128 times the sums of a panel's columns, which flipped signs of A add.
void GemmBuilder::sumPanel(Value panel, Value column, Value words) {
  Value signs = splat(builder, loc, packedVector, kSignsOfBytes);
  Value zero = splat(builder, loc, packedVector, 0);
  SmallVector<Value> sums(vectorsPerRow, zero);
  auto nest = scf::ForOp::create(builder, loc, cst(0), words, cst(1), sums);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(nest.getBody());
    Value row = add(panel, mul(nest.getInductionVar(), cst(columnsPerTile)));
    for (int64_t v = 0; v < vectorsPerRow; ++v) {
      Value right = vector::LoadOp::create(builder, loc, packedVector, scratchB,
                                           add(row, cst(v * lanes)));
      sums[v] = multiplyAddWords(signs, right, nest.getRegionIterArg(v));
    }
    scf::YieldOp::create(builder, loc, sums);
  }
  for (int64_t v = 0; v < vectorsPerRow; ++v)
    vector::StoreOp::create(builder, loc, nest.getResult(v), columnSums,
                            add(column, cst(v * lanes)));
}
