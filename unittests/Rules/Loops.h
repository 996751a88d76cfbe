//===- Loops.h - Small loop nests, evaluated exactly ------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A structured op as a loop nest over numbers, and whether an axis of it may be
// permuted: what that means is decided by running the nest on permuted data.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_RULES_LOOPS_H
#define PIT_UNITTESTS_RULES_LOOPS_H

#include "Scalar.h"

#include "mlir/IR/AffineMap.h"

#include <array>
#include <random>

namespace mlir::pit::proofs {

inline constexpr unsigned kMaxLoops = 3;
inline constexpr unsigned kMaxExtent = 3;
inline constexpr unsigned kMaxPoints = 27;

/// Per result of a map the coefficients of the loops.
using Expr = std::array<uint8_t, kMaxLoops>;
using Map = SmallVector<Expr, 3>;
using Extents = std::array<uint8_t, kMaxLoops>;

AffineMap toAffineMap(const Map &map, unsigned numLoops, MLIRContext *context);

/// Maps with at most `maxRank` results with coefficients 0..2; results that are
/// constant, and maps that differ in the order of results only, are left out:
/// they differ in the names of dimensions.
std::vector<Map> enumerateMaps(unsigned numLoops, unsigned maxRank);

/// One loop nest: `numInputs` operands are read, the others are read and
/// written. Maps are numbers of a `MapTable`.
struct Nest {
  unsigned numLoops = 0;
  unsigned numInputs = 0;
  SmallVector<unsigned, 3> maps;
  const Body *body = nullptr;
};

/// Where the points of small loop nests lie in the operands, for every map.
class MapTable {
public:
  MapTable(unsigned numLoops, std::vector<Map> maps);

  struct Places {
    /// Per point, in order: which of the touched elements.
    std::array<uint8_t, kMaxPoints> element;
    uint8_t numElements = 0;
  };

  unsigned size() const { return maps.size(); }
  unsigned getNumLoops() const { return numLoops; }
  const Map &getMap(unsigned map) const { return maps[map]; }
  /// Whether loop `axis` is a dimension of its own.
  bool isPlain(unsigned map, unsigned axis) const;

  unsigned getNumExtents() const { return extents.size(); }
  const Extents &getExtents(unsigned which) const { return extents[which]; }
  unsigned getNumPoints(unsigned which) const;
  const Places &getPlaces(unsigned map, unsigned which) const {
    return places[map * extents.size() + which];
  }
  /// The point whose coordinate on `axis` is replaced by its permutation.
  unsigned permutePoint(unsigned which, unsigned axis, unsigned permutation,
                        unsigned point) const;
  unsigned getCoordinate(unsigned which, unsigned axis, unsigned point) const;
  /// How a permutation of `axis` moves the touched elements of an operand;
  /// false when it does not move them in one way.
  bool moveElements(unsigned map, unsigned which, unsigned axis,
                    unsigned permutation,
                    std::array<uint8_t, kMaxPoints> &moved) const;

private:
  unsigned numLoops;
  std::vector<Map> maps;
  std::vector<Extents> extents;
  std::vector<Places> places;
};

/// Permutations of at most three things but the identity: the first for two.
inline constexpr uint8_t kPermutations[5][3] = {
    {1, 0, 2}, {0, 2, 1}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};
inline unsigned getNumPermutations(unsigned extent) {
  return extent == 1 ? 0 : extent == 2 ? 1 : 5;
}

/// What was found out about one axis of a nest.
enum class Truth {
  Invariant,     ///< no permutation changed anything but the order of results
  NoMove,        ///< an operand cannot be permuted along the axis
  Counterexample ///< the result of permuted data is another one
};

/// Runs `nest` on several random arguments with every permutation of `axis`, at
/// one choice of extents. Float sums are numbers of a field, unless `rounding`:
/// then every operation is rounded, and order matters.
Truth tryAxis(const MapTable &table, const Nest &nest, unsigned which,
              unsigned axis, unsigned numDraws, bool rounding,
              std::mt19937_64 &random);

} // namespace mlir::pit::proofs

#endif // PIT_UNITTESTS_RULES_LOOPS_H
