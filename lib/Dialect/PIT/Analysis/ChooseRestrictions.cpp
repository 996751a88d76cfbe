//===- ChooseRestrictions.cpp - One of several restrictions for each op ---===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op may often skip along one axis or along another: the scores of attention
// along dead queries or along dead keys. Where two ops skip along the same
// dimensions of a value that one computes and the other reads, it stays packed.
// Else it is written to a full tensor and gathered again, which can cost more
// than is skipped. So of the choices that are equally good for each op itself,
// those are taken that keep most bytes packed, as far as a local search finds
// them: one op is moved to another choice, those next to it follow where they
// lose nothing by it, and all of them go back unless that is a gain. (The moves
// are those of Kernighan and Lin, "An efficient heuristic procedure for
// partitioning graphs", 1970, of connected groups.)
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Analysis/DataMovement.h"
#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::pit;

namespace {
/// A value that one structured op computes and another one reads, behind ops
/// that move its data.
struct Link {
  Operation *producer;
  OpResult result;
  /// The operands of the ops between, from the result on, and of the reader.
  SmallVector<OpOperand *> path;
  int64_t bytes;

  Operation *getReader() const { return path.back()->getOwner(); }
};

class Aligner {
public:
  Aligner(const llvm::MapVector<Operation *, SmallVector<Restriction>> &options,
          llvm::MapVector<Operation *, Restriction> &chosen)
      : options(options), chosen(chosen) {}

  void run() {
    for (auto &[op, restriction] : chosen)
      for (OpResult result : op->getResults())
        findLinks(result, result, {});
    bool hasMoved = true;
    while (hasMoved) {
      hasMoved = false;
      for (auto &[op, choices] : options)
        for (const Restriction &choice : choices)
          hasMoved |= move(op, choice);
    }
  }

private:
  /// Ops that move together at most: several times those of attention.
  static constexpr size_t kMostMoved = 64;

  static bool isSame(const Restriction &a, const Restriction &b) {
    return a.pattern == b.pattern && a.axes == b.axes;
  }

  /// Extents that are not known count as long ones do. Sums of it do not
  /// overflow.
  static int64_t getBytes(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    double bytes = type.getElementType().isIntOrFloat()
                       ? type.getElementTypeBitWidth() / 8.0
                       : 8;
    for (int64_t extent : type.getShape())
      bytes *= ShapedType::isDynamic(extent) ? 1024 : double(extent);
    return int64_t(std::min(bytes, 0x1p40));
  }

  void findLinks(OpResult result, Value value, SmallVector<OpOperand *> path) {
    for (OpOperand &use : value.getUses()) {
      SmallVector<OpOperand *> longer(path);
      longer.push_back(&use);
      Operation *user = use.getOwner();
      auto mark = dyn_cast<SparseOp>(user);
      if (isDataMovement(user) || (mark && use.get() == mark.getSource())) {
        findLinks(result, user->getResult(0), std::move(longer));
        continue;
      }
      auto reader = dyn_cast<linalg::LinalgOp>(user);
      if (!reader || !reader.isDpsInput(&use) || !chosen.contains(user))
        continue;
      unsigned number = links.size();
      links.push_back({result.getOwner(), result, longer, getBytes(result)});
      linksOf[result.getOwner()].push_back(number);
      if (user != result.getOwner())
        linksOf[user].push_back(number);
    }
  }

  bool isPacked(const Link &link) const {
    const Restriction &from = chosen.find(link.producer)->second;
    const Restriction &to = chosen.find(link.getReader())->second;
    if (from.pattern != to.pattern || from.reason == Restriction::Annihilated)
      return false;
    SmallVector<int64_t> dims =
        mapAxesToDims(cast<linalg::LinalgOp>(link.producer)
                          .getIndexingMapMatchingResult(link.result),
                      from.axes);
    for (OpOperand *operand : ArrayRef(link.path).drop_back()) {
      if (dims.empty())
        return false;
      if (isa<SparseOp>(operand->getOwner()))
        continue;
      std::optional<SmallVector<int64_t>> moved =
          mapDimsToResult(*operand, dims);
      if (!moved)
        return false;
      dims = *moved;
    }
    return !dims.empty() &&
           dims == mapAxesToDims(cast<linalg::LinalgOp>(link.getReader())
                                     .getMatchingIndexingMap(link.path.back()),
                                 to.axes);
  }

