//===- VerifyKernel.cpp - Plans that do not fit their product -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyKernel.h"
#include "DescribeKernel.h"
#include "DescribePacked.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;
using EmitError = function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

/// What a variant with nothing skipped has to take for zero.
static PlanMask getNeededMask(const ContractionMatch &match) {
  if (isPackedByMask(match))
    return PlanMask::Bytes;
  if (match.packed || match.isDeadZero || !match.detection || match.maskedSddmm)
    return PlanMask::None;
  return match.blocks ? PlanMask::Blocks : PlanMask::Rows;
}

SmallVector<VariantGuard>
mlir::pit::hopper::getGuards(const ContractionMatch &match) {
  if (match.packed)
    return {VariantGuard::Live, VariantGuard::Packed};
  if (match.blocks)
    return {VariantGuard::Live};
  if (match.index && !match.segmented && !match.sampled)
    return {VariantGuard::Rows};
  return {};
}

LogicalResult mlir::pit::hopper::verifyVariants(const ContractionMatch &match,
                                                PlanAttr plan,
                                                ArrayRef<VariantGuard> guards,
                                                EmitError emitError) {
  if (plan.getMask() != PlanMask::None)
    return emitError() << "its plan masks '"
                       << stringifyPlanMask(plan.getMask())
                       << "', which is for variants with nothing skipped";
  if (!plan.getVariants())
    return success();
  for (auto variant : plan.getVariants().getAsRange<VariantAttr>()) {
    VariantGuard guard = variant.getGuard();
    if (!llvm::is_contained(guards, guard))
      return emitError() << "its plan has a variant of the guard '"
                         << stringifyVariantGuard(guard)
                         << "', by which such a product has no variants";
    PlanMask needed = guard == VariantGuard::Rows ? PlanMask::None
                                                  : getNeededMask(match),
             mask = variant.getPlan().getMask();
    if (mask != needed)
      return emitError() << "its variant of the guard '"
                         << stringifyVariantGuard(guard) << "' masks '"
                         << stringifyPlanMask(mask) << "' instead of '"
                         << stringifyPlanMask(needed)
                         << "', what is dead and not zero";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Rows of an instruction, columns of a panel of B, the most columns of an
/// instruction, and rows that sums of clusters are shared by.
static constexpr int64_t kRows = 64, kPanel = 64, kMostColumns = 256,
                         kGroupRows = 16;

static InFlightDiagnostic failTile(const ContractionKernel &kernel,
                                   EmitError emitError) {
  InFlightDiagnostic diagnostic = emitError();
  diagnostic << "its plan has tiles of " << kernel.tileM << " x "
             << kernel.tileN;
  return diagnostic;
}

/// What instructions and warpgroups make of a tile.
static LogicalResult verifyTile(const ContractionKernel &kernel,
                                EmitError emitError) {
  auto fail = [&] { return failTile(kernel, emitError); };
  if (kernel.swapped) {
    if (kernel.tileN % (kRows * kernel.consumers * kernel.products) != 0)
      return fail() << ", whose columns are not " << kRows
                    << ", or a multiple, for each of " << kernel.consumers
                    << " consumers"
                    << (kernel.products > 1 ? " and of both products" : "");
    if (kernel.tileM > kMostColumns)
      return fail() << "; with swap_ab, they have up to " << kMostColumns
                    << " rows";
    return success();
  }
  if (kernel.tileM != kRows * kernel.consumers)
    return fail() << ", whose rows are not " << kRows << " for each of "
                  << kernel.consumers << " consumers";
  int64_t columns = kernel.getTileColumns();
  if (columns % kPanel != 0 || columns > kMostColumns)
    return fail() << ", of which " << columns
                  << " columns are multiplied at a time; these must be a "
                     "multiple of "
                  << kPanel << " and at most " << kMostColumns;
  return success();
}

/// K2 and K3 where it depends on the product.
static LogicalResult verifySwapping(const ContractionKernel &kernel,
                                    EmitError emitError) {
  bool isPlain = !kernel.blocks && !kernel.packed;
  if ((kernel.swapped || kernel.swapsTails) && !kernel.mayBeSwapped())
    return emitError() << "its plan swaps A and B, for which sums must be f32";
  if ((kernel.swapped || kernel.swapsTails) && isPlain &&
      kernel.layoutA != SharedLayout::KMajor)
    return emitError() << "its plan swaps A and B, for which k must be "
                          "contiguous in A";
  if (!isPlain && !kernel.swapped)
    return emitError() << "its plan needs swap_ab: micro-tiles are columns of "
                          "instructions";
  if (kernel.segmented && (kernel.swapped || kernel.swapsTails) &&
      kernel.storesWords())
    return emitError() << "its plan swaps A and B of segments, for which the "
                          "result must have 16 bits";
  // Code is made for these numbers of rows.
  constexpr int64_t kRowsOfSegments[] = {48, 80, 112, 128, 136, 144, 152, 160};
  constexpr int64_t kRowsOfTails = 128, kExtraRows = 24;
  if (kernel.segmented && kernel.swapped &&
      !llvm::is_contained(kRowsOfSegments, kernel.tileM))
    return failTile(kernel, emitError)
           << "; with swap_ab, those of segments have 48, 80, 112, 128, 136, "
              "144, 152 or 160 rows";
  if (kernel.swapsTails &&
      (kernel.tileM > kRowsOfTails ||
       (kernel.extraRows != 0 &&
        (kernel.extraRows != kExtraRows || kernel.tileM != kRowsOfTails))))
    return failTile(kernel, emitError)
           << " and extra_rows = " << kernel.extraRows
           << "; with swap_tails, they have up to " << kRowsOfTails
           << " rows, or " << kRowsOfTails << " and " << kExtraRows
           << " extra ones";
  constexpr int64_t kMostSplits = 8;
  if (kernel.splitsK > kMostSplits ||
      (kernel.splitsK > 1 && kernel.tileM % kGroupRows != 0))
    return emitError() << "its plan has split_k = " << kernel.splitsK
                       << "; clusters have up to " << kMostSplits
                       << " blocks, which share tiles of whole " << kGroupRows
                       << " rows";
  return success();
}

/// What of tiles follows from lists and micro-tiles.
static LogicalResult verifyPattern(const ContractionKernel &kernel,
                                   EmitError emitError) {
  auto fail = [&] { return failTile(kernel, emitError); };
  if (kernel.blocks) {
    int64_t rows = kernel.blocks->rows;
    std::optional<StripRange> strips = getStripsOfTile(rows, kernel.exchanged);
    int64_t number = kernel.tileM / rows;
    if (!strips || kernel.tileM % rows != 0 || number < strips->least ||
        number > strips->most || !llvm::isPowerOf2_64(number))
      return fail() << ", which do not hold 1, 2, 4 or 8 strips of " << rows
                    << " rows, as many as are stored at a time and at most 128 "
                       "rows";
  }
  if (kernel.packed && kernel.tileM != kernel.packed->rows)
    return fail() << ", which are not one strip of " << kernel.packed->rows
                  << " rows";
  if (kernel.sampled && (kernel.sampled->rows % kernel.tileM != 0 ||
                         kernel.sampled->columns % kernel.tileN != 0))
    return fail() << ", of which a block of " << kernel.sampled->rows << " x "
                  << kernel.sampled->columns << " has no whole number";
  if (!canMask(kernel))
    return fail() << ", which do not hold whole masked micro-tiles of "
                  << kernel.masked->rows << " rows";
  return success();
}

static LogicalResult verifyStore(const ContractionKernel &kernel,
                                 EmitError emitError) {
  bool countsRows = kernel.countType && !kernel.gathersK;
  if (kernel.storesBoxes &&
      (kernel.storesWords() || kernel.scattersC || countsRows))
    return emitError() << "its plan has tma_store, which is for results of 16 "
                          "bits whose rows are not listed";
  if (kernel.blocks && !kernel.storesBoxes)
    return emitError() << "its plan needs tma_store, as C of live blocks is "
                          "only stored so";
  if (kernel.packed && kernel.storesBoxes != (kernel.splitsK == 1))
    return emitError() << "its plan has tma_store = "
                       << (kernel.storesBoxes ? "true" : "false")
                       << " and split_k = " << kernel.splitsK
                       << "; packed micro-tiles need one of the two";
  if (kernel.storesBoxes && kernel.swapped && !kernel.blocks && !kernel.packed)
    return emitError() << "its plan has tma_store and swap_ab, which exclude "
                          "each other where no micro-tiles are skipped";
  if (int64_t columns = kernel.columnsOfBox;
      columns != 0 && (columns % kPanel != 0 || kernel.tileN % columns != 0))
    return failTile(kernel, emitError)
           << ", of which boxes of " << columns << " columns make no whole";
  return success();
}

LogicalResult mlir::pit::hopper::verifyThreads(const ContractionKernel &variant,
                                               int64_t threads,
                                               EmitError emitError) {
  if (variant.getNumThreads() == threads)
    return success();
  return emitError() << "its plan has a variant with "
                     << variant.getNumThreads()
                     << " threads, of which its blocks have " << threads;
}

LogicalResult mlir::pit::hopper::verifyKernel(const ContractionKernel &kernel,
                                              EmitError emitError) {
  if (failed(verifyTile(kernel, emitError)) ||
      failed(verifySwapping(kernel, emitError)) ||
      failed(verifyPattern(kernel, emitError)) ||
      failed(verifyStore(kernel, emitError)))
    return failure();
  if (!kernel.hasProducer && !canLoadBesideProducts(kernel))
    return emitError() << "its plan has no producer, without which only "
                          "products of whole matrices are loaded";
  for (const auto &variant : {kernel.dense, kernel.few})
    if (variant &&
        (failed(verifyKernel(*variant, emitError)) ||
         failed(verifyThreads(*variant, kernel.getNumThreads(), emitError))))
      return failure();
  if (kernel.dense && kernel.dense->splitsK != kernel.splitsK)
    return emitError() << "its plan has a variant with split_k = "
                       << kernel.dense->splitsK << ", and itself "
                       << kernel.splitsK << ", which must be the same";
  return success();
}
