//===- Match.cpp - Which code becomes a contraction kernel ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Match.h"

#include "PIT/Conversion/LinalgToCPU/Contraction.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

//===----------------------------------------------------------------------===//
// Who touches which buffer
//===----------------------------------------------------------------------===//

Value mlir::pit::hopper::getRootBuffer(Value buffer) {
  while (Operation *def = buffer.getDefiningOp()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(def))
      buffer = view.getViewSource();
    else if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(def))
      buffer = metadata.getSource();
    else
      break;
  }
  return buffer;
}

/// Whether the op or anything in it may access the buffer. Ops that only name
/// it (views, extents) do not.
static bool mayAccess(Operation *op, Value root) {
  return op
      ->walk([&](Operation *nested) {
        if (nested->getNumRegions() == 0 && isMemoryEffectFree(nested))
          return WalkResult::advance();
        for (Value operand : nested->getOperands())
          if (isa<BaseMemRefType>(operand.getType()) &&
              getRootBuffer(operand) == root)
            return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

bool mlir::pit::hopper::isAccessedBetween(Operation *first, Operation *last,
                                          Value buffer) {
  Value root = getRootBuffer(buffer);
  for (Operation *op = first->getNextNode(); op != last; op = op->getNextNode())
    if (mayAccess(op, root))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Structured ops around the contraction
//===----------------------------------------------------------------------===//

static bool isElementwise(linalg::LinalgOp op) {
  return op.hasPureBufferSemantics() && op.getNumDpsInits() == 1 &&
         op.getNumLoops() == op.getNumParallelLoops() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity();
}

/// Whether the op sets its whole output to zero.
static bool isZeroFill(linalg::LinalgOp op) {
  if (!isElementwise(op))
    return false;
  Value value = op.getBlock()->getTerminator()->getOperand(0);
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == op.getBlock())
    value = op->getOperand(argument.getArgNumber());
  return matchPattern(value, m_AnyZeroFloat());
}

/// The last op before `op` that touches its output, if that is a fill by zero.
static linalg::LinalgOp findZeroFill(Operation *op, Value output) {
  Value root = getRootBuffer(output);
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode()) {
    if (!mayAccess(before, root))
      continue;
    auto fill = dyn_cast<linalg::LinalgOp>(before);
    bool fits = fill && fill.getNumDpsInits() == 1 &&
                fill.getDpsInits()[0] == output && isZeroFill(fill);
    return fits ? fill : linalg::LinalgOp();
  }
  return {};
}

/// Whether the op does nothing but round its one input.
static bool isRounding(linalg::LinalgOp op) {
  if (!isElementwise(op) || op.getNumDpsInputs() != 1 ||
      !op.getMatchingIndexingMap(op.getDpsInputOperand(0)).isIdentity())
    return false;
  auto truncate = op.getBlock()
                      ->getTerminator()
                      ->getOperand(0)
                      .getDefiningOp<arith::TruncFOp>();
  // The conversion instructions round to nearest even.
  return truncate && truncate.getIn() == op.getBlock()->getArgument(0) &&
         truncate.getRoundingmode().value_or(
             arith::RoundingMode::to_nearest_even) ==
             arith::RoundingMode::to_nearest_even;
}

/// The one op that reads the sums, if it rounds them and they are gone then.
static linalg::LinalgOp findRounding(Operation *op, Value sums,
                                     Operation *fill) {
  if (!sums.getDefiningOp<memref::AllocOp>())
    return {};
  linalg::LinalgOp rounding;
  for (Operation *user : sums.getUsers()) {
    if (user == op || user == fill ||
        isa<memref::DeallocOp, memref::DimOp>(user))
      continue;
    auto candidate = dyn_cast<linalg::LinalgOp>(user);
    if (rounding || !candidate || !isRounding(candidate) ||
        candidate->getBlock() != op->getBlock() ||
        !op->isBeforeInBlock(candidate))
      return {};
    rounding = candidate;
  }
  return rounding;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// 16 bytes: what the copy engine, its strides and the stores need.
static bool isAligned(int64_t elements, Type type) {
  return elements * type.getIntOrFloatBitWidth() % 128 == 0;
}

static FailureOr<Matrix> matchMatrix(MatrixSource source) {
  auto type = dyn_cast<MemRefType>(source.buffer.getType());
  SmallVector<int64_t> strides;
  Matrix matrix;
  matrix.buffer = source.buffer;
  matrix.segmentAxis = source.segmentAxis;
  if (!type || type.getRank() != (source.segmentAxis ? 3 : 2) ||
      type.getMemorySpace() ||
      failed(type.getStridesAndOffset(strides, matrix.offset)))
    return failure();
  if (source.segmentAxis) {
    matrix.segmentStride = strides[*source.segmentAxis];
    matrix.axes[0] = *source.segmentAxis == 0 ? 1 : 0;
    matrix.axes[1] = *source.segmentAxis == 2 ? 1 : 2;
  }
  int64_t outer = strides[matrix.axes[0]], inner = strides[matrix.axes[1]];
  matrix.innerAxis = inner == 1 ? 1 : 0;
  if (matrix.innerAxis == 0)
    std::swap(outer, inner);
  matrix.stride = outer;
  auto fits = [&](int64_t elements) {
    return !ShapedType::isDynamic(elements) &&
           isAligned(elements, type.getElementType());
  };
  if (inner != 1 || !fits(matrix.stride) || !fits(matrix.offset) ||
      matrix.stride <= 0 || !fits(matrix.segmentStride) ||
      matrix.segmentStride < 0)
    return failure();
  // A dimension of the copy engine's maps; also keeps row offsets in 64 bits.
  constexpr int64_t kMaxStride = int64_t(1) << 31;
  if (matrix.stride >= kMaxStride)
    return failure();
  return matrix;
}

/// The number of the axis on which a map has a loop.
static unsigned getAxis(AffineMap map, unsigned loop) {
  return cast<AffineDimExpr>(map.getResult(0)).getPosition() == loop ? 0 : 1;
}

static LogicalResult matchOperands(linalg::LinalgOp op, Value output,
                                   function_ref<MatrixSource(Value)> resolve,
                                   ContractionMatch &match) {
  FailureOr<Contraction> contraction = matchContraction(op);
  if (failed(contraction) || !contraction->elementType.isF32() ||
      !contraction->batch.empty() || contraction->m.size() != 1 ||
      contraction->n.size() != 1 || contraction->k.size() != 1)
    return failure();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned loopM = contraction->m[0], loopN = contraction->n[0],
           loopK = contraction->k[0];
  MatrixSource result = resolve(output);
  MatrixSource inputs[2] = {resolve(op.getDpsInputs()[0]),
                            resolve(op.getDpsInputs()[1])};
  // Rows of the output come from A, whichever operand that is.
  if (getAxis(maps[2], loopM) != 0) {
    std::swap(inputs[0], inputs[1]);
    std::swap(maps[0], maps[1]);
    std::swap(loopM, loopN);
  }
  Type element = getElementTypeOrSelf(inputs[0].buffer);
  if ((!element.isBF16() && !element.isF16()) ||
      getElementTypeOrSelf(inputs[1].buffer) != element)
    return failure();
  Type sum = getElementTypeOrSelf(result.buffer);
  if (!sum.isBF16() && !sum.isF16() && !sum.isF32())
    return failure();

  FailureOr<Matrix> a = matchMatrix(inputs[0]), b = matchMatrix(inputs[1]),
                    c = matchMatrix(result);
  if (failed(a) || failed(b) || failed(c) || c->innerAxis != 1)
    return failure();
  match.a = *a, match.b = *b, match.c = *c;
  unsigned axisOfKInA = getAxis(maps[0], loopK),
           axisOfKInB = getAxis(maps[1], loopK);
  match.layoutA =
      a->innerAxis == axisOfKInA ? SharedLayout::KMajor : SharedLayout::MNMajor;
  match.layoutB =
      b->innerAxis == axisOfKInB ? SharedLayout::KMajor : SharedLayout::MNMajor;
  match.m = match.c.getDimSize(0);
  match.n = match.c.getDimSize(1);
  match.k = match.a.getDimSize(axisOfKInA);
  if (ShapedType::isDynamic(match.k))
    match.k = match.b.getDimSize(axisOfKInB);
  // Columns are stored eight at a time; a sum over nothing is not a product.
  return success(ShapedType::isStatic(match.n) &&
                 ShapedType::isStatic(match.k) && match.n > 0 &&
                 match.n % 8 == 0 && match.k > 0);
}

FailureOr<ContractionMatch> mlir::pit::hopper::matchContractionThrough(
    linalg::LinalgOp op, function_ref<MatrixSource(Value)> resolve,
    Operation *place) {
  if (!op.hasPureBufferSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1)
    return failure();
  Value output = op.getDpsInits()[0];
  if (place)
    output = resolve(output).buffer;
  else
    place = op;
  linalg::LinalgOp fill = findZeroFill(place, output);
  if (!fill)
    return failure();
  ContractionMatch match;
  match.ops = {fill, place};
  // Computed where they are rounded, inputs must still be what they were.
  if (linalg::LinalgOp rounding = findRounding(place, output, fill);
      rounding && llvm::none_of(op.getDpsInputs(), [&](Value input) {
        return isAccessedBetween(place, rounding,
                                 place == op ? input : resolve(input).buffer);
      })) {
    match.ops.push_back(rounding);
    output = rounding.getDpsInits()[0];
  }
  if (failed(matchOperands(op, output, resolve, match)))
    return failure();
  // Tiles are written while others are still read.
  Value root = getRootBuffer(match.c.buffer);
  if (root == getRootBuffer(match.a.buffer) ||
      root == getRootBuffer(match.b.buffer))
    return failure();
  return match;
}

FailureOr<ContractionMatch>
mlir::pit::hopper::matchDenseContraction(linalg::LinalgOp op) {
  return matchContractionThrough(
      op, [](Value buffer) { return MatrixSource{buffer, std::nullopt}; });
}
