//===- PITThreadOps.td - Ranges that several threads compute -*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITTHREADOPS_TD
#define PIT_DIALECT_PIT_IR_PITTHREADOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "PIT/Dialect/PIT/IR/PITOpBase.td"

def PIT_ParallelRangeOp : PIT_Op<"parallel_range", [
    AutomaticAllocationScope, NoTerminator, RecursiveMemoryEffects, SingleBlock]> {
  let summary = "a range of which threads of the CPU compute parts";
  let description = [{
    Runs its region for parts of the `count` iterations from 0 on, until all are done, on one or several threads. The
    region is given the first iteration of its part and the one behind the last. How the range is cut is chosen when it
    runs. All parts begin at multiples of `multiple`, and results may not depend on where they begin: no iteration reads
    what another one writes. An iteration takes about `work` units of .15 ns, a simple operation on an element.

    It is an op of its own, and not `scf.forall`, because loops inside go over the whole part: they keep their vectors,
    rows side by side and scratch memory.

    Constraints:
    * R1: the region has two arguments of type index.
    * R2: `multiple` is 1 or more.

    Example:
    ```mlir
    pit.parallel_range %rows by 8 work %c1024 {
    ^bb0(%begin: index, %end: index):
      scf.for %i = %begin to %end step %c1 { ... }
    }
    ```
  }];
  let arguments = (ins Index:$count, Index:$work, I64Attr:$multiple);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$count `by` $multiple `work` $work $body attr-dict";
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "Value":$count, "Value":$work, "int64_t":$multiple)>];
  let extraClassDeclaration = [{
    Value getBegin() { return getBody().getArgument(0); }
    Value getEnd() { return getBody().getArgument(1); }
  }];
}

def PIT_TaskExtentsOp : PIT_Op<"task_extents", [MemoryEffects<[MemRead]>]> {
  let summary = "how matrix products are cut into tasks of threads";
  let description = [{
    Rows and columns of the result that one task should compute of `batches` products of m x n x k: multiples of
    `row_unit` and `column_unit`, or all of them; at least 1. Chosen for the threads that there are when it runs, so that tasks take
    about the same time and pack little twice. It reads how many those are, so two of them may differ.

    Constraints:
    * R3: both units are 1 or more.

    Example:
    ```mlir
    %rows, %columns = pit.task_extents %batches, %m, %n, %k by 6, 16
    ```
  }];
  let arguments = (ins Index:$batches, Index:$m, Index:$n, Index:$k, I64Attr:$row_unit, I64Attr:$column_unit);
  let results = (outs Index:$rows, Index:$columns);
  let assemblyFormat = "$batches `,` $m `,` $n `,` $k `by` $row_unit `,` $column_unit attr-dict";
  let hasVerifier = 1;
}

#endif // PIT_DIALECT_PIT_IR_PITTHREADOPS_TD
