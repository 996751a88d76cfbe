//===- Kernel.cpp - A kernel and its launch -------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include "LeftOut.h"

#include "GPU/Kernel/KernelSignature.h"
#include "GPU/Kernel/SharedMemory.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit::detect;
using mlir::pit::hopper::Global;
using mlir::pit::hopper::Shared;

Kernel::Kernel(gpu::GPUModuleOp module, Location loc, StringRef name,
               int64_t numThreads)
    : KernelBuilder(loc, module.getContext()), module(module),
      numThreads(numThreads) {
  setInsertionPointToEnd(module.getBody());
  MLIRContext *context = getContext();
  function = LLVM::LLVMFuncOp::create(
      *this, name,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                    getDenseI32ArrayAttr({int32_t(numThreads), 1, 1}));
  entry = function.addEntryBlock(*this);
  setInsertionPointToStart(entry);
}

Value Kernel::number(Value hostValue, unsigned bits) {
  if (std::optional<int64_t> constant = getKnown(hostValue))
    return bits == 64 ? i64(*constant) : i32(*constant);
  Value &argument = known[{hostValue, bits}];
  if (!argument) {
    argument = entry->addArgument(getIntegerType(bits), getLoc());
    hostArguments.push_back(hostValue);
  }
  return argument;
}

Value Kernel::pointer(Value buffer) {
  Value &argument = known[{buffer, 0}];
  if (!argument) {
    argument = entry->addArgument(
        LLVM::LLVMPointerType::get(getContext(), Global), getLoc());
    hostArguments.push_back(buffer);
  }
  return argument;
}

Value Kernel::tensorMap(Value map) {
  Value &argument = known[{map, 0}];
  if (!argument) {
    KernelSignature signature(getContext());
    signature.addTensorMap("map");
    const KernelParameter &parameter = signature.getParameters().front();
    argumentAttributes.push_back(
        {entry->getNumArguments(), parameter.attributes});
    argument = entry->addArgument(parameter.type, getLoc());
    hostArguments.push_back(map);
  }
  return argument;
}

void Kernel::setBlocksAtOnce(int64_t blocks) {
  function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                    getI32IntegerAttr(blocks));
}

Value Kernel::sharedWords(int64_t count) {
  // Each kernel has memory of its own behind the name, so that kernels may
  // share it, and equal kernels are equal.
  std::string name =
      (module.getName() + "_shared_" + Twine(numShared++) + "_" + Twine(count))
          .str();
  if (auto global = module.lookupSymbol<LLVM::GlobalOp>(name))
    return LLVM::AddressOfOp::create(*this, global);
  auto outside = ImplicitLocOpBuilder::atBlockBegin(getLoc(), module.getBody());
  auto global = LLVM::GlobalOp::create(
      outside, LLVM::LLVMArrayType::get(getI32Type(), count),
      /*isConstant=*/false, LLVM::Linkage::Internal, name, Attribute(),
      /*alignment=*/16, Shared);
  return LLVM::AddressOfOp::create(*this, global);
}

Value Kernel::dynamicShared(int64_t bytes) {
  dynamicBytes = bytes;
  return LLVM::AddressOfOp::create(
      *this, hopper::getDynamicSharedMemory(module, getLoc()));
}

/// A function of the module that only differs in its name, or null. Layers of a
/// model are alike, and so are their kernels; one for all of them is compiled
/// and loaded once, and its instructions stay in the caches.
static LLVM::LLVMFuncOp findEqual(gpu::GPUModuleOp module,
                                  LLVM::LLVMFuncOp function) {
  auto getAttributes = [](LLVM::LLVMFuncOp function) {
    NamedAttrList attributes(function->getAttrDictionary());
    attributes.erase(function.getSymNameAttrName());
    return attributes.getDictionary(function.getContext());
  };
  DictionaryAttr attributes = getAttributes(function);
  for (auto other : module.getOps<LLVM::LLVMFuncOp>())
    if (other != function && getAttributes(other) == attributes &&
        OperationEquivalence::isRegionEquivalentTo(
            &function.getBody(), &other.getBody(),
            OperationEquivalence::IgnoreLocations))
      return other;
  return {};
}

void Kernel::finish(HostMath &host, Value blocks, Value condition) {
  LLVM::ReturnOp::create(*this, ValueRange());
  MLIRContext *context = getContext();
  SmallVector<Type> types(entry->getArgumentTypes());
  function.setFunctionType(
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), types));
  for (auto [number, attributes] : argumentAttributes)
    function.setArgAttrs(number, attributes);
  SmallVector<Value> arguments;
  for (auto [type, value] : llvm::zip_equal(types, hostArguments)) {
    if (isa<IntegerType>(type))
      arguments.push_back(arith::IndexCastOp::create(host, type, value));
    else
      arguments.push_back(value);
  }
  if (LLVM::LLVMFuncOp equal = findEqual(module, function)) {
    function.erase();
    function = equal;
  }
  auto symbol =
      SymbolRefAttr::get(module.getSymNameAttr(),
                         {FlatSymbolRefAttr::get(function.getNameAttr())});
  Value one = host.constant(1), dynamic;
  if (dynamicBytes > 0)
    dynamic = arith::ConstantIntOp::create(host, dynamicBytes, 32);
  gpu::LaunchFuncOp::create(
      host, symbol,
      condition ? getGridUnder(host, condition, blocks)
                : gpu::KernelDim3{blocks, one, one},
      gpu::KernelDim3{host.constant(numThreads), one, one}, dynamic, arguments);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Value Kernel::element(Value pointer, Value index, int64_t bytes) {
  bool isShared =
      cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace() ==
      Shared;
  return advance(pointer, mul(isShared ? index : extend(index), bytes));
}

