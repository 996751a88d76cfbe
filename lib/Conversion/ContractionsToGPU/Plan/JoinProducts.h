//===- JoinProducts.h - Horizontal fusion of GEMMs with one A ---*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_JOINPRODUCTS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_JOINPRODUCTS_H

#include "Conversion/ContractionsToGPU/Match/Match.h"
#include "DeviceModel.h"

namespace mlir::pit::hopper {

/// Whether a product can be computed in one launch with others before it, which
/// then stands in its place: products of the same listed rows of one A that
/// only differ in the buffers of B, C and their epilogues' operands, as those
/// are that make queries, keys and values.
bool canJoin(ArrayRef<ContractionMatch> parts, const ContractionMatch &last,
             const DeviceModel &device);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_JOINPRODUCTS_H
