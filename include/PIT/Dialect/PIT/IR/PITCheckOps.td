//===- PITCheckOps.td - What arguments have to agree in ----*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITCHECKOPS_TD
#define PIT_DIALECT_PIT_IR_PITCHECKOPS_TD

include "PIT/Dialect/PIT/IR/PITOpBase.td"

def PIT_CheckResource : Resource<"::mlir::pit::CheckResource">;

def PIT_CheckOp : PIT_Op<"check", [MemoryEffects<[MemWrite<PIT_CheckResource>]>]> {
  let summary = "what must hold of a call's arguments";
  let description = [{
    If `condition` is false for the arguments of a call, the call fails: it computes nothing and writes nothing. Its
    error is `message`, with `first` for `{0}` and `second` for `{1}`. If several checks fail, the first one is
    reported.

    Checks of arguments stand in functions that hold only checks and index arithmetic on extents of their arguments. The
    attribute `pit.checks` of a function names such a function with the same arguments. `--pit-check-extents` creates
    these functions. It also creates checks in the middle of functions, for extents that follow from elements. Such a
    check fails the call as well, and code behind it stays inside its memory. For GPUs, `--pit-lower-device-checks`
    makes kernels report these.

    Constraints:
    * Q1: the message has one line and is not empty.

    Example:
    ```mlir
    pit.check %same, "model.mlir:9:8: 'linalg.matmul': dimension 1 of operand 0 is {0}, dimension 0 of operand 1 is {1}"(%k, %l)
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$message, Index:$first, Index:$second);
  let assemblyFormat = "$condition `,` $message `(` $first `,` $second `)` attr-dict";
  let hasVerifier = 1;
}

#endif // PIT_DIALECT_PIT_IR_PITCHECKOPS_TD
