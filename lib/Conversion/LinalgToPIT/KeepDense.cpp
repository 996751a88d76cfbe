//===- KeepDense.cpp - Restricted ops that are faster dense ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GPU's kernels skip listed rows of operands of any type, and columns
// nowhere. Blocks they skip in products of 16 bits, on chips with products of
// warpgroups. Listed k they skip in all types on all chips, but where that pays
// was measured for the former alone: others serve marks with a bound. A loop
// over what is listed takes up to 40 times as long as the dense kernel, so that
// nothing is gained until nearly all is dead.
//
//===----------------------------------------------------------------------===//

#include "Converter.h"
#include "ListedForms.h"

#include "PIT/Dialect/PIT/Analysis/DataMovement.h"
#include "PIT/Dialect/PIT/Analysis/ListedRows.h"
#include "PIT/Dialect/PIT/Analysis/SkippedBlocks.h"
#include "PIT/Dialect/PIT/Transforms/NormalForm.h"
#include "PIT/Dialect/PIT/Utils/Scan.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::pit;

static constexpr char kOtherSum[] =
    "kernels that sum listed rows take products of 16 bits, of multiples of 8 "
    "columns, and sums by column in f32, both of extents that are known, on "
    "chips with wgmma";

bool pit::allReaders(Operation *op,
                     function_ref<bool(Operation *reader)> isOne) {
  SmallVector<Operation *> readers(op->getUsers());
  for (unsigned i = 0; i < readers.size(); ++i) {
    if (isDataMovement(readers[i]))
      llvm::append_range(readers, readers[i]->getUsers());
    else if (!isOne(readers[i]))
      return false;
  }
  return true;
}

static bool isRead(Operation *op) {
  return !allReaders(op, [](Operation *) { return false; });
}

/// What computes an operand, looking through what only moves data.
static linalg::LinalgOp getProducer(Value value) {
  Operation *def = value.getDefiningOp();
  while (def && isDataMovement(def) && getMovedOperands(def).size() == 1)
    def = getMovedOperands(def).front()->get().getDefiningOp();
  return dyn_cast_if_present<linalg::LinalgOp>(def);
}

/// Whether a GPU has kernels that skip k and blocks in such products, and not
/// only rows.
bool Converter::hasListKernels(linalg::LinalgOp op) const {
  return listKernels && readsHalves(op);
}

/// Whether a product of matrices adds up listed rows of both, for which kernels
/// of warpgroups take no longer than the dense one does if all are listed, or
/// an op adds up listed rows by column. Extents are known, so that the axes of
/// rows become one list.
bool Converter::sumsListedRows(linalg::LinalgOp op,
                               ArrayRef<int64_t> axes) const {
  if (!listKernels || op.hasDynamicShape() || !sumsAlong(op, axes) ||
      hasScatteredColumns(op, axes))
    return false;
  if (addsColumns(op, axes))
    return true;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  return readsHalves(op) && succeeded(dims) && dims->batch.empty() &&
         !dims->m.empty() && !dims->n.empty() && !sumsOddRows(op, axes);
}

/// Marks of `--pit-select-marks=rows`: only rows are followed.
void Converter::keepDenseOfRows() {
  llvm::SmallDenseSet<unsigned> listed;
  func.walk([&](SparseOp mark) {
    if (mark->hasAttr(kRowsOnly))
      listed.insert(propagation.getPattern(mark));
  });
  if (listed.empty())
    return;
  auto staysDense = [&](Operation *reader) { return dense.contains(reader); };
  for (Operation &op : llvm::reverse(func.getBody().front())) {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    const Restriction *restriction = propagation.getRestriction(&op);
    if (!structured || !restriction)
      continue;
    if (llvm::none_of(propagation.getRoots(restriction->pattern),
                      [&](unsigned root) { return listed.contains(root); }))
      continue;
    // Behind a product, its kernel computes it.
    bool isEpilogue = llvm::any_of(op.getOperands(), [](Value operand) {
      auto def = operand.getDefiningOp<linalg::LinalgOp>();
      return def && isProduct(def);
    });
    bool isFollowed = runsAlongRows(structured, restriction->axes) ||
                      sumsListedRows(structured, restriction->axes);
    bool isOtherSum = listKernels && !isFollowed &&
                      sumsAlong(structured, restriction->axes) &&
                      !hasScatteredColumns(structured, restriction->axes);
    if (isFollowed && (isEpilogue || isProduct(structured) || !isRead(&op) ||
                       !allReaders(&op, staysDense)))
      continue;
    dense.insert(
        {&op, isOtherSum
                  ? kOtherSum
                  : "kernels skip listed rows alone: its operands do not lie "
                    "along them, or all readers of its results stay dense"});
  }
}

