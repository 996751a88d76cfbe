//===- Loops.cpp - Small loop nests, evaluated exactly --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loops.h"

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <functional>
#include <map>

using namespace mlir;
using namespace mlir::pit::proofs;

AffineMap mlir::pit::proofs::toAffineMap(const Map &map, unsigned numLoops,
                                         MLIRContext *context) {
  SmallVector<AffineExpr> results;
  for (const Expr &expr : map) {
    AffineExpr sum = getAffineConstantExpr(0, context);
    for (unsigned i = 0; i < numLoops; ++i)
      sum = sum + getAffineDimExpr(i, context) * expr[i];
    results.push_back(sum);
  }
  return AffineMap::get(numLoops, 0, results, context);
}

std::vector<Map> mlir::pit::proofs::enumerateMaps(unsigned numLoops,
                                                  unsigned maxRank) {
  std::vector<Expr> exprs;
  unsigned count = 1;
  for (unsigned i = 0; i < numLoops; ++i)
    count *= 3;
  for (unsigned code = 1; code < count; ++code) {
    Expr expr = {0, 0, 0};
    unsigned rest = code;
    for (unsigned i = 0; i < numLoops; ++i, rest /= 3)
      expr[i] = rest % 3;
    exprs.push_back(expr);
  }
  std::vector<Map> maps;
  SmallVector<unsigned> chosen;
  std::function<void(unsigned)> extend = [&](unsigned from) {
    Map map;
    for (unsigned expr : chosen)
      map.push_back(exprs[expr]);
    maps.push_back(map);
    if (chosen.size() == maxRank)
      return;
    for (unsigned expr = from; expr < exprs.size(); ++expr) {
      chosen.push_back(expr);
      extend(expr);
      chosen.pop_back();
    }
  };
  extend(0);
  return maps;
}

//===----------------------------------------------------------------------===//
// MapTable
//===----------------------------------------------------------------------===//

MapTable::MapTable(unsigned numLoops, std::vector<Map> maps)
    : numLoops(numLoops), maps(std::move(maps)) {
  // The largest first: most counterexamples are found there.
  Extents sizes = {1, 1, 1};
  std::fill_n(sizes.begin(), numLoops, kMaxExtent);
  while (true) {
    extents.push_back(sizes);
    unsigned i = 0;
    while (i < numLoops && sizes[i] == 1)
      sizes[i++] = kMaxExtent;
    if (i == numLoops)
      break;
    --sizes[i];
  }
  for (const Map &map : this->maps)
    for (unsigned which = 0; which < extents.size(); ++which) {
      Places &here = places.emplace_back();
      std::map<SmallVector<unsigned>, unsigned> numbers;
      for (unsigned point = 0; point < getNumPoints(which); ++point) {
        SmallVector<unsigned> position;
        for (const Expr &expr : map) {
          unsigned sum = 0;
          for (unsigned i = 0; i < numLoops; ++i)
            sum += expr[i] * getCoordinate(which, i, point);
          position.push_back(sum);
        }
        here.element[point] =
            numbers.try_emplace(position, numbers.size()).first->second;
      }
      here.numElements = numbers.size();
    }
}

bool MapTable::isPlain(unsigned map, unsigned axis) const {
  Expr plain = {0, 0, 0};
  plain[axis] = 1;
  return llvm::is_contained(maps[map], plain);
}

unsigned MapTable::getNumPoints(unsigned which) const {
  return extents[which][0] * extents[which][1] * extents[which][2];
}

/// Points are numbered with the last loop running fastest.
unsigned MapTable::getCoordinate(unsigned which, unsigned axis,
                                 unsigned point) const {
  for (unsigned i = kMaxLoops - 1; i > axis; --i)
    point /= extents[which][i];
  return point % extents[which][axis];
}

unsigned MapTable::permutePoint(unsigned which, unsigned axis,
                                unsigned permutation, unsigned point) const {
  unsigned stride = 1;
  for (unsigned i = kMaxLoops - 1; i > axis; --i)
    stride *= extents[which][i];
  unsigned coordinate = getCoordinate(which, axis, point);
  return point + (kPermutations[permutation][coordinate] - coordinate) * stride;
}

