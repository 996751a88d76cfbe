//===- OperandCopies.cpp - Tiles of operands by TMA -----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandCopies.h"

using namespace mlir;
using namespace mlir::pit::hopper;

/// Elements in a row of 128 bytes.
static constexpr int64_t kPanel = 64;
static constexpr int64_t kPanelBytes = kPanel * 128;

/// The coordinates of the boxes that a tile consists of, and where each of them
/// lies in shared memory, in bytes.
static SmallVector<std::pair<SmallVector<Value>, int64_t>>
getBoxes(KernelBuilder &b, Value first, Value k, int64_t extent,
         SharedLayout layout, bool asPanels, Value segment) {
  SmallVector<std::pair<SmallVector<Value>, int64_t>> boxes;
  if (layout == SharedLayout::KMajor)
    boxes.push_back({{k, first}, 0});
  else if (asPanels)
    boxes.push_back({{b.i32(0), k, b.divide(first, kPanel)}, 0});
  else
    for (int64_t panel = 0; panel * kPanel < extent; ++panel)
      boxes.push_back({{b.add(first, panel * kPanel), k}, panel * kPanelBytes});
  if (segment)
    for (auto &[coordinates, offset] : boxes)
      coordinates.push_back(segment);
  return boxes;
}

void mlir::pit::hopper::copyTile(KernelBuilder &b, Value target,
                                 Value tensorMap, Value barrier, Value first,
                                 Value k, int64_t extent, SharedLayout layout,
                                 bool asPanels, Value segment, Value policy) {
  for (const auto &[coordinates, offset] :
       getBoxes(b, first, k, extent, layout, asPanels, segment))
    b.copyBox(b.advance(target, offset), tensorMap, barrier, coordinates,
              policy);
}

Value mlir::pit::hopper::isBReadOnce(KernelBuilder &b,
                                     const ContractionKernel &kernel,
                                     const KernelArguments &arguments) {
  if (!kernel.largeBytesOfA)
    return Value();
  Value sizeOfA = b.mul(b.extend(b.mul(arguments.k, kernel.getInputBytes())),
                        b.extend(arguments.m));
  Value isLarge = b.isLess(b.i64(kernel.largeBytesOfA), sizeOfA);
  Value hasFewTiles = b.compare(arith::CmpIPredicate::ule, arguments.m,
                                b.mul(arguments.numSegments, kernel.tileM));
  return b.bitAnd(isLarge, hasFewTiles);
}

/// The maps of each product's B.
static SmallVector<Value> getMapsOfB(const ContractionKernel &kernel,
                                     const KernelArguments &arguments) {
  SmallVector<Value> maps{arguments.tensorMapB};
  if (kernel.products > 1)
    maps.push_back(arguments.tensorMapB2);
  return maps;
}

void mlir::pit::hopper::copyTilesOfB(KernelBuilder &b,
                                     const ContractionKernel &kernel,
                                     const KernelArguments &arguments,
                                     Value stage, Value barrier,
                                     TilePosition position, Value k,
                                     Value isReadOnce) {
  int64_t bytes = kernel.getBytesOfB() / kernel.products,
          columns = kernel.getBoxColumns();
  KernelArguments ofPart = getArgumentsOfPart(b, arguments, position);
  Value segment = kernel.sharesB ? Value() : position.segment;
  auto copy = [&](Value policy) {
    for (auto [product, map] : llvm::enumerate(getMapsOfB(kernel, ofPart)))
      for (int64_t first = 0; first < kernel.getTileColumns(); first += columns)
        copyTile(b,
                 b.advance(stage, kernel.getBytesOfA() +
                                      int64_t(product) * bytes +
                                      first * kernel.kRowBytes),
                 map, barrier, b.add(position.column, first), k, columns,
                 kernel.layoutB, kernel.panelsOfB, segment, policy);
  };
  if (!isReadOnce)
    return copy(Value());
  // No policy is not the same as `evict_normal`, which takes longer.
  b.ifThenElse(
      isReadOnce, [&] { copy(b.cachePolicy("evict_first")); },
      [&] { copy(Value()); });
}
