//===- RowSumFunction.cpp - Row-piece SpMM: the kernel --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/ContractionsToGPU/Plan/ContractionSignature.h"
#include "Conversion/ContractionsToGPU/Wgmma/Load/RowBits.h"
#include "Conversion/ContractionsToGPU/Wgmma/Loop/LiveSample.h"
#include "Conversion/ContractionsToGPU/Wgmma/Loop/TileLoop.h"
#include "GPU/Kernel/KernelFunction.h"
#include "GPU/Kernel/SharedMemory.h"
#include "RowSums.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

Value mlir::pit::hopper::getOffsetOfA(KernelBuilder &b,
                                      const RowSumKernel &kernel, Value stage) {
  constexpr int64_t kBytesOfA = RowSumKernel::kBytesOfA;
  if (!kernel.hasFewRows())
    return b.mul(stage, kBytesOfA);
  // Of each 16 rows of an instruction's, one stage has the first eight, one the
  // others: what an instruction reads besides its own rows, nobody adds.
  constexpr int64_t kBytesOfEight = 8 * RowSumKernel::kDepth * 2;
  return b.add(b.mul(b.shiftRight(stage, 1), kBytesOfA),
               b.mul(b.bitAnd(stage, 1), kBytesOfEight));
}

Value mlir::pit::hopper::getOffsetOfB(KernelBuilder &b,
                                      const RowSumKernel &kernel, Value stage) {
  constexpr int64_t kBytesOfB = RowSumKernel::kBytesOfB;
  return b.add(b.mul(stage, kBytesOfB),
               RowSumKernel::kSumOffset - kernel.stages * kBytesOfB);
}

/// Threads that read a stage, or take turns.
static constexpr unsigned kReaders = 128;
static constexpr int64_t kBytesOfBarrier = 8;

PipelineShape mlir::pit::hopper::getPipelineShape(const RowSumKernel &kernel) {
  PipelineShape shape;
  // Stages have no size of their own: A and B lie apart, see getOffsetOfA.
  shape.stages = kernel.stages;
  shape.fullOffset = RowSumKernel::kBarrierOffset;
  shape.emptyOffset =
      shape.fullOffset + kBytesOfBarrier * RowSumKernel::kMostStages;
  shape.emptyArrivals = kReaders;
  return shape;
}

/// Barriers of turns lie behind those of stages.
Value RowSumState::getTurnBarrier(KernelBuilder &b, Value consumer,
                                  int64_t part) const {
  int64_t first =
      2 * RowSumKernel::kMostStages + part * RowSumKernel::kConsumers;
  return b.advance(
      shared, b.add(b.mul(consumer, kBytesOfBarrier),
                    RowSumKernel::kBarrierOffset + kBytesOfBarrier * first));
}

Value RowSumState::getNote(KernelBuilder &b, Value stage, Value phase) const {
  Value number = b.add(b.mul(stage, 2), phase);
  return b.advance(shared, b.add(b.mul(number, RowSumKernel::kNoteBytes),
                                 RowSumKernel::kNoteOffset));
}
TilePosition RowSumState::getTile(KernelBuilder &b, Value number) const {
  Value column = b.divide(number, tilesM);
  Value row = b.sub(number, b.mul(column, tilesM));
  return {b.mul(row, RowSumKernel::kTileRows),
          b.mul(column, RowSumKernel::kTileColumns), Value(), Value()};
}

static RowSumArguments readRowSumArguments(ParameterReader &reader) {
  RowSumArguments arguments;
  arguments.baseA = reader.read("baseA");
  arguments.tensorMapB = reader.read("tensorMapB");
  arguments.baseC = reader.read("baseC");
  arguments.bitmap = reader.read("bitmap");
  arguments.m = reader.read("m");
  arguments.n = reader.read("n");
  arguments.k = reader.read("k");
  arguments.strideA = reader.read("strideA");
  arguments.strideC = reader.read("strideC");
  arguments.wordsOfPiece = reader.read("wordsOfPiece");
  return arguments;
}

static void initBarriers(KernelBuilder &b, const RowSumKernel &kernel,
                         const RowSumState &state) {
  // A stage: its warp's copies, the thread that says how many bytes of B come,
  // and the same behind the numbers of rows.
  constexpr int64_t kFullArrivals = 34;
  b.ifThen(b.isEqual(state.thread, 0), [&] {
    Ring(b, getPipelineShape(kernel), state, /*needsFence=*/false)
        .initBarriers(kFullArrivals);
    for (int64_t i = 0; i < RowSumKernel::kConsumers; ++i)
      for (int64_t part = 0; part < kernel.getNumParts(); ++part)
        b.initBarrier(state.getTurnBarrier(b, b.i32(i), part), kReaders);
    b.fenceBarrierInit();
  });
  b.syncBlock();
}

