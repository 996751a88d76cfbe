//===- Remarks.h - What became of an op, and why ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes say through MLIR's remark engine what became of an op. Where the
// context has no engine, nothing is built. The keys of a remark's arguments:
// `Op` is the op's name, `Family` the kernel that takes it, `Reason` and
// `Suggestion` are MLIR's own, and others are metrics such as `Tile`.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_SUPPORT_REMARKS_H
#define PIT_SUPPORT_REMARKS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Remarks.h"

#include <mutex>

namespace mlir::pit::remarks {

/// Categories, one for each stage of a compilation: what `--remarks-filter`
/// selects.
inline constexpr llvm::StringLiteral kAxes = "pit-axes", kRules = "pit-rules",
                                     kSelection = "pit-selection",
                                     kFusion = "pit-fusion",
                                     kKernels = "pit-kernels";

/// A remark, emitted when this ends. Passes on functions run side by side, and
/// engines take one remark at a time.
class InFlight {
public:
  InFlight() = default;
  InFlight(std::unique_lock<std::recursive_mutex> lock,
           remark::detail::InFlightRemark remark)
      : lock(std::move(lock)), remark(std::move(remark)) {}
  InFlight(InFlight &&) = default;

  /// Takes text, and what `metric` makes.
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

/// Says of the op that something was done, was not done, or what was found. The
/// category and the name have to be literals.
InFlight passed(Operation *op, StringRef category, StringRef name);
InFlight missed(Operation *op, StringRef category, StringRef name);
InFlight analysis(Operation *op, StringRef category, StringRef name);

/// Says which kernel, or which loops, take the op.
InFlight kernel(Operation *op, StringRef family);

/// Says of structured ops in the op's region that they are part of its kernel.
void kernelOfRegion(Operation *op);
/// The same of another op.
void partOfKernel(Operation *part, Operation *op);

/// A key and a value for a remark. Without braces and positions, other than
/// MLIR's `reason`.
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

/// The first place in a file that a location names, as remarks and readers know
/// no others; the location itself if there is none.
Location getFileLocation(Location loc);

/// The same as `file:line:col`, for text.
std::string spell(Location loc);

} // namespace mlir::pit::remarks

#endif // PIT_SUPPORT_REMARKS_H
