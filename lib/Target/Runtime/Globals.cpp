//===- Globals.cpp - Constants with addresses -----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Globals.h"

using namespace mlir;
using namespace mlir::pit;

LLVM::GlobalOp mlir::pit::makeGlobal(ModuleOp module, const Twine &name,
                                     Type type, Attribute value, Location loc) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  std::string unique = name.str();
  for (int i = 0; module.lookupSymbol(unique); ++i)
    unique = (name + "_" + Twine(i)).str();
  return LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                LLVM::Linkage::Internal, unique, value,
                                /*alignment=*/64);
}

LLVM::GlobalOp mlir::pit::makeBytes(ModuleOp module, const Twine &name,
                                    StringRef bytes, Location loc) {
  Builder builder(module.getContext());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  return makeGlobal(module, name, type, builder.getStringAttr(bytes), loc);
}

Initializer::Initializer(LLVM::GlobalOp global)
    : builder(global.getLoc(), global.getContext()) {
  builder.createBlock(&global.getInitializerRegion());
  value = LLVM::UndefOp::create(builder, global.getType());
}

Initializer::~Initializer() { LLVM::ReturnOp::create(builder, value); }

void Initializer::set(ArrayRef<int64_t> position, LLVM::GlobalOp global) {
  insert(position, global
                       ? LLVM::AddressOfOp::create(builder, global).getResult()
                       : makeNull());
}

void Initializer::set(ArrayRef<int64_t> position, LLVM::LLVMFuncOp function) {
  insert(position,
         function ? LLVM::AddressOfOp::create(builder, function).getResult()
                  : makeNull());
}

Value Initializer::makeNull() {
  return LLVM::ZeroOp::create(builder,
                              LLVM::LLVMPointerType::get(builder.getContext()));
}

void Initializer::setWord(ArrayRef<int64_t> position, uint64_t word) {
  insert(position,
         LLVM::ConstantOp::create(builder, builder.getI64Type(),
                                  builder.getI64IntegerAttr(int64_t(word))));
}

void Initializer::setInt(ArrayRef<int64_t> position, int32_t number) {
  insert(position, LLVM::ConstantOp::create(builder, builder.getI32Type(),
                                            builder.getI32IntegerAttr(number)));
}

void Initializer::insert(ArrayRef<int64_t> position, Value element) {
  value = LLVM::InsertValueOp::create(builder, value, element, position);
}
