//===- GemmBuilder.h - The blocked loop nest of one matrix product --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOCPU_GEMMBUILDER_H
#define PIT_LIB_CONVERSION_LINALGTOCPU_GEMMBUILDER_H

#include "WordProduct.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::pit {

/// One of the loops that walk a dimension of a matrix together.
struct MatrixDigit {
  Value size, stride;
  int64_t knownStride;
};

/// A strided matrix inside a flat buffer: element (i, j) is at `offset + i *
/// strides[0] + j * strides[1]`. `knownStrides` are those strides where types
/// tell them, ShapedType::kDynamic otherwise.
///
/// A dimension that is several loops has digits, outermost first, instead of a
/// stride, as rows and steps of the matrix of windows of a convolution do.
struct MatrixView {
  Value buffer;
  Value offset;
  Value strides[2];
  int64_t knownStrides[2];
  Extension extension = Extension::None;
  SmallVector<MatrixDigit> digits[2];

  bool hasDigits() const { return !digits[0].empty() || !digits[1].empty(); }
  Type getElementType() const {
    return cast<MemRefType>(buffer.getType()).getElementType();
  }
};

/// Extents of a matrix product, with what is known of them at compile time.
struct GemmShape {
  Value m, n, k;
  int64_t knownM, knownN, knownK;
};

/// Rows and columns of C: from the first to before the last.
struct GemmPart {
  Value firstRow, lastRow, firstColumn, lastColumn;
};

/// Emits C[m, n] += A[m, k] * B[k, n]. All blocks and scratch buffers have
/// fixed sizes, so that they can be allocated once outside all loops. With
/// words, `depth` and `steps` of all functions count words.
///
/// With a number to start from, C does not hold it yet.
class GemmBuilder {
public:
  GemmBuilder(OpBuilder &builder, Location loc, const GemmShape &shape,
              Type elementType, const CPUTarget &target,
              const WordProduct &word = {}, Value start = nullptr);

  /// Allocates the scratch buffers at the builder's insertion point; B may
  /// have digits if said so.
  void allocate(bool hasDigitsInB = false);
  void deallocate();
  /// Computes a part of C that begins at multiples of the units. If `isFirst`,
  /// or without it, sums begin here, if there is a number to start from.
  void build(const MatrixView &a, const MatrixView &b, const MatrixView &c,
             const GemmPart &part, Value isFirst = nullptr);
  GemmPart getWhole();
  int64_t getRowUnit() const { return rowsPerTile; }
  int64_t getColumnUnit() const { return columnsPerTile; }

private:
  /// Panels of columns for which rows of A are not packed.
  static constexpr int64_t kFewPanels = 16;

  Value cst(int64_t value);
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value min(Value a, Value b);
  Value isEqual(Value a, Value b);
  /// scf.for without results; the body is given its induction variable.
  void loop(Value begin, Value end, int64_t step,
            llvm::function_ref<void(Value)> body);
  void when(Value condition, llvm::function_ref<void()> then,
            llvm::function_ref<void()> otherwise = nullptr);

  /// Address of an element of a view, and what one of its dimensions adds.
  Value at(const MatrixView &view, Value i, Value j);
  Value locate(const MatrixView &view, unsigned dim, Value number);
  /// Pieces of a dimension along which addresses have one stride: the first
  /// number behind `first`, how many, and what the first adds to addresses.
  void forPieces(const MatrixView &view, unsigned dim, Value first, Value count,
                 llvm::function_ref<void(Value, Value, Value)> body);
  Value getStrideInPiece(const MatrixView &view, unsigned dim);
  int64_t getKnownStrideInPiece(const MatrixView &view, unsigned dim);
  Value extend(Value value, Extension extension);
  Value load(const MatrixView &view, Value i, Value j);

