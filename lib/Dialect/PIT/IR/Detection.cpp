//===- Detection.cpp - Ops that detect live micro-tiles -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/IR/PITBitmap.h"
#include "PIT/Dialect/PIT/IR/PITPacked.h"

#include "Verification.h"

using namespace mlir;
using namespace mlir::pit;

#define GET_OP_CLASSES
#include "PIT/Dialect/PIT/IR/PITBitmapOps.cpp.inc"

#define GET_OP_CLASSES
#include "PIT/Dialect/PIT/IR/PITPackedOps.cpp.inc"

/// Positions of all sequences one after another, as many for each: a multiple
/// of how many sequences there are.
static LogicalResult verifyFlatLengths(Operation *op, Value by,
                                       PatternAttr pattern,
                                       SparseIndexType index) {
  for (unsigned i = 0; i < pattern.getRank(); ++i)
    if (pattern.getTileExtent(i) != 1 || index.getTile()[0] != 1)
      return op->emitOpError("D2: an index of all sequences one after another "
                             "has micro-tiles of one position");
  auto type = cast<ShapedType>(by.getType());
  int64_t extent = index.getExtents()[0];
  if (type.getRank() == 1 && !type.isDynamicDim(0) &&
      !ShapedType::isDynamic(extent) &&
      (type.getDimSize(0) == 0 ? extent != 0
                               : extent % type.getDimSize(0) != 0))
    return op->emitOpError("D2: ")
           << extent << " positions are not those of " << type.getDimSize(0)
           << " sequences of one extent";
  return verifyPatternSource(op, type, pattern, type.getShape());
}

/// What both forms have in common; `source` and `by` may be null.
static LogicalResult verifyDetection(Operation *op, Value source, Value by,
                                     size_t numExtents, PatternAttr pattern,
                                     SparseIndexType index) {
  bool isValues = pattern.getKind() == PatternKind::Values;
  if (static_cast<bool>(source) != isValues ||
      static_cast<bool>(by) == isValues)
    return op->emitOpError(
        "D1: a values pattern takes 'values', any other kind takes 'by'");
  if (numExtents != index.getNumDynamicExtents())
    return op->emitOpError("D3: got ")
           << numExtents << " extents for " << index.getNumDynamicExtents()
           << " dynamic extents of the index";
  if (pattern.getKind() == PatternKind::Lengths && index.getRank() == 1)
    return verifyFlatLengths(op, by, pattern, index);
  if (index.getRank() != pattern.getRank())
    return op->emitOpError("D2: the index has rank ")
           << index.getRank() << ", the pattern space has rank "
           << pattern.getRank();
  for (unsigned i = 0; i < pattern.getRank(); ++i)
    if (index.getTile()[i] != pattern.getTileExtent(i))
      return op->emitOpError("D2: the micro-tile of the index differs from the "
                             "pattern's along axis ")
             << i;
  if (!isValues)
    return verifyPatternSource(op, cast<ShapedType>(by.getType()), pattern,
                               index.getExtents());
  auto type = cast<ShapedType>(source.getType());
  if (!type.getElementType().isIntOrIndexOrFloat())
    return op->emitOpError(
               "C6: elements must be integers, indices or floats, got ")
           << type;
  for (auto [i, axis] : llvm::enumerate(pattern.getAxes().asArrayRef()))
    if (axis >= type.getRank() ||
        extentsDiffer(type.getDimSize(axis), index.getExtents()[i]))
      return op->emitOpError("D2: axis ")
             << axis << " of " << type << " does not fit extent " << i
             << " of the index";
  return success();
}

LogicalResult DetectOp::verify() {
  return verifyDetection(*this, getSource(), getBy(), getExtents().size(),
                         getPattern(), getIndex().getType());
}

void DetectIntoOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    if (isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    else
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  }
}

/// How many segments an index has; dynamic if an extent is.
static int64_t countSegments(SparseIndexType index) {
  int64_t numSegments = 1;
  for (int64_t dim : index.getSegmentDims()) {
    if (index.isDynamicExtent(dim))
      return ShapedType::kDynamic;
    numSegments *=
        llvm::divideCeil(index.getExtents()[dim], index.getTile()[dim]);
  }
  return numSegments;
}

