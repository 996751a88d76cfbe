//===- Match.cpp - Which tiled ops become kernels of their own ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Match.h"

#include "GPU/Host/BufferAccess.h"
#include "GPU/Lists/Payload.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::sums;
using mlir::pit::hopper::findAccessBefore;
using mlir::pit::hopper::mayShareMemory;

/// The one op of the region, if it works on the region's tiles.
static linalg::LinalgOp getOnlyOp(TiledOp op) {
  if (!op.isOnBuffers() || op.getOutputs().size() != 1)
    return {};
  Block &body = op.getRegion().front();
  auto structured = body.getOps<linalg::LinalgOp>();
  if (structured.empty())
    return {};
  linalg::LinalgOp only = *structured.begin();
  if (!isOnlyOp(only, body) || !isArithmetic(only) ||
      only.getNumDpsInits() != 1 ||
      only.getDpsInits()[0] != body.getArguments().back())
    return {};
  for (Value operand : only->getOperands()) {
    auto tile = dyn_cast<BlockArgument>(operand);
    if (!tile || tile.getOwner() != &body ||
        !isElement(getElementTypeOrSelf(operand)))
      return {};
  }
  return only;
}

static bool listsElements(SparseIndexType index) {
  return llvm::all_of(index.getTile().asArrayRef(),
                      [](int64_t size) { return size == 1; });
}

static bool hasStrides(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  return type && type.isStrided() && !type.getMemorySpace();
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Reads off the loops of the tile, the sum's and the columns', what an operand
/// is made of.
static std::optional<Operand> matchOperand(TiledOp op, unsigned number,
                                           AffineMap map, unsigned sumLoop) {
  SparseIndexType index = op.getIndexType();
  ArrayRef<int64_t> dims = op.getOperandDims(number);
  int64_t listed = dims[index.getCoordinate()],
          segment = dims[index.getSegmentDims()[0]];
  Operand operand;
  operand.buffer = op->getOperand(1 + number);
  if ((op.getPacked()[number] && listed != 0) || !hasStrides(operand.buffer) ||
      listed > 0 || segment > 0 || (listed == 0 && segment == 0) ||
      !map.isProjectedPermutation())
    return std::nullopt;
  SmallVector<unsigned> loops;
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    loops.push_back(map.getDimPosition(i));
  ArrayRef<unsigned> columns(loops);
  if (listed == 0) {
    operand.row =
        op.getPacked()[number] ? Operand::Row::Packed : Operand::Row::Listed;
    if (columns.empty() || columns[0] != sumLoop)
      return std::nullopt;
    columns = columns.drop_front();
  } else if (segment == 0) {
    operand.row = Operand::Row::Segment;
  }
  operand.hasColumns = !columns.empty();
  if (columns.size() > 1 || (operand.hasColumns && columns[0] == sumLoop))
    return std::nullopt;
  auto type = cast<MemRefType>(operand.buffer.getType());
  unsigned rank = (operand.row != Operand::Row::All) + operand.hasColumns;
  if (type.getRank() != rank)
    return std::nullopt;
  auto [strides, offset] = type.getStridesAndOffset();
  if (operand.hasColumns && strides.back() != 1)
    return std::nullopt;
  return operand;
}

static bool isElementwise(linalg::LinalgOp op) {
  return op.hasPureBufferSemantics() && op.getNumDpsInits() == 1 &&
         op.getNumLoops() == op.getNumParallelLoops() && isArithmetic(op) &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) &&
         llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
           return !isa<MemRefType>(operand.get().getType()) ||
                  op.getMatchingIndexingMap(&operand).isIdentity();
         });
}

/// The last op before that touches the output, if it sets it to a constant.
static linalg::LinalgOp findFill(TiledOp op) {
  Value output = op.getOutputs()[0];
  auto fill = dyn_cast_or_null<linalg::LinalgOp>(findAccessBefore(op, output));
  // One that is planned is a kernel of its own.
  if (!fill || !isElementwise(fill) || fill.getDpsInits()[0] != output ||
      fill->hasAttr(PITDialect::PlanAttrHelper::getNameStr()) ||
      llvm::any_of(fill.getDpsInputs(), [](Value input) {
        return !input.getDefiningOp<arith::ConstantOp>();
      }))
    return {};
  return fill;
}

/// A buffer with a row of columns for each segment.
static bool hasRows(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  return type && type.getRank() == 2 && hasStrides(buffer) &&
         isElement(type.getElementType()) &&
         type.getStridesAndOffset().first.back() == 1;
}

/// An elementwise op right behind that alone reads the output, maybe with other
/// rows of the segment.
static linalg::LinalgOp findAfter(TiledOp op, linalg::LinalgOp fill) {
  Value sums = op.getOutputs()[0];
  if (!fill || !sums.getDefiningOp<memref::AllocOp>())
    return {};
  Operation *next = op->getNextNode();
  while (next && (isa<memref::AllocOp>(next) || isMemoryEffectFree(next)))
    next = next->getNextNode();
  auto after = dyn_cast_or_null<linalg::LinalgOp>(next);
  if (!after || !isElementwise(after) ||
      llvm::count(after.getDpsInputs(), sums) != 1 ||
      !hasRows(after.getDpsInits()[0]) ||
      after->hasAttr(PITDialect::PlanAttrHelper::getNameStr()))
    return {};
  for (Value input : after.getDpsInputs())
    if (input != sums &&
        (!hasRows(input) || mayShareMemory(input, after.getDpsInits()[0])))
      return {};
  for (Operation *user : sums.getUsers())
    if (user != op && user != after && user != fill &&
        !isa<memref::DeallocOp, memref::DimOp>(user))
      return {};
  return after;
}

