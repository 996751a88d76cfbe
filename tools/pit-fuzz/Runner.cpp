//===- Runner.cpp - One program, sparse and as it is written --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"
#include "Data.h"
#include "Elements.h"
#include "Gradients/Gradients.h"
#include "Interpreter.h"
#include "Jit.h"

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Format.h"

#include <cstdlib>
#include <cstring>

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::fuzz;
using ::pit::npy::Array;

static constexpr const char *kOutcomes[kNumOutcomes] = {
    "agrees",   "compiled",       "skipped",       "invalid",
    "refused",  "diagnostic",     "runtime-error", "mismatch",
    "unstable", "roundtrip",      "accepted",      "damage",
    "ignored",  "wrong-gradient", "crash",         "hang"};

StringRef mlir::pit::fuzz::stringify(Outcome outcome) {
  return kOutcomes[int(outcome)];
}

std::optional<Outcome> mlir::pit::fuzz::symbolizeOutcome(StringRef name) {
  for (int i = 0; i < kNumOutcomes; ++i)
    if (name == kOutcomes[i])
      return Outcome(i);
  return std::nullopt;
}

StringRef mlir::pit::fuzz::findLimit(StringRef diagnostic) {
  // What the message has, and what that is.
  constexpr std::pair<StringLiteral, StringLiteral> kLimits[] = {
      {"has no code for the device", "functions of f64 on a device"},
      {"needs a size that the host can bound",
       "temporary buffers in kernels that only data bounds"}};
  for (auto [text, limit] : kLimits)
    if (diagnostic.contains(text))
      return limit;
  return "";
}

OwningOpRef<ModuleOp> mlir::pit::fuzz::materializeMarks(ModuleOp program) {
  OwningOpRef<ModuleOp> marked(cast<ModuleOp>(program->clone()));
  PassManager manager(program.getContext());
  manager.addNestedPass<func::FuncOp>(createPITMaterializeMarks());
  if (failed(manager.run(*marked)))
    return nullptr;
  return marked;
}

static llvm::Expected<std::vector<Tensor>>
evaluate(func::FuncOp function, const std::vector<Array> &inputs,
         int64_t maxPoints) {
  std::vector<Tensor> arguments;
  for (auto [input, type] :
       llvm::zip_equal(inputs, function.getArgumentTypes()))
    arguments.push_back(readArray(input, getElementTypeOrSelf(type)));
  return interpret(function, arguments, maxPoints);
}

/// What the program means.
static llvm::Expected<std::vector<Tensor>>
computeReference(ModuleOp program, const std::vector<Array> &inputs,
                 int64_t maxPoints, std::string &wrongGradient) {
  OwningOpRef<ModuleOp> marked = materializeMarks(program);
  if (!marked)
    return llvm::createStringError("a mark cannot be read");
  auto function = marked->lookupSymbol<func::FuncOp>("main");
  auto results = evaluate(function, inputs, maxPoints);
  if (results)
    (void)agreesWithDifferences(function, inputs, maxPoints, wrongGradient);
  return results;
}

static std::string printIndex(int64_t i, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0; i /= shape[d])
    index[d] = i % shape[d];
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "[";
  llvm::interleaveComma(index, os);
  os << "]";
  return text;
}

/// Whether a compiled element is one that the reference allows.
static bool agrees(const Number &wanted, const Tensor &tensor,
                   const Array &array, int64_t i) {
  if (!tensor.type.isFloat()) {
    if (array.dtype == PIT_DTYPE_I64)
      return static_cast<const int64_t *>(array.data.data())[i] == wanted.i;
    return tensor.type.wrap(int64_t(::pit::run::load(
               array.dtype, array.data.data(), i))) == wanted.i;
  }
  double given = ::pit::run::load(array.dtype, array.data.data(), i);
  if (std::isnan(wanted.f))
    return std::isnan(given);
  return given == wanted.f || std::fabs(given - wanted.f) <= wanted.bound;
}

bool mlir::pit::fuzz::compareResult(size_t number, const Tensor &reference,
                                    const Array &result, Verdict &verdict) {
  llvm::raw_string_ostream os(verdict.message);
  if (result.shape != reference.shape) {
    os << "result " << number << ": the shapes differ";
    return false;
  }
  int64_t bad = 0, firstBad = 0;
  for (int64_t i = 0, e = reference.numElements(); i < e; ++i) {
    const Number &wanted = reference.elements[size_t(i)];
    if (!wanted.isPromised()) {
      ++verdict.exempt;
      continue;
    }
    ++verdict.compared;
    verdict.inexact += wanted.bound > 0;
    if (!agrees(wanted, reference, result, i) && bad++ == 0)
      firstBad = i;
  }
  if (bad == 0)
    return true;
  const Number &wanted = reference.elements[size_t(firstBad)];
  os << "result " << number << ": " << bad << " of " << reference.numElements()
     << " elements differ, first at " << printIndex(firstBad, reference.shape)
     << ": "
     << llvm::format("%.9g", ::pit::run::load(result.dtype, result.data.data(),
                                              firstBad))
     << " instead of ";
  if (reference.type.isFloat())
    os << llvm::format("%.9g", wanted.f) << ", allowed error "
       << llvm::format("%.3g", wanted.bound);
  else
    os << wanted.i;
  return false;
}

