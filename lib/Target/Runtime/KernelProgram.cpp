//===- KernelProgram.cpp - What a host needs to launch kernels ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostProgram.h"

#include "PIT/Dialect/PIT/IR/PITCheck.h"
#include "PIT/Dialect/PIT/IR/PITLaunch.h"
#include "PIT/Target/PTX/PTX.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::pit;
using llvm::json::Array;
using llvm::json::Object;

namespace {

/// The one set of kernels that a manifest describes.
struct FoundKernels {
  std::string symbol;
  NVVM::NVVMTargetAttr target;
  gpu::KernelTableAttr kernels;
};

} // namespace

static FailureOr<FoundKernels> findKernels(ModuleOp module) {
  FoundKernels image;
  unsigned count = 0;
  for (Operation &op : *module.getBody()) {
    if (auto binary = dyn_cast<gpu::BinaryOp>(op)) {
      gpu::ObjectAttr object = getPTXObject(binary);
      if (!object)
        return failure();
      image = {binary.getSymName().str(),
               cast<NVVM::NVVMTargetAttr>(object.getTarget()),
               object.getKernels()};
      ++count;
    } else if (auto kernels = dyn_cast<gpu::GPUModuleOp>(op)) {
      ArrayAttr targets = kernels.getTargetsAttr();
      auto target = targets && targets.size() == 1
                        ? dyn_cast<NVVM::NVVMTargetAttr>(targets[0])
                        : NVVM::NVVMTargetAttr();
      if (!target)
        return kernels.emitOpError("has no #nvvm.target; "
                                   "--pit-attach-ptx-target gives it one");
      image = {kernels.getName().str(), target, describeKernels(kernels)};
      ++count;
    }
  }
  if (count != 1 || !image.kernels)
    return module.emitOpError("has ")
           << count
           << " GPU modules or binaries with kernels; a manifest describes "
              "exactly one, as 'pit-opt --pit-to-ptx' makes it";
  return image;
}

static FailureOr<Array> describeArguments(gpu::KernelMetadataAttr kernel,
                                          Location loc) {
  Array arguments;
  auto type = dyn_cast<LLVM::LLVMFunctionType>(kernel.getFunctionType());
  if (!type)
    return emitError(loc, "kernel '")
           << kernel.getName().getValue() << "' is not in the LLVM dialect";
  for (auto [i, parameter] : llvm::enumerate(type.getParams())) {
    // The parameter is what the pointer points to.
    auto attributes = kernel.getArgAttrs()
                          ? cast<DictionaryAttr>(kernel.getArgAttrs()[i])
                          : DictionaryAttr();
    if (attributes &&
        attributes.contains(LLVM::LLVMDialect::getByValAttrName())) {
      arguments.push_back(Object{{"kind", "tensor_map"}, {"bytes", 128}});
      continue;
    }
    if (isa<LLVM::LLVMPointerType>(parameter)) {
      arguments.push_back(Object{{"kind", "pointer"}, {"bytes", 8}});
      continue;
    }
    std::string dtype = getDTypeName(parameter);
    if (dtype.empty())
      return emitError(loc, "kernel '")
             << kernel.getName().getValue() << "' takes a " << parameter
             << ", which a manifest cannot describe";
    arguments.push_back(Object{
        {"kind", "scalar"},
        {"dtype", dtype},
        {"bytes",
         int64_t(llvm::divideCeil(parameter.getIntOrFloatBitWidth(), 8u))}});
  }
  return arguments;
}

static FailureOr<Object> describeKernel(gpu::KernelMetadataAttr kernel,
                                        Location loc) {
  FailureOr<Array> arguments = describeArguments(kernel, loc);
  if (failed(arguments))
    return failure();
  Object entry{{"name", kernel.getName().getValue()},
               {"entry", kernel.getName().getValue()},
               {"arguments", std::move(*arguments)},
               {"block", nullptr},
               {"shared_static", 0}};
  if (DictionaryAttr metadata = kernel.getMetadata()) {
    if (auto block = metadata.getAs<DenseI32ArrayAttr>(kBlockSizeName)) {
      Array sizes;
      for (int32_t size : block.asArrayRef())
        sizes.push_back(size);
      entry["block"] = std::move(sizes);
    }
    if (auto shared = metadata.getAs<IntegerAttr>(kStaticSharedName))
      entry["shared_static"] = shared.getInt();
  }
  return entry;
}

/// Bodies of loops have kernels of their own, and buffers that change places.
static LogicalResult refuseLoops(ModuleOp module) {
  auto refuse = [](HostLoopOp loop) -> WalkResult {
    return loop.emitError("is a loop of the host, which a manifest does not "
                          "describe; entry points run it, which "
                          "'--pit-to-cuda' and 'pit-compile' make");
  };
  return failure(module.walk(refuse).wasInterrupted());
}

FailureOr<ProgramInfo> mlir::pit::readKernelProgram(ModuleOp module) {
  if (failed(refuseLoops(module)))
    return failure();
  FailureOr<FoundKernels> found = findKernels(module);
  if (failed(found))
    return failure();
  ProgramInfo program;
  program.target = "cuda";
  program.chip = found->target.getChip().str();
  program.image =
      KernelImage{found->symbol, found->target.getFeatures().str(), Array()};
  llvm::StringSet<> waiting;
  for (gpu::KernelMetadataAttr kernel : found->kernels) {
    if (DictionaryAttr metadata = kernel.getMetadata();
        metadata && metadata.contains(kWaitsName))
      waiting.insert(kernel.getName());
    FailureOr<Object> entry = describeKernel(kernel, module.getLoc());
    if (failed(entry))
      return failure();
    program.image->kernels.push_back(std::move(*entry));
  }
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || holdsChecks(function))
      continue;
    FailureOr<ProgramFunction> described =
        HostProgram(function, waiting).read();
    if (failed(described))
      return failure();
    program.functions.push_back(std::move(*described));
  }
  return program;
}
