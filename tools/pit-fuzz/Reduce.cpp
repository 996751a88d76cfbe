//===- Reduce.cpp - Programs that fail, made smaller ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"
#include "Data.h"
#include "Gradients/Gradients.h"
#include "WrongArguments/Calls.h"

#include "PIT/Dialect/PIT/IR/PITDialect.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::pit::fuzz;

static constexpr llvm::StringLiteral kMarkName =
    mlir::pit::PITDialect::SparseAttrHelper::getNameStr();
static constexpr llvm::StringLiteral kSourceName =
    mlir::pit::PITDialect::SourceAttrHelper::getNameStr();

static func::FuncOp getMain(ModuleOp module) {
  return module.lookupSymbol<func::FuncOp>("main");
}

/// Changes the specifications of each call that does not fit; a call starts
/// with what it is.
static void
changeCalls(func::FuncOp function,
            llvm::function_ref<void(SmallVector<Attribute> &)> change) {
  auto calls = function->getAttrOfType<ArrayAttr>(kCallsAttrName);
  if (!calls)
    return;
  MLIRContext *context = function.getContext();
  SmallVector<Attribute> changed;
  for (Attribute call : calls) {
    SmallVector<Attribute> specs(cast<ArrayAttr>(call).getValue());
    change(specs);
    changed.push_back(ArrayAttr::get(context, specs));
  }
  function->setAttr(kCallsAttrName, ArrayAttr::get(context, changed));
}

static size_t countCalls(ModuleOp module) {
  auto calls = getMain(module)->getAttrOfType<ArrayAttr>(kCallsAttrName);
  return calls ? calls.size() : 0;
}

/// Removes names that no mark is read from.
static void dropUnreadNames(func::FuncOp function) {
  DenseSet<Attribute> areRead;
  auto note = [&](Attribute attr) {
    if (auto mark = dyn_cast_or_null<DictionaryAttr>(attr))
      areRead.insert(mark.get("from"));
  };
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
    note(function.getArgAttr(i, kMarkName));
  function.walk([&](Operation *op) { note(op->getAttr(kMarkName)); });
  function.walk([&](Operation *op) {
    if (Attribute name = op->getAttr(kSourceName);
        name && !areRead.contains(name))
      op->removeAttr(kSourceName);
  });
}

/// Removes ops and arguments that nothing reads.
static void clean(ModuleOp module) {
  func::FuncOp function = getMain(module);
  Block &block = function.getBody().front();
  dropUnreadNames(function);
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty() && !op->hasAttr(kSourceName))
      op->erase();
  // Marks name arguments by their number.
  bool isNamed = false;
  module.walk([&](Operation *op) { isNamed |= op->hasAttr(kMarkName); });
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
    isNamed |= bool(function.getArgAttr(i, kMarkName));
  SmallVector<Attribute> specs(
      function->getAttrOfType<ArrayAttr>(kInputsAttrName).getValue());
  for (unsigned i = function.getNumArguments(); i-- > 0 && !isNamed;)
    if (function.getArgument(i).use_empty()) {
      (void)function.eraseArgument(i);
      specs.erase(specs.begin() + i);
      changeCalls(function, [&](SmallVector<Attribute> &call) {
        call.erase(call.begin() + 1 + i);
      });
    }
  function->setAttr(kInputsAttrName,
                    ArrayAttr::get(module.getContext(), specs));
}

/// The shapes of the results of `main`, as the interpreter has them.
static std::vector<std::vector<int64_t>> findShapes(ModuleOp program,
                                                    int64_t maxPoints) {
  std::vector<std::vector<int64_t>> shapes;
  OwningOpRef<ModuleOp> marked = materializeMarks(program);
  auto inputs = makeInputs(getMain(program));
  if (!marked || !inputs) {
    llvm::consumeError(inputs.takeError());
    return shapes;
  }
  std::vector<Tensor> arguments;
  for (auto [input, type] :
       llvm::zip_equal(*inputs, getMain(*marked).getArgumentTypes()))
    arguments.push_back(readArray(input, getElementTypeOrSelf(type)));
  auto results = interpret(getMain(*marked), arguments, maxPoints);
  if (!results) {
    llvm::consumeError(results.takeError());
    return shapes;
  }
  for (const Tensor &result : *results)
    shapes.push_back(result.shape);
  return shapes;
}

static void setReturned(ModuleOp module, ArrayRef<Value> values) {
  func::FuncOp function = getMain(module);
  Operation *terminator = function.getBody().front().getTerminator();
  terminator->setOperands(values);
  function.setFunctionType(FunctionType::get(module.getContext(),
                                             function.getArgumentTypes(),
                                             ValueRange(values).getTypes()));
}

/// Ways to make a program smaller; each is tried at every op, or argument, of
/// that number. False where there is nothing to do.
using Step = bool (*)(ModuleOp, Operation *);

static bool returnOnly(ModuleOp module, Operation *op) {
  if (op->getNumResults() != 1 ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  Operation *terminator = getMain(module).getBody().front().getTerminator();
  if (terminator->getNumOperands() == 1 &&
      terminator->getOperand(0) == op->getResult(0))
    return false;
  setReturned(module, op->getResult(0));
  return true;
}

static bool useOperandInstead(ModuleOp, Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  // Extents that types do not tell may differ.
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || (!type.hasStaticShape() && !isa<mlir::pit::SparseOp>(op)))
    return false;
  for (Value operand : op->getOperands())
    if (operand.getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(operand);
      op->erase();
      return true;
    }
  return false;
}

