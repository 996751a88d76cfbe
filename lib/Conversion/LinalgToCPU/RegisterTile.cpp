//===- RegisterTile.cpp - A tile of C in registers ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile that is cut by the edge of C, or lies in a C whose rows are not
// contiguous, is copied into a scratch tile and back. Where C is filled with a
// number before, the first tiles of a sum start from that number, and C is not
// read.
//
//===----------------------------------------------------------------------===//

#include "GemmBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::pit;

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
                              int64_t rows, const LeftRows &left, Value packedB,
                              Value columnInBlock, Value steps, Value isFirst) {
  SmallVector<Value> addresses;
  for (int64_t i = 0; i < rows; ++i) {
    Value row = add(offset, mul(cst(i), rowStride));
    for (int64_t v = 0; v < vectorsPerRow; ++v)
      addresses.push_back(add(row, cst(v * lanes)));
  }
  SmallVector<Value> acc = loadTile(buffer, addresses, isFirst);
  if (columnSums)
    for (int64_t v = 0; v < vectorsPerRow; ++v) {
      Value sum = vector::LoadOp::create(builder, loc, vectorType, columnSums,
                                         add(columnInBlock, cst(v * lanes)));
      for (int64_t i = 0; i < rows; ++i) {
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
    Value columnOfA = add(left.offset, mul(p, left.stepStride));
    for (int64_t i = 0; i < rows; ++i) {
      Value scalar = memref::LoadOp::create(
          builder, loc, left.buffer,
          ValueRange{add(columnOfA, mul(cst(i), left.rowStride))});
      Value factor =
          vector::BroadcastOp::create(builder, loc, packedVector, scalar);
      for (int64_t v = 0; v < vectorsPerRow; ++v)
        next.push_back(multiplyAdd(factor, right[v],
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
                               int64_t tileRows, Value rows, Value columns,
                               const LeftRows &left, Value columnInBlock,
                               Value steps, Value isFirst) {
  Value zero = cst(0), packedB = mul(columnInBlock, cst(depthBlock));
  Value isWhole = builder.createOrFold<arith::AndIOp>(
      loc, isEqual(rows, cst(tileRows)), isEqual(columns, cst(columnsPerTile)));
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
  microKernel(buffer, offset, rowStride, tileRows, left, packedB, columnInBlock,
              steps, isFirst);
  when(isCut,
       [&] { copyTile(c, origin, scratch, rows, columns, /*out=*/true); });
}
