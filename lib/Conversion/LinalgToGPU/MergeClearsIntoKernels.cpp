//===- MergeClearsIntoKernels.cpp - Clearing without a launch -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counters from which kernels draw their work are to be cleared in every call.
// A launch for a word takes as long as one for a thousand, and whatever comes
// before the counter's kernel can do it.
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"

#include "GPU/Host/LeftOut.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace mlir::pit {
#define GEN_PASS_DEF_MERGECLEARSINTOKERNELS
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// Threads that every block has.
static constexpr int64_t kMaxElements = 32;

/// The buffer that a fill clears, if it is small, of the function's own, and
/// new.
static memref::AllocOp findClearedBuffer(linalg::FillOp fill) {
  if (fill.getNumResults() != 0 || !matchPattern(fill.value(), m_Zero()))
    return {};
  auto alloc = fill.output().getDefiningOp<memref::AllocOp>();
  if (!alloc || alloc->getBlock() != fill->getBlock())
    return {};
  MemRefType type = alloc.getType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      type.getRank() != 1 || type.getNumElements() > kMaxElements ||
      !type.getElementType().isInteger(32))
    return {};
  for (Operation *user : alloc->getUsers()) {
    Operation *inBlock = fill->getBlock()->findAncestorOpInBlock(*user);
    if (!inBlock || (user != fill && inBlock->isBeforeInBlock(fill)))
      return {};
  }
  return alloc;
}

/// The kernel of a launch, if it can be changed for that launch alone.
static LLVM::LLVMFuncOp findOwnKernel(gpu::LaunchFuncOp launch) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
      launch, launch.getKernel());
  if (!kernel || kernel.isExternal() || mayBeLeftOut(launch))
    return {};
  auto threads = kernel->getAttrOfType<DenseI32ArrayAttr>(
      NVVM::NVVMDialect::getReqntidAttrName());
  if (!threads || threads[0] < kMaxElements)
    return {};
  unsigned launches = 0;
  launch->getParentOfType<ModuleOp>().walk([&](gpu::LaunchFuncOp other) {
    launches += other.getKernel() == launch.getKernel();
  });
  return launches == 1 ? kernel : LLVM::LLVMFuncOp();
}

/// Gives the kernel one more parameter, whose elements it sets to zero.
static void emitClear(LLVM::LLVMFuncOp kernel, int64_t count) {
  MLIRContext *context = kernel.getContext();
  Location loc = kernel.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(
      context, unsigned(NVVM::NVVMMemorySpace::Global));
  LLVM::LLVMFunctionType type = kernel.getFunctionType();
  SmallVector<Type> parameters(type.getParams());
  parameters.push_back(pointer);
  kernel.setFunctionType(
      LLVM::LLVMFunctionType::get(type.getReturnType(), parameters));
  if (ArrayAttr attributes = kernel.getArgAttrsAttr()) {
    SmallVector<Attribute> all(attributes.begin(), attributes.end());
    all.push_back(DictionaryAttr::get(context));
    kernel.setArgAttrsAttr(ArrayAttr::get(context, all));
  }
  Block &entry = kernel.getBody().front();
  Value words = entry.addArgument(pointer, loc);

  auto b = ImplicitLocOpBuilder::atBlockBegin(loc, &entry);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, value, 32);
  };
  Value thread = NVVM::ThreadIdXOp::create(b, b.getI32Type());
  Value block = NVVM::BlockIdXOp::create(b, b.getI32Type());
  Value takesPart = arith::AndIOp::create(
      b,
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, thread,
                            constant(count)),
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, block, constant(0)));
  auto condition = scf::IfOp::create(b, takesPart);
  b.setInsertionPointToStart(condition.thenBlock());
  Value word = LLVM::GEPOp::create(b, pointer, b.getI32Type(), words,
                                   LLVM::GEPArg(thread));
  LLVM::StoreOp::create(b, constant(0), word, /*alignment=*/4);
}

namespace {

struct MergeClearsIntoKernelsPass
    : pit::impl::MergeClearsIntoKernelsBase<MergeClearsIntoKernelsPass> {
  void runOnOperation() override;

private:
  void convert(func::FuncOp function);
};

} // namespace

void MergeClearsIntoKernelsPass::convert(func::FuncOp function) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return;
  Block &body = function.getBody().front();
  auto launches = body.getOps<gpu::LaunchFuncOp>();
  if (launches.empty())
    return;
  gpu::LaunchFuncOp launch = *launches.begin();
  LLVM::LLVMFuncOp kernel = findOwnKernel(launch);
  if (!kernel)
    return;
  for (auto fill : llvm::make_early_inc_range(body.getOps<linalg::FillOp>())) {
    memref::AllocOp alloc = findClearedBuffer(fill);
    if (!alloc || fill->isBeforeInBlock(launch))
      continue;
    if (launch->isBeforeInBlock(alloc))
      alloc->moveBefore(launch);
    emitClear(kernel, alloc.getType().getNumElements());
    OpBuilder builder(launch);
    Value base =
        memref::ExtractStridedMetadataOp::create(builder, fill.getLoc(), alloc)
            .getBaseBuffer();
    launch.getKernelOperandsMutable().append(base);
    fill.erase();
    ++numClears;
  }
}

void MergeClearsIntoKernelsPass::runOnOperation() {
  for (auto function : getOperation().getOps<func::FuncOp>())
    convert(function);
}
