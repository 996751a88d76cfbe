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

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>
#include <functional>
#include <numeric>

using namespace mlir::pit::run;
using llvm::StringRef;
using ::pit::npy::Array;

const char *mlir::pit::run::randomDataHelp() {
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

/// xoshiro256**, seeded through splitmix64. The standard library's
/// distributions differ between implementations, so they are written out.
class Random {
public:
  explicit Random(uint64_t seed) {
    for (uint64_t &word : state) {
      seed += 0x9e3779b97f4a7c15;
      uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
      z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
      word = z ^ (z >> 31);
    }
  }

  uint64_t bits() {
    uint64_t result = rotate(state[1] * 5, 7) * 9, t = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= t;
    state[3] = rotate(state[3], 45);
    return result;
  }

  /// In [0, 1).
  double uniform() { return double(bits() >> 11) * 0x1p-53; }

  bool chance(double probability) { return uniform() < probability; }

  /// In [low, high); the range is not empty.
  int64_t integer(int64_t low, int64_t high) {
    return int64_t(uint64_t(low) + bits() % (uint64_t(high) - uint64_t(low)));
  }

  /// Marsaglia's polar method.
  double normal() {
    if (hasSpare) {
      hasSpare = false;
      return spare;
    }
    double x, y, square;
    do {
      x = 2 * uniform() - 1;
      y = 2 * uniform() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square == 0);
    double scale = std::sqrt(-2 * std::log(square) / square);
    spare = y * scale;
    hasSpare = true;
    return x * scale;
  }

private:
  static uint64_t rotate(uint64_t x, int by) {
    return (x << by) | (x >> (64 - by));
  }
  uint64_t state[4];
  double spare = 0;
  bool hasSpare = false;
};

/// The array seen as a stack of matrices, or of rows where rank < 2.
struct Extents {
  int64_t matrices = 1, rows = 1, columns = 1;
  explicit Extents(llvm::ArrayRef<int64_t> shape) {
    if (!shape.empty())
      columns = shape.back();
    if (shape.size() > 1)
      rows = shape[shape.size() - 2];
    if (shape.size() > 2)
      for (int64_t extent : shape.drop_back(2))
        matrices *= extent;
  }
};

class Filler {
public:
  Filler(StringRef text, uint64_t seed, Array &array)
      : text(text), random(seed), array(array), extents(array.shape) {
    text.split(fields, ':');
  }

  llvm::Error run();

private:
  llvm::Error error(const llvm::Twine &message) {
    return llvm::createStringError("--random " + text + ": " + message);
  }

  /// Reads the numbers behind the kind; between `least` and all of `into`.
  llvm::Error numbers(llvm::MutableArrayRef<double> into, size_t least);
  /// Reads "GMxGN:P" as one block extent per dimension and a probability.
  llvm::Error blocks(std::vector<int64_t> &tile, double &probability);
  llvm::Error needs(bool satisfied, const char *what) {
    if (satisfied)
      return llvm::Error::success();
    return error(llvm::Twine("needs ") + what + " argument, not " +
                 pit_dtype_name(array.dtype));
  }

  /// Stores value() in every element, in order.
  void each(llvm::function_ref<double()> value) {
    for (int64_t i = 0, e = array.numElements(); i < e; ++i)
      store(array.dtype, array.data.data(), i, value());
  }
  void put(int64_t i, double value) {
    store(array.dtype, array.data.data(), i, value);
  }

  llvm::Error fillBlocks(bool isMask);
  llvm::Error fillRuns(bool atEnd);
  llvm::Error fillGate();
  llvm::Error fillColumnSigns();
  llvm::Error fillLengths();

  StringRef text;
  Random random;
  Array &array;
  Extents extents;
  llvm::SmallVector<StringRef> fields;
};

} // namespace

llvm::Error Filler::numbers(llvm::MutableArrayRef<double> into, size_t least) {
  size_t given = fields.size() - 1;
  if (given < least || given > into.size())
    return error("expected " +
                 (least == into.size() ? std::to_string(least)
                                       : std::to_string(least) + " to " +
                                             std::to_string(into.size())) +
                 " numbers");
  for (size_t i = 0; i < given; ++i)
    if (fields[i + 1].getAsDouble(into[i]) || !std::isfinite(into[i]))
      return error("'" + fields[i + 1] + "' is not a number");
  return llvm::Error::success();
}

llvm::Error Filler::blocks(std::vector<int64_t> &tile, double &probability) {
  std::vector<int64_t> given;
  if (fields.size() != 3 || !parseShape(fields[1].str(), given) ||
      given.empty() || llvm::is_contained(given, 0) ||
      fields[2].getAsDouble(probability) ||
      !(probability >= 0 && probability <= 1))
    return error("expected block extents and a probability, such as " +
                 fields[0] + ":32x32:0.5");
  // One number stands for both sides of a block.
  if (given.size() == 1)
    given.push_back(given.front());
  size_t rank = array.shape.size();
  if (given.size() > std::max<size_t>(rank, 2))
    return error("a block of rank " + llvm::Twine(given.size()) +
                 " does not fit an argument of rank " + llvm::Twine(rank));
  tile.assign(rank, 1);
  for (size_t i = 0; i < std::min(rank, given.size()); ++i)
    tile[rank - 1 - i] = given[given.size() - 1 - i];
  return llvm::Error::success();
}

