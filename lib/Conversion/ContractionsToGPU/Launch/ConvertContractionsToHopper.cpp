//===- ConvertContractionsToHopper.cpp - The pass that emits wgmma GEMMs --===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"
#include "PIT/Dialect/PIT/Utils/Sizes.h"

#include "Conversion/ContractionsToGPU/Match/F32Products.h"
#include "Conversion/ContractionsToGPU/Match/FormOnBuffers.h"
#include "Conversion/ContractionsToGPU/Match/MatchContract.h"
#include "Conversion/ContractionsToGPU/Plan/ContractionSignature.h"
#include "Conversion/ContractionsToGPU/Plan/FamilyPlans.h"
#include "Conversion/ContractionsToGPU/Plan/HandOver.h"
#include "Conversion/ContractionsToGPU/Plan/JoinProducts.h"
#include "Conversion/ContractionsToGPU/Plan/KernelPlan.h"
#include "Conversion/ContractionsToGPU/Plan/LiveBits.h"
#include "Conversion/ContractionsToGPU/Plan/PlanKernels.h"
#include "Conversion/ContractionsToGPU/Plan/ReportKernels.h"
#include "Conversion/ContractionsToGPU/Wgmma/Families/ContractionFunction.h"
#include "Conversion/ContractionsToGPU/Wgmma/Families/RowSums.h"
#include "Conversion/ContractionsToGPU/Wgmma/Families/WantedBlocks.h"
#include "GPU/Host/BufferAccess.h"
#include "GPU/Host/KernelModule.h"
#include "GPU/Host/LaunchEffects.h"
#include "Launch.h"
#include "RowSumLaunch.h"
#include "WantedLaunch.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "llvm/ADT/MapVector.h"

#include <list>

namespace mlir::pit {
#define GEN_PASS_DEF_CONVERTCONTRACTIONSTOHOPPER
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

namespace {

/// Emits the kernels of a function's contract ops as they are planned, and
/// their launches.
class Emitter {
public:
  Emitter(func::FuncOp function, const DeviceModel &device, bool freeBuffers,
          MatchRequirements needs)
      : function(function), device(device), freeBuffers(freeBuffers),
        needs(needs) {}

  LogicalResult run();

  unsigned numKernels = 0, numContractions = 0;

private:
  /// Parts of one launch.
  struct Group {
    SmallVector<const ContractionMatch *> parts;
    PlanAttr plan;
    ContractionKernel kernel;
    SharedBuffers shared;
    /// What it tells others of.
    Value flags, liveBits;

    ContractOp getOp() const { return cast<ContractOp>(parts.back()->ops[0]); }
  };

  LogicalResult match(ContractOp op);
  LogicalResult makeGroups();
  LogicalResult join(Group &group, ContractOp op);
  LogicalResult link(size_t number);
  Group *findGroup(size_t before, int64_t id);
  LogicalResult checkShared(ContractOp op, int64_t bytes);

  std::string getFreeName();
  SymbolRefAttr getSymbol(LLVM::LLVMFuncOp op);
  /// What was built, with what its launches bind.
  struct BuiltKernel {
    ContractionKernel kernel;
    KernelSignature signature;
    LLVM::LLVMFuncOp op;
  };
  FailureOr<const BuiltKernel *> getKernel(Location loc,
                                           const ContractionKernel &kernel);
  LogicalResult emitGroups();
  LogicalResult emitPieces();
  LogicalResult emitWanted();
  void eraseDetections();

  func::FuncOp function;
  const DeviceModel &device;
  bool freeBuffers;
  MatchRequirements needs;
  gpu::GPUModuleOp module;

  std::vector<ContractionMatch> matches;
  std::vector<std::unique_ptr<Group>> groups;
  std::vector<std::pair<ContractionMatch, RowSumKernel>> pieces;
  std::vector<std::pair<WantedMatch, WantedKernel>> wanted;
  llvm::SetVector<DetectIntoOp> detections;

  /// Kernels of the function; one serves all products of its kind.
  std::list<BuiltKernel> kernels;
  unsigned kernelNumber = 0;
};

struct ConvertContractionsToHopperPass
    : pit::impl::ConvertContractionsToHopperBase<
          ConvertContractionsToHopperPass> {
  using ConvertContractionsToHopperBase::ConvertContractionsToHopperBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertContractionsToHopperBase::getDependentDialects(registry);
    registry.insert<PITDialect>();
    // Launches are made before buffers are freed.
    registerLaunchEffects(registry);
  }
  LogicalResult initialize(MLIRContext *context) override;
  void runOnOperation() override;

private:
  DeviceModel device;
};

} // namespace

//===----------------------------------------------------------------------===//
// From plans to kernels
//===----------------------------------------------------------------------===//

LogicalResult Emitter::checkShared(ContractOp op, int64_t bytes) {
  int64_t most = device.chip->getSharedBytes();
  if (bytes <= most)
    return success();
  return op.emitOpError("its plan needs ")
         << bytes << " bytes of shared memory, of which a block has " << most
         << " on " << device.chip->name;
}

