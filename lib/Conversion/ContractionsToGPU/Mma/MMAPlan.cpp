//===- MMAPlan.cpp - #pit.plan of kernels with mma.sync -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MMAPlan.h"
#include "Conversion/ContractionsToGPU/Match/ReportMatch.h"
#include "Conversion/ContractionsToGPU/Match/Version.h"
#include "Conversion/ContractionsToGPU/Plan/DescribeKernel.h"
#include "Conversion/ContractionsToGPU/Plan/VersionCondition.h"
#include "Conversion/ContractionsToGPU/Registry/FormOnBuffers.h"
#include "GPU/Host/DeviceAnalysis.h"
#include "SharedTile.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::pit::mma;
using mlir::pit::hopper::ContractionMatch;
using mlir::pit::hopper::Matrix;

/// What all rows of a matrix are aligned to, up to 16 bytes. Buffers are.
static int64_t getAlignment(const Matrix &matrix) {
  int64_t bytes =
      getElementTypeOrSelf(matrix.buffer).getIntOrFloatBitWidth() / 8;
  if (ShapedType::isDynamic(matrix.stride))
    return bytes;
  // Where that is not known, batches are whole rows apart.
  int64_t segmentStride = ShapedType::isDynamic(matrix.segmentStride)
                              ? matrix.stride
                              : matrix.segmentStride;
  return llvm::MinAlign(
      llvm::MinAlign(matrix.offsetUnit * bytes, 16),
      llvm::MinAlign(matrix.stride * bytes, segmentStride * bytes));
}

static constexpr int64_t kTilesAtOnce = MMAKernel::kTilesAtOnce;

/// Of batches, or segments of k, together; null where that is known on the
/// device alone.
static std::optional<int64_t> countTiles(const ContractionMatch &match,
                                         const MMAKernel &kernel) {
  int64_t batches =
      match.raggedK
          ? pit::hopper::getNumSegments(match).value_or(ShapedType::kDynamic)
      : match.batched ? pit::hopper::getNumBatches(match)
                      : 1;
  if (pit::hopper::getVersion(match) && ShapedType::isDynamic(batches))
    batches = pit::hopper::guessBatches(match);
  if (ShapedType::isDynamic(match.m) || ShapedType::isDynamic(match.n) ||
      ShapedType::isDynamic(batches))
    return std::nullopt;
  return batches * llvm::divideCeil(match.m, kernel.tileM) *
         llvm::divideCeil(match.n, kernel.getTileColumns());
}

/// The same where at most so many rows are listed, and only the device knows
/// how many; null where that is unknown, too, or they come in segments.
static std::optional<int64_t> countMostTiles(const ContractionMatch &match,
                                             const MMAKernel &kernel) {
  if (!ShapedType::isDynamic(match.m))
    return countTiles(match, kernel);
  if (match.batched || match.c.segmentAxis || match.b.segmentAxis)
    return std::nullopt;
  ContractionMatch whole = match;
  whole.m = match.c.getDimSize(0);
  return countTiles(whole, kernel);
}

/// Whether what follows the sums takes a function, which is a hundred
/// instructions for each of them: instructions are read from memory, too.
static bool hasLongEpilogue(const MMAKernel &kernel) {
  if (!kernel.epilogue)
    return false;
  return llvm::any_of(kernel.epilogue->getBody(), [](Operation &op) {
    return isa<math::MathDialect>(op.getDialect()) &&
           !isa<math::AbsFOp, math::FmaOp, math::SqrtOp, math::RsqrtOp>(op);
  });
}

/// Whether all products together are known to have that few columns.
static bool hasAtMost(const ContractionMatch &match, const MMAKernel &kernel,
                      int64_t columns) {
  return !ShapedType::isDynamic(match.n) &&
         match.n * kernel.products <= columns;
}

