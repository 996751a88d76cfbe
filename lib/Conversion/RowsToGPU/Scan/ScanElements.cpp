//===- ScanElements.cpp - Elements and results of running sums ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScanEmitter.h"

#include "GPU/Host/BufferAccess.h"
#include "PIT/Dialect/PIT/Utils/Subscripts.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;
using mlir::pit::detect::Kernel;

SmallVector<ScanEmitter::Access, 0>
ScanEmitter::createAccesses(linalg::LinalgOp of) {
  SmallVector<Access, 0> accesses;
  for (OpOperand &operand : of->getOpOperands()) {
    Access access;
    access.map = of.getMatchingIndexingMap(&operand);
    if (isa<MemRefType>(operand.get().getType()) &&
        operand.get() != scan.behind.result) {
      access.layout.emplace(host, operand.get());
      access.isInvariant =
          llvm::none_of(scan.getLast().getDpsInits(), [&](Value init) {
            return hopper::mayShareMemory(init, operand.get());
          });
    }
    accesses.push_back(std::move(access));
  }
  return accesses;
}

Value ScanEmitter::address(Kernel &b, const Access &access,
                           ArrayRef<Value> numbers) {
  SmallVector<Value> subscripts;
  for (AffineExpr expr : access.map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      subscripts.push_back(numbers[dim.getPosition()]);
      continue;
    }
    SmallVector<Value> indices;
    for (Value number : numbers)
      indices.push_back(
          arith::IndexCastOp::create(b, b.getIndexType(), number));
    subscripts.push_back(arith::IndexCastOp::create(
        b, b.getI64Type(), createSubscript(b, b.getLoc(), expr, indices)));
  }
  return access.layout->address(b, subscripts);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// The number of the element at a position of the scan.
Value ScanEmitter::getNumber(Kernel &b, Value position) {
  if (!scan.scan.isReversed)
    return position;
  return b.sub(b.sub(b.number(count, 64), 1), position);
}

/// The loops' numbers at an element of the row.
SmallVector<Value> ScanEmitter::at(Kernel &b, Value number) {
  SmallVector<Value> moved(ivs);
  moved[scan.scan.over] = moved[scan.scan.along] = number;
  return moved;
}

/// What the body computes of inputs for elements with these numbers.
SmallVector<Value> ScanEmitter::computeElements(Kernel &b,
                                                ArrayRef<Value> numbers,
                                                bool isVector) {
  linalg::LinalgOp op = scan.op;
  int64_t count = numbers.size();
  bool isReversed = scan.scan.isReversed;
  SmallVector<SmallVector<Value>> loads;
  for (OpOperand *input : op.getDpsInputOperands()) {
    const Access &access = ofOp[input->getOperandNumber()];
    SmallVector<Value> &loaded = loads.emplace_back();
    if (!op.payloadUsesValueFromOperand(input))
      continue;
    if (!access.layout) {
      loaded.push_back(b.clone(*input->get().getDefiningOp())->getResult(0));
      continue;
    }
    auto load = [&](Value number, int64_t length) {
      return rows::loadElements(b, address(b, access, at(b, number)),
                                access.layout->element, length,
                                access.isInvariant);
    };
    if (!access.map.isFunctionOfDim(scan.scan.over)) {
      loaded = load(numbers.front(), 1);
    } else if (isVector) {
      loaded = load(isReversed ? numbers.back() : numbers.front(), count);
      if (isReversed)
        std::reverse(loaded.begin(), loaded.end());
    } else {
      for (Value number : numbers)
        llvm::append_range(loaded, load(number, 1));
    }
  }
  SmallVector<Value> elements;
  for (auto [i, number] : llvm::enumerate(numbers)) {
    SmallVector<Value> arguments, place = at(b, number);
    for (const SmallVector<Value> &loaded : loads)
      arguments.push_back(loaded.empty()       ? Value()
                          : loaded.size() == 1 ? loaded[0]
                                               : loaded[i]);
    arguments.push_back(neutral(b));
    elements.push_back(emitBody(
        b, op, arguments, [&](unsigned loop) { return place[loop]; },
        scan.scan.element)[0]);
  }
  return elements;
}

