//===- EmitKernels.cpp - Kernels and launches as they are planned ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitKernels.h"

#include "Conversion/ContractionsToGPU/Match/MatchContract.h"
#include "GPU/Host/BufferAccess.h"
#include "GPU/Host/KernelModule.h"

#include "llvm/ADT/MapVector.h"

#include <list>

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

namespace {

class Emitter {
public:
  Emitter(func::FuncOp function, const FamilyRegistry &families,
          MatchRequirements needs, const EmitOptions &options)
      : function(function), families(families), needs(needs), options(options) {
  }

  FailureOr<EmittedKernels> run();

private:
  /// A launch, and the plan that its products share.
  struct Launch {
    std::unique_ptr<ProductKernel> kernel;
    PlanAttr plan;
  };
  /// What was built, with what its launches bind.
  struct BuiltKernel {
    const ProductKernel *kernel;
    KernelSignature signature;
    SymbolRefAttr symbol;
  };

  FailureOr<std::unique_ptr<ProductKernel>> makeKernel(ContractOp op);
  LogicalResult join(Launch &launch, std::unique_ptr<ProductKernel> kernel);
  LogicalResult makeLaunches();
  ProductKernel *findGroup(size_t before, int64_t id);
  LogicalResult link(size_t number);
  LogicalResult checkShared(const ProductKernel &kernel);
  FailureOr<const BuiltKernel *> getFunction(const ProductKernel &kernel);
  LogicalResult emit(ProductKernel &kernel);

  func::FuncOp function;
  const FamilyRegistry &families;
  MatchRequirements needs;
  const EmitOptions &options;
  gpu::GPUModuleOp module;
  std::vector<Launch> launches;
  llvm::SetVector<DetectIntoOp> detections;
  /// Of the function; one serves all launches of its kind.
  std::list<BuiltKernel> built;
  EmittedKernels emitted;
};

} // namespace

//===----------------------------------------------------------------------===//
// From plans to kernels
//===----------------------------------------------------------------------===//

FailureOr<std::unique_ptr<ProductKernel>> Emitter::makeKernel(ContractOp op) {
  KernelFamily id = op.getPlanAttr().getFamily();
  const ContractionFamily *family = families.find(id);
  FailureOr<ContractionMatch> match = matchContract(op, needs);
  if (!family || failed(match) || failed(family->take(*match, op, MatchLog())))
    return op.emitOpError("no kernel of the family '")
           << stringifyKernelFamily(id)
           << "' can take it; without its plan, --pit-explain says why";
  return family->makeKernel(std::move(*match));
}

/// Adds a product to a launch, if its plan is that of the others, and they may
/// be computed in its place.
LogicalResult Emitter::join(Launch &launch,
                            std::unique_ptr<ProductKernel> kernel) {
  ContractOp op = kernel->getLastOp();
  PlanParts plan(op.getPlanAttr());
  plan.part = 0;
  if (plan.get(op.getContext()) != launch.plan ||
      !launch.kernel->canJoin(*kernel, options.device))
    return op.emitOpError("cannot be a part of group ")
           << launch.plan.getGroup()
           << ": parts have equal plans, A, lists and extents, and nothing "
              "between them reads or writes what they write or read";
  kernel->join(*launch.kernel);
  launch.kernel = std::move(kernel);
  return success();
}

LogicalResult Emitter::makeLaunches() {
  // A launch stands where the last of its parts does.
  llvm::MapVector<int64_t, Launch> byNumber;
  int64_t alone = -1;
  for (auto op : function.getBody().front().getOps<ContractOp>()) {
    PlanAttr plan = op.getPlanAttr();
    if (!plan || plan.getEngine() != KernelEngine::Wgmma)
      continue;
    FailureOr<std::unique_ptr<ProductKernel>> kernel = makeKernel(op);
    if (failed(kernel))
      return failure();
    int64_t number = plan.getGroup() < 0 ? --alone : plan.getGroup();
    auto *known = byNumber.find(number);
    if (known == byNumber.end()) {
      byNumber[number] = {std::move(*kernel), plan};
      continue;
    }
    Launch launch = std::move(known->second);
    byNumber.erase(known);
    if (failed(join(launch, std::move(*kernel))))
      return failure();
    byNumber[number] = std::move(launch);
  }
  for (auto &[number, launch] : byNumber) {
    if (failed(launch.kernel->bind(launch.plan, options.device)))
      return failure();
    launches.push_back(std::move(launch));
  }
  for (size_t i = 0; i < launches.size(); ++i)
    if (failed(link(i)) || failed(checkShared(*launches[i].kernel)))
      return failure();
  return success();
}

