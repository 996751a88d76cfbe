//===- MMAKernel.cpp - A kernel with mma.sync as a function ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MMAKernel.h"
#include "GPU/Kernel/SharedMemory.h"
#include "MMATileLoop.h"
#include "MMATileProduct.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::mma;

bool MMAKernel::operator==(const MMAKernel &other) const {
  auto key = [](const MMAKernel &k) {
    return std::tuple(k.inputType, k.outputType, k.f32Products, k.layoutA,
                      k.layoutB, k.copyBytesA, k.copyBytesB, k.storeBytes,
                      k.rowNumberType, k.gathersA, k.scattersC, k.countsRows,
                      k.segmented, k.segmentsC, k.tailM, k.tailN, k.tailK,
                      k.tileM, k.tileN, k.tileK, k.stages, k.groupM, k.warpM,
                      k.warpN, k.products);
  };
  if (key(*this) != key(other) || !epilogue || !other.epilogue)
    return key(*this) == key(other) && !epilogue && !other.epilogue;
  return *epilogue == *other.epilogue;
}

Value mlir::pit::mma::readRowNumber(MMABuilder &b, const MMAKernel &kernel,
                                    const MMAState &state, Value packed) {
  int64_t width = kernel.rowNumberType.getIntOrFloatBitWidth() / 8;
  return b.load(
      b.advance(state.arguments.rowNumbers, b.mul(b.extend(packed), width)),
      kernel.rowNumberType);
}

static LLVM::LLVMFuncOp createFunction(ImplicitLocOpBuilder &b, StringRef name,
                                       const MMAKernel &kernel,
                                       SmallVectorImpl<Value *> &order,
                                       MMAArguments &arguments) {
  Type global = LLVM::LLVMPointerType::get(b.getContext(), hopper::Global);
  SmallVector<Type> types;
  auto take = [&](MutableArrayRef<Value> values, Type type) {
    for (Value &value : values)
      order.push_back(&value);
    types.append(values.size(), type);
  };
  int64_t numInputs = 1 + kernel.products;
  take(MutableArrayRef(arguments.bases).take_front(numInputs), global);
  take(arguments.baseC, global);
  if (kernel.rowNumberType)
    take(arguments.rowNumbers, global);
  if (kernel.countsRows)
    take(arguments.count, global);
  if (kernel.segmented)
    take(arguments.offsets, global);
  for (Value *extent : {&arguments.m, &arguments.n, &arguments.k})
    take(*extent, b.getI32Type());
  take(MutableArrayRef(arguments.strides).take_front(numInputs),
       b.getI32Type());
  take(arguments.strideC, b.getI32Type());
  if (kernel.segmented)
    take(MutableArrayRef(arguments.segmentStrides)
             .take_front(numInputs)
             .drop_front(),
         b.getI64Type());
  if (kernel.segmentsC)
    take(arguments.segmentStrideC, b.getI64Type());
  if (kernel.segmented)
    take(arguments.numSegments, b.getI32Type());
  arguments.operands.resize(kernel.epilogue ? kernel.epilogue->operands.size()
                                            : 0);
  take(arguments.operands, global);

  auto function = LLVM::LLVMFuncOp::create(
      b, name,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                  types));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                    b.getUnitAttr());
  function->setAttr(
      NVVM::NVVMDialect::getReqntidAttrName(),
      b.getDenseI32ArrayAttr({int32_t(kernel.getNumThreads()), 1, 1}));
  // As many blocks at a time as have 128 registers for each thread. Otherwise
  // the assembler aims at more of them, and some registers are spilled.
  constexpr int64_t kThreads = 512;
  if (kernel.usesThreads())
    function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                      b.getI32IntegerAttr(kThreads / kernel.getNumThreads()));
  return function;
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
  if (kernel.countsRows)
    state.numRows = b.minimum(
        arith::TruncIOp::create(b, b.getI32Type(),
                                b.load(arguments.count, b.getI64Type())),
        arguments.m);
  return state;
}

LLVM::LLVMFuncOp mlir::pit::mma::buildMMAKernel(gpu::GPUModuleOp module,
                                                Location loc, StringRef name,
                                                const MMAKernel &kernel) {
  LLVM::GlobalOp memory = hopper::getDynamicSharedMemory(module, loc);
  auto outside = ImplicitLocOpBuilder::atBlockEnd(loc, module.getBody());
  MMAArguments arguments;
  SmallVector<Value *> order;
  LLVM::LLVMFuncOp function =
      createFunction(outside, name, kernel, order, arguments);
  Block *entry = function.addEntryBlock(outside);
  for (auto [value, argument] : llvm::zip_equal(order, entry->getArguments()))
    *value = argument;

  MMABuilder builder(loc, module.getContext());
  builder.setInsertionPointToStart(entry);
  MMAState state = createState(builder, memory, kernel, arguments);
  TileProduct product(kernel, state);
  product.prepare(builder);
  forEachTile(builder, kernel, state,
              [&](TilePosition tile) { product.compute(builder, tile); });
  LLVM::ReturnOp::create(builder, ValueRange());
  return function;
}