bool MapTable::moveElements(unsigned map, unsigned which, unsigned axis,
                            unsigned permutation,
                            std::array<uint8_t, kMaxPoints> &moved) const {
  const Places &here = getPlaces(map, which);
  moved.fill(0xff);
  for (unsigned point = 0, e = getNumPoints(which); point < e; ++point) {
    uint8_t &to = moved[here.element[point]];
    uint8_t target =
        here.element[permutePoint(which, axis, permutation, point)];
    if (to != 0xff && to != target)
      return false;
    to = target;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Running a nest
//===----------------------------------------------------------------------===//

// Float sums are reassociated under a licence, so floats are taken for what
// they stand for: numbers of a field. Bodies with an order among numbers run on
// small integers instead, all others modulo a prime, where two rational
// functions that differ give the same value with a chance of some 1 in 10^8.
static constexpr uint64_t kPrime = 2147483647;

static uint64_t invert(uint64_t value) {
  uint64_t result = 1;
  for (uint64_t power = kPrime - 2, base = value; power; power >>= 1) {
    if (power & 1)
      result = result * base % kPrime;
    base = base * base % kPrime;
  }
  return result;
}

namespace {
enum class Numbers { Wrapping, Modular, Rounded };
using Memory = std::array<std::array<uint64_t, kMaxPoints>, 3>;
} // namespace

static double toDouble(uint64_t bits) { return llvm::bit_cast<double>(bits); }

static uint64_t applyRounded(ScalarOp op, const uint64_t *v) {
  double x = toDouble(v[0]), y = toDouble(v[1]);
  auto evaluate = [&]() {
    switch (op) {
    case ScalarOp::AddF:
      return x + y;
    case ScalarOp::SubF:
      return x - y;
    case ScalarOp::NegF:
      return -x;
    case ScalarOp::MulF:
      return x * y;
    case ScalarOp::DivF:
      return x / y;
    case ScalarOp::MaximumF:
    case ScalarOp::MaxNumF:
      return x < y ? y : x;
    case ScalarOp::MinimumF:
    case ScalarOp::MinNumF:
      return x < y ? x : y;
    case ScalarOp::LessF:
      return toDouble(x < y ? v[2] : v[3]);
    default:
      llvm_unreachable("not used in loop nests");
    }
  };
  return llvm::bit_cast<uint64_t>(evaluate());
}

template <Numbers kNumbers>
static uint64_t apply(ScalarOp op, const uint64_t *v) {
  if (kNumbers == Numbers::Rounded)
    return applyRounded(op, v);
  constexpr bool kModular = kNumbers == Numbers::Modular;
  auto less = [](uint64_t a, uint64_t b) {
    return static_cast<int64_t>(a) < static_cast<int64_t>(b);
  };
  auto reduce = [](uint64_t value) {
    return kModular ? value % kPrime : value;
  };
  switch (op) {
  case ScalarOp::AddI:
  case ScalarOp::AddINoWrap:
  case ScalarOp::AddF:
  case ScalarOp::AddFReassoc:
    return reduce(v[0] + v[1]);
  case ScalarOp::SubI:
  case ScalarOp::SubF:
    return kModular ? (v[0] + kPrime - v[1]) % kPrime : v[0] - v[1];
  case ScalarOp::NegF:
    return kModular ? (kPrime - v[0]) % kPrime : -v[0];
  case ScalarOp::MulI:
  case ScalarOp::MulF:
    return reduce(v[0] * v[1]);
  case ScalarOp::DivF:
    return v[0] * invert(v[1]) % kPrime;
  case ScalarOp::MaxSI:
  case ScalarOp::MaximumF:
  case ScalarOp::MaxNumF:
    return less(v[0], v[1]) ? v[1] : v[0];
  case ScalarOp::MinSI:
  case ScalarOp::MinimumF:
  case ScalarOp::MinNumF:
    return less(v[0], v[1]) ? v[0] : v[1];
  case ScalarOp::MaxUI:
    return std::max(v[0], v[1]);
  case ScalarOp::MinUI:
    return std::min(v[0], v[1]);
  case ScalarOp::AndI:
    return v[0] & v[1];
  case ScalarOp::OrI:
    return v[0] | v[1];
  case ScalarOp::XOrI:
    return v[0] ^ v[1];
  case ScalarOp::LessSI:
  case ScalarOp::LessF:
    return less(v[0], v[1]) ? v[2] : v[3];
  default:
    llvm_unreachable("not used in loop nests");
  }
}

template <Numbers kNumbers>
static void run(const MapTable &table, const Nest &nest, unsigned which,
                Memory &memory) {
  const Body &body = *nest.body;
  const MapTable::Places *places[3];
  for (auto [i, map] : llvm::enumerate(nest.maps))
    places[i] = &table.getPlaces(map, which);
  unsigned numLeaves = body.leaves.size();
  uint64_t values[12], operands[4];
  for (unsigned point = 0, e = table.getNumPoints(which); point < e; ++point) {
    for (unsigned i = 0; i < numLeaves; ++i) {
      const Leaf &leaf = body.leaves[i];
      values[i] = leaf.kind == Leaf::Argument
                      ? memory[leaf.number][places[leaf.number]->element[point]]
                  : leaf.kind == Leaf::Index
                      ? table.getCoordinate(which, leaf.number, point)
                      : static_cast<uint64_t>(static_cast<int64_t>(leaf.value));
      if (kNumbers == Numbers::Rounded && leaf.kind != Leaf::Argument)
        values[i] = llvm::bit_cast<uint64_t>(static_cast<double>(values[i]));
    }
    for (auto [n, node] : llvm::enumerate(body.nodes)) {
      for (unsigned i = 0; i < 4; ++i)
        operands[i] = values[node.operands[i]];
      values[numLeaves + n] = apply<kNumbers>(node.op, operands);
    }
    for (auto [k, yield] : llvm::enumerate(body.yields)) {
      unsigned operand = nest.numInputs + k;
      memory[operand][places[operand]->element[point]] = values[yield];
    }
  }
}

/// The sign of a zero is open.
template <Numbers kNumbers> static bool isSame(uint64_t a, uint64_t b) {
  return a == b || (kNumbers == Numbers::Rounded && toDouble(a) == toDouble(b));
}

template <Numbers kNumbers>
static Truth tryPermutations(const MapTable &table, const Nest &nest,
                             unsigned which, unsigned axis, unsigned numDraws,
                             bool ordered, std::mt19937_64 &random) {
  unsigned numPermutations = getNumPermutations(table.getExtents(which)[axis]);
  unsigned numOperands = nest.maps.size();
  std::array<uint8_t, kMaxPoints> moved[5][3];
  for (unsigned p = 0; p < numPermutations; ++p)
    for (unsigned i = 0; i < numOperands; ++i)
      if (!table.moveElements(nest.maps[i], which, axis, p, moved[p][i]))
        return Truth::NoMove;
  if (numPermutations == 0)
    return Truth::Invariant;

  for (unsigned draw = 0; draw < numDraws; ++draw) {
    Memory arguments, result, permuted;
    // Integers of all sizes: ties of maxima, bits of all places, wrapping.
    for (unsigned i = 0; i < numOperands; ++i)
      for (unsigned k = 0; k < table.getPlaces(nest.maps[i], which).numElements;
           ++k) {
        uint64_t bits = random();
        if (kNumbers == Numbers::Rounded)
          arguments[i][k] = llvm::bit_cast<uint64_t>(
              static_cast<double>(bits >> 11) * 0x1p-50 - 4);
        else if (kNumbers == Numbers::Modular)
          arguments[i][k] = bits % kPrime;
        else if (draw % 2)
          arguments[i][k] = (bits >> 32) % 9 - 4;
        else
          arguments[i][k] = ordered ? (bits >> 32) % 2001 - 1000 : bits;
      }
    result = arguments;
    run<kNumbers>(table, nest, which, result);
    for (unsigned p = 0; p < numPermutations; ++p) {
      for (unsigned i = 0; i < numOperands; ++i)
        for (unsigned k = 0;
             k < table.getPlaces(nest.maps[i], which).numElements; ++k)
          permuted[i][moved[p][i][k]] = arguments[i][k];
      run<kNumbers>(table, nest, which, permuted);
      for (unsigned i = nest.numInputs; i < numOperands; ++i)
        for (unsigned k = 0;
             k < table.getPlaces(nest.maps[i], which).numElements; ++k)
          if (!isSame<kNumbers>(permuted[i][moved[p][i][k]], result[i][k]))
            return Truth::Counterexample;
    }
  }
  return Truth::Invariant;
}

Truth mlir::pit::proofs::tryAxis(const MapTable &table, const Nest &nest,
                                 unsigned which, unsigned axis,
                                 unsigned numDraws, bool rounding,
                                 std::mt19937_64 &random) {
  const Body &body = *nest.body;
  bool isFloat =
      body.contains([](ScalarOp op) { return op >= ScalarOp::AddF; });
  bool divides =
      body.contains([](ScalarOp op) { return op == ScalarOp::DivF; });
  bool ordered = body.contains([](ScalarOp op) {
    return (op >= ScalarOp::MaximumF && op <= ScalarOp::MinNumF) ||
           op == ScalarOp::LessF;
  });
  auto *tryThem = tryPermutations<Numbers::Wrapping>;
  if (isFloat && rounding)
    tryThem = tryPermutations<Numbers::Rounded>;
  else if (divides || (isFloat && !ordered))
    tryThem = tryPermutations<Numbers::Modular>;
  return tryThem(table, nest, which, axis, numDraws, ordered, random);
}
