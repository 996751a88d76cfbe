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

#include "PIT/Dialect/PIT/IR/PITBitmap.h"

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

/// The micro-tiles, if instructions exist for strips of such rows, and steps
/// along k begin where micro-tiles do.
static std::optional<BlockPattern> getPattern(SparseIndexType index,
                                              const ContractionMatch &match) {
  // Which of the two is listed makes no difference to the bits.
  if (index.getRank() != 2)
    return std::nullopt;
  unsigned depth = getDimOfDepth(match);
  // Words go along the index' last dimension.
  BlockPattern pattern{index.getTile()[1 - depth], index.getTile()[depth],
                       /*wordsAcross=*/depth == 0};
  // One micro-tile that is all there is along an axis is as good as a longer
  // one.
  constexpr int64_t kLeastWidth = 16;
  if (match.layoutA == SharedLayout::MNMajor && pattern.rows >= match.m &&
      !ShapedType::isDynamic(match.m))
    pattern.rows =
        std::max(kLeastWidth, int64_t(llvm::bit_ceil(uint64_t(pattern.rows))));
  if (pattern.wordsAcross && pattern.depth >= match.k)
    pattern.depth = llvm::alignTo(pattern.depth, BlockPattern::kStepDepth);
  // Where a step covers several micro-tiles, dead ones are multiplied, too.
  if (!canWalkMicroTiles(pattern.rows, pattern.depth, match.isDeadZero) ||
      (pattern.wordsAcross && pattern.depth % BlockPattern::kStepDepth != 0))
    return std::nullopt;
  // Rows of one k are as wide as one of the swizzles.
  if (match.layoutA == SharedLayout::MNMajor &&
      (pattern.rows < 16 || !llvm::isPowerOf2_64(pattern.rows)))
    return std::nullopt;
  return pattern;
}

/// As many strips as fit into 128 rows, or none if none do; more than eight
/// take more registers than the thread that loads has.
static int64_t getStripsOfTile(Operation *op, const BlockPattern &pattern,
                               bool exchanged) {
  constexpr int64_t kRows = 128, kMostStrips = 8;
  int64_t most =
      llvm::bit_floor(uint64_t(std::min(kMostStrips, kRows / pattern.rows)));
  // Results are written 16 rows at a time, or 64 columns.
  int64_t written = exchanged ? 64 : 16;
  int64_t least = 1;
  while (least <= most && least * pattern.rows % written != 0)
    least *= 2;
  if (least > most)
    return 0;
  IntegerAttr wanted =
      PITDialect::StripsOfTileAttrHelper(op->getContext()).getAttr(op);
  int64_t strips = wanted ? std::clamp(wanted.getInt(), least, most) : most;
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
  auto match = matchSumOfTiles(op, sum, taken, log);
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
  match.blocks = getPattern(index, match);
  if (!match.blocks)
    return log.refuse(
        "it has no kernel for micro-tiles of " +
            llvm::join(llvm::map_range(
                           index.getTile().asArrayRef(),
                           [](int64_t extent) { return llvm::itostr(extent); }),
                       "x"),
        "micro-tiles of 8 to 128 rows in steps of 8, and a multiple of 64 k, "
        "or a power of two below where dead values are zeros");
  match.stripsOfTile = getStripsOfTile(op, *match.blocks, match.exchanged);
  if (match.stripsOfTile == 0)
    return log.refuse("strips of " + Twine(match.blocks->rows) +
                      " rows do not add up to whole stores of 16 rows within a "
                      "tile of 128");
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
