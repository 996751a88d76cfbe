//===- EntryPoint.cpp - Entry points that launch --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryPoint.h"
#include "PIT/Dialect/PIT/IR/PITLaunch.h"
#include "PIT/Target/PTX/PTX.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using namespace mlir::pit;

/// Kernels take buffers by the address of their element 0.
Value EntryPoint::getAddress(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(builder, buffer);
  if (type.getStridesAndOffset().second == 0)
    return base;
  // The aligned pointer is that of the whole buffer.
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, buffer);
  Value bytes = arith::ConstantIndexOp::create(
      builder, getElementBytes(type.getElementType()));
  return arith::AddIOp::create(
      builder, base,
      arith::MulIOp::create(builder, metadata.getOffset(), bytes));
}

Value EntryPoint::getPointer(Value buffer) {
  return LLVM::IntToPtrOp::create(builder, calls.pointerType(),
                                  calls.toI64(getAddress(buffer)));
}

static gpu::BinaryOp findBinary(gpu::LaunchFuncOp launch) {
  return SymbolTable::lookupNearestSymbolFrom<gpu::BinaryOp>(
      launch, launch.getKernelModuleName());
}

LogicalResult EntryPoint::loadImages(func::FuncOp from, int64_t &numArguments,
                                     bool &usesConstants) {
  for (Operation &op : from.getBody().front()) {
    usesConstants |= isa<memref::GetGlobalOp>(op);
    if (auto loop = dyn_cast<HostLoopOp>(op)) {
      if (failed(loadImages(loop.findBody(), numArguments, usesConstants)))
        return failure();
      continue;
    }
    auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
    if (!launch)
      continue;
    numArguments =
        std::max<int64_t>(numArguments, launch.getNumKernelOperands());
    gpu::BinaryOp binary = findBinary(launch);
    if (!binary)
      return launch.emitOpError("launches '")
             << launch.getKernel() << "', which is in no gpu.binary";
    if (modules.contains(binary))
      continue;
    FailureOr<LLVM::GlobalOp> image = images.getCode(binary);
    if (failed(image))
      return failure();
    modules[binary] = calls.call(
        "pit_rt_module", {frame, calls.address(*image)}, calls.pointerType());
  }
  return success();
}

LogicalResult EntryPoint::loadImages() {
  int64_t numArguments = 0;
  bool usesConstants = false;
  if (failed(loadImages(source, numArguments, usesConstants)))
    return failure();
  if (usesConstants)
    constants = calls.call("pit_rt_module",
                           {frame, calls.address(images.getConstants())},
                           calls.pointerType());
  if (modules.empty())
    return success();
  sizes = calls.allocate(builder.getI64Type(), 10);
  values = calls.allocate(builder.getI64Type(), numArguments + 1);
  pointers = calls.allocate(calls.pointerType(), numArguments + 1);
  redirected.assign(size_t(numArguments), true);
  return success();
}

/// Results go where the caller says, everything else into the workspace.
void EntryPoint::placeBuffers(unsigned firstResult) {
  Value total = layOutWorkspace();
  unsigned numArguments = function.getNumArguments();
  Value workspace =
      calls.call("pit_rt_workspace",
                 {frame, function.getArgument(numArguments - 2),
                  function.getArgument(numArguments - 1), calls.toI64(total)},
                 calls.pointerType());
  placeBuffers(source, workspace, firstResult);
}

