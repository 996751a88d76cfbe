//===- CheckUnitExtents.cpp - Nothing depends on extents above 1 ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnitExtents/UnitExtents.h"

#include "PIT/Pipelines/Pipelines.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::fuzz;

/// Ops without names, for both programs alike.
static LogicalResult generalise(ModuleOp program) {
  IRRewriter rewriter(program.getContext());
  SmallVector<linalg::SoftmaxOp> softmaxes;
  program.walk([&](linalg::SoftmaxOp op) { softmaxes.push_back(op); });
  for (linalg::SoftmaxOp op : softmaxes) {
    rewriter.setInsertionPoint(op);
    FailureOr<SmallVector<Value>> parts = op.decomposeOperation(rewriter);
    if (failed(parts))
      return failure();
    rewriter.replaceOp(op, *parts);
  }
  SmallVector<linalg::LinalgOp> named;
  program.walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp>(op))
      named.push_back(op);
  });
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::generalizeNamedOp(rewriter, op)))
      return failure();
  }
  return success();
}

/// What each rule packs and why, in any order. Of marks that are written: what
/// is found without one follows from how a program is written, too.
static FailureOr<std::vector<std::string>> deriveRules(ModuleOp program) {
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>(program->clone()));
  PassManager manager(program.getContext());
  PITToCPUOptions options;
  options.infer = false;
  buildLinalgToPITPipeline(manager, options);
  if (failed(manager.run(*copy)))
    return failure();
  std::vector<std::string> rules;
  auto function = copy->lookupSymbol<func::FuncOp>("main");
  PITDialect::RulesAttrHelper helper(program.getContext());
  if (!helper.isAttrPresent(function))
    return rules;
  for (auto rule : helper.getAttr(function).getAsRange<DictionaryAttr>()) {
    std::string text = cast<StringAttr>(rule.get("kind")).getValue().str();
    // The number of the axis is another one.
    StringRef axis = cast<StringAttr>(rule.get("axis")).getValue();
    text += axis.drop_until([](char c) { return c == ' '; });
    auto tile = cast<DenseI64ArrayAttr>(rule.get("micro_tile"));
    llvm::raw_string_ostream os(text);
    // An axis of extent 1 may be left out.
    for (int64_t extent : tile.asArrayRef())
      if (extent != 1)
        os << " " << extent;
    rules.push_back(std::move(text));
  }
  llvm::sort(rules);
  return rules;
}

void mlir::pit::fuzz::drawUnit(ModuleOp program, uint64_t seed) {
  ::pit::run::Random random(seed ^ (uint64_t(1) << 62));
  auto function = program.lookupSymbol<func::FuncOp>("main");
  function->setAttr(kUnitAttrName,
                    StringAttr::get(program.getContext(),
                                    random.chance(0.5) ? "first" : "last"));
}

Verdict mlir::pit::fuzz::checkUnitExtents(ModuleOp program,
                                          const RunOptions &options,
                                          Coverage &coverage) {
  Verdict verdict;
  auto end = [&](Outcome outcome, const Twine &message) {
    verdict.outcome = outcome;
    verdict.message = message.str();
    return verdict;
  };
  auto function = program.lookupSymbol<func::FuncOp>("main");
  auto unit = function ? function->getAttrOfType<StringAttr>(kUnitAttrName)
                       : StringAttr();
  if (!unit)
    return end(Outcome::Invalid, "'main' has no attribute 'unit'");
  bool isFirst = unit.getValue() == "first";
  OwningOpRef<ModuleOp> marked = materializeMarks(program);
  if (!marked || failed(generalise(*marked)))
    return end(Outcome::Invalid, "a mark cannot be read");
  std::string why;
  OwningOpRef<ModuleOp> extended = insertUnit(*marked, isFirst, why);
  if (!extended)
    return end(Outcome::Skipped, "no form with another extent of 1: " + why);
  if (failed(verify(*extended)))
    return end(Outcome::Invalid, "with another extent of 1");
  auto without = deriveRules(*marked), with = deriveRules(*extended);
  if (failed(without) || failed(with))
    return end(Outcome::Diagnostic, "no rules can be derived");
  std::string where = isFirst ? "in front" : "behind";
  ++coverage["an extent of 1 " + where];
  if (*without != *with) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "with an extent of 1 " << where << " there are " << with->size()
       << " rules, not " << without->size() << ":";
    auto list = [&](const std::vector<std::string> &from,
                    const std::vector<std::string> &other, const char *sign) {
      for (const std::string &rule : from)
        if (llvm::count(from, rule) > llvm::count(other, rule))
          os << " " << sign << "(" << rule << ")";
    };
    list(*with, *without, "+");
    list(*without, *with, "-");
    return end(Outcome::Mismatch, text);
  }
  coverage["rules"] += int64_t(with->size());
  return check(*extended, options);
}
