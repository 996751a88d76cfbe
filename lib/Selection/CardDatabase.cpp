//===- CardDatabase.cpp - What was measured on a card ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Selection/CardDatabase.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir::pit;

/// The texts of the files of Cards.
static constexpr const char *kTexts[] = {
#include "CardData.inc"
};

bool TunedFamily::operator==(const TunedFamily &other) const {
  return llvm::equal(tilings, other.tilings,
                     [](const Tiling &a, const Tiling &b) {
                       return a.isSame(b) && a.factor == b.factor;
                     }) &&
         llvm::equal(products, other.products,
                     [](const MeasuredProduct &a, const MeasuredProduct &b) {
                       return a.batches == b.batches && a.m == b.m &&
                              a.n == b.n && a.k == b.k &&
                              a.microseconds == b.microseconds;
                     });
}

llvm::ArrayRef<CardDatabase> CardDatabase::getAll() {
  static const std::vector<CardDatabase> databases = [] {
    std::vector<CardDatabase> parsed;
    for (const char *text : kTexts)
      // A test reads each of them, and says what is wrong.
      if (auto database = CardDatabase::parse(text))
        parsed.push_back(std::move(*database));
      else
        llvm::consumeError(database.takeError());
    return parsed;
  }();
  return databases;
}

std::vector<Tiling> CardDatabase::getUsualTilings() {
  // As many stages as fit. Of the clusters, only pairs ever won.
  return {{128, 256, 4},         {128, 128, 6},         {128, 64, 8},
          {16, 128, 8, true},    {32, 128, 8, true},    {64, 128, 8, true},
          {16, 64, 12, true},    {32, 64, 12, true},    {64, 64, 10, true},
          {128, 64, 7, true},    {16, 64, 12, true, 2}, {32, 64, 12, true, 2},
          {64, 64, 10, true, 2}, {128, 64, 7, true, 2}};
}

CardModel CardDatabase::getCard() const {
  const ChipModel *model = ChipTable::get().find(chip);
  return {device,          device,  model ? model->capability : 0,
          multiprocessors, l2Bytes, memory,
          memoryRate};
}

//===----------------------------------------------------------------------===//
// Estimates
//===----------------------------------------------------------------------===//

double CardDatabase::estimate(const Tiling &tiling, const ProductWork &work,
                              const CardModel &card,
                              int64_t multiprocessors) const {
  return tiling.factor * estimateCycles(work, tiling, model,
                                        card.getMemoryBytesPerCycle(),
                                        multiprocessors);
}

/// Between products, in doublings of their extents.
static double getDistance(const ProductWork &a, const MeasuredProduct &b) {
  auto getDoublings = [](double x, double y) {
    return std::log2(std::max(x, 1.) / std::max(y, 1.));
  };
  // What a stage takes are bytes.
  double k = getDoublings(double(a.k) * a.elementBytes / 2, double(b.k)),
         m = getDoublings(double(a.m), double(b.m)),
         n = getDoublings(double(a.n), double(b.n)),
         batches = getDoublings(double(a.ofC), double(b.batches));
  return m * m + n * n + k * k + batches * batches;
}

double MeasuredProduct::getLeast() const {
  double least = -1;
  for (double time : microseconds)
    if (time > 0 && (least < 0 || time < least))
      least = time;
  return least;
}

/// What is far from the fastest tiling counts less for what they have in
/// common, as nobody will choose it.
static void computeOffsets(const CardDatabase &database, TunedFamily &family) {
  const CardModel card = database.getCard();
  for (MeasuredProduct &product : family.products) {
    product.offsets.assign(family.tilings.size(), 0);
    double least = product.getLeast(), sum = 0, weights = 0;
    for (auto [i, time] : llvm::enumerate(product.microseconds)) {
      if (!(time > 0))
        continue;
      double cycles = database.estimate(family.tilings[i], product.getWork(),
                                        card, database.multiprocessors);
      double weight = (least / time) * (least / time);
      product.offsets[i] = std::log(time / cycles);
      sum += weight * product.offsets[i];
      weights += weight;
    }
    for (auto [i, time] : llvm::enumerate(product.microseconds))
      if (time > 0)
        product.offsets[i] -= sum / weights;
  }
}

void CardDatabase::finish() {
  computeOffsets(*this, gemm);
  computeOffsets(*this, grouped);
}

