//===- ScanEmitter.h - Emits kernels of running sums ------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ROWSTOGPU_SCAN_SCANEMITTER_H
#define PIT_LIB_CONVERSION_ROWSTOGPU_SCAN_SCANEMITTER_H

#include "ScanReduction.h"

#include "Conversion/RowsToGPU/ReductionAccess.h"

namespace mlir::pit::rows {

/// Emits one kernel: either the sums of parts of rows, or the results.
class ScanEmitter {
public:
  ScanEmitter(const ScanReduction &scan, RowPlanAttr plan, Value parts,
              Value sums, bool isOfSums, detect::HostMath &host);
  void run(gpu::GPUModuleOp module, StringRef name);

private:
  /// What threads before have together, and all threads of the row.
  struct OfThreads {
    Value before, all;
  };
  /// An operand of the op, or of the work behind it.
  struct Access {
    std::optional<sums::Layout> layout;
    AffineMap map;
    bool isInvariant = false;
  };

  SmallVector<Access, 0> createAccesses(linalg::LinalgOp of);
  Value combine(detect::Kernel &b, Value left, Value right) {
    return scan.scan.combine(b, b.getLoc(), left, right);
  }
  Value neutral(detect::Kernel &b) {
    return arith::ConstantOp::create(b, scan.scan.getNeutral());
  }
  Value address(detect::Kernel &b, const Access &access, ArrayRef<Value> ivs);
  OfThreads scanThreads(detect::Kernel &b, Value value);
  Value getBefore(detect::Kernel &b, Value row, Value part);
  void emitRow(detect::Kernel &b, Value unit, Value isThere);
  SmallVector<Value> loadElements(detect::Kernel &b, Value position);
  SmallVector<Value> computeElements(detect::Kernel &b, ArrayRef<Value> numbers,
                                     bool isVector);
  void store(detect::Kernel &b, Value position, ArrayRef<Value> results);
  void storeOne(detect::Kernel &b, ArrayRef<Value> ivs, Value result);
  Value getNumber(detect::Kernel &b, Value position);
  SmallVector<Value> at(detect::Kernel &b, Value number);

  const ScanReduction &scan;
  RowPlanAttr plan;
  detect::HostMath &host;
  /// Values of the host: how many parts a row has, where their sums are, the
  /// loops' extents, and the longer one of the two that are scanned.
  Value parts, sums;
  bool isOfSums;
  SmallVector<Value> extents;
  Value count;
  SmallVector<Access, 0> ofOp, ofWork;
  SmallVector<std::optional<unsigned>> loopsOfWork;
  /// Elements of a thread, neighbouring rows side by side, threads of a row.
  int64_t vector, across, ofRow;
  bool isVector;
  Value shared;
  /// While a row is emitted: numbers of loops, and whether the row exists and
  /// where its part ends.
  SmallVector<Value> ivs;
  Value isRow, end;
};

} // namespace mlir::pit::rows

#endif // PIT_LIB_CONVERSION_ROWSTOGPU_SCAN_SCANEMITTER_H
