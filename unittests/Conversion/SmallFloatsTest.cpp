//===- SmallFloatsTest.cpp - 8-bit floats on the CPU against APFloat ------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All values of each 8-bit format are extended to each wider one, and all
// values of 16 bits, and what lies at and beside each midpoint in f32 and f64,
// is rounded; by scalars and by vectors.
//
//===----------------------------------------------------------------------===//

#include "Jit.h"

#include "llvm/ADT/APFloat.h"

#include "gtest/gtest.h"

#include <cstring>
#include <random>

using namespace mlir::pit;
using jit::Arguments;
using jit::Program;
using jit::View;
using llvm::APFloat;
using llvm::APInt;

namespace {

struct Type {
  const char *name;
  const llvm::fltSemantics &semantics;
};

const Type kSmall[] = {{"f8E4M3FN", APFloat::Float8E4M3FN()},
                       {"f8E5M2", APFloat::Float8E5M2()},
                       {"f8E4M3", APFloat::Float8E4M3()},
                       {"f8E3M4", APFloat::Float8E3M4()}};
const Type kWide[] = {{"f16", APFloat::IEEEhalf()},
                      {"bf16", APFloat::BFloat()},
                      {"f32", APFloat::IEEEsingle()},
                      {"f64", APFloat::IEEEdouble()}};
constexpr int64_t kVector = 8;

unsigned getWidth(const Type &type) {
  return APFloat::semanticsSizeInBits(type.semantics);
}

std::string replaceAll(std::string text, const std::string &from,
                       const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// `op` of each element of a buffer into another one, as scalars (@scalars) and
/// vectors (@vectors).
std::string spellConversion(const char *op, const Type &from, const Type &to) {
  std::string text = R"(
    #id = affine_map<(i) -> (i)>
    func.func @scalars(%a: memref<?xFROM>, %b: memref<?xTO>)
        attributes {llvm.emit_c_interface} {
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%a : memref<?xFROM>) outs(%b : memref<?xTO>) {
      ^bb0(%x: FROM, %old: TO):
        %y = arith.OP %x : FROM to TO
        linalg.yield %y : TO
      }
      return
    }
    func.func @vectors(%a: memref<?xFROM>, %b: memref<?xTO>)
        attributes {llvm.emit_c_interface} {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %n = memref.dim %a, %c0 : memref<?xFROM>
      scf.for %i = %c0 to %n step %c8 {
        %x = vector.load %a[%i] : memref<?xFROM>, vector<8xFROM>
        %y = arith.OP %x : vector<8xFROM> to vector<8xTO>
        vector.store %y, %b[%i] : memref<?xTO>, vector<8xTO>
      }
      return
    })";
  text = replaceAll(text, "FROM", from.name);
  text = replaceAll(text, "TO", to.name);
  return replaceAll(text, "OP", op);
}

/// Numbers by their bits, in as many bytes as their type has.
class Buffer {
public:
  Buffer(unsigned width, const std::vector<uint64_t> &values)
      : bytes(width / 8), data(values.size() * bytes) {
    for (size_t i = 0; i < values.size(); ++i)
      std::memcpy(&data[i * bytes], &values[i], bytes);
  }
  Buffer(unsigned width, size_t size)
      : bytes(width / 8), data(size * bytes, 0x5a) {}
  View<uint8_t> get() {
    int64_t size = data.size() / bytes;
    return {data.data(), 0, {size}, {1}};
  }
  uint64_t operator[](size_t i) const {
    uint64_t value = 0;
    std::memcpy(&value, &data[i * bytes], bytes);
    return value;
  }

private:
  size_t bytes;
  std::vector<uint8_t> data;
};

APFloat getFloat(const Type &type, uint64_t bits) {
  return APFloat(type.semantics, APInt(getWidth(type), bits));
}

uint64_t getBits(const APFloat &value) {
  return value.bitcastToAPInt().getZExtValue();
}

