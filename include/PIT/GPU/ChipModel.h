//===- ChipModel.h - What kernels are planned for ---------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One row for each chip: which instructions it has, how much room a block has,
// and which card stands for it where a plan counts multiprocessors or bytes of
// memory. Conversions, selection and pipelines ask the row, and never compare
// names of chips. docs/Extending.md says how to add one.
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

/// What is compiled for where nobody names a chip.
inline constexpr llvm::StringLiteral kDefaultChip = "sm_90a";

/// Instructions that not all chips have.
enum class ChipFeature : unsigned {
  None = 0,
  /// `cp.async`: copies into shared memory that go on in the background.
  AsyncCopies = 1 << 0,
  /// `createpolicy`, and loads that say how caches treat what they read.
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
  /// `tcgen05`: matrix instructions on tensor memory. None of our kernels yet.
  TensorMemoryProducts = 1 << 6,
  /// `mma.sync` of f64 with 16 rows and up to 16 along k, beside 8 and 4.
  TallF64Products = 1 << 7,
  LLVM_MARK_AS_BITMASK_ENUM(/*LargestValue=*/TallF64Products)
};

/// Elements that matrix units multiply, with sums in f32, of f64 in f64 and of
/// integers in i32.
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

/// What an element type in memory is to matrix units; none of other types.
MatrixElement getMatrixElement(Type type);

/// Extents of C[m,n] += A[m,k] * B[k,n] of one matrix instruction.
struct MatrixShape {
  int64_t m, n, k;

  bool operator==(const MatrixShape &other) const {
    return m == other.m && n == other.n && k == other.k;
  }
};

/// What is sold with a chip on it. Cards of one chip run the same code; they
/// differ in what else is there.
struct CardModel {
  /// For options, such as "h200", and as the driver says it.
  StringRef name, device;
  /// Of its chip: compute capability, times 10.
  unsigned capability;
  int64_t multiprocessors;
  int64_t l2Bytes;
  /// Of device memory: GB (10^9 bytes), and GB per second.
  int64_t memory, memoryRate;

  /// What is read from device memory per cycle of 0.5 ns, which is about a
  /// multiprocessor's.
  double getMemoryBytesPerCycle() const { return memoryRate / 2.; }
};

/// What a multiprocessor does per cycle in kernels with `wgmma`, for estimates
/// of which tiles are the fastest. Measured.
struct TileRates {
  /// Bytes of rows of A that are multiplied with as many of B.
  double productBytes;
  /// Bytes in and out of shared memory, and from the L2 cache.
  double sharedBytes, loadBytes;
  /// Of device memory, which all of them share, one alone reads no more.
  double memoryBytesOfOne;
};

struct ChipModel {
  StringRef name;
  /// Compute capability, times 10.
  unsigned capability;
  /// The first PTX version that knows it, times 10.
  unsigned firstPTX;
  ChipFeature features;
  MatrixElement elements;
  /// Bytes along k of an `mma.sync`.
  int64_t matrixDepth;
  /// Bytes of shared memory: of a block at most, and of a multiprocessor.
  int64_t sharedOfBlock, sharedOfMultiprocessor;
  /// Threads that a multiprocessor runs at a time.
  int64_t threadsOfMultiprocessor;
  /// The one that stands for the chip where no other is named: the one that
  /// tiles were measured on, or else the largest.
  const CardModel *card;
  /// Null unless there is `wgmma`.
  const TileRates *rates = nullptr;

  /// Registers of a multiprocessor, 32 bits each: the same for all chips.
  static constexpr int64_t kRegisters = 64 << 10;

  bool has(ChipFeature feature) const {
    return (features & feature) == feature;
  }
  bool multiplies(MatrixElement element) const {
    return (elements & element) == element;
  }
  /// Whether loads with cache policies (PTX 7.4) compile with every PTX version
  /// that knows the chip.
  bool hasCachePolicies() const;
  /// Whether kernels of tiles with `cp.async` and `mma.sync` run on it.
  bool hasTileKernels() const;
  /// Code for sm_90a runs on 9.0 alone, code for sm_90 on what is newer, too.
  bool isArchitectureSpecific() const { return name.ends_with("a"); }

  /// Of one `mma.sync`, or `wgmma` with the least n; none if there is no such
  /// instruction for the element.
  std::optional<MatrixShape> getMatrixShape(MatrixElement element) const;
  std::optional<MatrixShape> getWarpgroupShape(MatrixElement element) const;

  /// Bytes of shared memory that each of so many blocks may have that a
  /// multiprocessor runs at a time.
  int64_t getSharedBytes(int64_t blocks = 1) const;
  /// Blocks of so many threads that all multiprocessors run at a time.
  int64_t getBlocksAtOnce(int64_t threads) const;
};

/// Chips by their names.
class ChipTable {
public:
  explicit ChipTable(ArrayRef<ChipModel> chips,
                     ArrayRef<const CardModel *> cards = {})
      : chips(chips), cards(cards) {}

  /// All that PIT knows.
  static const ChipTable &get();

  ArrayRef<ChipModel> getChips() const { return chips; }
  ArrayRef<const CardModel *> getCards() const { return cards; }

  /// Null if there is none of the name.
  const ChipModel *find(StringRef name) const;
  /// The same with an error that lists the known ones.
  llvm::Expected<const ChipModel *> lookup(StringRef name) const;
  /// The chip whose code is best for a device of compute capability
  /// `major.minor`; null where every chip is newer.
  const ChipModel *findBest(int major, int minor) const;

  /// A card by its name or the driver's. Null if there is none.
  const CardModel *findCard(StringRef name) const;
  /// The card that is named, or the chip's own where none is. An error lists
  /// those that the chip is on.
  llvm::Expected<const CardModel *> lookupCard(const ChipModel &chip,
                                               StringRef name) const;

private:
  ArrayRef<ChipModel> chips;
  ArrayRef<const CardModel *> cards;
};

/// What a pass does with an option that names a chip, in front of everything
/// else, `Pass::initialize`: one diagnostic says which there are.
FailureOr<const ChipModel *> lookupChip(StringRef name, MLIRContext *context);
/// Fails, too, where kernels of tiles with `mma.sync` do not run.
FailureOr<const ChipModel *> lookupTileChip(StringRef name,
                                            MLIRContext *context);
FailureOr<const CardModel *> lookupCard(const ChipModel &chip, StringRef name,
                                        MLIRContext *context);

} // namespace pit
} // namespace mlir

#endif // PIT_GPU_CHIPMODEL_H