/// What threads multiply: the larger a thread's part, the less it loads for
/// each product. A part of 8 x 16 takes most registers.
static void chooseTilesOfThreads(const ContractionMatch &match,
                                 MMAKernel &kernel) {
  kernel.warpM = 64;
  kernel.warpN = 32;
  kernel.tileN = hasAtMost(match, kernel, 64) ? 64 : 128;
  // Rows that are counted on the device come in segments, or end early; and
  // each of two products has so few columns that more threads would have none
  // of them to load.
  if (ShapedType::isDynamic(match.m) || kernel.products > 1)
    kernel.tileM = 64;
  std::optional<int64_t> tiles = countTiles(match, kernel);
  if (!tiles || kernel.tileM == 64)
    return;
  // A large tile takes a multiprocessor, so that in a last round of few tiles
  // most of the chip has none; of smaller ones, each has some.
  constexpr double kMostWaste = 1.25;
  if (kernel.window) {
    if (llvm::alignTo(*tiles, kTilesAtOnce) > kMostWaste * *tiles)
      kernel.tileM = 64;
    return;
  }
  // Nor has a thread of such a tile registers for row numbers.
  if (kernel.tileN < 128 || kernel.findsRows() || kernel.gathersK ||
      hasLongEpilogue(kernel))
    return;
  // Half as large tiles take a little more than half of the time. Of many
  // rounds, it matters little how full the last one is.
  constexpr double kTimeOfHalf = .55;
  constexpr int64_t kManyRounds = 8;
  MMAKernel wide = kernel;
  wide.tileN = 256;
  wide.warpN = 64;
  auto countRounds = [&](const MMAKernel &kernel) -> double {
    return llvm::divideCeil(*countTiles(match, kernel), kTilesAtOnce);
  };
  if (countRounds(wide) <= kTimeOfHalf * countRounds(kernel) ||
      *countTiles(match, wide) >= kManyRounds * kTilesAtOnce)
    kernel = wide;
}

/// Where even small tiles are few, and take long to multiply or to load element
/// by element, smaller ones are spread over more of the chip.
static void chooseSmallestTile(const ContractionMatch &match,
                               MMAKernel &kernel) {
  std::optional<int64_t> tiles = countMostTiles(match, kernel);
  bool isSlow = kernel.hasSlowProducts() || kernel.loadsElements();
  if (!isSlow || !tiles || 2 * *tiles > kTilesAtOnce || kernel.window ||
      kernel.products > 1 || kernel.getElementBytes() == 1)
    return;
  kernel.tileM = 32;
  kernel.warpM = 16;
  if (kernel.getElementBytes() > 2) {
    kernel.tileN = 32;
    kernel.warpN = 16;
  }
}

/// Of products of f64, whose sums take the registers of two. Measured, of
/// cuBLAS's speed: A along k .94 with 128 x 64, and .87 with 64 x 64 where
/// there are few tiles, against .90 and .85 with half as many k and twice the
/// stages; .91 where each multiprocessor has one tile of 128 x 64, of twice the
/// warps. A along m .92 with 64 x 64, against .78 with 128 x 128.
static void chooseTilesOfF64(const ContractionMatch &match, MMAKernel &kernel) {
  kernel.warpN = 32;
  kernel.tileN = 64;
  bool isAlongK = kernel.layoutA == SharedLayout::KMajor;
  std::optional<int64_t> tiles = countMostTiles(match, kernel);
  constexpr int64_t kEnough = 2 * kTilesAtOnce;
  if (isAlongK && tiles && *tiles <= kTilesAtOnce &&
      2 * *tiles > kTilesAtOnce && !kernel.findsRows()) {
    kernel.warpM = 32;
    kernel.tileK = 32;
    kernel.stages = 3;
    return;
  }
  if (!isAlongK || (tiles && *tiles < kEnough)) {
    kernel.tileM = 64;
    kernel.warpM = 32;
  }
  // Stages of as many bytes, so that two blocks have room. Rows that are found
  // one by one have an address each for every few k.
  bool isDeep = isAlongK && !kernel.findsRows();
  kernel.tileK = isDeep ? 32 : 16;
  kernel.stages = !isDeep ? 4 : kernel.tileM == 64 ? 3 : 2;
  MMAKernel smallest = kernel;
  if (kernel.tileM == 64)
    chooseSmallestTile(match, smallest);
  if (smallest.tileM == kernel.tileM)
    return;
  kernel = smallest;
  kernel.tileK = 16;
  kernel.stages = 4;
}

/// As many bytes of all inputs along k in a stage, and as many sums of a thread
/// as leave it registers for both parts of what is split.
static void chooseTiles(const ContractionMatch &match, MMAKernel &kernel) {
  kernel.tileK = 64 / kernel.getElementBytes();
  if (kernel.inputType.isF64())
    return chooseTilesOfF64(match, kernel);
  if (kernel.usesThreads())
    chooseTilesOfThreads(match, kernel);
  if (kernel.splitsInputs()) {
    kernel.tileN = 128;
    kernel.warpN = 32;
  }
  // A narrow output is not worth a wide tile.
  if (hasAtMost(match, kernel, 128))
    kernel.tileN = std::min<int64_t>(kernel.tileN, 128);
  // Stems and groups have few columns, and rows enough.
  if (kernel.window && match.n <= 64 && !kernel.usesThreads() &&
      !kernel.splitsInputs()) {
    kernel.tileN = 64;
    kernel.warpN = 32;
  }
  // Of rows that are listed, as where all of them are known, so that no row
  // costs more than in the dense product.
  MMAKernel large = kernel;
  if (ShapedType::isDynamic(match.m) && kernel.products == 1)
    large.tileM = MMAKernel().tileM;
  if (std::optional<int64_t> tiles = countMostTiles(match, large);
      tiles && *tiles < kTilesAtOnce) {
    kernel.tileM = kernel.tileN = 64;
    kernel.warpM = kernel.warpN = 32;
    chooseSmallestTile(match, kernel);
  }
}

