//===- ReductionAccess.cpp - What kernels of a reduction access -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReductionAccess.h"

#include "GPU/Host/BufferAccess.h"
#include "PIT/Dialect/PIT/Utils/Subscripts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;
using mlir::pit::detect::HostMath;
using mlir::pit::detect::Kernel;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

int64_t mlir::pit::rows::getBytes(Type element) {
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

static bool isBit(Type element) { return element.isInteger(1); }

/// Whether an element is loaded as a byte, and made of it.
static bool isByte(Type element) {
  return element.getIntOrFloatBitWidth() <= 8 && !element.isInteger(8);
}

SmallVector<Value> mlir::pit::rows::loadElements(Kernel &b, Value pointer,
                                                 Type element, int64_t count,
                                                 bool isInvariant) {
  Type loadedType = isByte(element) ? b.getI8Type() : element;
  SmallVector<Value> elements =
      sums::loadElements(b, pointer, loadedType, count, isInvariant);
  if (!isByte(element))
    return elements;
  Value zero = arith::ConstantIntOp::create(b, 0, 8);
  for (Value &loaded : elements)
    loaded = isBit(element)
                 ? b.compare(arith::CmpIPredicate::ne, loaded, zero)
                 : arith::BitcastOp::create(b, element, loaded).getResult();
  return elements;
}

Value mlir::pit::rows::loadElement(Kernel &b, Value pointer, Type element) {
  return loadElements(b, pointer, element, 1, /*isInvariant=*/false)[0];
}

void mlir::pit::rows::storeElement(Kernel &b, Value value, Value pointer) {
  int64_t bytes = getBytes(value.getType());
  if (isBit(value.getType()))
    value = arith::ExtUIOp::create(b, b.getI8Type(), value);
  else if (isByte(value.getType()))
    value = arith::BitcastOp::create(b, b.getI8Type(), value);
  b.store(value, pointer, bytes);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

ReductionAccess::ReductionAccess(const Reduction &reduction, int64_t vector,
                                 const Parts &parts, HostMath &host)
    : reduction(reduction), vector(vector), parts(parts), host(host) {
  linalg::LinalgOp op = reduction.op;
  for (Range range : op.createLoopRanges(host, host.getLoc()))
    extents.push_back(
        getValueOrCreateConstantIndexOp(host, host.getLoc(), range.size));
  for (Value operand : op->getOperands()) {
    if (!isa<MemRefType>(operand.getType())) {
      layouts.emplace_back();
      isInvariant.push_back(true);
      continue;
    }
    layouts.emplace_back(sums::Layout(host, operand));
    isInvariant.push_back(llvm::none_of(op.getDpsInits(), [&](Value init) {
      return hopper::mayShareMemory(init, operand);
    }));
  }
  for (Value buffer : parts.buffers)
    ofParts.emplace_back(host, buffer);
}

SmallVector<Type> ReductionAccess::getResultTypes() const {
  linalg::LinalgOp op = reduction.op;
  return llvm::map_to_vector(
      op.getDpsInits(), [](Value init) { return getElementTypeOrSelf(init); });
}

Value ReductionAccess::countPoints(ArrayRef<unsigned> loops) const {
  Value count = host.constant(1);
  for (unsigned loop : loops)
    count = host.mul(count, extents[loop]);
  return count;
}

Value ReductionAccess::countPositions() const {
  if (!reduction.isAlongInner)
    return countPoints(reduction.reductions);
  Value vectors = host.createOrFold<arith::DivUIOp>(
      extents[reduction.getInner()], host.constant(vector));
  return host.mul(countPoints(ArrayRef(reduction.reductions).drop_back()),
                  vectors);
}

SmallVector<Value> ReductionAccess::createIvs(Kernel &b) const {
  return SmallVector<Value>(extents.size(), b.i64(0));
}

void ReductionAccess::delinearize(Kernel &b, Value point,
                                  ArrayRef<unsigned> loops,
                                  MutableArrayRef<Value> ivs) const {
  for (unsigned loop : llvm::reverse(loops)) {
    if (loop == loops.front()) {
      ivs[loop] = point;
      return;
    }
    Value extent = extents[loop];
    if (reduction.isAlongInner && loop == reduction.getInner())
      extent = host.createOrFold<arith::DivUIOp>(extent, host.constant(vector));
    Value steps = b.number(extent, 64);
    ivs[loop] = b.remainder(point, steps);
    point = b.divide(point, steps);
  }
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

SmallVector<Value> ReductionAccess::getSubscripts(Kernel &b, AffineMap map,
                                                  ArrayRef<Value> ivs) const {
  SmallVector<Value> subscripts;
  for (AffineExpr expr : map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      subscripts.push_back(ivs[dim.getPosition()]);
      continue;
    }
    SmallVector<Value> indices;
    for (Value iv : ivs)
      indices.push_back(arith::IndexCastOp::create(b, b.getIndexType(), iv));
    Value subscript = createSubscript(b, b.getLoc(), expr, indices);
    subscripts.push_back(
        arith::IndexCastOp::create(b, b.getI64Type(), subscript));
  }
  return subscripts;
}

Value ReductionAccess::getAddress(Kernel &b, OpOperand &operand,
                                  ArrayRef<Value> ivs) const {
  linalg::LinalgOp op = reduction.op;
  return layouts[operand.getOperandNumber()]->address(
      b, getSubscripts(b, op.getMatchingIndexingMap(&operand), ivs));
}

SmallVector<Value> ReductionAccess::loadAlong(Kernel &b, OpOperand &input,
                                              ArrayRef<Value> ivs,
                                              int64_t length) const {
  linalg::LinalgOp op = reduction.op;
  unsigned number = input.getOperandNumber(), inner = reduction.getInner();
  Type element = layouts[number]->element;
  AffineMap map = op.getMatchingIndexingMap(&input);
  if (!map.isFunctionOfDim(inner))
    return loadElements(b, getAddress(b, input, ivs), element, 1,
                        isInvariant[number]);
  if (reduction.isContiguous(input))
    return loadElements(b, getAddress(b, input, ivs), element, length,
                        isInvariant[number]);
  SmallVector<Value> elements;
  for (int64_t i = 0; i < length; ++i) {
    SmallVector<Value> moved(ivs);
    moved[inner] = b.add(moved[inner], i);
    llvm::append_range(elements, loadElements(b, getAddress(b, input, moved),
                                              element, 1, isInvariant[number]));
  }
  return elements;
}

Loads ReductionAccess::load(Kernel &b, ArrayRef<Value> ivs,
                            int64_t length) const {
  linalg::LinalgOp op = reduction.op;
  Loads loads;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!op.payloadUsesValueFromOperand(input))
      loads.emplace_back();
    else if (!isa<MemRefType>(input->get().getType()))
      loads.push_back({b.clone(*input->get().getDefiningOp())->getResult(0)});
    else
      loads.push_back(loadAlong(b, *input, ivs, length));
  }
  return loads;
}

