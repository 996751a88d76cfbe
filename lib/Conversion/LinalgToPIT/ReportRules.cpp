//===- ReportRules.cpp - Remarks of axes, patterns and rules --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportRules.h"

#include "PIT/Interfaces/PITAxisOpInterface.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::pit;
using remarks::metric;

void mlir::pit::reportAxes(linalg::LinalgOp op, bool strict) {
  if (!remarks::areCollected(op))
    return;
  AxisOptions options;
  options.strict = strict;
  FailureOr<SmallVector<AxisInfo>> axes = inferPITAxes(op, options);
  if (failed(axes) || axes->empty())
    return;
  SmallVector<std::string> names[3], reasons;
  for (auto [number, axis] : llvm::enumerate(*axes)) {
    std::string name = ("d" + Twine(number)).str();
    if (!axis.isPITAxis())
      reasons.push_back(name + ": " + axis.reason);
    names[unsigned(axis.kind)].push_back(std::move(name));
  }
  remarks::InFlight remark = remarks::analysis(op, remarks::kAxes, "axes");
  if (!remark)
    return;
  StringRef kinds[] = {"Parallel", "Reduction", "Refused"};
  for (auto [kind, ofKind] : llvm::zip_equal(kinds, names))
    if (!ofKind.empty())
      remark << metric(kind, llvm::join(ofKind, " "));
  for (const std::string &reason : reasons)
    remark << remarks::reason(reason);
}

static std::string spellPattern(unsigned number,
                                const SparsityPropagation &propagation) {
  const SparsePattern &pattern = propagation.getPatterns()[number];
  return ("pattern " + Twine(number) + " (" +
          stringifyPatternKind(pattern.attr.getKind()) + " at " +
          remarks::spell(pattern.loc) + ")")
      .str();
}

void mlir::pit::reportPattern(SparseOp mark,
                              const SparsityPropagation &propagation) {
  unsigned number = propagation.getPattern(mark);
  const SparsePattern &info = propagation.getPatterns()[number];
  PatternAttr pattern = info.attr;
  SmallVector<std::string> extents;
  for (unsigned i = 0, e = pattern.getRank(); i < e; ++i)
    extents.push_back(llvm::itostr(pattern.getTileExtent(i)));
  remarks::InFlight remark = remarks::passed(mark, remarks::kRules, "pattern");
  remark << ("marks pattern " + Twine(number)).str()
         << metric("Kind", stringifyPatternKind(pattern.getKind()))
         << metric("Absent", stringifyAbsent(pattern.getAbsent()))
         << metric("MicroTile", llvm::join(extents, "x"));
  if (info.within)
    remark << remarks::reason("points outside of " +
                              spellPattern(*info.within, propagation) +
                              " are not listed: nobody needs them");
}

void mlir::pit::reportRule(linalg::LinalgOp op, const Restriction &restriction,
                           const SparsityPropagation &propagation) {
  if (!remarks::areCollected(op))
    return;
  SmallVector<std::string> axes;
  for (int64_t axis : restriction.axes)
    axes.push_back(("d" + Twine(axis)).str());
  StringRef why = restriction.reason == Restriction::Annihilated
                      ? "dead points change nothing"
                  : restriction.reason == Restriction::DeadResult
                      ? "results are known at dead points"
                      : "nobody reads results at dead points";
  remarks::passed(op, remarks::kRules, "rule")
      << ("visits only what is live of " +
          spellPattern(restriction.pattern, propagation))
      << metric("Axes", llvm::join(axes, " ")) << remarks::reason(why);
}

void mlir::pit::reportNoRule(linalg::LinalgOp op,
                             const SparsityPropagation &propagation) {
  if (!remarks::areCollected(op))
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    ArrayRef<SparseFact> facts = propagation.getFacts(operand.get());
    if (facts.empty())
      continue;
    if (op->hasAttr("pit.dense")) {
      reportDense(op) << remarks::reason("it is marked 'pit.dense'");
      return;
    }
    reportDense(op) << remarks::reason(
                           "operand " + Twine(operand.getOperandNumber()) +
                           " has " +
                           spellPattern(facts.front().pattern, propagation) +
                           ", but its dead elements change results here: they "
                           "are not zeros of a product, and the op's result "
                           "for them is not known")
                    << remarks::suggestion(
                           "mark the operand itself, or multiply it by "
                           "the mask");
    return;
  }
}

void mlir::pit::reportOutOfReach(SparseOp mark) {
  mark->emitWarning() << "nothing is skipped by this mark: patterns do not "
                         "reach into the regions of a '"
                      << mark->getParentOp()->getName() << "'";
}

void mlir::pit::reportOutOfReach(linalg::LinalgOp op,
                                 const SparsityPropagation &propagation) {
  for (Value operand : op->getOperands()) {
    ArrayRef<SparseFact> facts = propagation.getFacts(operand);
    if (facts.empty())
      continue;
    std::string pattern = spellPattern(facts.front().pattern, propagation);
    StringRef around = op->getParentOp()->getName().getStringRef();
    reportDense(op) << remarks::reason(
                           "patterns do not reach into the regions of a '" +
                           around + "'")
                    << remarks::suggestion("move it out of there");
    op->emitWarning() << "is computed densely, although an operand has "
                      << pattern << ": patterns do not reach into the regions "
                      << "of a '" << around << "'";
    return;
  }
}

void mlir::pit::reportEnd(Operation *op, unsigned pattern, StringRef reason,
                          const SparsityPropagation &propagation) {
  remarks::missed(op, remarks::kRules, "pattern")
      << (spellPattern(pattern, propagation) + " ends here")
      << remarks::reason(reason);
}

remarks::InFlight mlir::pit::reportDense(Operation *op) {
  remarks::InFlight remark = remarks::missed(op, remarks::kRules, "rule");
  remark << "computed densely";
  return remark;
}
