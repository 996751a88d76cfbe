//===- Writers.cpp - From accumulators to the output, by threads ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Writers.h"
#include "Conversion/ContractionsToGPU/Wgmma/KernelEpilogue.h"
#include "GPU/Pipeline/Staging.h"

using namespace mlir;
using namespace mlir::pit::hopper;

static int64_t getElementBytes(const ContractionKernel &kernel) {
  return kernel.outputType.getIntOrFloatBitWidth() / 8;
}

void OutputRows::prepare(KernelBuilder &b) {
  strideBytes =
      b.extend(b.mul(state.arguments.strideC, getElementBytes(kernel)));
}

OutputRow OutputRows::get(KernelBuilder &b, Value packed, Value column,
                          TilePosition tile) {
  OutputRow row;
  if (kernel.tailM) {
    Value end = tile.end ? tile.end : state.numRows;
    row.exists = b.isLess(packed, end);
    packed = b.minimum(packed, b.sub(end, 1));
  }
  Value number = packed;
  if (kernel.scattersC) {
    int64_t width = kernel.rowNumberType.getIntOrFloatBitWidth() / 8;
    number = b.load(
        b.advance(state.arguments.rowNumbers, b.mul(b.extend(packed), width)),
        kernel.rowNumberType);
  }
  Value bytes = b.add(b.mul(b.extend(number), strideBytes),
                      b.extend(b.mul(column, getElementBytes(kernel))));
  if (kernel.segmentsC)
    bytes = b.add(bytes, b.mul(b.mul(b.extend(tile.segment),
                                     state.arguments.segmentStrideC),
                               getElementBytes(kernel)));
  row.pointer =
      b.advance(getArgumentsOfPart(b, state.arguments, tile).baseC, bytes);
  return row;
}

void OutputRows::store(KernelBuilder &b, const OutputRow &row, Value column,
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

//===----------------------------------------------------------------------===//
// Through shared memory
//===----------------------------------------------------------------------===//

namespace {

/// The warp reads what it staged back in rows, eight threads to a row.
class StagedWriter : public Writer {
public:
  StagedWriter(const ContractionKernel &kernel, const KernelState &state)
      : kernel(kernel), state(state), outputRows(kernel, state),
        rowEpilogue(createRowEpilogue(kernel)) {}

  void prepare(KernelBuilder &b, Value warp) override;
  void write(KernelBuilder &b, ArrayRef<Value> values, Value row,
             TilePosition tile) override;

private:
  static constexpr int64_t kRowsPerStore = 4, kStores = 4;

  const ContractionKernel &kernel;
  const KernelState &state;
  OutputRows outputRows;
  RowEpilogue rowEpilogue;
  Staging staging;
  Value buffer, readRow, readChunk;
  SmallVector<Value> readPointers;
};

} // namespace

void StagedWriter::prepare(KernelBuilder &b, Value warp) {
  outputRows.prepare(b);
  Value lane = state.lane;
  buffer =
      b.advance(state.shared, b.add(b.mul(warp, kernel.getStagingBytesOfWarp()),
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
                         TilePosition tile) {
  Value myColumn = b.add(tile.column, b.mul(readChunk, 8));
  SmallVector<OutputRow> rows;
  SmallVector<SmallVector<Value>> operands;
  for (int64_t i = 0; i < kStores; ++i) {
    Value number = b.add(b.add(row, readRow), i * kRowsPerStore);
    rows.push_back(outputRows.get(b, number, myColumn, tile));
    if (rowEpilogue)
      operands.push_back(loadRowOperands(b, rowEpilogue, state, tile, number));
  }

  auto chunkType = VectorType::get({4}, b.getI32Type());
  for (int64_t part = 0; part < kernel.getTileColumns() / Staging::kColumns;
       ++part) {
    staging.store(b, values.slice(part * Staging::kValues, Staging::kValues),
                  buffer, kernel.outputType);
    b.syncWarp();
    SmallVector<Value> chunks;
    for (Value pointer : readPointers)
      chunks.push_back(b.load(pointer, chunkType, 16));
    if (rowEpilogue)
      for (auto [chunk, ofRow] : llvm::zip_equal(chunks, operands))
        chunk = rowEpilogue.apply(b, ofRow, chunk);
    for (auto [outputRow, chunk] : llvm::zip_equal(rows, chunks))
      outputRows.store(b, outputRow, b.add(myColumn, part * Staging::kColumns),
                       chunk, part * Staging::kColumns * 2, 16);
    // The next part overwrites what was just read.
    b.syncWarp();
  }
}

//===----------------------------------------------------------------------===//
// From registers
//===----------------------------------------------------------------------===//

namespace {

class DirectWriter : public Writer {
public:
  DirectWriter(const ContractionKernel &kernel, const KernelState &state)
      : kernel(kernel), state(state), outputRows(kernel, state) {}

  void prepare(KernelBuilder &b, Value) override {
    outputRows.prepare(b);
    lane = state.lane;
  }
  void write(KernelBuilder &b, ArrayRef<Value> values, Value row,
             TilePosition tile) override {
    Value myColumn = b.add(tile.column, b.mul(b.bitAnd(lane, 3), 2));
    Value myRow = b.add(row, b.shiftRight(lane, 2));
    auto pairType = VectorType::get({2}, values[0].getType());
    for (int64_t half = 0; half < 2; ++half) {
      OutputRow outputRow =
          outputRows.get(b, b.add(myRow, 8 * half), myColumn, tile);
      for (int64_t i = 0; i < kernel.getTileColumns() / 8; ++i) {
        Value pair = LLVM::UndefOp::create(b, pairType);
        for (int64_t j = 0; j < 2; ++j)
          pair = LLVM::InsertElementOp::create(
              b, pair, values[4 * i + 2 * half + j], b.i32(j));
        outputRows.store(b, outputRow, b.add(myColumn, 8 * i), pair, 8 * i * 4,
                         8);
      }
    }
  }

private:
  const ContractionKernel &kernel;
  const KernelState &state;
  OutputRows outputRows;
  Value lane;
};

} // namespace

std::unique_ptr<Writer>
mlir::pit::hopper::createStagedWriter(const ContractionKernel &kernel,
                                      const KernelState &state) {
  return std::make_unique<StagedWriter>(kernel, state);
}

std::unique_ptr<Writer>
mlir::pit::hopper::createDirectWriter(const ContractionKernel &kernel,
                                      const KernelState &state) {
  return std::make_unique<DirectWriter>(kernel, state);
}
