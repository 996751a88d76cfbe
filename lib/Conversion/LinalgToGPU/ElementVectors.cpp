//===- ElementVectors.cpp - Elementwise ops, 16 bytes at a time -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementVectors.h"
#include "StructuredOps.h"

#include "PIT/Dialect/PIT/Utils/Subscripts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::pit;

/// What a load moves at most, and how many bytes of a wider operand a thread
/// may hold for the sake of a narrower one.
static constexpr int64_t kVectorBytes = 16, kMostBytes = 32;

/// Bytes of an element that vectors in memory may have, or 0.
static int64_t getBytes(Type type) {
  if (!type.isIntOrFloat() || isa<IndexType>(type))
    return 0;
  unsigned bits = type.getIntOrFloatBitWidth();
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? bits / 8 : 0;
}

/// Whether the buffer is an argument or an allocation, which are aligned, or a
/// view of one that lies where its type says.
static bool isAligned(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>()) {
    if (isa<memref::ViewOp>(view))
      return false;
    buffer = view.getViewSource();
  }
  return isa<BlockArgument>(buffer) || buffer.getDefiningOp<memref::AllocOp>();
}

/// Whether groups of `length` points along `loop`, the first one's number a
/// multiple of that, are neighbours in the buffer, and begin at multiples.
static bool liesInGroups(MemRefType type, AffineMap map, unsigned loop,
                         int64_t length) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (type.getRank() == 0 || failed(type.getStridesAndOffset(strides, offset)))
    return false;
  int64_t last = type.getRank() - 1;
  for (auto [axis, expression] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expression);
    bool isAlong = int64_t(axis) == last;
    if (isAlong != expression.isFunctionOfDim(loop) || (isAlong && !dim))
      return false;
  }
  auto isMultiple = [&](int64_t elements) {
    return ShapedType::isStatic(elements) && elements % length == 0;
  };
  if (strides[last] != 1 || !isMultiple(offset))
    return false;
  // All other strides are multiples of this extent.
  if (type.getLayout().isIdentity())
    return isMultiple(type.getDimSize(last));
  return llvm::all_of(ArrayRef(strides).drop_back(), isMultiple);
}

int64_t mlir::pit::getPointsAtATime(linalg::LinalgOp op) {
  ThreadLoops loops = chooseThreadLoops(op);
  if (!loops.sequential.empty() || loops.distributed.empty())
    return 1;
  unsigned fastest = loops.distributed.back();
  int64_t extent = op.getStaticLoopRanges()[fastest];
  if (ShapedType::isDynamic(extent) || extent == 0)
    return 1;
  int64_t least = kVectorBytes, most = 1;
  SmallVector<std::pair<MemRefType, AffineMap>> moving;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!type || !map.isFunctionOfDim(fastest))
      continue;
    int64_t bytes = getBytes(type.getElementType());
    if (!bytes || type.getMemorySpace() || !isAligned(operand.get()))
      return 1;
    least = std::min(least, bytes);
    most = std::max(most, bytes);
    moving.emplace_back(type, map);
  }
  for (int64_t length = std::min(kVectorBytes / least, kMostBytes / most);
       length > 1; length /= 2)
    if (extent % length == 0 && llvm::all_of(moving, [&](const auto &operand) {
          return liesInGroups(operand.first, operand.second, fastest, length);
        }))
      return length;
  return 1;
}

namespace {

/// Emits the points of a group.
class GroupEmitter {
public:
  GroupEmitter(linalg::LinalgOp op, int64_t length)
      : op(op), loops(chooseThreadLoops(op)), length(length), builder(op),
        loc(op.getLoc()), extents(createLoopExtents(builder, op)),
        ivs(op.getNumLoops()) {}

  void run(Value first, Value stride);

private:
  bool moves(OpOperand &operand) {
    return isa<MemRefType>(operand.get().getType()) &&
           op.getMatchingIndexingMap(&operand).isFunctionOfDim(
               loops.distributed.back());
  }
  /// The group's elements of an operand that varies within it, and how they
  /// are aligned.
  VectorType getVectorType(OpOperand &operand) {
    return VectorType::get({length}, getElementTypeOrSelf(operand.get()));
  }
  llvm::MaybeAlign getAlignment(OpOperand &operand) {
    int64_t bytes = length * getBytes(getElementTypeOrSelf(operand.get()));
    return llvm::Align(std::min(bytes, kVectorBytes));
  }
  void delinearize(Value group);
  SmallVector<Value> getIndices(OpOperand &operand);
  SmallVector<Value> load(OpOperand &operand);

