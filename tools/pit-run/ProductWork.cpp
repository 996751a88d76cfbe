//===- ProductWork.cpp - What products of a program compute ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launches.h"

#include "PIT/Analysis/OpWork.h"
#include "PIT/Support/Remarks.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::pit::run;
using mlir::pit::Explanation;
using mlir::pit::getOpWork;
using mlir::pit::OpWork;
using mlir::pit::PeakRates;
using ::pit::npy::Array;
using ::pit::run::HostRates;

namespace {
/// A sum of products, as the program has it.
struct Product {
  std::string place;
  double flops;
  Type multiplied;
};
} // namespace

/// Gives the arguments the extents of the inputs, and ops what follows of that.
/// Ops stay where they are, as remarks name them.
static LogicalResult makeStatic(ModuleOp program, StringRef entry,
                                const std::vector<Array> &inputs) {
  auto function = program.lookupSymbol<func::FuncOp>(entry);
  if (!function || function.getNumArguments() != inputs.size())
    return failure();
  OpBuilder builder(function.getBody());
  SmallVector<Type> types;
  for (auto [argument, input] :
       llvm::zip_equal(function.getArguments(), inputs)) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (type && !type.hasStaticShape()) {
      auto known = type.clone(input.shape);
      argument.setType(known);
      auto cast =
          tensor::CastOp::create(builder, argument.getLoc(), type, argument);
      argument.replaceAllUsesExcept(cast.getResult(), cast);
    }
    types.push_back(argument.getType());
  }
  function.setFunctionType(FunctionType::get(
      program.getContext(), types, function.getFunctionType().getResults()));
  PassManager manager(program.getContext());
  manager.addPass(memref::createResolveShapedTypeResultDimsPass());
  manager.addPass(createCanonicalizerPass());
  return manager.run(program);
}

static OwningOpRef<ModuleOp> makeStaticCopy(ModuleOp program, StringRef entry,
                                            const std::vector<Array> &inputs) {
  ScopedDiagnosticHandler quiet(program.getContext(),
                                [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>(program->clone()));
  if (failed(makeStatic(*copy, entry, inputs)))
    return nullptr;
  return copy;
}

static std::vector<Product> findProducts(func::FuncOp function) {
  std::vector<Product> products;
  function.walk([&](linalg::LinalgOp op) {
    OpWork work = getOpWork(op);
    std::optional<double> flops = work.flops.getNumber();
    if (work.multiplied && flops)
      products.push_back(
          {mlir::pit::remarks::spell(op.getLoc()), *flops, work.multiplied});
  });
  return products;
}

PeakRates mlir::pit::run::getPeakRates(const HostRates &rates) {
  std::string threads = std::to_string(rates.threads) +
                        (rates.threads == 1 ? " thread" : " threads");
  return {threads + " of this machine, as measured",
          [rates](double bytes) { return rates.getMemoryRate(bytes); },
          [rates](Type element) -> std::optional<double> {
            constexpr double kTera = 1e-3;
            // What is narrower is extended, and multiplied as f32.
            if (isa<Float64Type>(element))
              return rates.f64 * kTera;
            if (isa<FloatType>(element))
              return rates.f32 * kTera;
            return std::nullopt;
          }};
}

void mlir::pit::run::addWork(Explanation &explanation, ModuleOp program,
                             StringRef entry, const std::vector<Array> &inputs,
                             const PeakRates &rates) {
  if (OwningOpRef<ModuleOp> copy = makeStaticCopy(program, entry, inputs))
    mlir::pit::noteWork(explanation, *copy, &rates);
}

/// Which launches multiply, by the names that conversions give kernels.
static bool isOf(const Launch &launch, StringRef kind) {
  StringRef rest = launch.kernel;
  size_t at = rest.rfind(kind);
  return at != StringRef::npos &&
         llvm::all_of(rest.drop_front(at + kind.size()), llvm::isDigit);
}

void mlir::pit::run::addProducts(std::vector<Launch> &launches,
                                 ModuleOp program, StringRef entry,
                                 const std::vector<Array> &inputs,
                                 const Explanation &explanation) {
  OwningOpRef<ModuleOp> copy = makeStaticCopy(program, entry, inputs);
  if (!copy)
    return;
  std::vector<Product> products =
      findProducts(copy->lookupSymbol<func::FuncOp>(entry));
  // Attention has two, of which the last one names the kernel.
  std::vector<Product> scores;
  llvm::erase_if(products, [&](const Product &product) {
    bool isScores = explanation.wasDone(product.place, "attention");
    if (isScores)
      scores.push_back(product);
    return isScores;
  });
  size_t numAttention = 0;
  for (Launch &launch : launches) {
    auto product = llvm::find_if(products, [&](const Product &candidate) {
      return candidate.place == launch.place;
    });
    bool isAttention = isOf(launch, "_attention_");
    auto atPlace = llvm::count_if(launches, [&](const Launch &other) {
      return other.place == launch.place;
    });
    if (product == products.end() ||
        !(isAttention || isOf(launch, "_contraction_") || atPlace == 1))
      continue;
    launch.flops = product->flops;
    launch.multiplied = product->multiplied;
    if (isAttention && numAttention < scores.size())
      launch.flops += scores[numAttention++].flops;
  }
}
