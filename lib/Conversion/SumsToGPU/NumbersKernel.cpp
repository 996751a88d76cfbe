//===- NumbersKernel.cpp - One number per listed element ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An elementwise op over a sparse vector: a number for each listed element,
// such as the weight of a token's expert.
//
//===----------------------------------------------------------------------===//

#include "GPU/Lists/Payload.h"
#include "GPU/Lists/RowAccess.h"
#include "Kernels.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::sums;

/// The numbers of a segment along the segment dimensions of the index.
static SmallVector<Value> emitSegmentNumbers(Kernel &b, ArrayRef<Value> counts,
                                             Value segment) {
  SmallVector<Value> numbers(counts.size());
  for (unsigned i = counts.size(); i-- > 0;) {
    if (i == 0) {
      numbers[i] = b.extend(segment);
      break;
    }
    Value count = b.number(counts[i]);
    numbers[i] = b.extend(b.remainder(segment, count));
    segment = b.divide(segment, count);
  }
  return numbers;
}

void mlir::pit::sums::createNumbersLaunch(const NumbersMatch &match,
                                          const SourceLists &lists,
                                          HostMath &host,
                                          gpu::GPUModuleOp module,
                                          StringRef name) {
  TiledOp op = match.op;
  RowPlanAttr plan = op.getPlanAttr();
  const int64_t threads = plan.getThreads();
  SparseIndexType type = op.getIndexType();
  SmallVector<int64_t> segmentDims = type.getSegmentDims();
  auto assemble = op.getIndex().getDefiningOp<AssembleOp>();
  SmallVector<Value> extents;
  unsigned dynamic = 0;
  for (int64_t extent : type.getExtents().asArrayRef())
    extents.push_back(ShapedType::isDynamic(extent)
                          ? assemble.getExtents()[dynamic++]
                          : host.constant(extent));
  SmallVector<Value> counts;
  for (int64_t dim : segmentDims)
    counts.push_back(extents[dim]);

  Value output = op.getOutputs()[0];
  Value room = getExtent(host, output, 0);
  Kernel b(module, op.getLoc(), name, threads);
  auto [begin, end] = loadPositions(b, lists);
  end = b.minimum(end, b.number(room, 64));
  forAll(b, begin, end, [&](Value position) {
    Value coordinate = loadCoordinate(b, lists, position);
    SmallVector<Value> segments =
        emitSegmentNumbers(b, counts, findSegment(b, lists, position));
    auto getAddress = [&](unsigned number) {
      Layout layout(host, op->getOperand(1 + number));
      SmallVector<Value> numbers(layout.strides.size());
      ArrayRef<int64_t> dims = op.getOperandDims(number);
      for (auto [dim, axis] : llvm::enumerate(dims)) {
        if (axis < 0)
          continue;
        if (int64_t(dim) == type.getCoordinate())
          numbers[axis] = op.getPacked()[number] ? position : coordinate;
        else
          numbers[axis] = segments[llvm::find(segmentDims, int64_t(dim)) -
                                   segmentDims.begin()];
      }
      return std::make_pair(layout.address(b, numbers), layout.element);
    };
    SmallVector<Value> arguments;
    for (unsigned number : match.inputs) {
      auto [pointer, element] = getAddress(number);
      arguments.push_back(
          loadElements(b, pointer, element, 1, /*isInvariant=*/true)[0]);
    }
    auto [target, element] = getAddress(match.output);
    Value result;
    if (linalg::LinalgOp compute = match.compute) {
      // The output's argument is not read.
      arguments.push_back(LLVM::PoisonOp::create(b, element));
      result = emitPayload(b, compute, arguments);
    } else {
      result = arguments[0];
    }
    storeElements(b, target, result);
  });
  Value blocks =
      host.min(host.ceilDiv(room, threads), host.constant(plan.getMaxBlocks()));
  b.finish(host, host.max(blocks, host.constant(1)));
}