ArrayRef<Restriction> Converter::getFurther(linalg::LinalgOp op) const {
  // Kernels of listed rows know no other list.
  if (kernels && isProduct(op) && !hasListKernels(op))
    return {};
  return propagation.getFurtherRestrictions(op);
}

/// Patterns of which a mark says that hardly anything is live.
static llvm::SmallDenseSet<unsigned>
findRare(func::FuncOp func, const SparsityPropagation &propagation) {
  constexpr double kRare = .03;
  llvm::SmallDenseSet<unsigned> rare;
  PITDialect::LiveAttrHelper live(func.getContext());
  func.walk([&](SparseOp mark) {
    if (FloatAttr share = live.getAttr(mark);
        share && share.getValueAsDouble() <= kRare)
      rare.insert(propagation.getPattern(mark));
  });
  return rare;
}

/// Products that only a loop would skip in, and what is computed around them.
void Converter::keepDenseWithoutKernels() {
  llvm::SmallDenseSet<unsigned> rare = findRare(func, propagation);
  SmallVector<linalg::LinalgOp> others;
  llvm::SmallDenseSet<unsigned> ofProducts;
  auto isSparse = [&](linalg::LinalgOp op) {
    const Restriction *restriction =
        op && isProduct(op) ? propagation.getRestriction(op) : nullptr;
    return restriction && !dense.contains(op) && !isLargePacked(*restriction);
  };
  bool isAnyDense = false;
  Operation *firstProduct = nullptr;
  for (Operation &op : func.getBody().front()) {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    const Restriction *restriction = propagation.getRestriction(&op);
    if (!structured || !restriction || dense.contains(&op))
      continue;
    const SparsePattern &pattern =
        propagation.getPatterns()[restriction->pattern];
    if (pattern.attr.getKind() != PatternKind::Values &&
        sumsListedRows(structured, restriction->axes)) {
      ofProducts.insert(restriction->pattern);
    } else if (!isProduct(structured)) {
      // Sums of an expert's rows are segments, which have kernels.
      bool isSegments = pattern.attr.getKind() == PatternKind::Routing ||
                        pattern.attr.hasBound();
      if (!isSegments && sumsAlong(structured, restriction->axes))
        dense.insert({&op, kOtherSum});
      else
        others.push_back(structured);
    } else if (pattern.attr.hasBound() &&
               multipliesPoints(structured, restriction->axes)) {
      dense.insert({&op, "no kernel multiplies single listed elements with "
                         "rows that all share"});
      isAnyDense = true;
    } else if (pattern.attr.getKind() == PatternKind::Routing ||
               pattern.attr.hasBound() || rare.contains(restriction->pattern) ||
               (hasListKernels(structured) &&
                !listsResult(structured, restriction->axes) &&
                !sumsOddRows(structured, restriction->axes) &&
                !sumsSeveral(structured, restriction->axes) &&
                !hasOtherMicroTiles(structured, pattern.attr,
                                    restriction->axes)) ||
               runsAlongRows(structured, restriction->axes) ||
               runsAlongSegments(structured, restriction->axes)) {
      ofProducts.insert(restriction->pattern);
      if (!firstProduct)
        firstProduct = &op;
    } else {
      dense.insert(
          {&op, sumsSeveral(structured, restriction->axes) ? kOtherSum
                : hasListKernels(structured)
                    ? sumsOddRows(structured, restriction->axes)
                          ? "kernels copy listed rows that are summed over "
                            "eight columns at a time, and these have a number "
                            "of columns that is no multiple of 8"
                          : "a GPU has no kernel that skips micro-tiles of "
                            "these extents in such a product; blocks of 64 x "
                            "64 are skipped in all"
                    : "a GPU has kernels that skip along rows alone in such a "
                      "product; a loop over what is live takes longer than the "
                      "dense kernel"});
      isAnyDense = true;
    }
  }
  // What is as long as it takes to look for zeros gains nothing by them.
  auto isLookedFor = [&](const Restriction &restriction) {
    return propagation.getPatterns()[restriction.pattern].attr.getKind() ==
               PatternKind::Values &&
           !ofProducts.contains(restriction.pattern);
  };
  // Behind a product that computes listed blocks, its kernel computes the rest.
  llvm::SmallDenseSet<Operation *> behindProducts;
  auto isOfOperandBlocks = [&](linalg::LinalgOp op,
                               const Restriction &restriction) {
    PatternAttr pattern = propagation.getPatterns()[restriction.pattern].attr;
    if (!ofProducts.contains(restriction.pattern) || !listKernels ||
        pattern.getRank() == 1 || pattern.hasBound() || !pattern.getTile())
      return false;
    bool isBehind = llvm::any_of(op.getDpsInputs(), [&](Value input) {
      linalg::LinalgOp producer = getProducer(input);
      return isSparse(producer) || behindProducts.contains(producer);
    });
    if (isBehind)
      behindProducts.insert(op);
    return !isBehind;
  };
  for (linalg::LinalgOp op : others) {
    const Restriction &restriction = *propagation.getRestriction(op);
    if (isLookedFor(restriction)) {
      dense.insert({op, "it reads what would be looked at to find zeros, and "
                        "no product skips them"});
      continue;
    }
    // Only the same points are computed in one kernel.
    auto followsOther = [&](Value input) {
      auto product = input.getDefiningOp<linalg::LinalgOp>();
      return isSparse(product) &&
             getUnmoved(propagation.getRestriction(product)->pattern) !=
                 getUnmoved(restriction.pattern);
    };
    if (restriction.reason == Restriction::Demand &&
        op.getNumReductionLoops() == 0 &&
        llvm::any_of(op.getDpsInputs(), followsOther)) {
      dense.insert({op, "the kernel of the product in front of it computes it, "
                        "which follows another pattern"});
      continue;
    }
    // Gates are made of choices of several experts, and softmax of gates.
    const SparsePattern &pattern =
        propagation.getPatterns()[restriction.pattern];
    if (pattern.attr.hasBound() && hasScatteredColumns(op, restriction.axes)) {
      dense.insert({op, "columns of a listed row do not lie side by side, as "
                        "kernels of rows load them"});
      continue;
    }
    // In front of experts, they are part of a router's kernel of whole rows.
    if (firstProduct && firstProduct->isBeforeInBlock(op) &&
        sumsPoints(op, pattern, restriction.axes)) {
      dense.insert({op, "kernels that add up listed rows have columns, and "
                        "these are single elements"});
      continue;
    }
    if (isOfOperandBlocks(op, restriction)) {
      dense.insert({op, "kernels skip blocks of an operand that they read "
                        "whole"});
      continue;
    }
    if (!isAnyDense || runsAlongRows(op, restriction.axes))
      continue;
    bool servesProducts =
        llvm::any_of(
            op.getDpsInputs(),
            [&](Value input) { return isSparse(getProducer(input)); }) ||
        !allReaders(op, [&](Operation *reader) {
          return !isSparse(dyn_cast<linalg::LinalgOp>(reader));
        });
    if (!servesProducts)
      dense.insert({op, "products next to it stay dense"});
  }
}