APFloat convert(APFloat value, const Type &type) {
  bool losesInfo;
  value.convert(type.semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  return value;
}

/// Of NaNs, any of the same sign will do.
bool agree(const APFloat &value, const APFloat &expected) {
  if (expected.isNaN())
    return value.isNaN() && value.isNegative() == expected.isNegative();
  return value.bitwiseIsEqual(expected);
}

void check(const char *op, const Type &from, const Type &to,
           std::vector<uint64_t> values) {
  SCOPED_TRACE(std::string(op) + " " + from.name + " to " + to.name);
  values.resize(llvm::alignTo(values.size(), kVector));
  auto program = Program::compile(spellConversion(op, from, to), CPUOptions());
  ASSERT_TRUE(program);
  for (const char *function : {"scalars", "vectors"}) {
    SCOPED_TRACE(function);
    Buffer input(getWidth(from), values);
    Buffer output(getWidth(to), values.size());
    Arguments arguments;
    arguments.add(input.get());
    arguments.add(output.get());
    ASSERT_TRUE(program->call(function, arguments));
    int wrong = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      APFloat expected = convert(getFloat(from, values[i]), to);
      if (agree(getFloat(to, output[i]), expected))
        continue;
      if (++wrong <= 5)
        ADD_FAILURE() << "0x" << llvm::utohexstr(values[i]) << " gives 0x"
                      << llvm::utohexstr(output[i]) << ", not 0x"
                      << llvm::utohexstr(getBits(expected));
    }
    EXPECT_EQ(wrong, 0) << "of " << values.size();
  }
}

std::vector<uint64_t> getAll(unsigned width) {
  std::vector<uint64_t> values(size_t(1) << width);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = i;
  return values;
}

/// Numbers of `wide` where the rounding to `small` changes, those beside them,
/// and what is special.
std::vector<uint64_t> getBoundaries(const Type &small, const Type &wide) {
  std::vector<uint64_t> values;
  const uint64_t signBit = uint64_t(1) << (getWidth(wide) - 1);
  auto add = [&](const APFloat &value) {
    uint64_t bits = getBits(value);
    for (uint64_t beside : {bits - 1, bits, bits + 1})
      for (uint64_t sign : {uint64_t(0), signBit})
        values.push_back((beside & ~signBit) | sign);
  };
  APFloat largest = APFloat::getLargest(small.semantics);
  APFloat half(wide.semantics, "0.5");
  APFloat last = APFloat::getZero(wide.semantics), step = last;
  auto addStep = [&](const APFloat &next) {
    add(next);
    APFloat midpoint = last;
    midpoint.add(next, APFloat::rmNearestTiesToEven);
    midpoint.multiply(half, APFloat::rmNearestTiesToEven);
    add(midpoint);
    step = next;
    step.subtract(last, APFloat::rmNearestTiesToEven);
    last = next;
  };
  for (uint64_t code = 1; code <= getBits(largest); ++code)
    addStep(convert(getFloat(small, code), wide));
  // What the next number would be, if the format had it.
  APFloat next = last;
  next.add(step, APFloat::rmNearestTiesToEven);
  addStep(next);

  add(APFloat::getZero(wide.semantics));
  add(APFloat::getInf(wide.semantics));
  add(APFloat::getQNaN(wide.semantics));
  add(APFloat::getLargest(wide.semantics));
  add(APFloat::getSmallestNormalized(wide.semantics));
  return values;
}

/// Numbers of all exponents that matter.
void addRandom(const Type &wide, std::vector<uint64_t> &values) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    double magnitude =
        std::ldexp(1 + random() / std::ldexp(1., 64), int(random() % 48) - 26);
    APFloat value(random() % 2 ? magnitude : -magnitude);
    values.push_back(getBits(convert(value, wide)));
  }
}

} // namespace

TEST(SmallFloats, ExtendsEachValue) {
  for (const Type &small : kSmall)
    for (const Type &wide : kWide)
      check("extf", small, wide, getAll(8));
}

