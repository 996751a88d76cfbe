//===- MatchBlocks.cpp - SpMM: micro-tiles of an operand are live ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sparse times dense (SpMM), where a micro-tile is dead as a whole.
//
//===----------------------------------------------------------------------===//

#include "GPU/Host/BufferAccess.h"
#include "Match.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// The ops that use a buffer or a view of it, but do not only free it.
static SmallVector<Operation *> getUsers(Value buffer) {
  SmallVector<Operation *> users;
  for (Operation *user : buffer.getUsers()) {
    if (isa<memref::DeallocOp>(user))
      continue;
    if (isa<ViewLikeOpInterface>(user))
      llvm::append_range(users, getUsers(user->getResult(0)));
    else
      users.push_back(user);
  }
  return users;
}

bool mlir::pit::hopper::mayHaveDenseVariant(Operation *op) {
  BoolAttr wanted =
      PITDialect::DenseVariantAttrHelper(op->getContext()).getAttr(op);
  return !wanted || wanted.getValue();
}

DetectIntoOp mlir::pit::hopper::getDetection(Value index, Operation *op) {
  auto assemble = index.getDefiningOp<AssembleOp>();
  if (!assemble)
    return nullptr;
  Value offsets = getRootBuffer(assemble.getOffsets()),
        coords = getRootBuffer(assemble.getCoords());
  DetectIntoOp detection;
  for (Value list : {offsets, coords}) {
    if (!list.getDefiningOp<memref::AllocOp>())
      return nullptr;
    for (Operation *user : getUsers(list)) {
      if (!mayWrite(user, list))
        continue;
      auto writer = dyn_cast<DetectIntoOp>(user);
      if (!writer || (detection && writer != detection))
        return nullptr;
      detection = writer;
    }
  }
  if (!detection || detection->getBlock() != op->getBlock() ||
      detection.getOffsets() != offsets || detection.getCoords() != coords)
    return nullptr;
  return detection;
}

/// Whether what is dead in A may be multiplied: only a pattern of its own
/// values says that it is zero.
static bool isDeadZero(const ContractionMatch &match) {
  DetectIntoOp detection = match.detection;
  return detection.getPattern().getKind() == PatternKind::Values &&
         detection.getPattern().getAbsent() == Absent::Zero &&
         llvm::is_sorted(detection.getPattern().getAxes().asArrayRef()) &&
         detection.getSource() == match.a.buffer;
}

/// The dimension of the index that is along k: that of A's axis.
static unsigned getDimOfDepth(const ContractionMatch &match) {
  return match.layoutA == SharedLayout::KMajor ? match.a.innerAxis
                                               : 1 - match.a.innerAxis;
}

SparseProduct
mlir::pit::hopper::getSparseProduct(const ContractionMatch &match) {
  SparseProduct product;
  if (!ShapedType::isDynamic(match.m))
    product.m = match.m;
  product.n = match.n;
  product.k = match.k;
  product.isExchanged = match.exchanged;
  product.isKInner = match.layoutA == SharedLayout::KMajor;
  product.isKLast = getDimOfDepth(match) == 1;
  product.isNInner = match.layoutB == SharedLayout::MNMajor;
  product.isDeadZero = match.isDeadZero;
  product.epilogue =
      match.epilogue ? SparseEpilogue::Elementwise : SparseEpilogue::Rounding;
  return product;
}

MicroTile mlir::pit::hopper::getMicroTile(const ContractionMatch &match,
                                          SparseIndexType index) {
  // Which of the two is listed makes no difference.
  unsigned depth = getDimOfDepth(match);
  return {index.getTile()[1 - depth], index.getTile()[depth]};
}

LogicalResult mlir::pit::hopper::checkLimits(SparseFamily family,
                                             const ContractionMatch &match,
                                             SparseIndexType index,
                                             MatchLog log) {
  if (index.getRank() != 2)
    return log.refuse("its micro-tiles are not those of a matrix");
  std::optional<CatalogRefusal> refusal = pit::checkLimits(
      family, getSparseProduct(match), getMicroTile(match, index));
  if (!refusal)
    return success();
  if (refusal->reason.empty())
    return log.pass();
  return log.refuse(refusal->reason, refusal->suggestion);
}

/// As many strips as a tile may hold, or as the op asks for.
static int64_t chooseStripsOfTile(Operation *op, StripRange range) {
  IntegerAttr wanted =
      PITDialect::StripsOfTileAttrHelper(op->getContext()).getAttr(op);
  int64_t strips = wanted ? std::clamp(wanted.getInt(), range.least, range.most)
                          : range.most;
  return llvm::bit_floor(uint64_t(strips));
}

void mlir::pit::hopper::exchangeOperands(ContractionMatch &match) {
  std::swap(match.a, match.b);
  std::swap(match.layoutA, match.layoutB);
  std::swap(match.m, match.n);
  std::swap(match.c.axes[0], match.c.axes[1]);
  match.c.innerAxis = 1 - match.c.innerAxis;
  match.exchanged = !match.exchanged;
}

