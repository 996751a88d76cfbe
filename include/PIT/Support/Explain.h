//===- Explain.h - All that was told of a program's ops ---------*- C++ -*-===//
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

#include <mutex>

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
  /// Notes a remark.
  void note(const remark::detail::Remark &remark);

  void print(raw_ostream &os) const;
  /// Prints what takes each product, and why no family does that is tried
  /// before; lines begin with the prefix.
  void printKernels(raw_ostream &os, StringRef prefix) const;
  /// How many ops there were of which neither a kernel nor a reason was told.
  unsigned getNumUnexplained() const;
  /// The families that took what stands at the place, `file:line:col`, in the
  /// order in which they were told.
  SmallVector<StringRef> getFamilies(StringRef place) const;

private:
  struct Note {
    /// `+` what was done, `-` what was not, `.` what was found.
    char mark;
    std::string category, text, family;
    SmallVector<std::string, 0> reasons, suggestions;
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

    bool isTaken() const;
    bool hasFate() const;
  };

  void print(raw_ostream &os, const Note &note) const;

  mutable std::mutex mutex;
  llvm::MapVector<std::string, Place, llvm::StringMap<unsigned>> places;
};

/// Has all that passes of the manager say of ops kept in the explanation, in
/// place of the context's remark engine; `done` is called when that goes.
void explainPasses(PassManager &passes,
                   std::shared_ptr<Explanation> explanation,
                   std::function<void(const Explanation &)> done = {});

} // namespace mlir::pit

#endif // PIT_SUPPORT_EXPLAIN_H
