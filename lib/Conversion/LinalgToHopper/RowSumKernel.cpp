//===- RowSumKernel.cpp - The kernel of live pieces of rows ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelFunction.h"
#include "RowSums.h"
#include "SharedMemory.h"

using namespace mlir;
using namespace mlir::pit::hopper;

static Value getBarrier(KernelBuilder &b, const RowSumState &state, Value i,
                        int64_t first) {
  return b.advance(
      state.shared,
      b.add(b.mul(i, 8), RowSumKernel::kBarrierOffset + 8 * first));
}
Value RowSumState::getFullBarrier(KernelBuilder &b, Value stage) const {
  return getBarrier(b, *this, stage, 0);
}
Value RowSumState::getEmptyBarrier(KernelBuilder &b, Value stage) const {
  return getBarrier(b, *this, stage, RowSumKernel::kStages);
}
Value RowSumState::getTurnBarrier(KernelBuilder &b, Value consumer) const {
  return getBarrier(b, *this, consumer, 2 * RowSumKernel::kStages);
}
Value RowSumState::getNote(KernelBuilder &b, Value stage) const {
  return b.advance(shared, b.add(b.mul(stage, RowSumKernel::kNoteBytes),
                                 RowSumKernel::kNoteOffset));
}
TilePosition RowSumState::getTile(KernelBuilder &b, Value number) const {
  Value column = b.divide(number, tilesM);
  Value row = b.sub(number, b.mul(column, tilesM));
  return {b.mul(row, RowSumKernel::kTileRows),
          b.mul(column, RowSumKernel::kTileColumns), Value(), Value()};
}

static LLVM::LLVMFuncOp createFunction(ImplicitLocOpBuilder &b, StringRef name,
                                       RowSumArguments &arguments) {
  MLIRContext *context = b.getContext();
  Type generic = LLVM::LLVMPointerType::get(context);
  Type global = LLVM::LLVMPointerType::get(context, Global);
  DictionaryAttr plain = b.getDictionaryAttr({});
  Value *order[] = {&arguments.baseA,   &arguments.tensorMapB,
                    &arguments.baseC,   &arguments.bitmap,
                    &arguments.m,       &arguments.n,
                    &arguments.k,       &arguments.strideA,
                    &arguments.strideC, &arguments.wordsOfPiece};
  SmallVector<Type> types{global, generic, global, global};
  types.append(std::size(order) - types.size(), b.getI32Type());
  SmallVector<DictionaryAttr> attributes(types.size(), plain);
  attributes[1] = getTensorMapAttributes(b);
  LLVM::LLVMFuncOp function =
      createKernelFunction(b, name, types, attributes, RowSumKernel::kThreads);
  Block *entry = function.addEntryBlock(b);
  for (auto [value, argument] : llvm::zip_equal(order, entry->getArguments()))
    *value = argument;
  return function;
}

static void initBarriers(KernelBuilder &b, const RowSumState &state) {
  // A stage: its warp's copies, the thread that says how many bytes of B come,
  // and the same behind the numbers of rows.
  constexpr unsigned kFullArrivals = 34, kWarps = 4;
  b.ifThen(b.isEqual(state.thread, 0), [&] {
    for (int64_t i = 0; i < RowSumKernel::kStages; ++i) {
      b.initBarrier(state.getFullBarrier(b, b.i32(i)), kFullArrivals);
      b.initBarrier(state.getEmptyBarrier(b, b.i32(i)), kWarps);
    }
    for (int64_t i = 0; i < RowSumKernel::kConsumers; ++i)
      b.initBarrier(state.getTurnBarrier(b, b.i32(i)), kWarps);
    b.fenceBarrierInit();
  });
  b.syncBlock();
}

LLVM::LLVMFuncOp
mlir::pit::hopper::buildRowSumKernel(gpu::GPUModuleOp module, Location loc,
                                     StringRef name,
                                     const RowSumKernel &kernel) {
  LLVM::GlobalOp memory = getDynamicSharedMemory(module, loc);
  auto outside = ImplicitLocOpBuilder::atBlockEnd(loc, module.getBody());
  RowSumState state;
  LLVM::LLVMFuncOp function = createFunction(outside, name, state.arguments);

  KernelBuilder b(loc, module.getContext());
  b.setInsertionPointToStart(&function.getBody().front());
  state.shared = LLVM::AddressOfOp::create(b, memory);
  state.sharedAddress =
      LLVM::PtrToIntOp::create(b, b.getI32Type(), state.shared);
  state.thread = b.threadId();
  state.lane = b.bitAnd(state.thread, 31);
  state.warp = b.broadcastFirstLane(b.shiftRight(state.thread, 5));
  const RowSumArguments &arguments = state.arguments;
  state.tilesM = b.ceilDivide(arguments.m, RowSumKernel::kTileRows);
  state.tiles = b.mul(state.tilesM,
                      b.ceilDivide(arguments.n, RowSumKernel::kTileColumns));
  state.pieces = b.ceilDivide(arguments.k, RowSumKernel::kDepth);
  initBarriers(b, state);
  b.ifThenElse(
      b.isLess(state.warp, b.i32(4 * RowSumKernel::kConsumers)),
      [&] { emitRowSumConsumer(b, kernel, state); },
      [&] { emitRowSumLoader(b, kernel, state); });
  LLVM::ReturnOp::create(b, ValueRange());
  return function;
}
