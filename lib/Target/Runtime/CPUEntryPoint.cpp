//===- CPUEntryPoint.cpp - Entry points that compute on the CPU -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BranchExtents.h"
#include "EntryPoint.h"
#include "PeakMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::pit;

//===----------------------------------------------------------------------===//
// What functions may return
//===----------------------------------------------------------------------===//

static bool isKnownBefore(Value value);

static bool hasKnownExtents(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.hasStaticShape())
    return true;
  if (!buffer.getDefiningOp() || !makesBuffer(buffer.getDefiningOp()))
    return isKnownBefore(buffer);
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (!type.isDynamicDim(unsigned(i)))
      continue;
    std::optional<ExtentSource> source = findExtentSource(buffer, i);
    if (!source || !isKnownBefore(source->size ? source->size : source->buffer))
      return false;
  }
  return true;
}

/// Whether a value can be computed from the arguments alone. Of a buffer that
/// is allocated here, or in a branch, only the extents are meant.
static bool isKnownBefore(Value value) {
  Operation *def = value.getDefiningOp();
  if (!def)
    return isa<func::FuncOp>(value.getParentBlock()->getParentOp());
  if (makesBuffer(def) && isa<MemRefType>(value.getType()))
    return hasKnownExtents(value);
  return def->getNumRegions() == 0 && isMemoryEffectFree(def) &&
         llvm::all_of(def->getOperands(), isKnownBefore);
}

LogicalResult mlir::pit::checkCPUFunction(func::FuncOp function) {
  if (failed(checkSignature(function)))
    return failure();
  WalkResult walk = function.walk([&](func::ReturnOp op) {
    for (auto [i, value] : llvm::enumerate(op.getOperands())) {
      auto type = dyn_cast<MemRefType>(value.getType());
      if (!type || type.hasStaticShape() ||
          (function.getBody().hasOneBlock() && hasKnownExtents(value)))
        continue;
      function.emitOpError("returns result #")
          << i << " with extents that are not known from the arguments' "
          << "extents, so a caller cannot allocate it";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

/// Computes; results that are allocated here lie with the caller. Returns what
/// the function does.
SmallVector<Value> CPUEntryPoint::emitBody() {
  if (!source.getBody().hasOneBlock()) {
    SmallVector<Value> arguments;
    for (BlockArgument argument : source.getArguments())
      arguments.push_back(mapping.lookup(argument));
    auto call = func::CallOp::create(builder, source, arguments);
    return llvm::to_vector_of<Value>(call.getResults());
  }
  for (auto [op, number] : resultOf) {
    auto alloc = cast<memref::AllocOp>(op);
    mapping.map(alloc.getResult(),
                makeBuffer(alloc.getType(), addresses.lookup(number),
                           getExtents(alloc)));
  }
  Block &body = source.getBody().front();
  for (Operation &op : body.without_terminator())
    if (!resultOf.contains(&op))
      builder.clone(op, mapping);
  SmallVector<Value> returned;
  for (Value value : body.getTerminator()->getOperands())
    returned.push_back(mapping.lookup(value));
  return returned;
}

/// Frees the buffers that were returned, each once: results may share one.
void CPUEntryPoint::freeReturned(ValueRange returned) {
  // What lies with the caller is not ours to free, nor is a part of it.
  SmallVector<Value> bases(returned.size()), kept;
  for (auto [i, value] : llvm::enumerate(returned)) {
    if (!isa<MemRefType>(value.getType()))
      continue;
    bases[i] = memref::ExtractAlignedPointerAsIndexOp::create(builder, value);
    if (llvm::is_contained(llvm::make_second_range(resultOf), unsigned(i)))
      kept.push_back(bases[i]);
  }
  for (auto [i, value] : llvm::enumerate(returned)) {
    bool isOfCaller =
        llvm::is_contained(llvm::make_second_range(resultOf), unsigned(i));
    if (!bases[i] || isOfCaller)
      continue;
    Value isNew = arith::ConstantIntOp::create(builder, true, 1);
    for (Value other : kept) {
      Value differs = arith::CmpIOp::create(builder, arith::CmpIPredicate::ne,
                                            bases[i], other);
      isNew = arith::AndIOp::create(builder, isNew, differs);
    }
    scf::IfOp::create(builder, isNew,
                      [value = value](OpBuilder &nested, Location loc) {
                        memref::DeallocOp::create(nested, loc, value);
                        scf::YieldOp::create(nested, loc);
                      });
    kept.push_back(bases[i]);
  }
}

/// Copies what does not lie with the caller yet.
void CPUEntryPoint::emitResults(ValueRange returned, unsigned firstResult) {
  for (auto [i, value] : llvm::enumerate(returned)) {
    auto type = dyn_cast<MemRefType>(value.getType());
    if (!type) {
      calls.store(value, function.getArgument(firstResult + unsigned(i)), 0);
      continue;
    }
    if (llvm::is_contained(llvm::make_second_range(resultOf), unsigned(i)))
      continue;
    Value to = makeBuffer(type, addresses.lookup(unsigned(i)),
                          extents.lookup(unsigned(i)));
    memref::CopyOp::create(builder, value, to);
  }
  freeReturned(returned);
}

void CPUEntryPoint::build() {
  Type pointer = calls.pointerType();
  unsigned numResults = source.getNumResults();
  begin("", {pointer, pointer}, numResults, {pointer, builder.getI64Type()});
  for (NamedAttribute attribute : source->getDiscardableAttrs())
    function->setAttr(attribute.getName(), attribute.getValue());
  describe();
  calls.call("pit_rt_begin_host", {frame, function.getArgument(0)});
  readArguments(/*first=*/2);
  callChecks();
  unsigned firstResult = function.getNumArguments() - numResults - 2;
  if (source.getBody().hasOneBlock())
    findResults(source);
  for (auto [i, type] : llvm::enumerate(source.getResultTypes())) {
    auto buffer = dyn_cast<MemRefType>(type);
    if (!buffer)
      continue;
    SmallVector<Value> sizes = getResultExtents(unsigned(i));
    addresses[unsigned(i)] =
        passResult(unsigned(i), buffer,
                   function.getArgument(firstResult + unsigned(i)), sizes);
    extents[unsigned(i)] = std::move(sizes);
  }
  auto isOfCaller = [&](memref::AllocOp alloc) {
    return source.getBody().hasOneBlock() && resultOf.contains(alloc);
  };
  if (Value peak = makePeakMemory(source.getBody().front(), builder, mapping,
                                  isOfCaller))
    calls.call("pit_rt_memory", {frame, calls.toI64(peak)},
               builder.getI32Type());
  // After an error there may be no memory to compute on.
  Value ok = calls.call("pit_rt_ok", frame, builder.getI32Type());
  Value zero = arith::ConstantIntOp::create(builder, builder.getI32Type(), 0);
  Value goesOn =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, ok, zero);
  auto guard = scf::IfOp::create(builder, goesOn, /*withElseRegion=*/false);
  builder.setInsertionPointToStart(guard.thenBlock());
  emitResults(emitBody(), firstResult);
  builder.setInsertionPointAfter(guard);
  end();
}