/// Times of measured products tell how far the model is off for each tiling,
/// beyond its factor. Nearer products count more (kernel regression, Nadaraya
/// and Watson 1964); far from all, the model is what remains.
double CardDatabase::estimate(const TunedFamily &family, size_t tiling,
                              const ProductWork &work, const CardModel &card,
                              int64_t multiprocessors,
                              const MeasuredProduct *leftOut) const {
  if (family.products.empty())
    return estimateCycles(work, family.tilings[tiling], TileModel(),
                          card.getMemoryBytesPerCycle(), multiprocessors);
  // Of .3 to 1.1 and .03 to .3, these left the least when each product of an
  // H200 was chosen for as if it had not been measured.
  constexpr double kWidth = .8, kWeightOfModel = .1, kLeastWeight = 1e-4,
                   kSame = .005;
  double sum = 0, weights = kWeightOfModel;
  for (const MeasuredProduct &product : family.products) {
    if (&product == leftOut || !(product.microseconds[tiling] > 0))
      continue;
    double distance = getDistance(work, product);
    // Its own times, to a few percent of its extents, say all.
    if (distance < kSame) {
      sum = product.offsets[tiling];
      weights = 1;
      break;
    }
    double weight = std::exp(-distance / (2 * kWidth * kWidth));
    if (weight < kLeastWeight)
      continue;
    sum += weight * product.offsets[tiling];
    weights += weight;
  }
  return std::exp(sum / weights) *
         estimate(family.tilings[tiling], work, card, multiprocessors);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

// Where json::fromJSON of a vector looks for that of its elements.
namespace mlir::pit {

static bool require(bool condition, llvm::StringLiteral what,
                    llvm::json::Path path) {
  if (!condition)
    path.report(what);
  return condition;
}

/// A number that is positive and finite, where it is given.
static bool mapRate(llvm::json::ObjectMapper &map, llvm::StringLiteral name,
                    double &rate, llvm::json::Path path,
                    bool mayBeZero = false) {
  return map.mapOptional(name, rate) &&
         require(std::isfinite(rate) && (mayBeZero ? rate >= 0 : rate > 0),
                 "expected a positive number", path.field(name));
}

static bool fromJSON(const llvm::json::Value &value, Tiling &tiling,
                     llvm::json::Path path) {
  std::vector<int64_t> extents;
  llvm::json::ObjectMapper map(value, path);
  if (!map || !map.map("tile", extents) || !map.map("stages", tiling.stages) ||
      !map.mapOptional("swap_ab", tiling.swapped) ||
      !map.mapOptional("split_k", tiling.splitsK) ||
      !mapRate(map, "factor", tiling.factor, path))
    return false;
  if (!require(extents.size() == 2, "expected rows and columns",
               path.field("tile")))
    return false;
  tiling.rows = extents[0];
  tiling.columns = extents[1];
  // What kernels have code for.
  bool hasCode = tiling.swapped
                     ? tiling.rows >= 8 && tiling.rows <= 256 &&
                           tiling.rows % 8 == 0 && tiling.columns >= 64
                     : tiling.rows == 64 || tiling.rows == 128;
  return require(hasCode && tiling.columns > 0 && tiling.columns % 64 == 0 &&
                     tiling.columns <= 256,
                 "expected 64 or 128 rows, with swap_ab a multiple of 8 up to "
                 "256, and 64, 128, 192 or 256 columns",
                 path.field("tile")) &&
         require(tiling.stages >= 2 && tiling.stages <= 16,
                 "expected 2 to 16 stages", path.field("stages")) &&
         require(tiling.splitsK == 1 ||
                     (tiling.swapped && tiling.rows % 16 == 0 &&
                      tiling.splitsK >= 2 && tiling.splitsK <= 8),
                 "expected up to 8 blocks, more than 1 only with swap_ab and a "
                 "multiple of 16 rows",
                 path.field("split_k"));
}

static bool fromJSON(const llvm::json::Value &value, MeasuredProduct &product,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.mapOptional("batches", product.batches) &&
         map.map("m", product.m) && map.map("n", product.n) &&
         map.map("k", product.k) && map.map("us", product.microseconds) &&
         require(product.batches > 0 && product.m > 0 && product.n > 0 &&
                     product.k > 0,
                 "expected positive extents", path);
}

static bool fromJSON(const llvm::json::Value &value, TunedFamily &family,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  if (!map || !map.map("tilings", family.tilings) ||
      !map.mapOptional("products", family.products))
    return false;
  for (auto [i, product] : llvm::enumerate(family.products))
    if (!require(product.microseconds.size() == family.tilings.size(),
                 "expected a time for each tiling",
                 path.field("products").index(unsigned(i)).field("us")))
      return false;
  return true;
}

static bool fromJSON(const llvm::json::Value &value, TileModel &model,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && mapRate(map, "product_bytes", model.productBytes, path) &&
         mapRate(map, "shared_bytes", model.sharedBytes, path) &&
         mapRate(map, "load_bytes", model.loadBytes, path) &&
         mapRate(map, "memory_bytes_of_one", model.memoryBytesOfOne, path) &&
         mapRate(map, "memory_share", model.memoryShare, path) &&
         mapRate(map, "block_cycles", model.blockCycles, path, true) &&
         mapRate(map, "cluster_cycles", model.clusterCycles, path, true) &&
         mapRate(map, "group_cycles", model.groupCycles, path, true) &&
         mapRate(map, "launch_cycles", model.launchCycles, path, true) &&
         mapRate(map, "hidden", model.hidden, path, true);
}

static bool fromJSON(const llvm::json::Value &value, MeasuredRates &rates,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && mapRate(map, "copy_gbs", rates.copyRate, path, true) &&
         mapRate(map, "launch_us", rates.launchMicroseconds, path, true) &&
         mapRate(map, "bf16_tflops", rates.productRate, path, true);
}

static bool fromJSON(const llvm::json::Value &value, CrossingPoints &points,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map &&
         map.mapOptional("short_segment_rows", points.shortSegmentRows) &&
         require(points.shortSegmentRows >= 0, "expected a number of rows",
                 path.field("short_segment_rows")) &&
         mapRate(map, "clusters_least_live", points.clustersLeast, path,
                 true) &&
         mapRate(map, "clusters_us", points.clustersMicroseconds, path) &&
         mapRate(map, "clusters_most_live", points.clustersMost, path, true);
}

} // namespace mlir::pit

/// What kernels of segments have code for.
static bool canTileSegments(const Tiling &tiling) {
  constexpr int64_t kRows[] = {48, 80, 112, 128, 136, 144, 152, 160};
  if (tiling.splitsK > 1)
    return false;
  return tiling.swapped ? llvm::is_contained(kRows, tiling.rows) &&
                              (tiling.columns == 128 || tiling.columns == 256)
                        : tiling.rows == 128 &&
                              (tiling.columns == 128 || tiling.columns == 256);
}

/// A family needs what takes any product: sums of any type, and windows.
static bool checkFamily(const TunedFamily &family, bool ofSegments,
                        llvm::json::Path path) {
  for (auto [i, tiling] : llvm::enumerate(family.tilings)) {
    llvm::json::Path at = path.field("tilings").index(unsigned(i));
    if (ofSegments && !canTileSegments(tiling)) {
      at.report("expected tiles of segments: 128 rows, with swap_ab 48, 80, "
                "112, 128, 136, 144, 152 or 160, and 128 or 256 columns");
      return false;
    }
    if (!ofSegments && tiling.swapped && tiling.columns > 128) {
      at.report("expected 64 or 128 columns, as it has swap_ab");
      return false;
    }
  }
  if (llvm::none_of(family.tilings, [](const Tiling &tiling) {
        return !tiling.swapped && tiling.rows == 128;
      })) {
    path.field("tilings").report(
        "expected a tiling of 128 rows without swap_ab");
    return false;
  }
  return true;
}

llvm::Expected<CardDatabase> CardDatabase::parse(llvm::StringRef json) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(json);
  if (!value)
    return value.takeError();
  CardDatabase database;
  int64_t version = 0;
  llvm::json::Path::Root root("card database");
  llvm::json::Path path(root), families = path.field("families");
  llvm::json::ObjectMapper map(*value, path);
  if (!map || !map.map("version", version) ||
      !require(version == kVersion, "expected version 1",
               path.field("version")) ||
      !map.map("device", database.device) || !map.map("chip", database.chip) ||
      !map.mapOptional("source", database.source) ||
      !map.map("multiprocessors", database.multiprocessors) ||
      !map.map("l2_bytes", database.l2Bytes) ||
      !map.map("memory_gb", database.memory) ||
      !map.map("memory_gbs", database.memoryRate) ||
      !require(database.multiprocessors > 0 && database.l2Bytes > 0 &&
                   database.memory > 0 && database.memoryRate > 0,
               "expected positive numbers of the card", path) ||
      !map.mapOptional("rates", database.rates) ||
      !map.mapOptional("model", database.model) ||
      !map.mapOptional("crossings", database.crossings))
    return root.getError();
  const llvm::json::Value *given = value->getAsObject()->get("families");
  if (!given) {
    families.report("missing value");
    return root.getError();
  }
  llvm::json::ObjectMapper ofFamilies(*given, families);
  if (!ofFamilies || !ofFamilies.map("gemm", database.gemm) ||
      !checkFamily(database.gemm, false, families.field("gemm")) ||
      !ofFamilies.map("grouped_gemm", database.grouped) ||
      !checkFamily(database.grouped, true, families.field("grouped_gemm")))
    return root.getError();
  database.others.tilings = getUsualTilings();
  if (given->getAsObject()->get("other_gemm") &&
      (!ofFamilies.map("other_gemm", database.others) ||
       !checkFamily(database.others, false, families.field("other_gemm"))))
    return root.getError();
  if (!require(database.others.products.empty(), "expected no products",
               families.field("other_gemm").field("products")))
    return root.getError();
  database.finish();
  return database;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Five digits: what is behind them is noise.
static std::string spell(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.5g", value);
  return text;
}

/// {"name": number, ...}
static std::string
spell(std::initializer_list<std::pair<const char *, double>> numbers) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "{";
  llvm::interleaveComma(numbers, os, [&](const auto &number) {
    os << '"' << number.first << "\": " << spell(number.second);
  });
  os << "}";
  return text;
}

