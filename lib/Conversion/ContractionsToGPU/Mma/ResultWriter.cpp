//===- ResultWriter.cpp - From accumulators to the output -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ResultWriter.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::mma;

void ResultWriter::prepare(MMABuilder &b, const MMAState &state) {
  Value lane = state.lane;
  warpRow = b.mul(b.divide(state.warp, kernel.getWarpsN()), kernel.warpM);
  warpColumn = b.mul(b.remainder(state.warp, b.i32(kernel.getWarpsN())),
                     kernel.getWarpColumns());
  Value buffer = b.advance(state.shared, b.mul(state.warp, kRows * kRowBytes));
  // A thread has two neighbouring columns of rows l / 4 and l / 4 + 8; of
  // fragments that lie between each other, four of two neighbouring rows.
  fragmentRow = b.mul(b.shiftRight(lane, 2), kernel.interleavesRows() ? 2 : 1);
  fragmentColumn =
      b.mul(b.bitAnd(lane, 3), kernel.interleavesColumns() ? 4 : 2);
  writeKey = b.bitAnd(fragmentRow, getChunks() - 1);
  writeRow = b.advance(buffer, b.mul(fragmentRow, kRowBytes));
  writePlace = b.mul(fragmentColumn, getElementBytes());
  readRow = b.shiftRight(lane, llvm::Log2_64(getChunks()));
  if (getRowsPerPass() * getChunks() < kLanes)
    readRow = b.bitAnd(readRow, getRowsPerPass() - 1);
  readChunk = b.bitAnd(lane, getChunks() - 1);
  for (int64_t pass = 0; pass < getNumPasses(); ++pass) {
    Value row = b.add(readRow, pass * getRowsPerPass());
    Value chunk = b.bitXor(readChunk, b.bitAnd(row, getChunks() - 1));
    readPointers.push_back(
        b.advance(buffer, b.add(b.mul(row, kRowBytes), b.mul(chunk, 16))));
  }
  strideBytes = b.mul(b.extend(state.arguments.strideC), getElementBytes());
}

ResultWriter::Row ResultWriter::getRow(MMABuilder &b, const MMAState &state,
                                       Value packed, Value column,
                                       TilePosition tile) {
  Row row;
  Value base = state.arguments.baseC;
  if (kernel.segmentsC)
    base = b.advance(base, b.mul(b.mul(b.extend(tile.segment),
                                       state.arguments.segmentStrideC),
                                 getElementBytes()));
  if (kernel.tailM) {
    Value end = state.getEnd(tile);
    row.exists = b.isLess(packed, end);
    packed = b.minimum(packed, b.sub(end, 1));
  }
  if (kernel.scattersC)
    packed = readRowNumber(b, kernel, state, packed);
  row.pointer = b.advance(b.advance(base, b.mul(b.extend(packed), strideBytes)),
                          b.mul(b.extend(column), getElementBytes()));
  return row;
}

/// 16 rows into shared memory.
void ResultWriter::stage(MMABuilder &b, ArrayRef<Value> values) {
  int64_t bytes = getElementBytes();
  // Of the thread's place and of a fragment's, no bit is set in both.
  Value chunkInProduct = b.shiftRight(writePlace, 4);
  Value inChunk = b.bitAnd(writePlace, 15);
  auto pairType = VectorType::get({2}, values[0].getType());
  for (int64_t i = 0; i < int64_t(values.size()) / 4; ++i) {
    int64_t fragment =
        (hopper::Fragment::kPeriod * (i / 2) + getColumnStep() * (i % 2)) *
        bytes;
    Value chunk = b.bitXor(b.add(chunkInProduct, fragment / 16), writeKey);
    Value offset = b.add(b.mul(chunk, 16), b.add(inChunk, fragment % 16));
    for (int64_t half = 0; half < 2; ++half) {
      // Rows of a fragment that are not eight apart are even and odd: their
      // keys differ in the last bit.
      if (half == 1 && kernel.interleavesRows() && getChunks() > 1)
        offset = b.bitXor(offset, 16);
      Value place = b.advance(b.advance(writeRow, offset),
                              half * getRowStep() * kRowBytes);
      Value low = values[4 * i + 2 * half], high = values[4 * i + 2 * half + 1];
      Value pair;
      if (isa<FloatType>(kernel.outputType) && bytes == 2) {
        pair = b.packPair(low, high, kernel.outputType);
      } else {
        pair = LLVM::UndefOp::create(b, pairType);
        pair = LLVM::InsertElementOp::create(b, pair, low, b.i32(0));
        pair = LLVM::InsertElementOp::create(b, pair, high, b.i32(1));
      }
      b.store(pair, place, 2 * bytes);
    }
  }
}

