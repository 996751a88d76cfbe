//===- PIT.h - The pit dialect: ops, types and attributes -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PIT_H
#define PIT_DIALECT_PIT_IR_PIT_H

#include "PIT/Dialect/PIT/IR/PITDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizationTypeInterfaces.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/SubsetOpInterface.h"

#include "PIT/Dialect/PIT/IR/PITEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "PIT/Dialect/PIT/IR/PITAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "PIT/Dialect/PIT/IR/PITTypes.h.inc"

#define GET_OP_CLASSES
#include "PIT/Dialect/PIT/IR/PITOps.h.inc"

#endif // PIT_DIALECT_PIT_IR_PIT_H
