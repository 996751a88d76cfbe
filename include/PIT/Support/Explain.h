//===- Explain.h - What remarks say of a program's ops ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Remarks come in the order of passes. A reader wants them by op: what was
// found out of it, what takes it, and why nothing faster does.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_SUPPORT_EXPLAIN_H
#define PIT_SUPPORT_EXPLAIN_H

#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassInstrumentation.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

#include <climits>
#include <map>
#include <mutex>
#include <optional>

namespace mlir {
class PassManager;
} // namespace mlir

namespace mlir::pit {

/// A program's structured ops, and what passes said of them. Nothing in it
/// belongs to a context.
class Explanation {
public:
  /// Notes the ops of `linalg` and `pit` in `root`, in their order.
  void noteOps(Operation *root);
  /// Notes which of them are no ops of their own behind a pass on `root`.
  void noteGone(Operation *root, StringRef pass);
  /// What an op computes, as if nothing were skipped.
  struct Work {
    /// Of its operands, each once and whole, and multiplications and additions
    /// of a product, 0 of other ops; none where an extent is not known.
    std::optional<double> bytes, flops;
    /// The same as text, where `d0` is the extent of the op's first axis; the
    /// bytes are empty where they depend on something else.
    std::string bytesText, flopsText;
    /// The element type of what is multiplied; empty of other ops.
    std::string multiplied;
    /// The roofline: milliseconds that take the longer of memory and products.
    std::optional<double> bound;
    bool isBoundByProducts = false;
  };
  /// Notes the work of an op that `noteOps` has seen.
  void noteWork(Operation *op, Work work);
  /// What bounds are of: a card, or a measured machine.
  void setMachine(StringRef name) { machine = name.str(); }
  /// The work at a place, `file:line:col`, of which folders may be left out.
  const Work *findWork(StringRef place) const;
  /// Notes a remark.
  void note(const remark::detail::Remark &remark);
  /// Asks for the program's text at its levels, which costs time and memory.
  void keepLevels() { hasLevels = true; }
  /// Notes the text of `root` behind a pass, if that takes it to a level; the
  /// pass is empty for the program as it came.
  void noteLevel(Operation *root, StringRef pass);

  void print(raw_ostream &os) const;
  /// The same as `ops` and `levels` of docs/report.schema.json.
  llvm::json::Object toJSON() const;
  /// Prints what takes each product, and why no family does that is tried
  /// before; lines begin with the prefix. Of more than `most` products, says
  /// how many there are besides.
  void printKernels(raw_ostream &os, StringRef prefix,
                    unsigned most = UINT_MAX) const;
  /// How many ops have neither a kernel nor a reason in their remarks.
  unsigned getNumUnexplained() const;
  /// The families that took what stands at the place, `file:line:col`, in the
  /// order of their remarks.
  SmallVector<StringRef> getFamilies(StringRef place) const;
  /// Whether a remark of the name says of what stands at the place that
  /// something was done.
  bool wasDone(StringRef place, StringRef name) const;

private:
  struct Note {
    /// `+` what was done, `-` what was not, `.` what was found.
    char mark;
    std::string category, name, text, family;
    SmallVector<std::string, 0> reasons, suggestions;
    /// Names and values of the remark's other arguments.
    SmallVector<std::pair<std::string, std::string>, 0> metrics;
    bool isCopy = false;
    unsigned count = 1;

    bool isSame(const Note &other) const;
  };
  /// What stands at one place in a file.
  struct Place {
    std::string function;
    /// Of the program's ops; empty if passes made them.
    SmallVector<std::string, 1> ops;
    SmallVector<Note, 0> notes;
    /// The pass behind which they are gone; empty while they are there.
    std::string goneBehind;
    /// Whether that pass folds or fuses ops, which says where they went.
    bool isMerged = false;
    std::optional<Work> work;

    bool isTaken() const;
    bool hasFate() const;
  };

  /// A function's text, or the program's, at a level.
  struct LevelText {
    std::string text;
    /// Lines, from 0, that stand for ops of a place.
    SmallVector<std::pair<unsigned, std::string>, 0> places;
  };

  void print(raw_ostream &os, const Note &note) const;
  void print(raw_ostream &os, const Work &work) const;

  mutable std::mutex mutex;
  llvm::MapVector<std::string, Place, llvm::StringMap<unsigned>> places;
  std::string machine;
  bool hasLevels = false;
  /// By level, and by function, in the order in which passes came to them.
  std::map<unsigned, std::map<std::string, LevelText>> levels;
};

/// Has all that passes of the manager say of ops kept in the explanation, in
/// place of the context's remark engine; `done` is called when that goes.
void explainPasses(PassManager &passes,
                   std::shared_ptr<Explanation> explanation,
                   std::function<void(const Explanation &)> done = {});

} // namespace mlir::pit

#endif // PIT_SUPPORT_EXPLAIN_H
