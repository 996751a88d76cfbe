//===- Writer.cpp - From accumulators to the output -----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Writer.h"
#include "Staging.h"

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

/// The warp reads what it staged back in rows, eight threads to a row.
class StagedWriter : public WriterBase {
public:
  using WriterBase::WriterBase;

  void prepare(KernelBuilder &b, const KernelState &kernelState,
               Value warp) override;
  void write(KernelBuilder &b, ArrayRef<Value> values, Value row,
             Value column) override;

private:
  static constexpr int64_t kRowsPerStore = 4, kStores = 4;

  Staging staging;
  Value buffer, readRow, readChunk;
  SmallVector<Value> readPointers;
};

} // namespace

void StagedWriter::prepare(KernelBuilder &b, const KernelState &kernelState,
                           Value warp) {
  WriterBase::prepare(b, kernelState, warp);
  Value lane = state.lane;
  buffer = b.advance(state.shared, b.add(b.mul(warp, Staging::kBytes),
                                         kernel.getStagingOffset()));
  staging.prepare(b, lane);
  readRow = b.shiftRight(lane, 3);
  readChunk = b.bitAnd(lane, 7);
  readPointers.clear();
  for (int64_t i = 0; i < kStores; ++i) {
    Value r = b.add(readRow, i * kRowsPerStore);
    Value chunk = b.bitXor(readChunk, b.bitAnd(r, 7));
    readPointers.push_back(b.advance(
        buffer, b.add(b.mul(r, Staging::kRowBytes), b.mul(chunk, 16))));
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
  for (int64_t part = 0; part < kernel.tileN / Staging::kColumns; ++part) {
    staging.store(b, values.slice(part * Staging::kValues, Staging::kValues),
                  buffer, kernel.outputType);
    b.syncWarp();
    SmallVector<Value> chunks;
    for (Value pointer : readPointers)
      chunks.push_back(b.load(pointer, chunkType, 16));
    for (auto [outputRow, chunk] : llvm::zip_equal(rows, chunks))
      storeGuarded(b, outputRow, b.add(myColumn, part * Staging::kColumns),
                   chunk, part * Staging::kColumns * 2, 16);
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