  void packA(const MatrixView &a, Value row, Value depth, Value rows,
             Value steps);
  void packTransposedA(const MatrixView &a, Value row, Value depth, Value rows,
                       Value steps,
                       llvm::function_ref<void(Value, Value)> copy);
  void transposeInRegisters(SmallVector<Value> &rows);
  void padA(Value rows, Value steps);
  void packB(const MatrixView &b, Value depth, Value column, Value steps,
             Value columns);
  void packRows(const MatrixView &b, Value depth, Value column, Value steps,
                Value columns);
  void packPanel(const MatrixView &b, Value depth, Value column, Value begin,
                 Value end, Value columns, Value panel);
  void packTransposed(const MatrixView &b, Value depth, Value column,
                      Value steps, Value panel);

  // Several steps in a word, in PackWords.cpp.
  Value joinWord(ArrayRef<Value> elements, const MatrixView &view, bool isOfA);
  Value fromMemoryOrder(Value words, bool isOfA);
  Value getPadding(Type type, bool isOfA);
  Value loadWord(const MatrixView &view, unsigned dim, Value other, Value word,
                 bool isCut = false);
  Value loadWordsAlong(const MatrixView &view, unsigned dim, Value other,
                       Value word);
  Value loadWordsAcross(const MatrixView &view, unsigned dim, Value other,
                        Value word);
  Value countWholeWords(Value depth, Value words);
  Value countSteps(Value depth, Value words);
  void packWordsA(const MatrixView &a, Value row, Value depth, Value rows,
                  Value words);
  void packWordsB(const MatrixView &b, Value depth, Value column, Value words,
                  Value columns);
  void packPiece(const MatrixView &b, Value place, Value count, Value dest,
                 Value words,
                 llvm::function_ref<Value(Value, int64_t)> getStep);
  void sumPanel(Value panel, Value column, Value words);

  void packWindowsA(const MatrixView &a, Value row, Value depth, Value rows,
                    Value words);
  void packWindowsB(const MatrixView &b, Value depth, Value column, Value steps,
                    Value columns);
  void copyTile(const MatrixView &c, Value origin, Value scratch, Value rows,
                Value columns, bool out);
  void copyRow(const MatrixView &c, Value inC, Value scratch, Value inScratch,
               Value columns, bool out);
  /// Where the micro-kernel reads rows of A: packed, or in A itself.
  struct LeftRows {
    Value buffer, offset, rowStride, stepStride;
  };
  bool canReadInPlace(const MatrixView &a) const;
  void registerTile(const MatrixView &c, Value row, Value column,
                    int64_t tileRows, Value rows, Value columns,
                    const LeftRows &left, Value columnInBlock, Value steps,
                    Value isFirst);
  void microKernel(Value buffer, Value offset, Value rowStride, int64_t rows,
                   const LeftRows &left, Value packedB, Value columnInBlock,
                   Value steps, Value isFirst);
  SmallVector<Value> loadTile(Value buffer, ArrayRef<Value> addresses,
                              Value isFirst);
  Value multiplyAdd(Value a, Value b, Value acc);
  Value multiplyAddWords(Value a, Value b, Value acc);

  OpBuilder &builder;
  Location loc;
  GemmShape shape;
  Type elementType;
  WordProduct word;
  /// What sums start from; null for what is in C.
  Value start;
  bool hasMasks;
  /// What scratch buffers of A and B have: words, or elements of the sum.
  Type packedType;
  VectorType packedVector;
  int64_t lanes, rowsPerTile, vectorsPerRow, columnsPerTile, depthBlock,
      rowBlock, columnBlock;
  VectorType vectorType;
  Value scratchA, scratchB, scratchC;
  /// The memory of scratchA as bytes, where it has words.
  Value bytesOfA;
  /// Where the steps of a block are, in elements; null if none is asked for.
  Value stepOffsets;
  /// What the flipped signs of A add to each column of a block; null if none
  /// are flipped.
  Value columnSums;
};

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_LINALGTOCPU_GEMMBUILDER_H
