//===- AxisSpaces.cpp - The ops whose axes are checked --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AxisChecker.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <algorithm>
#include <chrono>

using namespace mlir;
using namespace mlir::pit::proofs;

static SmallVector<Leaf, 8> makeLeaves(unsigned numArguments,
                                       unsigned numIndexes) {
  SmallVector<Leaf, 8> leaves;
  for (unsigned i = 0; i < numArguments; ++i)
    leaves.push_back({Leaf::Argument, i});
  for (unsigned i = 0; i < numIndexes; ++i)
    leaves.push_back({Leaf::Index, i});
  return leaves;
}

namespace {
/// Choices of maps up to renaming: of the loops from `firstFree` on, and of the
/// inputs where they are alike.
class MapChoices {
public:
  MapChoices(const MapTable &table, unsigned firstFree);

  void forEach(unsigned numOperands, unsigned numInputs, bool sortInputs,
               llvm::function_ref<void(ArrayRef<unsigned>)> visit) const;

private:
  /// As the verifier asks: each loop is a dimension of some operand.
  bool coversLoops(ArrayRef<unsigned> maps) const;
  bool isSmallest(ArrayRef<unsigned> maps, unsigned numInputs,
                  bool sortInputs) const;

  const MapTable &table;
  /// Per order of the loops, the number that each map gets.
  std::vector<std::vector<unsigned>> renamed;
  /// Per map, the loops that it has as dimensions.
  std::vector<unsigned> plainLoops;
};
} // namespace