TEST(SmallFloats, RoundsEachValueOf16Bits) {
  for (const Type &small : kSmall)
    for (const Type &wide : kWide)
      if (getWidth(wide) == 16)
        check("truncf", wide, small, getAll(16));
}

TEST(SmallFloats, RoundsWiderValuesOnce) {
  for (const Type &small : kSmall)
    for (const Type &wide : kWide)
      if (getWidth(wide) > 16) {
        std::vector<uint64_t> values = getBoundaries(small, wide);
        addRandom(wide, values);
        check("truncf", wide, small, values);
      }
}

// Sums, products and quotients of all pairs, which are computed in f32, and
// comparisons.
static void checkPairs(const Type &type) {
  SCOPED_TRACE(type.name);
  const char *source = R"(
    #row = affine_map<(i, j) -> (i)>
    #column = affine_map<(i, j) -> (j)>
    #id = affine_map<(i, j) -> (i, j)>
    func.func @pairs(%a: memref<256xTYPE>, %sum: memref<256x256xTYPE>,
                     %product: memref<256x256xTYPE>,
                     %quotient: memref<256x256xTYPE>, %less: memref<256x256xi8>)
        attributes {llvm.emit_c_interface} {
      linalg.generic {indexing_maps = [#row, #column, #id, #id, #id, #id],
                      iterator_types = ["parallel", "parallel"]}
          ins(%a, %a : memref<256xTYPE>, memref<256xTYPE>)
          outs(%sum, %product, %quotient, %less
            : memref<256x256xTYPE>, memref<256x256xTYPE>,
              memref<256x256xTYPE>, memref<256x256xi8>) {
      ^bb0(%x: TYPE, %y: TYPE, %s: TYPE, %p: TYPE, %q: TYPE, %l: i8):
        %0 = arith.addf %x, %y : TYPE
        %1 = arith.mulf %x, %y : TYPE
        %2 = arith.cmpf olt, %x, %y : TYPE
        %3 = arith.extui %2 : i1 to i8
        %4 = arith.divf %x, %y : TYPE
        linalg.yield %0, %1, %4, %3 : TYPE, TYPE, TYPE, i8
      }
      return
    })";
  auto program =
      Program::compile(replaceAll(source, "TYPE", type.name), CPUOptions());
  ASSERT_TRUE(program);
  constexpr int64_t kAll = 256;
  Buffer input(8, getAll(8));
  Buffer sum(8, kAll * kAll), product(8, kAll * kAll), quotient(8, kAll * kAll),
      less(8, kAll * kAll);
  Arguments arguments;
  arguments.add(input.get());
  for (Buffer *buffer : {&sum, &product, &quotient, &less}) {
    View<uint8_t> view = buffer->get();
    view.sizes = {kAll, kAll};
    view.strides = {kAll, 1};
    arguments.add(view);
  }
  ASSERT_TRUE(program->call("pairs", arguments));
  int wrong = 0;
  for (int64_t i = 0; i < kAll; ++i)
    for (int64_t j = 0; j < kAll; ++j) {
      APFloat x = getFloat(type, i), y = getFloat(type, j);
      APFloat s = x, p = x, q = x;
      s.add(y, APFloat::rmNearestTiesToEven);
      p.multiply(y, APFloat::rmNearestTiesToEven);
      q.divide(y, APFloat::rmNearestTiesToEven);
      size_t at = i * kAll + j;
      // Which NaN an operation gives, nobody says.
      auto is = [&](const Buffer &buffer, const APFloat &expected) {
        APFloat value = getFloat(type, buffer[at]);
        return expected.isNaN() ? value.isNaN()
                                : value.bitwiseIsEqual(expected);
      };
      wrong += !is(sum, s) || !is(product, p) || !is(quotient, q) ||
               less[at] != (x.compare(y) == APFloat::cmpLessThan);
    }
  EXPECT_EQ(wrong, 0) << "of " << kAll * kAll;
}

TEST(SmallFloats, ComputesAsIfExact) {
  for (const Type &type : kSmall)
    checkPairs(type);
}