static void writeElement(llvm::raw_ostream &os, const Tiling &tiling) {
  os << "{\"tile\": [" << tiling.rows << ", " << tiling.columns
     << "], \"stages\": " << tiling.stages;
  if (tiling.swapped)
    os << ", \"swap_ab\": true";
  if (tiling.splitsK > 1)
    os << ", \"split_k\": " << tiling.splitsK;
  if (tiling.factor != 1)
    os << ", \"factor\": " << spell(tiling.factor);
  os << "}";
}

static void writeElement(llvm::raw_ostream &os,
                         const MeasuredProduct &product) {
  os << "{\"batches\": " << product.batches << ", \"m\": " << product.m
     << ", \"n\": " << product.n << ", \"k\": " << product.k << ", \"us\": [";
  llvm::interleaveComma(product.microseconds, os, [&](double time) {
    os << (time > 0 ? spell(time) : "-1");
  });
  os << "]}";
}

/// A line for each of a list.
template <typename T>
static void writeLines(llvm::raw_ostream &os, llvm::StringRef name,
                       llvm::ArrayRef<T> list) {
  os << "   \"" << name << "\": [";
  llvm::interleave(
      list, os,
      [&](const T &element) {
        os << "\n    ";
        writeElement(os, element);
      },
      ",");
  os << "]";
}

