//===- PITAxisOpInterface.h - Which axes of an op are PIT-axes --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_INTERFACES_PITAXISOPINTERFACE_H
#define PIT_INTERFACES_PITAXISOPINTERFACE_H

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace mlir {
class DialectRegistry;
class MLIRContext;

namespace pit {

enum class AxisKind {
  Parallel,  ///< a permutation of the axis permutes the result the same way
  Reduction, ///< a permutation of the axis leaves the result unchanged
  Refused    ///< not a PIT-axis
};

struct AxisInfo {
  AxisKind kind = AxisKind::Refused;
  /// Why the axis is refused; empty otherwise.
  std::string reason;

  bool isPITAxis() const { return kind != AxisKind::Refused; }

  /// `parallel`, `reduction`, or `refused: <reason>`.
  std::string str() const;
};

struct AxisOptions {
  /// Refuse axes whose floating-point sum or product would be reassociated.
  bool strict = false;
};

/// The rules A1 to A4 (see PITAxisOpInterface.td) on a structured computation:
/// one map per operand, inputs first, and `body` with one argument per operand
/// (or per input only) and a terminator that yields one value per output.
SmallVector<AxisInfo> inferPITAxes(ArrayRef<AffineMap> maps,
                                   ArrayRef<utils::IteratorType> iterators,
                                   Block &body, unsigned numOutputs,
                                   const AxisOptions &options = {});

/// The axes of `op`: through its PITAxisOpInterface, else, for an op of another
/// dialect that implements `linalg::LinalgOp`, through that. Failure means that
/// `op` has no iteration axes that PIT can read; nothing is emitted.
FailureOr<SmallVector<AxisInfo>> inferPITAxes(Operation *op,
                                              const AxisOptions &options = {});

/// Attaches PITAxisOpInterface to every structured op of linalg.
void registerPITAxisOpInterfaceExternalModels(DialectRegistry &registry);

/// The same for the ops of another loaded dialect that implement
/// `linalg::LinalgOp`. Ops that have the interface already keep their own.
void attachPITAxisModels(MLIRContext &context, StringRef dialectNamespace);

} // namespace pit
} // namespace mlir

#include "PIT/Interfaces/PITAxisOpInterface.h.inc"

#endif // PIT_INTERFACES_PITAXISOPINTERFACE_H