std::optional<SumMatch> mlir::pit::sums::matchSum(TiledOp op, MatchLog log) {
  linalg::LinalgOp sum = getOnlyOp(op);
  SparseIndexType index = op.getIndexType();
  if (!sum || index.getRank() != 2 || op.getFlat() || !listsElements(index) ||
      sum.getNumLoops() != 2 || sum.getNumReductionLoops() != 1)
    return log.pass();
  SmallVector<unsigned> reductions;
  sum.getReductionDims(reductions);
  SumMatch match;
  match.op = op;
  match.sum = sum;
  Block &body = op.getRegion().front();
  for (OpOperand &use : sum->getOpOperands()) {
    std::optional<Operand> operand =
        matchOperand(op, cast<BlockArgument>(use.get()).getArgNumber(),
                     sum.getMatchingIndexingMap(&use), reductions[0]);
    if (!operand)
      return log.refuse("operand " + Twine(use.getOperandNumber()) +
                        " of the sum is not one row for each listed element, "
                        "for each segment or for all, with contiguous columns");
    if (sum.isDpsInit(&use))
      match.output = *operand;
    else
      match.inputs.push_back(*operand);
  }
  if (match.output.row != Operand::Row::Segment || !match.output.hasColumns ||
      op.getOperandDims(body.getNumArguments() - 1)[index.getCoordinate()] >= 0)
    return log.refuse("the result is not a row of columns for each segment");
  // Rows are written while others are still read.
  Value sums = match.output.buffer;
  match.fill = findFill(op);
  match.after = findAfter(op, match.fill);
  if (match.after) {
    match.output.buffer = match.after.getDpsInits()[0];
    for (Value input : match.after.getDpsInputs())
      match.afterInputs.push_back({input == sums ? Value() : input,
                                   Operand::Row::Segment,
                                   /*hasColumns=*/true});
  }
  for (const Operand &input : match.inputs)
    if (mayShareMemory(input.buffer, sums) ||
        mayShareMemory(input.buffer, match.output.buffer))
      return log.refuse("the result may share memory with an input");
  return match;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// The number of the operand whose tile a value is.
static std::optional<unsigned> getOperand(TiledOp op, Value tile) {
  auto argument = dyn_cast<BlockArgument>(tile);
  if (!argument || argument.getOwner() != &op.getRegion().front() ||
      !isElement(getElementTypeOrSelf(tile)))
    return std::nullopt;
  return argument.getArgNumber();
}

/// A region that only copies an input's tile to the output's.
static std::optional<NumbersMatch> matchCopy(TiledOp op) {
  Block &body = op.getRegion().front();
  if (!op.isOnBuffers() || !llvm::hasSingleElement(body.without_terminator()))
    return std::nullopt;
  auto copy = dyn_cast<memref::CopyOp>(body.front());
  if (!copy)
    return std::nullopt;
  std::optional<unsigned> from = getOperand(op, copy.getSource()),
                          to = getOperand(op, copy.getTarget());
  if (!from || to != op.getInputs().size() || from == to ||
      cast<MemRefType>(copy.getSource().getType()).getRank() != 1)
    return std::nullopt;
  NumbersMatch match;
  match.op = op;
  match.inputs.push_back(*from);
  return match;
}

/// A region that computes each number from others of the same place.
static std::optional<NumbersMatch> matchCompute(TiledOp op) {
  linalg::LinalgOp compute = getOnlyOp(op);
  if (!compute || compute.getNumLoops() != 1 ||
      compute.getNumParallelLoops() != 1 ||
      compute.payloadUsesValueFromOperand(compute.getDpsInitOperand(0)))
    return std::nullopt;
  NumbersMatch match;
  match.op = op;
  match.compute = compute;
  int64_t coordinate = op.getIndexType().getCoordinate();
  for (OpOperand &use : compute->getOpOperands()) {
    unsigned operand = *getOperand(op, use.get());
    if (op.getOperandDims(operand)[coordinate] >= 0 &&
        !compute.getMatchingIndexingMap(&use).isIdentity())
      return std::nullopt;
    if (!compute.isDpsInit(&use))
      match.inputs.push_back(operand);
  }
  return match;
}

std::optional<NumbersMatch> mlir::pit::sums::matchNumbers(TiledOp op,
                                                          MatchLog log) {
  if (op.getOutputs().size() != 1 || !listsElements(op.getIndexType()) ||
      !op.getPacked().back())
    return log.pass();
  std::optional<NumbersMatch> match = matchCompute(op);
  if (!match)
    match = matchCopy(op);
  if (!match)
    return log.pass();
  match->output = op.getInputs().size();
  SmallVector<unsigned> operands(match->inputs);
  operands.push_back(match->output);
  for (unsigned number : operands) {
    Value operand = op->getOperand(1 + number);
    // Every dimension belongs to the index.
    int64_t numIndexed = llvm::count_if(op.getOperandDims(number),
                                        [](int64_t dim) { return dim >= 0; });
    if (!hasStrides(operand) ||
        cast<MemRefType>(operand.getType()).getRank() != numIndexed ||
        (number != match->output &&
         mayShareMemory(operand, op.getOutputs()[0])))
      return log.refuse("operand " + Twine(number) +
                        " has axes that are not listed, no strides, or shares "
                        "memory with the result");
  }
  return match;
}
