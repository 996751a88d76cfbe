//===- KernelSignature.h - A kernel's parameters, listed once ---*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel and its launch must agree on the order and the types of parameters,
// which hang on what the kernel does. The list is made in one place; the kernel
// reads its arguments by name, and the launch binds values to the same names
// (GPU/Host/LaunchArguments.h). Parts of a kernel that have parameters of their
// own, as variants do, put a prefix in front of their names: "dense.baseA".
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_KERNEL_KERNELSIGNATURE_H
#define PIT_LIB_GPU_KERNEL_KERNELSIGNATURE_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::pit {

struct KernelParameter {
  /// How the launch has it: a buffer of rank 0, of which the kernel gets the
  /// address; a tensor map, passed by value; or an integer.
  enum class Kind { Pointer, TensorMap, Integer };

  std::string name;
  Kind kind;
  Type type;
  DictionaryAttr attributes;
};

class KernelSignature {
public:
  explicit KernelSignature(MLIRContext *context) : context(context) {}

  void addPointer(const Twine &name);
  void addTensorMap(const Twine &name);
  void addInteger(const Twine &name, unsigned width = 32);

  ArrayRef<KernelParameter> getParameters() const { return parameters; }
  /// The parameter's position, or nothing if the kernel takes none of the name.
  std::optional<size_t> find(const Twine &name) const;
  bool has(const Twine &name) const { return find(name).has_value(); }
  /// All names, for diagnostics.
  std::string listNames() const;

  /// Fails, with a diagnostic, if two parameters have one name.
  LogicalResult verify(Location loc, StringRef kernel) const;

private:
  void add(const Twine &name, KernelParameter::Kind kind, Type type,
           DictionaryAttr attributes);

  MLIRContext *context;
  std::vector<KernelParameter> parameters;
  llvm::StringMap<size_t> positions;
  SmallVector<std::string> repeated;
};

/// The kernel's side: its function's arguments, each of which is read once.
class ParameterReader {
public:
  ParameterReader(const KernelSignature &signature, LLVM::LLVMFuncOp kernel);

  /// The argument of that name; null, with a diagnostic, if there is none.
  Value read(const Twine &name);
  /// Fails, with diagnostics, if something was read that there is not, was read
  /// twice, or never.
  LogicalResult finish();

private:
  const KernelSignature &signature;
  LLVM::LLVMFuncOp kernel;
  llvm::BitVector taken;
  bool isWrong = false;
};

} // namespace mlir::pit

#endif // PIT_LIB_GPU_KERNEL_KERNELSIGNATURE_H