  /// The bytes next to an op that stay packed.
  int64_t getPackedBytes(Operation *op) const {
    int64_t bytes = 0;
    for (unsigned number : linksOf.lookup(op))
      if (isPacked(links[number]))
        bytes += links[number].bytes;
    return bytes;
  }

  /// Gives an op another choice; returns the bytes that are packed by that.
  int64_t choose(Operation *op, const Restriction &choice) {
    int64_t before = getPackedBytes(op);
    chosen.find(op)->second = choice;
    return getPackedBytes(op) - before;
  }

  bool move(Operation *op, const Restriction &choice) {
    if (isSame(chosen.find(op)->second, choice))
      return false;
    SmallVector<std::pair<Operation *, Restriction>> before;
    llvm::SmallSetVector<Operation *, 8> near;
    auto moveOne = [&](Operation *one, const Restriction &to) {
      before.push_back({one, chosen.find(one)->second});
      int64_t gain = choose(one, to);
      for (unsigned number : linksOf.lookup(one))
        for (Operation *end :
             {links[number].producer, links[number].getReader()})
          if (options.contains(end))
            near.insert(end);
      return gain;
    };
    int64_t gain = moveOne(op, choice);
    // Of a long chain of ops that all lose as much as they gain, each op would
    // start a walk through all of it.
    for (unsigned i = 0; i < near.size() && before.size() < kMostMoved; ++i) {
      Operation *next = near[i];
      if (llvm::any_of(before,
                       [&](auto &moved) { return moved.first == next; }))
        continue;
      Restriction current = chosen.find(next)->second;
      std::optional<Restriction> best;
      int64_t bestGain = 0;
      for (const Restriction &candidate : options.find(next)->second) {
        if (isSame(candidate, current) || candidate.pattern != choice.pattern)
          continue;
        int64_t gained = choose(next, candidate);
        choose(next, current);
        if (gained >= bestGain) {
          best = candidate;
          bestGain = gained;
        }
      }
      if (best)
        gain += moveOne(next, *best);
    }
    if (gain > 0)
      return true;
    for (auto &[moved, was] : llvm::reverse(before))
      chosen.find(moved)->second = was;
    return false;
  }

  const llvm::MapVector<Operation *, SmallVector<Restriction>> &options;
  llvm::MapVector<Operation *, Restriction> &chosen;
  SmallVector<Link> links;
  llvm::DenseMap<Operation *, SmallVector<unsigned>> linksOf;
};
} // namespace

/// Whether a pattern says of single numbers which of them are small or large,
/// as that of a ReLU in the gradient does: nobody has made it for what it
/// skips, and blocks without a live element may be rare.
bool SparsityPropagation::comparesNumbers(unsigned pattern) const {
  if (patterns[pattern].extents.size() < 2)
    return false;
  constexpr unsigned kMostSteps = 16;
  Value value = patterns[pattern].by;
  for (unsigned step = 0; value && step < kMostSteps; ++step) {
    Operation *def = value.getDefiningOp();
    if (!def)
      return false;
    if (isDataMovement(def) || isa<SparseOp>(def)) {
      value = def->getOperand(0);
      continue;
    }
    auto op = dyn_cast<linalg::LinalgOp>(def);
    if (!op || op.getNumReductionLoops() != 0)
      return false;
    if (!op.getBlock()->getOps<arith::CmpFOp>().empty())
      return true;
    // The inverse of truth values.
    if (op.getNumDpsInputs() != 1)
      return false;
    value = op.getDpsInputs().front();
  }
  return false;
}

