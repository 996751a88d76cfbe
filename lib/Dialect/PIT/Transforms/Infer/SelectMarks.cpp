//===- SelectMarks.cpp - The inferred marks that serve --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockMarks.h"
#include "InferredMarks.h"

#include "PIT/Analysis/OpWork.h"
#include "PIT/Dialect/PIT/Analysis/ListedRows.h"
#include "PIT/Dialect/PIT/Analysis/SkippedBlocks.h"
#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"
#include "PIT/Dialect/PIT/IR/Marks.h"
#include "PIT/Dialect/PIT/Transforms/Passes.h"
#include "PIT/Support/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITSELECTMARKS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// Whether a pattern lies in the result of a product and along axes of more
/// than one operand: points of the result are sampled (SDDMM), and not rows.
static bool isSampled(linalg::LinalgOp op, ArrayRef<int64_t> axes) {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  auto isAlong = [&](AffineMap map, int64_t axis) {
    return map.isFunctionOfDim(axis);
  };
  if (llvm::any_of(axes, [&](int64_t axis) {
        return kinds[axis] != utils::IteratorType::parallel;
      }))
    return false;
  return llvm::none_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    return llvm::all_of(axes, [&](int64_t axis) { return isAlong(map, axis); });
  });
}

/// Whether a pattern says of single elements of an operand which of them a
/// product multiplies: it lies along all axes of the sum, and along rows or
/// columns of the result. Nothing is left then that a list of rows has in
/// common, as experts have their weights.
static bool isOfElements(linalg::LinalgOp op, ArrayRef<int64_t> axes) {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  bool isOfRows = false;
  for (auto [axis, kind] : llvm::enumerate(kinds)) {
    bool isMarked = llvm::is_contained(axes, int64_t(axis));
    if (kind != utils::IteratorType::parallel) {
      if (!isMarked)
        return false;
      continue;
    }
    // All operands of a batch have its axis.
    unsigned number = axis;
    isOfRows |=
        isMarked &&
        llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
          return !op.getMatchingIndexingMap(input).isFunctionOfDim(number);
        });
  }
  return isOfRows;
}

/// Behind what did not become of a pattern.
static std::string explainEnd(std::optional<Location> end) {
  if (!end)
    return "";
  return "; at " + remarks::spell(*end) +
         " low numbers meet a reduction that reads them as they are written, "
         "so a line without a live point is not zero there";
}

namespace {

/// What products do with one mark.
struct Service {
  unsigned products = 0;
  /// Those along whose rows the pattern lies, and how long all of them take, if
  /// that is known.
  unsigned ofRows = 0;
  std::optional<double> microseconds = 0;
  bool sampled = false;
  /// Those of single points, how many of them have kernels that skip blocks,
  /// and how long these take, if that is known.
  unsigned ofPoints = 0, ofBlocks = 0;
  std::optional<double> blockMicroseconds = 0;
};

struct PITSelectMarks : pit::impl::PITSelectMarksBase<PITSelectMarks> {
  using PITSelectMarksBase::PITSelectMarksBase;

  /// Blocks of the last two dimensions of a pattern that samples points.
  static PatternAttr inBlocks(PatternAttr pattern, RankedTensorType type) {
    constexpr int64_t kBlock = 32;
    SmallVector<int64_t> tile(pattern.getRank(), 1);
    for (unsigned i = pattern.getRank() - 2; i < pattern.getRank(); ++i) {
      int64_t extent = type.getDimSize(pattern.getAxes()[i]);
      // A tensor may have no elements; a micro-tile has one at least.
      tile[i] = ShapedType::isDynamic(extent)
                    ? kBlock
                    : std::max<int64_t>(1, std::min(kBlock, extent));
    }
    return PatternAttr::get(pattern.getContext(), pattern.getKind(),
                            pattern.getAxes(), pattern.getAbsent(),
                            pattern.getPad(),
                            DenseI64ArrayAttr::get(pattern.getContext(), tile),
                            pattern.getAtMost());
  }

  llvm::DenseMap<unsigned, Service> findServices() {
    PropagationOptions options;
    options.finite = finite;
    options.strict = strict;
    options.regions = regions;
    SparsityPropagation propagation(getOperation(), options);
    llvm::DenseMap<unsigned, Service> services;
    auto noteFor = [&](Service &service, linalg::LinalgOp op,
                       const Restriction &restriction) {
      const SparsePattern &pattern =
          propagation.getPatterns()[restriction.pattern];
      // Skipping pays for products.
      service.products += isProduct(op);
      auto addTime = [&](std::optional<double> &sum) {
        std::optional<double> time = estimateMicroseconds(op);
        sum = time && sum ? std::optional(*sum + *time) : std::nullopt;
      };
      if (isProduct(op) && runsAlongRows(op, restriction.axes)) {
        ++service.ofRows;
        addTime(service.microseconds);
      }
      // Few points of each row are rows of segments, as of experts.
      bool isOfPoints = isProduct(op) && !pattern.attr.hasBound() &&
                        restriction.axes.size() > 1 &&
                        (isSampled(op, restriction.axes) ||
                         isOfElements(op, restriction.axes));
      service.sampled |= isOfPoints;
      service.ofPoints += isOfPoints;
      if (isOfPoints && !pattern.getBase() &&
          skipsBlocks(op, restriction.axes)) {
        ++service.ofBlocks;
        addTime(service.blockMicroseconds);
      }
    };
    auto note = [&](linalg::LinalgOp op, const Restriction &restriction) {
      for (unsigned root : propagation.getRoots(restriction.pattern))
        noteFor(services[root], op, restriction);
    };
    getOperation().walk([&](linalg::LinalgOp op) {
      if (const Restriction *restriction = propagation.getRestriction(op))
        note(op, *restriction);
      for (const Restriction &restriction :
           propagation.getFurtherRestrictions(op))
        note(op, restriction);
    });
    ids.clear();
    ends.clear();
    completing.clear();
    for (auto [i, pattern] : llvm::enumerate(propagation.getPatterns())) {
      if (pattern.endsAt)
        ends.insert({unsigned(i), *pattern.endsAt});
      if (services.lookup(i).products != 0)
        for (const EmptyLines &lines : pattern.completedBy)
          completing.insert(lines.narrower);
    }
    getOperation().walk(
        [&](SparseOp mark) { ids[mark] = propagation.getPattern(mark); });
    return services;
  }

