//===- RandomData.cpp - Generated inputs ----------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomData.h"
#include "Elements.h"
#include "Options.h"
#include "Random.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

using namespace pit::run;
using pit::npy::Array;

const char *pit::run::randomDataHelp() {
  return R"(
Generated arguments (--random SPEC), optionally followed by @AxBxC for the extents of '?':
  zeros, ones, const:V       one value
  iota                       0, 1, 2, ...
  normal[:STD[:MEAN]]        floats, normally distributed (1, 0)
  uniform[:LO:HI]            floats in [LO, HI) (0, 1)
  randint:LO:HI              integers in [LO, HI)
  bool[:P]                   1 with probability P (0.5), else 0
  sparse:S                   normal, each element 0 with probability S
  rows:S                     normal, each whole row (last dimension) 0 with probability S
  column-signs:S[:SCALE]     |normal|*SCALE, each whole column (index of the last dimension)
                             negative with probability S; makes ReLUs dead
  block-sparse:GMxGN:S       normal, each micro-tile 0 with probability S; one extent per dimension,
                             the last of them at the last dimension, 1 for those in front
  mask:B:D or mask:BMxBN:D   1 in whole blocks of the last two dimensions with probability D;
                             blocks on the diagonal are always 1
  lengths:MEAN               integers in [1, 2*MEAN-1]
  lengths:LO:HI              integers in [LO, HI]
  prefix:LO:HI, suffix:LO:HI per row (last dimension), that many 1s first or last, else 0
  topk-gate:K                per row, K softmax-normalised weights, the rest exactly 0
)";
}

namespace {

/// The array seen as a stack of matrices, or of rows where rank < 2.
struct Extents {
  int64_t matrices = 1, rows = 1, columns = 1;
  explicit Extents(const std::vector<int64_t> &shape) {
    if (!shape.empty())
      columns = shape.back();
    if (shape.size() > 1)
      rows = shape[shape.size() - 2];
    if (shape.size() > 2)
      for (size_t i = 0; i + 2 < shape.size(); ++i)
        matrices *= shape[i];
  }
};

class Filler {
public:
  Filler(const std::string &text, uint64_t seed, Array &array, std::string &why)
      : text(text), random(seed), array(array), extents(array.shape),
        fields(splitText(text, ':')), why(why) {}

  bool run();

private:
  bool error(const std::string &message) {
    why = "--random " + text + ": " + message;
    return false;
  }

  /// Reads the numbers behind the kind; between `least` and all of `into`.
  bool numbers(double *into, size_t count, size_t least);
  /// Reads "GMxGN:P" as one block extent per dimension and a probability.
  bool blocks(std::vector<int64_t> &tile, double &probability);
  bool needs(bool satisfied, const char *what) {
    return satisfied || error(std::string("needs ") + what + " argument, not " +
                              pit_dtype_name(array.dtype));
  }

  /// Stores value() in every element, in order.
  template <typename Function> void each(Function value) {
    for (int64_t i = 0, e = array.numElements(); i < e; ++i)
      store(array.dtype, array.data.data(), i, value());
  }
  void put(int64_t i, double value) {
    store(array.dtype, array.data.data(), i, value);
  }

  bool fillBlocks(bool isMask);
  bool fillRuns(bool atEnd);
  bool fillGate();
  bool fillColumnSigns();
  bool fillLengths();

  const std::string &text;
  Random random;
  Array &array;
  Extents extents;
  std::vector<std::string> fields;
  std::string &why;
};

} // namespace

bool Filler::numbers(double *into, size_t count, size_t least) {
  size_t given = fields.size() - 1;
  if (given < least || given > count)
    return error("expected " +
                 (least == count ? std::to_string(least)
                                 : std::to_string(least) + " to " +
                                       std::to_string(count)) +
                 " numbers");
  for (size_t i = 0; i < given; ++i)
    if (!parseNumber(fields[i + 1], into[i]) || !std::isfinite(into[i]))
      return error("'" + fields[i + 1] + "' is not a number");
  return true;
}

