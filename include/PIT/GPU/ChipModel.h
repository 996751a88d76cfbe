//===- ChipModel.h - What kernels are planned for ---------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table with one row for each chip: its instructions, the shared memory of a
// block, and the card that stands for it where a plan needs a number of
// multiprocessors or bytes of memory. Conversions, selection and pipelines read
// the row and never compare names of chips. docs/Extending.md says how to add a
// row.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_GPU_CHIPMODEL_H
#define PIT_GPU_CHIPMODEL_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitmaskEnum.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace mlir {
class MLIRContext;
class Type;

namespace pit {

LLVM_ENABLE_BITMASK_ENUMS_IN_NAMESPACE();

/// The chip to compile for by default.
inline constexpr llvm::StringLiteral kDefaultChip = "sm_90a";

/// Instructions that not all chips have.
enum class ChipFeature : unsigned {
  None = 0,
  /// `cp.async`: copies into shared memory that go on in the background.
  AsyncCopies = 1 << 0,
  /// `createpolicy`, and loads with a cache policy.
  CachePolicies = 1 << 1,
  /// `griddepcontrol`: kernels that start while the one before ends, and wait
  /// for it themselves.
  DependentLaunches = 1 << 2,
  /// Clusters of blocks that read each other's shared memory.
  Clusters = 1 << 3,
  /// `cp.async.bulk.tensor`: the copy engine, also called TMA.
  TensorCopies = 1 << 4,
  /// `wgmma`: matrix instructions of warpgroups, on operands in shared memory.
  WarpgroupProducts = 1 << 5,
  /// `tcgen05`: matrix instructions on tensor memory. No kernel uses them yet.
  TensorMemoryProducts = 1 << 6,
  /// `mma.sync` of f64 with 16 rows and up to 16 k, besides 8 rows and 4 k.
  TallF64Products = 1 << 7,
  LLVM_MARK_AS_BITMASK_ENUM(/*LargestValue=*/TallF64Products)
};

/// Element types that matrix units multiply. Sums are in f32, those of f64 in
/// f64, and those of integers in i32.
enum class MatrixElement : unsigned {
  None = 0,
  F16 = 1 << 0,
  BF16 = 1 << 1,
  /// f32 in memory.
  TF32 = 1 << 2,
  FP8 = 1 << 3,
  F64 = 1 << 4,
  I8 = 1 << 5,
  LLVM_MARK_AS_BITMASK_ENUM(/*LargestValue=*/I8)
};

/// The matrix element for an element type in memory; `None` for other types.
MatrixElement getMatrixElement(Type type);

/// The extents of one matrix instruction, C[m,n] += A[m,k] * B[k,n].
struct MatrixShape {
  int64_t m, n, k;

  bool operator==(const MatrixShape &other) const {
    return m == other.m && n == other.n && k == other.k;
  }
};

/// A product that is sold, with a chip on it. Cards with one chip run the same
/// code; they differ in multiprocessors, caches and memory.
struct CardModel {
  /// The name in options, such as "h200", and the name that the driver reports.
  StringRef name, device;
  /// The compute capability of its chip, times 10.
  unsigned capability;
  int64_t multiprocessors;
  int64_t l2Bytes;
  /// Device memory: GB (10^9 bytes), and GB per second.
  int64_t memory, memoryRate;

  /// Bytes of device memory per cycle of 0.5 ns, about that of a
  /// multiprocessor.
  double getMemoryBytesPerCycle() const { return memoryRate / 2.; }
};

struct ChipModel {
  StringRef name;
  /// Compute capability, times 10.
  unsigned capability;
  /// The first PTX version that has the chip, times 10.
  unsigned firstPTX;
  ChipFeature features;
  MatrixElement elements;
  /// The k extent of an `mma.sync`, in bytes.
  int64_t matrixDepth;
  /// Bytes of shared memory: the most that a block may have, and those of a
  /// multiprocessor.
  int64_t sharedOfBlock, sharedOfMultiprocessor;
  /// The most threads that are resident on a multiprocessor.
  int64_t threadsOfMultiprocessor;
  /// The default card of the chip: the one that tiles were measured on, or else
  /// the largest.
  const CardModel *card;

  /// 32-bit registers of a multiprocessor, the same for all chips.
  static constexpr int64_t kRegisters = 64 << 10;

  bool has(ChipFeature feature) const {
    return (features & feature) == feature;
  }
  bool multiplies(MatrixElement element) const {
    return (elements & element) == element;
  }
  /// Whether loads with cache policies (PTX 7.4) compile for every PTX version
  /// that has the chip.
  bool hasCachePolicies() const;
  /// Whether tiled kernels with `cp.async` and `mma.sync` run on the chip.
  bool hasTileKernels() const;
  /// Whether code for the chip runs on that chip alone. Code for sm_90a runs on
  /// 9.0 only; code for sm_90 runs on newer chips as well.
  bool isArchitectureSpecific() const { return name.ends_with("a"); }

  /// The shape of one `mma.sync`, and of the `wgmma` with the least n. None if
  /// the chip has no such instruction for the element.
  std::optional<MatrixShape> getMatrixShape(MatrixElement element) const;
  std::optional<MatrixShape> getWarpgroupShape(MatrixElement element) const;

  /// Bytes of shared memory that a block may have if `blocks` of them are to be
  /// resident on a multiprocessor.
  int64_t getSharedBytes(int64_t blocks = 1) const;
  /// The most blocks of `threads` threads that are resident on the whole card,
  /// by threads alone.
  int64_t getBlocksAtOnce(int64_t threads) const;
};

/// Chips by their names.
class ChipTable {
public:
  explicit ChipTable(ArrayRef<ChipModel> chips,
                     ArrayRef<const CardModel *> cards = {})
      : chips(chips), cards(cards) {}

  /// The chips and cards that PIT knows.
  static const ChipTable &get();

  ArrayRef<ChipModel> getChips() const { return chips; }
  ArrayRef<const CardModel *> getCards() const { return cards; }

  /// The chip of that name; null if there is none.
  const ChipModel *find(StringRef name) const;
  /// The same, with an error that lists the known chips.
  llvm::Expected<const ChipModel *> lookup(StringRef name) const;
  /// The chip whose code is best for a device of compute capability
  /// `major.minor`; null if every chip is newer.
  const ChipModel *findBest(int major, int minor) const;

  /// The card with that name, in options or by the driver; null if there is
  /// none.
  const CardModel *findCard(StringRef name) const;
  /// The named card, or the chip's default card if `name` is empty. An error
  /// lists the cards that have the chip.
  llvm::Expected<const CardModel *> lookupCard(const ChipModel &chip,
                                               StringRef name) const;

private:
  ArrayRef<ChipModel> chips;
  ArrayRef<const CardModel *> cards;
};

/// Looks up the chip that an option of a pass names, for `Pass::initialize`. An
/// unknown name is one diagnostic that lists the known chips.
FailureOr<const ChipModel *> lookupChip(StringRef name, MLIRContext *context);
/// The same; also fails for chips without tiled kernels (`hasTileKernels`).
FailureOr<const ChipModel *> lookupTileChip(StringRef name,
                                            MLIRContext *context);
/// The same for an option that names a card.
FailureOr<const CardModel *> lookupCard(const ChipModel &chip, StringRef name,
                                        MLIRContext *context);

} // namespace pit
} // namespace mlir

#endif // PIT_GPU_CHIPMODEL_H
