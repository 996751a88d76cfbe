//===- GPUOptions.h - What pipelines for GPUs share -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_PIPELINES_GPUOPTIONS_H
#define PIT_PIPELINES_GPUOPTIONS_H

#include "PIT/Conversion/Passes.h"
#include "PIT/GPU/ChipModel.h"
#include "PIT/Pipelines/Pipelines.h"

namespace mlir::pit {

/// The chip that is named. An unknown one is as one without anything here; the
/// first pass that is given its name says so before any pass runs.
inline const ChipModel &getChip(const PITToPTXOptions &options) {
  static const ChipModel unknown{};
  const ChipModel *chip = ChipTable::get().find(options.chip);
  return chip ? *chip : unknown;
}

/// The pass runs twice, on tensors and on buffers.
inline PITFormKernelsOptions getFormOptions(const PITToPTXOptions &options) {
  PITFormKernelsOptions form;
  form.chip = options.chip;
  form.f32Products = options.f32Products;
  return form;
}

} // namespace mlir::pit

#endif // PIT_PIPELINES_GPUOPTIONS_H