/// The thread's elements from a position on; those that are not there change
/// nothing.
SmallVector<Value> ScanEmitter::loadElements(Kernel &b, Value position) {
  SmallVector<Value> numbers, elements;
  for (int64_t i = 0; i < vector; ++i)
    numbers.push_back(getNumber(b, b.add(position, i)));
  auto getNone = [&](int64_t length) {
    return SmallVector<Value>(length, neutral(b));
  };
  if (isVector)
    return b.choose(
        b.bitAnd(isRow, b.isLess(position, end)),
        [&] { return computeElements(b, numbers, /*isVector=*/true); },
        [&] { return getNone(vector); });
  // Loads of one branch are all under way at a time; behind the last element,
  // it is loaded again.
  bool mayBeLonger = !isEqualConstantIntOrValue(count, extents[scan.scan.over]);
  if (!mayBeLonger || !scan.scan.isReversed) {
    Value limit = end;
    if (mayBeLonger)
      limit = b.minimum(end, b.number(extents[scan.scan.over], 64));
    return b.choose(
        b.bitAnd(isRow, b.isLess(position, limit)),
        [&] {
          SmallVector<Value> clamped;
          for (int64_t i = 0; i < vector; ++i)
            clamped.push_back(
                getNumber(b, b.minimum(b.add(position, i), b.sub(limit, 1))));
          SmallVector<Value> found =
              computeElements(b, clamped, /*isVector=*/false);
          for (int64_t i = 1; i < vector; ++i)
            found[i] = b.select(b.isLess(b.add(position, i), limit), found[i],
                                neutral(b));
          return found;
        },
        [&] { return getNone(vector); });
  }
  for (int64_t i = 0; i < vector; ++i) {
    Value isInside = b.bitAnd(isRow, b.isLess(b.add(position, i), end));
    isInside = b.bitAnd(
        isInside, b.isLess(numbers[i], b.number(extents[scan.scan.over], 64)));
    llvm::append_range(elements,
                       b.choose(
                           isInside,
                           [&] {
                             return computeElements(b, numbers[i],
                                                    /*isVector=*/false);
                           },
                           [&] { return getNone(1); }));
  }
  return elements;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// One result, or what the work behind makes of it.
void ScanEmitter::storeOne(Kernel &b, ArrayRef<Value> place, Value result) {
  linalg::LinalgOp work = scan.behind.op;
  if (!work) {
    storeElement(b, result, address(b, ofOp.back(), place));
    return;
  }
  SmallVector<Value> numbers;
  for (std::optional<unsigned> loop : loopsOfWork)
    numbers.push_back(loop ? place[*loop] : b.i64(0));
  SmallVector<Value> arguments;
  for (OpOperand &operand : work->getOpOperands()) {
    const Access &access = ofWork[operand.getOperandNumber()];
    if (operand.get() == scan.behind.result)
      arguments.push_back(result);
    else if (!work.payloadUsesValueFromOperand(&operand))
      arguments.emplace_back();
    else if (!access.layout)
      arguments.push_back(
          b.clone(*operand.get().getDefiningOp())->getResult(0));
    else
      arguments.push_back(rows::loadElements(b, address(b, access, numbers),
                                             access.layout->element, 1,
                                             access.isInvariant)[0]);
  }
  SmallVector<Value> worked = emitBody(
      b, work, arguments, [&](unsigned loop) { return numbers[loop]; });
  for (auto [init, value] : llvm::zip_equal(work.getDpsInitsMutable(), worked))
    storeElement(b, value,
                 address(b, ofWork[init.getOperandNumber()], numbers));
}

void ScanEmitter::store(Kernel &b, Value position, ArrayRef<Value> results) {
  auto getStart = [&](ArrayRef<Value> place) -> Value {
    if (linalg::FillOp start = scan.start)
      return b.clone(*start.getInputs()[0].getDefiningOp())->getResult(0);
    return loadElement(b, address(b, ofOp.back(), place),
                       ofOp.back().layout->element);
  };
  bool isOneStore = isVector && !scan.behind.op && scan.storesVector(vector);
  if (isOneStore) {
    b.ifThen(b.bitAnd(isRow, b.isLess(position, end)), [&] {
      SmallVector<Value> values;
      for (auto [i, result] : llvm::enumerate(results))
        values.push_back(combine(
            b, getStart(at(b, getNumber(b, b.add(position, i)))), result));
      Value first = getNumber(b, position);
      if (scan.scan.isReversed) {
        std::reverse(values.begin(), values.end());
        first = b.sub(first, vector - 1);
      }
      sums::storeElements(b, address(b, ofOp.back(), at(b, first)), values);
    });
    return;
  }
  for (auto [i, result] : llvm::enumerate(results)) {
    Value moved = b.add(position, i), number = getNumber(b, moved);
    Value isInside = b.bitAnd(isRow, b.isLess(moved, end));
    if (!isEqualConstantIntOrValue(count, extents[scan.scan.along]))
      isInside = b.bitAnd(
          isInside, b.isLess(number, b.number(extents[scan.scan.along], 64)));
    b.ifThen(isInside, [&, result = result] {
      SmallVector<Value> place = at(b, number);
      storeOne(b, place, combine(b, getStart(place), result));
    });
  }
}