bool Filler::blocks(std::vector<int64_t> &tile, double &probability) {
  std::vector<int64_t> given;
  if (fields.size() != 3 || !parseShape(fields[1], given) || given.empty() ||
      std::count(given.begin(), given.end(), 0) ||
      !parseNumber(fields[2], probability) ||
      !(probability >= 0 && probability <= 1))
    return error("expected block extents and a probability, such as " +
                 fields[0] + ":32x32:0.5");
  // One number stands for both sides of a block.
  if (given.size() == 1)
    given.push_back(given.front());
  size_t rank = array.shape.size();
  if (given.size() > std::max<size_t>(rank, 2))
    return error("a block of rank " + std::to_string(given.size()) +
                 " does not fit an argument of rank " + std::to_string(rank));
  tile.assign(rank, 1);
  for (size_t i = 0; i < std::min(rank, given.size()); ++i)
    tile[rank - 1 - i] = given[given.size() - 1 - i];
  return true;
}

bool Filler::fillBlocks(bool isMask) {
  std::vector<int64_t> tile;
  double probability = 0;
  if (!blocks(tile, probability))
    return false;
  if (!isMask)
    if (!needs(isFloat(array.dtype), "a floating-point"))
      return false;
  size_t rank = tile.size();
  std::vector<int64_t> counts(rank);
  int64_t numBlocks = 1;
  for (size_t d = 0; d < rank; ++d)
    numBlocks *= counts[d] = (array.shape[d] + tile[d] - 1) / tile[d];
  std::vector<char> live(static_cast<size_t>(numBlocks));
  for (int64_t b = 0; b < numBlocks; ++b) {
    bool drawn = random.chance(probability);
    int64_t column = rank ? b % counts[rank - 1] : 0;
    int64_t row = rank > 1 ? b / counts[rank - 1] % counts[rank - 2] : 0;
    live[size_t(b)] = isMask ? drawn || row == column : !drawn;
  }
  for (int64_t i = 0, e = array.numElements(); i < e; ++i) {
    int64_t block = 0, rest = i, stride = 1;
    for (size_t d = rank; d-- > 0; rest /= array.shape[d]) {
      block += rest % array.shape[d] / tile[d] * stride;
      stride *= counts[d];
    }
    put(i, !live[size_t(block)] ? 0.0 : isMask ? 1.0 : random.normal());
  }
  return true;
}

bool Filler::fillRuns(bool atEnd) {
  double range[2];
  if (!numbers(range, std::size(range), 2))
    return false;
  if (!(range[0] >= 0 && range[0] <= range[1] && range[1] < 0x1p62))
    return error("expected 0 <= LO <= HI");
  for (int64_t r = 0, i = 0; r < extents.matrices * extents.rows; ++r) {
    int64_t length = random.integer(int64_t(range[0]), int64_t(range[1]) + 1);
    for (int64_t c = 0; c < extents.columns; ++c)
      put(i++, atEnd ? c >= extents.columns - length : c < length);
  }
  return true;
}

bool Filler::fillGate() {
  double k;
  if (!numbers(&k, 1, 1))
    return false;
  if (!needs(isFloat(array.dtype), "a floating-point"))
    return false;
  if (!(k >= 1 && k <= double(extents.columns)) || k != std::floor(k))
    return error("expected a K between 1 and the row's extent " +
                 std::to_string(extents.columns));
  std::vector<int64_t> order(static_cast<size_t>(extents.columns));
  std::vector<double> weights(size_t(k), 0.0);
  for (int64_t r = 0; r < extents.matrices * extents.rows; ++r) {
    std::iota(order.begin(), order.end(), 0);
    double sum = 0;
    for (size_t j = 0; j < weights.size(); ++j) {
      std::swap(order[j],
                order[size_t(random.integer(int64_t(j), extents.columns))]);
      sum += weights[j] = std::exp(random.normal());
    }
    for (size_t j = 0; j < weights.size(); ++j)
      put(r * extents.columns + order[j], weights[j] / sum);
  }
  return true;
}

