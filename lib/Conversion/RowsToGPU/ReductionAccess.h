//===- ReductionAccess.h - What kernels of a reduction access ---*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ROWSTOGPU_REDUCTIONACCESS_H
#define PIT_LIB_CONVERSION_ROWSTOGPU_REDUCTIONACCESS_H

#include "GPU/Lists/RowAccess.h"
#include "ReductionKernel.h"

namespace mlir::pit::rows {

/// Bytes of an element in memory: one bit has a byte.
int64_t getBytes(Type element);
Value loadElement(detect::Kernel &b, Value pointer, Type element);
/// The same of `count` neighbours; `isInvariant` where nothing writes them
/// while the kernel runs.
SmallVector<Value> loadElements(detect::Kernel &b, Value pointer, Type element,
                                int64_t count, bool isInvariant);
void storeElement(detect::Kernel &b, Value value, Value pointer);

/// The body of an op for these arguments, null where it uses none; `getIndex`
/// returns the number of a loop, an i64. Returns the `wanted` values of it.
SmallVector<Value> emitBody(detect::Kernel &b, linalg::LinalgOp op,
                            ArrayRef<Value> arguments,
                            function_ref<Value(unsigned)> getIndex,
                            ValueRange wanted);
/// The same, and returns what it yields.
SmallVector<Value> emitBody(detect::Kernel &b, linalg::LinalgOp op,
                            ArrayRef<Value> arguments,
                            function_ref<Value(unsigned)> getIndex);

/// What was loaded of each input along the inner loop: as many elements, one
/// that is the same for all, or none that the body does not read.
using Loads = SmallVector<SmallVector<Value>>;

/// Operands of a reduction at numbers of its loops, which are i64.
class ReductionAccess {
public:
  ReductionAccess(const Reduction &reduction, int64_t vector,
                  const Parts &parts, detect::HostMath &host);

  /// Of a loop, a value of the host.
  Value getExtent(unsigned loop) const { return extents[loop]; }
  SmallVector<Type> getResultTypes() const;
  /// Points of such loops together, a value of the host.
  Value countPoints(ArrayRef<unsigned> loops) const;
  /// Steps of all loops that are reduced over; the inner one's are whole
  /// vectors. A value of the host.
  Value countPositions() const;

  /// All loops at 0.
  SmallVector<Value> createIvs(detect::Kernel &b) const;
  /// Sets the numbers of loops, of which the last one is the fastest, from the
  /// number of their point. A vector of the inner loop, if it is reduced over,
  /// is one step.
  void delinearize(detect::Kernel &b, Value point, ArrayRef<unsigned> loops,
                   MutableArrayRef<Value> ivs) const;

  /// `length` elements along the inner loop from `ivs` on.
  Loads load(detect::Kernel &b, ArrayRef<Value> ivs, int64_t length) const;
  /// What the body yields for the i-th of them.
  SmallVector<Value> emitBody(detect::Kernel &b, const Loads &loads, unsigned i,
                              ValueRange before, ArrayRef<Value> ivs) const;
  /// What the result starts from: a constant, or what is there.
  Value loadStart(detect::Kernel &b, unsigned result,
                  ArrayRef<Value> ivs) const;
  void store(detect::Kernel &b, ArrayRef<Value> ivs,
             ArrayRef<Value> results) const;
  void storePart(detect::Kernel &b, ArrayRef<Value> ivs, Value part,
                 ArrayRef<Value> results) const;

private:
  SmallVector<Value> getSubscripts(detect::Kernel &b, AffineMap map,
                                   ArrayRef<Value> ivs) const;
  Value getAddress(detect::Kernel &b, OpOperand &operand,
                   ArrayRef<Value> ivs) const;
  SmallVector<Value> loadAlong(detect::Kernel &b, OpOperand &input,
                               ArrayRef<Value> ivs, int64_t length) const;

  const Reduction &reduction;
  int64_t vector;
  const Parts &parts;
  detect::HostMath &host;
  SmallVector<Value> extents;
  /// Of operands that are buffers.
  SmallVector<std::optional<sums::Layout>> layouts;
  SmallVector<sums::Layout> ofParts;
  /// Of each operand, whether nothing writes it while the kernel runs.
  SmallVector<bool> isInvariant;
};

} // namespace mlir::pit::rows

#endif // PIT_LIB_CONVERSION_ROWSTOGPU_REDUCTIONACCESS_H
