//===- PITBitmap.h - Indexes as bits ----------------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bitmap ops of the pit dialect. They are not in PIT.h, as few files need
// them.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITBITMAP_H
#define PIT_DIALECT_PIT_IR_PITBITMAP_H

#include "PIT/Dialect/PIT/IR/PIT.h"

#define GET_OP_CLASSES
#include "PIT/Dialect/PIT/IR/PITBitmapOps.h.inc"

#endif // PIT_DIALECT_PIT_IR_PITBITMAP_H