LogicalResult Emitter::match(ContractOp op) {
  PlanAttr plan = op.getPlanAttr();
  auto fail = [&] {
    return op.emitOpError("no kernel of the family '")
           << stringifyKernelFamily(plan.getFamily())
           << "' can take it; without its plan, --pit-explain says why";
  };
  if (plan.getFamily() == KernelFamily::Wanted) {
    FailureOr<WantedMatch> match = matchMaskedContract(op);
    if (failed(match))
      return fail();
    WantedKernel kernel = bindWanted(*match, plan, device.multiprocessors);
    wanted.emplace_back(std::move(*match), kernel);
    return checkShared(op, kernel.getSharedBytes());
  }
  FailureOr<ContractionMatch> match = matchContract(op, needs);
  if (failed(match) || failed(setFamily(*match, plan.getFamily(), op)))
    return fail();
  if (plan.getFamily() != KernelFamily::Pieces) {
    matches.push_back(std::move(*match));
    return success();
  }
  RowSumKernel kernel = bindPieces(*match, plan);
  pieces.emplace_back(std::move(*match), kernel);
  return checkShared(op, kernel.getSharedBytes());
}

/// Adds the op to a launch: its plan is that of the others, and it may be
/// computed where the last of them is.
LogicalResult Emitter::join(Group &group, ContractOp op) {
  if (group.parts.size() < 2)
    return success();
  const ContractionMatch &last = *group.parts.back();
  auto before = ArrayRef(group.parts).drop_back();
  PlanParts plan(op.getPlanAttr());
  plan.part = 0;
  if (plan.get(op.getContext()) != group.plan || !canJoin(before, last, device))
    return op.emitOpError("cannot be a part of group ")
           << group.plan.getGroup()
           << ": parts have equal plans, A, lists and extents, and nothing "
              "between them reads or writes what they write or read";
  return success();
}

LogicalResult Emitter::makeGroups() {
  // A launch stands where the last of its parts does.
  llvm::MapVector<int64_t, std::unique_ptr<Group>> byNumber;
  int64_t alone = -1;
  for (const ContractionMatch &match : matches) {
    auto op = cast<ContractOp>(match.ops[0]);
    int64_t number = op.getPlanAttr().getGroup();
    std::unique_ptr<Group> group;
    if (number < 0)
      number = --alone;
    if (auto *known = byNumber.find(number); known != byNumber.end()) {
      group = std::move(known->second);
      byNumber.erase(known);
    } else {
      group = std::make_unique<Group>();
      group->plan = op.getPlanAttr();
    }
    group->parts.push_back(&match);
    if (failed(join(*group, op)))
      return failure();
    byNumber[number] = std::move(group);
  }
  for (auto &[number, group] : byNumber) {
    group->kernel =
        bindKernel(*group->parts.front(), group->plan, group->parts.size());
    groups.push_back(std::move(group));
  }
  for (size_t i = 0; i < groups.size(); ++i)
    if (failed(link(i)) ||
        failed(checkShared(groups[i]->getOp(),
                           groups[i]->kernel.getSharedBytes())))
      return failure();
  return success();
}

Emitter::Group *Emitter::findGroup(size_t before, int64_t id) {
  for (size_t i = 0; i < before; ++i)
    if (groups[i]->plan.getGroup() == id)
      return groups[i].get();
  return nullptr;
}

