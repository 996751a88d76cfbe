//===- FunctionBuilder.cpp - Arguments, sizes, shapes ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BranchExtents.h"
#include "EntryPoint.h"

#include "PIT/Dialect/PIT/IR/PITLaunch.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::pit;

/// What the runtime's own buffers are aligned to.
static constexpr int64_t kAlignment = 256;

//===----------------------------------------------------------------------===//
// What host functions may hold
//===----------------------------------------------------------------------===//

LogicalResult mlir::pit::checkNames(func::FuncOp function, ModuleOp module) {
  for (StringRef suffix : {"", "_shapes"}) {
    std::string name = ("pit_" + function.getName() + suffix).str();
    if (module.lookupSymbol(name))
      return function.emitOpError("needs the name '") << name << "', which is "
                                                      << "taken";
  }
  return success();
}

static LogicalResult checkType(Type type, const Twine &what, Location loc) {
  auto buffer = dyn_cast<MemRefType>(type);
  if (buffer && !buffer.getLayout().isIdentity())
    return emitError(loc, what)
           << " has type " << type << ", which is not in row-major order";
  Type element = buffer ? buffer.getElementType() : type;
  if (getRuntimeDType(element) == 0)
    return emitError(loc, what)
           << (buffer ? " has elements of type " : " has type ") << element
           << ", which the runtime cannot pass; it passes " << listDTypeNames()
           << " and index";
  return success();
}

/// Whether the host computes the value without looking at elements.
static bool isOfHost(Value value, bool inIteration) {
  Operation *def = value.getDefiningOp();
  if (!def)
    return inIteration || !isIteration(value);
  if (isa<memref::AllocOp>(def))
    return true;
  return isMemoryEffectFree(def) &&
         llvm::all_of(def->getOperands(), [&](Value operand) {
           return isOfHost(operand, inIteration);
         });
}

/// Whether the size of a buffer can be computed before anything is launched.
/// Bodies of loops have one set of buffers for all iterations.
static bool isComputed(Value value) {
  return isOfHost(value, /*inIteration=*/false);
}

static LogicalResult checkOps(func::FuncOp function);

static LogicalResult checkLoop(HostLoopOp loop) {
  func::FuncOp body = loop.findBody();
  for (Value bound : {loop.getLower(), loop.getUpper(), loop.getStep()})
    if (!isOfHost(bound, /*inIteration=*/true))
      return loop.emitOpError("iterates as often as only the device knows");
  return checkOps(body);
}

static LogicalResult checkOp(Operation *op) {
  if (auto loop = dyn_cast<HostLoopOp>(op))
    return checkLoop(loop);
  if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
    if (!alloc.getType().getLayout().isIdentity() ||
        getElementBytes(alloc.getType().getElementType()) == 0)
      return alloc.emitOpError("allocates a ")
             << alloc.getType() << ", which has no place in a workspace";
    for (Value size : alloc.getDynamicSizes())
      if (!isComputed(size))
        return alloc.emitOpError("has a size that is not known before the "
                                 "launches");
    return success();
  }
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
    if (launch.getAsyncToken() || !launch.getAsyncDependencies().empty() ||
        launch.getAsyncObject())
      return launch.emitOpError("is asynchronous; launches are in the order of "
                                "the caller's stream anyway");
    return success();
  }
  if (isa<memref::DeallocOp, memref::GetGlobalOp, func::ReturnOp,
          nvgpu::TmaCreateDescriptorOp>(op))
    return success();
  if (op->getNumRegions() == 0 && isMemoryEffectFree(op))
    return success();
  return op->emitOpError("cannot be in a host function: it computes sizes, "
                         "launches kernels, and touches no element");
}

LogicalResult mlir::pit::checkSignature(func::FuncOp function) {
  FunctionType type = function.getFunctionType();
  for (auto [i, input] : llvm::enumerate(type.getInputs()))
    if (failed(checkType(input, "argument #" + Twine(i), function.getLoc())))
      return failure();
  for (auto [i, result] : llvm::enumerate(type.getResults()))
    if (failed(checkType(result, "result #" + Twine(i), function.getLoc())))
      return failure();
  return success();
}

