//===- PITThreads.h - Ranges that several threads compute -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that loops for the CPU are made of and the runtime's pool of threads
// runs. They are not in PIT.h, as few files need them.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITTHREADS_H
#define PIT_DIALECT_PIT_IR_PITTHREADS_H

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "PIT/Dialect/PIT/IR/PITThreadOps.h.inc"

#endif // PIT_DIALECT_PIT_IR_PITTHREADS_H
