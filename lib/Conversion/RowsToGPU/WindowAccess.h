//===- WindowAccess.h - Elements of windows in a kernel ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ROWSTOGPU_WINDOWACCESS_H
#define PIT_LIB_CONVERSION_ROWSTOGPU_WINDOWACCESS_H

#include "GPU/Lists/RowAccess.h"
#include "WindowReduction.h"

#include <map>

namespace mlir::pit::rows {

/// Of loops, how far a point is from the first one of a thread; known when the
/// kernel is built.
using Shift = SmallVector<int64_t>;

/// An operand as one thread reads or writes it. All that a thread needs of it
/// at points that differ by known numbers is computed once: subscripts, what is
/// outside, and elements.
class WindowAccess {
public:
  /// `loops` says which loop of the windows each of the map's is; others have
  /// one step.
  WindowAccess(const WindowReduction &windows, Value buffer, AffineMap map,
               ArrayRef<std::optional<unsigned>> loops, int64_t vector,
               bool isInvariant, detect::HostMath &host);

  /// What is around the buffer.
  void setPadding(const WindowInput &input);
  /// Elements may be asked for along these loops that do not exist. None is
  /// loaded there, and what is returned is of no use.
  void checkAlong(ArrayRef<unsigned> overhanging);

  /// The first point of a thread: numbers of all loops, i64.
  void begin(detect::Kernel &b, ArrayRef<Value> ivs);
  /// What was computed in a branch is not there behind it.
  void forget();
  /// A vector of elements along the inner loop, or one that all have.
  ArrayRef<Value> load(detect::Kernel &b, const Shift &shift);
  void store(detect::Kernel &b, const Shift &shift, ArrayRef<Value> elements);

private:
  /// What an axis adds to the address, in elements, and whether its subscript
  /// is one of the buffer's; null if all are.
  struct Place {
    Value offset, isInside;
  };
  int64_t getShift(unsigned axis, const Shift &shift) const;
  Place getPlace(detect::Kernel &b, unsigned axis, int64_t shift);
  /// The address, and where all checks hold.
  std::pair<Value, Value> getAddress(detect::Kernel &b, const Shift &shift);

  const WindowReduction &windows;
  int64_t vector;
  bool isInvariant;
  sums::Layout layout;
  SmallVector<Value> extents;
  /// Of each axis, factors of loops and what is added.
  SmallVector<SmallVector<int64_t>> factors;
  SmallVector<int64_t> low;
  SmallVector<bool> isChecked;
  Operation *constant = nullptr;
  bool isContiguous = false, hasInner = false;
  SmallVector<Value> first;
  Value pointer;
  std::map<std::pair<unsigned, int64_t>, Place> places;
  std::map<SmallVector<int64_t>, SmallVector<Value>> loaded;
};

} // namespace mlir::pit::rows

#endif // PIT_LIB_CONVERSION_ROWSTOGPU_WINDOWACCESS_H
