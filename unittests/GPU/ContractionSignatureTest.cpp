//===- ContractionSignatureTest.cpp - Kernels and their signatures --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A signature lists what a kernel takes; the kernel that is built reads all of
// it, whatever variants and parts there are.
//
//===----------------------------------------------------------------------===//

#include "Conversion/ContractionsToGPU/Plan/ContractionSignature.h"
#include "Conversion/ContractionsToGPU/Mma/MMAFunction.h"
#include "Conversion/ContractionsToGPU/Wgmma/Families/ContractionFunction.h"
#include "Conversion/ContractionsToGPU/Wgmma/Families/RowSums.h"
#include "GPU/Kernel/KernelFunction.h"
#include "SignatureFixture.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

namespace {

class ContractionSignatureTest : public SignatureFixture {
protected:
  ContractionSignatureTest() {
    kernel.inputType = builder.getBF16Type();
    kernel.outputType = builder.getF32Type();
  }
  std::string getNames() { return getSignature(&context, kernel).listNames(); }
  /// The kernel with the sums as they are, and an operand that nobody uses.
  void addOperand() {
    auto function = std::make_shared<EpilogueFunction>();
    function->region = std::make_unique<Region>();
    Block &block = function->region->emplaceBlock();
    block.addArgument(builder.getF32Type(), builder.getLoc());
    OpBuilder inside(&context);
    inside.setInsertionPointToEnd(&block);
    linalg::YieldOp::create(inside, builder.getLoc(), block.getArguments());
    function->inputs = {{/*isProduct=*/true, /*number=*/0}};
    EpilogueOperand operand;
    operand.type = builder.getF32Type();
    operand.columnStride = 1;
    function->operands = {operand};
    kernel.epilogue = std::move(function);
  }
  /// As many arguments as the signature lists.
  void build() {
    auto kernels = gpu::GPUModuleOp::create(builder, "kernels");
    FailureOr<LLVM::LLVMFuncOp> function =
        buildContractionKernel(kernels, builder.getLoc(), "kernel", kernel,
                               getSignature(&context, kernel));
    ASSERT_TRUE(succeeded(function)) << messages;
    EXPECT_EQ(function->getNumArguments(),
              getSignature(&context, kernel).getParameters().size());
  }

