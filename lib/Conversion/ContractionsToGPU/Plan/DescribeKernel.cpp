//===- DescribeKernel.cpp - The kernel that computes a match --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DescribeKernel.h"
#include "DenseVariant.h"
#include "DescribePacked.h"
#include "LiveVariants.h"

#include "Conversion/ContractionsToGPU/Match/Version.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// Elements in 128 bytes, to which boxes are as wide.
static constexpr int64_t kPanel = 64;
/// More would need more registers than those that multiply can have.
static constexpr int64_t kExtraRows = 24;

SparseIndexType mlir::pit::hopper::getIndexType(const ContractionMatch &match) {
  return cast<IndexBufferType>(match.index.getType()).getIndex();
}

std::optional<int64_t>
mlir::pit::hopper::getNumSegments(const ContractionMatch &match) {
  SparseIndexType type = getIndexType(match);
  int64_t segments = 1;
  for (int64_t dim : type.getSegmentDims()) {
    if (type.isDynamicExtent(dim))
      return std::nullopt;
    segments *= type.getExtents()[dim];
  }
  return segments;
}

/// The bytes of A from which on B is read once, if segments of one tile each
/// may have so many together; 0 if not.
static int64_t getLargeBytesOfA(const ContractionMatch &match,
                                const DeviceModel &device,
                                const ContractionKernel &kernel) {
  if (!match.segmented)
    return 0;
  std::optional<int64_t> segments = getNumSegments(match);
  int64_t large = device.getLargeBytes();
  bool mayBeLarge = !segments || double(*segments) * kernel.tileM * match.k *
                                         kernel.getInputBytes() >
                                     double(large);
  return mayBeLarge ? large : 0;
}

/// Whether the epilogue accesses something through the list.
static bool readsListedRows(const ContractionMatch &match) {
  return match.epilogue && llvm::any_of(match.epilogue->operands,
                                        [](const EpilogueOperand &operand) {
                                          return operand.rowStride &&
                                                 operand.isListed;
                                        });
}

/// Whether there are registers for larger accumulators: the epilogue loads
/// nothing, and computes little of each sum.
static bool leavesRegisters(EpilogueFunction *epilogue) {
  if (!epilogue)
    return true;
  return epilogue->operands.empty() &&
         llvm::all_of(epilogue->getBody().without_terminator(),
                      [](Operation &op) {
                        return isa<arith::ArithDialect>(op.getDialect()) ||
                               isa<math::ExpOp>(op);
                      });
}

/// Whether the epilogue has a function of so many steps, or reads so much for
/// rows that are not written one after the other, that beside the accumulators
/// of 160 rows, some of what they hold would be spilled.
static bool leavesFewRegisters(const ContractionKernel &kernel) {
  EpilogueFunction *epilogue = kernel.epilogue.get();
  if (!epilogue)
    return false;
  bool readsRows = llvm::any_of(
      epilogue->operands, [](EpilogueOperand &o) { return o.rowStride != 0; });
  return (kernel.scattersC && readsRows && !epilogue->rowRegion) ||
         !epilogue->getBody().getOps<math::ErfOp>().empty();
}

/// Whether an extent is known to be a multiple of a tile's.
static bool isMultiple(int64_t extent, int64_t tile) {
  return !ShapedType::isDynamic(extent) && extent % tile == 0;
}

void mlir::pit::hopper::setTails(const ContractionMatch &match,
                                 ContractionKernel &kernel) {
  kernel.tailM = !isMultiple(match.m, kernel.tileM);
  kernel.tailN = !isMultiple(match.n, kernel.getTileColumns());
  kernel.tailK = !isMultiple(match.k, kernel.getTileK());
}

void mlir::pit::hopper::chooseStages(ContractionKernel &kernel,
                                     int64_t mostBytes) {
  constexpr int64_t kMostStages = 8;
  for (kernel.stages = kMostStages; kernel.getSharedBytes() > mostBytes;)
    --kernel.stages;
}

static void describeBlocks(const ContractionMatch &match,
                           const DeviceModel &device,
                           ContractionKernel &kernel) {
  kernel.blocks = match.blocks;
  kernel.exchanged = match.exchanged;
  kernel.swapped = kernel.storesBoxes = true;
  kernel.tileM = match.blocks->rows * match.stripsOfTile;
  chooseStages(kernel, device.chip->getSharedBytes());
  kernel.columnsOfBox = kernel.tileN;
  for (const LiveVariant &variant : getVariantsByLive(kernel))
    kernel.columnsOfBox = std::min(kernel.columnsOfBox, variant.kernel.tileN);
}

