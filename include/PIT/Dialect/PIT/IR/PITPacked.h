//===- PITPacked.h - Packed micro-tiles -------------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pit dialect's op that packs micro-tiles, apart from PIT.h as few files
// need it.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITPACKED_H
#define PIT_DIALECT_PIT_IR_PITPACKED_H

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Selection/KernelCatalog.h"

#define GET_OP_CLASSES
#include "PIT/Dialect/PIT/IR/PITPackedOps.h.inc"

namespace mlir::pit {

/// To which multiple the entries of a list, those of `kPackedPart` k of a
/// strip, are filled up with zeros.
inline constexpr int64_t kPackedMultiple = 32;
/// The length that lists are said to have which were not written, as too much
/// is live; no list is as long.
inline constexpr int64_t kLeftUnpacked = int64_t(1) << 20;

/// Whether `pit.detect_packed_into` takes such micro-tiles, of values or of a
/// mask of blocks.
bool canPackMicroTiles(PatternAttr pattern, SparseIndexType index);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_IR_PITPACKED_H
