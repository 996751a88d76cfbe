//===- LowerAccess.cpp - SRead and SWrite of one tile as loops ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITLOWERACCESS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

/// Position of the `i`-th element of a tile along the indexed dimension.
class CoordinateReader {
public:
  CoordinateReader(OpBuilder &builder, Location loc, TypedValue<SparseIndexType> index, Value first)
      : loc(loc), first(first), tile(index.getType().getCoordinateTile()) {
    auto type = RankedTensorType::get({ShapedType::kDynamic},
                                      builder.getIntegerType(index.getType().getWidth()));
    coords = CoordsOp::create(builder, loc, type, index);
  }

  Value read(OpBuilder &b, Value i) const {
    Value position = arith::AddIOp::create(b, loc, first, i);
    Value tileValue, number = position;
    if (tile != 1) {
      tileValue = arith::ConstantIndexOp::create(b, loc, tile);
      number = arith::DivUIOp::create(b, loc, position, tileValue);
    }
    Value coordinate = tensor::ExtractOp::create(b, loc, coords, number);
    Value element = arith::IndexCastOp::create(b, loc, b.getIndexType(), coordinate);
    if (tile == 1)
      return element;
    Value start = arith::MulIOp::create(b, loc, element, tileValue);
    return arith::AddIOp::create(b, loc, start, arith::RemUIOp::create(b, loc, position, tileValue));
  }

private:
  Location loc;
  Value first, coords;
  int64_t tile;
};

/// One row across `dim` of `value`, at `position`.
struct Row {
  SmallVector<OpFoldResult> offsets, sizes, strides;
  RankedTensorType type;

  Row(OpBuilder &b, Location loc, Value value, int64_t dim, Value position) {
    auto valueType = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape;
    for (int64_t d = 0; d < valueType.getRank(); ++d) {
      offsets.push_back(d == dim ? OpFoldResult(position) : b.getIndexAttr(0));
      sizes.push_back(d == dim ? b.getIndexAttr(1) : tensor::getMixedSize(b, loc, value, d));
      strides.push_back(b.getIndexAttr(1));
      if (d != dim)
        shape.push_back(valueType.getDimSize(d));
    }
    type = RankedTensorType::get(shape, valueType.getElementType());
  }

  Value extract(OpBuilder &b, Location loc, Value value) const {
    return tensor::ExtractSliceOp::create(b, loc, type, value, offsets, sizes, strides);
  }
  Value insert(OpBuilder &b, Location loc, Value row, Value dest) const {
    if (row.getType() != type)
      row = tensor::CastOp::create(b, loc, type, row);
    return tensor::InsertSliceOp::create(b, loc, row, dest, offsets, sizes, strides);
  }
};

} // namespace

/// for i in 0 .. size: dest[to(i)] = source[from(i)], row by row.
static Value createRowLoop(OpBuilder &builder, Location loc, Value size, Value source, int64_t sourceDim,
                           Value dest, int64_t destDim,
                           function_ref<std::pair<Value, Value>(OpBuilder &, Value)> positions,
                           bool accumulate) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ForOp::create(
      builder, loc, zero, size, one, dest, [&](OpBuilder &b, Location loc, Value i, ValueRange carried) {
        auto [from, to] = positions(b, i);
        Value row = Row(b, loc, source, sourceDim, from).extract(b, loc, source);
        Row target(b, loc, carried[0], destDim, to);
        if (accumulate) {
          Value old = target.extract(b, loc, carried[0]);
          if (old.getType() != row.getType())
            row = tensor::CastOp::create(b, loc, old.getType(), row);
          row = linalg::AddOp::create(b, loc, ValueRange{old, row}, ValueRange{old}).getResult(0);
        }
        scf::YieldOp::create(b, loc, target.insert(b, loc, row, carried[0]));
      });
  return loop.getResult(0);
}

static int64_t getIndexedDim(ArrayRef<int64_t> dims) {
  return *llvm::find_if(dims, [](int64_t dim) { return dim >= 0; });
}

namespace {
struct PITLowerAccess : pit::impl::PITLowerAccessBase<PITLowerAccess> {
  void runOnOperation() override {
    SmallVector<Operation *> worklist;
    getOperation().walk([&](Operation *op) {
      if (isa<SReadOp, SWriteOp>(op))
        worklist.push_back(op);
    });
    for (Operation *op : worklist) {
      OpBuilder builder(op);
      Location loc = op->getLoc();
      Value result;
      if (auto read = dyn_cast<SReadOp>(op)) {
        if (read.getTile().empty()) {
          op->emitOpError("covers a whole tensor; run --pit-tile-rules first");
          return signalPassFailure();
        }
        CoordinateReader coordinates(builder, loc, read.getIndex(), read.getTile()[0]);
        Value empty = tensor::EmptyOp::create(builder, loc, cast<RankedTensorType>(read.getType()),
                                              read.getResultExtents());
        int64_t dim = getIndexedDim(read.getDims());
        result = createRowLoop(
            builder, loc, read.getTile()[1], read.getSource(), dim, empty, dim,
            [&](OpBuilder &b, Value i) { return std::make_pair(coordinates.read(b, i), i); }, false);
      } else {
        auto write = cast<SWriteOp>(op);
        if (write.getTile().empty()) {
          op->emitOpError("covers a whole tensor; run --pit-tile-rules first");
          return signalPassFailure();
        }
        CoordinateReader coordinates(builder, loc, write.getIndex(), write.getTile()[0]);
        int64_t dim = getIndexedDim(write.getDims());
        result = createRowLoop(
            builder, loc, write.getTile()[1], write.getSource(), dim, write.getDest(), dim,
            [&](OpBuilder &b, Value i) { return std::make_pair(i, coordinates.read(b, i)); },
            write.getMode() == WriteMode::Accumulate);
      }
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
    }
  }
};
} // namespace