/// What the launch has to do with earlier ones.
LogicalResult Emitter::link(size_t number) {
  Group &group = *groups[number];
  group.shared = {&group.flags, &group.liveBits, nullptr};
  const ContractionMatch &second = *group.parts.front();
  if (int64_t id = group.plan.getRowsFrom(); id >= 0) {
    Group *first = findGroup(number, id);
    if (!first || !handOver(*first->parts.front(), first->kernel, second,
                            group.kernel, device))
      return group.getOp().emitOpError("cannot take rows from group ")
             << id
             << ", which has to write them, for the same segments, and nothing "
                "else may read or write them";
    group.shared.flags = &first->flags;
  }
  if (int64_t id = group.plan.getBitsFrom(); id >= 0) {
    Group *first = findGroup(number, id);
    if (!first || !tellLiveMicroTiles(*first->parts.front(), first->kernel,
                                      second, group.kernel))
      return group.getOp().emitOpError("cannot take bits from group ")
             << id << ", which has to write A in whole tiles before";
    group.shared.liveOfA = &first->liveBits;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels and launches
//===----------------------------------------------------------------------===//

std::string Emitter::getFreeName() {
  std::string name;
  do
    name = (function.getName() + "_contraction_" + Twine(kernelNumber++)).str();
  while (module.lookupSymbol(name));
  return name;
}

SymbolRefAttr Emitter::getSymbol(LLVM::LLVMFuncOp op) {
  return SymbolRefAttr::get(module.getSymNameAttr(),
                            {FlatSymbolRefAttr::get(op.getNameAttr())});
}

FailureOr<const Emitter::BuiltKernel *>
Emitter::getKernel(Location loc, const ContractionKernel &kernel) {
  for (const BuiltKernel &known : kernels)
    if (known.kernel == kernel)
      return &known;
  KernelSignature signature = getSignature(module.getContext(), kernel);
  FailureOr<LLVM::LLVMFuncOp> op =
      buildContractionKernel(module, loc, getFreeName(), kernel, signature);
  if (failed(op))
    return failure();
  kernels.push_back({kernel, std::move(signature), *op});
  ++numKernels;
  return &kernels.back();
}

LogicalResult Emitter::emitGroups() {
  for (std::unique_ptr<Group> &group : groups) {
    ContractOp last = group->getOp();
    for (const ContractionMatch *part : group->parts)
      reportKernel(*part, group->kernel);
    FailureOr<const BuiltKernel *> built =
        getKernel(last.getLoc(), group->kernel);
    if (failed(built) ||
        failed(createLaunch(group->parts, group->kernel, (*built)->signature,
                            getSymbol((*built)->op), device.multiprocessors,
                            freeBuffers, group->shared)))
      return failure();
    Value index = last.getIndex();
    for (const ContractionMatch *part : group->parts)
      part->ops[0]->erase();
    if (index)
      if (auto assemble = index.getDefiningOp<AssembleOp>();
          assemble && assemble->use_empty())
        assemble->erase();
    numContractions += group->parts.size();
  }
  return success();
}

LogicalResult Emitter::emitPieces() {
  for (const auto &[match, kernel] : pieces) {
    reportKernel(match, kernel);
    KernelSignature signature = getSignature(module.getContext(), kernel);
    FailureOr<LLVM::LLVMFuncOp> op = buildRowSumKernel(
        module, match.ops[0]->getLoc(), getFreeName(), kernel, signature);
    if (failed(op) ||
        failed(createRowSumLaunch(match, kernel, signature, getSymbol(*op),
                                  device.multiprocessors, freeBuffers)))
      return failure();
    match.ops[0]->erase();
  }
  numKernels += pieces.size();
  numContractions += pieces.size();
  return success();
}

LogicalResult Emitter::emitWanted() {
  for (const auto &[match, kernel] : wanted) {
    Operation *contract = match.product.ops[0];
    reportKernel(match, kernel);
    KernelSignature signature = getSignature(module.getContext(), kernel);
    FailureOr<LLVM::LLVMFuncOp> op = buildWantedKernel(
        module, contract->getLoc(), getFreeName(), kernel, signature);
    if (failed(op) ||
        failed(createWantedLaunch(match, kernel, signature, getSymbol(*op))))
      return failure();
    contract->erase();
  }
  numKernels += wanted.size();
  numContractions += wanted.size();
  return success();
}

/// Detections whose lists nobody reads any more.
void Emitter::eraseDetections() {
  for (DetectIntoOp detection : detections)
    eraseIfUnread(detection);
}

LogicalResult Emitter::run() {
  for (auto op : function.getBody().front().getOps<ContractOp>())
    if (PlanAttr plan = op.getPlanAttr();
        plan && plan.getEngine() == KernelEngine::Wgmma)
      if (failed(match(op)))
        return failure();
  if (matches.empty() && pieces.empty() && wanted.empty())
    return success();
  if (failed(makeGroups()))
    return failure();
  FailureOr<gpu::GPUModuleOp> kernelModule = getKernelModule(function);
  if (failed(kernelModule))
    return failure();
  module = *kernelModule;
  auto note = [&](const ContractionMatch &match) {
    if (match.detection)
      detections.insert(match.detection);
  };
  for (const ContractionMatch &match : matches)
    note(match);
  for (const auto &[match, kernel] : pieces)
    note(match);
  for (const auto &[match, kernel] : wanted)
    note(match.product);
  if (failed(emitGroups()) || failed(emitPieces()) || failed(emitWanted()))
    return failure();
  eraseDetections();
  // What started the sums, or held them on the way.
  eraseUnreadBuffers(function.getBody().front());
  return success();
}

LogicalResult
ConvertContractionsToHopperPass::initialize(MLIRContext *context) {
  FailureOr<DeviceModel> found =
      lookupDevice(chip, card, multiprocessors, context);
  if (failed(found))
    return failure();
  device = *found;
  return success();
}

void ConvertContractionsToHopperPass::runOnOperation() {
  if (failed(checkSizes(getOperation())))
    return signalPassFailure();
  FailureOr<F32Products> products =
      parseF32Products(getOperation().getLoc(), f32Products);
  if (failed(products))
    return signalPassFailure();
  MatchRequirements needs;
  needs.shortSegments = shortSegments;
  needs.elements = getWgmmaElements(*products);
  PlanOptions options{device, specialise, needs};
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    if (function.isExternal() || !function.getBody().hasOneBlock())
      continue;
    if (plan) {
      formWgmmaKernels(function, needs);
      planKernels(function, options);
    }
    Emitter emitter(function, device, freeBuffers, needs);
    if (failed(emitter.run()))
      return signalPassFailure();
    numKernels += emitter.numKernels;
    numContractions += emitter.numContractions;
  }
}
