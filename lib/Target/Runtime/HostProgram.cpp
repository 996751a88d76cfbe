//===- HostProgram.cpp - Host functions as data ---------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostProgram.h"
#include "HostExpressions.h"
#include "PIT/Dialect/PIT/IR/PITCheck.h"
#include "PIT/Target/PTX/PTX.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/Base64.h"

using namespace mlir;
using namespace mlir::pit;
using llvm::json::Array;
using llvm::json::Object;

static Value getViewSource(Operation *op) {
  return op->getNumOperands() ? op->getOperand(0) : Value();
}

static FailureOr<std::string> getDType(Type type, Location loc) {
  std::string name = getDTypeName(type);
  if (name.empty())
    return emitError(loc, "a manifest cannot describe elements of type ")
           << type;
  return name;
}

//===----------------------------------------------------------------------===//
// Buffers and views
//===----------------------------------------------------------------------===//

/// Row-major strides of a shape.
static std::vector<llvm::json::Value>
getRowMajorStrides(ArrayRef<llvm::json::Value> sizes) {
  std::vector<llvm::json::Value> strides(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 1;)
    strides[i - 1] = makeExpression("mul", strides[i], sizes[i]);
  return strides;
}

/// The elements of a constant, also of one that exporters keep beside the IR.
static DenseElementsAttr readElements(Attribute value) {
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(value);
  if (!resource)
    return dyn_cast_or_null<DenseElementsAttr>(value);
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  bool isSplat = false;
  if (!blob || !DenseElementsAttr::isValidRawBuffer(resource.getType(),
                                                    blob->getData(), isSplat))
    return {};
  return DenseElementsAttr::getFromRawBuffer(resource.getType(),
                                             blob->getData());
}

FailureOr<BufferView> HostProgram::readRoot(Value value) {
  auto type = cast<MemRefType>(value.getType());
  BufferView view;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    FailureOr<llvm::json::Value> size = readDim(value, axis);
    if (failed(size))
      return failure();
    view.sizes.push_back(*size);
  }
  view.strides = getRowMajorStrides(view.sizes);
  auto [known, isNew] = bufferNumbers.try_emplace(value, buffers.size());
  view.buffer = known->second;
  if (!isNew)
    return view;

  FailureOr<std::string> dtype =
      getDType(type.getElementType(), value.getLoc());
  if (failed(dtype))
    return failure();
  if (!type.getLayout().isIdentity())
    return emitError(value.getLoc(), "a manifest cannot describe a buffer of "
                                     "type ")
           << type << ", which is not in row-major order";
  Object buffer{{"dtype", *dtype}, {"shape", Array(view.sizes)}};
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    bool isStatus = isStatusBuffer(function, argument.getArgNumber());
    buffer["kind"] = isStatus ? "status" : "argument";
    if (isStatus)
      status = view.buffer;
    else
      buffer["argument"] = argument.getArgNumber();
  } else if (auto global = value.getDefiningOp<memref::GetGlobalOp>()) {
    auto symbol = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        global, global.getNameAttr());
    DenseElementsAttr data = symbol ? readElements(symbol.getInitialValueAttr())
                                    : DenseElementsAttr();
    if (!data || type.getElementType().isIndex() ||
        type.getElementTypeBitWidth() % 8 != 0)
      return global.emitOpError("is no constant that a manifest can hold");
    buffer["kind"] = "constant";
    buffer["splat"] = data.isSplat();
    ArrayRef<char> bytes = data.getRawData();
    buffer["base64"] =
        llvm::encodeBase64(StringRef(bytes.data(), bytes.size()));
  } else {
    buffer["kind"] = "workspace";
  }
  buffers.push_back(std::move(buffer));
  return view;
}

FailureOr<BufferView> HostProgram::readSubView(memref::SubViewOp op) {
  FailureOr<BufferView> view = readView(op.getSource());
  std::vector<llvm::json::Value> offsets, sizes, steps;
  if (failed(view) || failed(readFolds(op.getMixedOffsets(), offsets)) ||
      failed(readFolds(op.getMixedSizes(), sizes)) ||
      failed(readFolds(op.getMixedStrides(), steps)))
    return failure();
  // By the order of those that are left; strides may be unknown here.
  auto dropped =
      computeRankReductionMask(op.getStaticSizes(), op.getType().getShape());
  if (!dropped)
    return op.emitOpError(
        "drops dimensions of which it is not known which they are");
  BufferView result;
  result.buffer = view->buffer;
  result.offset = view->offset;
  for (size_t i = 0; i < offsets.size(); ++i) {
    result.offset =
        makeExpression("add", result.offset,
                       makeExpression("mul", offsets[i], view->strides[i]));
    if (dropped->contains(i))
      continue;
    result.sizes.push_back(sizes[i]);
    result.strides.push_back(makeExpression("mul", steps[i], view->strides[i]));
  }
  return result;
}

