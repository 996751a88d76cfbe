//===- ProgramTable.cpp - The table in a program's object code ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Target/Runtime/Passes.h"
#include "PIT/Target/Runtime/Program.h"

#include "Globals.h"

#include "pit_runtime.h"

#include "llvm/ADT/StringSet.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITEMITPROGRAMTABLE
#include "PIT/Target/Runtime/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

/// Builds the table and what it points to, as pit_runtime.h lays them out.
class TableBuilder {
public:
  TableBuilder(ModuleOp module, const ProgramInfo &program)
      : module(module), program(program),
        builder(module.getLoc(), module.getContext()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())),
        word(builder.getI64Type()), number(builder.getI32Type()) {}

  void build();

private:
  LLVM::GlobalOp makeText(const Twine &name, StringRef text);
  LLVM::GlobalOp makeExtents(const Twine &name, const ProgramValue &value);
  LLVM::GlobalOp makeTypes(const Twine &name, ArrayRef<ProgramValue> values);
  LLVM::LLVMFuncOp makePackedShapes(const ProgramFunction &function);
  LLVM::LLVMFuncOp makePackedCall(const ProgramFunction &function);
  /// The function that XLA calls for entry point `number` of `entries`. Null if
  /// another function has its name.
  LLVM::LLVMFuncOp makeHandler(const ProgramFunction &function, int64_t number,
                               LLVM::GlobalOp entries);
  LLVM::LLVMFuncOp beginPacked(LLVM::LLVMFuncOp callee, TypeRange types);
  void endPacked(LLVM::LLVMFuncOp callee, ValueRange operands);
  /// What the callee takes for `values`, out of an array of pointers.
  void unpack(Value array, ArrayRef<ProgramValue> values, bool areResults,
              LLVM::LLVMFuncOp callee, SmallVectorImpl<Value> &operands);

  ModuleOp module;
  const ProgramInfo &program;
  ImplicitLocOpBuilder builder;
  Type pointer, word, number;
};

struct PITEmitProgramTablePass
    : pit::impl::PITEmitProgramTableBase<PITEmitProgramTablePass> {
  using PITEmitProgramTableBase::PITEmitProgramTableBase;
  void runOnOperation() override;
};

} // namespace

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

LLVM::GlobalOp TableBuilder::makeText(const Twine &name, StringRef text) {
  return makeBytes(module, name, text.str() + std::string(1, '\0'),
                   module.getLoc());
}

LLVM::GlobalOp TableBuilder::makeExtents(const Twine &name,
                                         const ProgramValue &value) {
  if (value.shape.empty())
    return {};
  auto type = RankedTensorType::get(int64_t(value.shape.size()), word);
  return makeGlobal(
      module, name, LLVM::LLVMArrayType::get(word, value.shape.size()),
      DenseElementsAttr::get(type, ArrayRef(value.shape)), module.getLoc());
}

LLVM::GlobalOp TableBuilder::makeTypes(const Twine &name,
                                       ArrayRef<ProgramValue> values) {
  if (values.empty())
    return {};
  SmallVector<LLVM::GlobalOp> extents;
  for (auto [i, value] : llvm::enumerate(values))
    extents.push_back(makeExtents(name + "_" + Twine(i), value));
  auto type = LLVM::LLVMStructType::getLiteral(module.getContext(),
                                               {number, number, pointer});
  LLVM::GlobalOp table =
      makeGlobal(module, name, LLVM::LLVMArrayType::get(type, values.size()),
                 Attribute(), module.getLoc());
  Initializer fields(table);
  for (auto [i, value] : llvm::enumerate(values)) {
    auto position = int64_t(i);
    fields.setInt({position, 0}, getRuntimeDType(value.element));
    fields.setInt({position, 1},
                  value.isTensor ? int32_t(value.shape.size()) : -1);
    fields.set({position, 2}, extents[i]);
  }
  return table;
}

//===----------------------------------------------------------------------===//
// Functions that take arrays
//===----------------------------------------------------------------------===//

LLVM::LLVMFuncOp TableBuilder::beginPacked(LLVM::LLVMFuncOp callee,
                                           TypeRange types) {
  builder.setInsertionPointAfter(callee);
  auto function = LLVM::LLVMFuncOp::create(
      builder, (callee.getName() + "_packed").str(),
      LLVM::LLVMFunctionType::get(number, llvm::to_vector(types)),
      LLVM::Linkage::Internal);
  builder.setInsertionPointToStart(function.addEntryBlock(builder));
  return function;
}

