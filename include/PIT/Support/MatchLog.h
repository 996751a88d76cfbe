//===- MatchLog.h - Why matchers refuse what they look at -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One op is tried by several kernel families in order. Each tells a MatchLog
// why it does not take the op; what they have said becomes one remark.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_SUPPORT_MATCHLOG_H
#define PIT_SUPPORT_MATCHLOG_H

#include "PIT/Support/Remarks.h"

namespace mlir::pit {

/// What a matcher returns that does not match: no match, whatever its type.
class Refused {
public:
  operator LogicalResult() const { return failure(); }
  template <typename T> operator FailureOr<T>() const { return failure(); }
  template <typename T> operator std::optional<T>() const {
    return std::nullopt;
  }
};

/// What was said of one op.
class Refusals {
public:
  struct Entry {
    /// Who has looked, in the field's words: "grouped GEMM".
    SmallVector<StringRef, 2> families;
    std::string reason, suggestion;
  };

  /// Nothing is kept where nobody collects remarks.
  explicit Refusals(Operation *op) : isCollecting(remarks::areCollected(op)) {}

  bool keeps() const { return isCollecting; }
  void add(StringRef family, const Twine &reason, const Twine &suggestion);
  ArrayRef<Entry> get() const { return entries; }

  /// Tells, if anything was said, that `what` does not take the op: the last
  /// reason first, as the families that are tried last are those that ask for
  /// least. `next` says what is tried instead.
  void tell(Operation *op, const Twine &what, const Twine &next) const;

private:
  bool isCollecting;
  SmallVector<Entry> entries;
};

/// Where a family says what it does not take; without one, nobody listens.
class MatchLog {
public:
  MatchLog() = default;
  /// The family's name has to be a literal.
  MatchLog(Refusals &refusals, StringRef family)
      : refusals(refusals.keeps() ? &refusals : nullptr), family(family) {}

  /// For an op of the family's kind: what stands in the way, and what the user
  /// may change, if that is not the contrary of the reason.
  Refused refuse(const Twine &reason, const Twine &suggestion = "") const {
    if (refusals)
      refusals->add(family, reason, suggestion);
    return {};
  }
  /// For an op of another kind, of which there is nothing to say.
  Refused pass() const { return {}; }

  explicit operator bool() const { return refusals; }

private:
  Refusals *refusals = nullptr;
  StringRef family;
};

/// A value as remarks print it, for a reason.
std::string spell(Type type);

} // namespace mlir::pit

#endif // PIT_SUPPORT_MATCHLOG_H
