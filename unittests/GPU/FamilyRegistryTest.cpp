//===- FamilyRegistryTest.cpp - A family that is registered ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A family that is nowhere but here is formed, planned and emitted by the
// loops over the registry: docs/Extending.md lists what else a real one adds.
//
//===----------------------------------------------------------------------===//

#include "Conversion/ContractionsToGPU/Families/Families.h"
#include "Conversion/ContractionsToGPU/Registry/EmitKernels.h"
#include "Conversion/ContractionsToGPU/Registry/FormOnBuffers.h"
#include "Conversion/ContractionsToGPU/Registry/PlanKernels.h"
#include "GPU/Host/Buffers.h"
#include "GPU/Host/LaunchArguments.h"
#include "GPU/Kernel/KernelFunction.h"
#include "SignatureFixture.h"

#include "PIT/Dialect/PIT/IR/PITFamilies.h"

#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

namespace {

/// A kernel that clears the first element of C.
class DummyKernel : public llvm::RTTIExtends<DummyKernel, ProductKernel> {
public:
  static char ID;

  using RTTIExtends::RTTIExtends;

  PlanParts plan(const PlanOptions &options) override {
    PlanParts plan;
    plan.family = family.getId();
    plan.tile = {64, 8};
    plan.stages = stages = 5;
    return plan;
  }
  LogicalResult bind(PlanAttr plan, const DeviceModel &device) override {
    stages = plan.getStages();
    return success();
  }
  int64_t getSharedBytes() const override { return stages * 1024; }
  void report() const override {}
  pit::KernelSignature getSignature(MLIRContext *context) const override {
    pit::KernelSignature signature(context);
    signature.addPointer("dummy");
    return signature;
  }
  FailureOr<LLVM::LLVMFuncOp>
  build(gpu::GPUModuleOp module, StringRef name,
        const pit::KernelSignature &signature) const override {
    auto b =
        ImplicitLocOpBuilder::atBlockEnd(module.getLoc(), module.getBody());
    FailureOr<LLVM::LLVMFuncOp> function =
        createKernelFunction(b, name, signature, /*numThreads=*/32,
                             /*blocksAtOnce=*/std::nullopt);
    if (failed(function))
      return failure();
    ParameterReader reader(signature, *function);
    Value base = reader.read("dummy");
    b.setInsertionPointToStart(&function->getBody().front());
    LLVM::StoreOp::create(
        b, LLVM::ZeroOp::create(b, b.getF32Type()).getResult(), base);
    LLVM::ReturnOp::create(b, ValueRange());
    if (failed(reader.finish()))
      return failure();
    return function;
  }
  LogicalResult launch(const pit::KernelSignature &signature,
                       SymbolRefAttr symbol,
                       const EmitOptions &options) override {
    ContractOp op = getLastOp();
    ImplicitLocOpBuilder b(op.getLoc(), op);
    LaunchArguments arguments(signature, b.getLoc(), symbol.getLeafReference());
    arguments.bind("dummy", createPointer(b, op.getInit(), 0));
    FailureOr<SmallVector<Value>> values = arguments.finish();
    if (failed(values))
      return failure();
    Value one = arith::ConstantIndexOp::create(b, 1);
    gpu::LaunchFuncOp::create(b, symbol, gpu::KernelDim3{one, one, one},
                              gpu::KernelDim3{one, one, one}, Value(), *values);
    return success();
  }

private:
  int64_t stages = 0;
};

char DummyKernel::ID = 0;

/// Products of exactly so many columns.
class DummyFamily : public ContractionFamily {
public:
  explicit DummyFamily(int64_t columns, int64_t sharedBytes = 0)
      : ContractionFamily(KernelFamily::Gemm, "dummy GEMM"), columns(columns),
        sharedBytes(sharedBytes) {}

  int64_t getLeastSharedBytes() const override { return sharedBytes; }
  FailureOr<ContractionMatch> match(Operation *op,
                                    const DenseSet<Operation *> &taken,
                                    MatchRequirements needs) const override {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (!structured)
      return failure();
    auto match = matchDenseContraction(structured, taken, needs);
    if (succeeded(match) && match->n != columns)
      return failure();
    return match;
  }
  LogicalResult take(ContractionMatch &match, ContractOp op,
                     MatchLog log) const override {
    return success(match.n == columns);
  }
  std::unique_ptr<ProductKernel>
  makeKernel(ContractionMatch match) const override {
    return std::make_unique<DummyKernel>(*this, std::move(match));
  }

private:
  int64_t columns, sharedBytes;
};

class FamilyRegistryTest : public SignatureFixture {
protected:
  FamilyRegistryTest() {
    context.loadDialect<PITDialect>();
    options.device = *lookupDevice("sm_90a", "", 0, &context);
  }

