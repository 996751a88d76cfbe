//===- Writer.cpp - From accumulators to the output -----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

/// An output row, and whether it exists (null where it must).
struct OutputRow {
  Value pointer, exists;
};

/// What both writers need to find rows and columns.
class WriterBase : public Writer {
public:
  explicit WriterBase(const ContractionKernel &kernel) : kernel(kernel) {}

  void prepare(KernelBuilder &b, const KernelState &kernelState,
               Value) override {
    state = kernelState;
    strideBytes = b.extend(b.mul(state.arguments.strideC, getElementBytes()));
  }

protected:
  int64_t getElementBytes() const {
    return kernel.outputType.getIntOrFloatBitWidth() / 8;
  }

  /// The output row of a packed row, and a pointer to one of its columns.
  OutputRow getRow(KernelBuilder &b, Value packed, Value column) {
    OutputRow row;
    if (kernel.tailM) {
      row.exists = b.isLess(packed, state.numRows);
      packed = b.minimum(packed, b.sub(state.numRows, 1));
    }
    Value number = packed;
    if (kernel.scattersC) {
      int64_t width = kernel.rowNumberType.getIntOrFloatBitWidth() / 8;
      number = b.load(
          b.advance(state.arguments.rowNumbers, b.mul(b.extend(packed), width)),
          kernel.rowNumberType);
    }
    Value bytes = b.add(b.mul(b.extend(number), strideBytes),
                        b.extend(b.mul(column, getElementBytes())));
    row.pointer = b.advance(state.arguments.baseC, bytes);
    return row;
  }

  /// Stores if the row exists and the column, if one is given, does.
  void storeGuarded(KernelBuilder &b, const OutputRow &row, Value column,
                    Value value, int64_t offset, unsigned alignment) {
    Value guard = row.exists;
    if (kernel.tailN) {
      Value inside = b.isLess(column, state.arguments.n);
      guard = guard ? b.bitAnd(guard, inside) : inside;
    }
    auto emit = [&] {
      b.store(value, b.advance(row.pointer, offset), alignment);
    };
    if (guard)
      b.ifThen(guard, emit);
    else
      emit();
  }

  const ContractionKernel &kernel;
  KernelState state;
  Value strideBytes;
};

//===----------------------------------------------------------------------===//
// Through shared memory
//===----------------------------------------------------------------------===//

/// A warp has 16 rows; 64 of their columns fit into its 2 KB. Chunks of 16
/// bytes are permuted within a row as in the 128-byte swizzle, so that neither
/// side has bank conflicts.
class StagedWriter : public WriterBase {
public:
  using WriterBase::WriterBase;

  void prepare(KernelBuilder &b, const KernelState &kernelState,
               Value warp) override;
  void write(KernelBuilder &b, ArrayRef<Value> values, Value row,
             Value column) override;

private:
  static constexpr int64_t kColumns = 64, kRowBytes = 128, kWarpBytes = 2048;
  /// Rows that a warp stores at once, eight threads each.
  static constexpr int64_t kRowsPerStore = 4, kStores = 4;

  void stage(KernelBuilder &b, ArrayRef<Value> values);

  Value writeRow, writeSwizzle, writeHalf;
  Value staging, readRow, readChunk;
  SmallVector<Value> readPointers;
};

} // namespace

void StagedWriter::prepare(KernelBuilder &b, const KernelState &kernelState,
                           Value warp) {
  WriterBase::prepare(b, kernelState, warp);
  Value lane = state.lane;
  staging = b.advance(
      state.shared, b.add(b.mul(warp, kWarpBytes), kernel.getStagingOffset()));
  // Of the four 8 x 8 tiles that are stored at once, lanes 0-15 give the rows
  // of the left two, lanes 16-31 those of the right two.
  Value row = b.bitAnd(lane, 15);
  writeHalf = b.shiftRight(lane, 4);
  writeRow = b.mul(row, kRowBytes);
  writeSwizzle = b.bitAnd(row, 7);

  readRow = b.shiftRight(lane, 3);
  readChunk = b.bitAnd(lane, 7);
  readPointers.clear();
  for (int64_t i = 0; i < kStores; ++i) {
    Value r = b.add(readRow, i * kRowsPerStore);
    Value chunk = b.bitXor(readChunk, b.bitAnd(r, 7));
    readPointers.push_back(
        b.advance(staging, b.add(b.mul(r, kRowBytes), b.mul(chunk, 16))));
  }
}

