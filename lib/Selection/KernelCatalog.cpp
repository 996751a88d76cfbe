//===- KernelCatalog.cpp - Which kernel takes a sparse product ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Selection/KernelCatalog.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pit;

StringRef mlir::pit::getPlanName(SparseFamily family) {
  switch (family) {
  case SparseFamily::Pieces:
    return "row_piece_spmm";
  case SparseFamily::Packed:
    return "packed_spmm";
  case SparseFamily::Blocks:
    return "block_spmm";
  }
  return "";
}

StringRef mlir::pit::getFieldName(SparseFamily family) {
  switch (family) {
  case SparseFamily::Pieces:
    return "SpMM of gathered pieces";
  case SparseFamily::Packed:
    return "SpMM of packed micro-tiles";
  case SparseFamily::Blocks:
    return "SpMM of live blocks";
  }
  return "";
}

std::string CatalogAnswer::explain() const {
  SmallVector<std::string> reasons;
  for (const CatalogRefusal &refusal : llvm::reverse(refusals))
    reasons.push_back(getFieldName(refusal.family).str() + ": " +
                      refusal.reason);
  return llvm::join(reasons, "; ");
}

//===----------------------------------------------------------------------===//
// Micro-tiles
//===----------------------------------------------------------------------===//

static bool isPiece(MicroTile tile) {
  return tile.rows == 1 && tile.depth == kPieceOfRow;
}

bool mlir::pit::isPacked(MicroTile tile) {
  constexpr int64_t kMostDepth = 16;
  return llvm::is_contained({16, 32, 64}, tile.rows) &&
         tile.depth <= kMostDepth && llvm::isPowerOf2_64(tile.depth);
}

/// k that kernels walk at a time, and the least rows of one k that the copy
/// engine loads: the narrowest swizzle.
static constexpr int64_t kStepDepth = 64, kLeastWidth = 16;

/// Whether strips of such rows fit instructions, and steps along k begin where
/// micro-tiles do. Several micro-tiles per step need dead values that are zero,
/// as all of them are multiplied.
static bool fitsSteps(MicroTile tile, bool isDeadZero) {
  constexpr int64_t kInstructionRows = 8, kMostRows = 128;
  if (tile.rows % kInstructionRows != 0 || tile.rows > kMostRows)
    return false;
  return tile.depth % kStepDepth == 0 ||
         (isDeadZero && tile.depth < kStepDepth && tile.depth > 1 &&
          llvm::isPowerOf2_64(tile.depth));
}

std::optional<MicroTile> mlir::pit::getWalkedTile(const SparseProduct &product,
                                                  MicroTile tile) {
  if (!product.isKInner && product.m && tile.rows >= *product.m)
    tile.rows =
        std::max(kLeastWidth, int64_t(llvm::bit_ceil(uint64_t(tile.rows))));
  // Words of bits go along the last axis.
  bool hasWordsAcross = !product.isKLast;
  if (hasWordsAcross && tile.depth >= product.k)
    tile.depth = llvm::alignTo(tile.depth, kStepDepth);
  if (!fitsSteps(tile, product.isDeadZero) ||
      (hasWordsAcross && tile.depth % kStepDepth != 0))
    return std::nullopt;
  // Rows of one k are as wide as one of the swizzles.
  if (!product.isKInner &&
      (tile.rows < kLeastWidth || !llvm::isPowerOf2_64(tile.rows)))
    return std::nullopt;
  return tile;
}

