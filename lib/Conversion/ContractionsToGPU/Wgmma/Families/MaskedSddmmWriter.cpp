//===- MaskedSddmmWriter.cpp - Masked SDDMM: fills the other blocks
//------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GPU/Pipeline/Staging.h"
#include "MaskedSddmmBlocks.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

/// 16 rows by 64 columns belong to one block.
class MaskedSddmmWriter : public Writer {
public:
  MaskedSddmmWriter(const MaskedSddmmKernel &kernel, Value mask,
                    std::unique_ptr<Writer> writer)
      : grid(kernel.grid), fill(kernel.fill), mask(mask),
        writer(std::move(writer)) {}

  void prepare(KernelBuilder &b, Value warp) override {
    writer->prepare(b, warp);
  }

  void write(KernelBuilder &b, ArrayRef<Value> values, Value row,
             TilePosition tile) override {
    Value filled =
        arith::ConstantOp::create(b, b.getF32FloatAttr(fill)).getResult();
    SmallVector<Value> chosen;
    for (size_t first = 0; first < values.size(); first += Staging::kValues) {
      const int64_t part = first / Staging::kValues;
      Value isSampled =
          readMask(b, row, b.add(tile.column, part * Staging::kColumns));
      for (Value value : values.slice(first, Staging::kValues))
        chosen.push_back(b.select(isSampled, value, filled));
    }
    writer->write(b, chosen, row, tile);
  }

  void lend(Value buffer) override { writer->lend(buffer); }
  void returnLent(KernelBuilder &b) override { writer->returnLent(b); }
  void finish(KernelBuilder &b) override { writer->finish(b); }

private:
  /// Of what is behind the end of C, which is not stored, as of the last block.
  Value readMask(KernelBuilder &b, Value row, Value column) {
    Value blockRow = b.minimum(b.divide(row, grid.blockRows), grid.rows - 1);
    Value blockColumn =
        b.minimum(b.divide(column, grid.blockColumns), grid.columns - 1);
    Value number = b.add(b.mul(blockRow, grid.columns), blockColumn);
    Value byte =
        b.load(b.advance(mask, b.extend(number)), b.getIntegerType(8), 1);
    return b.compare(
        arith::CmpIPredicate::ne,
        b.bitAnd(arith::ExtUIOp::create(b, b.getI32Type(), byte).getResult(),
                 1),
        b.i32(0));
  }

  const MaskedSddmmGrid grid;
  const float fill;
  const Value mask;
  std::unique_ptr<Writer> writer;
};

} // namespace

std::unique_ptr<Writer>
mlir::pit::hopper::createMaskedSddmmWriter(const MaskedSddmmKernel &kernel,
                                           Value mask,
                                           std::unique_ptr<Writer> writer) {
  return std::make_unique<MaskedSddmmWriter>(kernel, mask, std::move(writer));
}
