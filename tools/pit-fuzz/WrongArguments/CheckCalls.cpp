//===- CheckCalls.cpp - Calls are refused, or give what is right ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Types.h"
#include "WrongArguments/Calls.h"
#include "WrongArguments/Fit.h"
#include "WrongArguments/MakeCall.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::pit::fuzz;
using ::pit::npy::Array;

/// More elements than anything is called with that runs.
static constexpr int64_t kMostElements = int64_t(1) << 22;

namespace {

/// What a call is given, and whether all of it is there.
struct Given {
  std::vector<GivenArgument> arguments;
  bool isComplete = true;
  /// Whether ranks are those of the function.
  bool hasRanks = true;
};

/// The calls of one program.
class CallChecker {
public:
  CallChecker(ModuleOp program, func::FuncOp marked, const RunOptions &options,
              CallableProgram &callable, Coverage &coverage, Verdict &verdict)
      : function(program.lookupSymbol<func::FuncOp>("main")), marked(marked),
        options(options), callable(callable), coverage(coverage),
        verdict(verdict) {}

  /// False where the call shows a fault, which the verdict says.
  bool check(const Call &call);

private:
  llvm::Expected<Given> give(const Call &call);
  FitResult fits(const Given &given);
  std::vector<Tensor> readArguments(const Given &given, bool withElements);
  bool fail(Outcome outcome, const Twine &message) {
    verdict.outcome = outcome;
    verdict.message = message.str();
    return false;
  }
  bool checkRefused(const Call &call, const CallEnd &end);
  bool checkResults(const Call &call, const CallEnd &end,
                    ArrayRef<Tensor> references);

  func::FuncOp function, marked;
  const RunOptions &options;
  CallableProgram &callable;
  Coverage &coverage;
  Verdict &verdict;
};

} // namespace

llvm::Expected<Given> CallChecker::give(const Call &call) {
  Given given;
  for (auto [type, spec] :
       llvm::zip_equal(function.getArgumentTypes(), call.arguments)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    given.hasRanks &=
        spec.shape.size() == size_t(tensor ? tensor.getRank() : 0);
    DataSpec there = spec;
    int64_t count = 1;
    for (int64_t &extent : there.shape)
      if (llvm::MulOverflow(count, extent, count) || count > kMostElements) {
        given.isComplete = false;
        there.shape.assign(there.shape.size(), 1);
        there.block.clear();
        break;
      }
    auto array =
        makeArray(there, mlir::pit::run::dtypeOf(getElementTypeOrSelf(type)));
    if (!array)
      return array.takeError();
    given.arguments.push_back({std::move(*array), spec.shape});
  }
  return given;
}

std::vector<Tensor> CallChecker::readArguments(const Given &given,
                                               bool withElements) {
  std::vector<Tensor> tensors;
  for (auto [argument, type] :
       llvm::zip_equal(given.arguments, function.getArgumentTypes())) {
    if (withElements || !isa<RankedTensorType>(type)) {
      tensors.push_back(readArray(argument.array, getElementTypeOrSelf(type)));
      continue;
    }
    tensors.emplace_back();
    tensors.back().shape = argument.shape;
  }
  return tensors;
}

static bool hasHugeExtent(const Given &given) {
  return llvm::any_of(given.arguments, [](const GivenArgument &argument) {
    return llvm::any_of(argument.shape,
                        [](int64_t extent) { return extent > kMostElements; });
  });
}

FitResult CallChecker::fits(const Given &given) {
  if (!given.hasRanks)
    return {Fit::No, "a tensor has another rank", 0};
  return checkFit(marked, readArguments(given, /*withElements=*/false));
}

/// A call that does not fit ends with an error of the program's own.
bool CallChecker::checkRefused(const Call &call, const CallEnd &end) {
  if (end.status == PIT_ERROR_INVALID_ARGUMENT ||
      end.status == PIT_ERROR_BAD_INDEX ||
      end.status == PIT_ERROR_CAPACITY_EXCEEDED)
    return true;
  verdict.isLast = end.status == PIT_ERROR_DEVICE;
  return fail(Outcome::RuntimeError, call.what + ": " + end.message);
}

bool CallChecker::checkResults(const Call &call, const CallEnd &end,
                               ArrayRef<Tensor> references) {
  for (auto [i, pair] :
       llvm::enumerate(llvm::zip_equal(references, end.results)))
    if (auto &[reference, result] = pair;
        !compareResult(i, reference, result, verdict)) {
      verdict.outcome = Outcome::Mismatch;
      verdict.message = call.what + ": " + verdict.message;
      return false;
    }
  return true;
}

