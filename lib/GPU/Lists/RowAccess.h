//===- RowAccess.h - Rows of buffers in kernels -----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_LISTS_ROWACCESS_H
#define PIT_LIB_GPU_LISTS_ROWACCESS_H

#include "GPU/Host/Kernel.h"

namespace mlir::pit::sums {

/// A buffer as kernels see it: its base, and host values for its offset and
/// strides, in elements.
struct Layout {
  Layout(detect::HostMath &host, Value buffer);

  /// The address of the element at the given i64 numbers; dimensions behind
  /// them are at 0.
  Value address(detect::Kernel &b, ValueRange position) const;
  Type element;
  int64_t bytes;
  Value base, offset;
  SmallVector<Value> strides;
};

/// Whether vectors of `length` elements along the last dimension of such a
/// buffer are aligned in every row.
bool isAligned(MemRefType type, int64_t length);

/// `count` elements from an address on, in pieces of up to 16 bytes;
/// `isInvariant` where nothing writes them while the kernel runs.
SmallVector<Value> loadElements(detect::Kernel &b, Value pointer, Type element,
                                int64_t count, bool isInvariant);
/// The same, 16 bytes of them or a multiple, of what nobody reads again: it is
/// the first to leave the L2 cache (`policy`), so that what was written there
/// before the kernel is still there when it is read.
SmallVector<Value> loadElementsOnce(detect::Kernel &b, Value pointer,
                                    Type element, int64_t count, Value policy);
void storeElements(detect::Kernel &b, Value pointer, ArrayRef<Value> elements);

} // namespace mlir::pit::sums

#endif // PIT_LIB_GPU_LISTS_ROWACCESS_H