/// Types, layouts, lists: all but what is chosen.
static MMAKernel describeOperands(const ContractionMatch &match,
                                  pit::F32Products products,
                                  const pit::ChipModel &chip) {
  MMAKernel kernel;
  kernel.inputType = getElementTypeOrSelf(match.a.buffer);
  if (kernel.inputType.isF32())
    kernel.f32Products = products;
  kernel.unsignedA = match.isUnsigned[0];
  kernel.unsignedB = match.isUnsigned[1];
  if (kernel.inputType.isF64())
    kernel.hasTallF64 = chip.has(pit::ChipFeature::TallF64Products);
  kernel.outputType = getElementTypeOrSelf(match.c.buffer);
  kernel.layoutA = match.layoutA;
  kernel.layoutB = match.layoutB;
  static_cast<pit::hopper::KernelLists &>(kernel) =
      pit::hopper::describeLists(match);
  static_cast<pit::hopper::KernelWindows &>(kernel) =
      pit::hopper::describeWindows(match);
  kernel.products = match.b2 ? 2 : 1;
  kernel.epilogue = match.epilogue;
  kernel.copyBytesA = getAlignment(match.a);
  kernel.copyBytesB = getAlignment(match.b);
  if (match.b2)
    kernel.copyBytesB = std::min(kernel.copyBytesB, getAlignment(*match.b2));
  // Segments start at any row, which here are elements of a row in memory.
  if (match.segmented && match.layoutA == SharedLayout::MNMajor)
    kernel.copyBytesA = kernel.getElementBytes();
  SmallVector<const Matrix *> matrices{&match.a, &match.b, &match.c};
  if (match.b2)
    matrices.push_back(&*match.b2);
  // A version is for rows that are aligned, or for others.
  kernel.asksAlignment = !pit::hopper::getVersion(match) &&
                         pit::hopper::mayBeAligned(match) &&
                         llvm::any_of(matrices, [](const Matrix *matrix) {
                           return ShapedType::isDynamic(matrix->stride);
                         });
  int64_t outputBytes = kernel.outputType.getIntOrFloatBitWidth() / 8;
  kernel.storeBytes =
      ShapedType::isDynamic(match.n)
          ? outputBytes
          : llvm::MinAlign(getAlignment(match.c), match.n * outputBytes);
  if (pit::hopper::isKnownAligned(match.ops.back()))
    return kernel.getAligned();
  return kernel;
}

/// Whether each thread loads as many chunks of an operand as any other.
static bool loadsEvenly(const MMAKernel &kernel) {
  for (unsigned operand = 0; operand <= kernel.products; ++operand) {
    SharedTile tile(kernel, operand);
    if (tile.getNumRows() * tile.getChunksPerRow() % kernel.getNumThreads())
      return false;
  }
  return true;
}

/// What follows from the match and the tile.
static void setTails(const ContractionMatch &match, MMAKernel &kernel) {
  // Segments and windows come in tiles of their own.
  bool isPlain = !kernel.segmented && !match.window && kernel.products == 1;
  std::optional<MMAKernel> small = kernel.getSmall();
  kernel.asksExtents = isPlain && !pit::hopper::getVersion(match) &&
                       !countTiles(match, kernel) && small &&
                       loadsEvenly(*small);
  kernel.tailM = ShapedType::isDynamic(match.m) || match.m % kernel.tileM != 0;
  kernel.tailN =
      ShapedType::isDynamic(match.n) || match.n % kernel.getTileColumns() != 0;
  // Lists of k end anywhere.
  kernel.tailK = match.gathersK || ShapedType::isDynamic(match.k) ||
                 match.k % kernel.tileK != 0;
}

/// The match with the extents that its version is for, if it is one.
static ContractionMatch withExpectedExtents(const ContractionMatch &match) {
  if (!pit::hopper::getVersion(match))
    return match;
  ContractionMatch expected = match;
  pit::ProductShape shape = pit::hopper::guessShape(match);
  expected.m = shape.m;
  expected.n = shape.n;
  expected.k = shape.k;
  return expected;
}

