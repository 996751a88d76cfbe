//===- ScanPlan.cpp - #pit.row_plan of running sums -----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread has a few elements of a row, one after the other, so that most steps
// are additions in registers; a row has as many threads as it needs, up to a
// block. Where neighbours in memory belong to neighbouring rows, so do threads.
//
//===----------------------------------------------------------------------===//

#include "ScanReduction.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;
using mlir::pit::detect::HostMath;

static constexpr int64_t kThreads = 256;

RowPlanAttr mlir::pit::rows::planScan(const ScanReduction &scan,
                                      const ChipModel &chip, int64_t group) {
  constexpr int64_t kMostRowsAcross = 16, kMost = 8;
  linalg::LinalgOp op = scan.op;
  int64_t extent = scan.getExtent(), across = 1;
  bool isKnown = !ShapedType::isDynamic(extent);
  int64_t bits =
              std::max(8u, scan.scan.element.getType().getIntOrFloatBitWidth()),
          vector = std::min(kMost, std::max<int64_t>(2, 256 / bits));
  if (isKnown && scan.isAlongInner())
    while (vector > 1 && extent % vector != 0 && extent < kThreads * vector)
      vector /= 2;
  if (!scan.isAlongInner()) {
    int64_t rows = op.getStaticLoopRanges()[scan.rows.back()];
    across =
        ShapedType::isDynamic(rows)
            ? kMostRowsAcross
            : std::min<int64_t>(kMostRowsAcross,
                                llvm::PowerOf2Ceil(std::max<int64_t>(rows, 1)));
  }
  int64_t ofRow = kThreads / across;
  if (isKnown)
    ofRow = std::min<int64_t>(ofRow, llvm::PowerOf2Ceil(std::max<int64_t>(
                                         1, llvm::divideCeil(extent, vector))));
  return RowPlanAttr::get(
      op.getContext(), RowFamily::Scan,
      DenseI64ArrayAttr::get(op.getContext(),
                             {kThreads / ofRow, ofRow * vector}),
      vector, /*unroll=*/across, /*evict_first=*/false,
      chip.getBlocksAtOnce(kThreads), group);
}

LogicalResult mlir::pit::rows::checkPlan(const ScanReduction &scan,
                                         RowPlanAttr plan) {
  linalg::LinalgOp op = scan.op;
  if (plan.getUnroll() > 1 && scan.rows.empty())
    return op->emitOpError("its plan has ")
           << plan.getUnroll() << " rows side by side, and there is one";
  return success();
}

/// Loops' extents, values of the host.
static SmallVector<Value> getExtents(linalg::LinalgOp op, HostMath &host) {
  return llvm::map_to_vector(
      op.createLoopRanges(host, host.getLoc()), [&](Range range) {
        return getValueOrCreateConstantIndexOp(host, host.getLoc(), range.size);
      });
}

static Value countRows(const ScanReduction &scan, ArrayRef<Value> extents,
                       HostMath &host) {
  Value rows = host.constant(1);
  for (unsigned loop : scan.rows)
    rows = host.mul(rows, extents[loop]);
  return rows;
}

Value mlir::pit::rows::countParts(const ScanReduction &scan, RowPlanAttr plan,
                                  HostMath &host) {
  // What a block has read after so many rounds is not worth a second kernel,
  // which reads all again.
  constexpr int64_t kFewRounds = 16, kMostParts = 1024;
  SmallVector<Value> extents = getExtents(scan.op, host);
  Value one = host.constant(1), count = extents[scan.scan.over];
  int64_t round = plan.getTile()[1];
  std::optional<int64_t> known = detect::getKnown(count);
  if (known && *known <= kFewRounds * round)
    return one;
  Value blocks = host.max(
      host.ceilDiv(countRows(scan, extents, host), plan.getRows()), one);
  Value parts = host.ceilDiv(
      host.constant(std::max<int64_t>(1, plan.getMaxBlocks() / 2)), blocks);
  parts = host.min(parts, host.ceilDiv(count, round));
  return host.max(host.min(parts, host.constant(kMostParts)), one);
}

Value mlir::pit::rows::allocateParts(const ScanReduction &scan, Value count,
                                     HostMath &host) {
  SmallVector<Value> extents = getExtents(scan.op, host);
  SmallVector<OpFoldResult> sizes = {
      getAsOpFoldResult(countRows(scan, extents, host)),
      getAsOpFoldResult(count)};
  SmallVector<Value> dynamic;
  SmallVector<int64_t> shape;
  dispatchIndexOpFoldResults(sizes, dynamic, shape);
  return memref::AllocOp::create(
      host, MemRefType::get(shape, scan.scan.element.getType()), dynamic);
}