static LogicalResult checkOps(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("branches; host functions are straight-line "
                                "code");
  for (Operation &op : function.getBody().front())
    if (failed(checkOp(&op)))
      return failure();
  return success();
}

LogicalResult mlir::pit::checkHostFunction(func::FuncOp function) {
  if (failed(checkOps(function)) || failed(checkSignature(function)))
    return failure();
  Block &body = function.getBody().front();
  for (Value value : body.getTerminator()->getOperands())
    if (!isComputed(value) && !isa<MemRefType>(value.getType()))
      return function.emitOpError("returns a number that only the device "
                                  "knows; return a tensor of rank 0");
  return success();
}

//===----------------------------------------------------------------------===//
// Begin and end
//===----------------------------------------------------------------------===//

/// How C passes a value: what C11 has no type for goes as an integer.
static Type getPassedType(Type type) {
  MLIRContext *context = type.getContext();
  if (isa<MemRefType>(type))
    return LLVM::LLVMPointerType::get(context);
  if (type.isInteger(1))
    return IntegerType::get(context, 8);
  if (isPassedByBits(type))
    return IntegerType::get(context, type.getIntOrFloatBitWidth());
  return type;
}

bool FunctionBuilder::isStatus(unsigned argument) {
  return isStatusBuffer(source, argument);
}

void FunctionBuilder::begin(StringRef suffix, TypeRange leading,
                            unsigned numResults, TypeRange trailing) {
  Type pointer = calls.pointerType();
  SmallVector<Type> types(leading);
  for (auto [i, type] : llvm::enumerate(source.getArgumentTypes()))
    if (!isStatus(unsigned(i)))
      types.push_back(getPassedType(type));
  types.append(numResults, pointer);
  llvm::append_range(types, trailing);
  builder.setInsertionPoint(source);
  function = func::FuncOp::create(
      builder, ("pit_" + source.getName() + suffix).str(),
      builder.getFunctionType(types, builder.getI32Type()));
  builder.setInsertionPointToStart(function.addEntryBlock());
  frame = calls.allocate(pointer, /*count=*/16);
}

/// What the function takes and returns, for those who describe it to hosts.
void FunctionBuilder::describe() {
  SmallVector<Type> types;
  for (auto [i, type] : llvm::enumerate(source.getArgumentTypes()))
    if (!isStatus(unsigned(i)))
      types.push_back(type);
  function->setAttr(kEntryAttrName,
                    builder.getDictionaryAttr(
                        {builder.getNamedAttr("name", source.getSymNameAttr()),
                         builder.getNamedAttr(
                             "type", TypeAttr::get(builder.getFunctionType(
                                         types, source.getResultTypes())))}));
}

void FunctionBuilder::end() {
  Value status = calls.call("pit_rt_end", frame, builder.getI32Type());
  func::ReturnOp::create(builder, status);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

Value FunctionBuilder::makeStaticExtents(MemRefType type) {
  Value array = calls.allocate(builder.getI64Type(),
                               std::max<int64_t>(1, type.getRank()));
  for (auto [i, extent] : llvm::enumerate(type.getShape()))
    calls.store(calls.i64(ShapedType::isDynamic(extent) ? -1 : extent), array,
                int64_t(i));
  return array;
}

Value FunctionBuilder::makeBuffer(MemRefType type, Value address,
                                  ArrayRef<Value> extents) {
  Location loc = builder.getLoc();
  auto descriptor =
      MemRefDescriptor::poison(builder, loc, converter.convertType(type));
  descriptor.setAllocatedPtr(builder, loc, address);
  descriptor.setAlignedPtr(builder, loc, address);
  descriptor.setConstantOffset(builder, loc, 0);
  Value stride = arith::ConstantIndexOp::create(builder, 1);
  for (unsigned i = unsigned(type.getRank()); i-- > 0;) {
    descriptor.setSize(builder, loc, i, calls.toI64(extents[i]));
    descriptor.setStride(builder, loc, i, calls.toI64(stride));
    stride = arith::MulIOp::create(builder, stride, extents[i]);
  }
  return UnrealizedConversionCastOp::create(builder, type, Value(descriptor))
      .getResult(0);
}

Value FunctionBuilder::readScalar(Value passed, Type type) {
  if (passed.getType() == type)
    return passed;
  if (isa<FloatType>(type))
    return arith::BitcastOp::create(builder, type, passed);
  Value zero = arith::ConstantIntOp::create(builder, passed.getType(), 0);
  return arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, passed, zero);
}

