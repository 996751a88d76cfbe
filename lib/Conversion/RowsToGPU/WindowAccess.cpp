//===- WindowAccess.cpp - Elements of windows in a kernel -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WindowAccess.h"

#include "GPU/Lists/Payload.h"
#include "PIT/Dialect/PIT/Utils/Subscripts.h"
#include "ReductionAccess.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;
using mlir::pit::detect::getKnown;
using mlir::pit::detect::HostMath;
using mlir::pit::detect::Kernel;

WindowAccess::WindowAccess(const WindowReduction &windows, Value buffer,
                           AffineMap map,
                           ArrayRef<std::optional<unsigned>> loops,
                           int64_t vector, bool isInvariant, HostMath &host)
    : windows(windows), vector(vector), isInvariant(isInvariant),
      layout(host, buffer) {
  linalg::LinalgOp op = windows.op;
  auto type = cast<MemRefType>(buffer.getType());
  unsigned inner = windows.getInner(), numLoops = op.getNumLoops();
  for (auto [axis, subscript] : llvm::enumerate(map.getResults())) {
    SmallVector<int64_t> own = *getFactors(subscript, map.getNumDims());
    SmallVector<int64_t> of(numLoops + 1, 0);
    for (auto [i, loop] : llvm::enumerate(loops))
      if (loop)
        of[*loop] += own[i];
    of.back() = own.back();
    hasInner |= of[inner] != 0;
    factors.push_back(of);
    extents.push_back(
        type.isDynamicDim(axis)
            ? memref::DimOp::create(host, buffer, int64_t(axis)).getResult()
            : host.constant(type.getDimSize(axis)));
  }
  low.assign(factors.size(), 0);
  isChecked.assign(factors.size(), false);
  // Otherwise elements are loaded one by one.
  isContiguous =
      vector > 1 && hasInner && getKnown(layout.strides.back()) == 1 &&
      sums::isElement(layout.element) && factors.back()[inner] == 1 &&
      llvm::none_of(
          ArrayRef(factors).drop_back(),
          [&](const SmallVector<int64_t> &of) { return of[inner] != 0; });
}

void WindowAccess::setPadding(const WindowInput &input) {
  low = input.low;
  constant = input.constant;
  for (auto [axis, isPadded] : llvm::enumerate(input.isPadded))
    isChecked[axis] = isChecked[axis] || isPadded;
}

void WindowAccess::checkAlong(ArrayRef<unsigned> overhanging) {
  for (auto [axis, of] : llvm::enumerate(factors))
    for (unsigned loop : overhanging)
      isChecked[axis] = isChecked[axis] || of[loop] != 0;
}

void WindowAccess::forget() {
  places.clear();
  loaded.clear();
}

void WindowAccess::begin(Kernel &b, ArrayRef<Value> ivs) {
  forget();
  first.clear();
  pointer = b.pointer(layout.base);
  if (getKnown(layout.offset) != 0)
    pointer = b.element(pointer, b.number(layout.offset, 64), layout.bytes);
  for (auto [axis, of] : llvm::enumerate(factors)) {
    Value sum = b.i64(of.back() - low[axis]);
    for (auto [loop, iv] : llvm::enumerate(ivs))
      if (of[loop] != 0 && iv)
        sum = b.add(sum, b.mul(iv, of[loop]));
    first.push_back(sum);
    // What needs no check is one address; the rest is known distances.
    if (!isChecked[axis])
      pointer =
          b.element(pointer, b.mul(sum, b.number(layout.strides[axis], 64)),
                    layout.bytes);
  }
}

int64_t WindowAccess::getShift(unsigned axis, const Shift &shift) const {
  int64_t sum = 0;
  for (auto [loop, steps] : llvm::enumerate(shift))
    sum += factors[axis][loop] * steps;
  return sum;
}

WindowAccess::Place WindowAccess::getPlace(Kernel &b, unsigned axis,
                                           int64_t shift) {
  auto [it, isNew] = places.try_emplace({axis, shift});
  Place &place = it->second;
  if (!isNew)
    return place;
  Value stride = b.number(layout.strides[axis], 64);
  if (!isChecked[axis]) {
    place.offset = b.mul(b.i64(shift), stride);
    return place;
  }
  Value at = b.add(first[axis], shift);
  // Less than none is more than all.
  place.isInside =
      b.compare(arith::CmpIPredicate::ult, at, b.number(extents[axis], 64));
  place.offset = b.mul(b.select(place.isInside, at, b.i64(0)), stride);
  return place;
}

std::pair<Value, Value> WindowAccess::getAddress(Kernel &b,
                                                 const Shift &shift) {
  Value address = pointer, isInside;
  int64_t distance = 0;
  for (unsigned axis = 0; axis < factors.size(); ++axis) {
    int64_t steps = getShift(axis, shift);
    std::optional<int64_t> stride = getKnown(layout.strides[axis]);
    if (!isChecked[axis] && stride) {
      distance += steps * *stride * layout.bytes;
      continue;
    }
    if (!isChecked[axis] && steps == 0)
      continue;
    Place place = getPlace(b, axis, steps);
    address = b.element(address, place.offset, layout.bytes);
    if (place.isInside)
      isInside = isInside ? b.bitAnd(isInside, place.isInside) : place.isInside;
  }
  if (distance != 0)
    address = b.advance(address, distance);
  return {address, isInside};
}

ArrayRef<Value> WindowAccess::load(Kernel &b, const Shift &shift) {
  SmallVector<int64_t> key;
  for (unsigned axis = 0; axis < factors.size(); ++axis)
    key.push_back(getShift(axis, shift));
  auto [it, isNew] = loaded.try_emplace(key);
  SmallVector<Value> &elements = it->second;
  if (!isNew)
    return elements;
  auto loadSome = [&](const Shift &from, int64_t count) {
    auto [address, isInside] = getAddress(b, from);
    SmallVector<Value> some =
        loadElements(b, address, layout.element, count, isInvariant);
    if (constant && isInside) {
      Value around = b.clone(*constant)->getResult(0);
      for (Value &element : some)
        element = b.select(isInside, element, around);
    }
    llvm::append_range(elements, some);
  };
  if (!hasInner || vector == 1) {
    loadSome(shift, 1);
  } else if (isContiguous) {
    loadSome(shift, vector);
  } else {
    for (int64_t i = 0; i < vector; ++i) {
      Shift moved = shift;
      moved[windows.getInner()] += i;
      loadSome(moved, 1);
    }
  }
  return elements;
}

void WindowAccess::store(Kernel &b, const Shift &shift,
                         ArrayRef<Value> elements) {
  if (isContiguous) {
    sums::storeElements(b, getAddress(b, shift).first, elements);
    return;
  }
  for (auto [i, element] : llvm::enumerate(elements)) {
    Shift moved = shift;
    moved[windows.getInner()] += i;
    storeElement(b, element, getAddress(b, moved).first);
  }
}