ProductKernel *Emitter::findGroup(size_t before, int64_t id) {
  for (const Launch &launch : ArrayRef(launches).take_front(before))
    if (launch.plan.getGroup() == id)
      return launch.kernel.get();
  return nullptr;
}

/// What the launch has to do with earlier ones.
LogicalResult Emitter::link(size_t number) {
  auto &[kernel, plan] = launches[number];
  if (int64_t id = plan.getRowsFrom(); id >= 0) {
    ProductKernel *first = findGroup(number, id);
    if (!first || !kernel->takeRows(*first, options.device))
      return kernel->getLastOp().emitOpError("cannot take rows from group ")
             << id
             << ", which has to write them, for the same segments, and nothing "
                "else may read or write them";
  }
  if (int64_t id = plan.getBitsFrom(); id >= 0) {
    ProductKernel *first = findGroup(number, id);
    if (!first || !kernel->takeBits(*first))
      return kernel->getLastOp().emitOpError("cannot take bits from group ")
             << id << ", which has to write A in whole tiles before";
  }
  return success();
}

LogicalResult Emitter::checkShared(const ProductKernel &kernel) {
  const ChipModel &chip = *options.device.chip;
  if (kernel.getSharedBytes() <= chip.getSharedBytes())
    return success();
  return kernel.getLastOp().emitOpError("its plan needs ")
         << kernel.getSharedBytes()
         << " bytes of shared memory, of which a block has "
         << chip.getSharedBytes() << " on " << chip.name;
}

//===----------------------------------------------------------------------===//
// Kernels and launches
//===----------------------------------------------------------------------===//

FailureOr<const Emitter::BuiltKernel *>
Emitter::getFunction(const ProductKernel &kernel) {
  for (const BuiltKernel &known : built)
    if (known.kernel->isSameFunction(kernel))
      return &known;
  KernelSignature signature = kernel.getSignature(module.getContext());
  FailureOr<LLVM::LLVMFuncOp> op = kernel.build(
      module, makeKernelName(module, function.getName(), "_contraction_"),
      signature);
  if (failed(op))
    return failure();
  auto symbol = SymbolRefAttr::get(module.getSymNameAttr(),
                                   {FlatSymbolRefAttr::get(op->getNameAttr())});
  built.push_back({&kernel, std::move(signature), symbol});
  ++emitted.numKernels;
  return &built.back();
}

LogicalResult Emitter::emit(ProductKernel &kernel) {
  kernel.report();
  FailureOr<const BuiltKernel *> function = getFunction(kernel);
  if (failed(function) || failed(kernel.launch((*function)->signature,
                                               (*function)->symbol, options)))
    return failure();
  for (const ContractionMatch &part : kernel.getParts())
    eraseContract(cast<ContractOp>(part.ops[0]));
  emitted.numContractions += kernel.getParts().size();
  return success();
}

FailureOr<EmittedKernels> Emitter::run() {
  if (failed(makeLaunches()))
    return failure();
  if (launches.empty())
    return emitted;
  FailureOr<gpu::GPUModuleOp> kernelModule = getKernelModule(function);
  if (failed(kernelModule))
    return failure();
  module = *kernelModule;
  for (const Launch &launch : launches)
    for (const ContractionMatch &part : launch.kernel->getParts())
      if (part.detection)
        detections.insert(part.detection);
  for (const Launch &launch : launches)
    if (failed(emit(*launch.kernel)))
      return failure();
  // Detections whose lists nobody reads any more.
  for (DetectIntoOp detection : detections)
    eraseIfUnread(detection);
  // What started the sums, or held them on the way.
  eraseUnreadBuffers(function.getBody().front());
  return emitted;
}

FailureOr<EmittedKernels> mlir::pit::hopper::emitKernels(
    func::FuncOp function, const FamilyRegistry &families,
    MatchRequirements needs, const EmitOptions &options) {
  return Emitter(function, families, needs, options).run();
}