SmallVector<Value>
mlir::pit::rows::emitBody(Kernel &b, linalg::LinalgOp op,
                          ArrayRef<Value> arguments,
                          function_ref<Value(unsigned)> getIndex) {
  return emitBody(b, op, arguments, getIndex,
                  op.getBlock()->getTerminator()->getOperands());
}

SmallVector<Value> mlir::pit::rows::emitBody(
    Kernel &b, linalg::LinalgOp op, ArrayRef<Value> arguments,
    function_ref<Value(unsigned)> getIndex, ValueRange wanted) {
  Block *body = op.getBlock();
  IRMapping mapping;
  for (auto [argument, value] :
       llvm::zip_equal(body->getArguments(), arguments))
    if (value)
      mapping.map(argument, value);
  auto enter = [&](Value value) {
    if (value.getParentBlock() != body && !mapping.contains(value))
      mapping.map(value, b.clone(*value.getDefiningOp())->getResult(0));
  };
  for (Operation &nested : body->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(nested)) {
      mapping.map(index.getResult(),
                  arith::IndexCastOp::create(b, b.getIndexType(),
                                             getIndex(index.getDim()))
                      .getResult());
      continue;
    }
    llvm::for_each(nested.getOperands(), enter);
    b.clone(nested, mapping);
  }
  llvm::for_each(wanted, enter);
  return llvm::map_to_vector(
      wanted, [&](Value value) { return mapping.lookupOrDefault(value); });
}

SmallVector<Value> ReductionAccess::emitBody(Kernel &b, const Loads &loads,
                                             unsigned i, ValueRange before,
                                             ArrayRef<Value> ivs) const {
  SmallVector<Value> arguments;
  for (const SmallVector<Value> &loaded : loads)
    arguments.push_back(loaded.empty()       ? Value()
                        : loaded.size() == 1 ? loaded[0]
                                             : loaded[i]);
  llvm::append_range(arguments, before);
  return rows::emitBody(b, reduction.op, arguments,
                        [&](unsigned loop) { return ivs[loop]; });
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Value ReductionAccess::loadStart(Kernel &b, unsigned result,
                                 ArrayRef<Value> ivs) const {
  if (linalg::FillOp fill = reduction.starts[result])
    return b.clone(*fill.getInputs()[0].getDefiningOp())->getResult(0);
  linalg::LinalgOp op = reduction.op;
  OpOperand *init = op.getDpsInitOperand(result);
  return loadElement(b, getAddress(b, *init, ivs),
                     getElementTypeOrSelf(init->get()));
}

void ReductionAccess::store(Kernel &b, ArrayRef<Value> ivs,
                            ArrayRef<Value> results) const {
  linalg::LinalgOp op = reduction.op;
  for (auto [i, value] : llvm::enumerate(results))
    storeElement(b, value, getAddress(b, *op.getDpsInitOperand(i), ivs));
}

void ReductionAccess::storePart(Kernel &b, ArrayRef<Value> ivs, Value part,
                                ArrayRef<Value> results) const {
  SmallVector<Value> position;
  for (unsigned loop : reduction.points)
    position.push_back(ivs[loop]);
  position.insert(parts.isFirst ? position.begin() : position.end(), part);
  for (auto [layout, value] : llvm::zip_equal(ofParts, results))
    storeElement(b, value, layout.address(b, position));
}