void FunctionBuilder::readArguments(unsigned first) {
  unsigned number = 0;
  for (BlockArgument argument : source.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (isStatus(argument.getArgNumber()))
      continue;
    Value passed = function.getArgument(first + number);
    ++number;
    if (!type) {
      mapping.map(argument, readScalar(passed, argument.getType()));
      continue;
    }
    Value values = calls.allocate(builder.getI64Type(), 1 + type.getRank());
    calls.call("pit_rt_argument",
               {frame, calls.i64(number - 1), passed,
                calls.i32(getRuntimeDType(type.getElementType())),
                calls.i32(type.getRank()), makeStaticExtents(type), values});
    Value address = LLVM::LoadOp::create(builder, calls.pointerType(), values);
    SmallVector<Value> extents;
    for (int64_t i = 0; i < type.getRank(); ++i)
      extents.push_back(
          type.isDynamicDim(unsigned(i))
              ? calls.loadIndex(values, 1 + i)
              : arith::ConstantIndexOp::create(builder, type.getDimSize(i))
                    .getResult());
    mapping.map(argument, makeBuffer(type, address, extents));
  }
}

void FunctionBuilder::callChecks() {
  func::FuncOp checks = getChecks(this->source);
  if (!checks)
    return;
  IRMapping passed;
  for (BlockArgument argument : checks.getArguments())
    passed.map(argument,
               mapping.lookup(source.getArgument(argument.getArgNumber())));
  for (const MadeCheck &check : makeChecks(checks, builder, passed))
    callCheck(check, frame, module, builder, calls);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

Value FunctionBuilder::remake(Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *def = value.getDefiningOp();
  if (!def) {
    // The status buffer, whose extents are in its type.
    auto type = cast<MemRefType>(value.getType());
    Value four = arith::ConstantIndexOp::create(builder, type.getDimSize(0));
    return makeBuffer(type, calls.null(), four);
  }
  // Only its extents are asked for here; the buffer comes later.
  if (auto type = dyn_cast<MemRefType>(value.getType());
      type && makesBuffer(def))
    return makeBuffer(type, calls.null(), getExtents(value));
  IRMapping local;
  for (Value operand : def->getOperands())
    local.map(operand, remake(operand));
  Operation *clone = builder.clone(*def, local);
  // Views are made again later, on the buffers.
  for (auto [from, to] : llvm::zip(def->getResults(), clone->getResults()))
    if (!isa<MemRefType>(from.getType()))
      mapping.map(from, to);
  return clone->getResult(cast<OpResult>(value).getResultNumber());
}

SmallVector<Value> FunctionBuilder::getExtents(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<Value> extents;
  llvm::SmallDenseMap<Value, Value> remade;
  for (auto [i, extent] : llvm::enumerate(type.getShape())) {
    if (!ShapedType::isDynamic(extent)) {
      extents.push_back(arith::ConstantIndexOp::create(builder, extent));
      continue;
    }
    std::optional<ExtentSource> source = findExtentSource(buffer, int64_t(i));
    assert(source && "callers ask for what is known");
    if (source->size) {
      extents.push_back(remake(source->size));
      continue;
    }
    Value &from = remade[source->buffer];
    if (!from)
      from = remake(source->buffer);
    extents.push_back(memref::DimOp::create(builder, from, source->dimension));
  }
  return extents;
}

Value FunctionBuilder::getBytes(MemRefType type, ArrayRef<Value> extents) {
  Value bytes = arith::ConstantIndexOp::create(
      builder, getElementBytes(type.getElementType()));
  for (Value extent : extents)
    bytes = arith::MulIOp::create(builder, bytes, extent);
  return bytes;
}

memref::AllocOp mlir::pit::findAllocation(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (auto alloc = dyn_cast<memref::AllocOp>(def))
      return alloc;
    if (!isa<memref::CollapseShapeOp, memref::ExpandShapeOp, memref::CastOp>(
            def))
      break;
    value = def->getOperand(0);
  }
  return {};
}

