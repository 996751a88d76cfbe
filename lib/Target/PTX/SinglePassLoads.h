//===- SinglePassLoads.h - Loads that no cache keeps ------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_TARGET_PTX_SINGLEPASSLOADS_H
#define PIT_LIB_TARGET_PTX_SINGLEPASSLOADS_H

namespace llvm {
class Module;
} // namespace llvm

namespace mlir::pit {

/// The first PTX version that can say so, 74 for 7.4.
inline constexpr unsigned kFirstPTXOfSinglePassLoads = 74;

/// Spells non-temporal loads of 16 bytes of the device's memory, which the back
/// end takes for any others, as loads that leave nothing in the cache of a
/// multiprocessor (`ld.global.L1::no_allocate`).
void spellOutSinglePassLoads(llvm::Module &module);

} // namespace mlir::pit

#endif // PIT_LIB_TARGET_PTX_SINGLEPASSLOADS_H
