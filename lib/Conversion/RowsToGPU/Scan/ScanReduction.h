//===- ScanReduction.h - Running sums in kernels ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reductions under a triangle (`Scan`) in n steps. Threads have neighbouring
// elements of a row, and a block goes along it piece by piece. Rows that are
// few and long are cut into parts: a first kernel adds up each, a second one
// starts from the sums of the parts before.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ROWSTOGPU_SCAN_SCANREDUCTION_H
#define PIT_LIB_CONVERSION_ROWSTOGPU_SCAN_SCANREDUCTION_H

#include "Conversion/RowsToGPU/JoinedWork.h"
#include "GPU/Host/Kernel.h"

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/Utils/Scan.h"
#include "PIT/GPU/ChipModel.h"

namespace mlir::pit::rows {

struct ScanReduction {
  ScanReduction(linalg::LinalgOp op, const Scan &scan) : op(op), scan(scan) {}

  linalg::LinalgOp op;
  Scan scan;
  /// Loops of results without the one that is scanned, in the order in which
  /// the largest input lies in memory.
  SmallVector<unsigned> rows;
  /// The fill with a constant that results start from; null if they start from
  /// what is there.
  linalg::FillOp start;
  JoinedWork behind;

  /// The op behind which nothing of this is left to do.
  linalg::LinalgOp getLast() const { return behind.op ? behind.op : op; }
  /// Whether neighbours in memory belong to one row, so that a thread has a
  /// vector of it; else they belong to neighbouring rows, the last of `rows`.
  bool isAlongInner() const;
  /// Whether so many elements along the row are a vector of the input.
  bool fitsVector(OpOperand &input, int64_t length) const;
  /// The same of results.
  bool storesVector(int64_t length) const;
  int64_t getExtent() const;
};

/// Matches a structured op on buffers. Says why not of what is a scan. If
/// `strict`, sums of floats keep their order.
std::optional<ScanReduction> matchScanReduction(linalg::LinalgOp op,
                                                bool strict, MatchLog log = {});

RowPlanAttr planScan(const ScanReduction &scan, const ChipModel &chip,
                     int64_t group);
/// Says what the op has not that its plan needs.
LogicalResult checkPlan(const ScanReduction &scan, RowPlanAttr plan);

/// How many parts rows fall into for enough blocks to keep the chip busy, a
/// value of the host.
Value countParts(const ScanReduction &scan, RowPlanAttr plan,
                 detect::HostMath &host);
/// A number for each part of each row.
Value allocateParts(const ScanReduction &scan, Value count,
                    detect::HostMath &host);

/// Makes the kernel as planned and launches it where `host` inserts. With
/// `sums`, a buffer as above, it starts from what parts before have there; with
/// `isOfSums`, it only writes that. The op stays.
void createScanLaunch(const ScanReduction &scan, RowPlanAttr plan, Value parts,
                      Value sums, bool isOfSums, detect::HostMath &host,
                      gpu::GPUModuleOp module, StringRef name);

} // namespace mlir::pit::rows

#endif // PIT_LIB_CONVERSION_ROWSTOGPU_SCAN_SCANREDUCTION_H
