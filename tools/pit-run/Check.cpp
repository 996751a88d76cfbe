//===- Check.cpp - Comparison with the dense program ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Compile.h"
#include "Elements.h"
#include "Jit.h"
#include "PassProgress.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Format.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::pit::run;
using namespace ::pit::run;
using ::pit::npy::Array;
using ::pit::tools::Progress;

/// Compiles the dense reference and runs it once. `kind` is what is said of it
/// when that takes long.
static llvm::Expected<std::vector<Array>>
runDense(ModuleOp program, StringRef entry, FunctionType signature,
         const CompileOptions &options, const std::vector<Array> &inputs,
         Progress &progress, const std::string &kind) {
  CompileOptions watched = options;
  watched.prepare = [&](PassManager &passes) {
    mlir::pit::PassProgress::watch(passes, progress,
                                   "compiling the dense reference" + kind);
  };
  OwningOpRef<ModuleOp> lowered = compile(program, entry, watched);
  if (!lowered)
    return llvm::createStringError("the dense reference does not compile");
  auto dense = Program::create(*lowered, entry, signature, options.optLevel);
  if (!dense)
    return dense.takeError();
  std::vector<Array> results;
  std::string error;
  progress.begin("running the dense reference" + kind);
  if (!(*dense)->run(inputs, results, error))
    return llvm::createStringError(error);
  progress.begin("comparing with the dense reference" + kind);
  return results;
}

/// Runs the dense reference with every float in f64. Nothing comes back for
/// programs that cannot be converted.
static std::optional<std::vector<Array>>
runDouble(ModuleOp program, StringRef entry, FunctionType signature,
          const std::vector<Array> &inputs, Progress &progress,
          unsigned optLevel) {
  auto widen = [](Type type) -> Type {
    Type element = getElementTypeOrSelf(type);
    if (!isa<FloatType>(element))
      return type;
    Type wide = Float64Type::get(type.getContext());
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      return tensor.clone(wide);
    return wide;
  };
  SmallVector<Type> inputTypes(llvm::map_range(signature.getInputs(), widen));
  SmallVector<Type> resultTypes(llvm::map_range(signature.getResults(), widen));
  auto wideSignature =
      FunctionType::get(program.getContext(), inputTypes, resultTypes);

  std::vector<Array> wideInputs(inputs.size());
  for (auto [from, to] : llvm::zip_equal(inputs, wideInputs)) {
    std::string error;
    pit_dtype dtype = isFloat(from.dtype) ? PIT_DTYPE_F64 : from.dtype;
    if (!to.allocate(dtype, from.shape, error))
      return std::nullopt;
    if (dtype == from.dtype) {
      std::memcpy(to.data.data(), from.data.data(), from.data.size());
      continue;
    }
    for (int64_t i = 0, e = from.numElements(); i < e; ++i)
      store(dtype, to.data.data(), i, load(from.dtype, from.data.data(), i));
  }

  ScopedDiagnosticHandler quiet(program.getContext(),
                                [](Diagnostic &) { return success(); });
  CompileOptions options;
  options.dense = true;
  options.doublePrecision = true;
  options.optLevel = optLevel;
  auto results = runDense(program, entry, wideSignature, options, wideInputs,
                          progress, " in f64");
  if (!results) {
    llvm::consumeError(results.takeError());
    return std::nullopt;
  }
  return std::move(*results);
}

namespace {
/// One result of the program and its references.
struct Comparison {
  const Array &sparse, &dense;
  /// The dense result with other values for undef.
  SmallVector<const Array *> otherFills;
  /// The result in f64, or null.
  const Array *exact;

  bool isExempt(int64_t i) const {
    return llvm::any_of(otherFills, [&](const Array *other) {
      return !sameElement(dense.dtype, dense.data.data(), other->data.data(),
                          i);
    });
  }
  double at(const Array &array, int64_t i) const {
    return load(array.dtype, array.data.data(), i);
  }
};
} // namespace

