//===- ConvertDetectToGPU.cpp - Detection as kernels ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A detection is two steps, from the pattern to a bitmap (Reader.h) and from
// the bitmap to the lists (ListWriter.h). Each is a launch of its own, as a
// block of the second needs what all blocks of the first have found; one block
// does both where there is little to read.
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"
#include "PIT/Dialect/PIT/Utils/Sizes.h"
#include "PIT/Support/Remarks.h"

#include "GPU/Host/KernelModule.h"
#include "GPU/Host/StatusBuffer.h"
#include "LengthsLists.h"
#include "PackedDetection.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

namespace mlir::pit {
#define GEN_PASS_DEF_CONVERTDETECTTOGPU
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::detect;

namespace {

struct ConvertDetectToGPUPass
    : pit::impl::ConvertDetectToGPUBase<ConvertDetectToGPUPass> {
  using ConvertDetectToGPUBase::ConvertDetectToGPUBase;

  LogicalResult initialize(MLIRContext *context) override {
    FailureOr<const ChipModel *> found = lookupChip(chip, context);
    if (succeeded(found))
      model = *found;
    return found;
  }
  void runOnOperation() override;

private:
  LogicalResult convert(func::FuncOp function);
  LogicalResult convertToLists(DetectIntoOp op, gpu::GPUModuleOp module,
                               Value status);
  LogicalResult convertToBits(DetectBitsIntoOp op, gpu::GPUModuleOp module,
                              Value status);
  LogicalResult convertToPacked(DetectPackedIntoOp op, gpu::GPUModuleOp module);

  const ChipModel *model = nullptr;
};

} // namespace

static std::unique_ptr<Reader> createReader(const Problem &problem,
                                            HostMath &host, Value status) {
  if (problem.pattern.getKind() == PatternKind::Lengths)
    return createLengthsReader(problem, host, status);
  if (problem.getInner().role == Axis::Role::Coordinate)
    return createCoordinateReader(problem, host);
  return createSegmentReader(problem, host);
}

/// Whether one block reads the pattern about as fast as a second launch starts;
/// an i1 of the host, which decides where extents are dynamic.
static Value isSmall(const Problem &problem, HostMath &host) {
  constexpr int64_t kBytes = 1 << 15, kWords = 1 << 12;
  Value words = host.mul(problem.numSegments, problem.numWords),
        bytes = host.constant(problem.getElementBytes());
  for (const Axis &axis : problem.axes)
    bytes = host.mul(bytes, axis.extent);
  Value fits[2];
  for (auto [i, amount, most] :
       {std::tuple(0, words, kWords), {1, bytes, kBytes}}) {
    std::optional<int64_t> known = getKnown(amount);
    fits[i] =
        known
            ? arith::ConstantIntOp::create(host, *known <= most, 1).getResult()
            : arith::CmpIOp::create(host, arith::CmpIPredicate::ule, amount,
                                    host.constant(most))
                  .getResult();
  }
  return host.createOrFold<arith::AndIOp>(fits[0], fits[1]);
}

/// The base of a buffer that starts there.
static Value getBase(HostMath &host, Value buffer) {
  return memref::ExtractStridedMetadataOp::create(host, buffer).getBaseBuffer();
}

/// A buffer of i32; one word at least, as the first is read even if there are
/// none.
static Value allocateWords(HostMath &host, Value count) {
  count = host.max(count, host.constant(1));
  SmallVector<Value> dynamic;
  std::optional<int64_t> known = getKnown(count);
  if (!known)
    dynamic.push_back(count);
  auto type = MemRefType::get({known.value_or(ShapedType::kDynamic)},
                              host.getI32Type());
  return memref::AllocOp::create(host, type, dynamic);
}

static std::string makeKernelName(Operation *op, gpu::GPUModuleOp module,
                                  StringRef step) {
  std::string name;
  unsigned number = 0;
  do
    name =
        (op->getParentOfType<func::FuncOp>().getName() + step + Twine(number++))
            .str();
  while (module.lookupSymbol(name));
  return name;
}

static LogicalResult checkIsContiguous(Operation *op, Value list) {
  if (cast<MemRefType>(list.getType()).getLayout().isIdentity())
    return success();
  return op->emitOpError("writes a list of type ")
         << list.getType() << "; it must be contiguous";
}

LogicalResult ConvertDetectToGPUPass::convertToLists(DetectIntoOp op,
                                                     gpu::GPUModuleOp module,
                                                     Value status) {
  HostMath host(op.getLoc(), op);
  if (failed(checkIsContiguous(op, op.getOffsets())) ||
      failed(checkIsContiguous(op, op.getCoords())))
    return failure();
  FailureOr<Problem> problem = describeProblem(op, host);
  if (failed(problem))
    return failure();
  status = getBase(host, status);
  auto coordsType = cast<MemRefType>(op.getCoords().getType());
  Value capacity =
      coordsType.isDynamicDim(0)
          ? memref::DimOp::create(host, op.getCoords(), 0).getResult()
          : host.constant(coordsType.getDimSize(0));
  Lists lists{getBase(host, op.getOffsets()), getBase(host, op.getCoords()),
              capacity, status};
  constexpr int64_t kListThreads = 256;
  if (canListLengths(*problem)) {
    Kernel kernel(module, op.getLoc(), makeKernelName(op, module, "_detect_"),
                  kListThreads);
    Value numBlocks = emitLengthsLists(kernel, *problem, lists, host, *model);
    kernel.finish(host, numBlocks);
    op.erase();
    ++numKernels;
    ++numDetections;
    return success();
  }
  std::unique_ptr<Reader> reader = createReader(*problem, host, status);
  const Chunks &chunks = reader->getChunks();
  Value bitmap =
      allocateWords(host, host.mul(problem->numSegments, problem->numWords));
  Value counts = allocateWords(host, chunks.count);
  Scratch scratch{getBase(host, bitmap), getBase(host, counts)};
  Value one = host.constant(1);
  // Where the host has to ask, it launches one kernel or the other two.
  Value small = isSmall(*problem, host), large;
  APInt known;
  const bool isKnown = matchPattern(small, m_ConstantInt(&known));
  if (!isKnown)
    large = arith::XOrIOp::create(host, small,
                                  arith::ConstantIntOp::create(host, 1, 1));
  if (!isKnown || known.isOne()) {
    ListWriter writer(*problem, chunks, lists, host, /*oneBlock=*/true, *model);
    Kernel only(module, op.getLoc(), makeKernelName(op, module, "_detect_"),
                reader->getNumThreads());
    reader->emit(only, scratch);
    only.syncBlock();
    writer.emit(only, scratch);
    only.finish(host, one, isKnown ? Value() : small);
    ++numKernels;
  }
  if (!isKnown || known.isZero()) {
    ListWriter writer(*problem, chunks, lists, host, /*oneBlock=*/false,
                      *model);
    Kernel first(module, op.getLoc(), makeKernelName(op, module, "_detect_"),
                 reader->getNumThreads());
    reader->emit(first, scratch);
    first.finish(host, host.max(reader->getNumBlocks(), one), large);
    Kernel second(module, op.getLoc(), makeKernelName(op, module, "_list_"),
                  kListThreads);
    writer.emit(second, scratch);
    second.finish(host, writer.getNumBlocks(), large);
    numKernels += 2;
  }
  memref::DeallocOp::create(host, bitmap);
  memref::DeallocOp::create(host, counts);
  op.erase();
  ++numDetections;
  return success();
}

/// Sets the words of a buffer from `first` on to zero, in the first block.
static void clearRest(Kernel &b, HostMath &host, Value buffer, Value first) {
  auto type = cast<MemRefType>(buffer.getType());
  Value length = type.isDynamicDim(0)
                     ? memref::DimOp::create(host, buffer, 0).getResult()
                     : host.constant(type.getDimSize(0));
  if (getKnown(length) && getKnown(length) == getKnown(first))
    return;
  Value pointer = b.pointer(getBase(host, buffer));
  Value begin = b.number(first, 64);
  Value count = arith::TruncIOp::create(b, b.getI32Type(),
                                        b.sub(b.number(length, 64), begin));
  b.ifThen(b.isEqual(b.blockId(), 0), [&] {
    b.forLoop(b.threadId(), count, b.i32(b.getNumThreads()), {},
              [&](Value i, ValueRange) {
                b.store(b.i32(0),
                        b.element(pointer, b.add(begin, b.extend(i)), 4), 4);
                return SmallVector<Value>();
              });
  });
}

LogicalResult ConvertDetectToGPUPass::convertToBits(DetectBitsIntoOp op,
                                                    gpu::GPUModuleOp module,
                                                    Value status) {
  HostMath host(op.getLoc(), op);
  if (failed(checkIsContiguous(op, op.getBitmap())))
    return failure();
  FailureOr<Problem> problem = describeProblem(op, host);
  if (failed(problem))
    return failure();
  problem->needsCounts = false;
  status = getBase(host, status);
  std::unique_ptr<Reader> reader = createReader(*problem, host, status);
  // Not all readers can do without.
  Value counts = allocateWords(host, reader->getChunks().count);
  Kernel kernel(module, op.getLoc(), makeKernelName(op, module, "_detect_"),
                reader->getNumThreads());
  reader->emit(kernel,
               Scratch{getBase(host, op.getBitmap()), getBase(host, counts)});
  clearRest(kernel, host, op.getBitmap(),
            host.mul(problem->numSegments, problem->numWords));
  kernel.finish(host, host.max(reader->getNumBlocks(), host.constant(1)));
  memref::DeallocOp::create(host, counts);
  op.erase();
  ++numKernels;
  ++numDetections;
  return success();
}

LogicalResult ConvertDetectToGPUPass::convertToPacked(DetectPackedIntoOp op,
                                                      gpu::GPUModuleOp module) {
  HostMath host(op.getLoc(), op);
  for (Value list : {op.getCounts(), op.getCoords(), op.getValues()})
    if (failed(checkIsContiguous(op, list)))
      return failure();
  FailureOr<Problem> problem = describePacking(op, host);
  if (failed(problem))
    return failure();
  Kernel kernel(module, op.getLoc(), makeKernelName(op, module, "_detect_"),
                getNumPackingThreads(*problem));
  Value numBlocks =
      emitPacking(kernel, *problem, host,
                  {getBase(host, op.getCounts()), getBase(host, op.getCoords()),
                   getBase(host, op.getValues()),
                   op.getBy() ? getBase(host, op.getBy()) : Value()},
                  op.getMostLive());
  kernel.finish(host, numBlocks);
  op.erase();
  ++numKernels;
  ++numDetections;
  return success();
}

/// Nothing is live in a tensor without elements: all segments are empty, and
/// no kernel has to read for that.
static bool convertEmpty(Operation *op) {
  Value source, cleared;
  if (auto lists = dyn_cast<DetectIntoOp>(op)) {
    source = lists.getSource() ? lists.getSource() : lists.getBy();
    cleared = lists.getOffsets();
  } else if (auto bits = dyn_cast<DetectBitsIntoOp>(op)) {
    source = bits.getSource() ? bits.getSource() : bits.getBy();
    cleared = bits.getBitmap();
  } else {
    source = cast<DetectPackedIntoOp>(op).getSource();
    cleared = cast<DetectPackedIntoOp>(op).getCounts();
  }
  if (!llvm::is_contained(cast<ShapedType>(source.getType()).getShape(), 0))
    return false;
  OpBuilder builder(op);
  Value zero = arith::ConstantOp::create(
      builder, op->getLoc(),
      builder.getZeroAttr(getElementTypeOrSelf(cleared)));
  linalg::FillOp::create(builder, op->getLoc(), zero, cleared);
  op->erase();
  return true;
}

LogicalResult ConvertDetectToGPUPass::convert(func::FuncOp function) {
  SmallVector<Operation *> worklist;
  WalkResult walk = function.walk([&](Operation *op) -> WalkResult {
    auto lists = dyn_cast<DetectIntoOp>(op);
    if (!lists && !isa<DetectBitsIntoOp, DetectPackedIntoOp>(op))
      return WalkResult::advance();
    bool isOnBuffers = !lists || isa<MemRefType>(lists.getOffsets().getType());
    if (failed(checkIsLaunched(function, op, isOnBuffers)))
      return WalkResult::interrupt();
    worklist.push_back(op);
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  if (worklist.empty())
    return success();
  FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
  if (failed(module))
    return failure();
  Value status = getStatusBuffer(function);
  for (Operation *op : worklist) {
    if (convertEmpty(op)) {
      ++numDetections;
      continue;
    }
    LogicalResult result = success();
    remarks::kernel(op, isa<DetectIntoOp>(op) ? "detection into lists"
                        : isa<DetectPackedIntoOp>(op)
                            ? "detection that packs micro-tiles"
                            : "detection into bits");
    if (auto lists = dyn_cast<DetectIntoOp>(op))
      result = convertToLists(lists, *module, status);
    else if (auto packed = dyn_cast<DetectPackedIntoOp>(op))
      result = convertToPacked(packed, *module);
    else
      result = convertToBits(cast<DetectBitsIntoOp>(op), *module, status);
    if (failed(result))
      return failure();
  }
  return success();
}

void ConvertDetectToGPUPass::runOnOperation() {
  if (failed(checkSizes(getOperation())))
    return signalPassFailure();
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (failed(convert(function)))
      return signalPassFailure();
}
