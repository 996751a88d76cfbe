//===- Match.cpp - Which tiled ops compute rows from rows -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Match.h"

#include "GPU/Host/BufferAccess.h"
#include "GPU/Lists/DetectedLists.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;
using mlir::pit::hopper::findAccessBefore;
using mlir::pit::hopper::getRootBuffer;
using mlir::pit::hopper::mayShareMemory;

namespace {

class Matcher {
public:
  Matcher(TiledOp op, MatchLog log)
      : op(op), log(log), body(op.getRegion().front()) {}

  std::optional<RowsMatch> run();

private:
  std::optional<Operand::Rows> findRows(unsigned number);
  bool matchOperands();
  bool matchStep(Operation &step);
  bool areApart();
  linalg::FillOp findFill(const Operand &operand);

  TiledOp op;
  MatchLog log;
  RowsMatch match;
  Block &body;
  /// Of the region's tiles and buffers.
  RowShapes shapes;
};

} // namespace

/// What names the rows of an operand that has rows.
std::optional<Operand::Rows> Matcher::findRows(unsigned number) {
  SparseIndexType index = op.getIndexType();
  ArrayRef<int64_t> dims = op.getOperandDims(number);
  int64_t axis = dims[index.getCoordinate()];
  unsigned count = llvm::count_if(dims, [](int64_t dim) { return dim >= 0; });
  if (op.getPacked()[number])
    return axis == 0 ? std::optional(Operand::Rows::Packed) : std::nullopt;
  if (count == 2 && index.getRank() == 2) {
    int64_t segments = dims[1 - index.getCoordinate()];
    return axis + segments == 1 ? std::optional(Operand::Rows::Points)
                                : std::nullopt;
  }
  // Of several segments, a row that the coordinate alone names may be written
  // more than once.
  bool isWrittenOnce = index.getRank() == 1 || number < op.getInputs().size() ||
                       listsRowsOnce(op);
  return axis == 0 && count == 1 && isWrittenOnce
             ? std::optional(Operand::Rows::Listed)
             : std::nullopt;
}

bool Matcher::matchOperands() {
  SparseIndexType index = op.getIndexType();
  int64_t coordinate = index.getCoordinate();
  for (BlockArgument tile : body.getArguments()) {
    unsigned number = tile.getArgNumber();
    ArrayRef<int64_t> dims = op.getOperandDims(number);
    Operand operand;
    operand.buffer = op->getOperand(1 + number);
    operand.inside = tile;
    operand.isOutput = number >= op.getInputs().size();
    auto type = dyn_cast<MemRefType>(operand.buffer.getType());
    if (!type || !type.isStrided() || type.getMemorySpace())
      return false;
    if (dims[coordinate] >= 0) {
      std::optional<Operand::Rows> rows = findRows(number);
      if (!rows)
        return false;
      operand.rows = *rows;
      operand.hasSegmentsFirst = dims[coordinate] != 0;
    } else if (op.getPacked()[number] ||
               llvm::any_of(dims, [](int64_t dim) { return dim >= 0; }) ||
               operand.isOutput) {
      return false;
    }
    bool hasRows = operand.rows != Operand::Rows::Shared;
    if (!shapes.add(tile, hasRows))
      return false;
    operand.hasColumns = shapes.find(tile)->hasColumns;
    int64_t numNames = operand.rows == Operand::Rows::Points ? 2 : hasRows;
    if (type.getRank() != numNames + operand.hasColumns ||
        (operand.hasColumns && type.getStridesAndOffset().first.back() != 1))
      return false;
    match.operands.push_back(operand);
  }
  return true;
}

bool Matcher::matchStep(Operation &step) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(step)) {
    match.steps.push_back(&step);
    return shapes.accept(structured);
  }
  if (auto copy = dyn_cast<memref::CopyOp>(step)) {
    match.steps.push_back(&step);
    const RowShapes::Shape *from = shapes.find(copy.getSource()),
                           *to = shapes.find(copy.getTarget());
    return from && to && from->hasRows && to->hasRows &&
           from->hasColumns == to->hasColumns;
  }
  if (auto alloc = dyn_cast<memref::AllocOp>(step))
    return alloc.getType().getRank() > 0 && alloc.getType().isDynamicDim(0) &&
           shapes.add(alloc, /*hasRows=*/true);
  return isa<memref::DeallocOp>(step) || isMemoryEffectFree(&step);
}

/// Whether no row is written that another one is computed from.
bool Matcher::areApart() {
  for (const Operand &output : match.operands)
    for (const Operand &other : match.operands) {
      if (!output.isOutput || &other == &output ||
          !mayShareMemory(other.buffer, output.buffer))
        continue;
      if (other.isOutput || other.buffer != output.buffer ||
          other.rows != output.rows)
        return false;
    }
  return true;
}

/// The last op before that touches the output, if it sets all of it to a
/// constant.
linalg::FillOp Matcher::findFill(const Operand &operand) {
  if (!operand.isOutput || operand.rows != Operand::Rows::Listed)
    return {};
  Value root = getRootBuffer(operand.buffer);
  if (!root.getDefiningOp<memref::AllocOp>())
    return {};
  auto numElements = [](Value buffer) -> std::optional<int64_t> {
    auto type = cast<MemRefType>(buffer.getType());
    if (!type.hasStaticShape())
      return std::nullopt;
    return type.getNumElements();
  };
  // All of the root's elements, perhaps in another shape; of what is not known,
  // only the buffer itself has them all.
  auto isWhole = [&](Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    return buffer == root ||
           (getRootBuffer(buffer) == root && type.getLayout().isIdentity() &&
            numElements(root) && numElements(root) == numElements(buffer));
  };
  if (!isWhole(operand.buffer))
    return {};
  auto fill = dyn_cast_or_null<linalg::FillOp>(findAccessBefore(op, root));
  // One that is planned is a kernel of its own.
  if (!fill || !isWhole(fill.getOutputs()[0]) ||
      fill->hasAttr(PITDialect::PlanAttrHelper::getNameStr()) ||
      !fill.getInputs()[0].getDefiningOp<arith::ConstantOp>())
    return {};
  return fill;
}

std::optional<RowsMatch> Matcher::run() {
  SparseIndexType index = op.getIndexType();
  if (!op.isOnBuffers() ||
      llvm::any_of(index.getTile().asArrayRef(),
                   [](int64_t extent) { return extent != 1; }))
    return log.pass();
  if (llvm::any_of(index.getSegmentDims(),
                   [&](int64_t dim) { return index.isDynamicExtent(dim); }))
    return log.refuse("the number of segments is dynamic");
  if (!matchOperands())
    return log.refuse("operand " + Twine(match.operands.size()) +
                      " is not one row for each place in the list, or one that "
                      "all rows share, with contiguous columns of a number "
                      "that is known");
  for (Operation &step : body.without_terminator())
    if (!matchStep(step))
      return log.refuse("'" + step.getName().getStringRef() + "' at " +
                        remarks::spell(step.getLoc()) +
                        " is not elementwise or a reduction along rows");
  if (match.steps.empty())
    return log.pass();
  if (!areApart())
    return log.refuse("a row may be written from which another one is "
                      "computed");
  match.columns = shapes.getColumns();
  for (Operand &operand : match.operands)
    operand.fill = findFill(operand);
  return std::move(match);
}

std::optional<RowsMatch> mlir::pit::rows::matchRows(TiledOp op, MatchLog log) {
  return Matcher(op, log).run();
}
