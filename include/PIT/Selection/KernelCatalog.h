//===- KernelCatalog.h - Which kernel takes a sparse product ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The limits of kernels for products with micro-tiles (SpMM), in one place:
// passes that choose micro-tiles of marks ask which family will take a product,
// and matchers of the families ask the same when it is there.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_SELECTION_KERNELCATALOG_H
#define PIT_SELECTION_KERNELCATALOG_H

#include "PIT/GPU/ChipModel.h"
#include "PIT/Selection/TileDatabase.h"

#include <optional>
#include <string>

namespace mlir::pit {

/// Families that skip dead micro-tiles of A, in the order of tries.
enum class SparseFamily {
  Pieces, ///< Gathers live pieces of single rows.
  Packed, ///< Multiplies packed micro-tiles of few k.
  Blocks  ///< Walks the bits of live blocks.
};
inline constexpr SparseFamily kSparseFamilies[] = {
    SparseFamily::Pieces, SparseFamily::Packed, SparseFamily::Blocks};

/// What plans call the family ("packed_spmm"), and what remarks do.
StringRef getPlanName(SparseFamily family);
StringRef getFieldName(SparseFamily family);

/// What is done to sums before they are stored.
enum class SparseEpilogue {
  Rounding,   ///< They are rounded.
  Elementwise ///< More than that.
};

/// C[m,n] += A[m,k] * B[k,n] where A has micro-tiles; or B, as which it is
/// C^T += B^T * A^T, whose A is what has them.
struct SparseProduct {
  /// Of A and B; results have 16 bits.
  MatrixElement element = MatrixElement::BF16;
  /// Of the product whose A has micro-tiles; none if nobody knows m.
  std::optional<int64_t> m;
  int64_t n = 0, k = 0;
  /// Whether it is the transposed one.
  bool isExchanged = false;
  /// Whether k is contiguous in A, or else m; and the last one of its axes.
  bool isKInner = true, isKLast = true;
  /// Whether n is contiguous in B.
  bool isNInner = true;
  /// Whether rows of operands and C begin where the copy engine can read.
  bool isAligned = true;
  /// Whether what is dead is zero; otherwise it may be anything.
  bool isDeadZero = true;
  SparseEpilogue epilogue = SparseEpilogue::Rounding;
};

/// Why a family does not take a product.
struct CatalogRefusal {
  SparseFamily family;
  /// Empty if the micro-tile is of another family's kind.
  std::string reason;
  /// What would change it, if that is not the contrary.
  std::string suggestion;
};

/// Which family takes a product, or why none does.
struct CatalogAnswer {
  std::optional<SparseFamily> family;
  /// Of those that were asked before, and have a reason.
  llvm::SmallVector<CatalogRefusal> refusals;

  /// All reasons, the last one first, as remarks have them.
  std::string explain() const;
};

/// Of a chip.
class KernelCatalog {
public:
  explicit KernelCatalog(const ChipModel &chip) : chip(chip) {}

  /// Why the family does not take the product with such micro-tiles; none if it
  /// does.
  std::optional<CatalogRefusal> check(SparseFamily family,
                                      const SparseProduct &product,
                                      MicroTile tile) const;
  CatalogAnswer find(const SparseProduct &product, MicroTile tile) const;

private:
  const ChipModel &chip;
};

//===----------------------------------------------------------------------===//
// Limits, whatever the chip
//===----------------------------------------------------------------------===//

/// The same as KernelCatalog::check on a chip that has all families.
std::optional<CatalogRefusal>
checkLimits(SparseFamily family, const SparseProduct &product, MicroTile tile);

/// k of a piece of a row: a row of the 128-byte swizzle of 16-bit elements;
/// and, for the kernel, the columns of a tile.
inline constexpr int64_t kPieceOfRow = 64;
/// Bytes of shared memory that a block of the kernel takes.
inline constexpr int64_t kSharedBytesOfPieces = 231856;

/// k of a strip of packed micro-tiles that share a list.
inline constexpr int64_t kPackedPart = 1024;
/// Whether micro-tiles of such extents are packed.
bool isPacked(MicroTile tile);

/// The micro-tile as kernels that walk bits see it, if they do: what is all
/// there is along an axis is as good as something longer.
std::optional<MicroTile> getWalkedTile(const SparseProduct &product,
                                       MicroTile tile);
/// How many strips of so many rows a tile of such kernels holds, at least and
/// at most, both powers of two; none if there is no such number.
struct StripRange {
  int64_t least, most;
};
std::optional<StripRange> getStripsOfTile(int64_t rows, bool isExchanged);

/// Whether the copy engine, its strides, and stores of 16 bytes can begin so
/// many elements of `width` bits behind an aligned address.
inline bool isAlignedForCopies(int64_t elements, unsigned width) {
  return elements * width % 128 == 0;
}

} // namespace mlir::pit

#endif // PIT_SELECTION_KERNELCATALOG_H