  linalg::LinalgOp op;
  ThreadLoops loops;
  int64_t length;
  OpBuilder builder;
  Location loc;
  SmallVector<Value> extents, ivs;
};

} // namespace

/// Sets the loops' variables to those of the group's first point.
void GroupEmitter::delinearize(Value group) {
  Value factor = arith::ConstantIndexOp::create(builder, loc, length);
  for (unsigned loop : llvm::reverse(loops.distributed)) {
    bool isFastest = loop == loops.distributed.back();
    Value extent = extents[loop];
    if (isFastest)
      extent = builder.createOrFold<arith::DivUIOp>(loc, extent, factor);
    if (loop == loops.distributed.front()) {
      ivs[loop] = group;
    } else {
      ivs[loop] = arith::RemUIOp::create(builder, loc, group, extent);
      group = arith::DivUIOp::create(builder, loc, group, extent);
    }
    if (isFastest)
      ivs[loop] = arith::MulIOp::create(builder, loc, ivs[loop], factor);
  }
}

SmallVector<Value> GroupEmitter::getIndices(OpOperand &operand) {
  return llvm::map_to_vector(op.getMatchingIndexingMap(&operand).getResults(),
                             [&](AffineExpr expr) {
                               return createSubscript(builder, loc, expr, ivs);
                             });
}

/// One value per point.
SmallVector<Value> GroupEmitter::load(OpOperand &operand) {
  Value buffer = operand.get();
  if (!isa<MemRefType>(buffer.getType()))
    return SmallVector<Value>(length, buffer);
  if (!moves(operand))
    return SmallVector<Value>(
        length,
        memref::LoadOp::create(builder, loc, buffer, getIndices(operand)));
  Value vector = vector::LoadOp::create(
      builder, loc, getVectorType(operand), buffer, getIndices(operand),
      /*nontemporal=*/false, getAlignment(operand));
  return llvm::map_to_vector(llvm::seq(length), [&](int64_t i) -> Value {
    return vector::ExtractOp::create(builder, loc, vector, i);
  });
}

void GroupEmitter::run(Value first, Value stride) {
  Value points = createThreadPoints(builder, loc, loops, extents);
  Value factor = arith::ConstantIndexOp::create(builder, loc, length);
  Value groups = arith::DivUIOp::create(builder, loc, points, factor);
  auto loop = scf::ForOp::create(builder, loc, first, groups, stride);
  builder.setInsertionPointToStart(loop.getBody());
  delinearize(loop.getInductionVar());

  SmallVector<SmallVector<Value>> operands;
  for (OpOperand &operand : op->getOpOperands())
    operands.push_back(op.payloadUsesValueFromOperand(&operand)
                           ? load(operand)
                           : SmallVector<Value>(length));
  unsigned fastest = loops.distributed.back();
  Value start = ivs[fastest];
  SmallVector<SmallVector<Value>> results(op.getNumDpsInits());
  for (int64_t i = 0; i < length; ++i) {
    SmallVector<Value> arguments;
    for (ArrayRef<Value> operand : operands)
      arguments.push_back(operand[i]);
    SmallVector<Value> here(ivs);
    here[fastest] = arith::AddIOp::create(
        builder, loc, start, arith::ConstantIndexOp::create(builder, loc, i));
    for (auto [all, result] :
         llvm::zip_equal(results, clonePayload(builder, op, arguments, here)))
      all.push_back(result);
  }
  for (auto [init, values] :
       llvm::zip_equal(op.getDpsInitsMutable(), results)) {
    Value vector = vector::FromElementsOp::create(builder, loc,
                                                  getVectorType(init), values);
    vector::StoreOp::create(builder, loc, vector, init.get(), getIndices(init),
                            /*nontemporal=*/false, getAlignment(init));
  }
}

void mlir::pit::distributePointsInGroups(linalg::LinalgOp op, int64_t numPoints,
                                         Value first, Value stride) {
  GroupEmitter(op, numPoints).run(first, stride);
  op->erase();
}