/// 16 bytes of a row, as many at a time as it is aligned to.
void ResultWriter::store(MMABuilder &b, const MMAState &state, const Row &row,
                         Value source, Value column, int64_t offset) {
  int64_t piece = kernel.storeBytes;
  Type type = piece == 16 ? Type(VectorType::get({4}, b.getI32Type()))
                          : b.getIntegerType(8 * piece);
  for (int64_t at = 0; at < 16; at += piece) {
    Value guard = row.exists;
    if (kernel.tailN) {
      Value inside =
          b.isLess(b.add(column, at / getElementBytes()), state.arguments.n);
      guard = guard ? b.bitAnd(guard, inside) : inside;
    }
    Value value = b.load(b.advance(source, at), type, piece);
    auto emit = [&] {
      b.store(value, b.advance(row.pointer, offset + at), piece);
    };
    if (guard)
      b.ifThen(guard, emit);
    else
      emit();
  }
}

/// The columns of two fragments that lie between each other, one after the
/// other: a thread's even ones are in the first.
SmallVector<Value> ResultWriter::sortColumns(ArrayRef<Value> sums) {
  if (!kernel.interleavesColumns())
    return llvm::to_vector(sums);
  SmallVector<Value> sorted;
  for (; !sums.empty(); sums = sums.drop_front(8))
    for (int64_t pair : {0, 1})
      for (int64_t row : {0, 2})
        sorted.append({sums[pair + row], sums[4 + pair + row]});
  return sorted;
}

/// What becomes of the sums of 16 rows.
SmallVector<Value> ResultWriter::finish(MMABuilder &b, const MMAState &state,
                                        ArrayRef<Value> sums, int64_t group,
                                        TilePosition tile) {
  hopper::EpilogueSite site;
  site.function = kernel.epilogue.get();
  site.rowNumberType = kernel.rowNumberType;
  site.tailM = kernel.tailM;
  site.tailN = kernel.tailN;
  site.tileColumns = kernel.getTileColumns();
  site.accumulators = kernel.getNumSums() - sums.size();
  site.numRows = state.numRows;
  site.numColumns = state.arguments.n;
  site.rowNumbers = state.arguments.rowNumbers;
  site.operands = state.arguments.operands;
  hopper::Fragment fragment;
  int64_t valuesOfProduct = sums.size() / kernel.products;
  for (; !sums.empty(); sums = sums.drop_front(valuesOfProduct))
    fragment.products.push_back(sortColumns(sums.take_front(valuesOfProduct)));
  fragment.rowStep = getRowStep();
  fragment.columnStep = getColumnStep();
  fragment.row =
      b.add(b.add(b.add(tile.row, warpRow), fragmentRow), group * kProductM);
  fragment.column = b.add(b.add(tile.column, warpColumn), fragmentColumn);
  return hopper::applyEpilogue(b, site, tile, fragment);
}

void ResultWriter::write(MMABuilder &b, const MMAState &state,
                         ArrayRef<Value> sums, TilePosition tile) {
  int64_t columnsPerPart = getChunks() * 16 / getElementBytes();
  int64_t valuesPerPart = columnsPerPart / kProductN * 4;
  int64_t numGroups = kernel.warpM / kProductM;
  int64_t sumsPerGroup = sums.size() / numGroups;
  Value column = b.add(b.add(tile.column, warpColumn),
                       b.mul(readChunk, 16 / getElementBytes()));
  Value first = b.add(b.add(tile.row, warpRow), readRow);
  for (int64_t group = 0; group < numGroups; ++group) {
    SmallVector<Value> values = finish(
        b, state, sums.slice(group * sumsPerGroup, sumsPerGroup), group, tile);
    SmallVector<Row> rows;
    for (int64_t pass = 0; pass < getNumPasses(); ++pass)
      rows.push_back(getRow(
          b, state, b.add(first, group * kProductM + pass * getRowsPerPass()),
          column, tile));
    ArrayRef<Value> left = values;
    for (int64_t part = 0; !left.empty();
         ++part, left = left.drop_front(valuesPerPart)) {
      stage(b, left.take_front(valuesPerPart));
      b.syncWarp();
      for (auto [row, source] : llvm::zip_equal(rows, readPointers))
        store(b, state, row, source, b.add(column, part * columnsPerPart),
              part * getChunks() * 16);
      // What follows overwrites what was just read.
      b.syncWarp();
    }
  }
}
