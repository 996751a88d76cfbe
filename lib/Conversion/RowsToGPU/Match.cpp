//===- Match.cpp - Which tiled ops compute rows from rows -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Match.h"

#include "../LinalgToHopper/BufferAccess.h"
#include "../SumsToGPU/Payload.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;
using mlir::pit::hopper::getRootBuffer;
using mlir::pit::hopper::mayAccess;

Operation *mlir::pit::rows::getCombiner(linalg::LinalgOp reduction) {
  SmallVector<Operation *> combiners;
  if (!matchReduction(reduction.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1)
    return nullptr;
  Operation *combiner = combiners[0];
  if (combiner->getNumOperands() != 2 || combiner->getNumResults() != 1 ||
      combiner->getOperand(0) == combiner->getOperand(1) ||
      !arith::getNeutralElement(combiner))
    return nullptr;
  return combiner;
}

namespace {

class Matcher {
public:
  explicit Matcher(TiledOp op) : body(op.getRegion().front()) { match.op = op; }

  std::optional<RowsMatch> run();

private:
  /// What the region knows of a buffer.
  struct Shape {
    bool hasRows = false, hasColumns = false;
  };

  bool matchOperands();
  bool addShape(Value buffer, bool hasRows);
  bool matchStep(Operation &op);
  bool matchStructured(linalg::LinalgOp op);
  bool areApart();
  linalg::LinalgOp findFill(unsigned output);

  RowsMatch match;
  Block &body;
  DenseMap<Value, Shape> shapes;
  std::optional<int64_t> columns;
};

} // namespace

/// Enters a tile or a buffer of the region, of rows or of what they share.
bool Matcher::addShape(Value buffer, bool hasRows) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || type.getMemorySpace() || !sums::isElement(type.getElementType()))
    return false;
  int64_t rank = type.getRank() - hasRows;
  if (rank < 0 || rank > 1)
    return false;
  shapes[buffer] = {hasRows, rank == 1};
  if (rank == 0)
    return true;
  int64_t extent = type.getShape().back();
  if (ShapedType::isDynamic(extent) || extent < 1 || extent > kMostColumns)
    return false;
  if (!columns)
    columns = extent;
  return *columns == extent;
}

bool Matcher::matchOperands() {
  TiledOp op = match.op;
  SparseIndexType index = op.getIndexType();
  int64_t coordinate = index.getCoordinate();
  for (BlockArgument tile : body.getArguments()) {
    unsigned number = tile.getArgNumber();
    ArrayRef<int64_t> dims = op.getOperandDims(number);
    Operand operand;
    operand.buffer = op->getOperand(1 + number);
    auto type = dyn_cast<MemRefType>(operand.buffer.getType());
    if (!type || !type.isStrided() || type.getMemorySpace())
      return false;
    if (dims[coordinate] >= 0) {
      bool packed = op.getPacked()[number];
      // A row is named by the coordinate alone, or by its place in the list.
      if (dims[coordinate] != 0 || (!packed && index.getRank() != 1))
        return false;
      operand.rows = packed ? Operand::Rows::Packed : Operand::Rows::Listed;
    } else if (op.getPacked()[number] ||
               llvm::any_of(dims, [](int64_t dim) { return dim >= 0; }) ||
               number >= op.getInputs().size()) {
      return false;
    }
    bool hasRows = operand.rows != Operand::Rows::Shared;
    if (!addShape(tile, hasRows))
      return false;
    operand.hasColumns = shapes[tile].hasColumns;
    if (type.getRank() != int64_t(hasRows) + operand.hasColumns ||
        (operand.hasColumns && type.getStridesAndOffset().first.back() != 1))
      return false;
    match.operands.push_back(operand);
  }
  return true;
}

