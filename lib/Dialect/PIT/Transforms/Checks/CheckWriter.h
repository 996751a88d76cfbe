//===- CheckWriter.h - Conditions of ops as checks --------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_CHECKWRITER_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_CHECKWRITER_H

#include "GuardAccesses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

#include <map>
#include <vector>

namespace mlir::pit {

/// Writes `pit.check` ops. Conditions that always hold are left out. What
/// cannot be said, where a value is null, is a remark at the op.
class CheckWriter {
public:
  /// Tensors have less bytes than this, at run time as by their static extents.
  static constexpr int64_t kMostBytes = int64_t(1) << 56;

  /// Where checks are written: into a function of their own, which is called
  /// before anything runs, or in front of the op that requires them.
  enum class Place { Entry, Op };

  explicit CheckWriter(OpBuilder &builder, Place place = Place::Entry)
      : builder(builder), place(place) {}
  bool isAtOp() const { return place == Place::Op; }

  /// Requires that two numbers are equal. Where both were found to be equal to
  /// others that are equal, nothing is written.
  void requireEqual(Operation *op, Value first, Value second,
                    const Twine &message);
  /// Requires `lower <= number` and `number <= upper`; the message is given the
  /// number and the upper bound.
  void requireWithin(Operation *op, Value number, int64_t lower, Value upper,
                     const Twine &message);
  void require(Operation *op, Value condition, Value first, Value second,
               const Twine &message);
  /// Requires that a tensor of the type has extents of 0 or more, and less than
  /// `kMostBytes`. Reported together with others of the same extents by
  /// `writeSizes`.
  void requireSize(Operation *op, RankedTensorType type,
                   ArrayRef<Value> dynamicExtents, const Twine &what);
  void writeSizes();
  /// Bytes of a tensor's static extents, or `kMostBytes`; an extent of 0 counts
  /// as 1, as strides do.
  static int64_t getStaticBytes(RankedTensorType type);

  /// Says that what is required of the op cannot be said in this place: it is
  /// one of those to look at where they run.
  void miss(Operation *op);
  /// Has an index of the op be looked at where it runs, of a dimension that has
  /// elements by what is required if that is always required.
  void guardAxis(Operation *op, int64_t axis);
  /// The remark.
  static void sayUnchecked(Operation *op);
  const GuardedAccesses &getGuarded() const { return guarded; }
  /// Ops of which something is not written, other than those accesses.
  ArrayRef<Operation *> getMissed() const { return missed.getArrayRef(); }
  /// The conditions that were written.
  ArrayRef<Value> getConditions() const { return conditions; }

  /// What follows is required where the condition holds as well: of code that
  /// may not run. Null where it is not known whether it runs.
  struct Guard {
    Value condition;
    bool isKnown = true;
  };
  Guard getGuard() const { return guard; }
  void setGuard(const Guard &guard) { this->guard = guard; }
  /// Returns the guard as it was before.
  Guard addToGuard(Value condition);

  Value constant(int64_t number);
  Value compare(arith::CmpIPredicate predicate, Value a, Value b);
  template <typename OpTy> Value combine(Value a, Value b) {
    return builder.createOrFold<OpTy>(getLoc(), a, b);
  }
  OpBuilder &getBuilder() { return builder; }

private:
  Location getLoc() { return builder.getUnknownLoc(); }

  struct Size {
    Operation *op;
    RankedTensorType type;
    std::string what;
    int64_t staticBytes;
    Guard guard;
  };
  void writeSize(ArrayRef<Value> dynamicExtents, const Size &size);
  bool areEqual(Value first, Value second);

  OpBuilder &builder;
  Place place;
  Guard guard;
  llvm::EquivalenceClasses<void *> equal;
  /// By the dynamic extents, in order, and the guard: as addresses.
  std::map<std::vector<void *>, size_t> sizeOf;
  std::vector<std::pair<SmallVector<Value>, Size>> sizes;
  llvm::SmallSetVector<Operation *, 8> missed;
  SmallVector<Value> conditions;
  GuardedAccesses guarded;
};

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_CHECKWRITER_H