bool CallChecker::check(const Call &call) {
  auto given = give(call);
  if (!given)
    return fail(Outcome::Invalid, llvm::toString(given.takeError()));
  FitResult fit = fits(*given);
  std::vector<Tensor> references;
  bool mayBeRefused = call.hasWrongData;
  if (fit.fit != Fit::No) {
    // What fits and is not there cannot be called.
    if (!given->isComplete || fit.mostElements > kMostElements) {
      ++coverage["call of more than there is, not made"];
      return true;
    }
    bool areElementsOutside = false;
    auto computed = interpret(marked, readArguments(*given, true),
                              options.maxPoints, &areElementsOutside);
    mayBeRefused |= areElementsOutside;
    if (computed) {
      references = std::move(*computed);
    } else {
      std::string why = llvm::toString(computed.takeError());
      if (!isMisfit(why)) {
        ++coverage["call without a reference, not made"];
        return true;
      }
      fit = {Fit::No, why};
    }
  }
  CallEnd end = callable.call(given->arguments);
  if (!end.damage.empty())
    return fail(Outcome::Damage, call.what + ": " + end.damage);
  // Lists of micro-tiles are as long as an extent, also beside one of 0.
  if (end.status == PIT_ERROR_OUT_OF_MEMORY && hasHugeExtent(*given)) {
    ++coverage["call of more memory than there is, refused"];
    return true;
  }
  if (end.status != PIT_OK) {
    if (!checkRefused(call, end))
      return false;
    if (fit.fit != Fit::No && !mayBeRefused)
      return fail(Outcome::RuntimeError,
                  call.what + ": refused, and fits: " + end.message);
    ++coverage[fit.fit == Fit::No ? "call that does not fit, refused"
                                  : "call with elements out of range, refused"];
    return true;
  }
  if (fit.fit == Fit::No)
    return fail(Outcome::Accepted,
                call.what + ": accepted, and does not fit: " + fit.why);
  ++coverage["call that fits, right"];
  return checkResults(call, end, references);
}

Verdict mlir::pit::fuzz::checkCalls(ModuleOp program, const RunOptions &options,
                                    Coverage &coverage) {
  Verdict verdict;
  auto end = [&](Outcome outcome, llvm::Error error) {
    verdict.outcome = outcome;
    verdict.message = llvm::toString(std::move(error));
    return verdict;
  };
  auto function = program.lookupSymbol<func::FuncOp>("main");
  if (!function || function.isDeclaration())
    return end(Outcome::Invalid,
               llvm::createStringError("there is no function 'main'"));
  auto calls = readCalls(function);
  if (!calls)
    return end(Outcome::Invalid, calls.takeError());
  OwningOpRef<ModuleOp> marked = materializeMarks(program);
  if (!marked)
    return end(Outcome::Invalid,
               llvm::createStringError("a mark cannot be read"));
  std::unique_ptr<::pit::run::CudaDevice> opened;
  ::pit::run::CudaDevice *device = options.device;
  if (!options.chip.empty() && !device) {
    opened = ::pit::run::CudaDevice::open(verdict.message);
    if (!opened)
      return end(Outcome::RuntimeError,
                 llvm::createStringError(verdict.message));
    device = opened.get();
  }
  // Before the options are removed.
  auto words = function->getAttrOfType<StringAttr>(kPipelineAttrName);
  bool hasEntryPoint =
      device || (words && words.getValue().contains("entry-points=true"));
  auto lowered = lower(program, options.chip, std::nullopt);
  if (!lowered) {
    end(Outcome::Diagnostic, lowered.takeError());
    if (!options.chip.empty() && !findLimit(verdict.message).empty())
      verdict.outcome = Outcome::Refused;
    return verdict;
  }
  // Modules that were loaded on the device go with the context.
  pit_context *context = nullptr;
  if (int32_t status = pit_context_create(&context))
    return end(Outcome::RuntimeError,
               llvm::createStringError(pit_status_string(status)));
  pit_context *outer = pit_context_make_current(context);
  llvm::scope_exit leave([&] {
    pit_context_make_current(outer);
    pit_context_destroy(context);
  });
  auto callable =
      hasEntryPoint
          ? CallableProgram::createEntryPoint(**lowered, device,
                                              options.optLevel)
          : CallableProgram::createFunction(
                **lowered, function.getFunctionType(), options.optLevel);
  if (!callable)
    return end(Outcome::RuntimeError, callable.takeError());
  CallChecker checker(program, marked->lookupSymbol<func::FuncOp>("main"),
                      options, **callable, coverage, verdict);
  for (auto [number, call] : llvm::enumerate(*calls)) {
    verdict.call = int64_t(number);
    if (!checker.check(call))
      return verdict;
  }
  verdict.call = -1;
  return verdict;
}