llvm::Error Filler::fillBlocks(bool isMask) {
  std::vector<int64_t> tile;
  double probability = 0;
  if (llvm::Error e = blocks(tile, probability))
    return e;
  if (!isMask)
    if (llvm::Error e = needs(isFloat(array.dtype), "a floating-point"))
      return e;
  size_t rank = tile.size();
  std::vector<int64_t> counts(rank);
  int64_t numBlocks = 1;
  for (size_t d = 0; d < rank; ++d)
    numBlocks *= counts[d] = llvm::divideCeil(array.shape[d], tile[d]);
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
  return llvm::Error::success();
}

llvm::Error Filler::fillRuns(bool atEnd) {
  double range[2];
  if (llvm::Error e = numbers(range, 2))
    return e;
  if (!(range[0] >= 0 && range[0] <= range[1] && range[1] < 0x1p62))
    return error("expected 0 <= LO <= HI");
  for (int64_t r = 0, i = 0; r < extents.matrices * extents.rows; ++r) {
    int64_t length = random.integer(int64_t(range[0]), int64_t(range[1]) + 1);
    for (int64_t c = 0; c < extents.columns; ++c)
      put(i++, atEnd ? c >= extents.columns - length : c < length);
  }
  return llvm::Error::success();
}

llvm::Error Filler::fillGate() {
  double k;
  if (llvm::Error e = numbers(k, 1))
    return e;
  if (llvm::Error e = needs(isFloat(array.dtype), "a floating-point"))
    return e;
  if (!(k >= 1 && k <= double(extents.columns)) || k != std::floor(k))
    return error("expected a K between 1 and the row's extent " +
                 llvm::Twine(extents.columns));
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
  return llvm::Error::success();
}

llvm::Error Filler::fillColumnSigns() {
  double law[] = {0, 1};
  if (llvm::Error e = numbers(law, 1))
    return e;
  if (llvm::Error e = needs(isFloat(array.dtype), "a floating-point"))
    return e;
  std::vector<double> scales(static_cast<size_t>(extents.columns));
  for (double &scale : scales)
    scale = random.chance(law[0]) ? -law[1] : law[1];
  for (int64_t i = 0, e = array.numElements(); i < e; ++i)
    put(i, scales[size_t(i % extents.columns)] * std::fabs(random.normal()));
  return llvm::Error::success();
}

llvm::Error Filler::fillLengths() {
  double range[2];
  if (llvm::Error e = numbers(range, 1))
    return e;
  if (llvm::Error e = needs(!isFloat(array.dtype), "an integer"))
    return e;
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
  return llvm::Error::success();
}

llvm::Error Filler::run() {
  StringRef kind = fields[0];
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
    if (llvm::Error e = numbers({}, 0))
      return e;
    double next = 0;
    each([&] { return kind == "iota" ? next++ : double(kind == "ones"); });
    return llvm::Error::success();
  }
  if (kind == "const") {
    double value;
    if (llvm::Error e = numbers(value, 1))
      return e;
    each([&] { return value; });
    return llvm::Error::success();
  }
  if (kind == "bool") {
    double probability = 0.5;
    if (llvm::Error e = numbers(probability, 0))
      return e;
    each([&] { return double(random.chance(probability)); });
    return llvm::Error::success();
  }
  if (kind == "randint") {
    double range[2];
    if (llvm::Error e = numbers(range, 2))
      return e;
    if (!(range[0] < range[1] && std::fabs(range[0]) < 0x1p62 &&
          std::fabs(range[1]) < 0x1p62))
      return error("the range is empty");
    each([&] {
      return double(random.integer(int64_t(range[0]), int64_t(range[1])));
    });
    return llvm::Error::success();
  }

  if (kind != "normal" && kind != "uniform" && kind != "sparse" &&
      kind != "rows")
    return error("unknown kind of data; pit-run --help lists them");
  if (llvm::Error e = needs(floats, "a floating-point"))
    return e;
  if (kind == "normal") {
    double law[] = {1, 0};
    if (llvm::Error e = numbers(law, 0))
      return e;
    each([&] { return law[0] * random.normal() + law[1]; });
  } else if (kind == "uniform") {
    double range[] = {0, 1};
    if (llvm::Error e = numbers(range, 0))
      return e;
    each([&] { return range[0] + (range[1] - range[0]) * random.uniform(); });
  } else {
    double sparsity;
    if (llvm::Error e = numbers(sparsity, 1))
      return e;
    bool whole = kind == "rows", dead = false;
    int64_t column = 0;
    each([&] {
      if (!whole || column == 0)
        dead = random.chance(sparsity);
      column = column + 1 == extents.columns ? 0 : column + 1;
      return dead ? 0.0 : random.normal();
    });
  }
  return llvm::Error::success();
}

llvm::Error mlir::pit::run::splitRandomSpec(const std::string &text,
                                            std::string &description,
                                            std::vector<int64_t> &shape,
                                            bool &hasShape) {
  auto [head, extents] = StringRef(text).split('@');
  hasShape = StringRef(text).contains('@');
  description = head.str();
  if (hasShape && (extents.empty() || !parseShape(extents.str(), shape)))
    return llvm::createStringError(
        "--random " + text + ": expected extents such as 8x128 behind '@'");
  return llvm::Error::success();
}

llvm::Error mlir::pit::run::fillRandom(const std::string &description,
                                       uint64_t seed, Array &array) {
  return Filler(description, seed, array).run();
}