  func::FuncOp parse() {
    module = parseSourceString<ModuleOp>(R"mlir(
      func.func @main(%a: memref<128x64xbf16>, %b: memref<64x256xbf16>,
                      %c: memref<128x256xf32>) {
        %zero = arith.constant 0.0 : f32
        linalg.fill ins(%zero : f32) outs(%c : memref<128x256xf32>)
        linalg.matmul ins(%a, %b : memref<128x64xbf16>, memref<64x256xbf16>)
                      outs(%c : memref<128x256xf32>)
        return
      })mlir",
                                         &context);
    return *module->getOps<func::FuncOp>().begin();
  }
  static FamilyRegistry with(std::unique_ptr<ContractionFamily> family) {
    FamilyRegistry families;
    families.add(std::move(family));
    return families;
  }
  ContractOp getContract(func::FuncOp function) {
    return *function.getBody().front().getOps<ContractOp>().begin();
  }

  PlanOptions options;
};

TEST_F(FamilyRegistryTest, IsFormedPlannedAndEmitted) {
  func::FuncOp function = parse();
  FamilyRegistry families = with(std::make_unique<DummyFamily>(256));
  ASSERT_EQ(formWgmmaKernels(function, families, options.needs), 1u);
  planKernels(function, families, options);
  PlanAttr plan = getContract(function).getPlanAttr();
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan.getStages(), 5);
  FailureOr<EmittedKernels> emitted =
      emitKernels(function, families, options.needs, {options.device});
  ASSERT_TRUE(succeeded(emitted)) << messages;
  EXPECT_EQ(emitted->numKernels, 1u);
  EXPECT_EQ(emitted->numContractions, 1u);
  EXPECT_TRUE(function.getBody().front().getOps<ContractOp>().empty());
  auto launches = function.getBody().front().getOps<gpu::LaunchFuncOp>();
  ASSERT_FALSE(launches.empty());
  auto kernel = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
      *module, (*launches.begin()).getKernelAttr());
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel.getNumArguments(), 1u);
}

TEST_F(FamilyRegistryTest, WhatItRefusesIsNotFormed) {
  func::FuncOp function = parse();
  FamilyRegistry families = with(std::make_unique<DummyFamily>(64));
  EXPECT_EQ(formWgmmaKernels(function, families, options.needs), 0u);
}

TEST_F(FamilyRegistryTest, WhatItRefusesIsNotPlanned) {
  func::FuncOp function = parse();
  ASSERT_EQ(formWgmmaKernels(function, getFamilies(), options.needs), 1u);
  planKernels(function, with(std::make_unique<DummyFamily>(64)), options);
  EXPECT_FALSE(getContract(function).getPlanAttr());
  // Nor what no block of the chip has room for.
  planKernels(function, with(std::make_unique<DummyFamily>(256, 1 << 20)),
              options);
  EXPECT_FALSE(getContract(function).getPlanAttr());
  planKernels(function, with(std::make_unique<DummyFamily>(256)), options);
  EXPECT_TRUE(getContract(function).getPlanAttr());
}

TEST_F(FamilyRegistryTest, WhatItRefusesOrWhoIsNotThereIsNotEmitted) {
  func::FuncOp function = parse();
  FamilyRegistry families = with(std::make_unique<DummyFamily>(256));
  ASSERT_EQ(formWgmmaKernels(function, families, options.needs), 1u);
  planKernels(function, families, options);
  EXPECT_TRUE(
      failed(emitKernels(function, with(std::make_unique<DummyFamily>(64)),
                         options.needs, {options.device})));
  EXPECT_TRUE(failed(emitKernels(function, FamilyRegistry(), options.needs,
                                 {options.device})));
  EXPECT_EQ(
      StringRef(messages).count("no kernel of the family 'gemm' can take it"),
      2u)
      << messages;
}

TEST_F(FamilyRegistryTest, APlanThatNeedsTooMuchMemoryIsNotEmitted) {
  func::FuncOp function = parse();
  FamilyRegistry families = with(std::make_unique<DummyFamily>(256));
  ASSERT_EQ(formWgmmaKernels(function, families, options.needs), 1u);
  planKernels(function, families, options);
  PlanParts plan(getContract(function).getPlanAttr());
  plan.stages = 228;
  getContract(function).setPlanAttr(plan.get(&context));
  EXPECT_TRUE(
      failed(emitKernels(function, families, options.needs, {options.device})));
  EXPECT_TRUE(StringRef(messages).contains(
      "its plan needs 233472 bytes of shared memory"))
      << messages;
}

// Each name that a plan may have is a family's, and is found for its domain.
TEST_F(FamilyRegistryTest, EveryFamilyOfPlansIsThere) {
  for (uint64_t i = 0;
       std::optional<KernelFamily> id = symbolizeKernelFamily(i); ++i) {
    const ContractionFamily *family = getFamilies().find(*id);
    ASSERT_TRUE(family) << stringifyKernelFamily(*id).str();
    unsigned domains = 0;
    for (uint64_t j = 0;
         std::optional<ContractDomain> domain = symbolizeContractDomain(j); ++j)
      for (bool masked : {false, true})
        domains += computesDomain(*id, *domain, masked);
    EXPECT_GE(domains, 1u) << family->getName().str();
  }
}

} // namespace
