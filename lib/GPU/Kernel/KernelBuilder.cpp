//===- KernelBuilder.cpp - Small steps of a kernel for Hopper -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

using namespace mlir;
using namespace mlir::pit::hopper;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

Value KernelBuilder::i32(int64_t value) {
  return arith::ConstantIntOp::create(*this, value, 32);
}
Value KernelBuilder::i64(int64_t value) {
  return arith::ConstantIntOp::create(*this, value, 64);
}
Value KernelBuilder::like(Value a, int64_t b) {
  return a.getType().isInteger(32) ? i32(b) : i64(b);
}
Value KernelBuilder::add(Value a, Value b) {
  return createOrFold<arith::AddIOp>(a, b);
}
Value KernelBuilder::sub(Value a, Value b) {
  return createOrFold<arith::SubIOp>(a, b);
}
Value KernelBuilder::mul(Value a, Value b) {
  return createOrFold<arith::MulIOp>(a, b);
}
Value KernelBuilder::divide(Value a, Value b) {
  return createOrFold<arith::DivUIOp>(a, b);
}
Value KernelBuilder::remainder(Value a, Value b) {
  return createOrFold<arith::RemUIOp>(a, b);
}
Value KernelBuilder::bitAnd(Value a, Value b) {
  return createOrFold<arith::AndIOp>(a, b);
}
Value KernelBuilder::bitOr(Value a, Value b) {
  return createOrFold<arith::OrIOp>(a, b);
}
Value KernelBuilder::bitXor(Value a, Value b) {
  return createOrFold<arith::XOrIOp>(a, b);
}
Value KernelBuilder::shiftLeft(Value a, Value b) {
  return createOrFold<arith::ShLIOp>(a, b);
}
Value KernelBuilder::shiftRight(Value a, Value b) {
  return createOrFold<arith::ShRUIOp>(a, b);
}
Value KernelBuilder::minimum(Value a, Value b) {
  return createOrFold<arith::MinUIOp>(a, b);
}
Value KernelBuilder::extend(Value a) {
  if (a.getType().isInteger(64))
    return a;
  return createOrFold<arith::ExtUIOp>(getI64Type(), a);
}
Value KernelBuilder::truncate(Value a) {
  if (a.getType().isInteger(32))
    return a;
  return createOrFold<arith::TruncIOp>(getI32Type(), a);
}
Value KernelBuilder::compare(arith::CmpIPredicate predicate, Value a, Value b) {
  return createOrFold<arith::CmpIOp>(predicate, a, b);
}
Value KernelBuilder::isEqual(Value a, int64_t b) {
  return compare(arith::CmpIPredicate::eq, a, like(a, b));
}
Value KernelBuilder::isLess(Value a, Value b) {
  return compare(arith::CmpIPredicate::ult, a, b);
}
Value KernelBuilder::select(Value condition, Value a, Value b) {
  return createOrFold<arith::SelectOp>(condition, a, b);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value KernelBuilder::advance(Value pointer, Value bytes) {
  return LLVM::GEPOp::create(*this, pointer.getType(), getI8Type(), pointer,
                             LLVM::GEPArg(bytes));
}
Value KernelBuilder::advance(Value pointer, int64_t bytes) {
  return bytes ? advance(pointer, i32(bytes)) : pointer;
}
Value KernelBuilder::load(Value pointer, Type type, unsigned alignment) {
  return LLVM::LoadOp::create(*this, type, pointer, alignment);
}
void KernelBuilder::store(Value value, Value pointer, unsigned alignment) {
  LLVM::StoreOp::create(*this, value, pointer, alignment);
}
Value KernelBuilder::loadShared(Value pointer, Type type, unsigned alignment) {
  return LLVM::LoadOp::create(*this, type, pointer, alignment,
                              /*isVolatile=*/true);
}
void KernelBuilder::storeShared(Value value, Value pointer,
                                unsigned alignment) {
  LLVM::StoreOp::create(*this, value, pointer, alignment, /*isVolatile=*/true);
}
Value KernelBuilder::fetchAdd(Value pointer, Value value) {
  return LLVM::AtomicRMWOp::create(*this, LLVM::AtomicBinOp::add, pointer,
                                   value, LLVM::AtomicOrdering::monotonic,
                                   "device");
}
Value KernelBuilder::fetchOr(Value pointer, Value bits) {
  return LLVM::AtomicRMWOp::create(*this, LLVM::AtomicBinOp::_or, pointer, bits,
                                   LLVM::AtomicOrdering::monotonic, "device");
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

SmallVector<Value> KernelBuilder::forLoop(Value from, Value to, Value step,
                                          ArrayRef<Value> carried, Body body) {
  auto loop = scf::ForOp::create(*this, from, to, step, carried);
  OpBuilder::InsertionGuard guard(*this);
  // A loop that carries nothing comes with its yield.
  if (carried.empty())
    setInsertionPoint(loop.getBody()->getTerminator());
  else
    setInsertionPointToEnd(loop.getBody());
  SmallVector<Value> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!carried.empty())
    scf::YieldOp::create(*this, next);
  return llvm::to_vector_of<Value>(loop.getResults());
}

void KernelBuilder::ifThen(Value condition, function_ref<void()> then) {
  auto branch = scf::IfOp::create(*this, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPoint(branch.thenBlock()->getTerminator());
  then();
}

void KernelBuilder::ifThenElse(Value condition, function_ref<void()> then,
                               function_ref<void()> otherwise) {
  auto branch = scf::IfOp::create(*this, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPoint(branch.thenBlock()->getTerminator());
  then();
  setInsertionPoint(branch.elseBlock()->getTerminator());
  otherwise();
}

SmallVector<Value> KernelBuilder::choose(Value condition, Branch then,
                                         Branch otherwise) {
  // The types are known once a branch is there.
  Region regions[2];
  SmallVector<Value> values;
  const Branch branches[] = {then, otherwise};
  for (auto [region, branch] : llvm::zip_equal(regions, branches)) {
    OpBuilder::InsertionGuard guard(*this);
    createBlock(&region);
    values = branch();
    scf::YieldOp::create(*this, values);
  }
  auto op =
      scf::IfOp::create(*this, llvm::to_vector(ValueRange(values).getTypes()),
                        condition, /*withElseRegion=*/true);
  op.getThenRegion().takeBody(regions[0]);
  op.getElseRegion().takeBody(regions[1]);
  return llvm::to_vector_of<Value>(op.getResults());
}

SmallVector<Value>
KernelBuilder::whileLoop(ArrayRef<Value> carried, Entry enter,
                         function_ref<SmallVector<Value>(ValueRange)> body) {
  SmallVector<Location> locations(carried.size(), getLoc());
  Region before;
  SmallVector<Value> passed;
  {
    OpBuilder::InsertionGuard guard(*this);
    Block *block =
        createBlock(&before, {}, ValueRange(carried).getTypes(), locations);
    Value condition;
    std::tie(condition, passed) = enter(block->getArguments());
    scf::ConditionOp::create(*this, condition, passed);
  }
  SmallVector<Type> types = llvm::to_vector(ValueRange(passed).getTypes());
  auto loop = scf::WhileOp::create(*this, types, carried);
  loop.getBefore().takeBody(before);
  OpBuilder::InsertionGuard guard(*this);
  locations.assign(types.size(), getLoc());
  Block *block = createBlock(&loop.getAfter(), {}, types, locations);
  SmallVector<Value> next = body(block->getArguments());
  scf::YieldOp::create(*this, next);
  return llvm::to_vector_of<Value>(loop.getResults());
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

Value KernelBuilder::threadId() {
  return NVVM::ThreadIdXOp::create(*this, getI32Type());
}
Value KernelBuilder::blockId() {
  return NVVM::BlockIdXOp::create(*this, getI32Type());
}
Value KernelBuilder::gridSize() {
  return NVVM::GridDimXOp::create(*this, getI32Type());
}
Value KernelBuilder::broadcastFirstLane(Value value) {
  return NVVM::ShflOp::create(*this, value.getType(), i32(-1), value, i32(0),
                              i32(31), NVVM::ShflKind::idx, UnitAttr());
}
Value KernelBuilder::readLane(Value value, Value lane) {
  return NVVM::ShflOp::create(*this, value.getType(), i32(-1), value, lane,
                              i32(31), NVVM::ShflKind::idx, UnitAttr());
}
Value KernelBuilder::sumOfLanesBefore(Value value, Value lane) {
  for (int64_t distance = 1; distance < 32; distance *= 2) {
    Value below = NVVM::ShflOp::create(*this, value.getType(), i32(-1), value,
                                       i32(distance), i32(0),
                                       NVVM::ShflKind::up, UnitAttr());
    value = select(isLess(lane, i32(distance)), value, add(value, below));
  }
  return value;
}
Value KernelBuilder::unionOfLanes(Value bits) {
  return NVVM::ReduxOp::create(*this, getI32Type(), bits, NVVM::ReduxKind::OR,
                               i32(-1));
}
Value KernelBuilder::countLanes(Value condition) {
  Value lanes = NVVM::VoteSyncOp::create(*this, getI32Type(), i32(-1),
                                         condition, NVVM::VoteSyncKind::ballot);
  return LLVM::CtPopOp::create(*this, lanes);
}
void KernelBuilder::syncBlock() { NVVM::BarrierOp::create(*this); }
void KernelBuilder::syncWarp() { NVVM::SyncWarpOp::create(*this, i32(-1)); }
void KernelBuilder::syncWarpgroup(Value number) {
  NVVM::BarrierOp::create(*this, Type(), number, i32(128),
                          NVVM::BarrierReductionAttr(), Value());
}
void KernelBuilder::setMaxRegisters(unsigned count, bool increase) {
  NVVM::SetMaxRegisterOp::create(*this, count,
                                 increase
                                     ? NVVM::SetMaxRegisterAction::increase
                                     : NVVM::SetMaxRegisterAction::decrease);
}

//===----------------------------------------------------------------------===//
// Barriers in shared memory
//===----------------------------------------------------------------------===//

void KernelBuilder::initBarrier(Value barrier, unsigned arrivals) {
  NVVM::MBarrierInitOp::create(*this, barrier, i32(arrivals), Value());
}
void KernelBuilder::fenceBarrierInit() {
  NVVM::FenceMbarrierInitOp::create(*this);
}
void KernelBuilder::waitBarrier(Value barrier, Value phase) {
  // How long the hardware may suspend the thread between two looks, in ns.
  constexpr int64_t kSuspend = 10000000;
  NVVM::MBarrierTryWaitParityOp::create(*this, barrier, phase, i32(kSuspend));
}
void KernelBuilder::arrive(Value barrier) {
  NVVM::MBarrierArriveOp::create(*this, getI64Type(), barrier, Value());
}
void KernelBuilder::arriveExpectingBytes(Value barrier, Value bytes) {
  NVVM::MBarrierArriveExpectTxOp::create(*this, Type(), barrier, bytes,
                                         NVVM::MemScopeKind::CTA,
                                         /*relaxed=*/false, Value());
}
void KernelBuilder::arriveAfterCopies(Value barrier) {
  // The barrier's count already includes this arrival.
  NVVM::CpAsyncMBarrierArriveOp::create(*this, barrier, /*noinc=*/true);
}

//===----------------------------------------------------------------------===//
// Copies into and out of shared memory
//===----------------------------------------------------------------------===//

Value KernelBuilder::cachePolicy(StringRef priority) {
  std::string text =
      ("createpolicy.fractional.L2::" + priority + ".b64 $0, 1.0;").str();
  return LLVM::InlineAsmOp::create(
             *this, getI64Type(), ValueRange(), text, /*constraints=*/"=l",
             /*has_side_effects=*/false, /*is_align_stack=*/false,
             LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
      .getResult(0);
}
void KernelBuilder::copyBox(Value target, Value tensorMap, Value barrier,
                            ArrayRef<Value> coordinates, Value policy) {
  Value inCluster = LLVM::AddrSpaceCastOp::create(
      *this, LLVM::LLVMPointerType::get(getContext(), SharedCluster), target);
  NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
      *this, inCluster, tensorMap, coordinates, barrier,
      /*im2colOffsets=*/ValueRange(), /*multicastMask=*/Value(),
      /*l2CacheHint=*/policy, NVVM::TMALoadMode::TILE, /*isCTAOnly=*/false,
      /*group=*/NVVM::CTAGroupKindAttr(), /*predicate=*/Value());
}
void KernelBuilder::copyBytes(Value target, Value source, Value barrier,
                              int64_t bytes) {
  Value inCluster = LLVM::AddrSpaceCastOp::create(
      *this, LLVM::LLVMPointerType::get(getContext(), SharedCluster), target);
  NVVM::CpAsyncBulkGlobalToSharedClusterOp::create(
      *this, inCluster, source, barrier, i32(bytes),
      /*multicastMask=*/Value(), /*l2CacheHint=*/Value());
}
void KernelBuilder::storeBox(Value tensorMap, Value source,
                             ArrayRef<Value> coordinates) {
  NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
      *this, tensorMap, source, coordinates, /*l2CacheHint=*/Value(),
      NVVM::TMAStoreMode::TILE, /*predicate=*/Value());
}
void KernelBuilder::commitStores() {
  NVVM::CpAsyncBulkCommitGroupOp::create(*this);
}
void KernelBuilder::waitStores(unsigned pending, bool read) {
  NVVM::CpAsyncBulkWaitGroupOp::create(*this, pending,
                                       read ? getUnitAttr() : UnitAttr());
}
void KernelBuilder::copy16(Value target, Value source, Value bytes) {
  NVVM::CpAsyncOp::create(*this, target, source, 16,
                          NVVM::LoadCacheModifierKind::CG, bytes);
}
void KernelBuilder::fenceSharedMemory() {
  NVVM::FenceProxyOp::create(
      *this, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(getContext(), NVVM::SharedSpace::shared_cta));
}

//===----------------------------------------------------------------------===//
// Matrix products by a warpgroup
//===----------------------------------------------------------------------===//

LLVM::LLVMStructType KernelBuilder::accumulatorType(int64_t n) {
  SmallVector<Type> elements(n / 2, getF32Type());
  return LLVM::LLVMStructType::getLiteral(getContext(), elements);
}

static constexpr int64_t kDescriptorUnit = 16;

MatrixDescriptor KernelBuilder::matrixDescriptor(Value address,
                                                 SharedLayout layout) {
  // Where one panel spans the tile, the distance between panels is of no
  // account.
  constexpr int64_t kPanelBytes = 64 * 128, kGroupBytes = 8 * 128;
  constexpr unsigned kSwizzle128Bytes = 1;
  return matrixDescriptor(
      address, layout == SharedLayout::MNMajor ? kPanelBytes : kDescriptorUnit,
      kGroupBytes, kSwizzle128Bytes);
}
MatrixDescriptor KernelBuilder::matrixDescriptor(Value address,
                                                 int64_t panelBytes,
                                                 int64_t groupBytes,
                                                 unsigned swizzle) {
  // In units of 16 bytes, bits 0-13: address; 16-29: distance between panels;
  // 32-45: distance between groups of eight rows. 62-63: swizzle.
  Value low = bitAnd(shiftRight(address, 4), 0x3FFF);
  return {bitOr(low, panelBytes / kDescriptorUnit << 16),
          uint32_t(groupBytes / kDescriptorUnit) | uint32_t(swizzle) << 30};
}
MatrixDescriptor KernelBuilder::advanceDescriptor(MatrixDescriptor descriptor,
                                                  int64_t bytes) {
  return {add(descriptor.low, bytes / kDescriptorUnit), descriptor.high};
}
MatrixDescriptor KernelBuilder::advanceDescriptor(MatrixDescriptor descriptor,
                                                  Value distance) {
  return {add(descriptor.low, distance), descriptor.high};
}
Value KernelBuilder::joinDescriptor(MatrixDescriptor descriptor) {
  return bitOr(extend(descriptor.low),
               int64_t(uint64_t(descriptor.high) << 32));
}

/// A type of inputs as the instructions name it, and how many k they take.
static std::pair<NVVM::WGMMATypes, int64_t> getInputKind(Type element) {
  if (element.isBF16())
    return {NVVM::WGMMATypes::bf16, 16};
  if (element.isF16())
    return {NVVM::WGMMATypes::f16, 16};
  return {NVVM::WGMMATypes::tf32, 8};
}

Value KernelBuilder::multiply(Value accumulator, MatrixDescriptor a,
                              MatrixDescriptor b, int64_t n, Type element,
                              SharedLayout layoutA, SharedLayout layoutB,
                              bool overwrite) {
  auto [type, depth] = getInputKind(element);
  // As the op has it, a K-major A is `row` and a K-major B is `col`.
  NVVM::MMALayout rowCol[] = {
      layoutA == SharedLayout::KMajor ? NVVM::MMALayout::row
                                      : NVVM::MMALayout::col,
      layoutB == SharedLayout::KMajor ? NVVM::MMALayout::col
                                      : NVVM::MMALayout::row};
  return NVVM::WgmmaMmaAsyncOp::create(
      *this, accumulator.getType(), accumulator, joinDescriptor(a),
      joinDescriptor(b), NVVM::MMAShapeAttr::get(getContext(), 64, n, depth),
      type, type, NVVM::WGMMATypes::f32,
      overwrite ? NVVM::WGMMAScaleOut::zero : NVVM::WGMMAScaleOut::one,
      NVVM::WGMMAScaleIn::one, NVVM::WGMMAScaleIn::one, rowCol[0], rowCol[1],
      NVVM::MMAIntOverflowAttr());
}
Value KernelBuilder::zeroAccumulator(int64_t n) {
  // Zeros that the assembler sees through make it serialise the products.
  Value zero = arith::ConstantOp::create(*this, getF32FloatAttr(0));
  Value accumulator = LLVM::UndefOp::create(*this, accumulatorType(n));
  for (int64_t i = 0; i < n / 2; ++i)
    accumulator = LLVM::InsertValueOp::create(*this, accumulator, pin(zero),
                                              ArrayRef<int64_t>{i});
  return accumulator;
}
SmallVector<Value> KernelBuilder::getElements(Value accumulator,
                                              int64_t count) {
  SmallVector<Value> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(
        LLVM::ExtractValueOp::create(*this, accumulator, ArrayRef<int64_t>{i}));
  return values;
}
void KernelBuilder::beginProducts() {
  NVVM::WgmmaFenceAlignedOp::create(*this);
}
void KernelBuilder::commitProducts() {
  NVVM::WgmmaGroupSyncAlignedOp::create(*this);
}
void KernelBuilder::waitProducts(unsigned pending) {
  NVVM::WgmmaWaitGroupSyncOp::create(*this, uint64_t(pending));
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Value KernelBuilder::pin(Value value) {
  // Assembly without text, of which nobody knows what it does.
  return LLVM::InlineAsmOp::create(
             *this, value.getType(), value, /*asm_string=*/"",
             /*constraints=*/"=f,0", /*has_side_effects=*/true,
             /*is_align_stack=*/false, LLVM::TailCallKind::None,
             LLVM::AsmDialectAttr(), ArrayAttr())
      .getResult(0);
}

Value KernelBuilder::packPair(Value low, Value high, Type element) {
  auto type = VectorType::get({2}, element);
  Value pair;
  if (element.isBF16())
    pair = NVVM::ConvertF32x2ToBF16x2Op::create(*this, type, high, low, Value(),
                                                NVVM::FPRoundingMode::RN);
  else
    pair = NVVM::ConvertF32x2ToF16x2Op::create(*this, type, high, low, Value(),
                                               NVVM::FPRoundingMode::RN);
  return LLVM::BitcastOp::create(*this, getI32Type(), pair);
}

void KernelBuilder::storeMatrix(Value pointer, ArrayRef<Value> words,
                                bool transposed) {
  NVVM::StMatrixOp::create(*this, pointer, words,
                           transposed ? NVVM::MMALayout::col
                                      : NVVM::MMALayout::row,
                           NVVM::LdStMatrixShapeAttr::get(getContext(), 8, 8),
                           NVVM::LdStMatrixEltType::B16);
}
