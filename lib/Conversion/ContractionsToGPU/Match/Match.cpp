//===- Match.cpp - Which code becomes a contraction kernel ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Match.h"
#include "GPU/Host/BufferAccess.h"

#include "PIT/Conversion/LinalgToCPU/Contraction.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

bool mlir::pit::hopper::isSameMatrix(const Matrix &a, const Matrix &b) {
  auto getKey = [](const Matrix &m) {
    return std::tuple(m.buffer, m.offset, m.axes[0], m.axes[1], m.innerAxis,
                      m.stride, m.segmentAxis, m.segmentStride);
  };
  return getKey(a) == getKey(b);
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

/// The last op before `op` that writes a buffer, if that sets all of it to
/// zero, or copies what is zero.
static Operation *findZeroFill(Operation *op, Value buffer) {
  Operation *before = op->getPrevNode();
  while (before && !mayWrite(before, buffer))
    before = before->getPrevNode();
  if (auto fill = dyn_cast_or_null<linalg::LinalgOp>(before))
    return fill.getNumDpsInits() == 1 && fill.getDpsInits()[0] == buffer &&
                   isZeroFill(fill)
               ? before
               : nullptr;
  auto copy = dyn_cast_or_null<memref::CopyOp>(before);
  return copy && copy.getTarget() == buffer &&
                 findZeroFill(copy, copy.getSource())
             ? before
             : nullptr;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// 16 bytes: what the copy engine, its strides and the stores need.
static bool isAligned(int64_t elements, Type type) {
  return elements * type.getIntOrFloatBitWidth() % 128 == 0;
}

FailureOr<Matrix> mlir::pit::hopper::matchMatrix(MatrixSource source,
                                                 MatchRequirements needs) {
  auto type = dyn_cast<MemRefType>(source.buffer.getType());
  SmallVector<int64_t> strides;
  Matrix matrix;
  matrix.buffer = source.buffer;
  matrix.rows = source.rows;
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
           (!needs.aligned || isAligned(elements, type.getElementType()));
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

/// What is one element wide lies one after the other along its other axis, for
/// which more bytes at a time can be copied.
static void turnIfNarrow(Matrix &matrix) {
  unsigned outerAxis = 1 - matrix.innerAxis;
  int64_t length = matrix.getDimSize(outerAxis);
  if (matrix.getDimSize(matrix.innerAxis) != 1 || matrix.stride != 1 ||
      ShapedType::isDynamic(length))
    return;
  matrix.innerAxis = outerAxis;
  // There is no second one to be that far away.
  constexpr int64_t kAligned = 8;
  matrix.stride = llvm::alignTo(length, kAligned);
}

/// The number of the axis on which a map has a loop.
static unsigned getAxis(AffineMap map, unsigned loop) {
  return cast<AffineDimExpr>(map.getResult(0)).getPosition() == loop ? 0 : 1;
}

FailureOr<Matrix> mlir::pit::hopper::matchOutput(MatrixSource source,
                                                 MatchRequirements needs) {
  Type element = getElementTypeOrSelf(source.buffer);
  if (!element.isBF16() && !element.isF16() && !element.isF32())
    return failure();
  FailureOr<Matrix> matrix = matchMatrix(source, needs);
  if (failed(matrix) || matrix->innerAxis != 1)
    return failure();
  return matrix;
}

/// Whether there is a way to bring inputs of f32 to where `wgmma` reads tf32:
/// into shared memory, along k alone, rounded on the way there. That is the
/// copy engine's work, through which gathered rows do not come.
static bool canLoadTF32(const ContractionMatch &match) {
  return match.layoutA == SharedLayout::KMajor &&
         match.layoutB == SharedLayout::KMajor &&
         match.a.rows != RowAccess::Listed;
}

LogicalResult mlir::pit::hopper::setOperands(ContractionMatch &match, Matrix a,
                                             Matrix b, Matrix c,
                                             unsigned axisOfKInA,
                                             unsigned axisOfKInB,
                                             MatchRequirements needs) {
  turnIfNarrow(a);
  turnIfNarrow(b);
  match.a = a, match.b = b, match.c = c;
  match.layoutA =
      a.innerAxis == axisOfKInA ? SharedLayout::KMajor : SharedLayout::MNMajor;
  match.layoutB =
      b.innerAxis == axisOfKInB ? SharedLayout::KMajor : SharedLayout::MNMajor;
  // Kernels without alignment round in registers.
  if (getElementTypeOrSelf(a.buffer).isF32() && needs.aligned &&
      !canLoadTF32(match))
    return failure();
  match.m = match.c.getDimSize(0);
  match.n = match.c.getDimSize(1);
  match.k = match.a.getDimSize(axisOfKInA);
  if (ShapedType::isDynamic(match.k))
    match.k = match.b.getDimSize(axisOfKInB);
  // Columns are stored eight at a time; a sum over nothing is not a product.
  return success(ShapedType::isStatic(match.n) &&
                 ShapedType::isStatic(match.k) && match.n > 0 &&
                 (!needs.aligned || match.n % 8 == 0) && match.k > 0);
}

static LogicalResult matchOperands(linalg::LinalgOp op, const MatchScope &scope,
                                   ContractionMatch &match) {
  FailureOr<Contraction> contraction = matchContraction(op);
  if (failed(contraction) || !contraction->elementType.isF32() ||
      !contraction->batch.empty() || contraction->m.size() != 1 ||
      contraction->n.size() != 1 || contraction->k.size() != 1)
    return failure();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned loopM = contraction->m[0], loopN = contraction->n[0],
           loopK = contraction->k[0];
  MatrixSource inputs[2] = {scope.resolve(op.getDpsInputs()[0]),
                            scope.resolve(op.getDpsInputs()[1])};
  // Rows of the output come from A, whichever operand that is.
  if (getAxis(maps[2], loopM) != 0) {
    std::swap(inputs[0], inputs[1]);
    std::swap(maps[0], maps[1]);
    std::swap(loopM, loopN);
  }
  Type element = getElementTypeOrSelf(inputs[0].buffer);
  bool mayBeF32 = scope.needs.f32 && element.isF32();
  if ((!element.isBF16() && !element.isF16() && !mayBeF32) ||
      getElementTypeOrSelf(inputs[1].buffer) != element)
    return failure();
  FailureOr<Matrix> a = matchMatrix(inputs[0], scope.needs),
                    b = matchMatrix(inputs[1], scope.needs),
                    c = matchOutput(scope.resolve(op.getDpsInits()[0]),
                                    scope.needs);
  if (failed(a) || failed(b) || failed(c))
    return failure();
  return setOperands(match, *a, *b, *c, getAxis(maps[0], loopK),
                     getAxis(maps[1], loopK), scope.needs);
}

FailureOr<ContractionMatch>
mlir::pit::hopper::matchBareContraction(linalg::LinalgOp op,
                                        const MatchScope &scope) {
  if (!op.hasPureBufferSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1)
    return failure();
  Operation *place = op;
  Value sums = op.getDpsInits()[0];
  if (scope.place) {
    place = scope.place;
    sums = scope.resolve(sums).buffer;
  }
  Operation *fill = findZeroFill(place, sums);
  ContractionMatch match;
  if (!fill || failed(matchOperands(op, scope, match)))
    return failure();
  match.ops = {place};
  // Others may read the zeros as well.
  if (isAccessedBetween(fill, place, sums))
    match.sharedFill = fill;
  else
    match.ops.insert(match.ops.begin(), fill);
  return match;
}

FailureOr<ContractionMatch>
mlir::pit::hopper::matchContractionThrough(linalg::LinalgOp op,
                                           const MatchScope &scope) {
  FailureOr<ContractionMatch> match = matchBareContraction(op, scope);
  if (failed(match))
    return failure();
  matchEpilogue(op, scope, *match);
  // Tiles are written while others are still read.
  if (mayShareMemory(match->c.buffer, match->a.buffer) ||
      mayShareMemory(match->c.buffer, match->b.buffer))
    return failure();
  return match;
}

FailureOr<ContractionMatch>
mlir::pit::hopper::matchDenseContraction(linalg::LinalgOp op,
                                         const DenseSet<Operation *> &taken,
                                         MatchRequirements needs) {
  auto resolve = [](Value buffer) {
    return MatrixSource{buffer, std::nullopt};
  };
  return matchContractionThrough(op, MatchScope{resolve, taken, needs});
}
