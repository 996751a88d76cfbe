//===- SerializeToPTX.cpp - PTX text of GPU modules -----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "Negations.h"
#include "SinglePassLoads.h"

#include "PIT/Target/PTX/PTX.h"
#include "PIT/Target/PTX/PTXTarget.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Target/LLVM/ModuleToObject.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::pit;

void mlir::pit::registerPTXTranslationDialects(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

namespace {

/// Stops at the text: assembling it is up to the driver or to ptxas.
class PTXSerializer : public LLVM::ModuleToObject {
public:
  using ModuleToObject::ModuleToObject;
  unsigned ptxVersion = 0;

protected:
  // Before anything is optimised: what loads are said to be gets lost then.
  void handleModulePreLink(llvm::Module &llvmModule) override {
    if (ptxVersion >= kFirstPTXOfSinglePassLoads)
      spellOutSinglePassLoads(llvmModule);
  }

  FailureOr<SmallVector<char, 0>>
  moduleToObject(llvm::Module &llvmModule) override {
    FailureOr<llvm::TargetMachine *> machine = getOrCreateTargetMachine();
    if (failed(machine))
      return getOperation().emitError("the NVPTX back end is not there");
    FailureOr<SmallString<0>> text = translateModuleToISA(
        llvmModule, **machine, [&] { return getOperation().emitError(); });
    if (failed(text))
      return failure();
    return SmallVector<char, 0>(text->begin(), text->end());
  }
};

} // namespace

static void initializeBackEnd() {
  static const bool once = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)once;
}

static LogicalResult checkModule(gpu::GPUModuleOp module) {
  for (Operation &op : *module.getBody())
    if (!isa_and_present<LLVM::LLVMDialect, NVVM::NVVMDialect>(op.getDialect()))
      return op.emitOpError("in a GPU module is not in the LLVM dialect; lower "
                            "it before making PTX");
  // LLVM would end the process.
  for (auto kernel : module.getOps<LLVM::LLVMFuncOp>())
    if (!kernel.isExternal() && !isPTXName(kernel.getName()))
      return kernel.emitOpError("has a name that PTX does not allow; "
                                "--pit-attach-ptx-target gives it another");
  // Casts of types are left for the sake of other ops, which say more.
  Operation *leftOver = nullptr;
  module.walk([&](Operation *op) {
    if (op == module.getOperation() ||
        isa_and_present<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
      return WalkResult::advance();
    bool isCast = isa<UnrealizedConversionCastOp>(op);
    if (!leftOver || !isCast)
      leftOver = op;
    return isCast ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (leftOver)
    return leftOver->emitOpError("in a kernel is not in the LLVM or NVVM "
                                 "dialect; lower it before making PTX");
  return success();
}

NVVM::NVVMTargetAttr mlir::pit::getPTXTarget(gpu::GPUModuleOp module) {
  if (ArrayAttr targets = module.getTargetsAttr())
    for (Attribute target : targets)
      if (auto nvvm = dyn_cast<NVVM::NVVMTargetAttr>(target))
        return nvvm;
  return {};
}

FailureOr<std::string> mlir::pit::serializeToPTX(gpu::GPUModuleOp module) {
  NVVM::NVVMTargetAttr attribute = getPTXTarget(module);
  if (!attribute)
    return module.emitOpError("has no #nvvm.target; --pit-attach-ptx-target "
                              "gives it one");
  // Targets written by hand come here unchecked, and the default of the
  // attribute is PTX 6.0, which no chip at hand knows.
  StringRef features = attribute.getFeatures();
  FailureOr<PTXTarget> target = resolvePTXTarget(
      attribute.getChip(), features == "+ptx60" ? "" : features,
      [&] { return module.emitOpError(); });
  if (failed(target) || failed(checkModule(module)))
    return failure();
  initializeBackEnd();
  PTXSerializer serializer(*module, "nvptx64-nvidia-cuda", target->chip,
                           target->features, attribute.getO());
  serializer.ptxVersion = target->ptxVersion;
  std::optional<SmallVector<char, 0>> text = serializer.run();
  if (!text)
    return module.emitOpError("could not be compiled to PTX");
  return spellOutNegations(StringRef(text->data(), text->size()));
}

//===----------------------------------------------------------------------===//
// Metadata
//===----------------------------------------------------------------------===//

int64_t mlir::pit::getStaticShared(LLVM::LLVMFuncOp kernel,
                                   gpu::GPUModuleOp module) {
  constexpr unsigned kSharedSpace = 3;
  DataLayout layout(module);
  DenseSet<Operation *> seen;
  int64_t bytes = 0;
  kernel.walk([&](LLVM::AddressOfOp address) {
    auto global = module.lookupSymbol<LLVM::GlobalOp>(address.getGlobalName());
    if (!global || global.getAddrSpace() != kSharedSpace ||
        !seen.insert(global).second)
      return;
    int64_t size = layout.getTypeSize(global.getGlobalType());
    int64_t alignment = layout.getTypeABIAlignment(global.getGlobalType());
    bytes = llvm::alignTo(bytes, alignment) + size;
  });
  return bytes;
}

gpu::KernelTableAttr mlir::pit::describeKernels(gpu::GPUModuleOp module) {
  Builder builder(module.getContext());
  SmallVector<gpu::KernelMetadataAttr> kernels;
  for (auto kernel : module.getOps<LLVM::LLVMFuncOp>()) {
    if (!kernel->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
      continue;
    SmallVector<NamedAttribute> entries;
    Attribute block = kernel->getAttr(NVVM::NVVMDialect::getMaxntidAttrName());
    if (!block)
      block = kernel->getAttr(NVVM::NVVMDialect::getReqntidAttrName());
    if (block)
      entries.push_back(builder.getNamedAttr(kBlockSizeName, block));
    entries.push_back(builder.getNamedAttr(
        kStaticSharedName,
        builder.getI64IntegerAttr(getStaticShared(kernel, module))));
    if (Attribute waits = kernel->getAttr(kWaitsName))
      entries.push_back(builder.getNamedAttr(kWaitsName, waits));
    kernels.push_back(gpu::KernelMetadataAttr::get(
        kernel.getSymNameAttr(), kernel.getFunctionType(),
        kernel.getArgAttrsAttr(), builder.getDictionaryAttr(entries)));
  }
  return gpu::KernelTableAttr::get(module.getContext(), kernels);
}
