//===- PackedRows.cpp - Packed SpMM: gathers rows of B --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedRows.h"

using namespace mlir;
using namespace mlir::pit::hopper;

/// Columns of B in the 128 bytes that its boxes are wide.
static constexpr int64_t kPanel = 64, kPanelBytes = 128;

/// The first of the warp's rows of a stage.
static Value getFirstRow(KernelBuilder &b, const KernelState &state) {
  return b.mul(state.warp, kPackedWarpRows);
}

namespace {

/// Each row is a box, that a lane asks for.
class RowBoxes : public PackedRows {
public:
  RowBoxes(const ContractionKernel &kernel, const KernelState &state)
      : kernel(kernel), state(state) {}

  unsigned getNumArrivals() const override { return 0; }
  int64_t getAnnouncedBytes() const override { return kernel.tileN * 2; }
  void load(KernelBuilder &b, Value stage, Value full, Value column,
            Value numRows, Value coord) override;

private:
  const ContractionKernel &kernel;
  const KernelState &state;
};

/// Lanes copy chunks of 16 bytes, one or two rows at a time, to where the copy
/// engine would have put them.
class RowCopies : public PackedRows {
public:
  RowCopies(const ContractionKernel &kernel, const KernelState &state)
      : kernel(kernel), state(state) {}

  unsigned getNumArrivals() const override { return kLanes; }
  int64_t getAnnouncedBytes() const override { return 0; }
  void load(KernelBuilder &b, Value stage, Value full, Value column,
            Value numRows, Value coord) override;

private:
  static constexpr int64_t kLanes = 32, kChunk = 8, kChunkBytes = 16,
                           kPanelChunks = kPanel / kChunk;

  const ContractionKernel &kernel;
  const KernelState &state;
};

} // namespace

void RowBoxes::load(KernelBuilder &b, Value stage, Value full, Value column,
                    Value numRows, Value coord) {
  b.ifThen(b.isLess(state.lane, numRows), [&] {
    Value row =
        b.add(getFirstRow(b, state), b.bitAnd(state.lane, kPackedWarpRows - 1));
    b.copyBox(b.advance(stage, b.mul(row, kernel.getRowPitch())),
              state.arguments.tensorMapB, full,
              {b.i32(0), coord, b.divide(column, kPanel)});
  });
}

void RowCopies::load(KernelBuilder &b, Value stage, Value full, Value column,
                     Value numRows, Value coord) {
  const int64_t chunksOfRow = kernel.tileN / kChunk,
                lanesOfRow = std::min(chunksOfRow, kLanes),
                rowsAtOnce = kLanes / lanesOfRow;
  const int64_t pitch = kernel.getRowPitch();
  Value rowBytes = b.extend(b.mul(state.arguments.strideB, 2));
  Value inLine = b.divide(state.lane, lanesOfRow),
        firstChunk = b.bitAnd(state.lane, lanesOfRow - 1);
  Value ofWarp = b.advance(stage, b.mul(getFirstRow(b, state), pitch));
  for (int64_t first = 0; first < kPackedWarpRows; first += rowsAtOnce) {
    Value row = b.add(inLine, first);
    Value number = b.readLane(coord, row);
    Value source =
        b.advance(state.arguments.baseB, b.mul(b.extend(number), rowBytes));
    Value isListed = b.isLess(row, numRows);
    for (int64_t later = 0; later < chunksOfRow; later += lanesOfRow) {
      Value chunk = b.add(firstChunk, later);
      Value panel = b.divide(chunk, kPanelChunks);
      // Chunks are permuted by bits 7 to 9 of their address; a warp's rows
      // begin at a multiple of 1024 bytes.
      Value line = b.add(b.mul(row, pitch / kPanelBytes), panel);
      Value place = b.bitXor(b.bitAnd(chunk, kPanelChunks - 1),
                             b.bitAnd(line, kPanelChunks - 1));
      Value target = b.add(b.mul(row, pitch), b.add(b.mul(panel, kPanelBytes),
                                                    b.mul(place, kChunkBytes)));
      // Columns are a multiple of 64, so that a chunk is inside or beyond.
      Value firstColumn = b.add(column, b.mul(chunk, kChunk));
      Value exists =
          b.bitAnd(isListed, b.isLess(firstColumn, state.arguments.n));
      b.copy16(b.advance(ofWarp, target),
               b.advance(source, b.extend(b.mul(firstColumn, 2))),
               b.select(exists, b.i32(kChunkBytes), b.i32(0)));
    }
  }
  b.arriveAfterCopies(full);
}

std::unique_ptr<PackedRows>
mlir::pit::hopper::createPackedRows(const ContractionKernel &kernel,
                                    const KernelState &state) {
  if (kernel.packed->copiesRows)
    return std::make_unique<RowCopies>(kernel, state);
  return std::make_unique<RowBoxes>(kernel, state);
}
