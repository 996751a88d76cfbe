//===- Levels.cpp - From a program to the LLVM dialect, on detours --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Data.h"
#include "Gradients/Gradients.h"
#include "Runner.h"
#include "WrongArguments/Calls.h"
#include "WrongMarks/Damage.h"

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Pipelines/Pipelines.h"
#include "PIT/Target/Object/Object.h"
#include "PIT/Target/Runtime/Program.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::fuzz;

/// Splits at commas outside all brackets.
static SmallVector<StringRef> splitPasses(StringRef text) {
  SmallVector<StringRef> parts;
  int depth = 0;
  size_t last = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (StringRef("({").contains(text[i]))
      ++depth;
    if (StringRef(")}").contains(text[i]))
      --depth;
    if (text[i] == ',' && depth == 0) {
      parts.push_back(text.slice(last, i));
      last = i + 1;
    }
  }
  parts.push_back(text.substr(last));
  return parts;
}

/// The passes of a pipeline one by one, each as a pipeline for a module.
static SmallVector<std::string> listPasses(PassManager &manager) {
  std::string text;
  llvm::raw_string_ostream os(text);
  manager.printAsTextualPipeline(os);
  StringRef passes = text;
  passes.consume_front("builtin.module(");
  passes.consume_back(")");
  SmallVector<std::string> list;
  for (StringRef part : splitPasses(passes)) {
    StringRef nested = part;
    if (!nested.consume_front("func.func(")) {
      list.push_back(part.str());
      continue;
    }
    nested.consume_back(")");
    for (StringRef pass : splitPasses(nested))
      list.push_back(("func.func(" + pass + ")").str());
  }
  return list;
}

/// Runs passes `list[from, to)`.
static LogicalResult runPasses(ModuleOp module, ArrayRef<std::string> list) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  if (list.empty())
    return success();
  if (failed(parsePassPipeline(llvm::join(list, ","), manager)))
    return failure();
  return manager.run(module);
}

/// Puts clean-ups between passes, as compilers that embed PIT have them.
static SmallVector<std::string> addCleanups(ArrayRef<std::string> list,
                                            bool hasNames) {
  SmallVector<std::string> cleaned;
  auto readsMarks = [](StringRef pass) {
    return pass.contains("pit-materialize-marks");
  };
  bool areRead = llvm::none_of(list, readsMarks);
  for (const std::string &pass : list) {
    areRead |= readsMarks(pass);
    // Constants would move into the bodies of kernels that are not outlined
    // yet, where the pipeline does not let them. Where an op folds away, so
    // does the mark that is one of its attributes, or the name that is all that
    // refers to it.
    StringRef name(pass);
    if (name.starts_with("gpu-kernel-outlining") || readsMarks(name) ||
        (hasNames && !areRead))
      cleaned.push_back(pass);
    else
      cleaned.append({"canonicalize", "cse", pass});
  }
  return cleaned;
}

/// Prints a module and reads what was printed.
static OwningOpRef<ModuleOp> reparse(ModuleOp module, bool generic) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().printGenericOpForm(generic));
  return parseSourceString<ModuleOp>(text, module.getContext());
}

void mlir::pit::fuzz::addPipelineOptions(ModuleOp program, StringRef options) {
  auto function = program.lookupSymbol<func::FuncOp>("main");
  if (!function || options.empty())
    return;
  std::string text = options.str();
  if (auto given = function->getAttrOfType<StringAttr>(kPipelineAttrName))
    text = given.str() + " " + text;
  function->setAttr(kPipelineAttrName,
                    StringAttr::get(program.getContext(), text));
}

/// Adds the pipeline that `text` has the options of. Fails where it is wrong.
static LogicalResult buildPipeline(PassManager &manager, StringRef text,
                                   const std::string &chip) {
  if (chip.empty()) {
    auto options = PITToCPUOptions::createFromString(text);
    if (!options)
      return failure();
    if (!options->features.getNumOccurrences())
      options->features = getHostFeatures();
    buildPITToCPUPipeline(manager, *options);
    return success();
  }
  auto options = PITToPTXOptions::createFromString(text);
  if (!options)
    return failure();
  options->chip = chip;
  buildPITToCUDAPipeline(manager, *options);
  return success();
}

llvm::Expected<OwningOpRef<ModuleOp>>
mlir::pit::fuzz::lower(ModuleOp program, const std::string &chip,
                       std::optional<uint64_t> cut) {
  MLIRContext *context = program.getContext();
  OwningOpRef<ModuleOp> module(cast<ModuleOp>(program->clone()));
  auto function = module->lookupSymbol<func::FuncOp>("main");
  std::string text;
  if (auto options = function->getAttrOfType<StringAttr>(kPipelineAttrName))
    text = options.str();
  function->removeAttr(kPipelineAttrName);
  function->removeAttr(kInputsAttrName);
  function->removeAttr(kCallsAttrName);
  function->removeAttr(kDamageAttrName);
  function->removeAttr(kGradientsAttrName);
  context->loadDialect<LLVM::LLVMDialect>();
  // Arguments are the caller's, and are not written.
  SmallVector<std::string> entries{"main"};
  func::FuncOp backward = findBackward(*module);
  if (backward) {
    backward->removeAttr(kFromAttrName);
    entries.push_back(kBackwardName.str());
  }
  if (failed(selectEntryPoints(*module, entries)))
    return llvm::createStringError("'main' is no entry point");
  if (chip.empty() && !StringRef(text).contains("entry-points=true"))
    for (func::FuncOp entry : {function, backward})
      if (entry)
        entry->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                       UnitAttr::get(context));

  std::string errors;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      errors += diagnostic.str() + "; ";
    return success();
  });
  auto fail = [&](StringRef what) {
    return llvm::createStringError(what + ": " + errors);
  };
  PassManager manager(context, ModuleOp::getOperationName());
  if (failed(buildPipeline(manager, text, chip)))
    return fail("the options '" + text + "' cannot be read");
  if (!cut) {
    if (failed(manager.run(*module)))
      return fail("does not compile");
    return std::move(module);
  }

  // The number decides where, how it is printed, and what runs behind that.
  SmallVector<std::string> passes = listPasses(manager);
  uint64_t choice = *cut / passes.size();
  size_t at = size_t(*cut % passes.size());
  SmallVector<std::string> rest(passes.begin() + at, passes.end());
  if (choice / 2 % 2)
    rest = addCleanups(
        rest,
        program
            .walk([](Operation *op) {
              return op->hasAttr(PITDialect::SourceAttrHelper::getNameStr())
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            })
            .wasInterrupted());
  if (failed(runPasses(*module, ArrayRef(passes).take_front(at))))
    return fail("does not compile up to '" + passes[at] + "'");
  module = reparse(*module, /*generic=*/choice % 2);
  if (!module)
    return fail("cannot be read again in front of '" + passes[at] + "'");
  if (failed(runPasses(*module, rest)))
    return fail("does not compile from '" + passes[at] + "'");
  return std::move(module);
}