/// What the body of a loop returns lies where the iteration puts it.
void EntryPoint::placeBuffers(func::FuncOp from, Value workspace,
                              unsigned firstResult) {
  Block &body = from.getBody().front();
  for (auto alloc : body.getOps<memref::AllocOp>()) {
    MemRefType type = alloc.getType();
    SmallVector<Value> extents = getExtents(alloc);
    auto result = resultOf.find(alloc);
    Value address;
    if (result == resultOf.end()) {
      address = LLVM::GEPOp::create(
          builder, calls.pointerType(), builder.getI8Type(), workspace,
          ArrayRef<LLVM::GEPArg>{calls.toI64(offsets.lookup(alloc))});
    } else if (from != source) {
      continue;
    } else {
      // The caller sees the type that is returned, which may be a view's.
      Value returned = body.getTerminator()->getOperand(result->second);
      auto returnedType = cast<MemRefType>(returned.getType());
      address = passResult(result->second, returnedType,
                           function.getArgument(firstResult + result->second),
                           getExtents(returned));
    }
    mapping.map(alloc.getResult(), makeBuffer(type, address, extents));
  }
  for (auto loop : body.getOps<HostLoopOp>())
    placeBuffers(loop.findBody(), workspace, firstResult);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult EntryPoint::emitLaunch(gpu::LaunchFuncOp launch) {
  gpu::BinaryOp binary = findBinary(launch);
  FailureOr<Images::Kernel> kernel =
      images.getKernel(binary, launch.getKernelName().getValue(), launch);
  if (failed(kernel))
    return failure();
  auto setSize = [&](int64_t i, Value size) {
    size = mapping.lookup(size);
    if (size.getType().isInteger(32))
      size = arith::ExtUIOp::create(builder, builder.getI64Type(), size);
    calls.store(size, sizes, i);
  };
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  Value extents[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
  for (auto [i, size] : llvm::enumerate(extents))
    setSize(int64_t(i), size);
  if (launch.hasClusterSize()) {
    gpu::KernelDim3 cluster = launch.getClusterSizeOperandValues();
    Value counts[] = {cluster.x, cluster.y, cluster.z};
    for (auto [i, size] : llvm::enumerate(counts))
      setSize(int64_t(6 + i), size);
  } else {
    for (int64_t i = 6; i < 9; ++i)
      calls.store(calls.i64(0), sizes, i);
  }
  if (Value shared = launch.getDynamicSharedMemorySize())
    setSize(9, shared);
  else
    calls.store(calls.i64(0), sizes, 9);

  for (auto [i, operand] : llvm::enumerate(launch.getKernelOperands())) {
    Value value = mapping.lookup(operand);
    Value pointer = calls.element(pointers, calls.pointerType(), int64_t(i));
    if (isa<nvgpu::TensorMapDescriptorType>(operand.getType())) {
      // By value: the driver copies all 128 bytes from here.
      LLVM::StoreOp::create(builder, value, pointer);
      redirected[i] = true;
      continue;
    }
    if (isa<MemRefType>(operand.getType()))
      value = getAddress(value);
    if (!value.getType().isIntOrIndexOrFloat() &&
        !isa<LLVM::LLVMPointerType>(value.getType()))
      return launch.emitOpError("passes a ")
             << operand.getType() << " to a kernel; known are buffers, "
             << "numbers and tensor maps";
    calls.store(value, values, int64_t(i));
    if (redirected[i])
      LLVM::StoreOp::create(
          builder, calls.element(values, builder.getI64Type(), int64_t(i)),
          pointer);
    redirected[i] = false;
  }
  calls.call(kernel->waits ? "pit_rt_launch_waiting" : "pit_rt_launch",
             {frame, modules.lookup(binary), calls.i64(kernel->number), sizes,
              pointers});
  return success();
}

LogicalResult EntryPoint::emitConstant(memref::GetGlobalOp op) {
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, op.getNameAttr());
  if (!global)
    return op.emitOpError("names a global that is not there");
  FailureOr<int64_t> number = images.getConstant(global, op);
  if (failed(number))
    return failure();
  Value address =
      calls.call("pit_rt_constant", {frame, constants, calls.i64(*number)},
                 calls.pointerType());
  mapping.map(op.getResult(), makeBuffer(cast<MemRefType>(op.getType()),
                                         address, getExtents(op.getResult())));
  return success();
}

LogicalResult EntryPoint::emitTensorMap(Operation *op) {
  TensorMap create = *getTensorMap(op);
  auto cast = create.tensor.getDefiningOp<memref::CastOp>();
  auto type =
      cast ? dyn_cast<MemRefType>(cast.getSource().getType()) : MemRefType();
  if (!type)
    return op->emitOpError("needs a buffer of known rank, cast to an "
                           "unranked one just before");
  int32_t dtype = getTensorMapDType(create.copied);
  size_t extents = create.window ? 2 : type.getRank();
  if (dtype == 0 || create.box.size() != extents)
    return op->emitOpError("needs a box extent per axis and elements of a "
                           "type that the runtime knows, not ")
           << type;
  nvgpu::TensorMapDescriptorType mapType = create.type;
  Value source = mapping.lookup(cast.getSource());
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, source);
  Value address = getPointer(source);
  SmallVector<Value> box;
  for (Value extent : create.box)
    box.push_back(mapping.lookup(extent));
  Value modes = calls.allocate(builder.getI32Type(), 4);
  const int64_t kinds[] = {
      int64_t(mapType.getInterleave()), int64_t(mapType.getSwizzle()),
      int64_t(mapType.getL2promo()), int64_t(mapType.getOob())};
  for (auto [i, mode] : llvm::enumerate(kinds))
    LLVM::StoreOp::create(
        builder, calls.i32(mode),
        calls.element(modes, builder.getI32Type(), int64_t(i)));
  Value map = calls.allocate(builder.getI64Type(), 16, /*alignment=*/64);
  SmallVector<Value> operands{frame,
                              map,
                              calls.i32(dtype),
                              calls.i32(type.getRank()),
                              address,
                              calls.makeArray(metadata.getSizes()),
                              calls.makeArray(metadata.getStrides()),
                              calls.makeArray(box)};
  if (WindowAttr window = create.window) {
    SmallVector<Value> numbers;
    for (DenseI64ArrayAttr field :
         {window.getLow(), window.getPositions(), window.getStrides()})
      for (int64_t number : field.asArrayRef())
        numbers.push_back(calls.i64(number));
    operands.push_back(calls.makeArray(numbers));
  }
  operands.push_back(modes);
  calls.call(create.window ? "pit_rt_window_map" : "pit_rt_tensor_map",
             operands);
  mapping.map(op->getResult(0), map);
  return success();
}

