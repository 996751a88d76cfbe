//===- MMAFunction.cpp - A kernel with mma.sync as a function -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MMAFunction.h"
#include "Conversion/ContractionsToGPU/Plan/ContractionSignature.h"
#include "GPU/Kernel/KernelFunction.h"
#include "GPU/Kernel/SharedMemory.h"
#include "MMATileLoop.h"
#include "MMATileProduct.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::mma;

static MMAArguments readArguments(ParameterReader &reader,
                                  const MMAKernel &kernel) {
  // What the kernel makes use of, whatever the signature says.
  KernelSignature used = getSignature(kernel.inputType.getContext(), kernel);
  auto readIfUsed = [&](StringRef name) {
    return used.has(name) ? reader.read(name) : Value();
  };
  MMAArguments arguments;
  for (auto [names, values] :
       {std::pair(ArrayRef(kBaseNames), MutableArrayRef(arguments.bases)),
        std::pair(ArrayRef(kStrideNames), MutableArrayRef(arguments.strides)),
        std::pair(ArrayRef(kSegmentStrideNames),
                  MutableArrayRef(arguments.segmentStrides))})
    for (auto [name, value] : llvm::zip_equal(names, values))
      value = readIfUsed(name);
  arguments.baseC = reader.read("baseC");
  arguments.rowNumbers = readIfUsed("rowNumbers");
  arguments.count = readIfUsed("count");
  arguments.offsets = readIfUsed("offsets");
  arguments.m = reader.read("m");
  arguments.n = reader.read("n");
  arguments.k = reader.read("k");
  arguments.strideC = reader.read("strideC");
  arguments.segmentStrideC = readIfUsed("segmentStrideC");
  arguments.numSegments = readIfUsed("numSegments");
  arguments.numBatches = readIfUsed("numBatches");
  for (unsigned i = 0; i < kernel.getNumOperands(); ++i)
    arguments.operands.push_back(reader.read(hopper::getOperandName(i)));
  return arguments;
}

static MMAState createState(MMABuilder &b, LLVM::GlobalOp memory,
                            const MMAKernel &kernel,
                            const MMAArguments &arguments) {
  MMAState state;
  state.arguments = arguments;
  state.shared = LLVM::AddressOfOp::create(b, memory);
  state.thread = b.threadId();
  state.lane = b.bitAnd(state.thread, 31);
  // Known to be the same in a whole warp, what follows from it stays in uniform
  // registers.
  state.warp = b.broadcastFirstLane(b.shiftRight(state.thread, 5));
  state.numRows = arguments.m;
  state.depth = arguments.k;
  if (kernel.countType) {
    Value &extent = kernel.gathersK ? state.depth : state.numRows;
    extent = b.minimum(
        arith::TruncIOp::create(b, b.getI32Type(),
                                b.load(arguments.count, b.getI64Type())),
        extent);
  }
  return state;
}

/// Whether rows, batches and the columns of C come in multiples of 16 bytes.
static Value isAligned(MMABuilder &b, const MMAKernel &kernel,
                       const MMAArguments &arguments) {
  constexpr int64_t kBytes = 16;
  int64_t outputBytes = kernel.outputType.getIntOrFloatBitWidth() / 8;
  SmallVector<std::pair<Value, int64_t>> distances{
      {arguments.strideC, outputBytes},
      {arguments.n, outputBytes},
      {arguments.segmentStrideC, outputBytes}};
  for (Value distance : arguments.strides)
    distances.push_back({distance, kernel.getElementBytes()});
  for (Value distance : arguments.segmentStrides)
    distances.push_back({distance, kernel.getElementBytes()});
  Value rest = b.i32(0);
  for (auto [distance, bytes] : distances) {
    if (!distance)
      continue;
    if (!distance.getType().isInteger(32))
      distance = arith::TruncIOp::create(b, b.getI32Type(), distance);
    rest = b.bitOr(rest, b.bitAnd(b.mul(distance, bytes), kBytes - 1));
  }
  return b.isEqual(rest, 0);
}

FailureOr<LLVM::LLVMFuncOp>
mlir::pit::mma::buildMMAKernel(gpu::GPUModuleOp module, Location loc,
                               StringRef name, const MMAKernel &kernel,
                               const KernelSignature &signature) {
  LLVM::GlobalOp memory = hopper::getDynamicSharedMemory(module, loc);
  auto outside = ImplicitLocOpBuilder::atBlockEnd(loc, module.getBody());
  // As many blocks at a time as have 255 registers for each thread, which
  // parts of 8 x 8 sums take with operands along k and tails, or 168 for
  // smaller ones. Otherwise the assembler aims at other numbers, and some
  // registers are spilled. The same holds for sums of f64, of two registers.
  constexpr int64_t kThreads = 384, kFewThreads = 256, kManySums = 64;
  std::optional<int64_t> blocksAtOnce;
  bool hasManyF64 =
      kernel.inputType.isF64() && 2 * kernel.getNumSums() >= kManySums;
  if (kernel.usesThreads() || hasManyF64) {
    bool takesMost = kernel.getNumSums() >= kManySums || kernel.products > 1;
    blocksAtOnce = std::max<int64_t>(1, (takesMost ? kFewThreads : kThreads) /
                                            kernel.getNumThreads());
  }
  FailureOr<LLVM::LLVMFuncOp> function = createKernelFunction(
      outside, name, signature, kernel.getNumThreads(), blocksAtOnce);
  if (failed(function))
    return failure();
  ParameterReader reader(signature, *function);
  MMAArguments arguments = readArguments(reader, kernel);
  if (failed(reader.finish()))
    return failure();

  MMABuilder builder(loc, module.getContext());
  builder.setInsertionPointToStart(&function->getBody().front());
  MMAState state = createState(builder, memory, kernel, arguments);
  auto compute = [&](const MMAKernel &kernel) {
    TileProduct product(kernel, state);
    product.prepare(builder);
    forEachTile(builder, kernel, state,
                [&](TilePosition tile) { product.compute(builder, tile); });
  };
  auto computeAligned = [&](const MMAKernel &kernel) {
    if (kernel.asksAlignment)
      builder.ifThenElse(
          isAligned(builder, kernel, arguments),
          [&] { compute(kernel.getAligned()); }, [&] { compute(kernel); });
    else
      compute(kernel);
  };
  if (kernel.asksExtents)
    builder.ifThenElse(
        builder.isLess(countTiles(builder, kernel, state),
                       builder.i32(kernel.getFewTiles())),
        [&] { computeAligned(*kernel.getSmall()); },
        [&] { computeAligned(kernel); });
  else
    computeAligned(kernel);
  LLVM::ReturnOp::create(builder, ValueRange());
  return function;
}