/// A new argument in place of what an op computes, where its extents are known.
static bool useArgumentInstead(ModuleOp module, Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() || isa<tensor::EmptyOp>(op))
    return false;
  func::FuncOp function = getMain(module);
  DataSpec spec;
  spec.shape = type.getShape().vec();
  spec.lo = type.getElementType().isInteger(1) ? 0 : -2;
  spec.hi = type.getElementType().isInteger(1) ? 2 : 3;
  spec.seed = 1;
  SmallVector<Attribute> specs(
      function->getAttrOfType<ArrayAttr>(kInputsAttrName).getValue());
  auto text = StringAttr::get(module.getContext(), spec.print());
  specs.push_back(text);
  changeCalls(function,
              [&](SmallVector<Attribute> &call) { call.push_back(text); });
  unsigned number = function.getNumArguments();
  if (failed(function.insertArgument(number, type, {}, op->getLoc())))
    return false;
  function->setAttr(kInputsAttrName,
                    ArrayAttr::get(module.getContext(), specs));
  op->getResult(0).replaceAllUsesWith(function.getArgument(number));
  op->erase();
  return true;
}

static bool removeMarkAttribute(ModuleOp, Operation *op) {
  return bool(op->removeAttr(kMarkName));
}

/// Writes marks that are attributes as ops, which later steps understand.
static bool simplifyMain(ModuleOp module, unsigned number) {
  func::FuncOp function = getMain(module);
  switch (number) {
  case 0:
    return bool(function->removeAttr(kPipelineAttrName));
  case 1: {
    Operation *terminator = function.getBody().front().getTerminator();
    if (terminator->getNumOperands() < 2)
      return false;
    setReturned(module, terminator->getOperand(0));
    return true;
  }
  default: {
    unsigned argument = (number - 2) / 2;
    if (argument >= function.getNumArguments())
      return false;
    if (number % 2)
      return bool(function.removeArgAttr(argument, kMarkName));
    SmallVector<Attribute> specs(
        function->getAttrOfType<ArrayAttr>(kInputsAttrName).getValue());
    auto text = cast<StringAttr>(specs[argument]);
    auto spec = DataSpec::parse(text);
    if (!spec) {
      llvm::consumeError(spec.takeError());
      return false;
    }
    // Ones, dead or live as before.
    if (spec->shape.empty() || (spec->lo == 1 && spec->hi == 2) ||
        spec->shape.size() == 1)
      return false;
    spec->areReals = false;
    spec->lo = 1;
    spec->hi = 2;
    specs[argument] = StringAttr::get(module.getContext(), spec->print());
    function->setAttr(kInputsAttrName,
                      ArrayAttr::get(module.getContext(), specs));
    return true;
  }
  }
}

OwningOpRef<ModuleOp> mlir::pit::fuzz::reduce(ModuleOp program,
                                              const RunOptions &options,
                                              int seconds,
                                              const Verdict &verdict) {
  OwningOpRef<ModuleOp> best(cast<ModuleOp>(program->clone()));
  int budget = verdict.outcome == Outcome::Hang ? 10 : 300;
  auto fails = [&](ModuleOp candidate) {
    if (budget-- <= 0)
      return false;
    Coverage coverage;
    Verdict other = runGuarded(
        seconds, [&] { return checkAsAsked(candidate, options, coverage); });
    // Another diagnostic is another failure.
    return other.outcome == verdict.outcome &&
           (verdict.outcome != Outcome::Diagnostic ||
            StringRef(other.message).take_front(24) ==
                StringRef(verdict.message).take_front(24));
  };
  auto attempt = [&](llvm::function_ref<bool(ModuleOp)> change) {
    OwningOpRef<ModuleOp> candidate(cast<ModuleOp>((*best)->clone()));
    if (!change(*candidate))
      return false;
    clean(*candidate);
    if (!fails(*candidate))
      return false;
    best = std::move(candidate);
    return true;
  };
  auto nthOp = [](ModuleOp module, unsigned n) -> Operation * {
    Block &block = getMain(module).getBody().front();
    for (Operation &op : block.without_terminator())
      if (n-- == 0)
        return &op;
    return nullptr;
  };
  // From the program itself on, so that what does not repeat stays whole.
  if (!fails(*best) || verdict.outcome == Outcome::WrongGradient)
    return best;
  // Of two functions one, or both as they are.
  if (findBackward(*best) && !attempt(keepForward)) {
    auto shapes = findShapes(*best, options.maxPoints);
    if (!attempt([&](ModuleOp module) {
          return !shapes.empty() && keepBackward(module, shapes);
        }))
      return best;
  }
  // Numbers of results do not stay.
  attempt([&](ModuleOp module) {
    return bool(getMain(module)->removeAttr(kGradientsAttrName));
  });
  for (size_t n = 0; countCalls(*best) > 1 && n < countCalls(*best); ++n)
    attempt([&](ModuleOp module) {
      keepCall(module, n);
      return true;
    });
  for (bool changed = true; changed && budget > 0;) {
    changed = false;
    for (Step step : {Step(returnOnly), Step(useOperandInstead),
                      Step(useArgumentInstead), Step(removeMarkAttribute)})
      for (unsigned n = 0; nthOp(*best, n) && budget > 0; ++n)
        if (attempt([&](ModuleOp module) {
              return step(module, nthOp(module, n));
            })) {
          changed = true;
          if (step == Step(returnOnly))
            break;
        }
    unsigned count = 2 + 2 * getMain(*best).getNumArguments();
    for (unsigned n = 0; n < count && budget > 0; ++n)
      changed |=
          attempt([&](ModuleOp module) { return simplifyMain(module, n); });
  }
  return best;
}