FailureOr<BufferView>
HostProgram::readReinterpretCast(memref::ReinterpretCastOp op) {
  FailureOr<BufferView> source = readView(op.getSource());
  if (failed(source))
    return failure();
  // The new offset counts from the buffer's base, whatever the source's was.
  BufferView view;
  view.buffer = source->buffer;
  FailureOr<llvm::json::Value> offset = readFold(op.getMixedOffsets()[0]);
  if (failed(offset) || failed(readFolds(op.getMixedSizes(), view.sizes)) ||
      failed(readFolds(op.getMixedStrides(), view.strides)))
    return failure();
  view.offset = *offset;
  return view;
}

/// Of elements that lie one after the other.
FailureOr<BufferView> HostProgram::readReshape(Operation *op) {
  FailureOr<BufferView> view = readView(getViewSource(op));
  if (failed(view))
    return failure();
  std::vector<llvm::json::Value> sizes;
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(op)) {
    if (failed(readFolds(expand.getMixedOutputShape(), sizes)))
      return failure();
  } else {
    for (const ReassociationIndices &group :
         cast<memref::CollapseShapeOp>(op).getReassociationIndices()) {
      llvm::json::Value size = 1;
      for (int64_t dim : group)
        size = makeExpression("mul", size, view->sizes[dim]);
      sizes.push_back(size);
    }
  }
  view->sizes = std::move(sizes);
  view->strides = getRowMajorStrides(view->sizes);
  return view;
}

FailureOr<BufferView> HostProgram::readView(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(op))
    return readRoot(value);
  if (auto cast = dyn_cast<memref::CastOp>(op))
    return readView(cast.getSource());
  if (auto subview = dyn_cast<memref::SubViewOp>(op))
    return readSubView(subview);
  if (auto reinterpret = dyn_cast<memref::ReinterpretCastOp>(op))
    return readReinterpretCast(reinterpret);
  if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(op)) {
    FailureOr<BufferView> view = readView(metadata.getSource());
    if (failed(view))
      return failure();
    BufferView base;
    base.buffer = view->buffer;
    return base;
  }
  auto type = dyn_cast<MemRefType>(value.getType());
  if (isa<memref::CollapseShapeOp, memref::ExpandShapeOp>(op) && type &&
      type.getLayout().isIdentity())
    return readReshape(op);
  return op->emitOpError("makes a view that a manifest cannot describe");
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult HostProgram::readArguments() {
  for (BlockArgument argument : function.getArguments()) {
    if (isStatusBuffer(function, argument.getArgNumber())) {
      if (failed(readRoot(argument)))
        return failure();
      continue;
    }
    if (failed(getDType(getElementTypeOrSelf(argument), argument.getLoc())))
      return failure();
    ProgramValue value = describeValue(argument.getType());
    if (value.isTensor) {
      FailureOr<BufferView> view = readRoot(argument);
      if (failed(view))
        return failure();
      value.place = Object{{"buffer", view->buffer}};
    }
    arguments.push_back(std::move(value));
  }
  return success();
}

LogicalResult HostProgram::readResults(func::ReturnOp op) {
  for (Value result : op.getOperands()) {
    if (failed(getDType(getElementTypeOrSelf(result), op.getLoc())))
      return failure();
    ProgramValue value = describeValue(result.getType());
    if (!value.isTensor) {
      FailureOr<llvm::json::Value> scalar = readScalar(result);
      if (failed(scalar))
        return failure();
      value.place = Object{{"value", *scalar}};
    } else {
      FailureOr<BufferView> view = readView(result);
      if (failed(view))
        return failure();
      value.place = Object{{"buffer", view->buffer},
                           {"offset", view->offset},
                           {"sizes", Array(view->sizes)},
                           {"strides", Array(view->strides)}};
    }
    results.push_back(std::move(value));
  }
  return success();
}

/// In the form that the driver's function for making one takes: innermost
/// dimension first, strides in bytes, enumerations by their number.
FailureOr<Object> HostProgram::readTensorMap(const TensorMap &map) {
  nvgpu::TensorMapDescriptorType type = map.type;
  Type element = type.getTensor().getElementType();
  FailureOr<std::string> dtype = map.copied.isTF32()
                                     ? std::string("tf32")
                                     : getDType(element, map.tensor.getLoc());
  FailureOr<BufferView> view = readView(map.tensor);
  if (failed(dtype) || failed(view))
    return failure();
  Array sizes, strides, box;
  for (llvm::json::Value &size : llvm::reverse(view->sizes))
    sizes.push_back(size);
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  for (llvm::json::Value &stride :
       llvm::drop_begin(llvm::reverse(view->strides)))
    strides.push_back(makeExpression("mul", stride, bytes));
  for (Value extent : llvm::reverse(map.box)) {
    FailureOr<llvm::json::Value> read = readScalar(extent);
    if (failed(read))
      return failure();
    box.push_back(*read);
  }
  Object described{{"buffer", view->buffer},
                   {"offset", view->offset},
                   {"dtype", *dtype},
                   {"sizes", std::move(sizes)},
                   {"strides", std::move(strides)},
                   {"box", std::move(box)},
                   {"interleave", int64_t(type.getInterleave())},
                   {"swizzle", int64_t(type.getSwizzle())},
                   {"l2_promotion", int64_t(type.getL2promo())},
                   {"out_of_bounds", int64_t(type.getOob())}};
  if (WindowAttr window = map.window) {
    auto reversed = [](DenseI64ArrayAttr field) {
      return Array(llvm::reverse(field.asArrayRef()));
    };
    described["window"] = Object{{"low", reversed(window.getLow())},
                                 {"positions", reversed(window.getPositions())},
                                 {"strides", reversed(window.getStrides())}};
  }
  return described;
}