LogicalResult EntryPoint::emit(Operation *op) {
  if (isa<memref::AllocOp, memref::DeallocOp, func::ReturnOp>(op))
    return success();
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
    return emitLaunch(launch);
  if (auto loop = dyn_cast<HostLoopOp>(op))
    return emitLoop(loop);
  if (auto global = dyn_cast<memref::GetGlobalOp>(op))
    return emitConstant(global);
  if (getTensorMap(op))
    return emitTensorMap(op);
  if (auto signaled = dyn_cast<SignaledOp>(op)) {
    mapping.map(signaled.getResult(), mapping.lookup(signaled.getSource()));
    return success();
  }
  // Made for the sizes already.
  if (op->getNumResults() > 0 &&
      llvm::all_of(op->getResults(),
                   [&](Value value) { return mapping.contains(value); }))
    return success();
  builder.clone(*op, mapping);
  return success();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Copies what is returned and does not lie with the caller yet.
void EntryPoint::emitResults(unsigned firstResult) {
  Operation *terminator = source.getBody().front().getTerminator();
  llvm::SmallDenseSet<unsigned> placed;
  for (auto [alloc, number] : resultOf)
    if (alloc->getParentOp() == source)
      placed.insert(number);
  for (auto [i, returned] : llvm::enumerate(terminator->getOperands())) {
    Value passed = function.getArgument(firstResult + unsigned(i));
    Value value = mapping.lookup(returned);
    auto type = dyn_cast<MemRefType>(returned.getType());
    if (!type) {
      calls.store(value, passed, 0);
      continue;
    }
    if (placed.contains(unsigned(i)))
      continue;
    SmallVector<Value> extents = getExtents(returned);
    Value to = passResult(unsigned(i), type, passed, extents);
    calls.call("pit_rt_copy", {frame, to, getPointer(value),
                               calls.toI64(getBytes(type, extents))});
  }
}

void EntryPoint::mapStatus(func::FuncOp of) {
  for (BlockArgument argument : of.getArguments()) {
    if (!isStatusBuffer(of, argument.getArgNumber()))
      continue;
    mapping.map(
        argument,
        makeBuffer(cast<MemRefType>(argument.getType()),
                   calls.call("pit_rt_status", frame, calls.pointerType()),
                   {arith::ConstantIndexOp::create(builder, 4)}));
  }
}

LogicalResult EntryPoint::emitBody(func::FuncOp body) {
  for (Operation &op : body.getBody().front()) {
    builder.setLoc(op.getLoc());
    if (failed(emit(&op)))
      return failure();
  }
  return success();
}

LogicalResult EntryPoint::build() {
  Type pointer = calls.pointerType();
  unsigned numResults = source.getNumResults();
  begin("", {pointer, pointer}, numResults, {pointer, builder.getI64Type()});
  for (NamedAttribute attribute : source->getDiscardableAttrs())
    function->setAttr(attribute.getName(), attribute.getValue());
  describe();
  calls.call("pit_rt_begin",
             {frame, function.getArgument(0), function.getArgument(1)});
  readArguments(/*first=*/2);
  callChecks();
  mapStatus(source);
  if (failed(loadImages()))
    return failure();
  unsigned firstResult = function.getNumArguments() - numResults - 2;
  placeBuffers(firstResult);
  if (failed(emitBody(source)))
    return failure();
  builder.setLoc(source.getLoc());
  emitResults(firstResult);
  end();
  return success();
}