std::optional<StripRange> mlir::pit::getStripsOfTile(int64_t rows,
                                                     bool isExchanged) {
  // As many as fit into 128 rows; more than eight take more registers than the
  // thread that loads has.
  constexpr int64_t kRows = 128, kMostStrips = 8;
  if (rows <= 0 || rows > kRows)
    return std::nullopt;
  int64_t most = llvm::bit_floor(uint64_t(std::min(kMostStrips, kRows / rows)));
  // Results are written 16 rows at a time, or 64 columns.
  int64_t written = isExchanged ? 64 : 16, least = 1;
  while (least <= most && least * rows % written != 0)
    least *= 2;
  if (least > most)
    return std::nullopt;
  return StripRange{least, most};
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

namespace {

/// One question.
class Check {
public:
  Check(SparseFamily family, const SparseProduct &product, MicroTile tile)
      : family(family), product(product), tile(tile) {}

  std::optional<CatalogRefusal> run() const;

private:
  CatalogRefusal refuse(const llvm::Twine &reason,
                        const llvm::Twine &suggestion = "") const {
    return {family, reason.str(), suggestion.str()};
  }
  /// The micro-tile is of another kind.
  CatalogRefusal pass() const { return {family, "", ""}; }

  std::optional<CatalogRefusal> checkPieces() const;
  std::optional<CatalogRefusal> checkPacked() const;
  std::optional<CatalogRefusal> checkBlocks() const;

  /// Of the operand with micro-tiles.
  bool isStoredInRows() const {
    return !product.isExchanged && product.isKInner && product.isKLast;
  }

  SparseFamily family;
  const SparseProduct &product;
  MicroTile tile;
};

} // namespace

std::optional<CatalogRefusal> Check::checkPieces() const {
  if (!isPiece(tile))
    return pass();
  // Rows of A are gathered as they lie, in whole chunks, and rows of B and C
  // come and go in whole tiles.
  if (product.epilogue != SparseEpilogue::Rounding)
    return refuse("its epilogue only rounds");
  if (!isStoredInRows() || !product.isNInner)
    return refuse("A must have the micro-tiles and be stored [m, k], B "
                  "[k, n], and C [m, n]");
  if (product.n % kPieceOfRow != 0 || product.k % kPieceOfRow != 0)
    return refuse("n = " + llvm::Twine(product.n) +
                  " and k = " + llvm::Twine(product.k) +
                  " must be multiples of " + llvm::Twine(kPieceOfRow));
  return std::nullopt;
}

std::optional<CatalogRefusal> Check::checkPacked() const {
  if (!isPacked(tile))
    return pass();
  if (!isStoredInRows())
    return refuse("what has micro-tiles must be A, stored [m, k]");
  if (!product.isNInner)
    return refuse("A must be a matrix, and B stored [k, n]");
  // Rows of B are gathered 128 bytes at a time, and rows of A are read 16 at a
  // time. Lists have room for a whole part: with few k, for much more than
  // there is.
  constexpr int64_t kColumns = 64, kVector = 8;
  if (product.n % kColumns != 0 || product.k % kVector != 0 ||
      llvm::alignTo(product.k, kPackedPart) > uint64_t(2 * product.k))
    return refuse("n = " + llvm::Twine(product.n) + " and k = " +
                      llvm::Twine(product.k) + " do not fit its lists",
                  "n a multiple of 64, and k one of 8 that is not much "
                  "shorter than a list");
  return std::nullopt;
}

std::optional<CatalogRefusal> Check::checkBlocks() const {
  std::optional<MicroTile> walked = getWalkedTile(product, tile);
  if (!walked)
    return refuse("it has no kernel for micro-tiles of " +
                      llvm::Twine(tile.rows) + "x" + llvm::Twine(tile.depth),
                  "micro-tiles of 8 to 128 rows in steps of 8, and a multiple "
                  "of 64 k, or a power of two below where dead values are "
                  "zeros");
  if (!getStripsOfTile(walked->rows, product.isExchanged))
    return refuse("strips of " + llvm::Twine(walked->rows) +
                  " rows do not add up to whole stores of 16 rows within a "
                  "tile of 128");
  return std::nullopt;
}

std::optional<CatalogRefusal> Check::run() const {
  if (product.element != MatrixElement::BF16 &&
      product.element != MatrixElement::F16)
    return refuse("it multiplies bf16 and f16");
  if (!product.isAligned)
    return refuse("rows must begin at multiples of 16 bytes, for the copy "
                  "engine");
  switch (family) {
  case SparseFamily::Pieces:
    return checkPieces();
  case SparseFamily::Packed:
    return checkPacked();
  case SparseFamily::Blocks:
    return checkBlocks();
  }
  return std::nullopt;
}

std::optional<CatalogRefusal>
mlir::pit::checkLimits(SparseFamily family, const SparseProduct &product,
                       MicroTile tile) {
  return Check(family, product, tile).run();
}

std::optional<CatalogRefusal> KernelCatalog::check(SparseFamily family,
                                                   const SparseProduct &product,
                                                   MicroTile tile) const {
  if (!chip.has(ChipFeature::WarpgroupProducts))
    return CatalogRefusal{family,
                          (chip.name + llvm::Twine(" has no wgmma")).str(), ""};
  if (family == SparseFamily::Pieces &&
      kSharedBytesOfPieces > chip.getSharedBytes())
    return CatalogRefusal{family,
                          ("it takes " + llvm::Twine(kSharedBytesOfPieces) +
                           " bytes of shared memory, of which a block has " +
                           llvm::Twine(chip.getSharedBytes()))
                              .str(),
                          ""};
  return checkLimits(family, product, tile);
}

CatalogAnswer KernelCatalog::find(const SparseProduct &product,
                                  MicroTile tile) const {
  CatalogAnswer answer;
  for (SparseFamily family : kSparseFamilies) {
    std::optional<CatalogRefusal> refusal = check(family, product, tile);
    if (!refusal) {
      answer.family = family;
      break;
    }
    if (!refusal->reason.empty())
      answer.refusals.push_back(std::move(*refusal));
  }
  return answer;
}
