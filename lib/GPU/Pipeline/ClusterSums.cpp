//===- ClusterSums.cpp - Split-K: sums over a cluster's blocks ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClusterSums.h"

using namespace mlir;
using namespace mlir::pit::hopper;

void ClusterSums::prepare(KernelBuilder &b, const BlockState &state,
                          Value warp) {
  Value thread = b.add(b.mul(warp, 32), state.lane);
  own = b.advance(state.shared, b.add(b.mul(thread, 16), shape.offset));
  blocks.clear();
  for (int64_t rank = 0; rank < shape.blocks; ++rank)
    blocks.push_back(NVVM::MapaOp::create(
        b, LLVM::LLVMPointerType::get(b.getContext(), SharedCluster), own,
        b.i32(rank)));
}

void ClusterSums::publish(KernelBuilder &b, ArrayRef<Value> values,
                          int64_t first) {
  auto type = VectorType::get({kChunkValues}, b.getF32Type());
  for (size_t i = 0; i < values.size(); i += kChunkValues) {
    Value chunk = LLVM::UndefOp::create(b, type);
    for (int64_t j = 0; j < kChunkValues; ++j)
      chunk = LLVM::InsertElementOp::create(b, chunk, values[i + j], b.i32(j));
    int64_t number = first * kChunks + i / kChunkValues;
    b.store(chunk, b.advance(own, number * getChunkBytes()), 16);
  }
}

SmallVector<Value> ClusterSums::add(KernelBuilder &b, Value group,
                                    Value distance) {
  auto type = VectorType::get({kChunkValues}, b.getF32Type());
  Value offset = b.mul(group, kChunks * getChunkBytes());
  if (distance)
    offset = b.add(offset, b.mul(distance, 32 * kChunkValues * 4));
  SmallVector<Value> values;
  for (int64_t chunk = 0; chunk < kChunks; ++chunk) {
    Value sum;
    for (Value block : blocks) {
      Value part =
          b.load(b.advance(b.advance(block, offset), chunk * getChunkBytes()),
                 type, 16);
      sum = sum ? LLVM::FAddOp::create(b, sum, part) : part;
    }
    for (int64_t j = 0; j < kChunkValues; ++j)
      values.push_back(LLVM::ExtractElementOp::create(b, sum, b.i32(j)));
  }
  return values;
}
