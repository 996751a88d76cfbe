//===- Launches.cpp - What a program launches, for reports ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launches.h"
#include "Elements.h"
#include "pit_runtime_times.h"

#include "PIT/Support/Remarks.h"
#include "PIT/Target/Runtime/Program.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Format.h"

#include <chrono>
#include <set>

using namespace mlir;
using namespace mlir::pit::run;
using ::pit::npy::Array;

//===----------------------------------------------------------------------===//
// Expressions of manifests
//===----------------------------------------------------------------------===//

/// The value of an expression for these inputs; null of floats and of what has
/// no value.
static std::optional<int64_t> evaluate(const llvm::json::Value &expression,
                                       const std::vector<Array> &inputs) {
  if (auto number = expression.getAsInteger())
    return *number;
  const llvm::json::Object *tree = expression.getAsObject();
  std::optional<StringRef> op = tree ? tree->getString("op") : std::nullopt;
  if (!op)
    return std::nullopt;
  if (*op == "dim" || *op == "argument") {
    auto argument = tree->getInteger("argument");
    if (!argument || uint64_t(*argument) >= inputs.size())
      return std::nullopt;
    const Array &input = inputs[size_t(*argument)];
    if (*op == "argument")
      return ::pit::run::isFloat(input.dtype)
                 ? std::nullopt
                 : std::optional<int64_t>(int64_t(
                       ::pit::run::load(input.dtype, input.data.data(), 0)));
    auto axis = tree->getInteger("axis");
    if (!axis || uint64_t(*axis) >= input.shape.size())
      return std::nullopt;
    return input.shape[size_t(*axis)];
  }
  SmallVector<int64_t, 3> values;
  if (const llvm::json::Array *operands = tree->getArray("args"))
    for (const llvm::json::Value &operand : *operands) {
      std::optional<int64_t> value = evaluate(operand, inputs);
      if (!value)
        return std::nullopt;
      values.push_back(*value);
    }
  if (*op == "select" && values.size() == 3)
    return values[0] ? values[1] : values[2];
  if (values.size() != 2)
    return std::nullopt;
  int64_t a = values[0], b = values[1];
  if (StringRef(*op).contains("div") || *op == "mod") {
    // Extents are not negative.
    if (b <= 0 || a < 0)
      return std::nullopt;
    return *op == "mod" ? a % b : *op == "ceildiv" ? (a + b - 1) / b : a / b;
  }
  return llvm::StringSwitch<std::optional<int64_t>>(*op)
      .Case("add", a + b)
      .Case("sub", a - b)
      .Case("mul", a * b)
      .Case("min", std::min(a, b))
      .Case("max", std::max(a, b))
      .Case("eq", a == b)
      .Case("ne", a != b)
      .Case("lt", a < b)
      .Case("le", a <= b)
      .Case("gt", a > b)
      .Case("ge", a >= b)
      .Default(std::nullopt);
}

static int64_t getElementBytes(StringRef dtype) {
  for (int32_t number = 1; pit_dtype_size(number); ++number)
    if (dtype == pit_dtype_name(number))
      return int64_t(pit_dtype_size(number));
  return 0;
}

