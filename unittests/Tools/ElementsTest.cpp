//===- ElementsTest.cpp - Short floats of pit-run -------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"

#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace llvm;
using namespace pit::run;

namespace {

struct Format {
  pit_dtype dtype;
  const fltSemantics *semantics;
};

/// What LLVM makes of a value.
uint64_t roundWith(const Format &format, double value) {
  APFloat result(value);
  bool lossy;
  result.convert(*format.semantics, APFloat::rmNearestTiesToEven, &lossy);
  return result.bitcastToAPInt().getZExtValue();
}

class Elements : public testing::TestWithParam<Format> {
protected:
  uint64_t store(double value) {
    uint64_t bits = 0;
    pit::run::store(GetParam().dtype, &bits, 0, value);
    return bits;
  }
  double load(uint64_t bits) {
    return pit::run::load(GetParam().dtype, &bits, 0);
  }
};

TEST_P(Elements, LoadsAndStoresEveryValue) {
  const fltSemantics &semantics = *GetParam().semantics;
  unsigned width = APFloat::getSizeInBits(semantics);
  for (uint64_t bits = 0; bits < uint64_t(1) << width; ++bits) {
    APFloat value(semantics, APInt(width, bits));
    if (value.isNaN()) {
      EXPECT_TRUE(std::isnan(load(bits))) << bits;
      continue;
    }
    bool lossy;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
    ASSERT_EQ(load(bits), value.convertToDouble()) << bits;
    ASSERT_EQ(store(value.convertToDouble()), bits);
  }
}

/// Halfway to the next value, and beside that.
TEST_P(Elements, RoundsLikeLLVM) {
  const fltSemantics &semantics = *GetParam().semantics;
  unsigned width = APFloat::getSizeInBits(semantics);
  for (uint64_t bits = 0; bits < uint64_t(1) << (width - 1); ++bits) {
    double low = load(bits), high = load(bits + 1);
    if (!std::isfinite(low))
      continue;
    double middle =
        low + (std::isfinite(high) ? (high - low) / 2
                                   : ulp(GetParam().dtype, low) / 2);
    for (double value :
         {middle, std::nextafter(middle, 0.), std::nextafter(middle, INFINITY)})
      for (double signedValue : {value, -value}) {
        uint64_t expected = roundWith(GetParam(), signedValue);
        APFloat result(semantics, APInt(width, expected));
        if (result.isNaN())
          ASSERT_TRUE(std::isnan(load(store(signedValue)))) << signedValue;
        else
          ASSERT_EQ(store(signedValue), expected) << signedValue;
      }
  }
  for (double value : {1e300, double(INFINITY), -1e300})
    EXPECT_FALSE(std::isfinite(load(store(value)))) << value;
  EXPECT_TRUE(std::isnan(load(store(NAN))));
}

INSTANTIATE_TEST_SUITE_P(
    All, Elements,
    testing::Values(Format{PIT_DTYPE_F16, &APFloat::IEEEhalf()},
                    Format{PIT_DTYPE_BF16, &APFloat::BFloat()},
                    Format{PIT_DTYPE_F8E4M3FN, &APFloat::Float8E4M3FN()},
                    Format{PIT_DTYPE_F8E5M2, &APFloat::Float8E5M2()}),
    [](const testing::TestParamInfo<Format> &info) {
      return std::string(pit_dtype_name(info.param.dtype));
    });

} // namespace
