//===- DescribeKernel.h - The kernel that computes a match ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_DESCRIBEKERNEL_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_DESCRIBEKERNEL_H

#include "ContractionKernel.h"
#include "Conversion/ContractionsToGPU/Match/Match.h"
#include "DeviceModel.h"

namespace mlir::pit::hopper {

/// The member of the kernel family that computes the match, or so many matches
/// of one A that only differ in buffers.
ContractionKernel describeKernel(const ContractionMatch &match,
                                 const DeviceModel &device, int64_t parts = 1);

/// The kernel of the match with nothing skipped.
std::shared_ptr<ContractionKernel> describeDense(const ContractionMatch &match);

/// The match with nothing skipped, operands as they were written.
ContractionMatch withNothingSkipped(const ContractionMatch &match);

/// The extents of a match, of which dynamic ones are guessed.
ProductShape guessShape(const ContractionMatch &match);

/// Whether the main loop can do without a warpgroup that only loads: for
/// products of whole matrices.
bool canLoadBesideProducts(const ContractionKernel &kernel);

/// Whether a variant with nothing skipped may pay. Of few rows, reading B takes
/// all the time, and less of it is not slower; few tiles would leave most
/// blocks without work.
bool hasManyTiles(const ContractionMatch &match, const ContractionKernel &dense,
                  const DeviceModel &device);

/// Whether boxes of a masked operand's micro-tiles make up its tiles: in rows
/// along k as they are, in panels only if they have whole ones.
bool canMask(const ContractionKernel &dense);

/// The windows that are rows of A, if any.
KernelWindows describeWindows(const ContractionMatch &match);

/// What every kernel knows of a match's lists and segments.
KernelLists describeLists(const ContractionMatch &match);

/// A kernel of the match's operands and what stands behind it.
ContractionKernel describeOperands(const ContractionMatch &match);

/// Sets what a kernel has to know of a match's lists and segments.
void setLists(const ContractionMatch &match, ContractionKernel &kernel);

/// Sets what a kernel with nothing skipped takes for zero.
void setMask(const ContractionMatch &match, PlanMask mask,
             ContractionKernel &kernel);

/// Sets as many stages as fit into so many bytes of shared memory.
void chooseStages(ContractionKernel &kernel, int64_t mostBytes);

/// Takes stages away that a block has no room for, as far as two remain.
void limitStages(const DeviceModel &device, ContractionKernel &kernel);

/// Sets whether extents end inside of the kernel's tiles.
void setTails(const ContractionMatch &match, ContractionKernel &kernel);

/// Sets, for a product with nothing listed, the tiles and how many blocks share
/// one, so that the estimated time is least.
void chooseTiles(const ContractionMatch &match, const DeviceModel &device,
                 ContractionKernel &kernel);

/// The same for segments of rows, of which wide tiles may have `mostRows` rows.
/// False, with nothing set, where nothing was measured.
bool chooseTilesOfSegments(const ContractionMatch &match,
                           const DeviceModel &device, int64_t mostRows,
                           ContractionKernel &kernel);

/// Adds, for listed rows whose number the device knows, variants of the kernel
/// with smaller tiles.
void chooseTilesOfFewRows(const ContractionMatch &match,
                          const DeviceModel &device, ContractionKernel &kernel);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_DESCRIBEKERNEL_H
