//===- MatchLog.h - Why matchers refuse what they look at -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several kernel families try an op, one after another. Each one that refuses
// logs the reason in a MatchLog. All reasons become one remark.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_SUPPORT_MATCHLOG_H
#define PIT_SUPPORT_MATCHLOG_H

#include "PIT/Support/Remarks.h"

namespace mlir::pit {

/// The result of a matcher that refuses. Converts to a failure or to none.
class Refused {
public:
  operator LogicalResult() const { return failure(); }
  template <typename T> operator FailureOr<T>() const { return failure(); }
  template <typename T> operator std::optional<T>() const {
    return std::nullopt;
  }
};

/// The refusals of one op.
class Refusals {
public:
  struct Entry {
    /// The families with this reason, by the field's names: "grouped GEMM".
    SmallVector<StringRef, 2> families;
    std::string reason, suggestion;
  };

  /// Keeps nothing if the context collects no remarks.
  explicit Refusals(Operation *op) : isCollecting(remarks::areCollected(op)) {}

  bool keeps() const { return isCollecting; }
  void add(StringRef family, const Twine &reason, const Twine &suggestion);
  ArrayRef<Entry> get() const { return entries; }

  /// Emits a remark, if there are refusals, that `what` does not compute the
  /// op. The last reason comes first, as the family that is tried last requires
  /// the least. `next` says what is tried instead.
  void tell(Operation *op, const Twine &what, const Twine &next) const;

private:
  bool isCollecting;
  SmallVector<Entry> entries;
};

/// The log of one family. A default-constructed log drops everything.
class MatchLog {
public:
  MatchLog() = default;
  /// `family` must be a string literal.
  MatchLog(Refusals &refusals, StringRef family)
      : refusals(refusals.keeps() ? &refusals : nullptr), family(family) {}

  /// For an op of the family's kind: why the family refuses it, and what the
  /// user may change if the reason does not imply that already.
  Refused refuse(const Twine &reason, const Twine &suggestion = "") const {
    if (refusals)
      refusals->add(family, reason, suggestion);
    return {};
  }
  /// For an op of another kind. Nothing is logged.
  Refused pass() const { return {}; }

  explicit operator bool() const { return refusals; }

private:
  Refusals *refusals = nullptr;
  StringRef family;
};

/// The type as remarks print it, for use in a reason.
std::string spell(Type type);

} // namespace mlir::pit

#endif // PIT_SUPPORT_MATCHLOG_H
