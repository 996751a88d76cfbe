//===- ProgramPasses.td - Passes that refuse programs ------*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_PROGRAMPASSES_TD
#define PIT_DIALECT_PIT_TRANSFORMS_PROGRAMPASSES_TD

include "mlir/Pass/PassBase.td"

def PITCheckProgram : Pass<"pit-check-program", "::mlir::ModuleOp"> {
  let summary = "Refuse what no pipeline takes, and warn of marks without effect";
  let description = [{
    The first pass of each pipeline. A program that cannot be compiled is refused here, by one error that names the op and what is wrong
    with it, before passes from elsewhere fail on it with words of their own:

    * a `func.call` of a function that is only declared: a program is compiled as a whole, and nothing is linked to it (functions of
      PIT's runtime excepted);
    * a tensor with an encoding: passes make tensors without one of it;
    * a `tensor.pad` by less than 0, by a constant or by what folds to one: that is a slice;
    * an attribute of this dialect on an operand or a result of a call.

    An attribute that stands where it is allowed, but where no pass reads it, is a warning that says where one does:

    * `pit.sparse` on an argument of a function that is only declared, or in a function that is no `func.func` of the outermost module;
    * `pad` in a mark whose source is not lengths;
    * `pit.dense` on an op that is neither a structured op nor one that moves data.
  }];
}

#endif // PIT_DIALECT_PIT_TRANSFORMS_PROGRAMPASSES_TD