SmallVector<Value> FunctionBuilder::getResultExtents(unsigned number) {
  auto type = cast<MemRefType>(source.getResultTypes()[number]);
  // A function of several blocks has several returns.
  if (!type.hasStaticShape())
    return getExtents(
        source.getBody().front().getTerminator()->getOperand(number));
  SmallVector<Value> extents;
  for (int64_t extent : type.getShape())
    extents.push_back(arith::ConstantIndexOp::create(builder, extent));
  return extents;
}

void FunctionBuilder::findResults(func::FuncOp of) {
  Operation *terminator = of.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(terminator->getOperands()))
    if (isa<MemRefType>(value.getType()))
      if (memref::AllocOp alloc = findAllocation(value))
        resultOf.try_emplace(alloc, unsigned(i));
}

Value FunctionBuilder::passResult(unsigned number, MemRefType type,
                                  Value passed, ValueRange extents) {
  return calls.call("pit_rt_result",
                    {frame, calls.i64(number), passed,
                     calls.i32(getRuntimeDType(type.getElementType())),
                     calls.i32(type.getRank()), calls.makeArray(extents)},
                    calls.pointerType());
}

/// Buffers have the same extents in all iterations, as destinations have.
void FunctionBuilder::passExtents(HostLoopOp loop) {
  func::FuncOp body = loop.findBody();
  size_t numCarried = loop.getCarried().size();
  for (BlockArgument argument : body.getArguments()) {
    unsigned number = argument.getArgNumber();
    if (number == 0 || isStatusBuffer(body, number))
      continue;
    Value passed = number <= numCarried
                       ? loop.getOuts()[number - 1]
                       : loop.getCaptured()[number - 1 - numCarried];
    if (auto type = dyn_cast<MemRefType>(argument.getType()))
      mapping.map(argument, makeBuffer(type, calls.null(), getExtents(passed)));
    else if (isComputed(passed))
      mapping.map(argument, remake(passed));
  }
}

void FunctionBuilder::layOut(func::FuncOp from, Value &total) {
  Value mask = arith::ConstantIndexOp::create(builder, -kAlignment);
  Value rest = arith::ConstantIndexOp::create(builder, kAlignment - 1);
  Block &body = from.getBody().front();
  for (auto alloc : body.getOps<memref::AllocOp>()) {
    if (resultOf.contains(alloc))
      continue;
    offsets[alloc] = total;
    Value bytes = getBytes(alloc.getType(), getExtents(alloc));
    bytes = arith::AddIOp::create(builder, bytes, rest);
    bytes = arith::AndIOp::create(builder, bytes, mask);
    total = arith::AddIOp::create(builder, total, bytes);
  }
  for (auto loop : body.getOps<HostLoopOp>()) {
    passExtents(loop);
    findResults(loop.findBody());
    layOut(loop.findBody(), total);
  }
}

Value FunctionBuilder::layOutWorkspace() {
  findResults(source);
  Value total = arith::ConstantIndexOp::create(builder, 0);
  layOut(source, total);
  return total;
}

//===----------------------------------------------------------------------===//
// pit_NAME_shapes
//===----------------------------------------------------------------------===//

void ShapesFunction::build(bool usesWorkspace) {
  Type pointer = calls.pointerType();
  begin("_shapes", pointer, /*numResults=*/0, {pointer, pointer});
  calls.call("pit_rt_begin_shapes", {frame, function.getArgument(0)});
  readArguments(/*first=*/1);
  callChecks();
  unsigned numArguments = function.getNumArguments();
  Value extents = function.getArgument(numArguments - 2);
  int64_t position = 0;
  for (auto [i, type] : llvm::enumerate(source.getResultTypes()))
    if (isa<MemRefType>(type))
      for (Value extent : getResultExtents(unsigned(i)))
        calls.store(extent, extents, position++);
  Value bytes = usesWorkspace
                    ? layOutWorkspace()
                    : arith::ConstantIndexOp::create(builder, 0).getResult();
  calls.store(bytes, function.getArgument(numArguments - 1), 0);
  end();
}
