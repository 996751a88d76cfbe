//===- KernelCatalog.h - Which kernel takes a sparse product ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What kernels for products with micro-tiles (SpMM) can compute, in one place.
// Passes that choose micro-tiles ask which family will compute a product. The
// matchers of the families later ask the same.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_SELECTION_KERNELCATALOG_H
#define PIT_SELECTION_KERNELCATALOG_H

#include "PIT/GPU/ChipModel.h"
#include "PIT/Selection/TileDatabase.h"

#include <optional>
#include <string>

namespace mlir::pit {

/// Families that skip dead micro-tiles of A, in the order in which they are
/// tried.
enum class SparseFamily {
  Pieces, ///< `row_piece_spmm`: gathers live pieces of rows.
  Packed, ///< `packed_spmm`: packs micro-tiles of few k.
  Blocks  ///< `block_spmm`: walks a bitmap of live blocks.
};
inline constexpr SparseFamily kSparseFamilies[] = {
    SparseFamily::Pieces, SparseFamily::Packed, SparseFamily::Blocks};

/// The family's name in plans ("packed_spmm"), and in remarks.
StringRef getPlanName(SparseFamily family);
StringRef getFieldName(SparseFamily family);

/// The epilogue: what happens to sums before they are stored.
enum class SparseEpilogue {
  Rounding,   ///< Sums are rounded.
  Elementwise ///< Other elementwise work as well.
};

/// A product C[m,n] += A[m,k] * B[k,n] whose A has micro-tiles. If B has them,
/// this describes the transposed product C^T += B^T * A^T.
struct SparseProduct {
  /// The elements of A and B. Results have 16 bits.
  MatrixElement element = MatrixElement::BF16;
  /// Extents; `m` is none if it is dynamic.
  std::optional<int64_t> m;
  int64_t n = 0, k = 0;
  /// Whether this is the transposed product.
  bool isExchanged = false;
  /// `isKInner`: k, rather than m, is contiguous in A. `isKLast`: k is the last
  /// axis of A.
  bool isKInner = true, isKLast = true;
  /// Whether n is contiguous in B.
  bool isNInner = true;
  /// Whether rows of A, B and C are aligned for TMA.
  bool isAligned = true;
  /// Whether dead elements are zero. Otherwise they may hold anything.
  bool isDeadZero = true;
  SparseEpilogue epilogue = SparseEpilogue::Rounding;
};

/// Why a family cannot compute a product.
struct CatalogRefusal {
  SparseFamily family;
  /// Empty if the micro-tile is of a kind for another family.
  std::string reason;
  /// What the user may change; empty if the reason already implies it.
  std::string suggestion;
};

/// Which family computes a product, or why none does.
struct CatalogAnswer {
  std::optional<SparseFamily> family;
  /// From the families that were tried before and gave a reason.
  llvm::SmallVector<CatalogRefusal> refusals;

  /// All reasons as a remark prints them, the last one first.
  std::string explain() const;
};

/// The families of one chip.
class KernelCatalog {
public:
  explicit KernelCatalog(const ChipModel &chip) : chip(chip) {}

  /// Why the family cannot compute the product with micro-tiles `tile`; none if
  /// it can.
  std::optional<CatalogRefusal> check(SparseFamily family,
                                      const SparseProduct &product,
                                      MicroTile tile) const;
  CatalogAnswer find(const SparseProduct &product, MicroTile tile) const;

private:
  const ChipModel &chip;
};

//===----------------------------------------------------------------------===//
// Limits that do not depend on the chip
//===----------------------------------------------------------------------===//

/// KernelCatalog::check for a chip that has all families.
std::optional<CatalogRefusal>
checkLimits(SparseFamily family, const SparseProduct &product, MicroTile tile);

/// The k of a piece of a row: one row of the 128-byte swizzle, in elements of
/// 16 bits. Tiles of the kernel have as many columns.
inline constexpr int64_t kPieceOfRow = 64;
/// Bytes of shared memory of a block of that kernel.
inline constexpr int64_t kSharedBytesOfPieces = 231856;

/// The k of a strip that share one list of packed micro-tiles.
inline constexpr int64_t kPackedPart = 1024;
/// Whether `packed_spmm` packs micro-tiles of these extents.
bool isPacked(MicroTile tile);

/// The micro-tile that `block_spmm` uses for `tile`; none if it cannot. A
/// micro-tile that covers a whole axis may be taken to be longer.
std::optional<MicroTile> getWalkedTile(const SparseProduct &product,
                                       MicroTile tile);
/// How many strips of `rows` rows a tile of `block_spmm` may hold: the least
/// and the most, both powers of two. None if no tile can.
struct StripRange {
  int64_t least, most;
};
std::optional<StripRange> getStripsOfTile(int64_t rows, bool isExchanged);

/// Whether an offset of `elements` elements of `width` bits keeps the alignment
/// that TMA, its strides, and stores of 16 bytes need.
inline bool isAlignedForCopies(int64_t elements, unsigned width) {
  return elements * width % 128 == 0;
}

} // namespace mlir::pit

#endif // PIT_SELECTION_KERNELCATALOG_H