void TableBuilder::unpack(Value array, ArrayRef<ProgramValue> values,
                          bool areResults, LLVM::LLVMFuncOp callee,
                          SmallVectorImpl<Value> &operands) {
  for (auto [i, value] : llvm::enumerate(values)) {
    Value place = LLVM::GEPOp::create(builder, pointer, pointer, array,
                                      ArrayRef<LLVM::GEPArg>{int32_t(i)});
    Value passed = LLVM::LoadOp::create(builder, pointer, place);
    if (!value.isTensor && !areResults)
      passed = LLVM::LoadOp::create(
          builder, callee.getArgumentTypes()[operands.size()], passed);
    operands.push_back(passed);
  }
}

void TableBuilder::endPacked(LLVM::LLVMFuncOp callee, ValueRange operands) {
  auto call = LLVM::CallOp::create(builder, callee, operands);
  LLVM::ReturnOp::create(builder, call.getResult());
}

LLVM::LLVMFuncOp
TableBuilder::makePackedShapes(const ProgramFunction &function) {
  auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(function.getShapesName());
  LLVM::LLVMFuncOp packed =
      beginPacked(callee, {pointer, pointer, pointer, pointer});
  SmallVector<Value> operands{packed.getArgument(0)};
  unpack(packed.getArgument(1), function.arguments, /*areResults=*/false,
         callee, operands);
  operands.append({packed.getArgument(2), packed.getArgument(3)});
  endPacked(callee, operands);
  return packed;
}

LLVM::LLVMFuncOp TableBuilder::makePackedCall(const ProgramFunction &function) {
  auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(function.getCallName());
  LLVM::LLVMFuncOp packed =
      beginPacked(callee, {pointer, pointer, pointer, pointer, pointer, word});
  SmallVector<Value> operands{packed.getArgument(0), packed.getArgument(1)};
  unpack(packed.getArgument(2), function.arguments, /*areResults=*/false,
         callee, operands);
  unpack(packed.getArgument(3), function.results, /*areResults=*/true, callee,
         operands);
  operands.append({packed.getArgument(4), packed.getArgument(5)});
  endPacked(callee, operands);
  return packed;
}

LLVM::LLVMFuncOp TableBuilder::makeHandler(const ProgramFunction &function,
                                           int64_t index,
                                           LLVM::GlobalOp entries) {
  std::string name = function.getHandlerName();
  if (module.lookupSymbol(name))
    return {};
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module.getBody());
  constexpr StringLiteral kCalled = "pit_rt_xla_call";
  auto called = module.lookupSymbol<LLVM::LLVMFuncOp>(kCalled);
  if (!called)
    called = LLVM::LLVMFuncOp::create(
        builder, kCalled,
        LLVM::LLVMFunctionType::get(pointer, {pointer, number, pointer}));
  auto handler = LLVM::LLVMFuncOp::create(
      builder, name, LLVM::LLVMFunctionType::get(pointer, {pointer}));
  builder.setInsertionPointToStart(handler.addEntryBlock(builder));
  Value table = LLVM::AddressOfOp::create(builder, entries);
  auto entryType =
      cast<LLVM::LLVMArrayType>(entries.getType()).getElementType();
  Value entry = LLVM::GEPOp::create(builder, pointer, entryType, table,
                                    ArrayRef<LLVM::GEPArg>{int32_t(index)});
  Value onDevice = LLVM::ConstantOp::create(
      builder, number, builder.getI32IntegerAttr(program.target == "cuda"));
  auto call = LLVM::CallOp::create(
      builder, called, ValueRange{entry, onDevice, handler.getArgument(0)});
  LLVM::ReturnOp::create(builder, call.getResult());
  return handler;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

