//===- Loaders.h - Loaders: TMA, gathers, masks -----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_LOADERS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_LOADERS_H

#include "Conversion/ContractionsToGPU/Wgmma/KernelState.h"
#include "GPU/Pipeline/Loader.h"

#include <memory>

namespace mlir::pit::hopper {

/// Both operands by the copy engine, issued by one thread.
std::unique_ptr<Loader> createTensorMapLoader(const ContractionKernel &kernel,
                                              const KernelState &state);

/// The same, with what is dead of the operand that is masked as zeros.
std::unique_ptr<Loader> createMaskedLoader(const ContractionKernel &kernel,
                                           const KernelState &state);

/// Windows of a tensor as rows of A, and a matrix B for each place in them, by
/// the copy engine.
std::unique_ptr<Loader> createWindowLoader(const ContractionKernel &kernel,
                                           const KernelState &state);

/// Rows of A through a list of row numbers, 16 bytes per thread and copy, put
/// where the copy engine would have put them; B by the copy engine. One barrier
/// counts both.
std::unique_ptr<Loader> createRowGatherLoader(const ContractionKernel &kernel,
                                              const KernelState &state);

/// Both operands through a list of k, of which every tile takes all: rows of
/// both, 16 bytes per thread and copy, put into panels as the copy engine would
/// have put them. What is behind the end of the list becomes zero. A sum over
/// nothing is one stage of zeros.
std::unique_ptr<Loader> createKGatherLoader(const ContractionKernel &kernel,
                                            const KernelState &state);

/// The same of the tile's segment of k. What lies packed is copied by the copy
/// engine in all steps but those in which a segment ends.
std::unique_ptr<Loader> createRaggedKLoader(const ContractionKernel &kernel,
                                            const KernelState &state);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_LOADERS_H
