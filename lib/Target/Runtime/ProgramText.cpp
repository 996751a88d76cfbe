//===- ProgramText.cpp - Headers and manifests of programs ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Target/PTX/PTX.h"
#include "PIT/Target/Runtime/Program.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include "pit_runtime.h"

using namespace mlir;
using namespace mlir::pit;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// C
//===----------------------------------------------------------------------===//

static bool isIdentifier(StringRef name) {
  return !name.empty() && llvm::all_of(name, [](char c) {
    return llvm::isAlnum(c) || c == '_';
  });
}

/// "model-2.h" as PIT_MODEL_2_H.
static std::string makeGuard(StringRef name) {
  std::string guard = "PIT_";
  for (char c : name)
    guard += llvm::isAlnum(c) ? llvm::toUpper(c) : '_';
  return guard;
}

static std::string describe(const ProgramValue &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!value.isTensor) {
    os << getDTypeName(value.element);
    if (isPassedByBits(value.element))
      os << ", by its bits";
    return text;
  }
  os << getDTypeName(value.element) << " [";
  llvm::interleaveComma(value.shape, os, [&](int64_t extent) {
    if (extent < 0)
      os << "?";
    else
      os << extent;
  });
  os << "]";
  SmallVector<std::string> strides(value.shape.size(), "1");
  int64_t known = 1;
  for (size_t i = value.shape.size(); i-- > 1;) {
    known = known < 0 || value.shape[i] < 0 ? -1 : known * value.shape[i];
    strides[i - 1] = known < 0 ? "?" : std::to_string(known);
  }
  if (!strides.empty())
    os << ", strides [" << llvm::join(strides, ", ") << "]";
  return text;
}

static void writeFunction(const ProgramFunction &function, bool hasHandler,
                          llvm::raw_ostream &out) {
  SmallVector<std::string> arguments, results;
  out << "/*\n * " << function.name << "\n";
  for (auto [i, value] : llvm::enumerate(function.arguments)) {
    out << " *   arg" << i << "     " << describe(value) << "\n";
    arguments.push_back(
        (value.isTensor
             ? Twine("const pit_tensor *arg") + Twine(i)
             : Twine(getScalarInC(value.element)) + " arg" + Twine(i))
            .str());
  }
  int64_t first = 0;
  for (auto [i, value] : llvm::enumerate(function.results)) {
    out << " *   result" << i << "  " << describe(value);
    if (value.isTensor && !value.shape.empty()) {
      out << "; extents[" << first;
      if (value.shape.size() > 1)
        out << ".." << first + int64_t(value.shape.size()) - 1;
      out << "]";
    }
    out << "\n";
    first += int64_t(value.shape.size());
    results.push_back(
        (value.isTensor
             ? Twine("const pit_tensor *result") + Twine(i)
             : Twine(getScalarInC(value.element)) + " *result" + Twine(i))
            .str());
  }
  out << " */\n";
  std::string macro = StringRef(function.getCallName()).upper();
  out << "#define " << macro << "_NUM_EXTENTS " << function.getNumExtents()
      << "\n";
  auto list = [&](StringRef name, std::vector<std::string> parameters) {
    out << "int32_t " << name << "(";
    llvm::interleave(
        parameters, out, [&](const std::string &p) { out << "\n    " << p; },
        ",");
    out << ");\n";
  };
  std::vector<std::string> parameters{"pit_context *context"};
  llvm::append_range(parameters, arguments);
  parameters.insert(parameters.end(),
                    {"int64_t *extents", "int64_t *workspace_size"});
  list(function.getShapesName(), parameters);
  parameters = {"pit_context *context", "pit_stream stream"};
  llvm::append_range(parameters, arguments);
  llvm::append_range(parameters, results);
  parameters.insert(parameters.end(),
                    {"void *workspace", "int64_t workspace_size"});
  list(function.getCallName(), parameters);
  if (hasHandler)
    out << "void *" << function.getHandlerName() << "(void *frame);\n";
  out << "\n";
}

