//===- Program.h - A program as its hosts see it ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The description of a compiled program. It is read from kernels and the
// functions that launch them, or from code with entry points. The table in the
// object code, the C header and the manifest are written from it.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TARGET_RUNTIME_PROGRAM_H
#define PIT_TARGET_RUNTIME_PROGRAM_H

#include "PIT/Dialect/PIT/IR/PITDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::pit {

/// An attribute of `pit_NAME`: `{name = "NAME", type = (arguments) ->
/// results}`, with buffers for tensors.
inline constexpr llvm::StringLiteral kEntryAttrName =
    PITDialect::EntryAttrHelper::getNameStr();
/// An attribute of the module: `{target = "cuda", chip = "sm_90a"}`.
inline constexpr llvm::StringLiteral kProgramAttrName =
    PITDialect::ProgramAttrHelper::getNameStr();

/// The version of the manifest's schema "pit-manifest". It changes if readers
/// of the previous version would misread a manifest. New fields alone do not
/// change it. Version 1 had kernels only; entry points had a schema of their
/// own.
inline constexpr int64_t kManifestVersion = 2;

struct ProgramValue {
  Type element;
  bool isTensor = false;
  /// Extents; -1 if known only at run time.
  SmallVector<int64_t> shape;
  /// In a program of kernels: the buffer and the offset where the value lies,
  /// or the expression of a scalar result.
  llvm::json::Object place;
};

struct ProgramFunction {
  std::string name;
  SmallVector<ProgramValue> arguments, results;
  /// In a program of kernels: buffers and launches.
  llvm::json::Object host;

  std::string getCallName() const { return "pit_" + name; }
  std::string getShapesName() const { return "pit_" + name + "_shapes"; }
  /// What XLA calls, see docs/RuntimeABI.md.
  std::string getHandlerName() const { return "pit_" + name + "_xla"; }
  /// The number of extents that `pit_NAME_shapes` stores.
  int64_t getNumExtents() const;
};

/// Kernels that are launched by code outside of PIT.
struct KernelImage {
  /// The symbol of the gpu.binary.
  std::string module;
  /// The PTX version.
  std::string features;
  llvm::json::Array kernels;
};

struct ProgramInfo {
  /// "cpu" or "cuda".
  std::string target;
  std::string chip;
  /// Set in a program of kernels. Other programs have entry points.
  std::optional<KernelImage> image;
  std::vector<ProgramFunction> functions;
  /// The attribute `pit.phases` of a program for several ranks, or empty.
  std::string phases;
};

/// Describes a value of `type`, which must be a type of the ABI.
ProgramValue describeValue(Type type);

/// The name of an element type as pit_dtype_name() spells it; index is i64.
/// Empty for other types.
std::string getDTypeName(Type type);

/// The runtime's code for an element type; 0 if it has none.
int32_t getRuntimeDType(Type type);

/// The C type of a scalar argument, and of the object to which a scalar result
/// is stored. Empty for types that are not in the ABI.
StringRef getScalarInC(Type type);

/// Whether a scalar is passed as an integer with the same bits, because C has
/// no type for it.
bool isPassedByBits(Type type);

/// All names of element types, for diagnostics.
std::string listDTypeNames();

/// getRuntimeDType() for elements of tensor maps, which may also be tf32.
int32_t getTensorMapDType(Type type);

/// Makes the named functions entry points, or all public ones if `names` is
/// empty. Other functions become private. Tensor arguments of entry points
/// become read-only unless an attribute says that they may be written. Reports
/// unknown names, and modules without entry points.
LogicalResult selectEntryPoints(ModuleOp program, ArrayRef<std::string> names);

/// Reads the attributes that `--pit-emit-program-table` left. Reports a module
/// without them.
FailureOr<ProgramInfo> readProgram(ModuleOp lowered);

/// Reads kernels in a gpu.binary (or a gpu.module in the LLVM dialect) and the
/// functions that launch them. Reports launches that cannot be described.
FailureOr<ProgramInfo> readKernelProgram(ModuleOp module);

/// Writes a C header that declares the entry points; `name` is the file's, for
/// its include guard. Fails for functions whose name is no C identifier.
LogicalResult writeProgramHeader(const ProgramInfo &program, StringRef name,
                                 Location loc, llvm::raw_ostream &out);

/// Lets code for the CPU in the LLVM dialect take its buffers from the runtime
/// (`pit_rt_allocate`), which keeps them for the next call. LLVM knows nothing
/// of these functions: of `malloc` it may make another function.
LogicalResult takeMemoryFromRuntime(ModuleOp lowered);

/// Writes the manifest, as JSON.
void writeManifest(const ProgramInfo &program, llvm::raw_ostream &out);

/// Registers `--pit-to-header` and `--pit-to-manifest` with the translation
/// tool; `more` as in `registerPTXTranslations`.
void registerProgramTranslations(
    const std::function<void(DialectRegistry &)> &more = nullptr);

} // namespace mlir::pit

#endif // PIT_TARGET_RUNTIME_PROGRAM_H
