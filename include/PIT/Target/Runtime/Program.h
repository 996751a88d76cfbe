//===- Program.h - A program as its hosts see it ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One description of a program, read from its kernels and the functions that
// launch them, or from the code with entry points. The table in the object
// code, the C header and the manifest are made from it.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TARGET_RUNTIME_PROGRAM_H
#define PIT_TARGET_RUNTIME_PROGRAM_H

#include "PIT/Dialect/PIT/IR/PITDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::pit {

/// On `pit_NAME`: `{name = "NAME", type = (arguments) -> results}`, with
/// buffers for tensors.
inline constexpr llvm::StringLiteral kEntryAttrName =
    PITDialect::EntryAttrHelper::getNameStr();
/// On the module: `{target = "cuda", chip = "sm_90a"}`.
inline constexpr llvm::StringLiteral kProgramAttrName =
    PITDialect::ProgramAttrHelper::getNameStr();

/// The version of the manifest's schema "pit-manifest". It changes when a
/// reader of the previous one would go wrong; new fields alone do not change
/// it. Version 1 was of kernels only, entry points had a schema of their own.
inline constexpr int64_t kManifestVersion = 2;

struct ProgramValue {
  Type element;
  bool isTensor = false;
  /// -1 for what is only known at run time.
  SmallVector<int64_t> shape;
  /// In a program of kernels: the buffer that it lies in, and where, or a
  /// scalar result's expression.
  llvm::json::Object place;
};

struct ProgramFunction {
  std::string name;
  SmallVector<ProgramValue> arguments, results;
  /// In a program of kernels: buffers and launches.
  llvm::json::Object host;

  std::string getCallName() const { return "pit_" + name; }
  std::string getShapesName() const { return "pit_" + name + "_shapes"; }
  /// How many extents `pit_NAME_shapes` stores.
  int64_t getNumExtents() const;
};

/// Kernels that others launch.
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
  /// In a program of kernels; others have entry points.
  std::optional<KernelImage> image;
  std::vector<ProgramFunction> functions;
};

/// Describes a value of a type that the ABI has.
ProgramValue describeValue(Type type);

/// The name of an element type as pit_dtype_name() spells it; index is i64.
/// Empty for other types.
std::string getDTypeName(Type type);

/// The runtime's number of an element type, 0 for types that it does not have.
int32_t getRuntimeDType(Type type);

/// How C spells the type of a scalar that is passed, and of what a scalar
/// result is stored to; empty for types that the ABI does not have.
StringRef getScalarInC(Type type);

/// Whether C has no type for a scalar, so that it goes as an integer with the
/// same bits.
bool isPassedByBits(Type type);

/// All names, for diagnostics.
std::string listDTypeNames();

/// getRuntimeDType() for elements of tensor maps, which may also become tf32.
int32_t getTensorMapDType(Type type);

/// Keeps the named functions (all public ones where there are no names) as
/// entry points: the others become private, and tensor arguments are not
/// written to unless they say so. Reports names that are not there, and
/// modules without any.
LogicalResult selectEntryPoints(ModuleOp program, ArrayRef<std::string> names);

/// Reads what `--pit-emit-program-table` left. Reports a module without.
FailureOr<ProgramInfo> readProgram(ModuleOp lowered);

/// Reads kernels in a gpu.binary (or a gpu.module in the LLVM dialect) and the
/// functions that launch them. Reports what cannot be described.
FailureOr<ProgramInfo> readKernelProgram(ModuleOp module);

/// Writes a C header that declares the entry points; `name` is the file's, for
/// its include guard. Fails for functions whose name is no C identifier.
LogicalResult writeProgramHeader(const ProgramInfo &program, StringRef name,
                                 Location loc, llvm::raw_ostream &out);

/// Writes what is known of the program as JSON.
void writeManifest(const ProgramInfo &program, llvm::raw_ostream &out);

/// Registers `--pit-to-header` and `--pit-to-manifest` with the translation
/// tool.
void registerProgramTranslations();

} // namespace mlir::pit

#endif // PIT_TARGET_RUNTIME_PROGRAM_H