LogicalResult HostProgram::readLaunch(gpu::LaunchFuncOp launch) {
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  auto readDim3 = [&](gpu::KernelDim3 dim) -> FailureOr<Array> {
    Array array;
    for (Value value : {dim.x, dim.y, dim.z}) {
      FailureOr<llvm::json::Value> scalar = readScalar(value);
      if (failed(scalar))
        return failure();
      array.push_back(*scalar);
    }
    return array;
  };
  FailureOr<Array> gridSize = readDim3(grid), blockSize = readDim3(block);
  FailureOr<llvm::json::Value> shared(llvm::json::Value(0));
  if (Value dynamic = launch.getDynamicSharedMemorySize())
    shared = readScalar(dynamic);
  if (failed(gridSize) || failed(blockSize) || failed(shared))
    return failure();
  if (launch.getAsyncToken() || !launch.getAsyncDependencies().empty())
    return launch.emitOpError("is asynchronous; a manifest launches in order");

  Array values;
  for (Value passed : launch.getKernelOperands()) {
    Value operand = getPassedMemory(passed);
    if (auto type = dyn_cast<MemRefType>(operand.getType())) {
      if (type.getRank() != 0)
        return launch.emitOpError("passes a buffer of type ")
               << type << ", which is not of rank 0";
      FailureOr<BufferView> view = readView(operand);
      if (failed(view))
        return failure();
      values.push_back(
          Object{{"buffer", view->buffer}, {"offset", view->offset}});
      continue;
    }
    if (std::optional<TensorMap> map = getTensorMap(operand.getDefiningOp())) {
      FailureOr<Object> described = readTensorMap(*map);
      if (failed(described))
        return failure();
      values.push_back(Object{{"tensor_map", std::move(*described)}});
      continue;
    }
    FailureOr<std::string> dtype = getDType(operand.getType(), launch.getLoc());
    FailureOr<llvm::json::Value> scalar = readScalar(operand);
    if (failed(dtype) || failed(scalar))
      return failure();
    values.push_back(Object{{"dtype", *dtype}, {"value", *scalar}});
  }
  // What comes before the first is not known to have waited.
  StringRef kernel = launch.getKernelName().getValue();
  bool early = !launches.empty() && waiting.contains(kernel);
  launches.push_back(Object{{"kernel", kernel},
                            {"grid", std::move(*gridSize)},
                            {"block", std::move(*blockSize)},
                            {"shared_dynamic", *shared},
                            {"early", early},
                            {"arguments", std::move(values)}});
  return success();
}

/// Arguments of the function with the checks are numbered as those of this one.
LogicalResult HostProgram::readChecks() {
  if (failed(verifyChecks(function)))
    return failure();
  func::FuncOp holder = getChecks(function);
  if (!holder)
    return success();
  for (auto check : holder.getBody().front().getOps<CheckOp>()) {
    FailureOr<llvm::json::Value> condition = readScalar(check.getCondition());
    FailureOr<llvm::json::Value> first = readScalar(check.getFirst());
    FailureOr<llvm::json::Value> second = readScalar(check.getSecond());
    if (failed(condition) || failed(first) || failed(second))
      return failure();
    checks.push_back(Object{{"condition", *condition},
                            {"message", check.getMessage()},
                            {"numbers", Array{*first, *second}}});
  }
  return success();
}

FailureOr<ProgramFunction> HostProgram::read() {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("has control flow, which a manifest does not "
                                "describe");
  if (failed(readArguments()) || failed(readChecks()))
    return failure();
  for (Operation &op : function.getBody().front()) {
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
      if (failed(readLaunch(launch)))
        return failure();
    } else if (auto end = dyn_cast<func::ReturnOp>(op)) {
      if (failed(readResults(end)))
        return failure();
    } else if (op.getNumRegions() != 0) {
      return op.emitOpError("is control flow of the host, which a manifest "
                            "does not describe");
    } else if (!isa<memref::AllocOp, memref::AllocaOp, memref::DeallocOp,
                    nvgpu::TmaCreateDescriptorOp>(op) &&
               !isMemoryEffectFree(&op)) {
      return op.emitOpError("is work of the host, which a manifest does not "
                            "describe");
    }
  }
  ProgramFunction described;
  described.name = function.getName().str();
  described.arguments = std::move(arguments);
  described.results = std::move(results);
  described.host = Object{{"status_buffer", std::move(status)},
                          {"buffers", std::move(buffers)},
                          {"launches", std::move(launches)},
                          {"checks", std::move(checks)}};
  return described;
}
