//===- PITDialect.h - The dialect and its attributes' names -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect without its ops, for code that only uses discardable attributes:
// `PITDialect::StatusAttrHelper::getNameStr()` is a name, and
// `PITDialect::DenseVariantAttrHelper(context).getAttr(op)` is typed access.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITDIALECT_H
#define PIT_DIALECT_PIT_IR_PITDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/Operation.h"

#include "PIT/Dialect/PIT/IR/PITDialect.h.inc"

#endif // PIT_DIALECT_PIT_IR_PITDIALECT_H
