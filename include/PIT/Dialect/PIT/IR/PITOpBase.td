//===- PITOpBase.td - What operations of the dialect share -*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITOPBASE_TD
#define PIT_DIALECT_PIT_IR_PITOPBASE_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/SubsetOpInterface.td"
include "PIT/Dialect/PIT/IR/PITAttrs.td"
include "PIT/Dialect/PIT/IR/PITTypes.td"

def PIT_TensorOrBuffer : AnyTypeOf<[AnyRankedTensor, AnyStridedMemRef]>;

class PIT_Op<string mnemonic, list<Trait> traits = []> : Op<PIT_Dialect, mnemonic, traits>;

/// One-dimensional lists, as tensors and as buffers.
class PIT_ListOf<list<Type> elements>
    : AnyTypeOf<[TensorRankOf<elements, [1]>, MemRefRankOf<elements, [1]>]>;

#endif // PIT_DIALECT_PIT_IR_PITOPBASE_TD