Value Kernel::loadIf(Value exists, Value pointer) {
  return choose(
      exists,
      [&] { return SmallVector<Value>{load(pointer, getI32Type(), 4)}; },
      [&] { return SmallVector<Value>{i32(0)}; })[0];
}

Value Kernel::popcount(Value word) {
  return LLVM::CtPopOp::create(*this, word.getType(), word);
}

Value Kernel::shuffle(NVVM::ShflKind kind, Value value, int64_t distance,
                      int64_t lanes) {
  // With `up` the lowest lane is the bound, else the highest. Bits above are
  // those of a lane's number that stay.
  int64_t bound = (kind == NVVM::ShflKind::up ? 0 : 31) | (32 - lanes) << 8;
  auto move = [&](Value word) -> Value {
    return NVVM::ShflOp::create(*this, word.getType(), i32(-1), word,
                                i32(distance), i32(bound), kind, UnitAttr());
  };
  if (value.getType().isInteger(32))
    return move(value);
  Value low = move(arith::TruncIOp::create(*this, getI32Type(), value));
  Value high =
      move(arith::TruncIOp::create(*this, getI32Type(), shiftRight(value, 32)));
  return bitOr(extend(low), shiftLeft(extend(high), 32));
}

Value Kernel::exchange(Value value, int64_t distance) {
  return shuffleAny(NVVM::ShflKind::bfly, value, distance, /*lanes=*/32);
}

Value Kernel::firstOf(Value value, int64_t lanes) {
  return shuffleAny(NVVM::ShflKind::idx, value, /*distance=*/0, lanes);
}

Value Kernel::shuffleAny(NVVM::ShflKind kind, Value value, int64_t distance,
                         int64_t lanes) {
  Type type = value.getType();
  unsigned bits = type.getIntOrFloatBitWidth();
  auto number = getIntegerType(bits);
  Value word = type.isInteger()
                   ? value
                   : arith::BitcastOp::create(*this, number, value).getResult();
  if (bits < 32)
    word = arith::ExtUIOp::create(*this, getI32Type(), word);
  word = shuffle(kind, word, distance, lanes);
  if (bits < 32)
    word = arith::TruncIOp::create(*this, number, word);
  return type.isInteger()
             ? word
             : arith::BitcastOp::create(*this, type, word).getResult();
}

Value Kernel::orLanes(Value word, int64_t lanes) {
  for (int64_t distance = 1; distance < lanes; distance *= 2)
    word = bitOr(word, shuffle(NVVM::ShflKind::bfly, word, distance));
  return word;
}

Value Kernel::scanLanes(Value value) {
  for (int64_t distance = 1; distance < 32; distance *= 2) {
    Value before = shuffle(NVVM::ShflKind::up, value, distance);
    Value isInside = isLess(i32(distance - 1), lane());
    value = select(isInside, add(value, before), value);
  }
  return value;
}

Value Kernel::sumLanes(Value value) {
  for (int64_t distance = 1; distance < 32; distance *= 2)
    value = add(value, shuffle(NVVM::ShflKind::bfly, value, distance));
  return value;
}

Value Kernel::countThreads(Value condition) {
  Value word = arith::ExtUIOp::create(*this, getI32Type(), condition);
  auto popc = NVVM::BarrierReductionAttr::get(getContext(),
                                              NVVM::BarrierReduction::POPC);
  return NVVM::BarrierOp::create(*this, getI32Type(), Value(), Value(), popc,
                                 word)
      .getRes();
}

Value Kernel::sumBlock(Value value) {
  Value sum = sumLanes(value);
  int64_t numWarps = numThreads / 32;
  if (numWarps == 1)
    return sum;
  if (!sums) {
    OpBuilder::InsertionGuard guard(*this);
    setInsertionPointToStart(entry);
    sums = sharedWords(2 * 32);
  }
  int64_t bytes = value.getType().getIntOrFloatBitWidth() / 8;
  ifThen(isEqual(lane(), 0),
         [&] { store(sum, element(sums, warp(), bytes), bytes); });
  syncBlock();
  Value total;
  for (int64_t i = 0; i < numWarps; ++i) {
    Value part = load(advance(sums, i * bytes), value.getType(), bytes);
    total = total ? add(total, part) : part;
  }
  syncBlock();
  return total;
}

void Kernel::atomicOr(Value pointer, Value word) {
  LLVM::AtomicRMWOp::create(*this, LLVM::AtomicBinOp::_or, pointer, word,
                            LLVM::AtomicOrdering::monotonic);
}

void Kernel::atomicAdd(Value pointer, Value value) {
  LLVM::AtomicRMWOp::create(*this, LLVM::AtomicBinOp::add, pointer, value,
                            LLVM::AtomicOrdering::monotonic);
}

void Kernel::clearShared(Value pointer, int64_t count) {
  forThreads(count, [&](Value i) { store(i32(0), element(pointer, i, 4), 4); });
}

void Kernel::forThreads(int64_t count, function_ref<void(Value)> body) {
  for (int64_t first = 0; first < count; first += numThreads) {
    Value i = add(threadId(), first);
    if (first + numThreads <= count)
      body(i);
    else
      ifThen(isLess(i, i32(count)), [&] { body(i); });
  }
}