/// Patterns whose products take less time than the kernels that make their
/// lists do. Those of experts are bound, and each expert is a product of its
/// own.
void Converter::keepDenseOfShort() {
  struct Products {
    SmallVector<linalg::LinalgOp> ops;
    std::optional<double> microseconds = 0;
  };
  llvm::SmallDenseMap<unsigned, Products> found;
  auto forRestricted = [&](function_ref<void(linalg::LinalgOp, unsigned root,
                                             ArrayRef<int64_t> axes)>
                               fn) {
    func.walk([&](linalg::LinalgOp op) {
      const Restriction *restriction = propagation.getRestriction(op);
      if (restriction && !dense.contains(op))
        fn(op, propagation.getRoot(restriction->pattern), restriction->axes);
    });
  };
  forRestricted([&](linalg::LinalgOp op, unsigned id, ArrayRef<int64_t> axes) {
    PatternAttr pattern = propagation.getPatterns()[id].attr;
    if (!isProduct(op) || pattern.getKind() == PatternKind::Routing ||
        pattern.hasBound())
      return;
    Products &products = found[id];
    // Where threads multiply, skipping k gains in short products, too. Fewer
    // rows do not, as their tiles run at once.
    std::optional<double> time;
    if (hasListKernels(op) || runsAlongRows(op, axes))
      time = estimateMicroseconds(op);
    products.ops.push_back(op);
    products.microseconds = time && products.microseconds
                                ? std::optional(*products.microseconds + *time)
                                : std::nullopt;
  });
  forRestricted([&](linalg::LinalgOp op, unsigned id, ArrayRef<int64_t>) {
    auto products = found.find(id);
    if (products != found.end() && products->second.microseconds &&
        *products->second.microseconds <
            getLeastMicroseconds(products->second.ops, leastMicroseconds))
      dense.insert({op, "products of this pattern take less time than to list "
                        "what is live does; 'dense-variants=false' follows it "
                        "nevertheless"});
  });
}

/// Running sums. Over a list they would be sums under a triangle, which grow
/// with the square of the elements; a scan visits each of them once.
void Converter::keepDenseOfScans() {
  func.walk([&](linalg::LinalgOp op) {
    if (propagation.getRestriction(op) && Scan::match(op))
      dense.insert({op, "a scan visits each element once, and runs over what "
                        "is dead, too"});
  });
}

void Converter::findDense() {
  keepDenseOfScans();
  keepDenseOfRows();
  if (kernels)
    keepDenseWithoutKernels();
  if (leastMicroseconds > 0)
    keepDenseOfShort();
  keepDenseBeforeNonFinite();
}