mlir::pit::hopper::MatchRequirements mlir::pit::mma::getRequirements() {
  hopper::MatchRequirements needs;
  needs.aligned = false;
  needs.elements |=
      MatrixElement::TF32 | MatrixElement::F64 | MatrixElement::I8;
  return needs;
}

std::optional<MMAKernel>
mlir::pit::mma::describeKernel(const ContractionMatch &match,
                               const MMATarget &target) {
  MMAKernel kernel = describeOperands(match, target.products, target.chip);
  chooseTiles(withExpectedExtents(match), kernel);
  if (!loadsEvenly(kernel))
    return std::nullopt;
  while (kernel.getSharedBytes() > target.sharedBytes)
    if (--kernel.stages < 2)
      return std::nullopt;
  setTails(match, kernel);
  return kernel;
}

mlir::pit::PlanParts mlir::pit::mma::getPlan(const MMAKernel &kernel,
                                             KernelFamily family) {
  PlanParts plan;
  plan.family = family;
  bool isF32 = kernel.inputType.isF32();
  plan.engine =
      isF32 && kernel.usesThreads() ? KernelEngine::Simt : KernelEngine::Mma;
  plan.tile = {kernel.tileM, kernel.tileN, kernel.tileK};
  plan.warpTile = {kernel.warpM, kernel.warpN};
  plan.stages = kernel.stages;
  plan.groupM = kernel.groupM;
  if (isF32 && !kernel.usesThreads())
    plan.tf32 = kernel.splitsInputs() ? 3 : 1;
  return plan;
}

MMAKernel mlir::pit::mma::bindKernel(const ContractionMatch &match,
                                     PlanAttr plan, const ChipModel &chip) {
  F32Products products = plan.getTf32() == 3   ? F32Products::SplitTF32
                         : plan.getTf32() == 1 ? F32Products::TF32
                                               : F32Products::SIMT;
  MMAKernel kernel = describeOperands(match, products, chip);
  kernel.tileM = plan.getTile()[0];
  kernel.tileN = plan.getTile()[1];
  kernel.tileK = plan.getTile()[2];
  kernel.warpM = plan.getWarpTile()[0];
  kernel.warpN = plan.getWarpTile()[1];
  kernel.stages = plan.getStages();
  kernel.groupM = plan.getGroupM();
  setTails(match, kernel);
  return kernel;
}

/// The one that computes the op's domain with mma.sync; null if none does.
static const mlir::pit::hopper::ContractionFamily *
findFamily(const pit::hopper::FamilyRegistry &families, pit::ContractOp op) {
  auto found = families.findFor(op);
  auto *family = llvm::find_if(
      found, [](const auto *family) { return family->hasWarpKernels(); });
  return family == found.end() ? nullptr : *family;
}

unsigned mlir::pit::mma::formKernels(func::FuncOp function,
                                     const hopper::FamilyRegistry &families,
                                     const MMATarget &target) {
  auto fits = [&](const ContractionMatch &match, const MatchLog &log) {
    if (describeKernel(match, target))
      return true;
    (void)log.refuse("no tile fits " + Twine(target.sharedBytes) +
                     " bytes of shared memory twice");
    return false;
  };
  return hopper::formKernels(function, families, getRequirements(),
                             {"an mma.sync kernel",
                              "one thread for each element",
                              /*isOfWarpgroups=*/false, fits});
}

void mlir::pit::mma::planKernels(func::FuncOp function,
                                 const hopper::FamilyRegistry &families,
                                 const MMATarget &target) {
  DeviceAnalysis analysis(function);
  for (auto op : function.getBody().front().getOps<ContractOp>()) {
    if (op.getPlan() || !op.isOnBuffers())
      continue;
    Refusals refusals(op);
    hopper::MatchRequirements needs = getRequirements();
    needs.log = MatchLog(refusals, hopper::getKindName(op));
    FailureOr<ContractionMatch> match = hopper::matchContract(op, needs);
    std::optional<MMAKernel> kernel;
    if (succeeded(match) && analysis.isCrossedByScalar(op))
      match = needs.log.refuse(hopper::kCrossedByScalar);
    if (succeeded(match) && !(kernel = describeKernel(*match, target)))
      (void)needs.log.refuse("no tile fits " + Twine(target.sharedBytes) +
                             " bytes of shared memory twice");
    const hopper::ContractionFamily *family = findFamily(families, op);
    if (kernel && family)
      op.setPlanAttr(getPlan(*kernel, family->getId()).get(op.getContext()));
    else
      refusals.tell(op, "an mma.sync kernel",
                    "one thread for each element, or loops of blocks");
  }
}
