//===- Problem.cpp - One attention, as its kernels see it -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problem.h"

#include "GPU/Host/Buffers.h"
#include "GPU/Lists/ListSearch.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using mlir::pit::detect::HostMath;
using mlir::pit::detect::Kernel;

Value mlir::pit::attention::getBufferStride(HostMath &host, Value buffer,
                                            unsigned dimension) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (succeeded(type.getStridesAndOffset(strides, offset)) &&
      !ShapedType::isDynamic(strides[dimension]))
    return host.constant(strides[dimension]);
  if (!type.getLayout().isIdentity())
    return memref::ExtractStridedMetadataOp::create(host, buffer)
        .getStrides()[dimension];
  Value stride = host.constant(1);
  for (unsigned inner = dimension + 1; inner < type.getRank(); ++inner)
    stride = host.mul(stride, sums::getExtent(host, buffer, inner));
  return stride;
}

SmallVector<unsigned> mlir::pit::attention::getGroupAxes(AttendOp op) {
  // A sink may differ between heads: it is computed for each row.
  SmallVector<BlockArgument> arguments = op.getArgumentsOf(op.getLogit());
  SmallVector<unsigned> axes;
  for (unsigned axis = 0; axis < op.getNumBatchAxes(); ++axis) {
    bool isShared = !op.getDimension(Key, axis) &&
                    !op.getDimension(Values, axis) &&
                    op.getDimension(Query, axis) &&
                    !llvm::is_contained(arguments, op.getPosition(axis));
    for (unsigned i = 0; i < op.getModifiers().size(); ++i)
      isShared &= !llvm::is_contained(arguments, op.getModifierArgument(i)) ||
                  !op.getDimension(FirstModifier + i, axis);
    if (isShared && !ShapedType::isDynamic(op.getAxisExtent(axis)))
      axes.push_back(axis);
  }
  return axes;
}

Problem::Problem(AttendOp op, HostMath &host)
    : op(op), host(host), numBatchAxes(op.getNumBatchAxes()),
      scoreWidth(op.getAxisExtent(op.getScoreAxis())),
      valueWidth(op.getAxisExtent(op.getValueAxis())),
      element(cast<ShapedType>(op.getQuery().getType()).getElementType()) {
  if (AttentionPlanAttr plan = op.getPlanAttr(); plan && plan.getGroups())
    rowAxes = getGroupAxes(op);
}

Value Problem::getRows() {
  Value &rows = cache("rows", 0, 0);
  if (!rows) {
    rows = getExtent(getQueryAxis());
    for (unsigned axis : rowAxes)
      rows = host.mul(rows, getExtent(axis));
  }
  return rows;
}

Value Problem::getLastRow() {
  if (rowAxes.empty())
    return getLast(getQueryAxis());
  Value &last = cache("last row", 0, 0);
  if (!last)
    last = host.createOrFold<arith::SubIOp>(getRows(), host.constant(1));
  return last;
}

Value Problem::getRowTiles(int64_t rows) {
  if (rowAxes.empty())
    return getTiles(getQueryAxis(), rows);
  Value &tiles = cache("tiles of rows", 0, rows);
  if (!tiles)
    tiles = host.ceilDiv(getRows(), rows);
  return tiles;
}

SmallVector<Value> Problem::splitRow(Kernel &b, Value row) {
  SmallVector<Value> numbers(numBatchAxes + 1);
  auto takeInnermost = [&](unsigned axis) {
    Value extent = b.number(getExtent(axis));
    numbers[axis] = b.remainder(row, extent);
    row = b.divide(row, extent);
  };
  if (rowAxes.empty()) {
    numbers[getQueryAxis()] = row;
    return numbers;
  }
  takeInnermost(getQueryAxis());
  for (unsigned axis : llvm::reverse(rowAxes)) {
    if (axis == rowAxes.front())
      numbers[axis] = row;
    else
      takeInnermost(axis);
  }
  return numbers;
}

Value Problem::getRowOffset(Kernel &b, unsigned operand, Value row) {
  Value offset;
  SmallVector<Value> numbers = splitRow(b, row);
  for (auto [axis, number] : llvm::enumerate(numbers)) {
    if (!number)
      continue;
    Value stride = getStrideBytes(b, operand, axis);
    Value bytes = b.mul(b.extend(number), stride);
    offset = offset ? b.add(offset, bytes) : bytes;
  }
  return offset;
}

Value Problem::getExtent(unsigned axis) {
  Value &extent = cache("extent", axis, 0);
  if (!extent)
    extent = computeExtent(axis);
  return extent;
}

Value Problem::getLast(unsigned axis) {
  Value extent = getExtent(axis);
  Value &last = cache("last", axis, 0);
  if (!last)
    last = host.createOrFold<arith::SubIOp>(extent, host.constant(1));
  return last;
}

Value Problem::getTiles(unsigned axis, int64_t tile) {
  Value extent = getExtent(axis);
  Value &tiles = cache("tiles", axis, tile);
  if (!tiles)
    tiles = host.ceilDiv(extent, tile);
  return tiles;
}

Value Problem::computeExtent(unsigned axis) {
  if (int64_t known = getKnownExtent(axis); !ShapedType::isDynamic(known))
    return host.constant(known);
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    if (std::optional<unsigned> dimension = op.getDimension(number, axis))
      return sums::getExtent(host, operand, *dimension);
  return host.constant(1);
}

Value Problem::getStride(unsigned operand, unsigned axis) {
  std::optional<unsigned> dimension = op.getDimension(operand, axis);
  if (!dimension)
    return {};
  Value &stride = cache("stride", operand, axis);
  if (!stride)
    stride = getBufferStride(host, op->getOperand(operand), *dimension);
  return stride;
}