  /// Whether products take so long that nothing is lost if all blocks are live.
  bool paysInBlocks(SparseOp mark, const Service &service) const {
    // Each product reads the bits in a kernel of its own.
    constexpr double kRead = 2, kMostShare = .03;
    return least <= 0 || !service.blockMicroseconds ||
           estimateBlockDetection(mark) + kRead * service.ofBlocks <
               kMostShare * *service.blockMicroseconds;
  }

  /// Takes away, or makes coarser, what serves nothing as it is.
  bool improve() {
    llvm::DenseMap<unsigned, Service> services = findServices();
    bool changed = false;
    SmallVector<SparseOp> marks;
    getOperation().walk([&](SparseOp mark) {
      if (mark->hasAttr(kInferredMark))
        marks.push_back(mark);
    });
    for (SparseOp mark : marks) {
      Service service = services.lookup(ids[mark]);
      // One that has no such kernel would be a loop over listed tiles.
      bool isOfBlocks =
          blocks && service.ofRows == 0 && service.ofBlocks != 0 &&
          service.ofBlocks == service.ofPoints && canMarkBlocks(mark);
      if (isOfBlocks && paysInBlocks(mark, service)) {
        markBlocks(mark);
        changed = true;
        continue;
      }
      bool followsRows = rows && !mark.getPattern().hasBound() &&
                         mark.getPattern().getKind() != PatternKind::Blocks;
      bool isRefused = followsRows && service.ofRows == 0;
      bool isShort = followsRows && service.microseconds &&
                     *service.microseconds < least * service.ofRows;
      if ((service.products == 0 || isRefused || isShort) &&
          completing.contains(ids[mark])) {
        changed |= !mark->hasAttr(kCompletes);
        mark->setDiscardableAttr(kCompletes, UnitAttr::get(&getContext()));
      } else if (service.products == 0 || isRefused || isShort) {
        std::string reason = "no product is restricted to where it is live" +
                             explainEnd(ends.lookup(ids[mark]));
        if (isOfBlocks)
          reason = "to find the live blocks would take more than 3 % of the "
                   "time of its products; a written mark is followed";
        else if (blocks && service.ofPoints != 0 && service.ofRows == 0)
          reason = "GPUs skip blocks of 64 x 64 in products of matrices of "
                   "bf16 or f16, rounded to 16 bits, with static extents that "
                   "are multiples of 64, and a static sum; not all of its "
                   "products are such; a written mark is followed";
        else if (service.products != 0 && isRefused)
          reason = "all of it may be live, and it does not lie along the rows "
                   "of a product, for which GPUs have a fast kernel; a written "
                   "mark is followed";
        else if (service.products != 0)
          reason = "its products take less time than to list rows and to pack "
                   "them does; a written mark is followed";
        remarks::missed(mark, remarks::kRules, "inferred mark")
            << "not kept" << remarks::reason(reason);
        mark.getResult().replaceAllUsesWith(mark.getSource());
        mark.erase();
        changed = true;
      } else if (service.sampled && !followsRows &&
                 !mark.getPattern().getTile()) {
        mark.setPatternAttr(inBlocks(mark.getPattern(),
                                     cast<RankedTensorType>(mark.getType())));
        changed = true;
      }
    }
    return changed;
  }

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    bool isInferred = func.walk([](SparseOp mark) {
                            return mark->hasAttr(kInferredMark)
                                       ? WalkResult::interrupt()
                                       : WalkResult::advance();
                          })
                          .wasInterrupted();
    if (!isInferred)
      return;
    bool changed = false;
    constexpr unsigned kMostRounds = 4;
    for (unsigned round = 0; round < kMostRounds && improve(); ++round)
      changed = true;
    // What was kept apart for a mark that is gone comes together, while it is
    // known of the others that they are inferred.
    if (changed) {
      OpPassManager again(func::FuncOp::getOperationName());
      again.addPass(createPITNormalize());
      if (failed(runPipeline(again, func)))
        return signalPassFailure();
    }
    func.walk([&](SparseOp mark) {
      if (!mark->hasAttr(kInferredMark))
        return;
      mark->removeAttr(kInferredMark);
      mark->setDiscardableAttr(kKeptMark, UnitAttr::get(&getContext()));
      if (rows && !mark.getPattern().hasBound() &&
          mark.getPattern().getKind() != PatternKind::Blocks)
        mark->setDiscardableAttr(kRowsOnly, UnitAttr::get(&getContext()));
      ++numKept;
      remarks::passed(mark, remarks::kRules, "inferred mark")
          << (mark->hasAttr(kCompletes)
                  ? "found: the program itself says which lines are empty"
                  : "found: the program itself says what is zero here");
    });
  }

  llvm::DenseMap<Operation *, unsigned> ids;
  /// The patterns of the lines that others leave empty.
  llvm::SmallDenseSet<unsigned> completing;
  /// Where patterns end.
  llvm::DenseMap<unsigned, std::optional<Location>> ends;
};

} // namespace