/// Prints "[1, 2]" for the i-th element.
static void printIndex(llvm::raw_ostream &os, int64_t i,
                       ArrayRef<int64_t> shape) {
  SmallVector<int64_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0; i /= shape[d])
    index[d] = i % shape[d];
  os << "[";
  llvm::interleaveComma(index, os);
  os << "]";
}

/// The dense program's largest error where it is known.
static double ownError(const Comparison &c) {
  double largest = 0;
  for (int64_t i = 0, e = c.dense.numElements(); i < e; ++i) {
    double error = std::fabs(c.at(c.dense, i) - c.at(*c.exact, i));
    if (!c.isExempt(i) && std::isfinite(error))
      largest = std::max(largest, error);
  }
  return largest;
}

/// The error that f64 may have where nothing more exact tells the dense
/// program's own: that of some hundred roundings of the largest element, as
/// sums in another order have it.
static double untoldError(const Comparison &c) {
  constexpr double kRelative = 1e-13;
  if (c.dense.dtype != PIT_DTYPE_F64)
    return 0;
  double largest = 0;
  for (int64_t i = 0, e = c.dense.numElements(); i < e; ++i)
    if (double value = std::fabs(c.at(c.dense, i)); std::isfinite(value))
      largest = std::max(largest, value);
  return kRelative * largest;
}

static bool compare(const Comparison &c, size_t number,
                    std::optional<double> tolerance, llvm::raw_ostream &os,
                    StringRef what) {
  os << "check: " << what << "result " << number << ": ";
  if (c.sparse.shape != c.dense.shape) {
    os << "MISMATCH: the shapes differ\n";
    return false;
  }
  int64_t elements = c.dense.numElements(), exempt = 0, differ = 0;
  for (int64_t i = 0; i < elements; ++i) {
    if (c.isExempt(i))
      ++exempt;
    else if (!sameElement(c.dense.dtype, c.sparse.data.data(),
                          c.dense.data.data(), i))
      ++differ;
  }
  auto printCounts = [&] {
    os << " (" << elements << " elements";
    if (exempt)
      os << ", " << exempt << " of them undef";
    os << ")\n";
  };
  if (differ == 0) {
    os << "bit-identical";
    printCounts();
    return true;
  }

  bool floats = isFloat(c.dense.dtype);
  double own = floats && !tolerance && c.exact ? ownError(c) : 0;
  double untold = tolerance ? 0 : untoldError(c);
  double largest = 0;
  int64_t bad = 0, firstBad = -1;
  double firstAllowed = 0;
  for (int64_t i = 0; i < elements; ++i) {
    if (c.isExempt(i) || sameElement(c.dense.dtype, c.sparse.data.data(),
                                     c.dense.data.data(), i))
      continue;
    double sparse = c.at(c.sparse, i), dense = c.at(c.dense, i);
    double reference = dense, allowed = 0;
    if (tolerance) {
      allowed = *tolerance * std::max(1.0, std::fabs(dense));
    } else if (c.exact) {
      reference = c.at(*c.exact, i);
      allowed = std::max(2 * own + ulp(c.dense.dtype, reference), untold);
    }
    double error = std::fabs(sparse - reference);
    // Written so that a NaN on one side is bad.
    if (floats && std::isfinite(dense) && error <= allowed) {
      largest = std::max(largest, error);
      continue;
    }
    if (bad++ == 0) {
      firstBad = i;
      firstAllowed = allowed;
    }
  }
  if (bad == 0) {
    os << "agrees: " << differ << " elements differ, largest error "
       << llvm::format("%.3g", largest);
    if (tolerance)
      os << " at tolerance " << llvm::format("%.3g", *tolerance);
    else
      os << ", the dense program's own is " << llvm::format("%.3g", own);
    printCounts();
    return true;
  }
  os << "MISMATCH: " << bad << " of " << elements << " elements, first at ";
  printIndex(os, firstBad, c.dense.shape);
  os << ": sparse " << llvm::format("%.9g", c.at(c.sparse, firstBad))
     << ", dense " << llvm::format("%.9g", c.at(c.dense, firstBad));
  if (c.exact && floats)
    os << ", in f64 " << llvm::format("%.9g", c.at(*c.exact, firstBad));
  if (floats)
    os << ", allowed error " << llvm::format("%.3g", firstAllowed);
  os << "\n";
  return false;
}