  ContractionKernel kernel;
};

TEST_F(ContractionSignatureTest, DenseProduct) {
  EXPECT_EQ(getNames(), "tensorMapA, tensorMapB, baseC, m, n, k, strideC");
  build();
}

TEST_F(ContractionSignatureTest, Segments) {
  kernel.segmented = kernel.segmentsC = kernel.gathersA = true;
  kernel.drawsTiles = true;
  kernel.rowNumberType = builder.getI32Type();
  EXPECT_EQ(getNames(), "baseA, tensorMapB, baseC, rowNumbers, offsets, "
                        "counter, m, n, k, strideA, strideC, segmentStrideC, "
                        "numSegments");
  build();
}

TEST_F(ContractionSignatureTest, Batches) {
  kernel.batched = kernel.segmentsC = true;
  EXPECT_EQ(getNames(), "tensorMapA, tensorMapB, baseC, m, n, k, strideC, "
                        "segmentStrideC, numBatches");
  build();
}

TEST_F(ContractionSignatureTest, BatchesOfBoxes) {
  kernel.batched = kernel.segmentsC = kernel.sharesB = true;
  kernel.outputType = builder.getBF16Type();
  kernel.storesBoxes = true;
  EXPECT_EQ(getNames(), "tensorMapA, tensorMapB, tensorMapC, m, n, k, "
                        "numBatches");
  build();
}

TEST_F(ContractionSignatureTest, PartsHavePrefixes) {
  kernel.parts = 3;
  addOperand();
  EXPECT_EQ(getNames(), "tensorMapA, tensorMapB, baseC, m, n, k, strideC, "
                        "operand0, part1.tensorMapB, part1.baseC, "
                        "part1.operand0, part2.tensorMapB, part2.baseC, "
                        "part2.operand0");
  build();
}

TEST_F(ContractionSignatureTest, VariantsOfFewRowsHavePrefixes) {
  kernel.countType = builder.getI64Type();
  auto few = std::make_shared<ContractionKernel>(kernel);
  few->tileN = 128;
  few->few = std::make_shared<ContractionKernel>(kernel);
  few->few->tileN = 64;
  few->mostRows = 64;
  kernel.few = few;
  kernel.mostRows = 128;
  EXPECT_EQ(getNames(),
            "tensorMapA, tensorMapB, baseC, count, m, n, k, strideC, "
            "few0.tensorMapA, few0.tensorMapB, few0.baseC, few0.count, few0.m, "
            "few0.n, few0.k, few0.strideC, "
            "few1.tensorMapA, few1.tensorMapB, few1.baseC, few1.count, few1.m, "
            "few1.n, few1.k, few1.strideC");
  build();
}

TEST_F(ContractionSignatureTest, TheDenseVariantHasAPrefix) {
  auto dense = std::make_shared<ContractionKernel>(kernel);
  kernel.dense = dense;
  kernel.blocks = BlockPattern{/*rows=*/64, /*depth=*/64};
  EXPECT_EQ(getNames(), "tensorMapA, tensorMapB, baseC, bitmap, m, n, k, "
                        "strideC, wordsOfStrip, "
                        "dense.tensorMapA, dense.tensorMapB, dense.baseC, "
                        "dense.m, dense.n, dense.k, dense.strideC");
}

TEST_F(ContractionSignatureTest, RowSumsTakeTheDenseVariantsBehindAPrefix) {
  RowSumKernel sums;
  sums.inputType = sums.outputType = builder.getBF16Type();
  kernel.outputType = builder.getBF16Type();
  sums.dense = std::make_shared<ContractionKernel>(kernel);
  sums.dense->consumers = RowSumKernel::kThreads / 128 - 1;
  sums.dense->tileM = 64 * sums.dense->consumers;
  sums.dense->tileN = 128;
  pit::KernelSignature signature = getSignature(&context, sums);
  EXPECT_EQ(signature.listNames(),
            "baseA, tensorMapB, baseC, bitmap, m, n, k, strideA, strideC, "
            "wordsOfPiece, dense.tensorMapA, dense.tensorMapB, dense.baseC, "
            "dense.m, dense.n, dense.k, dense.strideC");
  auto kernels = gpu::GPUModuleOp::create(builder, "kernels");
  EXPECT_TRUE(succeeded(
      buildRowSumKernel(kernels, builder.getLoc(), "kernel", sums, signature)))
      << messages;
}

TEST_F(ContractionSignatureTest, ProductsWithMMASync) {
  mma::MMAKernel product;
  product.inputType = product.outputType = builder.getBF16Type();
  product.segmented = product.segmentsC = product.gathersA = true;
  product.rowNumberType = builder.getI32Type();
  pit::KernelSignature signature = getSignature(&context, product);
  EXPECT_EQ(signature.listNames(),
            "baseA, baseB, baseC, rowNumbers, offsets, m, n, k, strideA, "
            "strideB, strideC, segmentStrideB, segmentStrideC, numSegments");
  auto kernels = gpu::GPUModuleOp::create(builder, "kernels");
  EXPECT_TRUE(succeeded(mma::buildMMAKernel(kernels, builder.getLoc(), "kernel",
                                            product, signature)))
      << messages;
}

// Listed k: the number of k, or where each segment's lie, is on the device.
TEST_F(ContractionSignatureTest, SumsOverListedKWithMMASync) {
  mma::MMAKernel sums;
  sums.inputType = sums.outputType = builder.getF32Type();
  sums.f32Products = F32Products::SIMT;
  sums.warpN = 32;
  sums.tileN = 128;
  sums.tileK = 16;
  sums.layoutA = sums.layoutB = SharedLayout::MNMajor;
  sums.gathersK = sums.packsB = true;
  sums.rowNumberType = builder.getI32Type();
  auto kernels = gpu::GPUModuleOp::create(builder, "kernels");
  auto build = [&](StringRef name) {
    return mma::buildMMAKernel(kernels, builder.getLoc(), name, sums,
                               getSignature(&context, sums));
  };
  mma::MMAKernel ragged = sums;
  sums.countType = builder.getI64Type();
  EXPECT_EQ(getSignature(&context, sums).listNames(),
            "baseA, baseB, baseC, rowNumbers, count, m, n, k, strideA, "
            "strideB, strideC");
  EXPECT_TRUE(succeeded(build("one"))) << messages;
  sums = ragged;
  sums.raggedK = sums.segmentsC = sums.segmentsA = true;
  EXPECT_EQ(getSignature(&context, sums).listNames(),
            "baseA, baseB, baseC, rowNumbers, offsets, m, n, k, strideA, "
            "strideB, strideC, segmentStrideA, segmentStrideC, numSegments");
  EXPECT_TRUE(succeeded(build("ragged"))) << messages;
}

// What a kernel reads must be what it was declared with.
TEST_F(ContractionSignatureTest, RefusesTheSignatureOfAnotherKernel) {
  ContractionKernel other = kernel;
  other.drawsTiles = true;
  auto kernels = gpu::GPUModuleOp::create(builder, "kernels");
  kernel.parts = 2;
  EXPECT_TRUE(
      failed(buildContractionKernel(kernels, builder.getLoc(), "kernel", kernel,
                                    getSignature(&context, other))));
  EXPECT_EQ(messages,
            "kernel 'kernel' reads a parameter 'part1.tensorMapB' that it does "
            "not take; it takes tensorMapA, tensorMapB, baseC, counter, m, n, "
            "k, strideC\n"
            "kernel 'kernel' reads a parameter 'part1.baseC' that it does not "
            "take; it takes tensorMapA, tensorMapB, baseC, counter, m, n, k, "
            "strideC\n"
            "kernel 'kernel' never reads its parameter 'counter'\n");
}

} // namespace
