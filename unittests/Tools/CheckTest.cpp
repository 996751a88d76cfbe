//===- CheckTest.cpp - Tests of pit-run's comparison ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Elements.h"

#include "PIT/InitAllDialects.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pit::run;
using namespace ::pit::run;
using ::pit::npy::Array;

namespace {

/// A sum whose f32 value differs from its f64 value, of so few elements that it
/// has no partial sums, and an integer.
constexpr const char *source = R"(
func.func @main(%x: tensor<250xf32>, %n: tensor<2xi32>)
    -> (tensor<f32>, tensor<2xi32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<250xf32>)
       outs(%f : tensor<f32>) dimensions = [0]
  return %s, %n : tensor<f32>, tensor<2xi32>
})";

class CheckTest : public ::testing::Test {
protected:
  void SetUp() override {
    DialectRegistry registry;
    mlir::pit::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    module = parseSourceString<ModuleOp>(source, &context);
    ASSERT_TRUE(module);
    std::string error;
    ASSERT_TRUE(inputs[0].allocate(PIT_DTYPE_F32, {250}, error));
    ASSERT_TRUE(inputs[1].allocate(PIT_DTYPE_I32, {2}, error));
    float sum = 0;
    for (int64_t i = 0; i < 250; ++i) {
      float value = 1.0f / float(i + 1);
      store(PIT_DTYPE_F32, inputs[0].data.data(), i, value);
      sum += value;
    }
    ASSERT_TRUE(results[0].allocate(PIT_DTYPE_F32, {}, error));
    ASSERT_TRUE(results[1].allocate(PIT_DTYPE_I32, {2}, error));
    store(PIT_DTYPE_F32, results[0].data.data(), 0, sum);
  }

  bool agrees(std::optional<double> tolerance = std::nullopt) {
    text.clear();
    llvm::raw_string_ostream os(text);
    auto entry = module->lookupSymbol<func::FuncOp>("main");
    auto result = check(*module, "main", entry.getFunctionType(), inputs,
                        results, tolerance, os, silent);
    if (result)
      return *result;
    ADD_FAILURE() << llvm::toString(result.takeError());
    return false;
  }
  void shiftSum(double by) {
    void *data = results[0].data.data();
    store(PIT_DTYPE_F32, data, 0, load(PIT_DTYPE_F32, data, 0) + by);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  ::pit::tools::Progress silent{std::nullopt, "pit-run"};
  std::vector<Array> inputs{2}, results{2};
  std::string text;
};

TEST_F(CheckTest, EqualResultsAreBitIdentical) {
  EXPECT_TRUE(agrees()) << text;
  EXPECT_NE(text.find("result 0: bit-identical (1 elements)"),
            std::string::npos)
      << text;
}

TEST_F(CheckTest, RoundingIsMeasuredAgainstDouble) {
  shiftSum(1e-6);
  EXPECT_TRUE(agrees()) << text;
  EXPECT_NE(text.find("result 0: agrees: 1 elements differ"), std::string::npos)
      << text;
  EXPECT_FALSE(agrees(0.0));
  EXPECT_TRUE(agrees(1e-5));
}

TEST_F(CheckTest, WrongResultsAreFound) {
  shiftSum(1e-2);
  EXPECT_FALSE(agrees());
  EXPECT_NE(text.find("result 0: MISMATCH: 1 of 1 elements, first at []"),
            std::string::npos)
      << text;
}

TEST_F(CheckTest, NaNIsAMismatch) {
  store(PIT_DTYPE_F32, results[0].data.data(), 0, NAN);
  EXPECT_FALSE(agrees());
  EXPECT_FALSE(agrees(1e9));
}

TEST_F(CheckTest, IntegersAreExact) {
  store(PIT_DTYPE_I32, results[1].data.data(), 1, 1);
  EXPECT_FALSE(agrees(10.0));
  EXPECT_NE(text.find("result 1: MISMATCH: 1 of 2 elements, first at [1]"),
            std::string::npos)
      << text;
}

} // namespace