void StagedWriter::stage(KernelBuilder &b, ArrayRef<Value> values) {
  constexpr int64_t kColumnsPerStore = 16;
  for (int64_t i = 0; i < kColumns / kColumnsPerStore; ++i) {
    SmallVector<Value> words;
    for (int64_t pair = 0; pair < 4; ++pair)
      words.push_back(b.packPair(values[8 * i + 2 * pair],
                                 values[8 * i + 2 * pair + 1],
                                 kernel.outputType));
    Value chunk = b.bitXor(b.add(writeHalf, 2 * i), writeSwizzle);
    b.storeMatrix(b.advance(staging, b.add(writeRow, b.mul(chunk, 16))), words);
  }
}

void StagedWriter::write(KernelBuilder &b, ArrayRef<Value> values, Value row,
                         Value column) {
  Value myColumn = b.add(column, b.mul(readChunk, 8));
  SmallVector<OutputRow> rows;
  for (int64_t i = 0; i < kStores; ++i)
    rows.push_back(
        getRow(b, b.add(b.add(row, readRow), i * kRowsPerStore), myColumn));

  auto chunkType = VectorType::get({4}, b.getI32Type());
  for (int64_t part = 0; part < kernel.tileN / kColumns; ++part) {
    // A thread has two values of every four columns.
    stage(b, values.slice(part * kColumns / 2, kColumns / 2));
    b.syncWarp();
    SmallVector<Value> chunks;
    for (Value pointer : readPointers)
      chunks.push_back(b.load(pointer, chunkType, 16));
    for (auto [outputRow, chunk] : llvm::zip_equal(rows, chunks))
      storeGuarded(b, outputRow, b.add(myColumn, part * kColumns), chunk,
                   part * kColumns * 2, 16);
    // The next part overwrites what was just read.
    b.syncWarp();
  }
}

//===----------------------------------------------------------------------===//
// From registers
//===----------------------------------------------------------------------===//

namespace {

class DirectWriter : public WriterBase {
public:
  using WriterBase::WriterBase;

  void write(KernelBuilder &b, ArrayRef<Value> values, Value row,
             Value column) override {
    Value myColumn = b.add(column, b.mul(b.bitAnd(state.lane, 3), 2));
    Value myRow = b.add(row, b.shiftRight(state.lane, 2));
    auto pairType = VectorType::get({2}, b.getF32Type());
    for (int64_t half = 0; half < 2; ++half) {
      OutputRow outputRow = getRow(b, b.add(myRow, 8 * half), myColumn);
      for (int64_t i = 0; i < kernel.tileN / 8; ++i) {
        Value pair = LLVM::UndefOp::create(b, pairType);
        for (int64_t j = 0; j < 2; ++j)
          pair = LLVM::InsertElementOp::create(
              b, pair, values[4 * i + 2 * half + j], b.i32(j));
        storeGuarded(b, outputRow, b.add(myColumn, 8 * i), pair, 8 * i * 4, 8);
      }
    }
  }
};

} // namespace

std::unique_ptr<Writer>
mlir::pit::hopper::createStagedWriter(const ContractionKernel &kernel) {
  return std::make_unique<StagedWriter>(kernel);
}

std::unique_ptr<Writer>
mlir::pit::hopper::createDirectWriter(const ContractionKernel &kernel) {
  return std::make_unique<DirectWriter>(kernel);
}