/// Gathers, multiplies and adds what is live.
static void emitRowSums(KernelBuilder &b, const RowSumKernel &kernel,
                        const RowSumState &state) {
  initBarriers(b, kernel, state);
  constexpr int64_t kConsumerWarps = 4 * RowSumKernel::kConsumers;
  b.ifThenElse(
      b.isLess(state.warp, b.i32(kConsumerWarps)),
      [&] { emitRowSumConsumer(b, kernel, state); },
      [&] {
        b.ifThen(b.isLess(state.warp, b.i32(kConsumerWarps + kernel.stages)),
                 [&] { emitRowSumLoader(b, kernel, state); });
      });
}

/// With the steps that so many live rows call for: up to 2.3 %, measured, of 32
/// rows of two pieces.
static void emitRowSumsByCount(KernelBuilder &b, const RowSumKernel &kernel,
                               const RowSumState &state,
                               const LiveSample &sample) {
  constexpr int64_t kMostPermilleOfFewRows = 23;
  b.ifThenElse(
      isWorthSkipping(
          b, RowBits::kRowsOfWord * kLiveUnit * kMostPermilleOfFewRows / 1000,
          sample),
      [&] { emitRowSums(b, kernel.withFewRows(), state); },
      [&] { emitRowSums(b, kernel, state); });
}

/// How many rows are live in some of the words.
static LiveSample emitLook(KernelBuilder &b, const RowSumState &state) {
  const RowSumArguments &arguments = state.arguments;
  return emitSample(
      b, state, RowSumKernel::kThreads,
      b.mul(state.pieces, arguments.wordsOfPiece), [&](Value place) -> Value {
        Value word =
            b.load(b.advance(arguments.bitmap, b.mul(b.extend(place), 4)),
                   b.getI32Type(), 4);
        return LLVM::CtPopOp::create(b, b.getI32Type(), word);
      });
}

/// Where little is dead of masked rows, to clear it costs least: measured, up
/// to 45 %. Where more is, that takes longer than a step's products.
static void emitDense(KernelBuilder &b, const ContractionKernel &dense,
                      const KernelState &state, const LiveSample &sample) {
  if (!dense.masksRows())
    return emitTileLoop(b, dense, state);
  // Of a last word with few rows this errs, which costs time alone.
  constexpr int64_t kMostPercentToReadZeros = 55;
  ContractionKernel clearing = dense;
  clearing.clearsRows = true;
  b.ifThenElse(
      isWorthSkipping(
          b, RowBits::kRowsOfWord * kLiveUnit * kMostPercentToReadZeros / 100,
          sample),
      [&] { emitTileLoop(b, dense, state); },
      [&] { emitTileLoop(b, clearing, state); });
}

FailureOr<LLVM::LLVMFuncOp>
mlir::pit::hopper::buildRowSumKernel(gpu::GPUModuleOp module, Location loc,
                                     StringRef name, const RowSumKernel &kernel,
                                     const KernelSignature &signature) {
  LLVM::GlobalOp memory = getDynamicSharedMemory(module, loc);
  auto outside = ImplicitLocOpBuilder::atBlockEnd(loc, module.getBody());
  FailureOr<LLVM::LLVMFuncOp> function =
      createKernelFunction(outside, name, signature, RowSumKernel::kThreads,
                           /*blocksAtOnce=*/1);
  if (failed(function))
    return failure();
  ParameterReader reader(signature, *function);
  RowSumState state;
  state.arguments = readRowSumArguments(reader);
  KernelArguments ofDense;
  if (kernel.dense)
    ofDense = readArguments(reader, *kernel.dense, kDensePrefix);
  if (failed(reader.finish()))
    return failure();

  KernelBuilder b(loc, module.getContext());
  b.setInsertionPointToStart(&function->getBody().front());
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
  LiveSample sample = emitLook(b, state);
  auto emitSums = [&] { emitRowSumsByCount(b, kernel, state, sample); };
  if (kernel.dense) {
    // It knows what is dead by the same bits.
    ofDense.bitmap = arguments.bitmap;
    KernelState denseState = createState(b, memory, *kernel.dense, ofDense);
    b.ifThenElse(isWorthSkipping(b, kernel.mostLive, sample), emitSums,
                 [&] { emitDense(b, *kernel.dense, denseState, sample); });
  } else {
    emitSums();
  }
  LLVM::ReturnOp::create(b, ValueRange());
  return function;
}
