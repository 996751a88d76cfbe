//===- AxisChecker.h - Asks about axes, and tries them ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_RULES_AXISCHECKER_H
#define PIT_UNITTESTS_RULES_AXISCHECKER_H

#include "Findings.h"
#include "Loops.h"

#include "PIT/Interfaces/PITAxisOpInterface.h"

#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <optional>

namespace mlir::pit::proofs {

/// Asks about ops one after the other, and keeps count.
class AxisChecker {
public:
  AxisChecker(Findings &findings, const CheckOptions &options, Type type)
      : findings(findings), options(options), type(type),
        context(type.getContext()), random(options.seed) {}

  /// The body of the ops to come.
  void setBody(const Body &body, unsigned numArguments);
  /// Asks about the axes of `nest` under `iterators`, one bit per reduction.
  void check(const MapTable &table, Nest nest, ArrayRef<unsigned> iterators);

private:
  Truth findTruth(const MapTable &table, const Nest &nest, unsigned axis,
                  bool rounding);
  void compare(const MapTable &table, const Nest &nest, unsigned iterators,
               bool strict, ArrayRef<AxisInfo> axes,
               MutableArrayRef<std::optional<Truth>> truths);
  void compareWithOp(const MapTable &table, const Nest &nest,
                     ArrayRef<utils::IteratorType> iterators,
                     ArrayRef<AxisInfo> axes);
  std::string describe(const MapTable &table, const Nest &nest,
                       unsigned iterators, unsigned axis) const;
  const AffineMap &getMap(const MapTable &table, unsigned map);

  Findings &findings;
  const CheckOptions &options;
  Type type;
  MLIRContext *context;
  std::mt19937_64 random;
  Body body;
  std::unique_ptr<Block> block;
  /// By the number of loops and of the map; one table per number of loops.
  llvm::DenseMap<std::pair<unsigned, unsigned>, AffineMap> maps;
  uint64_t numVerdicts = 0, numOps = 0;
};

} // namespace mlir::pit::proofs

#endif // PIT_UNITTESTS_RULES_AXISCHECKER_H
