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
  let summary = "Refuse what no pipeline compiles, and warn of marks without effect";
  let description = [{
    The first pass of each pipeline. It refuses programs that cannot be compiled. One error names the op and the reason,
    before upstream passes fail with messages of their own. Refused are:

    * a `func.call` of a function that is only declared: a program is compiled as a whole, and nothing is linked to it (functions of
      PIT's runtime excepted);
    * a tensor with an encoding: passes make tensors without one of it;
    * a `tensor.pad` by less than 0, by a constant or by what folds to one: that is a slice;
    * a `tensor.extract_slice` or `tensor.insert_slice` outside of its tensor, a `tensor.cast` to other extents, a `tensor.dim` behind
      the last dimension, a tensor of less than 0 elements, as far as constants tell;
    * a function that has the name of one of the runtime library (`pit_rt_`);
    * an integer type with a sign (`ui32`, `si8`), and `tf32`, which is how products round; a constant that is a resource without data; `tensor.scatter`;
    * an attribute of this dialect on an operand or a result of a call.

    A `memory_space` of a `bufferization.alloc_tensor`, and a `bufferization.buffer_layout` of an argument, are removed
    with a warning: the compiler decides where tensors lie.

    Some attributes are allowed where no pass reads them. They are warnings that say where one does:

    * `pit.sparse` on an argument of a function that is only declared, or in a function that is no `func.func` of the outermost module;
    * `pad` in a mark whose source is not lengths;
    * `pit.dense` on an op that is neither a structured op nor one that moves data;
    * a misspelt name of an attribute that only chooses among ways to compute the same; the warning suggests the right one. A
      misspelt `pit.sparse` is an error, as a mark says what elements hold.
  }];
}

def PITLowerAsserts : Pass<"pit-lower-asserts", "::mlir::ModuleOp"> {
  let summary = "Report assertions of a program that do not hold";
  let description = [{
    Exporters write a `cf.assert` around lookups by ids. Each assertion becomes a branch to a call of the runtime
    library. The call of the program then fails with the line of the assertion, and the process goes on. On GPUs, the
    status word says so. Run this after the passes that use assertions to bound lookups.
  }];
  let statistics = [Statistic<"numAsserts", "num-asserts", "Assertions that became reports">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect"];
}

def PITTieResults : Pass<"pit-tie-results", "::mlir::ModuleOp"> {
  let summary = "Make the extents of results explicit that loops and branches yield";
  let description = [{
    The caller of an entry point allocates the results, so their extents have to be known before anything runs. After
    bufferization, a buffer that a loop or a branch yields does not say its extents. This pass looks for public functions that
    return what an `scf.for`, `scf.while` or `scf.if` yields. If the extents follow from those of arguments and from scalar
    arguments, the result is copied into a new tensor of those extents, which is later the caller's memory. Examples are a loop
    that yields tensors of the extents that it was given, and a branch whose condition is an argument. Other results stay as
    they are, and `--convert-functions-to-runtime` refuses them.
  }];
  let statistics = [Statistic<"numTied", "num-tied", "Results whose extents are explicit">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def PITCheckExtents : Pass<"pit-check-extents", "::mlir::ModuleOp"> {
  let summary = "Make functions that check the extents of arguments";
  let description = [{
    Creates a private function for each public one, with the same arguments. It holds the preconditions of the public
    function: `pit.check` ops on index arithmetic over extents and scalar arguments. The attribute `pit.checks` names
    it. A call evaluates it once, before it accesses any memory. The preconditions are:

    * operands of structured and elementwise ops, of `linalg.softmax`, `linalg.pack` and `linalg.unpack` agree in the extents that they
      share; an operand that is read at sums of axes, as by a convolution, is read inside of it;
    * what says which points of a mark are live has the extents of what is marked;
    * slices lie in their tensors, and what is inserted has the slice's extents; indexes of `tensor.extract`, `tensor.insert` and
      `tensor.gather` too;
    * a padding is by 0 or more, to the extent that the type says; parts of a concatenation agree; what `tensor.expand_shape` makes has as
      many elements as its operand;
      a `tensor.cast` to a static extent finds it;
    * extents are 0 or more, and a tensor has less than 2^56 bytes, an extent of 0 counted as 1;
    * steps of loops are 1 or more.

    Preconditions of a branch hold only if it is taken, and those of a loop only if it iterates. Those of called
    functions are included. Run this while functions are on tensors, after `--pit-materialize-marks`.

    A condition that is linear in the number of a loop's iteration is checked for the first and the last iteration. It
    then holds for those between.

    Some indexes, offsets and sizes do not follow from the arguments: they depend on elements, on values that a loop
    carries, or on an iteration in another way. They are checked where they are used. One that is out of range calls
    `pit_rt_bad_index`, and 0 is used instead; a write to its place leaves what is there. If the region of a structured
    op computes an index from few of the iteration axes, an op of its own checks it in front, once.

    Extents that do not follow from the arguments, and those of ops that may not run, are checked by a `pit.check` in
    front of the op, unless the function implies that they agree. If the check fails, the op is not run: its result is
    its destination, or a tensor whose dynamic extents are 0. A new tensor that is too large has no elements. A
    `scf.forall` that writes at computed positions becomes loops, so that the positions can be checked. Ops that do not
    expose which elements they access by such numbers are not checked, which is a remark. Without `computed-extents`,
    none of these checks are made.

    With `device`, code allocates no memory, as the host reserves it, and branches yield results of the same extents. An
    operand that does not fit is therefore cut to an empty one. A result whose type fixes the extents is a new tensor,
    into which nothing is copied.
  }];
  let options = [
    Option<"computedExtents", "computed-extents", "bool", /*default=*/"true", "Check extents that do not follow from the arguments in front of ops">,
    Option<"device", "device", "bool", /*default=*/"false", "Make checks in front of ops in a form that GPU code supports">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::pit::PITDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numChecks", "checks", "Conditions that calls are checked for">
  ];
}

#endif // PIT_DIALECT_PIT_TRANSFORMS_PROGRAMPASSES_TD