/// Changes one promised element of a result.
static void plantFault(const std::vector<Tensor> &references,
                       std::vector<Array> &results) {
  for (auto [reference, result] : llvm::zip_equal(references, results))
    for (auto [i, wanted] : llvm::enumerate(reference.elements)) {
      if (!wanted.isPromised())
        continue;
      auto at = int64_t(i);
      double value = ::pit::run::load(result.dtype, result.data.data(), at);
      // Far beyond any bound, and another one modulo all powers of two.
      double other =
          result.dtype == PIT_DTYPE_I1 ? double(value == 0)
          : std::isfinite(value)
              ? value + 1 + 2 * std::fabs(wanted.bound) + std::fabs(value)
              : 1.0;
      if (!reference.type.isFloat() && result.dtype != PIT_DTYPE_I1)
        other = value > 0 ? value - 1 : value + 1;
      ::pit::run::store(result.dtype, result.data.data(), at, other);
      return;
    }
}

using ExecutablePtr = std::unique_ptr<::pit::run::Executable>;

static llvm::Expected<ExecutablePtr> load(ModuleOp lowered, StringRef entry,
                                          FunctionType signature,
                                          const RunOptions &options,
                                          ::pit::run::CudaDevice *device) {
  if (device)
    return mlir::pit::run::TableProgram::create(lowered, entry, device,
                                                options.optLevel);
  return mlir::pit::run::Program::create(lowered, entry, signature,
                                         options.optLevel);
}

static llvm::Error execute(ModuleOp lowered, StringRef entry,
                           FunctionType signature, const RunOptions &options,
                           ::pit::run::CudaDevice *device,
                           const std::vector<Array> &inputs,
                           std::vector<Array> &results,
                           std::vector<std::vector<Array>> &others) {
  // Modules that were loaded on the device go with the context.
  pit_context *context = nullptr;
  if (int32_t status = pit_context_create(&context))
    return llvm::createStringError(pit_status_string(status));
  pit_context *outer = pit_context_make_current(context);
  llvm::scope_exit leave([&] {
    pit_context_make_current(outer);
    pit_context_destroy(context);
  });
  auto program = load(lowered, entry, signature, options, device);
  if (!program)
    return program.takeError();
  std::string error;
  if (!(*program)->run(inputs, results, error))
    return llvm::createStringError("reported: " + error);
  for (unsigned i = 0; i < options.reruns; ++i) {
    others.emplace_back();
    if (!(*program)->run(inputs, others.back(), error))
      return llvm::createStringError("reported by another run: " + error);
  }
  return llvm::Error::success();
}

/// Compares the bits of promised elements; on a difference the message says
/// where.
static bool compareBits(const std::vector<Tensor> &references,
                        const std::vector<Array> &results,
                        const std::vector<Array> &others,
                        std::string &message) {
  for (auto [number, reference] : llvm::enumerate(references)) {
    const Array &result = results[number], &other = others[number];
    size_t size = pit_dtype_size(result.dtype);
    auto *a = static_cast<const char *>(result.data.data());
    auto *b = static_cast<const char *>(other.data.data());
    for (auto [i, wanted] : llvm::enumerate(reference.elements))
      if (wanted.isPromised() &&
          std::memcmp(a + i * size, b + i * size, size)) {
        message = "result " + std::to_string(number) + ": another run differs";
        message += " at " + printIndex(int64_t(i), reference.shape);
        return false;
      }
  }
  return true;
}

/// Calls the backward with what the forward pass has left for it, and compares
/// it with what the interpreter makes of the same.
static void checkBackward(func::FuncOp backward, ModuleOp lowered,
                          const RunOptions &options,
                          ::pit::run::CudaDevice *device,
                          const std::vector<Array> &inputs,
                          const std::vector<Array> &forward, Verdict &verdict) {
  auto end = [&](Outcome outcome, llvm::Error error) {
    verdict.outcome = outcome;
    verdict.message = "backward: " + llvm::toString(std::move(error));
  };
  auto passed = passOn(backward, inputs, forward);
  if (!passed)
    return end(Outcome::Invalid, passed.takeError());
  OwningOpRef<ModuleOp> marked =
      materializeMarks(backward->getParentOfType<ModuleOp>());
  if (!marked)
    return end(Outcome::Skipped,
               llvm::createStringError("a mark cannot be read"));
  auto references = evaluate(findBackward(*marked), *passed, options.maxPoints);
  if (!references)
    return end(Outcome::Skipped, references.takeError());
  std::vector<Array> results;
  std::vector<std::vector<Array>> reruns;
  if (llvm::Error error =
          execute(lowered, kBackwardName, backward.getFunctionType(), options,
                  device, *passed, results, reruns)) {
    verdict.isLast = device != nullptr;
    return end(Outcome::RuntimeError, std::move(error));
  }
  for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(*references, results)))
    if (auto &[reference, result] = pair;
        !compareResult(i, reference, result, verdict)) {
      verdict.outcome = Outcome::Mismatch;
      verdict.message = "backward: " + verdict.message;
      return;
    }
  for (const std::vector<Array> &other : reruns)
    if (!compareBits(*references, results, other, verdict.message))
      verdict.outcome = Outcome::Unstable;
}

