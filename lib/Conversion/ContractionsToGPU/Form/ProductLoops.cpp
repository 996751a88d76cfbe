//===- ProductLoops.cpp - Loops of a matrix product -----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductLoops.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

/// The axis of a loop.
static unsigned getAxis(AffineMap map, unsigned loop) {
  return *map.getResultPosition(getAffineDimExpr(loop, map.getContext()));
}

/// Takes the outer one of two loops.
static unsigned takeOuter(SmallVector<unsigned> &loops, AffineMap map) {
  auto *outer = llvm::min_element(loops, [&](unsigned a, unsigned b) {
    return getAxis(map, a) < getAxis(map, b);
  });
  unsigned loop = *outer;
  loops.erase(outer);
  return loop;
}

FailureOr<ProductLoops>
mlir::pit::findProductLoops(const Contraction &contraction, AffineMap mapOfC,
                            MatchLog log) {
  SmallVector<unsigned> batch = contraction.batch, m = contraction.m,
                        n = contraction.n;
  if (m.empty() || n.empty())
    return log.refuse("it multiplies by a vector: there is no axis of rows, or "
                      "none of columns");
  // What only one input has besides may be read by the other in each batch.
  if (batch.empty() && m.size() + n.size() == 3)
    batch.push_back(takeOuter(m.size() == 2 ? m : n, mapOfC));
  if (batch.size() > 1)
    return log.refuse("it has " + Twine(batch.size()) +
                          " batch axes, on both inputs and the result; kernels "
                          "take one",
                      "collapse axes that lie one behind the other");
  if (m.size() != 1 || n.size() != 1 || contraction.k.size() != 1)
    return log.refuse("it has " + Twine(m.size()) + " axes of rows, " +
                          Twine(n.size()) + " of columns and " +
                          Twine(contraction.k.size()) +
                          " of k; kernels take one of each",
                      "collapse axes that lie one behind the other");
  ProductLoops loops;
  if (!batch.empty())
    loops.batch = batch[0];
  loops.m = m[0], loops.n = n[0], loops.k = contraction.k[0];
  loops.exchanged = getAxis(mapOfC, loops.n) < getAxis(mapOfC, loops.m);
  if (loops.exchanged)
    std::swap(loops.m, loops.n);
  return loops;
}

bool mlir::pit::canStoreSums(Type sum, Type output) {
  if (output.isBF16() || output.isF16() || output.isF32())
    return true;
  // Sums in f32 are rounded to nothing else.
  if (sum.isF32())
    return false;
  return output == sum || (sum.isInteger() && output.isInteger(8));
}

bool mlir::pit::isZeroOfSums(Value value) {
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

bool mlir::pit::hasBatches(linalg::LinalgOp op) {
  FailureOr<Contraction> contraction = matchContractionLoops(op);
  if (failed(contraction))
    return false;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  FailureOr<ProductLoops> loops = findProductLoops(*contraction, map);
  return succeeded(loops) && loops->batch;
}
