//===- CardDatabase.h - What was measured on a card -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers by which kernels are planned for one card: rates, the tilings of
// each family with their times, and the points where one family gets faster
// than another. pit-tune measures and writes them; docs/Tuning.md describes the
// JSON. Those in lib/Selection/Cards are built in.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_SELECTION_CARDDATABASE_H
#define PIT_SELECTION_CARDDATABASE_H

#include "PIT/GPU/ChipModel.h"
#include "PIT/Selection/TileModel.h"

#include "llvm/Support/JSON.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir::pit {

/// Times of one product, C[m,n] += A[m,k] * B[k,n], for each batch or segment.
/// Columns of two products that share A count together.
struct MeasuredProduct {
  int64_t batches = 1, m, n, k;
  /// Microseconds for each tiling of the family, in their order; negative for
  /// one that does not fit or was not measured.
  std::vector<double> microseconds;
  /// How far the model is off for each tiling, as the logarithm of a ratio;
  /// what all have in common, of which nothing follows, is left out. 0 where
  /// there is no time. Made by CardDatabase::finish.
  std::vector<double> offsets;

  /// The least time; negative if none was measured.
  double getLeast() const;
  ProductWork getWork() const {
    return {m, n, k, 2, double(batches), batches, batches};
  }
};

/// The tilings that a family chooses from. In the file, times of products are
/// of elements of 16 bits.
struct TunedFamily {
  std::vector<Tiling> tilings;
  std::vector<MeasuredProduct> products;

  bool operator==(const TunedFamily &other) const;
};

/// Rates of the whole card that were measured; 0 where none was. Reports show
/// them, and estimates take the share of the memory's rate from them.
struct MeasuredRates {
  /// 10^9 bytes per second read and written by a copy in device memory.
  double copyRate = 0;
  /// Microseconds from launch to launch of a kernel that does nothing much.
  double launchMicroseconds = 0;
  /// 10^12 multiplications and additions per second of bf16, the most of all
  /// products that were measured.
  double productRate = 0;
};

/// From where on another family, or another way of it, is faster.
struct CrossingPoints {
  /// Rows of segments from which on tiles for many rows win.
  int64_t shortSegmentRows = 256;
  /// Of products of few columns with packed micro-tiles: the share of live ones
  /// that pays is `least`, and more by the time that B takes to read, in terms
  /// of `microseconds`; from `most` on, looking costs more.
  double clustersLeast = .36, clustersMicroseconds = 150, clustersMost = .8;
};

struct CardDatabase {
  static constexpr int64_t kVersion = 1;

  /// The name that the driver reports, and the chip ("sm_90a").
  std::string device, chip;
  /// How it was made.
  std::string source;
  int64_t multiprocessors = 0, l2Bytes = 0;
  /// Device memory in GB (10^9 bytes), and the peak rate in GB per second.
  int64_t memory = 0, memoryRate = 0;
  MeasuredRates rates;
  TileModel model;
  /// Whole products, and segments of rows.
  TunedFamily gemm, grouped;
  /// Batches, convolutions, and products of elements that have not 16 bits,
  /// which pit-tune does not measure.
  TunedFamily others;
  CrossingPoints crossings;

  /// Parses a database. An error says what is wrong, and where in the file.
  static llvm::Expected<CardDatabase> parse(llvm::StringRef json);
  static llvm::Expected<CardDatabase> read(llvm::StringRef path);
  void write(llvm::raw_ostream &os) const;
  /// The tilings of `others` in a file without them.
  static std::vector<Tiling> getUsualTilings();
  /// The built-in databases.
  static llvm::ArrayRef<CardDatabase> getAll();

  /// The card as plans see it. It refers to this database.
  CardModel getCard() const;

  /// Makes what follows from model, factors and times, when those are set.
  void finish();

  /// About how many cycles the product takes with the family's tiling of that
  /// number, on a card that this database need not be of: by the model and,
  /// near measured products, by their times, but for that of `leftOut`. A
  /// family without times is estimated by the rates of `TileModel`, as those
  /// that were fitted to another one say little of it.
  double estimate(const TunedFamily &family, size_t tiling,
                  const ProductWork &work, const CardModel &card,
                  int64_t multiprocessors,
                  const MeasuredProduct *leftOut = nullptr) const;
  /// The same by the model alone.
  double estimate(const Tiling &tiling, const ProductWork &work,
                  const CardModel &card, int64_t multiprocessors) const;
};

/// A card that kernels are planned for.
struct Card {
  /// Stays as long as `database`, or for ever.
  const CardModel *model = nullptr;
  /// What is known of the card or of the nearest one; null for chips of which
  /// nothing was measured.
  std::shared_ptr<const CardDatabase> database;
  /// Whether it was measured on this card.
  bool isOwn = false;

  /// What to say if it was not; empty if it was, or if there is none.
  std::string describe() const;

private:
  /// Of a card that a file describes.
  std::shared_ptr<const CardModel> storage;
  friend llvm::Expected<Card> findCard(const ChipModel &chip,
                                       llvm::StringRef text);
};

/// The card that the option `card` names, for a chip: the name of one ("h100",
/// or as the driver says it), a database FILE.json, or a folder of those, of
/// which the one of the chip's default card, or the nearest, is taken. Nothing
/// stands for the chip's default card. An error says what there is.
llvm::Expected<Card> findCard(const ChipModel &chip, llvm::StringRef text);

/// What `findCard` should be given for a device of that name, as the driver
/// says it: `text`, or the file in that folder, or the name of a known card
/// with the chip; nothing if there is neither.
std::string chooseCardText(const ChipModel &chip, llvm::StringRef text,
                           llvm::StringRef device);

/// `findCard` for an option of a pass. A wrong one is one diagnostic.
FailureOr<Card> lookupTunedCard(const ChipModel &chip, StringRef text,
                                MLIRContext *context);

} // namespace mlir::pit

#endif // PIT_SELECTION_CARDDATABASE_H
