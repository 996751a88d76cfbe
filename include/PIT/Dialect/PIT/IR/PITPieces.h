//===- PITPieces.h - Tensors that arrive in pieces --------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The op for what other ranks write. It is not in PIT.h, as few files need it.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITPIECES_H
#define PIT_DIALECT_PIT_IR_PITPIECES_H

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "PIT/Dialect/PIT/IR/PITPiecesOps.h.inc"

#endif // PIT_DIALECT_PIT_IR_PITPIECES_H