static void writeFamily(llvm::raw_ostream &os, llvm::StringRef name,
                        const TunedFamily &family) {
  os << "  \"" << name << "\": {\n";
  writeLines<Tiling>(os, "tilings", family.tilings);
  os << ",\n";
  writeLines<MeasuredProduct>(os, "products", family.products);
  os << "\n  }";
}

void CardDatabase::write(llvm::raw_ostream &os) const {
  auto writeText = [&](llvm::StringRef name, llvm::StringRef text) {
    os << " \"" << name
       << "\": " << llvm::json::Value(llvm::json::fixUTF8(text)) << ",\n";
  };
  os << "{\n \"version\": " << kVersion << ",\n";
  writeText("device", device);
  writeText("chip", chip);
  writeText("source", source);
  os << " \"multiprocessors\": " << multiprocessors
     << ",\n \"l2_bytes\": " << l2Bytes << ",\n \"memory_gb\": " << memory
     << ",\n \"memory_gbs\": " << memoryRate << ",\n";
  os << " \"rates\": "
     << spell({{"copy_gbs", rates.copyRate},
               {"launch_us", rates.launchMicroseconds},
               {"bf16_tflops", rates.productRate}})
     << ",\n \"model\": "
     << spell({{"product_bytes", model.productBytes},
               {"shared_bytes", model.sharedBytes},
               {"load_bytes", model.loadBytes},
               {"memory_bytes_of_one", model.memoryBytesOfOne},
               {"memory_share", model.memoryShare},
               {"block_cycles", model.blockCycles},
               {"cluster_cycles", model.clusterCycles},
               {"group_cycles", model.groupCycles},
               {"launch_cycles", model.launchCycles},
               {"hidden", model.hidden}})
     << ",\n \"crossings\": {\"short_segment_rows\": "
     << crossings.shortSegmentRows
     << ", \"clusters_least_live\": " << spell(crossings.clustersLeast)
     << ", \"clusters_us\": " << spell(crossings.clustersMicroseconds)
     << ", \"clusters_most_live\": " << spell(crossings.clustersMost)
     << "},\n \"families\": {\n";
  writeFamily(os, "gemm", gemm);
  os << ",\n";
  writeFamily(os, "grouped_gemm", grouped);
  os << ",\n";
  writeFamily(os, "other_gemm", others);
  os << "\n }\n}\n";
}