void TableBuilder::build() {
  MLIRContext *context = module.getContext();
  auto entryType = LLVM::LLVMStructType::getLiteral(
      context, {pointer, word, pointer, word, pointer, pointer, pointer});
  LLVM::GlobalOp entries =
      makeGlobal(module, "pit_program_entries",
                 LLVM::LLVMArrayType::get(entryType, program.functions.size()),
                 Attribute(), module.getLoc());
  {
    Initializer fields(entries);
    for (auto [i, function] : llvm::enumerate(program.functions)) {
      std::string prefix = function.getCallName();
      auto at = int64_t(i);
      fields.set({at, 0}, makeText(prefix + "_name", function.name));
      fields.setWord({at, 1}, function.arguments.size());
      fields.set({at, 2}, makeTypes(prefix + "_arguments", function.arguments));
      fields.setWord({at, 3}, function.results.size());
      fields.set({at, 4}, makeTypes(prefix + "_results", function.results));
      fields.set({at, 5}, makePackedShapes(function));
      fields.set({at, 6}, makePackedCall(function));
    }
  }
  LLVM::GlobalOp handlers =
      makeGlobal(module, "pit_program_handlers",
                 LLVM::LLVMArrayType::get(pointer, program.functions.size()),
                 Attribute(), module.getLoc());
  {
    Initializer fields(handlers);
    for (auto [i, function] : llvm::enumerate(program.functions))
      fields.set(int64_t(i), makeHandler(function, int64_t(i), entries));
  }
  LLVM::GlobalOp target = makeText("pit_program_target", program.target);
  LLVM::GlobalOp chip = makeText("pit_program_chip", program.chip);
  LLVM::GlobalOp phases;
  if (!program.phases.empty())
    phases = makeText("pit_program_phases", program.phases);
  auto type = LLVM::LLVMStructType::getLiteral(
      context,
      {number, number, pointer, pointer, word, pointer, pointer, pointer});
  LLVM::GlobalOp table = makeGlobal(module, PIT_PROGRAM_SYMBOL, type,
                                    Attribute(), module.getLoc());
  // Weak, so that the objects of two programs can be linked to one host, which
  // then calls them by their names.
  table.setLinkage(LLVM::Linkage::Weak);
  Initializer fields(table);
  fields.setInt(0, PIT_PROGRAM_VERSION);
  fields.setInt(1,
                PIT_RUNTIME_VERSION_MAJOR * 1000 + PIT_RUNTIME_VERSION_MINOR);
  fields.set(2, target);
  fields.set(3, chip);
  fields.setWord(4, program.functions.size());
  fields.set(5, entries);
  fields.set(6, phases);
  fields.set(7, handlers);
}

/// Only entry points and the table are for others.
static void internalize(ModuleOp module, const ProgramInfo &program) {
  llvm::StringSet<> exported;
  for (const ProgramFunction &function : program.functions) {
    exported.insert(function.getCallName());
    exported.insert(function.getShapesName());
    exported.insert(function.getHandlerName());
  }
  for (Operation &op : *module.getBody()) {
    if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
        function && !function.isExternal() &&
        !exported.contains(function.getName()))
      function.setLinkage(LLVM::Linkage::Internal);
    if (auto global = dyn_cast<LLVM::GlobalOp>(op);
        global && global.getLinkage() == LLVM::Linkage::External &&
        (global.getValueAttr() || global.getInitializerBlock()))
      global.setLinkage(LLVM::Linkage::Internal);
  }
}

LogicalResult mlir::pit::takeMemoryFromRuntime(ModuleOp module) {
  SymbolTable symbols(module);
  for (auto [name, other] :
       {std::pair("malloc", "pit_rt_allocate"), {"free", "pit_rt_free"}}) {
    auto function = symbols.lookup<LLVM::LLVMFuncOp>(name);
    if (!function || !function.isExternal())
      continue;
    // LLVM knows of malloc without being told.
    if (function.getNumArguments() == 1 &&
        isa<LLVM::LLVMPointerType>(function.getFunctionType().getReturnType()))
      function.setResultAttr(0, LLVM::LLVMDialect::getNoAliasAttrName(),
                             UnitAttr::get(module.getContext()));
    if (failed(symbols.rename(function, other)))
      return failure();
  }
  return success();
}

void PITEmitProgramTablePass::runOnOperation() {
  ModuleOp module = getOperation();
  if (Operation *known = module.lookupSymbol(PIT_PROGRAM_SYMBOL)) {
    known->emitError("the module has a '" PIT_PROGRAM_SYMBOL "' already");
    return signalPassFailure();
  }
  if (target != "cpu" && target != "cuda") {
    module.emitError("unknown target '")
        << target << "' of a program: expected cpu or cuda";
    return signalPassFailure();
  }
  Builder builder(&getContext());
  module->setAttr(
      kProgramAttrName,
      builder.getDictionaryAttr(
          {builder.getNamedAttr("chip", builder.getStringAttr(chip)),
           builder.getNamedAttr("target", builder.getStringAttr(target))}));
  FailureOr<ProgramInfo> program = readProgram(module);
  if (failed(program))
    return signalPassFailure();
  if (target == "cpu" && failed(takeMemoryFromRuntime(module)))
    return signalPassFailure();
  TableBuilder(module, *program).build();
  internalize(module, *program);
}