/// Loops are the rows, and perhaps the columns.
bool Matcher::matchStructured(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumLoops() < 1 || op.getNumLoops() > 2 || !sums::isArithmetic(op))
    return false;
  SmallVector<utils::IteratorType> loops = op.getIteratorTypesArray();
  bool reduces = loops.back() == utils::IteratorType::reduction;
  if (loops[0] != utils::IteratorType::parallel ||
      (reduces && (loops.size() != 2 || !getCombiner(op))))
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!isa<MemRefType>(operand.get().getType())) {
      if (!operand.get().getDefiningOp<arith::ConstantOp>())
        return false;
      continue;
    }
    auto it = shapes.find(operand.get());
    if (it == shapes.end() || !map.isProjectedPermutation())
      return false;
    SmallVector<unsigned> expected;
    if (it->second.hasRows)
      expected.push_back(0);
    if (it->second.hasColumns)
      expected.push_back(1);
    if (map.getNumResults() != expected.size())
      return false;
    for (auto [i, loop] : llvm::enumerate(expected))
      if (map.getDimPosition(i) != loop)
        return false;
    // The rows' own, one number for a reduction.
    if (op.isDpsInit(&operand) &&
        (!it->second.hasRows ||
         it->second.hasColumns != (loops.size() == 2 && !reduces)))
      return false;
  }
  return true;
}

bool Matcher::matchStep(Operation &op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    match.steps.push_back(&op);
    return matchStructured(structured);
  }
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    match.steps.push_back(&op);
    auto from = shapes.find(copy.getSource()),
         to = shapes.find(copy.getTarget());
    return from != shapes.end() && to != shapes.end() && from->second.hasRows &&
           to->second.hasRows &&
           from->second.hasColumns == to->second.hasColumns;
  }
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    return alloc.getType().getRank() > 0 && alloc.getType().isDynamicDim(0) &&
           addShape(alloc, /*hasRows=*/true);
  return isa<memref::DeallocOp>(op) || isMemoryEffectFree(&op);
}

/// Whether no row is written that another one is computed from.
bool Matcher::areApart() {
  TiledOp op = match.op;
  unsigned numInputs = op.getInputs().size();
  for (unsigned out = numInputs; out < match.operands.size(); ++out)
    for (unsigned i = 0; i < match.operands.size(); ++i) {
      const Operand &a = match.operands[i], &b = match.operands[out];
      if (i == out || getRootBuffer(a.buffer) != getRootBuffer(b.buffer))
        continue;
      if (i >= numInputs || a.buffer != b.buffer || a.rows != b.rows)
        return false;
    }
  return true;
}

/// The last op before that touches the output, if it sets all of it to a
/// constant.
linalg::LinalgOp Matcher::findFill(unsigned output) {
  const Operand &operand = match.operands[output];
  if (operand.rows != Operand::Rows::Listed)
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
  for (Operation *before = match.op->getPrevNode(); before;
       before = before->getPrevNode()) {
    if (!mayAccess(before, root))
      continue;
    auto fill = dyn_cast<linalg::FillOp>(before);
    if (!fill || !isWhole(fill.getOutputs()[0]) ||
        !fill.getInputs()[0].getDefiningOp<arith::ConstantOp>())
      return {};
    return cast<linalg::LinalgOp>(before);
  }
  return {};
}

std::optional<RowsMatch> Matcher::run() {
  SparseIndexType index = match.op.getIndexType();
  if (!match.op.isOnBuffers() ||
      llvm::any_of(index.getTile().asArrayRef(),
                   [](int64_t extent) { return extent != 1; }) ||
      llvm::any_of(index.getSegmentDims(),
                   [&](int64_t dim) { return index.isDynamicExtent(dim); }) ||
      !matchOperands())
    return std::nullopt;
  for (Operation &op : body.without_terminator())
    if (!matchStep(op))
      return std::nullopt;
  if (match.steps.empty() || !areApart())
    return std::nullopt;
  match.columns = columns.value_or(1);
  for (unsigned i = match.op.getInputs().size(); i < match.operands.size(); ++i)
    match.fills.push_back(findFill(i));
  return std::move(match);
}

std::optional<RowsMatch> mlir::pit::rows::matchRows(TiledOp op) {
  return Matcher(op).run();
}
