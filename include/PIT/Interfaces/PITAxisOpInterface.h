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

/// Applies the rules A1 to A4 (see PITAxisOpInterface.td) to a structured
/// computation. It has one map per operand, inputs first. `body` has one
/// argument per operand, or per input only, and yields one value per output.
SmallVector<AxisInfo> inferPITAxes(ArrayRef<AffineMap> maps,
                                   ArrayRef<utils::IteratorType> iterators,
                                   Block &body, unsigned numOutputs,
                                   const AxisOptions &options = {});

/// The axes of `op`, through its PITAxisOpInterface. An op of another dialect
/// without that interface may implement `linalg::LinalgOp` instead. Fails
/// without a diagnostic if `op` has no iteration axes that PIT can read.
FailureOr<SmallVector<AxisInfo>> inferPITAxes(Operation *op,
                                              const AxisOptions &options = {});

/// Attaches PITAxisOpInterface to every structured op of linalg.
void registerPITAxisOpInterfaceExternalModels(DialectRegistry &registry);

/// Attaches it to the ops of another loaded dialect that implement
/// `linalg::LinalgOp`. Ops that already have the interface keep theirs.
void attachPITAxisModels(MLIRContext &context, StringRef dialectNamespace);

} // namespace pit
} // namespace mlir

#include "PIT/Interfaces/PITAxisOpInterface.h.inc"

#endif // PIT_INTERFACES_PITAXISOPINTERFACE_H