/// Tiles are no larger than blocks.
static void describeSampled(const ContractionMatch &match,
                            const DeviceModel &device,
                            ContractionKernel &kernel) {
  kernel.sampled = match.sampled;
  kernel.tileM = match.sampled->getTileRows();
  kernel.tileN = match.sampled->getTileColumns();
  kernel.consumers = kernel.tileM / 64;
  kernel.storesBoxes = true;
  chooseStages(kernel, device.chip->getSharedBytes());
}

/// Tiles hold a segment's rows, so that its B is read once. The wider they are,
/// the less often are rows read; but then the last round of tiles may leave
/// most of the chip without work, and with few steps along k, as much as fits
/// into the stages of a narrower tile hides the end of the one before.
static void describeShortSegments(const ContractionMatch &match,
                                  const DeviceModel &device,
                                  ContractionKernel &kernel) {
  constexpr int64_t kNarrow = 128, kFewSteps = 16;
  // What a round of narrow tiles takes, of half a round of wide ones. Measured.
  constexpr double kNarrowCost = 1.15;
  kernel.swapped = true;
  kernel.tileM = leavesFewRegisters(kernel) ? 128 : 160;
  if (chooseTilesOfSegments(match, device, kernel.tileM, kernel))
    return;
  std::optional<int64_t> segments = getNumSegments(match);
  // Two products at a time already share what a tile has.
  if (!segments || kernel.products > 1)
    return;
  auto getRounds = [&](int64_t columns) {
    return double(
        llvm::divideCeil(*segments * llvm::divideCeil(match.n, columns),
                         device.multiprocessors));
  };
  double cost = llvm::divideCeil(match.k, kernel.getTileK()) <= kFewSteps
                    ? 1.
                    : kNarrowCost;
  if (getRounds(kNarrow) * cost > 2 * getRounds(kernel.tileN))
    return;
  kernel.tileN = kNarrow;
  // There are half as many accumulators.
  kernel.tileM = 160;
  chooseStages(kernel, device.chip->getSharedBytes());
}

static bool hasPanelsOfB(const ContractionMatch &match) {
  return match.layoutB == SharedLayout::MNMajor && isMultiple(match.n, kPanel);
}

ContractionMatch
mlir::pit::hopper::withNothingSkipped(const ContractionMatch &match) {
  ContractionMatch dense = match;
  dense.packed.reset();
  dense.blocks.reset();
  if (dense.exchanged)
    exchangeOperands(dense);
  return dense;
}

ProductShape mlir::pit::hopper::guessShape(const ContractionMatch &match) {
  SmallVector<int64_t, 4> guesses(3, kGuessedRows);
  if (std::optional<Version> version = getVersion(match))
    guesses = version->expected;
  auto guess = [](int64_t extent, int64_t guessed) {
    return ShapedType::isDynamic(extent) ? guessed : extent;
  };
  return {guess(match.m, guesses[0]), guess(match.n, guesses[1]),
          guess(match.k, guesses[2])};
}

/// What the matrix instructions make of an input.
static Type getMultipliedType(const Matrix &input) {
  Type element = getElementTypeOrSelf(input.buffer);
  return element.isF32() ? FloatTF32Type::get(element.getContext()) : element;
}

