//===- TileDatabase.cpp - Measured times of tiles ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Selection/TileDatabase.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>

using namespace mlir::pit;

/// The texts of the files of Data.
static constexpr const char *kTexts[] = {
#include "TileData.inc"
};

double Curve::at(double share) const {
  if (points.empty())
    return 0;
  auto above = llvm::find_if(
      points, [&](const auto &point) { return point.first >= share; });
  if (above == points.begin())
    return points.front().second;
  if (above == points.end())
    return points.back().second;
  auto [lowShare, low] = *std::prev(above);
  auto [highShare, high] = *above;
  return low + (high - low) * (share - lowShare) / (highShare - lowShare);
}

const MeasuredTile *MeasuredShape::find(MicroTile tile) const {
  auto found = llvm::find_if(
      tiles, [&](const MeasuredTile &other) { return other.tile == tile; });
  return found == tiles.end() ? nullptr : &*found;
}

const MeasuredTile &MeasuredShape::getNearest(MicroTile tile) const {
  auto getDistance = [&](const MeasuredTile &other) {
    return std::abs(std::log2(double(other.tile.rows) / tile.rows)) +
           std::abs(std::log2(double(other.tile.depth) / tile.depth));
  };
  return *llvm::min_element(tiles,
                            [&](const MeasuredTile &a, const MeasuredTile &b) {
                              return getDistance(a) < getDistance(b);
                            });
}

const MeasuredShape &
TileDatabase::getMostAlike(const ProductShape &shape) const {
  auto getDistance = [&](const MeasuredShape &measured) {
    return std::abs(std::log(double(measured.shape.m) / shape.m)) +
           std::abs(std::log(double(measured.shape.n) / shape.n)) +
           std::abs(std::log(double(measured.shape.k) / shape.k));
  };
  return *llvm::min_element(
      shapes, [&](const MeasuredShape &a, const MeasuredShape &b) {
        return getDistance(a) < getDistance(b);
      });
}

const MeasuredShape &TileDatabase::getNearest(const ProductShape &shape) const {
  auto getDistance = [&](const MeasuredShape &measured) {
    return std::abs(std::log(measured.shape.getVolume() / shape.getVolume()));
  };
  return *llvm::min_element(
      shapes, [&](const MeasuredShape &a, const MeasuredShape &b) {
        return getDistance(a) < getDistance(b);
      });
}

// Where json::fromJSON of a vector looks for that of its elements.
namespace mlir::pit {

static bool fromJSON(const llvm::json::Value &value, MicroTile &tile,
                     llvm::json::Path path) {
  std::vector<int64_t> extents;
  if (!llvm::json::fromJSON(value, extents, path))
    return false;
  if (extents.size() != 2 || extents[0] < 1 || extents[1] < 1) {
    path.report("expected two positive extents");
    return false;
  }
  tile = {extents[0], extents[1]};
  return true;
}

static bool makeCurve(llvm::ArrayRef<double> shares,
                      llvm::ArrayRef<double> times, Curve &curve,
                      llvm::json::Path path) {
  if (times.size() != shares.size()) {
    path.report("expected as many times as shares");
    return false;
  }
  llvm::SmallVector<std::pair<double, double>> points;
  for (auto [share, time] : llvm::zip_equal(shares, times)) {
    if (!(share >= 0 && share <= 1) ||
        (!points.empty() && share <= points.back().first)) {
      path.report("expected ascending shares of 0 to 1");
      return false;
    }
    if (!(time >= 0)) {
      path.report("expected a time");
      return false;
    }
    points.push_back({share, time});
  }
  curve = Curve(points);
  return true;
}

static bool fromJSON(const llvm::json::Value &value, MeasuredTile &tile,
                     llvm::json::Path path) {
  std::vector<double> dead, index, product;
  llvm::json::ObjectMapper map(value, path);
  if (!map || !map.map("tile", tile.tile) || !map.map("family", tile.family) ||
      !map.map("dead", dead) || !map.mapOptional("index", index) ||
      !map.map("product", product))
    return false;
  if (dead.empty()) {
    path.field("dead").report("expected a share at least");
    return false;
  }
  if (!index.empty() &&
      !makeCurve(dead, index, tile.index, path.field("index")))
    return false;
  return makeCurve(dead, product, tile.product, path.field("product"));
}

static bool fromJSON(const llvm::json::Value &value, SampledTile &sampled,
                     llvm::json::Path path) {
  MicroTile tile;
  std::vector<double> dead, product;
  llvm::json::ObjectMapper map(value, path);
  if (!map || !map.map("tile", tile) || !map.map("dead", dead) ||
      !map.map("product", product))
    return false;
  if (dead.empty()) {
    path.field("dead").report("expected a share at least");
    return false;
  }
  sampled.rows = tile.rows;
  sampled.columns = tile.depth;
  return makeCurve(dead, product, sampled.product, path.field("product"));
}

static bool fromJSON(const llvm::json::Value &value, MeasuredShape &measured,
                     llvm::json::Path path) {
  std::vector<double> zero, dense;
  llvm::json::ObjectMapper map(value, path);
  if (!map || !map.map("m", measured.shape.m) ||
      !map.map("n", measured.shape.n) || !map.map("k", measured.shape.k) ||
      !map.map("zero", zero) || !map.map("dense", dense) ||
      !makeCurve(zero, dense, measured.dense, path.field("dense")))
    return false;
  if (measured.shape.m < 1 || measured.shape.n < 1 || measured.shape.k < 1) {
    path.report("expected positive extents");
    return false;
  }
  if (measured.dense.empty()) {
    path.field("dense").report("expected a time at least");
    return false;
  }
  if (!map.map("tiles", measured.tiles) ||
      !map.mapOptional("sampled", measured.sampled))
    return false;
  if (measured.tiles.empty()) {
    path.field("tiles").report("expected a tile at least");
    return false;
  }
  return true;
}

} // namespace mlir::pit

llvm::Expected<TileDatabase> TileDatabase::parse(llvm::StringRef json) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(json);
  if (!value)
    return value.takeError();
  TileDatabase database;
  llvm::json::Path::Root root("tile database");
  llvm::json::Path path(root);
  llvm::json::ObjectMapper map(*value, path);
  if (!map || !map.map("chip", database.chip) ||
      !map.map("device", database.device) ||
      !map.map("element", database.element) ||
      !map.map("products", database.shapes))
    return root.getError();
  if (database.shapes.empty()) {
    path.field("products").report("expected a shape at least");
    return root.getError();
  }
  return database;
}

llvm::Expected<TileDatabase> TileDatabase::read(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return llvm::createStringError(path + ": " + buffer.getError().message());
  llvm::Expected<TileDatabase> database = parse((*buffer)->getBuffer());
  if (!database)
    return llvm::createStringError(path + ": " +
                                   llvm::toString(database.takeError()));
  return database;
}

llvm::ArrayRef<TileDatabase> TileDatabase::getAll() {
  static const std::vector<TileDatabase> databases = [] {
    std::vector<TileDatabase> parsed;
    for (const char *text : kTexts)
      // A test reads each of them, and says what is wrong.
      if (auto database = TileDatabase::parse(text))
        parsed.push_back(std::move(*database));
      else
        llvm::consumeError(database.takeError());
    return parsed;
  }();
  return databases;
}

bool TileDatabase::isOf(llvm::StringRef type) const {
  return element == (type == "f16" ? "bf16" : type);
}

const TileDatabase *TileDatabase::get(llvm::StringRef chip,
                                      llvm::StringRef element) {
  for (const TileDatabase &database : getAll())
    if (database.chip == chip && database.isOf(element))
      return &database;
  return nullptr;
}