Verdict mlir::pit::fuzz::check(ModuleOp program, const RunOptions &options) {
  Verdict verdict;
  auto end = [&](Outcome outcome, llvm::Error error) {
    verdict.outcome = outcome;
    verdict.message = llvm::toString(std::move(error));
    return verdict;
  };
  if (options.fault == Fault::Crash)
    std::abort();
  for (volatile bool hangs = options.fault == Fault::Hang; hangs;)
    ;
  std::string invalid;
  {
    ScopedDiagnosticHandler handler(
        program.getContext(), [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            invalid += diagnostic.str() + "; ";
          return success();
        });
    if (failed(verify(program)))
      return end(Outcome::Invalid, llvm::createStringError(invalid));
  }
  auto function = program.lookupSymbol<func::FuncOp>("main");
  if (!function || function.isDeclaration())
    return end(Outcome::Invalid,
               llvm::createStringError("there is no function 'main'"));
  std::unique_ptr<::pit::run::CudaDevice> opened;
  ::pit::run::CudaDevice *device = options.device;
  if (!options.chip.empty() && !device && !options.compileOnly) {
    std::string why;
    opened = ::pit::run::CudaDevice::open(why);
    if (!opened)
      return end(Outcome::RuntimeError, llvm::createStringError(why));
    device = opened.get();
  }
  auto inputs = makeInputs(function);
  if (!inputs)
    return end(Outcome::Invalid, inputs.takeError());
  std::string wrongGradient;
  auto references =
      computeReference(program, *inputs, options.maxPoints, wrongGradient);
  if (!references)
    return end(Outcome::Skipped, references.takeError());
  if (!wrongGradient.empty())
    return end(Outcome::WrongGradient, llvm::createStringError(wrongGradient));

  auto lowered = lower(program, options.chip, std::nullopt);
  if (!lowered) {
    end(Outcome::Diagnostic, lowered.takeError());
    if (!options.chip.empty() && !findLimit(verdict.message).empty())
      verdict.outcome = Outcome::Refused;
    return verdict;
  }
  if (options.compileOnly) {
    if (options.cut)
      if (auto again = lower(program, options.chip, options.cut); !again)
        return end(Outcome::Roundtrip, again.takeError());
    verdict.outcome = Outcome::Compiled;
    return verdict;
  }
  std::vector<Array> results;
  std::vector<std::vector<Array>> reruns;
  FunctionType signature = function.getFunctionType();
  if (llvm::Error error = execute(**lowered, "main", signature, options, device,
                                  *inputs, results, reruns)) {
    verdict.isLast = device != nullptr;
    return end(Outcome::RuntimeError, std::move(error));
  }
  if (options.fault == Fault::Result)
    plantFault(*references, results);
  if (options.fault == Fault::Rerun && !reruns.empty())
    plantFault(*references, reruns.back());
  if (options.fault == Fault::Reference)
    for (Tensor &reference : *references)
      for (Number &number : reference.elements)
        number = reference.type.isFloat()
                     ? Number::makeFloat(number.f + 1)
                     : Number::makeInt(reference.type.wrap(number.i + 1));
  for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(*references, results)))
    if (auto &[reference, result] = pair;
        !compareResult(i, reference, result, verdict)) {
      verdict.outcome = Outcome::Mismatch;
      return verdict;
    }

  for (const std::vector<Array> &other : reruns)
    if (!compareBits(*references, results, other, verdict.message)) {
      verdict.outcome = Outcome::Unstable;
      return verdict;
    }
  if (func::FuncOp backward = findBackward(program)) {
    checkBackward(backward, **lowered, options, device, *inputs, results,
                  verdict);
    if (verdict.outcome != Outcome::Agrees)
      return verdict;
  }

  if (options.cut) {
    auto again = lower(program, options.chip, options.cut);
    if (!again)
      return end(Outcome::Roundtrip, again.takeError());
    std::vector<Array> other;
    std::vector<std::vector<Array>> none;
    RunOptions once = options;
    once.reruns = 0;
    if (llvm::Error error = execute(**again, "main", signature, once, device,
                                    *inputs, other, none)) {
      verdict.isLast = device != nullptr;
      return end(Outcome::Roundtrip, std::move(error));
    }
    Verdict second;
    for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(*references, other)))
      if (auto &[reference, result] = pair;
          !compareResult(i, reference, result, second))
        return end(Outcome::Roundtrip, llvm::createStringError(second.message));
  }
  return verdict;
}
