//===- PITPacked.h - Packed micro-tiles -------------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The op that packs micro-tiles. It is not in PIT.h, as few files need it.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITPACKED_H
#define PIT_DIALECT_PIT_IR_PITPACKED_H

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Selection/KernelCatalog.h"

#define GET_OP_CLASSES
#include "PIT/Dialect/PIT/IR/PITPackedOps.h.inc"

namespace mlir::pit {

/// A list has the entries of one strip along `kPackedPart` k. It is padded with
/// zeros to a multiple of this many entries.
inline constexpr int64_t kPackedMultiple = 32;
/// The length that stands for a list that was not written, because too much is
/// live. No list is that long.
inline constexpr int64_t kLeftUnpacked = int64_t(1) << 20;

/// Whether `pit.detect_packed_into` can pack the micro-tiles of `index`, whose
/// pattern is of values or of a mask of blocks.
bool canPackMicroTiles(PatternAttr pattern, SparseIndexType index);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_IR_PITPACKED_H