llvm::Expected<bool>
mlir::pit::run::check(ModuleOp program, StringRef entry, FunctionType signature,
                      const std::vector<Array> &inputs,
                      const std::vector<Array> &results,
                      std::optional<double> tolerance, llvm::raw_ostream &os,
                      Progress &progress, StringRef what, unsigned optLevel) {
  CompileOptions options;
  options.dense = true;
  options.optLevel = optLevel;
  auto dense =
      runDense(program, entry, signature, options, inputs, progress, "");
  if (!dense)
    return dense.takeError();

  std::vector<std::vector<Array>> otherFills;
  std::optional<std::vector<Array>> exact;
  // Two fills may give the same by accident, or because one side of a maximum
  // decides; large ones of both signs and NaN hardly do.
  const double kOtherFills[] = {1.5, -0.375, 3e4, -3e4,
                                std::numeric_limits<double>::quiet_NaN()};
  constexpr size_t kFirstNaN = 4;
  // A NaN that reaches every element of a result, be it times 0, says nothing.
  SmallVector<bool> ignoresNaN(results.size(), false);
  auto compareResult = [&](size_t r) {
    Comparison c{results[r], (*dense)[r], {}, nullptr};
    for (auto [k, other] : llvm::enumerate(otherFills))
      if (k < kFirstNaN || !ignoresNaN[r])
        c.otherFills.push_back(&other[r]);
    // A shape that depends on values may come out otherwise in f64.
    if (exact && (*exact)[r].shape == (*dense)[r].shape)
      c.exact = &(*exact)[r];
    return c;
  };
  auto isExempt = [&](size_t r) {
    Comparison c = compareResult(r);
    return llvm::all_of(llvm::seq<int64_t>(0, c.dense.numElements()),
                        [&](int64_t i) { return c.isExempt(i); });
  };
  auto isIdentical = [&](size_t r) {
    Comparison c = compareResult(r);
    if (c.sparse.shape != c.dense.shape)
      return false;
    for (int64_t i = 0, e = c.dense.numElements(); i < e; ++i)
      if (!c.isExempt(i) && !sameElement(c.dense.dtype, c.sparse.data.data(),
                                         c.dense.data.data(), i))
        return false;
    return true;
  };
  auto all = llvm::seq<size_t>(0, results.size());
  // The f64 run costs as much as the check itself: only when it is needed.
  bool floats = llvm::any_of(
      *dense, [](const Array &array) { return isFloat(array.dtype); });
  bool needsExact = floats && !tolerance;
  auto agree = [&] {
    if (llvm::all_of(all, isIdentical))
      return true;
    if (needsExact)
      exact = runDouble(program, entry, signature, inputs, progress, optLevel);
    needsExact = false;
    return llvm::all_of(all, [&](size_t r) {
      return compare(compareResult(r), r, tolerance, llvm::nulls(), what);
    });
  };
  for (double fill : kOtherFills) {
    if (!hasUndef(program) || (!otherFills.empty() && agree()))
      break;
    SmallVector<bool> wereExempt(llvm::map_range(all, isExempt));
    options.undefFill = fill;
    options.undefNaN = true;
    auto other = runDense(program, entry, signature, options, inputs, progress,
                          " with other values for undef");
    if (!other)
      return other.takeError();
    otherFills.push_back(std::move(*other));
    if (otherFills.size() > kFirstNaN)
      for (size_t r : all)
        ignoresNaN[r] = !wereExempt[r] && isExempt(r);
  }
  if (!agree() && floats && !tolerance && !exact)
    os << "check: the program cannot be computed in f64, so results must be "
          "equal; --tolerance sets another limit\n";

  bool agrees = true;
  for (size_t r : all)
    agrees &= compare(compareResult(r), r, tolerance, os, what);
  return agrees;
}
