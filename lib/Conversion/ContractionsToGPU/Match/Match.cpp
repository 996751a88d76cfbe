//===- Match.cpp - Contractions that kernels can take ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Match.h"
#include "Conversion/ContractionsToGPU/Form/ProductLoops.h"
#include "GPU/Host/BufferAccess.h"
#include "MatchOperand.h"

#include "PIT/Conversion/LinalgToCPU/Contraction.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

#include <numeric>

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
  return isZeroOfSums(value);
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

/// Whether distances of batches, or of segments of k, follow from extents, with
/// whole rows, and for batches one behind the other.
static bool followEachOther(MatrixSource source, const Matrix &matrix,
                            MatchRequirements needs) {
  auto type = cast<MemRefType>(source.buffer.getType());
  return (needs.listedK ? needs.dynamic
                        : source.isBatched && *source.segmentAxis == 0) &&
         matrix.innerAxis == 1 && type.getLayout().isIdentity();
}

/// Whether rows are known to follow each other in memory, whatever lies between
/// them: those of a contiguous buffer, and of parts of one.
static bool hasAscendingRows(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getLayout().isIdentity())
    return true;
  if (auto view = buffer.getDefiningOp<memref::SubViewOp>())
    return llvm::all_of(view.getStaticStrides(),
                        [](int64_t step) { return step > 0; }) &&
           hasAscendingRows(view.getSource());
  auto cast = buffer.getDefiningOp<memref::CastOp>();
  return cast && isa<MemRefType>(cast.getSource().getType()) &&
         hasAscendingRows(cast.getSource());
}

/// A number that divides an index.
static int64_t getUnitOf(OpFoldResult index) {
  if (std::optional<int64_t> known = getConstantIntValue(index))
    return *known;
  Value value = cast<Value>(index);
  int64_t factor = 1;
  while (auto product = value.getDefiningOp<arith::MulIOp>()) {
    IntegerAttr constant;
    if (!matchPattern(product.getRhs(), m_Constant(&constant)))
      break;
    factor *= constant.getInt();
    value = product.getLhs();
  }
  if (auto apply = value.getDefiningOp<affine::AffineApplyOp>())
    factor *= apply.getAffineMap().getResult(0).getLargestKnownDivisor();
  return factor;
}

/// A number that divides how far a buffer's first element is behind its base.
/// 0 divides 0 alone.
static int64_t getOffsetUnit(Value buffer) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(cast<MemRefType>(buffer.getType())
                 .getStridesAndOffset(strides, offset)))
    return 1;
  if (!ShapedType::isDynamic(offset))
    return offset;
  auto view = buffer.getDefiningOp<memref::SubViewOp>();
  if (!view)
    return 1;
  if (failed(view.getSourceType().getStridesAndOffset(strides, offset)))
    return 1;
  int64_t unit = getOffsetUnit(view.getSource());
  for (auto [places, stride] : llvm::zip(view.getMixedOffsets(), strides)) {
    int64_t step = ShapedType::isDynamic(stride) ? 1 : stride;
    unit = std::gcd(unit, getUnitOf(places) * step);
  }
  return unit;
}