static double countBytes(const llvm::json::Object &buffer,
                         const std::vector<Array> &inputs) {
  auto dtype = buffer.getString("dtype");
  double bytes = dtype ? double(getElementBytes(*dtype)) : 0;
  if (const llvm::json::Array *shape = buffer.getArray("shape"))
    for (const llvm::json::Value &extent : *shape)
      bytes *= double(evaluate(extent, inputs).value_or(0));
  return bytes;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static bool readSizes(const llvm::json::Object &launch, StringRef key,
                      const std::vector<Array> &inputs, int64_t (&sizes)[3]) {
  const llvm::json::Array *all = launch.getArray(key);
  if (!all || all->size() != 3)
    return false;
  for (size_t i = 0; i < 3; ++i) {
    std::optional<int64_t> size = evaluate((*all)[i], inputs);
    if (!size)
      return false;
    sizes[i] = *size;
  }
  return true;
}

static std::optional<Launch> readLaunch(const llvm::json::Object &described,
                                        const llvm::json::Array &buffers,
                                        const std::vector<Array> &inputs) {
  Launch launch;
  if (auto name = described.getString("kernel"))
    launch.kernel = name->str();
  const llvm::json::Value *shared = described.get("shared_dynamic");
  std::optional<int64_t> sharedBytes =
      shared ? evaluate(*shared, inputs) : std::nullopt;
  if (!readSizes(described, "grid", inputs, launch.grid) ||
      !readSizes(described, "block", inputs, launch.block) || !sharedBytes)
    return std::nullopt;
  launch.sharedBytes = *sharedBytes;
  std::set<int64_t> seen;
  if (const llvm::json::Array *arguments = described.getArray("arguments"))
    for (const llvm::json::Value &value : *arguments) {
      const llvm::json::Object *argument = value.getAsObject();
      if (const llvm::json::Object *map = argument->getObject("tensor_map"))
        argument = map;
      auto number = argument->getInteger("buffer");
      if (number && uint64_t(*number) < buffers.size() &&
          seen.insert(*number).second)
        if (const llvm::json::Object *buffer =
                buffers[size_t(*number)].getAsObject())
          launch.bytes += countBytes(*buffer, inputs);
    }
  return launch;
}

std::vector<Launch>
mlir::pit::run::readLaunches(ModuleOp kernels, StringRef entry,
                             const std::vector<Array> &inputs,
                             std::string &whyNot) {
  // What has no manifest runs all the same.
  ScopedDiagnosticHandler handler(kernels.getContext(), [&](Diagnostic &d) {
    if (d.getSeverity() == DiagnosticSeverity::Error && whyNot.empty())
      whyNot = d.str();
    return success();
  });
  auto function = kernels.lookupSymbol<func::FuncOp>(entry);
  FailureOr<ProgramInfo> program = readKernelProgram(kernels);
  if (failed(program) || !function)
    return {};
  auto described =
      llvm::find_if(program->functions, [&](const auto &candidate) {
        return candidate.name == entry;
      });
  if (described == program->functions.end())
    return {};
  SmallVector<std::string> places;
  function.walk([&](gpu::LaunchFuncOp op) {
    places.push_back(remarks::spell(op.getLoc()));
  });
  const llvm::json::Array *all = described->host.getArray("launches"),
                          *buffers = described->host.getArray("buffers");
  if (!all || !buffers || places.size() != all->size())
    return {};
  std::vector<Launch> launches;
  for (auto [place, value] : llvm::zip_equal(places, *all)) {
    std::optional<Launch> launch =
        readLaunch(*value.getAsObject(), *buffers, inputs);
    if (!launch) {
      whyNot = "a size of a launch is not known before it runs";
      return {};
    }
    launch->place = place;
    // The runtime leaves those out.
    if (launch->grid[0] && launch->grid[1] && launch->grid[2])
      launches.push_back(std::move(*launch));
  }
  return launches;
}

/// Several kernels may be of one place: their names say which is which.
static bool isOfFamily(StringRef kernel, StringRef family) {
  static constexpr struct {
    StringLiteral kernel, family;
  } kKinds[] = {
      {"_contraction_", "GEMM"},    {"_contraction_", "SpMM"},
      {"_contraction_", "SDDMM"},   {"_contraction_", "convolution"},
      {"_attention_", "attention"}, {"_sum_", "sums"},
      {"_numbers_", "numbers"},     {"_invert_", "inversion"},
      {"_detect_", "detection"},    {"_list_", "detection"},
      {"_rows_", "rows"},           {"_windows_", "windows"},
      {"_parts_", "reduction"},     {"_reduce_", "reduction"},
      {"_fill_", "fill"},
  };
  bool isNamed = false;
  for (auto [kind, word] : kKinds) {
    if (!kernel.contains(kind))
      continue;
    isNamed = true;
    if (family.contains(word))
      return true;
  }
  // What is left are loops of threads.
  return !isNamed && family.contains("thread");
}

void mlir::pit::run::addFamilies(std::vector<Launch> &launches,
                                 const Explanation &explanation) {
  for (Launch &launch : launches)
    for (StringRef family : explanation.getFamilies(launch.place))
      if (launch.family.empty() && isOfFamily(launch.kernel, family))
        launch.family = family.str();
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

bool mlir::pit::run::timeLaunches(std::vector<Launch> &launches,
                                  ::pit::run::Executable &program,
                                  const std::vector<Array> &inputs,
                                  pit_context *context, std::string &error) {
  constexpr int kRuns = 5;
  constexpr std::chrono::milliseconds kLongEnough(500);
  auto begin = std::chrono::steady_clock::now();
  double least = -1;
  bool isFine = true;
  for (int i = 0; i < kRuns && isFine; ++i) {
    std::vector<Array> results;
    pit_cuda_time_launches(context, 1);
    isFine = program.run(inputs, results, error);
    size_t count = 0;
    std::vector<pit_cuda_launch_time> times(launches.size());
    if (isFine &&
        ::pit::run::takeRuntimeError(
            pit_cuda_launch_times(context, times.data(), times.size(), &count),
            error))
      isFine = false;
    double all = 0;
    bool areSame = isFine && count == launches.size();
    for (size_t j = 0; areSame && j < count; ++j) {
      areSame = launches[j].kernel == times[j].kernel;
      all += times[j].milliseconds;
    }
    // Other work of the machine only adds to times.
    if (areSame && (least < 0 || all < least)) {
      least = all;
      for (auto [launch, time] : llvm::zip_equal(launches, times)) {
        launch.start = time.start_milliseconds;
        launch.time = time.milliseconds;
      }
    }
    if (std::chrono::steady_clock::now() - begin > kLongEnough)
      break;
  }
  pit_cuda_time_launches(context, 0);
  return isFine;
}

void mlir::pit::run::printLaunches(llvm::raw_ostream &os,
                                   const std::vector<Launch> &launches,
                                   size_t most,
                                   const ::pit::run::CudaDevice *device) {
  std::vector<const Launch *> timed;
  double sum = 0;
  for (const Launch &launch : launches)
    if (launch.time >= 0) {
      timed.push_back(&launch);
      sum += launch.time;
    }
  if (timed.empty() || !device)
    return;
  // Launches of the same time in their order, which is that of addresses.
  llvm::sort(timed, [](const Launch *a, const Launch *b) {
    return std::pair(-a->time, a) < std::pair(-b->time, b);
  });
  os << "report: " << timed.size() << " launches took "
     << llvm::format("%.3f", sum) << " ms on '" << device->getInfo().name
     << "', one after the other" << (timed.size() > most ? "; the longest" : "")
     << "\n";
  timed.resize(std::min(timed.size(), most));
  for (const Launch *launch : timed)
    os << "report:   " << llvm::format("%.3f", launch->time) << " ms  "
       << launch->kernel
       << (launch->family.empty() ? "" : ", " + launch->family) << ", at "
       << launch->place << "\n";
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

llvm::json::Array
mlir::pit::run::describeLaunches(const std::vector<Launch> &launches,
                                 const CardModel &card, F32Products f32) {
  llvm::json::Array array;
  for (const Launch &launch : launches) {
    std::optional<double> rate =
        launch.multiplied ? getProductRate(card, launch.multiplied, f32)
                          : std::nullopt;
    RooflineBound bound =
        getRooflineBound(card, launch.bytes, launch.flops, rate);
    llvm::json::Object entry{
        {"kernel", llvm::json::fixUTF8(launch.kernel)},
        {"place", llvm::json::fixUTF8(launch.place)},
        {"family", llvm::json::fixUTF8(launch.family)},
        {"grid", llvm::json::Array(launch.grid)},
        {"block", llvm::json::Array(launch.block)},
        {"shared_bytes", launch.sharedBytes},
        {"bytes", launch.bytes},
        {"bound_ms", bound.milliseconds},
        {"bound_by", bound.isOfProducts ? "products" : "memory"},
    };
    if (launch.flops > 0) {
      std::string type;
      llvm::raw_string_ostream(type) << launch.multiplied;
      entry["flops"] = launch.flops;
      entry["multiplies"] = type;
    }
    if (launch.time >= 0) {
      entry["start_ms"] = launch.start;
      entry["ms"] = launch.time;
    }
    array.push_back(std::move(entry));
  }
  return array;
}
