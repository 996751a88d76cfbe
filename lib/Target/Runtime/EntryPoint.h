//===- EntryPoint.h - Host functions as functions of the C ABI --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A host function of straight-line code, and the functions of the C ABI that
// it becomes. Loops in it are around functions of straight-line code.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_TARGET_RUNTIME_ENTRYPOINT_H
#define PIT_LIB_TARGET_RUNTIME_ENTRYPOINT_H

#include "CallBuilder.h"
#include "Checks.h"
#include "Images.h"

#include "PIT/Dialect/PIT/IR/PITLaunch.h"
#include "PIT/Target/Runtime/Program.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::pit {

/// Reports names of the C ABI that are not free.
LogicalResult checkNames(func::FuncOp function, ModuleOp module);

/// Reports argument and result types that the runtime cannot pass.
LogicalResult checkSignature(func::FuncOp function);

/// Reports what a function must not hold that launches kernels.
LogicalResult checkHostFunction(func::FuncOp function);

/// Reports what keeps a function from running on the CPU behind an entry point.
LogicalResult checkCPUFunction(func::FuncOp function);

/// The allocation that a value is a view of all elements of, or null.
memref::AllocOp findAllocation(Value value);

/// Whether the value is the number of an iteration, in the body of a loop.
bool isIteration(Value value);

/// Builds one function of the C ABI: what they have in common.
class FunctionBuilder {
public:
  FunctionBuilder(func::FuncOp source, ModuleOp module)
      : source(source), module(module),
        builder(source.getLoc(), source.getContext()), calls(builder, module),
        converter(source.getContext()) {}

protected:
  /// Starts the function and its call; `leading` and `trailing` are the types
  /// around those of the arguments.
  void begin(StringRef suffix, TypeRange leading, unsigned numResults,
             TypeRange trailing);
  void end();
  /// Attaches what hosts have to know of the function.
  void describe();

  /// Maps the arguments to what the caller passes; argument numbers start
  /// behind the leading ones.
  void readArguments(unsigned first);
  /// Emits, for each check, the runtime call that gets whether it holds.
  void callChecks();
  /// A scalar argument from what C passes for it.
  Value readScalar(Value passed, Type type);
  /// Makes a value of the source again, with everything it is computed from.
  Value remake(Value value);
  /// Extents of a buffer, without reading its descriptor where it is
  /// allocated here.
  SmallVector<Value> getExtents(Value buffer);
  /// Extents of what is returned.
  SmallVector<Value> getResultExtents(unsigned number);
  /// Bytes of a buffer of these extents.
  Value getBytes(MemRefType type, ArrayRef<Value> extents);
  /// Finds the allocations that a function returns.
  void findResults(func::FuncOp of);
  /// Has the caller's result checked; returns its address.
  Value passResult(unsigned number, MemRefType type, Value passed,
                   ValueRange extents);
  /// Finds the results and assigns every other allocation its place in the
  /// workspace; returns the bytes of all. Bodies of loops have theirs there.
  Value layOutWorkspace();
  void layOut(func::FuncOp from, Value &total);
  void passExtents(HostLoopOp loop);
  /// A row-major buffer at an address, as a memref.
  Value makeBuffer(MemRefType type, Value address, ArrayRef<Value> extents);
  /// An array of a type's extents, -1 for those only known at run time.
  Value makeStaticExtents(MemRefType type);
  bool isStatus(unsigned argument);

  func::FuncOp source;
  ModuleOp module;
  ImplicitLocOpBuilder builder;
  RuntimeCalls calls;
  LLVMTypeConverter converter;
  IRMapping mapping;
  func::FuncOp function;
  Value frame;
  /// The allocations that are returned, with the number of the result.
  DenseMap<Operation *, unsigned> resultOf;
  /// Offsets of the other ones, in bytes.
  DenseMap<Operation *, Value> offsets;
};

/// Builds `pit_NAME_shapes`.
class ShapesFunction : FunctionBuilder {
public:
  using FunctionBuilder::FunctionBuilder;
  /// Without a workspace, everything comes from the heap.
  void build(bool usesWorkspace);
};

/// Builds `pit_NAME` for code that runs on the CPU.
class CPUEntryPoint : FunctionBuilder {
public:
  using FunctionBuilder::FunctionBuilder;
  void build();

private:
  SmallVector<Value> emitBody();
  void emitResults(ValueRange returned, unsigned firstResult);
  void freeReturned(ValueRange returned);

  /// Of the caller's tensor results, by number.
  DenseMap<unsigned, Value> addresses;
  DenseMap<unsigned, SmallVector<Value>> extents;
};

/// Builds `pit_NAME` for code that launches kernels.
class EntryPoint : FunctionBuilder {
public:
  EntryPoint(func::FuncOp source, ModuleOp module, Images &images)
      : FunctionBuilder(source, module), images(images) {}
  LogicalResult build();

private:
  LogicalResult loadImages();
  LogicalResult loadImages(func::FuncOp from, int64_t &numArguments,
                           bool &usesConstants);
  void placeBuffers(unsigned firstResult);
  void placeBuffers(func::FuncOp from, Value workspace, unsigned firstResult);
  void mapStatus(func::FuncOp of);
  LogicalResult emit(Operation *op);
  LogicalResult emitBody(func::FuncOp body);
  LogicalResult emitLoop(HostLoopOp loop);
  LogicalResult emitIteration(HostLoopOp loop, Value iteration, ValueRange from,
                              ValueRange to);
  Value countIterations(HostLoopOp loop);
  Value getPointer(Value buffer);
  LogicalResult emitLaunch(gpu::LaunchFuncOp launch);
  LogicalResult emitConstant(memref::GetGlobalOp global);
  LogicalResult emitTensorMap(Operation *op);
  void emitResults(unsigned firstResult);
  Value getAddress(Value buffer);

  Images &images;
  /// Per binary, and that of the constants.
  DenseMap<Operation *, Value> modules;
  Value constants;
  /// Space for the arguments of one launch, and which of the pointers do not
  /// point there.
  Value values, pointers, sizes;
  llvm::SmallVector<bool> redirected;
};

} // namespace mlir::pit

#endif // PIT_LIB_TARGET_RUNTIME_ENTRYPOINT_H