MapChoices::MapChoices(const MapTable &table, unsigned firstFree)
    : table(table) {
  std::map<Map, unsigned> numbers;
  for (unsigned i = 0; i < table.size(); ++i) {
    Map map = table.getMap(i);
    llvm::sort(map);
    numbers[map] = i;
    plainLoops.push_back(0);
    for (unsigned axis = 0; axis < table.getNumLoops(); ++axis)
      if (table.isPlain(i, axis))
        plainLoops.back() |= 1u << axis;
  }
  SmallVector<unsigned> first;
  for (unsigned i = firstFree; i < table.getNumLoops(); ++i)
    first.push_back(i);
  SmallVector<unsigned> order = first;
  do {
    std::vector<unsigned> &names = renamed.emplace_back();
    for (unsigned i = 0; i < table.size(); ++i) {
      Map map = table.getMap(i);
      for (Expr &expr : map) {
        Expr old = expr;
        for (auto [from, to] : llvm::zip_equal(first, order))
          expr[to] = old[from];
      }
      llvm::sort(map);
      names.push_back(numbers.at(map));
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

bool MapChoices::coversLoops(ArrayRef<unsigned> maps) const {
  unsigned loops = 0;
  for (unsigned map : maps)
    loops |= plainLoops[map];
  return loops == (1u << table.getNumLoops()) - 1;
}

bool MapChoices::isSmallest(ArrayRef<unsigned> maps, unsigned numInputs,
                            bool sortInputs) const {
  for (const std::vector<unsigned> &names : renamed) {
    SmallVector<unsigned, 3> other;
    for (unsigned map : maps)
      other.push_back(names[map]);
    if (sortInputs)
      std::sort(other.begin(), other.begin() + numInputs);
    if (std::lexicographical_compare(other.begin(), other.end(), maps.begin(),
                                     maps.end()))
      return false;
  }
  return true;
}

void MapChoices::forEach(
    unsigned numOperands, unsigned numInputs, bool sortInputs,
    llvm::function_ref<void(ArrayRef<unsigned>)> visit) const {
  SmallVector<unsigned, 3> maps(numOperands, 0);
  while (true) {
    if (coversLoops(maps) && isSmallest(maps, numInputs, sortInputs))
      visit(maps);
    unsigned i = 0;
    while (i < numOperands && ++maps[i] == table.size())
      maps[i++] = 0;
    if (i == numOperands)
      return;
  }
}

namespace {
/// Operand counts of the spaces.
struct Form {
  unsigned numInputs, numOutputs;
  unsigned getNumOperands() const { return numInputs + numOutputs; }
};

class Timer {
public:
  explicit Timer(Findings &findings) : findings(findings) {}
  ~Timer() {
    findings.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
  }

private:
  Findings &findings;
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
};
} // namespace

static constexpr Form kForms[] = {{0, 1}, {1, 1}, {2, 1}, {0, 2}, {1, 2}};

/// The body `acc + product of the inputs` in every form, and ones in which the
/// order of points matters.
static std::vector<Body> getMapBodies(Form form) {
  std::vector<Body> bodies;
  auto add = [&](ScalarOp combine, ScalarOp inner, bool usesOld) {
    Body body;
    body.leaves = makeLeaves(form.getNumOperands(), 0);
    unsigned next = body.leaves.size();
    uint8_t value = 0;
    if (form.numInputs == 2) {
      body.nodes.push_back({inner, {0, 1}});
      value = next++;
    }
    for (unsigned k = 0; k < form.numOutputs; ++k) {
      uint8_t old = form.numInputs + k;
      if (usesOld) {
        body.nodes.push_back({combine, {old, value}});
        body.yields.push_back(next++);
      } else {
        body.yields.push_back(form.numInputs ? value : old);
      }
    }
    bodies.push_back(body);
  };
  add(ScalarOp::AddI, ScalarOp::MulI, true);
  add(ScalarOp::AddI, ScalarOp::SubI, false);
  if (form.numInputs)
    add(ScalarOp::SubI, ScalarOp::MaxSI, true);
  return bodies;
}

static Findings findInMaps(bool full, const CheckOptions &options,
                           MLIRContext &context) {
  Findings findings;
  findings.space = "maps";
  findings.description =
      "every choice of indexing maps (coefficients 0..2, up to two results "
      "that are not constant) for up to 3 loops and 3 operands, all extents "
      "up to 3; a few bodies";
  Timer timer(findings);
  AxisChecker checker(findings, options, IntegerType::get(&context, 64));
  uint64_t count = options.seed;
  for (unsigned numLoops = 1; numLoops <= kMaxLoops; ++numLoops) {
    MapTable table(numLoops, enumerateMaps(numLoops, 2));
    SmallVector<unsigned> iterators = {0, (1u << numLoops) - 1};
    uint64_t stride = full ? 1 : numLoops == 3 ? 701 : 3;
    for (Form form : kForms) {
      std::vector<SmallVector<unsigned, 3>> choices;
      MapChoices(table, 0).forEach(form.getNumOperands(), form.numInputs,
                                   /*sortInputs=*/true,
                                   [&](ArrayRef<unsigned> maps) {
                                     if (count++ % stride == 0)
                                       choices.emplace_back(maps);
                                   });
      for (const Body &body : getMapBodies(form)) {
        checker.setBody(body, form.getNumOperands());
        for (const SmallVector<unsigned, 3> &maps : choices)
          checker.check(table, {numLoops, form.numInputs, maps}, iterators);
      }
    }
  }
  return findings;
}

static const ScalarOp kIntegerOps[] = {
    ScalarOp::AddI, ScalarOp::AddINoWrap, ScalarOp::SubI,
    ScalarOp::MulI, ScalarOp::MaxSI,      ScalarOp::MinUI,
    ScalarOp::AndI, ScalarOp::XOrI,       ScalarOp::LessSI};
static const ScalarOp kFloatOps[] = {
    ScalarOp::AddF,    ScalarOp::AddFReassoc, ScalarOp::SubF,
    ScalarOp::MulF,    ScalarOp::DivF,        ScalarOp::MaximumF,
    ScalarOp::MinNumF, ScalarOp::NegF,        ScalarOp::LessF};

/// Maps that list each loop at most once, with coefficient 1.
static std::vector<Map> getPlainMaps(unsigned numLoops) {
  std::vector<Map> maps;
  for (unsigned set = 0; set < 1u << numLoops; ++set) {
    Map map;
    for (unsigned i = 0; i < numLoops; ++i)
      if ((set >> i) & 1) {
        Expr expr = {0, 0, 0};
        expr[i] = 1;
        map.push_back(expr);
      }
    llvm::sort(map);
    maps.push_back(map);
  }
  return maps;
}

static Findings findInBodies(bool full, bool isFloat,
                             const CheckOptions &options,
                             MLIRContext &context) {
  Findings findings;
  findings.space = isFloat ? "float bodies" : "integer bodies";
  findings.description =
      "every body of up to two operations on the arguments and the position "
      "on one loop, for every choice of plain maps, iterator types, up to 3 "
      "loops and 3 operands, all extents up to 3";
  Timer timer(findings);
  Type type = isFloat ? Type(Float64Type::get(&context))
                      : Type(IntegerType::get(&context, 64));
  AxisChecker checker(findings, options, type);
  uint64_t count = options.seed;
  for (unsigned numLoops = 1; numLoops <= kMaxLoops; ++numLoops) {
    MapTable table(numLoops, getPlainMaps(numLoops));
    SmallVector<unsigned> iterators;
    for (unsigned set = 0; set < 1u << numLoops; ++set)
      iterators.push_back(set);
    for (Form form : kForms) {
      // Loop 0 is the one whose position is read; the others are alike.
      std::vector<SmallVector<unsigned, 3>> choices;
      MapChoices(table, 1).forEach(
          form.getNumOperands(), form.numInputs, /*sortInputs=*/false,
          [&](ArrayRef<unsigned> maps) { choices.emplace_back(maps); });
      BodySpace space;
      space.ops.assign(isFloat ? std::begin(kFloatOps)
                               : std::begin(kIntegerOps),
                       isFloat ? std::end(kFloatOps) : std::end(kIntegerOps));
      space.leaves = makeLeaves(form.getNumOperands(), 1);
      space.numYields = form.numOutputs;
      uint64_t stride = numLoops == 3   ? (full ? options.stride : 3001)
                        : !full         ? 307
                        : numLoops == 2 ? options.strideOfTwo
                                        : 1;
      for (const Body &body : enumerate(space)) {
        bool built = false;
        for (const SmallVector<unsigned, 3> &maps : choices) {
          if (count++ % stride != 0)
            continue;
          if (!built)
            checker.setBody(body, form.getNumOperands());
          built = true;
          checker.check(table, {numLoops, form.numInputs, maps}, iterators);
        }
      }
    }
  }
  return findings;
}

/// The product of both spaces is too large to visit; random members of it.
static Findings findInProduct(bool full, const CheckOptions &options,
                              MLIRContext &context) {
  Findings findings;
  findings.space = "random ops";
  findings.description =
      "random choices of maps (up to three results) and integer bodies with "
      "positions on all loops, seed " +
      std::to_string(options.seed);
  Timer timer(findings);
  AxisChecker checker(findings, options, IntegerType::get(&context, 64));
  std::mt19937_64 random(options.seed);
  unsigned numBodies = full ? 40000 : 500;
  for (unsigned numLoops = 2; numLoops <= kMaxLoops; ++numLoops) {
    MapTable table(numLoops, enumerateMaps(numLoops, numLoops));
    SmallVector<unsigned> iterators;
    for (unsigned set = 0; set < 1u << numLoops; ++set)
      iterators.push_back(set);
    for (Form form : kForms) {
      BodySpace space;
      space.ops.assign(std::begin(kIntegerOps), std::end(kIntegerOps));
      space.leaves = makeLeaves(form.getNumOperands(), numLoops);
      space.numYields = form.numOutputs;
      std::vector<Body> bodies = enumerate(space);
      for (unsigned n = 0; n < numBodies / 10; ++n) {
        checker.setBody(bodies[random() % bodies.size()],
                        form.getNumOperands());
        for (unsigned attempt = 0; attempt < 64; ++attempt) {
          SmallVector<unsigned, 3> maps;
          for (unsigned i = 0; i < form.getNumOperands(); ++i)
            maps.push_back(random() % table.size());
          unsigned loops = 0;
          for (unsigned axis = 0; axis < numLoops; ++axis)
            loops += llvm::any_of(
                maps, [&](unsigned map) { return table.isPlain(map, axis); });
          if (loops == numLoops) {
            checker.check(table, {numLoops, form.numInputs, maps}, iterators);
            break;
          }
        }
      }
    }
  }
  return findings;
}

static void loadDialects(MLIRContext &context) {
  context.loadDialect<arith::ArithDialect, linalg::LinalgDialect,
                      math::MathDialect, tensor::TensorDialect>();
}

void mlir::pit::proofs::checkMaps(bool full, const CheckOptions &options,
                                  Report report) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  loadDialects(context);
  report(findInMaps(full, options, context));
  report(findInProduct(full, options, context));
}

void mlir::pit::proofs::checkBodies(bool full, const CheckOptions &options,
                                    Report report) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  loadDialects(context);
  report(findInBodies(full, /*isFloat=*/false, options, context));
  report(findInBodies(full, /*isFloat=*/true, options, context));
}
