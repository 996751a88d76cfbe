//===- Manifest.h - What a host needs to launch kernels ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TARGET_PTX_MANIFEST_H
#define PIT_TARGET_PTX_MANIFEST_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::pit {

/// The version of the manifest's schema. It changes when a reader of the
/// previous one would go wrong; new fields alone do not change it.
inline constexpr int64_t kManifestVersion = 1;

/// Writes the manifest of a module whose kernels are in a gpu.binary (or a
/// gpu.module in the LLVM dialect): kernels, entry points, buffers, launches.
LogicalResult writeManifest(ModuleOp module, llvm::raw_ostream &out);

/// Writes the PTX text of the module's gpu.binary or gpu.module ops.
LogicalResult writePTX(Operation *module, llvm::raw_ostream &out);

/// Registers `--pit-to-ptx` and `--pit-to-manifest` with the translation tool.
void registerPTXTranslations();

} // namespace mlir::pit

#endif // PIT_TARGET_PTX_MANIFEST_H
