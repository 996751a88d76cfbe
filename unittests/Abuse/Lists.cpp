//===- Lists.cpp - Lists of an index that are none ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include <algorithm>
#include <limits>

using namespace pit::abuse;

/// Two segments of four rows.
static constexpr int64_t kSegments = 2, kRows = 4;

static Product makeListed(const std::vector<int64_t> &offsets,
                          const std::vector<int32_t> &coords) {
  Product product = makeProduct("listed", {kSegments, kRows});
  Argument first = makeArgument(PIT_DTYPE_I64, {int64_t(offsets.size())});
  Argument second = makeArgument(PIT_DTYPE_I32, {int64_t(coords.size())});
  std::copy(offsets.begin(), offsets.end(), first.as<int64_t>());
  std::copy(coords.begin(), coords.end(), second.as<int32_t>());
  auto place = product.arguments.begin() + 1;
  place = product.arguments.insert(place, std::move(second));
  product.arguments.insert(place, std::move(first));
  return product;
}

/// Makes the rows of the lists count. False where a list does not ascend, or
/// leaves its bounds.
static bool setRows(Product &product, const std::vector<int64_t> &offsets,
                    const std::vector<int32_t> &coords) {
  if (offsets.size() != kSegments + 1 || offsets[0] != 0)
    return false;
  for (size_t s = 0; s + 1 < offsets.size(); ++s) {
    if (offsets[s + 1] < offsets[s] || offsets[s + 1] > int64_t(coords.size()))
      return false;
    int64_t last = -1;
    for (int64_t i = offsets[s]; i < offsets[s + 1]; ++i) {
      int64_t row = coords[size_t(i)];
      if (row <= last || row >= kRows)
        return false;
      setRow(product, int64_t(s) * kRows + row);
      last = row;
    }
  }
  return true;
}

static void tryList(Cases &cases, const std::string &folder,
                    const std::vector<int64_t> &offsets,
                    const std::vector<int32_t> &coords) {
  Product product = makeListed(offsets, coords);
  bool fits = setRows(product, offsets, coords);
  std::string name = "offsets";
  for (int64_t offset : offsets)
    name += " " + std::to_string(offset);
  name += ", coordinates";
  for (int32_t coordinate : coords)
    name += " " + std::to_string(coordinate);
  cases.run("lists that a program brings along", name,
            fits ? "right" : "index out of range", [&] {
              std::string why = callProduct(
                  folder, product, fits ? PIT_OK : PIT_ERROR_BAD_INDEX);
              if (!why.empty() || fits)
                return why;
              // The next call is none the worse.
              std::vector<int64_t> goodOffsets{0, 2, 3};
              std::vector<int32_t> goodCoords{1, 3, 0};
              Product good = makeListed(goodOffsets, goodCoords);
              setRows(good, goodOffsets, goodCoords);
              why = callProduct(folder, good, PIT_OK);
              return why.empty() ? why : "the next call: " + why;
            });
}

/// The lists name rows of a tensor with `extent` of them, and are followed into
/// one of `kRows`. The last row that they may name is listed.
static void tryExtent(Cases &cases, const std::string &folder, int64_t extent) {
  std::vector<int64_t> offsets{0, extent > 0, 2 * int64_t(extent > 0)};
  std::vector<int32_t> coords{int32_t(extent - 1), 0};
  Product product = makeListed(offsets, coords);
  product.entry = "listed_elsewhere";
  product.arguments.insert(product.arguments.begin() + 1,
                           makeArgument(PIT_DTYPE_I8, {extent}));
  bool fits = extent <= kRows;
  if (fits)
    setRows(product, offsets, coords);
  cases.run("lists that a program brings along",
            "of " + std::to_string(extent) + " rows",
            fits ? "right" : "index out of range", [&] {
              return callProduct(folder, product,
                                 fits ? PIT_OK : PIT_ERROR_BAD_INDEX);
            });
}

void pit::abuse::tryLists(Cases &cases, const std::string &folder) {
  // Offsets that do not ascend, are negative, or beyond the coordinates.
  std::vector<int64_t> offsets{
      std::numeric_limits<int64_t>::min(), -1, 0, 1, 2, 4, 5,
      std::numeric_limits<int64_t>::max()};
  for (int64_t a : offsets)
    for (int64_t b : offsets)
      for (int64_t c : offsets)
        tryList(cases, folder, {a, b, c}, {0, 2, 1, 3});
  // Coordinates that are negative, beyond the rows, twice there or unsorted.
  std::vector<int32_t> coords{
      std::numeric_limits<int32_t>::min(), -1, 0, 1, 3, 4,
      std::numeric_limits<int32_t>::max()};
  for (int32_t a : coords)
    for (int32_t b : coords)
      for (int32_t c : coords)
        tryList(cases, folder, {0, 2, 3}, {a, b, c});
  tryList(cases, folder, {0, 0, 0}, {});
  // Offsets that are too few, or too many.
  for (size_t count : {0, 1, 2, 4, 1000})
    for (int64_t offset : {0, 1})
      tryList(cases, folder, std::vector<int64_t>(count, offset), {0, 1, 2, 3});
  for (int64_t extent : {0, 1, 2, 3, 4, 5, 8, 9, 1000, 1 << 20})
    tryExtent(cases, folder, extent);
}
