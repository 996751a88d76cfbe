//===- Explain.h - What remarks say of a program's ops ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Remarks are emitted in the order of passes. This collects them by op: what
// was proven about an op, which kernel computes it, and why no faster one does.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_SUPPORT_EXPLAIN_H
#define PIT_SUPPORT_EXPLAIN_H

#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassInstrumentation.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

#include <climits>
#include <map>
#include <mutex>
#include <optional>

namespace mlir {
class PassManager;
} // namespace mlir

namespace mlir::pit {

/// The structured ops of a program, and the remarks of passes about them. It
/// holds no reference to an MLIRContext.
class Explanation {
public:
  /// Notes the ops of `linalg` and `pit` in `root`, in program order.
  void noteOps(Operation *root);
  /// Notes which of these ops no longer exist after a pass on `root`.
  void noteGone(Operation *root, StringRef pass);
  /// The work of an op if nothing were skipped.
  struct Work {
    /// Bytes of its operands, each counted once and whole; multiplications plus
    /// additions of a product, 0 for other ops. None if an extent is dynamic.
    std::optional<double> bytes, flops;
    /// The same as text, in which `d0` is the extent of the op's first axis.
    /// `bytesText` is empty if bytes depend on an extent that is of no axis.
    std::string bytesText, flopsText;
    /// The element type of the factors of a product; empty for other ops.
    std::string multiplied;
    /// The roofline bound in milliseconds: the longer of memory and products.
    std::optional<double> bound;
    bool isBoundByProducts = false;
  };
  /// Notes the work of an op that `noteOps` has seen.
  void noteWork(Operation *op, Work work);
  /// Sets what bounds are computed for: a card, or a measured machine.
  void setMachine(StringRef name) { machine = name.str(); }
  /// The work of the op at `place`, which is `file:line:col`, with or without
  /// the folders of `file`.
  const Work *findWork(StringRef place) const;
  /// Notes a remark.
  void note(const remark::detail::Remark &remark);
  /// Turns on `noteLevel`, which costs time and memory.
  void keepLevels() { hasLevels = true; }
  /// Notes the text of `root` after a pass, if a level ends there. An empty
  /// `pass` stands for the input program.
  void noteLevel(Operation *root, StringRef pass);

  void print(raw_ostream &os) const;
  /// The members `ops` and `levels` of docs/report.schema.json.
  llvm::json::Object toJSON() const;
  /// Prints which kernel computes each product, and why families that were
  /// tried before do not. Each line begins with `prefix`. After `most`
  /// products, prints how many more there are.
  void printKernels(raw_ostream &os, StringRef prefix,
                    unsigned most = UINT_MAX) const;
  /// The number of ops whose remarks have neither a kernel nor a reason.
  unsigned getNumUnexplained() const;
  /// The kernel families of the op at `place`, `file:line:col`, in the order of
  /// their remarks.
  SmallVector<StringRef> getFamilies(StringRef place) const;
  /// Whether the op at `place` has a remark `name` that says that something was
  /// done.
  bool wasDone(StringRef place, StringRef name) const;

private:
  struct Note {
    /// `+` for done, `-` for not done, `.` for an analysis.
    char mark;
    std::string category, name, text, family;
    SmallVector<std::string, 0> reasons, suggestions;
    /// Keys and values of the remark's other arguments.
    SmallVector<std::pair<std::string, std::string>, 0> metrics;
    bool isCopy = false;
    unsigned count = 1;

    bool isSame(const Note &other) const;
  };
  /// The op at one place in a file.
  struct Place {
    std::string function;
    /// Names of the program's ops there; empty if only passes created ops
    /// there.
    SmallVector<std::string, 1> ops;
    SmallVector<Note, 0> notes;
    /// The pass after which these ops are gone; empty while they exist.
    std::string goneBehind;
    /// Whether that pass folds or fuses ops, which explains where they went.
    bool isMerged = false;
    std::optional<Work> work;

    bool isTaken() const;
    bool hasFate() const;
  };

  /// The text of a function, or of the program, at a level.
  struct LevelText {
    std::string text;
    /// Lines, counted from 0, each with the place whose op it came from.
    SmallVector<std::pair<unsigned, std::string>, 0> places;
  };

  void print(raw_ostream &os, const Note &note) const;
  void print(raw_ostream &os, const Work &work) const;

  mutable std::mutex mutex;
  llvm::MapVector<std::string, Place, llvm::StringMap<unsigned>> places;
  /// Functions that short inputs run instead, see PITCreateAlternatives.
  llvm::StringSet<> versions;
  std::string machine;
  bool hasLevels = false;
  /// Texts by level and function.
  std::map<unsigned, std::map<std::string, LevelText>> levels;
};

/// Makes `explanation` collect all remarks of the passes. It replaces the
/// context's remark engine. `done` is called when that engine is destroyed.
void explainPasses(PassManager &passes,
                   std::shared_ptr<Explanation> explanation,
                   std::function<void(const Explanation &)> done = {});

} // namespace mlir::pit

#endif // PIT_SUPPORT_EXPLAIN_H