bool Filler::fillColumnSigns() {
  double law[] = {0, 1};
  if (!numbers(law, std::size(law), 1))
    return false;
  if (!needs(isFloat(array.dtype), "a floating-point"))
    return false;
  std::vector<double> scales(static_cast<size_t>(extents.columns));
  for (double &scale : scales)
    scale = random.chance(law[0]) ? -law[1] : law[1];
  for (int64_t i = 0, e = array.numElements(); i < e; ++i)
    put(i, scales[size_t(i % extents.columns)] * std::fabs(random.normal()));
  return true;
}

bool Filler::fillLengths() {
  double range[2];
  if (!numbers(range, std::size(range), 1))
    return false;
  if (!needs(!isFloat(array.dtype), "an integer"))
    return false;
  if (fields.size() == 2) {
    range[1] = 2 * range[0] - 1;
    range[0] = 1;
  }
  if (!(range[0] <= range[1] && std::fabs(range[0]) < 0x1p62 &&
        std::fabs(range[1]) < 0x1p62))
    return error("the range is empty");
  each([&] {
    return double(random.integer(int64_t(range[0]), int64_t(range[1]) + 1));
  });
  return true;
}

bool Filler::run() {
  const std::string &kind = fields[0];
  bool floats = isFloat(array.dtype);
  if (kind == "block-sparse" || kind == "mask")
    return fillBlocks(kind == "mask");
  if (kind == "prefix" || kind == "suffix")
    return fillRuns(kind == "suffix");
  if (kind == "topk-gate")
    return fillGate();
  if (kind == "lengths")
    return fillLengths();
  if (kind == "column-signs")
    return fillColumnSigns();

  if (kind == "zeros" || kind == "ones" || kind == "iota") {
    if (!numbers(nullptr, 0, 0))
      return false;
    double next = 0;
    each([&] { return kind == "iota" ? next++ : double(kind == "ones"); });
    return true;
  }
  if (kind == "const") {
    double value;
    if (!numbers(&value, 1, 1))
      return false;
    each([&] { return value; });
    return true;
  }
  if (kind == "bool") {
    double probability = 0.5;
    if (!numbers(&probability, 1, 0))
      return false;
    each([&] { return double(random.chance(probability)); });
    return true;
  }
  if (kind == "randint") {
    double range[2];
    if (!numbers(range, std::size(range), 2))
      return false;
    if (!(range[0] < range[1] && std::fabs(range[0]) < 0x1p62 &&
          std::fabs(range[1]) < 0x1p62))
      return error("the range is empty");
    each([&] {
      return double(random.integer(int64_t(range[0]), int64_t(range[1])));
    });
    return true;
  }

  if (kind != "normal" && kind != "uniform" && kind != "sparse" &&
      kind != "rows")
    return error("unknown kind of data; pit-run --help-all lists them");
  if (!needs(floats, "a floating-point"))
    return false;
  if (kind == "normal") {
    double law[] = {1, 0};
    if (!numbers(law, std::size(law), 0))
      return false;
    each([&] { return law[0] * random.normal() + law[1]; });
  } else if (kind == "uniform") {
    double range[] = {0, 1};
    if (!numbers(range, std::size(range), 0))
      return false;
    each([&] { return range[0] + (range[1] - range[0]) * random.uniform(); });
  } else {
    double sparsity;
    if (!numbers(&sparsity, 1, 1))
      return false;
    bool whole = kind == "rows", dead = false;
    int64_t column = 0;
    each([&] {
      if (!whole || column == 0)
        dead = random.chance(sparsity);
      column = column + 1 == extents.columns ? 0 : column + 1;
      return dead ? 0.0 : random.normal();
    });
  }
  return true;
}

bool pit::run::splitRandomSpec(const std::string &text,
                               std::string &description,
                               std::vector<int64_t> &shape, bool &hasShape,
                               std::string &error) {
  size_t at = text.find('@');
  hasShape = at != std::string::npos;
  description = text.substr(0, at);
  if (!hasShape)
    return true;
  if (at + 1 < text.size() && parseShape(text.substr(at + 1), shape))
    return true;
  error = "--random " + text + ": expected extents such as 8x128 behind '@'";
  return false;
}

bool pit::run::fillRandom(const std::string &description, uint64_t seed,
                          Array &array, std::string &error) {
  return Filler(description, seed, array, error).run();
}
