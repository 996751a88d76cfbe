//===- Remarks.h - What became of an op, and why ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes report through MLIR's remark engine what became of an op. If the
// context has no engine, no text is built. The keys of a remark's arguments are
// `Op` (the op's name), `Family` (the kernel that computes it), MLIR's own
// `Reason` and `Suggestion`, and metrics such as `Tile`.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_SUPPORT_REMARKS_H
#define PIT_SUPPORT_REMARKS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Remarks.h"

#include <mutex>

namespace mlir::pit::remarks {

/// The categories, one for each stage of a compilation. `--remarks-filter`
/// selects them.
inline constexpr llvm::StringLiteral kAxes = "pit-axes", kRules = "pit-rules",
                                     kSelection = "pit-selection",
                                     kFusion = "pit-fusion",
                                     kKernels = "pit-kernels";

/// A remark that is emitted when this object is destroyed. It holds a lock, as
/// passes on functions run in parallel and engines take one remark at a time.
class InFlight {
public:
  InFlight() = default;
  InFlight(std::unique_lock<std::recursive_mutex> lock,
           remark::detail::InFlightRemark remark)
      : lock(std::move(lock)), remark(std::move(remark)) {}
  InFlight(InFlight &&) = default;

  /// Appends text, or the result of `metric`.
  template <typename T> InFlight &operator<<(T &&part) {
    remark << std::forward<T>(part);
    return *this;
  }
  explicit operator bool() const { return bool(remark); }

private:
  // In this order: the lock is held until the remark is emitted.
  std::unique_lock<std::recursive_mutex> lock;
  remark::detail::InFlightRemark remark;
};

/// Whether the op's context collects remarks.
inline bool areCollected(Operation *op) {
  return op->getContext()->getRemarkEngine() != nullptr;
}

/// Starts a remark about `op`: something was done, was not done, or was found.
/// `category` and `name` must be string literals.
InFlight passed(Operation *op, StringRef category, StringRef name);
InFlight missed(Operation *op, StringRef category, StringRef name);
InFlight analysis(Operation *op, StringRef category, StringRef name);

/// Starts a remark that says which kernel, or which loops, compute `op`.
InFlight kernel(Operation *op, StringRef family);

/// Emits remarks that the structured ops in the region of `op` are part of its
/// kernel.
void kernelOfRegion(Operation *op);
/// Emits a remark that `part` is part of the kernel of `op`.
void partOfKernel(Operation *part, Operation *op);

/// A key and a value for a remark. Unlike MLIR's `reason`, the text is not a
/// format string.
template <typename T>
remark::detail::LazyTextBuild metric(StringRef key, T &&value) {
  return remark::metric(key, std::forward<T>(value));
}
inline remark::detail::LazyTextBuild reason(const Twine &text) {
  return remark::metric("Reason", text.str());
}
inline remark::detail::LazyTextBuild suggestion(const Twine &text) {
  return remark::metric("Suggestion", text.str());
}

/// The first file location within `loc`, which is what remarks show; `loc`
/// itself if it has none.
Location getFileLocation(Location loc);

/// That location as `file:line:col`.
std::string spell(Location loc);

} // namespace mlir::pit::remarks

#endif // PIT_SUPPORT_REMARKS_H
