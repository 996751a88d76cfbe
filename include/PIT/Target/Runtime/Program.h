//===- Program.h - What hosts are told of a program -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One description of a program's entry points, from which the table in its
// object code, its C header and its manifest are made.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TARGET_RUNTIME_PROGRAM_H
#define PIT_TARGET_RUNTIME_PROGRAM_H

#include "PIT/Dialect/PIT/IR/PITDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::pit {

/// On `pit_NAME`: `{name = "NAME", type = (arguments) -> results}`, with
/// buffers for tensors.
inline constexpr llvm::StringLiteral kEntryAttrName =
    PITDialect::EntryAttrHelper::getNameStr();
/// On the module: `{target = "cuda", chip = "sm_90a"}`.
inline constexpr llvm::StringLiteral kProgramAttrName =
    PITDialect::ProgramAttrHelper::getNameStr();

/// The version of the manifest's schema "pit-program". It changes when a reader
/// of the previous one would go wrong; new fields alone do not change it.
inline constexpr int64_t kProgramManifestVersion = 1;

struct ProgramValue {
  /// A number of pit_dtype.
  int32_t dtype;
  bool isTensor;
  /// -1 for what is only known at run time.
  SmallVector<int64_t> shape;
};

struct ProgramFunction {
  std::string name;
  SmallVector<ProgramValue> arguments, results;

  std::string getCallName() const { return "pit_" + name; }
  std::string getShapesName() const { return "pit_" + name + "_shapes"; }
  /// How many extents `pit_NAME_shapes` stores.
  int64_t getNumExtents() const;
};

struct ProgramInfo {
  /// "cpu" or "cuda".
  std::string target;
  std::string chip;
  std::vector<ProgramFunction> functions;
};

/// The runtime's number of an element type, 0 for types that it does not have.
int32_t getRuntimeDType(Type type);

/// The same for elements of tensor maps, which may also become tf32.
int32_t getTensorMapDType(Type type);

/// Keeps the named functions (all public ones where there are no names) as
/// entry points: the others become private, and tensor arguments are not
/// written to unless they say so. Reports names that are not there, and
/// modules without any.
LogicalResult selectEntryPoints(ModuleOp program, ArrayRef<std::string> names);

/// Reads what `--pit-emit-program-table` left. Reports a module without.
FailureOr<ProgramInfo> readProgram(ModuleOp lowered);

/// Writes a C header that declares the entry points; `name` is the file's, for
/// its include guard. Fails for functions whose name is no C identifier.
LogicalResult writeProgramHeader(const ProgramInfo &program, StringRef name,
                                 Location loc, llvm::raw_ostream &out);

/// Writes the same as JSON.
void writeProgramManifest(const ProgramInfo &program, llvm::raw_ostream &out);

/// Registers `--pit-to-header` and `--pit-to-program-manifest` with the
/// translation tool.
void registerProgramTranslations();

} // namespace mlir::pit

#endif // PIT_TARGET_RUNTIME_PROGRAM_H