FailureOr<ContractionMatch> mlir::pit::hopper::matchSumOfStrips(
    TiledOp op, const DenseSet<Operation *> &taken, MatchLog log) {
  if (!op.isOnBuffers())
    return log.pass();
  // Lists of single rows, and of blocks of the result, are for others.
  if (goesThroughListsOfRows(op) ||
      op.getOperandDims(op.getInputs().size()) == ArrayRef<int64_t>({0, 1}))
    log = {};
  linalg::LinalgOp sum = getOnlySum(op);
  if (!sum || sum.getNumDpsInputs() != 2)
    return log.pass();
  if (op.getOutputs().size() != 1)
    return log.refuse("it has " + Twine(op.getOutputs().size()) + " results");
  if (llvm::is_contained(op.getPacked(), true))
    return log.refuse("an operand is packed: it exists at listed places only");
  DetectIntoOp detection = getDetection(op.getIndex(), op);
  if (!detection)
    return log.refuse("its lists are not those of one detection in the same "
                      "block, which the kernel replaces by bits");

  auto hasDims = [&](Value tile, ArrayRef<int64_t> dims) {
    auto argument = dyn_cast<BlockArgument>(tile);
    return argument && argument.getOwner() == &op.getRegion().front() &&
           op.getOperandDims(argument.getArgNumber()) == dims;
  };
  MatchRequirements needs;
  needs.log = log;
  auto match = matchSumOfTiles(op, sum, taken, needs);
  if (failed(match))
    return failure();
  if (match->b2)
    return log.refuse("two products share the elementwise work behind them");
  if (getElementTypeOrSelf(match->c.buffer).isF32())
    return log.refuse("the result is f32; the kernel writes bf16 and f16",
                      "truncate the sums behind the product");
  auto reads = [&](const Matrix &matrix, ArrayRef<int64_t> dims) {
    return llvm::any_of(sum.getDpsInputs(), [&](Value input) {
      return getFullBuffer(op, input) == matrix.buffer && hasDims(input, dims);
    });
  };
  if (!reads(match->a, {0, 1}))
    exchangeOperands(*match);
  // Strips are rows of A and C, micro-tiles are k of A and rows of B.
  const int64_t axisOfK = match->layoutB == SharedLayout::KMajor
                              ? match->b.innerAxis
                              : 1 - match->b.innerAxis,
                axisOfRows = match->exchanged ? 1 : 0;
  SmallVector<int64_t> dimsOfB{-1, axisOfK}, dimsOfC{axisOfRows, -1};
  if (getDimOfDepth(*match) == 0) {
    std::swap(dimsOfB[0], dimsOfB[1]);
    std::swap(dimsOfC[0], dimsOfC[1]);
  }
  if (!reads(match->a, {0, 1}) || !reads(match->b, dimsOfB) ||
      !hasDims(sum.getDpsInits()[0], dimsOfC))
    return log.refuse("micro-tiles must lie along rows and k of one input, "
                      "and the other two operands follow");
  // What was found is what is multiplied.
  if (detection.getSource() == match->a.buffer &&
      isWrittenBetween(detection, op, match->a.buffer))
    return log.refuse("what was detected is overwritten before it is "
                      "multiplied");
  setDetection(*match, detection, op);
  return match;
}

FailureOr<ContractionMatch> mlir::pit::hopper::matchMicroTiles(
    Operation *op, const DenseSet<Operation *> &taken, MatchLog log,
    function_ref<LogicalResult(ContractionMatch &, SparseIndexType, Operation *,
                               MatchLog)>
        take,
    MatchLog logOfSum) {
  auto tiled = dyn_cast<TiledOp>(op);
  if (!tiled)
    return failure();
  auto match = matchSumOfStrips(tiled, taken, logOfSum);
  if (failed(match) || failed(take(*match, tiled.getIndexType(), op, log)))
    return failure();
  return match;
}

void mlir::pit::hopper::setDetection(ContractionMatch &match,
                                     DetectIntoOp detection, Operation *op) {
  match.detection = detection;
  match.isDeadZero = isDeadZero(match);
  match.mayHaveDenseVariant = mayHaveDenseVariant(op);
}

LogicalResult mlir::pit::hopper::takeAsBlocks(ContractionMatch &match,
                                              SparseIndexType index,
                                              Operation *op, MatchLog log) {
  if (failed(checkLimits(SparseFamily::Blocks, match, index, log)))
    return failure();
  SparseProduct product = getSparseProduct(match);
  MicroTile tile = *getWalkedTile(product, getMicroTile(match, index));
  // Words go along the index' last dimension.
  match.blocks =
      BlockPattern{tile.rows, tile.depth, /*wordsAcross=*/!product.isKLast};
  match.stripsOfTile =
      chooseStripsOfTile(op, *getStripsOfTile(tile.rows, match.exchanged));
  return success();
}

void mlir::pit::hopper::eraseIfUnread(DetectIntoOp detection) {
  SmallVector<Value> lists{detection.getOffsets(), detection.getCoords()};
  for (Value list : lists)
    for (Operation *user : getUsers(list))
      if (isa<AssembleOp>(user) && user->use_empty())
        user->erase();
  for (Value list : lists)
    if (!llvm::all_equal(getUsers(list)))
      return;
  detection->erase();
  for (Value list : lists)
    for (Operation *user : llvm::make_early_inc_range(list.getUsers()))
      if (isa<ViewLikeOpInterface>(user) && user->use_empty())
        user->erase();
}
