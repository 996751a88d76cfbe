//===- SinglePassLoads.cpp - Loads that no cache keeps --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SinglePassLoads.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace mlir;

static bool isSinglePass(const llvm::LoadInst &load) {
  auto *type = llvm::dyn_cast<llvm::FixedVectorType>(load.getType());
  return load.hasMetadata(llvm::LLVMContext::MD_nontemporal) &&
         load.isSimple() && load.getAlign() >= 16 && type &&
         type->getNumElements() == 4 &&
         type->getElementType()->isIntegerTy(32) &&
         load.getPointerAddressSpace() ==
             unsigned(NVVM::NVVMMemorySpace::Global);
}

static void spellOut(llvm::LoadInst &load) {
  llvm::IRBuilder<> builder(&load);
  llvm::Type *i32 = builder.getInt32Ty();
  auto *words = llvm::StructType::get(i32, i32, i32, i32);
  auto *type = llvm::FunctionType::get(words, {load.getPointerOperandType()},
                                       /*isVarArg=*/false);
  // With side effects, as what is loaded depends on when, and it must not pass
  // the wait for the kernel before.
  llvm::InlineAsm *text = llvm::InlineAsm::get(
      type, "ld.global.L1::no_allocate.v4.b32 {$0, $1, $2, $3}, [$4];",
      "=r,=r,=r,=r,l", /*hasSideEffects=*/true);
  llvm::Value *loaded =
      builder.CreateCall(type, text, {load.getPointerOperand()});
  llvm::Value *vector = llvm::PoisonValue::get(load.getType());
  for (unsigned i = 0; i < 4; ++i)
    vector = builder.CreateInsertElement(
        vector, builder.CreateExtractValue(loaded, i), i);
  load.replaceAllUsesWith(vector);
  load.eraseFromParent();
}

void mlir::pit::spellOutSinglePassLoads(llvm::Module &module) {
  SmallVector<llvm::LoadInst *> loads;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        if (isSinglePass(*load))
          loads.push_back(load);
  for (llvm::LoadInst *load : loads)
    spellOut(*load);
}
