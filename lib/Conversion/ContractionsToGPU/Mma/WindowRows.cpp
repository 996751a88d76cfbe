//===- WindowRows.cpp - Windows that are rows of A -------------------------
//===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WindowRows.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::mma;

WindowRows::Window WindowRows::getWindow(MMABuilder &b, Value base, Value row) {
  WindowAttr window = kernel.window;
  // Images, then positions, outermost first.
  SmallVector<Value> digits = b.splitDigits(row, window.getPositions());
  Window result;
  result.image =
      b.advance(base, b.mul(b.extend(digits[0]),
                            kernel.imageStride * kernel.getElementBytes()));
  for (unsigned axis = 0; axis < window.getNumAxes(); ++axis)
    result.start.push_back(
        b.sub(b.mul(digits[1 + axis], window.getStrides()[axis]),
              window.getLow()[axis]));
  return result;
}

WindowRows::Place WindowRows::getPlace(MMABuilder &b, Value k) {
  WindowAttr window = kernel.window;
  Value tap = b.divide(k, kernel.channels);
  Place place;
  place.channel = b.sub(k, b.mul(tap, kernel.channels));
  SmallVector<Value> digits = b.splitDigits(tap, window.getSize());
  for (unsigned axis = 0; axis < window.getNumAxes(); ++axis)
    place.offsets.push_back(
        b.mul(digits[1 + axis], window.getDilations()[axis]));
  return place;
}

std::pair<Value, Value> WindowRows::getElement(MMABuilder &b,
                                               const Window &window,
                                               const Place &place) {
  Value offset = place.channel, exists;
  for (auto [axis, start] : llvm::enumerate(window.start)) {
    Value at = b.add(start, place.offsets[axis]);
    // Less than none is more than all.
    Value fits = b.compare(arith::CmpIPredicate::ult, at,
                           b.i32(kernel.axisExtents[axis]));
    exists = exists ? b.bitAnd(exists, fits) : fits;
    offset = b.add(offset, b.mul(at, kernel.axisStrides[axis]));
  }
  return {b.advance(window.image, b.mul(offset, kernel.getElementBytes())),
          exists};
}
