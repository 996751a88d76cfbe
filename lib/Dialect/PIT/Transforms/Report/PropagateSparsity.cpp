//===- PropagateSparsity.cpp - Prints what propagation found --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITPROPAGATESPARSITY
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

static std::string describe(const SparseFact &fact) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "pattern " << fact.pattern << " on dims [";
  llvm::interleaveComma(fact.dims, os);
  os << "]: ";
  switch (fact.dead.kind) {
  case DeadValue::Undef:
    os << "undef";
    break;
  case DeadValue::Constant:
    os << "fixed(";
    fact.dead.constant.print(os, /*elideType=*/true);
    os << ")";
    break;
  case DeadValue::Invariant:
    os << "fixed(invariant)";
    break;
  }
  return text;
}

static std::string describe(const Restriction &restriction) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "pattern " << restriction.pattern << " on axes [";
  llvm::interleaveComma(restriction.axes, os);
  os << "]: " << stringifyReason(restriction.reason);
  return text;
}

namespace {
struct PITPropagateSparsity
    : pit::impl::PITPropagateSparsityBase<PITPropagateSparsity> {
  using PITPropagateSparsityBase::PITPropagateSparsityBase;

  void runOnOperation() override {
    auto func = cast<FunctionOpInterface>(getOperation().getOperation());
    SparsityPropagation propagation(func, PropagationOptions{finite, strict});
    Builder builder(&getContext());
    func.walk([&](Operation *op) {
      SmallVector<Attribute> facts;
      for (Value result : op->getResults())
        for (const SparseFact &fact : propagation.getFacts(result))
          facts.push_back(builder.getStringAttr(describe(fact)));
      if (!facts.empty())
        PITDialect::FactsAttrHelper(&getContext())
            .setAttr(op, builder.getArrayAttr(facts));
      if (const Restriction *restriction = propagation.getRestriction(op)) {
        std::string text = describe(*restriction);
        for (const Restriction &further :
             propagation.getFurtherRestrictions(op))
          text += "; and " + describe(further);
        PITDialect::RestrictedAttrHelper(&getContext())
            .setAttr(op, builder.getStringAttr(text));
      }
    });
  }
};
} // namespace
