//===- AxisChecker.cpp - Asks about axes, and tries them ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AxisChecker.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::proofs;

using Iterator = utils::IteratorType;

void AxisChecker::setBody(const Body &newBody, unsigned numArguments) {
  body = newBody;
  block = std::make_unique<Block>();
  build(body, *block, numArguments, type, context);
}

const AffineMap &AxisChecker::getMap(const MapTable &table, unsigned map) {
  AffineMap &result = maps[{table.getNumLoops(), map}];
  if (!result)
    result = toAffineMap(table.getMap(map), table.getNumLoops(), context);
  return result;
}

Truth AxisChecker::findTruth(const MapTable &table, const Nest &nest,
                             unsigned axis, bool rounding) {
  for (unsigned which = 0; which < table.getNumExtents(); ++which) {
    Truth truth =
        tryAxis(table, nest, which, axis, which == 0 ? 6 : 2, rounding, random);
    if (truth != Truth::Invariant)
      return truth;
  }
  return Truth::Invariant;
}

std::string AxisChecker::describe(const MapTable &table, const Nest &nest,
                                  unsigned iterators, unsigned axis) const {
  std::string text = "axis " + std::to_string(axis) + " of [";
  for (unsigned i = 0; i < nest.numLoops; ++i)
    text += (iterators >> i) & 1 ? "r" : "p";
  text += "]";
  llvm::raw_string_ostream os(text);
  for (auto [i, map] : llvm::enumerate(nest.maps)) {
    os << (i == nest.numInputs ? " -> " : " ");
    toAffineMap(table.getMap(map), nest.numLoops, context).print(os);
  }
  os << " { " << body.str() << " }";
  return text;
}

/// The kind of a refusal: its reason without most names in it.
static std::string classify(StringRef reason) {
  std::string kind;
  bool quoted = false, keepsNames = reason.starts_with("combiner");
  for (char c : reason.split(" is accessed along").first) {
    if (c == '\'' && !keepsNames) {
      quoted = !quoted;
      kind += quoted ? "'..." : "'";
    } else if (!quoted && c != '#' && !llvm::isDigit(c)) {
      kind += c;
    }
  }
  if (reason.contains("along its diagonal"))
    kind += " is accessed along its diagonal";
  return kind;
}

void AxisChecker::compare(const MapTable &table, const Nest &nest,
                          unsigned iterators, bool strict,
                          ArrayRef<AxisInfo> axes,
                          MutableArrayRef<std::optional<Truth>> truths) {
  bool licensed =
      body.contains([](ScalarOp op) { return op == ScalarOp::AddFReassoc; });
  for (auto [axis, info] : llvm::enumerate(axes)) {
    bool reported = info.isPITAxis();
    if (options.fault && ++numVerdicts % options.fault == 0)
      reported = true;
    if (!truths[axis])
      truths[axis] = findTruth(table, nest, axis, strict && !licensed);
    Truth truth = *truths[axis];
    ++findings.counts["verdicts"];
    if (reported) {
      ++findings.counts[info.kind == AxisKind::Reduction ? "reported reduction"
                                                         : "reported parallel"];
      if (truth != Truth::Invariant)
        findings.noteWrong("reported, but not invariant: " +
                           describe(table, nest, iterators, axis));
    } else if (truth == Truth::NoMove) {
      ++findings.counts["refused: an operand cannot be permuted"];
    } else if (truth == Truth::Counterexample) {
      ++findings.counts["refused: counterexample"];
    } else {
      ++findings.counts["refused: conservative"];
      findings.noteConservative(classify(info.reason), [&, axis = axis] {
        return describe(table, nest, iterators, axis);
      });
    }
  }
}

/// What an op says that is built and verified, in place of its parts.
void AxisChecker::compareWithOp(const MapTable &table, const Nest &nest,
                                ArrayRef<Iterator> iterators,
                                ArrayRef<AxisInfo> axes) {
  OwningOpRef<ModuleOp> module(ModuleOp::create(UnknownLoc::get(context)));
  OpBuilder b = OpBuilder::atBlockBegin(module->getBody());
  Location loc = b.getUnknownLoc();
  SmallVector<Value> operands;
  SmallVector<AffineMap> affineMaps;
  Value extent = arith::ConstantIndexOp::create(b, loc, 3);
  for (unsigned map : nest.maps) {
    affineMaps.push_back(getMap(table, map));
    unsigned rank = affineMaps.back().getNumResults();
    SmallVector<int64_t> shape(rank, ShapedType::kDynamic);
    operands.push_back(tensor::EmptyOp::create(
        b, loc, shape, type, SmallVector<Value>(rank, extent)));
  }
  ValueRange inputs = ValueRange(operands).take_front(nest.numInputs);
  ValueRange outputs = ValueRange(operands).drop_front(nest.numInputs);
  auto op = linalg::GenericOp::create(b, loc, outputs.getTypes(), inputs,
                                      outputs, affineMaps, iterators);
  Block *opBlock = b.createBlock(&op.getRegion());
  build(body, *opBlock, nest.maps.size(), type, context);
  ++findings.counts["ops built and verified"];
  if (failed(verify(module.get())))
    return findings.noteWrong("not a valid op: " + describe(table, nest, 0, 0));
  FailureOr<SmallVector<AxisInfo>> fromOp = inferPITAxes(op.getOperation());
  bool same = succeeded(fromOp) && fromOp->size() == axes.size();
  for (unsigned i = 0; same && i < axes.size(); ++i)
    same = (*fromOp)[i].str() == axes[i].str();
  if (!same)
    findings.noteWrong("the op itself has other axes: " +
                       describe(table, nest, 0, 0));
}

void AxisChecker::check(const MapTable &table, Nest nest,
                        ArrayRef<unsigned> iteratorSets) {
  nest.body = &body;
  unsigned numOutputs = nest.maps.size() - nest.numInputs;
  SmallVector<AffineMap, 3> affineMaps;
  for (unsigned map : nest.maps)
    affineMaps.push_back(getMap(table, map));
  bool isFloat = isa<FloatType>(type);
  std::optional<Truth> truths[2][kMaxLoops];
  ++findings.counts["ops"];
  for (unsigned set : iteratorSets) {
    SmallVector<Iterator> iterators;
    for (unsigned i = 0; i < nest.numLoops; ++i)
      iterators.push_back((set >> i) & 1 ? Iterator::reduction
                                         : Iterator::parallel);
    for (bool strict : {false, true}) {
      if (strict && !isFloat)
        continue;
      AxisOptions axisOptions;
      axisOptions.strict = strict;
      SmallVector<AxisInfo> axes =
          inferPITAxes(affineMaps, iterators, *block, numOutputs, axisOptions);
      compare(table, nest, set, strict, axes, truths[strict]);
      if (!strict && ++numOps % 499 == 0)
        compareWithOp(table, nest, iterators, axes);
    }
  }
}