LogicalResult mlir::pit::writeProgramHeader(const ProgramInfo &program,
                                            StringRef name, Location loc,
                                            llvm::raw_ostream &out) {
  for (const ProgramFunction &function : program.functions)
    if (!isIdentifier(function.name))
      return emitError(loc, "the function '")
             << function.name
             << "' has no name for C, so no header can declare it";
  std::string guard = makeGuard(name);
  bool isCuda = program.target == "cuda";
  out << "/* Entry points of a program that PIT compiled for " << program.target
      << ", " << program.chip << ".\n *\n"
      << " * Tensors are row-major without gaps, in "
      << (isCuda ? "device memory on 16-byte boundaries"
                 : "host memory on boundaries of their elements")
      << ";\n"
      << " * strides may be NULL. Extents that are '?' are taken from the "
         "tensors. Results\n"
      << " * are allocated by the caller; `pit_NAME_shapes` stores their "
         "extents and the\n"
      << " * bytes of workspace. ";
  if (isCuda)
    out << "The workspace is device memory on a 256-byte boundary,\n"
        << " * or NULL for the runtime's own; the call launches on the stream "
           "and never\n"
        << " * waits for it, so errors of kernels are found by "
           "pit_cuda_check().\n";
  else
    out << "There is no stream and no workspace: pass NULL\n"
        << " * and 0. The call returns when the results are there.\n";
  out << " * Functions return a pit_status; pit_context_last_error() has the "
         "message.\n"
      << " * `pit_NAME_xla` is a handler of XLA's foreign function interface, "
         "as JAX calls it. */\n"
      << "#ifndef " << guard << "\n#define " << guard << "\n\n"
      << "#include \"pit_runtime.h\"\n\n"
      << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  for (const ProgramFunction &function : program.functions)
    // Another function may have the name.
    writeFunction(function,
                  llvm::none_of(program.functions,
                                [&](const ProgramFunction &other) {
                                  return other.getCallName() ==
                                         function.getHandlerName();
                                }),
                  out);
  out << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
  return success();
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Array describeAll(ArrayRef<ProgramValue> values) {
  json::Array list;
  for (const ProgramValue &value : values) {
    json::Object entry = value.place;
    entry["kind"] = value.isTensor ? "tensor" : "scalar";
    entry["dtype"] = getDTypeName(value.element);
    if (value.isTensor)
      entry["shape"] = json::Array(value.shape);
    list.push_back(std::move(entry));
  }
  return list;
}

void mlir::pit::writeManifest(const ProgramInfo &program,
                              llvm::raw_ostream &out) {
  json::Array functions;
  for (const ProgramFunction &function : program.functions) {
    json::Object entry = function.host;
    entry["name"] = function.name;
    entry["arguments"] = describeAll(function.arguments);
    entry["results"] = describeAll(function.results);
    if (!program.image) {
      entry["call"] = function.getCallName();
      entry["shapes"] = function.getShapesName();
    }
    functions.push_back(std::move(entry));
  }
  json::Object manifest{{"schema", "pit-manifest"},
                        {"version", kManifestVersion},
                        {"target", program.target},
                        {"chip", program.chip},
                        {"functions", std::move(functions)}};
  if (!program.phases.empty())
    if (llvm::Expected<json::Value> phases = json::parse(program.phases))
      manifest["phases"] = std::move(*phases);
    else
      llvm::consumeError(phases.takeError());
  if (program.image) {
    manifest["features"] = program.image->features;
    manifest["module"] = program.image->module;
    manifest["kernels"] = json::Array(program.image->kernels);
  } else {
    manifest["runtime_version"] =
        PIT_RUNTIME_VERSION_MAJOR * 1000 + PIT_RUNTIME_VERSION_MINOR;
    manifest["table"] = PIT_PROGRAM_SYMBOL;
  }
  out << llvm::formatv("{0:2}", json::Value(std::move(manifest))) << "\n";
}

//===----------------------------------------------------------------------===//
// Translations
//===----------------------------------------------------------------------===//

void mlir::pit::registerProgramTranslations(
    const std::function<void(DialectRegistry &)> &more) {
  auto readDialects = [more](DialectRegistry &registry) {
    registry.insert<DLTIDialect>();
    registerLaunchDialects(registry);
    if (more)
      more(registry);
  };
  TranslateFromMLIRRegistration header(
      "pit-to-header", "Write the C header of a compiled program",
      [](ModuleOp module, llvm::raw_ostream &out) -> LogicalResult {
        module.getContext()->printOpOnDiagnostic(false);
        FailureOr<ProgramInfo> program = readProgram(module);
        if (failed(program))
          return failure();
        return writeProgramHeader(*program, "program.h", module.getLoc(), out);
      },
      readDialects);
  TranslateFromMLIRRegistration manifest(
      "pit-to-manifest",
      "Write how a host launches a module's kernels, or calls a compiled "
      "program's entry points (JSON)",
      [](ModuleOp module, llvm::raw_ostream &out) -> LogicalResult {
        module.getContext()->printOpOnDiagnostic(false);
        FailureOr<ProgramInfo> program = module->hasAttr(kProgramAttrName)
                                             ? readProgram(module)
                                             : readKernelProgram(module);
        if (failed(program))
          return failure();
        writeManifest(*program, out);
        return success();
      },
      readDialects);
}
