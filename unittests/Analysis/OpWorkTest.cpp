//===- OpWorkTest.cpp - Tests of bytes and operations of ops --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Analysis/OpWork.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

struct OpWorkTest : testing::Test {
  OpWorkTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        linalg::LinalgDialect, tensor::TensorDialect>();
  }
  /// The work of the function's only structured op.
  OpWork getWork(StringRef function) {
    module = parseSourceString<ModuleOp>(function, &context);
    EXPECT_TRUE(module);
    OpWork work;
    module->walk([&](linalg::LinalgOp op) { work = getOpWork(op); });
    return work;
  }
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(OpWorkTest, ProductOfKnownExtents) {
  OpWork work = getWork(R"(
    func.func @f(%a: tensor<512x256xbf16>, %b: tensor<256x128xbf16>, %c: tensor<512x128xf32>) -> tensor<512x128xf32> {
      %r = linalg.matmul ins(%a, %b : tensor<512x256xbf16>, tensor<256x128xbf16>)
          outs(%c : tensor<512x128xf32>) -> tensor<512x128xf32>
      return %r : tensor<512x128xf32>
    })");
  EXPECT_EQ(work.flops.getNumber(), 2. * 512 * 256 * 128);
  EXPECT_EQ(work.bytes->getNumber(),
            2. * (512 * 256 + 256 * 128) + 4. * 512 * 128);
  EXPECT_EQ(work.multiplied, BFloat16Type::get(&context));
  EXPECT_EQ(work.flops.spell("flop"), "33.6 Mflop");
  EXPECT_EQ(work.bytes->spell("B"), "589.8 kB");
}

TEST_F(OpWorkTest, ExtentsThatAreNotKnown) {
  OpWork work = getWork(R"(
    func.func @f(%a: tensor<?x256xf32>, %b: tensor<256x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %r = linalg.matmul ins(%a, %b : tensor<?x256xf32>, tensor<256x?xf32>)
          outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
      return %r : tensor<?x?xf32>
    })");
  EXPECT_EQ(work.flops.getNumber(), std::nullopt);
  EXPECT_EQ(work.flops.spell("flop"), "512 flop d0 d1");
  EXPECT_EQ(work.bytes->spell("B"), "1.0 kB d0 + 4 B d0 d1 + 1.0 kB d1");
}

TEST_F(OpWorkTest, ExtentsOfOtherOperands) {
  // What is '?' in one operand is known from the other.
  OpWork work = getWork(R"(
    func.func @f(%a: tensor<64x?xf32>, %b: tensor<256x32xf32>, %c: tensor<64x32xf32>) -> tensor<64x32xf32> {
      %r = linalg.matmul ins(%a, %b : tensor<64x?xf32>, tensor<256x32xf32>)
          outs(%c : tensor<64x32xf32>) -> tensor<64x32xf32>
      return %r : tensor<64x32xf32>
    })");
  EXPECT_EQ(work.flops.getNumber(), 2. * 64 * 256 * 32);
  EXPECT_EQ(work.bytes->getNumber(), 4. * (64 * 256 + 256 * 32 + 64 * 32));
}

TEST_F(OpWorkTest, ElementwiseOpsMoveBytesAlone) {
  OpWork work = getWork(R"(
    func.func @f(%a: tensor<?x8xi1>, %c: tensor<?x8xf64>) -> tensor<?x8xf64> {
      %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
          iterator_types = ["parallel", "parallel"]} ins(%a : tensor<?x8xi1>) outs(%c : tensor<?x8xf64>) {
      ^bb0(%x: i1, %y: f64):
        %z = arith.uitofp %x : i1 to f64
        %w = arith.mulf %z, %y : f64
        %v = arith.addf %w, %y : f64
        linalg.yield %v : f64
      } -> tensor<?x8xf64>
      return %r : tensor<?x8xf64>
    })");
  EXPECT_TRUE(work.flops.isZero());
  EXPECT_FALSE(work.multiplied);
  EXPECT_EQ(work.bytes->spell("B"), "72 B d0");
}

TEST_F(OpWorkTest, OneTensorThatIsReadTwiceCountsOnce) {
  OpWork work = getWork(R"(
    func.func @f(%a: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
      %r = linalg.matmul ins(%a, %a : tensor<64x64xf16>, tensor<64x64xf16>)
          outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
      return %r : tensor<64x64xf32>
    })");
  EXPECT_EQ(work.bytes->getNumber(), (2. + 4.) * 64 * 64);
}

TEST_F(OpWorkTest, ExtentsThatNoAxisHas) {
  // A window's rows are as many as two axes say together.
  OpWork work = getWork(R"(
    func.func @f(%a: tensor<?xf32>, %b: tensor<3xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
      %r = linalg.conv_1d ins(%a, %b : tensor<?xf32>, tensor<3xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
      return %r : tensor<?xf32>
    })");
  EXPECT_FALSE(work.bytes);
  EXPECT_EQ(work.flops.spell("flop"), "6 flop d0");
}

} // namespace