/// Says of A, B or C what keeps kernels from accessing it.
FailureOr<Matrix> mlir::pit::hopper::matchMatrix(MatrixSource source,
                                                 StringRef name,
                                                 MatchRequirements needs) {
  auto refuse = [&](const Twine &reason) -> Refused {
    return needs.log.refuse(name + " " + reason);
  };
  auto type = dyn_cast<MemRefType>(source.buffer.getType());
  SmallVector<int64_t> strides;
  Matrix matrix;
  matrix.buffer = source.buffer;
  matrix.rows = source.rows;
  matrix.segmentAxis = source.segmentAxis;
  if (!type || type.getRank() != (source.segmentAxis ? 3 : 2))
    return refuse("is a " + spell(source.buffer.getType()) + ", not a matrix" +
                  (!source.segmentAxis ? ""
                   : source.isBatched  ? " for each batch"
                                       : " for each segment"));
  if (type.getMemorySpace())
    return refuse("is not in global memory");
  if (failed(type.getStridesAndOffset(strides, matrix.offset)))
    return refuse("has a layout without strides");
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
  // Why a distance does not do, if it does not.
  auto findObstacle = [&](int64_t elements) -> std::string {
    if (ShapedType::isDynamic(elements))
      return "an unknown number of elements";
    if (!needs.aligned ||
        isAlignedForCopies(elements, type.getElementTypeBitWidth()))
      return {};
    return (Twine(elements) + " elements of " + spell(type.getElementType()))
        .str();
  };
  std::string need =
      needs.aligned
          ? ("; the copy engine needs a multiple of " +
             Twine(128 / type.getElementTypeBitWidth()))
                .str()
          : std::string("; kernels need a number that is known when they are "
                        "compiled");
  if (inner != 1)
    return refuse("has no contiguous axis: transpose or copy it before");
  // A dimension of the copy engine's maps; also keeps row offsets in 64 bits.
  constexpr int64_t kMaxStride = int64_t(1) << 31;
  bool isRead = needs.dynamic && ShapedType::isDynamic(matrix.stride) &&
                hasAscendingRows(matrix.buffer);
  if (std::string far = findObstacle(matrix.stride); !far.empty() && !isRead)
    return refuse("has rows that are " + far + " apart" + need);
  matrix.offsetUnit = getOffsetUnit(matrix.buffer);
  if (std::string far = findObstacle(matrix.offsetUnit); !far.empty())
    return refuse("starts " +
                  (ShapedType::isDynamic(matrix.offset)
                       ? "an unknown number of elements"
                       : far) +
                  " behind its buffer's base" + need);
  bool follow = ShapedType::isDynamic(matrix.segmentStride) &&
                followEachOther(source, matrix, needs);
  if (std::string far = findObstacle(matrix.segmentStride);
      !far.empty() && !follow)
    return refuse((source.isBatched ? "has matrices of batches that are "
                                    : "has matrices of segments that are ") +
                  far + " apart" + need);
  if ((matrix.stride <= 0 && !isRead) || (matrix.segmentStride < 0 && !follow))
    return refuse("repeats its elements: a stride is not positive");
  if (matrix.stride >= kMaxStride)
    return refuse("has rows that are " + Twine(matrix.stride) +
                  " elements apart; kernels take less than 2^31");
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

FailureOr<Matrix> mlir::pit::hopper::matchOutput(MatrixSource source, Type sum,
                                                 MatchRequirements needs) {
  Type element = getElementTypeOrSelf(source.buffer);
  if (needs.aligned && sum.isInteger() && element.isInteger(8))
    return needs.log.refuse(
        "the result is i8; kernels with wgmma write i32 and floats");
  if (!canStoreSums(sum, element))
    return needs.log.refuse("the result is " + spell(element) +
                            "; kernels write bf16, f16 and f32" +
                            (sum.isF32() ? Twine()
                             : sum.isInteger()
                                 ? Twine(", and of integers i8 and i32")
                                 : Twine(", and of f64 itself")));
  FailureOr<Matrix> matrix = matchMatrix(source, "C", needs);
  if (failed(matrix))
    return failure();
  if (matrix->innerAxis != 1)
    return needs.log.refuse("columns of C are not contiguous: it is stored "
                            "transposed");
  return matrix;
}

/// Whether inputs come to where `wgmma` reads them. Only those of 16 bits may
/// lie along m or n. f32 is rounded to tf32 by the copy engine, through which
/// gathered rows do not come.
static bool canLoadInputs(const ContractionMatch &match) {
  Type element = getElementTypeOrSelf(match.a.buffer);
  return element.getIntOrFloatBitWidth() == 16 ||
         (match.layoutA == SharedLayout::KMajor &&
          match.layoutB == SharedLayout::KMajor &&
          !(element.isF32() && match.a.rows == RowAccess::Listed));
}

static LogicalResult refuseLayouts(Type element, const MatchLog &log) {
  if (element.isF32())
    return log.refuse("wgmma reads tf32 only where k is contiguous in A and B, "
                      "and rows of A are not gathered");
  return log.refuse("wgmma reads " + spell(element) +
                        " only where k is contiguous in A and B",
                    "store A as [m, k] and B as [n, k]");
}

LogicalResult mlir::pit::hopper::setOperands(ContractionMatch &match, Matrix a,
                                             Matrix b, Matrix c,
                                             unsigned axisOfKInA,
                                             unsigned axisOfKInB,
                                             MatchRequirements needs) {
  const MatchLog &log = needs.log;
  // Where k is listed, what lies along k are rows that are found one by one.
  if (!needs.listedK) {
    turnIfNarrow(a);
    turnIfNarrow(b);
  }
  match.a = a, match.b = b, match.c = c;
  match.layoutA =
      a.innerAxis == axisOfKInA ? SharedLayout::KMajor : SharedLayout::MNMajor;
  match.layoutB =
      b.innerAxis == axisOfKInB ? SharedLayout::KMajor : SharedLayout::MNMajor;
  // Kernels without alignment round in registers.
  if (needs.aligned && !canLoadInputs(match))
    return refuseLayouts(getElementTypeOrSelf(a.buffer), log);
  if (needs.aligned && match.isUnsigned[0] != match.isUnsigned[1])
    return log.refuse("one of A and B is unsigned, which wgmma takes from PTX "
                      "8.4 on alone");
  match.m = match.c.getDimSize(0);
  match.n = match.c.getDimSize(1);
  match.k = match.a.getDimSize(axisOfKInA);
  if (ShapedType::isDynamic(match.k))
    match.k = match.b.getDimSize(axisOfKInB);
  if (ShapedType::isDynamic(match.n))
    match.n = match.b.getDimSize(1 - axisOfKInB);
  if (ShapedType::isDynamic(match.n) && !needs.dynamic)
    return log.refuse("the number of columns, n, is dynamic");
  if (ShapedType::isDynamic(match.k) && !needs.listedK && !needs.dynamic)
    return log.refuse("the length of the sum, k, is dynamic");
  // A sum over nothing is not a product.
  if ((match.n <= 0 && !ShapedType::isDynamic(match.n)) ||
      (match.k <= 0 && !ShapedType::isDynamic(match.k)))
    return log.refuse("there is nothing to multiply: n or k is 0");
  // Columns are stored eight at a time.
  if (needs.aligned && match.n % 8 != 0)
    return log.refuse("n = " + Twine(match.n) + " is not a multiple of 8",
                      "pad n to " + Twine(llvm::alignTo(match.n, 8)));
  return success();
}

static std::string listElements(MatrixElement elements) {
  constexpr std::pair<MatrixElement, StringRef> kNames[] = {
      {MatrixElement::BF16, "bf16"}, {MatrixElement::F16, "f16"},
      {MatrixElement::TF32, "f32"},  {MatrixElement::FP8, "f8E4M3FN"},
      {MatrixElement::F64, "f64"},   {MatrixElement::I8, "i8"}};
  SmallVector<StringRef> names;
  for (auto [element, name] : kNames)
    if ((elements & element) != MatrixElement::None)
      names.push_back(name);
  std::string last = names.pop_back_val().str();
  return names.empty() ? last : llvm::join(names, ", ") + " and " + last;
}

LogicalResult mlir::pit::hopper::checkInputTypes(Type a, Type b,
                                                 MatchRequirements needs) {
  MatrixElement element = getMatrixElement(a);
  if ((element & needs.elements) == MatrixElement::None)
    return needs.log.refuse(
        "inputs are " + spell(a) + "; its kernels multiply " +
            listElements(needs.elements),
        a.isF32() ? "give bf16 or f16; or 'f32-products=tf32', which "
                    "rounds inputs of dense products and of listed rows"
                  : "");
  if (b != a)
    return needs.log.refuse("the inputs' types differ: " + spell(a) + " and " +
                            spell(b));
  return success();
}

static LogicalResult matchOperands(linalg::LinalgOp op, const MatchScope &scope,
                                   ContractionMatch &match) {
  const MatchLog &log = scope.needs.log;
  FailureOr<Contraction> contraction = matchContraction(op, log);
  if (failed(contraction))
    return failure();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  FailureOr<ProductLoops> loops = findProductLoops(*contraction, maps[2], log);
  if (failed(loops))
    return failure();
  if (loops->batch.has_value() != scope.batched)
    return log.refuse(scope.batched
                          ? Twine("it has no axis of batches")
                          : "loop d" + Twine(*loops->batch) +
                                " is a batch axis, which only products of "
                                "whole matrices have");
  match.batched = scope.batched;
  match.raggedK = scope.raggedK;
  // The operand, and its axis of k, that of batches left out.
  auto resolve = [&](Value operand, AffineMap map) {
    std::pair<MatrixSource, unsigned> result(scope.resolve(operand), 0);
    if (loops->batch)
      std::tie(result.first, map) =
          withoutBatches(result.first, map, *loops->batch);
    AffineExpr k = getAffineDimExpr(loops->k, op.getContext());
    result.second = map.getResultPosition(k).value_or(0);
    return result;
  };
  auto inputs = op.getDpsInputs();
  auto [sourceA, axisA] =
      resolve(inputs[loops->exchanged], maps[loops->exchanged]);
  auto [sourceB, axisB] =
      resolve(inputs[!loops->exchanged], maps[!loops->exchanged]);
  MatrixSource sourceC = resolve(op.getDpsInits()[0], maps[2]).first;
  Type element = getElementTypeOrSelf(sourceA.buffer);
  if (failed(checkInputTypes(element, getElementTypeOrSelf(sourceB.buffer),
                             scope.needs)))
    return failure();
  Type sum = ContractOp::getSumType(element);
  if (contraction->elementType != sum)
    return log.refuse("it accumulates in " + spell(contraction->elementType) +
                          "; matrix units accumulate in " + spell(sum),
                      "extend the inputs in the op's region, and truncate the "
                      "sums behind it");
  for (int i : {0, 1})
    match.isUnsigned[i] =
        contraction->extensions[loops->exchanged ? 1 - i : i] ==
        Extension::Unsigned;
  FailureOr<Matrix> a = matchMatrix(sourceA, "A", scope.needs),
                    b = matchMatrix(sourceB, "B", scope.needs),
                    c = matchOutput(sourceC, sum, scope.needs);
  if (failed(a) || failed(b) || failed(c))
    return failure();
  return setOperands(match, *a, *b, *c, axisA, axisB, scope.needs);
}

FailureOr<ContractionMatch>
mlir::pit::hopper::matchBareContraction(linalg::LinalgOp op,
                                        const MatchScope &scope) {
  const MatchLog &log = scope.needs.log;
  if (!op.hasPureBufferSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1)
    return log.pass();
  Operation *place = op;
  Value sums = op.getDpsInits()[0];
  if (scope.place) {
    place = scope.place;
    sums = scope.resolve(sums).buffer;
  }
  ContractionMatch match;
  if (failed(matchOperands(op, scope, match)))
    return failure();
  Operation *fill = findZeroFill(place, sums);
  if (!fill)
    return log.refuse("its sums do not start from zeros: nothing fills the "
                      "result with zeros right before",
                      "start from a linalg.fill with 0 and add the other term "
                      "behind the product");
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
    return scope.needs.log.refuse(
        "the result may share memory with an input, which is still read when "
        "tiles are written");
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

StringRef mlir::pit::hopper::getKindName(ContractOp op) {
  switch (op.getDomain()) {
  case ContractDomain::Dense:
    return "dense GEMM";
  case ContractDomain::Rows:
    return "GEMM of listed rows";
  case ContractDomain::Segments:
    return "grouped GEMM";
  case ContractDomain::Depth:
    return "GEMM over listed k";
  case ContractDomain::SegmentDepth:
    return "grouped GEMM of ragged k";
  case ContractDomain::MicroTiles:
    return "SpMM";
  case ContractDomain::Batches:
    return "batched GEMM";
  case ContractDomain::Windows:
    return "convolution";
  case ContractDomain::Blocks:
    return op.getMask() ? "SDDMM of a mask" : "SDDMM of listed blocks";
  }
  return "";
}
