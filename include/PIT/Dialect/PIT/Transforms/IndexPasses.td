//===- IndexPasses.td - Passes that make and lower indexes -*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_INDEXPASSES_TD
#define PIT_DIALECT_PIT_TRANSFORMS_INDEXPASSES_TD

include "mlir/Pass/PassBase.td"

def PITFlattenLengths : Pass<"pit-flatten-lengths", "::mlir::func::FuncOp"> {
  let summary = "Let tiled ops over sequences run over one list of rows";
  let description = [{
    Concerns a `pit.tiled` over the live positions of sequences, given by their lengths or by a mask of both dimensions. If its
    operands have both dimensions of the pattern next to each other, or none of them, it does not matter where one sequence
    ends. The op then becomes one over a list of rows of `[sequence * position]`, which a second `pit.detect` makes (D2). Packed
    operands stay as they are, as both lists have the same order. Tiles then reach over the ends of sequences, and kernels that
    know lists of rows take the op.

    Nothing is changed where all such ops have packed operands alone.
  }];
  let statistics = [Statistic<"numFlattened", "num-flattened", "Tiled ops over a list of rows">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def PITCheckLists : Pass<"pit-check-lists", "::mlir::ModuleOp"> {
  let summary = "Check the lists that a program brings along";
  let description = [{
    Each `pit.assemble` of tensors that are not all constants gets a check in front. Offsets must ascend from 0 up to the size
    of the coordinates at most. Coordinates must ascend inside each segment, without repeats, and be below the number of
    micro-tiles. If a list does not comply, the last such segment is reported to the runtime (`pit_rt_bad_index` with a bound of
    -1), and the index lists nothing. What detection lists is not checked, so this runs before detection is lowered.

    The same is done for each op of level 2 and each `pit.invert` that uses such an index. Tensors that it follows the index
    into must be as large as the extents that the index names, and packed ones must have room for all that it lists. That is
    proven from extents where it can be, refused where it is known to be false, and otherwise compared at run time. An op whose
    tensors are too small gets an index that lists nothing, which is reported as segment 0 with a damaged list. Indexes that
    come through a loop or a call are not followed.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def PITDetectIntoLists : Pass<"pit-detect-into-lists", "::mlir::func::FuncOp"> {
  let summary = "Give detections their lists as destinations";
  let description = [{
    Turns each `pit.detect` for which back ends have kernels into a `pit.detect_into` and a `pit.assemble`. The
    `pit.detect_into` writes to two new lists, from which `pit.assemble` makes the index. `coords` has as many entries
    as the pattern allows micro-tiles. Detections move up to the definition of their operands.

    Others are left for `--pit-lower-detect`:

    * those inside loops and conditions, or in functions of several blocks;
    * those between a scalar that is read from a tensor and its use, as such a scalar cannot cross launches on the device
      (run `--cse` before: it merges such reads);
    * element types other than f16, bf16, f32, f64, index, i1, and integers of 8, 16, 32 and 64 bits;
    * empty tensors, and extents of 2^31 and more.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect"];
}

def PITLowerDetect : Pass<"pit-lower-detect", "::mlir::ModuleOp"> {
  let summary = "Lower detection to loops on tensors";
  let description = [{
    Each `pit.detect` becomes, per segment, a vectorisable sweep that ORs the live elements of the segment's micro-tiles
    into one vector over the coordinate, and a scan that writes the live coordinates in order without branches. The
    count is checked against the capacity: an overflow is reported to the runtime (`pit_rt_overflow`) and the list
    is cut there. Lengths outside their sequence are reported too (`pit_rt_bad_index`).

    With `instrument`, live and total micro-tiles (`pit_rt_record_index`), live and covered elements
    (`pit_rt_record_coverage`) and the time of detection are recorded per pattern. The timer of pattern `p` is number
    2^32 + p, so that those of rules keep their own.
  }];
  let options = [
    Option<"instrument", "instrument", "bool", /*default=*/"false", "Record coverage and time per pattern">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def PITLowerInvert : Pass<"pit-lower-invert", "::mlir::func::FuncOp"> {
  let summary = "Lower inversions of indexes to loops on tensors";
  let description = [{
    Each `pit.invert` becomes a stable counting sort of the listed coordinates in four loops: clear, count, add up, and
    place positions from the last one to the first.

    With `into-lists`, those at the top of a function of one block become a `pit.invert_into` two lists of their own
    instead, for back ends that have kernels for it.
  }];
  let options = [
    Option<"intoLists", "into-lists", "bool", /*default=*/"false", "Only make pit.invert_into of inversions, where kernels can be launched">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def PITSplitIndex : Pass<"pit-split-index", "::mlir::ModuleOp"> {
  let summary = "Take indexes apart into their lists and extents";
  let description = [{
    Each value of type `!pit.index` becomes the tensors of its offsets and coordinates and one `index` value per dynamic
    extent of its pattern space; a `!pit.index_buffer` becomes two buffers and these extents. Function arguments and
    results, calls, and the loops and conditions of `scf` carry the parts instead.

    ```mlir
    func.func @f(%idx: !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>)
    // becomes
    func.func @f(%offsets: tensor<?xi64>, %coords: tensor<?xi32>, %t: index)
    ```

    Ops that use an index as a whole (`pit.tiled`, `pit.sread`, ...) keep doing so: it is put together with
    `pit.assemble` where they are. Blocks that `cf` branches to keep whole indexes as arguments.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect", "::mlir::memref::MemRefDialect"];
}

#endif // PIT_DIALECT_PIT_TRANSFORMS_INDEXPASSES_TD