LogicalResult DetectIntoOp::verify() {
  PatternAttr pattern = getPattern();
  SparseIndexType index = getIndexType();
  if (failed(verifyDetection(*this, getSource(), getBy(), getExtents().size(),
                             pattern, index)))
    return failure();
  if (getElementTypeOrSelf(getCoords()).getIntOrFloatBitWidth() !=
      index.getWidth())
    return emitOpError("D4: the index has coordinates of ")
           << index.getWidth() << " bits, the list is "
           << getCoords().getType();
  int64_t numSegments = countSegments(index);
  int64_t numOffsets = cast<ShapedType>(getOffsets().getType()).getDimSize(0);
  if (!ShapedType::isDynamic(numSegments) &&
      extentsDiffer(numOffsets, numSegments + 1))
    return emitOpError("D4: ")
           << numSegments << " segments need " << numSegments + 1
           << " offsets, got " << numOffsets;
  bool onBuffers = isa<MemRefType>(getOffsets().getType());
  for (Value list :
       {getPatternSource(), Value(getOffsets()), Value(getCoords())})
    if (isa<MemRefType>(list.getType()) != onBuffers)
      return emitOpError("D5: mixes tensors and buffers");
  return success();
}

void DetectBitsIntoOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  OpOperand &source = getSource() ? getSourceMutable()[0] : getByMutable()[0];
  effects.emplace_back(MemoryEffects::Read::get(), &source);
  effects.emplace_back(MemoryEffects::Write::get(), &getBitmapMutable());
}

LogicalResult DetectBitsIntoOp::verify() {
  SparseIndexType index = getIndexType();
  if (failed(verifyDetection(*this, getSource(), getBy(), getExtents().size(),
                             getPattern(), index)))
    return failure();
  int64_t numSegments = countSegments(index);
  int64_t extent = index.getExtents()[index.getCoordinate()];
  int64_t length = getBitmap().getType().getDimSize(0);
  if (ShapedType::isDynamic(numSegments) || ShapedType::isDynamic(extent) ||
      ShapedType::isDynamic(length))
    return success();
  int64_t numWords =
      numSegments *
      llvm::divideCeil(llvm::divideCeil(extent, index.getCoordinateTile()), 32);
  if (length < numWords)
    return emitOpError("D6: the bitmap of ")
           << numSegments << " segments takes " << numWords << " words, got "
           << length;
  return success();
}

bool mlir::pit::canPackMicroTiles(PatternAttr pattern, SparseIndexType index) {
  if ((pattern.getKind() != PatternKind::Values &&
       pattern.getKind() != PatternKind::Blocks) ||
      pattern.getAbsent() != Absent::Zero || index.getRank() != 2 ||
      index.getCoordinate() != 1)
    return false;
  return isPacked({index.getTile()[0], index.getTile()[1]});
}

void DetectPackedIntoOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
  for (OpOperand &mask : getByMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &mask);
  for (OpOperand *list :
       {&getCountsMutable(), &getCoordsMutable(), &getValuesMutable()})
    effects.emplace_back(MemoryEffects::Write::get(), list);
}

LogicalResult DetectPackedIntoOp::verify() {
  SparseIndexType index = getIndexType();
  PatternAttr pattern = getPattern();
  if (failed(verifyDetection(*this, getBy() ? Value() : getSource(), getBy(),
                             getExtents().size(), pattern, index)))
    return failure();
  if (!canPackMicroTiles(pattern, index))
    return emitOpError("D7: only micro-tiles of 16, 32 or 64 rows by 1, 2, 4, "
                       "8 or 16 elements, listed along axis 1, whose absent "
                       "value is zero, are packed");
  if (getBy() && !cast<MemRefType>(getBy().getType()).getLayout().isIdentity())
    return emitOpError("D7: a mask must be contiguous, got ")
           << getBy().getType();
  Type element = getElementTypeOrSelf(getSource());
  if (element != getElementTypeOrSelf(getValues()))
    return emitOpError("D7: packs ")
           << element << " into " << getValues().getType();
  constexpr int64_t kAll = 256;
  if (std::optional<int64_t> most = getMostLive();
      most && (*most < 0 || *most > kAll))
    return emitOpError("D7: most_live is from 0 to 256, not ") << *most;
  if (index.isDynamicExtent(0) || index.isDynamicExtent(1))
    return success();
  int64_t rows = index.getTile()[0];
  int64_t lists = llvm::divideCeil(index.getExtents()[0], rows) *
                  llvm::divideCeil(index.getExtents()[1], kPackedPart);
  const std::pair<Value, int64_t> lengths[] = {
      {getCounts(), lists},
      {getCoords(), lists * kPackedPart},
      {getValues(), lists * kPackedPart * rows}};
  for (auto [list, length] : lengths) {
    auto type = cast<MemRefType>(list.getType());
    if (!type.isDynamicDim(0) && type.getDimSize(0) < length)
      return emitOpError("D8: ")
             << lists << " lists take " << length << " elements, got " << type;
  }
  return success();
}