bool Problem::hasVectors(unsigned operand, unsigned axis, int64_t elements) {
  auto isMultiple = [&](Value stride) {
    std::optional<int64_t> known = detect::getKnown(stride);
    return known && *known % elements == 0;
  };
  Value stride = getStride(operand, axis);
  if (!stride || detect::getKnown(stride) != 1)
    return false;
  for (unsigned other = 0; other < numBatchAxes + 2; ++other)
    if (Value stride = getStride(operand, other);
        other != axis && stride && !isMultiple(stride))
      return false;
  auto type = cast<MemRefType>(op->getOperand(operand).getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) &&
         !ShapedType::isDynamic(offset) && offset % elements == 0;
}

int64_t Problem::getElementBytes(unsigned operand) {
  auto type = cast<ShapedType>(op->getOperand(operand).getType());
  return llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

Value Problem::getStrideBytes(Kernel &b, unsigned operand, unsigned axis) {
  Value stride = getStride(operand, axis);
  if (!stride)
    return {};
  Value &bytes = cache("stride in bytes", operand, axis);
  if (!bytes)
    bytes = host.mul(stride, getElementBytes(operand));
  return b.number(bytes, 64);
}

/// The address of an operand's first element.
Value Problem::getStart(Kernel &b, unsigned operand) {
  Value buffer = op->getOperand(operand);
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  Value &base = cache("base", operand, 0);
  bool isKnown = succeeded(type.getStridesAndOffset(strides, offset)) &&
                 !ShapedType::isDynamic(offset);
  Value &start = cache("start", operand, 0);
  if (!base) {
    auto metadata = memref::ExtractStridedMetadataOp::create(host, buffer);
    base = metadata.getBaseBuffer();
    start = host.mul(isKnown ? host.constant(offset) : metadata.getOffset(),
                     getElementBytes(operand));
  }
  return b.advance(b.pointer(base), b.number(start, 64));
}

Value Problem::getAddress(Kernel &b, unsigned operand,
                          ArrayRef<Value> position) {
  Value address = getStart(b, operand);
  for (auto [axis, number] : llvm::enumerate(position)) {
    if (!number)
      continue;
    if (Value stride = getStrideBytes(b, operand, axis))
      address = b.advance(address, b.mul(b.extend(number), stride));
  }
  return address;
}

Value Problem::getBatchSize() {
  Value &size = cache("batch", 0, 0);
  if (!size) {
    size = host.constant(1);
    for (unsigned axis = 0; axis < numBatchAxes; ++axis)
      if (!isRowAxis(axis))
        size = host.mul(size, getExtent(axis));
  }
  return size;
}

SmallVector<Value> Problem::splitBatch(Kernel &b, Value number) {
  SmallVector<Value> digits(numBatchAxes);
  unsigned outermost = 0;
  while (isRowAxis(outermost))
    ++outermost;
  for (unsigned axis = numBatchAxes; axis-- > 0;) {
    if (isRowAxis(axis))
      continue;
    if (axis == outermost) {
      digits[axis] = number;
      break;
    }
    Value extent = b.number(getExtent(axis));
    digits[axis] = b.remainder(number, extent);
    number = b.divide(number, extent);
  }
  return digits;
}

/// How many points of the batch have keys and values of so many bytes.
Value Problem::getPointsOfGroup(unsigned axis, unsigned operand, Value points,
                                int64_t cachedBytes) {
  // What points share counts once.
  Value rows = getExtent(axis);
  for (unsigned ofBatch = 0; ofBatch < numBatchAxes; ++ofBatch)
    if (op.getDimension(operand, ofBatch))
      rows = host.mul(rows, getExtent(ofBatch));
  Value bytes =
      host.mul(rows, (scoreWidth + valueWidth) * getElementBytes(operand));
  Value fitting = host.createOrFold<arith::DivUIOp>(
      host.mul(points, cachedBytes), host.max(bytes, host.constant(1)));
  return host.max(host.min(fitting, points), host.constant(1));
}

Problem::TileOfBlock Problem::getTileOfBlock(Kernel &b, Value block,
                                             Value tiles, Value points,
                                             Value pointsOfGroup) {
  Value ofGroup = b.number(pointsOfGroup);
  Value blocks = b.number(host.mul(pointsOfGroup, tiles));
  Value first = b.mul(b.divide(block, blocks), ofGroup);
  Value rest = b.remainder(block, blocks);
  // The last group may have fewer.
  Value size = b.minimum(ofGroup, b.sub(b.number(points), first));
  return {b.add(first, b.remainder(rest, size)), b.divide(rest, size)};
}

Problem::TileOfBlock Problem::getTileOfBlock(Kernel &b, Value block,
                                             int64_t queries,
                                             int64_t cachedBytes) {
  Value tiles = getRowTiles(queries), points = getBatchSize();
  TileOfBlock found =
      getTileOfBlock(b, block, tiles, points,
                     getPointsOfGroup(getKeyAxis(), Key, points, cachedBytes));
  return {found.point, b.sub(b.number(tiles), b.add(found.tile, 1))};
}

Value Problem::forEachTile(Kernel &b, int64_t queries, int64_t cachedBytes,
                           function_ref<void(ArrayRef<Value>, Value)> body) {
  Value count = host.mul(getRowTiles(queries), getBatchSize());
  b.ifThen(b.isLess(b.blockId(), b.number(count)), [&] {
    TileOfBlock found = getTileOfBlock(b, b.blockId(), queries, cachedBytes);
    body(splitBatch(b, found.point), found.tile);
  });
  return host.max(count, host.constant(1));
}