/// Results that keep the pattern stay packed, which is worth more than skipping
/// inside one op; then the pattern with more dimensions is the narrower one,
/// unless it lists lines as a whole that another one skips: `mask[b, q] and
/// mask[b, k]` has a line along k for each dead q; or unless it follows from
/// comparing numbers. Before all that comes a bound: the few experts of each
/// row are less than all experts of the rows that somebody reads.
void SparsityPropagation::choose(Operation *op) {
  // Of two patterns of which one includes the other, the narrower one serves.
  SmallVector<Restriction> options = candidates[op];
  auto isWider = [&](const Restriction &wide, const Restriction &narrow) {
    return wide.axes == narrow.axes && wide.pattern != narrow.pattern &&
           !narrow.dividesZero &&
           (narrow.reason != Restriction::Annihilated ||
            wide.reason == Restriction::Annihilated) &&
           includes(wide.pattern, narrow.pattern) &&
           // Of two that have the same points, the first one.
           (narrow.pattern < wide.pattern ||
            !includes(narrow.pattern, wide.pattern));
  };
  llvm::erase_if(options, [&](const Restriction &candidate) {
    return llvm::any_of(candidates[op], [&](const Restriction &other) {
      return isWider(candidate, other);
    });
  });
  auto listsSkipped = [&](const Restriction &candidate) {
    SmallVector<int64_t> lines(candidate.axes);
    for (int64_t dim : patterns[candidate.pattern].completed)
      llvm::erase(lines, candidate.axes[dim]);
    return llvm::any_of(options, [&](const Restriction &other) {
      // Of what is projected, they are live, too.
      unsigned base = getRoot(other.pattern);
      return lines.size() != candidate.axes.size() &&
             other.reason != Restriction::Annihilated &&
             (base == other.pattern || patterns[base].completed.empty()) &&
             llvm::all_of(other.axes, [&](int64_t axis) {
               return llvm::is_contained(lines, axis);
             });
    });
  };
  bool hasMovedRows = llvm::any_of(options, [&](const Restriction &candidate) {
    return candidate.reason != Restriction::Annihilated &&
           patterns[candidate.pattern].isMoved();
  });
  auto score = [&](const Restriction &candidate) {
    bool staysPacked = candidate.reason != Restriction::Annihilated;
    const SparsePattern &pattern = patterns[candidate.pattern];
    bool isBound = pattern.attr.hasBound() && !pattern.getBase();
    // What is said of the rows on the other side of a reshape comes after all
    // that is said of the op's own operands, such as zeros of a ReLU, but for
    // numbers that are compared.
    if (pattern.isMoved())
      return 1;
    if (hasMovedRows && comparesNumbers(candidate.pattern))
      return 0;
    return (isBound ? 32 : 0) + (staysPacked ? 16 : 0) +
           (listsSkipped(candidate) || comparesNumbers(candidate.pattern)
                ? 0
                : static_cast<int>(candidate.axes.size()));
  };
  SmallVector<Restriction> best;
  for (const Restriction &candidate : options) {
    if (!best.empty() && score(candidate) > score(best.front()))
      best.clear();
    if (best.empty() || score(candidate) == score(best.front()))
      best.push_back(candidate);
  }
  // Where something may be divided by zero, what operands need not hold follows
  // from the chosen restriction alone, so that one has to stay. Of others it
  // follows in any case.
  SmallVector<Restriction> replaceable;
  llvm::copy_if(best, std::back_inserter(replaceable),
                [](const Restriction &option) { return !option.dividesZero; });
  const auto *nonFinite =
      llvm::find_if(replaceable, [&](const Restriction &option) {
        return mayMakeNonFinite(cast<linalg::LinalgOp>(op), option.axes);
      });
  if (nonFinite != replaceable.end()) {
    chosen.insert({op, *nonFinite});
    return;
  }
  chosen.insert({op, replaceable.empty() ? best.front() : replaceable.front()});
  if (replaceable.size() > 1)
    equallyGood.insert({op, std::move(replaceable)});
}

void SparsityPropagation::alignChosen() {
  Aligner(equallyGood, chosen).run();
  for (const auto &[op, restriction] : chosen) {
    llvm::SmallDenseSet<int64_t> taken(restriction.axes.begin(),
                                       restriction.axes.end());
    for (const Restriction &candidate : candidates[op])
      if (candidate.leavesOutputs &&
          llvm::none_of(candidate.axes,
                        [&](int64_t axis) { return taken.contains(axis); })) {
        taken.insert(candidate.axes.begin(), candidate.axes.end());
        further[op].push_back(candidate);
      }
  }
}