KernelWindows
mlir::pit::hopper::describeWindows(const ContractionMatch &match) {
  KernelWindows windows;
  if (!match.window)
    return windows;
  windows.window = match.window;
  windows.channels =
      match.a.getDimSize(1) / (match.batched ? getNumBatches(match) : 1);
  auto type = cast<MemRefType>(match.a.buffer.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  windows.axisExtents.assign(type.getShape().drop_front().drop_back());
  windows.axisStrides.assign(ArrayRef(strides).drop_front().drop_back());
  windows.imageStride = strides[0];
  return windows;
}

ContractionKernel
mlir::pit::hopper::describeOperands(const ContractionMatch &match) {
  ContractionKernel kernel;
  kernel.inputType = getMultipliedType(match.a);
  kernel.unsignedA = match.isUnsigned[0];
  kernel.unsignedB = match.isUnsigned[1];
  kernel.outputType = getElementTypeOrSelf(match.c.buffer);
  kernel.layoutA = match.layoutA;
  kernel.layoutB = match.layoutB;
  kernel.panelsOfB = hasPanelsOfB(match);
  kernel.epilogue = match.epilogue;
  static_cast<KernelWindows &>(kernel) = describeWindows(match);
  return kernel;
}

void mlir::pit::hopper::setMask(const ContractionMatch &match, PlanMask mask,
                                ContractionKernel &kernel) {
  switch (mask) {
  case PlanMask::None:
    return;
  case PlanMask::Bytes:
    kernel.maskedByBytes =
        BytePattern{match.packed->rows,
                    DetectIntoOp(match.detection).getIndexType().getTile()[1]};
    return;
  case PlanMask::Rows:
    // Pieces of single rows.
    kernel.masked = match.blocks
                        ? *match.blocks
                        : BlockPattern{1, ContractionKernel::kTileKOf16Bits,
                                       /*wordsAcross=*/true};
    return;
  case PlanMask::Blocks:
    kernel.masked = match.blocks;
    kernel.masksB = match.exchanged;
    if (kernel.masksB)
      kernel.panelsOfB = false;
    return;
  }
}

std::shared_ptr<ContractionKernel>
mlir::pit::hopper::describeDense(const ContractionMatch &match) {
  ContractionMatch dense = withNothingSkipped(match);
  auto kernel = std::make_shared<ContractionKernel>(describeOperands(dense));
  kernel->storesBoxes = true;
  PlanMask mask = PlanMask::None;
  if (isPackedByMask(match)) {
    mask = PlanMask::Bytes;
    // Beside rows of A in registers, there are too few for sums of 256 columns
    // and what is loaded for them.
    constexpr int64_t kColumns = 192;
    if (!leavesRegisters(kernel->epilogue.get()))
      kernel->tileN = kColumns;
  }
  if (match.blocks && !match.isDeadZero)
    mask = match.blocks->rows == 1 ? PlanMask::Rows : PlanMask::Blocks;
  setMask(match, mask, *kernel);
  setTails(dense, *kernel);
  return kernel;
}

bool mlir::pit::hopper::canMask(const ContractionKernel &dense) {
  if (!dense.loadsLiveAlone())
    return true;
  SharedLayout layout = dense.masksB ? dense.layoutB : dense.layoutA;
  int64_t rows = dense.masked->rows,
          extent = dense.masksB ? dense.tileN : dense.tileM;
  return (extent % rows == 0 || rows % extent == 0) &&
         (layout == SharedLayout::KMajor || rows % kPanel == 0);
}

bool mlir::pit::hopper::canLoadBesideProducts(const ContractionKernel &kernel) {
  bool isWhole = !kernel.segmented && !kernel.blocks && !kernel.packed &&
                 !kernel.sampled && !kernel.countType;
  // One thread has to load what a tile needs, and no other block's barriers may
  // be waited for.
  bool isPlain = !kernel.gathersA && !kernel.gathersK && !kernel.liveOfOutput &&
                 kernel.splitsK == 1;
  return isWhole && isPlain && kernel.stages > 2;
}

bool mlir::pit::hopper::hasManyTiles(const ContractionMatch &match,
                                     const ContractionKernel &dense,
                                     const DeviceModel &device) {
  ProductShape shape = guessShape(withNothingSkipped(match));
  return 2 * llvm::divideCeil(shape.m, dense.tileM) *
             llvm::divideCeil(shape.n, dense.tileN) >=
         uint64_t(device.multiprocessors);
}

/// Where it has one that pays.
static void addDenseVariant(const ContractionMatch &match,
                            const DeviceModel &device,
                            ContractionKernel &kernel) {
  ProductShape shape = guessShape(match);
  auto followPacking = [&](std::optional<double> mostLive,
                           std::shared_ptr<ContractionKernel> dense) {
    kernel.followsPacking = mostLive.has_value();
    if (!mostLive)
      return;
    kernel.mostLive = *mostLive * kLiveUnit;
    kernel.dense = std::move(dense);
  };
  if (kernel.packed)
    if (auto clusters = describeDenseClusters(match, device, kernel))
      return followPacking(getMostLiveOfClusters(device, shape),
                           std::move(clusters));
  // It would need all of a multiprocessor.
  if (kernel.blocksAtOnce > 1)
    return;
  std::shared_ptr<ContractionKernel> dense = describeDense(match);
  if (!canMask(*dense) || !hasManyTiles(match, *dense, device))
    return;
  if (dense->maskedByBytes)
    return followPacking(
        getMostLiveToPack(device, {match.packed->rows, 1}, shape),
        std::move(dense));
  if (std::optional<int64_t> most = getMostLive(device, kernel, shape)) {
    kernel.mostLive = *most;
    kernel.dense = std::move(dense);
  }
}

/// Whether columns of B may be the rows of the instructions, for segments.
static bool canBeSwapped(const ContractionMatch &match,
                         const ContractionKernel &kernel) {
  return match.segmented && kernel.mayBeSwapped() &&
         match.layoutA == SharedLayout::KMajor && !kernel.storesWords();
}

KernelLists mlir::pit::hopper::describeLists(const ContractionMatch &match) {
  KernelLists lists;
  lists.gathersA = match.gathersA;
  lists.scattersC = match.scattersC;
  lists.gathersK = match.gathersK;
  lists.raggedK = match.raggedK;
  lists.segmentsA = match.raggedK && match.a.segmentAxis;
  lists.segmentsB = match.raggedK && match.b.segmentAxis;
  lists.packsA = match.gathersK && match.a.rows == RowAccess::Packed;
  lists.packsB = match.gathersK && match.b.rows == RowAccess::Packed;
  lists.segmented = match.segmented;
  lists.segmentsC = match.c.segmentAxis.has_value();
  lists.batched = match.batched;
  lists.sharesA = match.batched && !match.a.segmentAxis;
  lists.sharesB = match.batched && !match.b.segmentAxis;
  if (match.index && !match.segmented && !match.sampled && !match.raggedK)
    lists.countType = IntegerType::get(match.index.getContext(), 64);
  if (lists.gathersA || lists.scattersC || lists.gathersK ||
      readsListedRows(match))
    lists.rowNumberType = IntegerType::get(match.index.getContext(),
                                           getIndexType(match).getWidth());
  return lists;
}

void mlir::pit::hopper::setLists(const ContractionMatch &match,
                                 ContractionKernel &kernel) {
  kernel.products = match.b2 ? 2 : 1;
  static_cast<KernelLists &>(kernel) = describeLists(match);
  // What is stored as boxes never returns to registers.
  if (canBeSwapped(match, kernel) && (kernel.swapped || match.scattersC) &&
      kernel.epilogue)
    if (std::shared_ptr<EpilogueFunction> split =
            splitAtRounding(*kernel.epilogue, kernel.outputType))
      kernel.epilogue = std::move(split);
}

ContractionKernel
mlir::pit::hopper::describeKernel(const ContractionMatch &match,
                                  const DeviceModel &device, int64_t parts) {
  ContractionKernel kernel = describeOperands(match);
  kernel.parts = parts;
  if (match.blocks)
    describeBlocks(match, device, kernel);
  else if (match.packed)
    describePacked(match, device, kernel);
  else if (match.sampled)
    describeSampled(match, device, kernel);
  else if (!match.index)
    chooseTiles(match, device, kernel);
  bool mayBeSwapped = canBeSwapped(match, kernel);
  bool hasShortSegments = mayBeSwapped && match.hasShortSegments;
  kernel.swapped |= hasShortSegments;
  setLists(match, kernel);
  if (hasShortSegments)
    describeShortSegments(match, device, kernel);
  else if (match.segmented)
    chooseTilesOfSegments(match, device, kernel.tileM, kernel);
  setTails(match, kernel);
  kernel.swapsTails = mayBeSwapped && !kernel.swapped;
  if (kernel.swapsTails && leavesRegisters(kernel.epilogue.get()))
    kernel.extraRows = kExtraRows;
  // With a count on the device, what is behind it stays as it is.
  if (!match.blocks && !match.packed && !match.sampled)
    kernel.storesBoxes = !kernel.swapped && !kernel.storesWords() &&
                         !kernel.scattersC &&
                         (!match.index || match.segmented || match.gathersK);
  if (match.segmented)
    limitStages(device, kernel);
  kernel.largeBytesOfA = getLargeBytesOfA(match, device, kernel);
  kernel.drawsTiles = match.drawsTiles;
  if (kernel.countType && kernel.mayBeSwapped() && !kernel.gathersK &&
      !match.b2 && match.layoutA == SharedLayout::KMajor &&
      !kernel.storesWords())
    chooseTilesOfFewRows(match, device, kernel);
  if (match.mayHaveDenseVariant && (kernel.blocks || isPackedByMask(match) ||
                                    (kernel.packed && match.isDeadZero)))
    addDenseVariant(match, device, kernel);
  return kernel;
}
