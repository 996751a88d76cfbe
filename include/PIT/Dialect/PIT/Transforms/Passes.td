//===- Passes.td - Passes that stay in the dialect ---------*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_PASSES_TD
#define PIT_DIALECT_PIT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def PITAnnotateAxes : Pass<"pit-annotate-axes"> {
  let summary = "Attach to every structured op which of its axes are PIT-axes";
  let description = [{
    Attaches `pit.axes`, an array with one entry per iteration axis in order, to every op that has
    iteration axes PIT can read: all structured ops of linalg, `pit.generic`, and the ops of other dialects
    that implement `linalg::LinalgOp`. Each entry is `"parallel"`, `"reduction"` or
    `"refused: <reason>"`; each refusal is also a remark at the op.

    Aggregated ops such as `linalg.softmax` have no region to read, so they are first replaced by the
    structured ops that they stand for. One that cannot be decomposed (on buffers, for instance) is left
    without the attribute, with a remark.

    ```mlir
    %0 = linalg.matmul {pit.axes = ["parallel", "parallel", "reduction"]}
         ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
    ```
  }];
  let options = [
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Refuse axes along which a float sum or product would be reassociated">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::pit::PITDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

//===----------------------------------------------------------------------===//
// Level 1: programs as they come
//===----------------------------------------------------------------------===//

def PITMaterializeMarks : Pass<"pit-materialize-marks", "::mlir::func::FuncOp"> {
  let summary = "Turn `pit.sparse` dictionary attributes into `pit.sparse` ops";
  let description = [{
    IR that does not know this dialect marks sparsity with a dictionary attribute `pit.sparse` on a function
    argument or on an op with one tensor result:

    | key | value |
    |---|---|
    | `source` | `"values"`, `"mask"`, `"lengths"`, `"routing"` or `"blocks"` |
    | `from` | number of the argument that the pattern is read from; absent for `values` |
    | `axes` | `array<i64>`, dimensions of the marked tensor |
    | `absent` | `"zero"` (default), `"neg_inf"` or `"undef"` |
    | `pad` | `"right"` (default) or `"left"`, for `lengths` |
    | `granularity` | `array<i64>`, micro-tile extents |
    | `at_most` | live points per row of the pattern |
    | `live` | the share of the pattern's blocks, each of its granularity, that is expected to be live, a float of 0 to 1: becomes `pit.live` of the op, and says to `--pit-select-micro-tiles` what will be fast, never what is computed |

    Every use of the marked value then reads the `pit.sparse` op instead. The attributes are removed. This belongs in
    front of canonicalization, which drops the attributes of ops that fold away.
  }];
  let dependentDialects = ["::mlir::pit::PITDialect"];
}

def PITClearDeadMicroTiles : Pass<"pit-clear-dead-micro-tiles", "::mlir::func::FuncOp"> {
  let summary = "Turn masks that no kernel follows into patterns of values";
  let description = [{
    What a mask calls dead may hold anything, so that a kernel has to follow the mask exactly. For a mark by a mask, of
    elements or of micro-tiles, of an A[m,k] or B[k,n] that only products of 16 bits read, as in `pit-select-micro-tiles`, one of which
    has no kernel for such micro-tiles, this puts zeros in place of what is dead, and marks the result by its values: those may be
    found in larger micro-tiles, which `pit-select-micro-tiles` chooses, for all products that read it; where it cannot, it takes
    the mark away (`pit.cleared` tells it so). `pit.live` stays what it was. Marks with `at_most`, and
    chips and element types of which no times are known, are left as they are.

    ```mlir
    %s = pit.sparse %a by(%live : tensor<2048x4096xi1>) <kind = blocks, axes = [0, 1], tile = [2, 1]> : tensor<4096x4096xbf16>
    // What comes of it, abridged.
    %z = linalg.generic ins(%a) { the element, or 0.0 where %live[i / 2, j] is false }
    %s = pit.sparse %z <kind = values, axes = [0, 1], tile = [2, 1]> : tensor<4096x4096xbf16>
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"", "Chip for which kernels are made">
  ];
  let statistics = [
    Statistic<"numCleared", "num-cleared", "Marks whose tensors are cleared">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::pit::PITDialect", "::mlir::tensor::TensorDialect"];
}

def PITSelectMicroTiles : Pass<"pit-select-micro-tiles", "::mlir::func::FuncOp"> {
  let summary = "Choose the micro-tiles of patterns of values by what they cost";
  let description = [{
    Which values are zero can be found in micro-tiles of any extents: zeros that a micro-tile covers in vain change
    nothing. For a mark by the values of an A[m,k] that only products C[m,n] = A[m,k] * B[k,n] read, rounded to 16 bits, or of their
    B, either of them stored one way or the other, this prices each micro-tile for which a kernel exists, and the dense product, as in the PIT paper's selection (SOSP'23):
    the measured time of what is covered, and of finding it, from the tile database of the chip and element type
    (`lib/Selection/Data`). A micro-tile is dead if all blocks of the mark's `granularity` that it touches are, which are
    taken to be dead independently of each other; what share of them is live is `pit.live` of the mark. The cheapest
    becomes the mark's granularity, or, if it is the dense product, the mark is removed.

    Without `pit.live`, a granularity that kernels take stays as it is; for others, the micro-tile is chosen that is the fastest on
    average (geometric mean) where 50 to 99 % of the blocks are dead. Micro-tiles of B are those of A in C^T = B^T * A^T; of those, and of an
    A stored [k, m], only such are priced that are not packed. The kernels choose between skipping and not on
    the device then, unless tiles are few. Of 64 rows and fewer, where B is stored [k, n], all are one strip whatever is
    expected. Marks with `at_most`, dynamic columns of C or k, and other chips and element types are left as they are.
    A dynamic m is taken to be 4096. Which database counts for a chip on which nothing was measured, `chooseDatabase` says
    (`PIT/Selection/ChooseDatabase.h`): that of a chip with the same kernels, or none; `report` tells. A mark with `pit.cleared` (see `pit-clear-dead-micro-tiles`) is removed where none
    can be chosen.

    ```mlir
    // 5 % of the blocks of 4 rows are live.
    %s = pit.sparse %a by values ... tile = [4, 1] ... {pit.live = 0.05 : f64}
    // What comes of it: micro-tiles of 32 rows.
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"", "Chip whose times count">,
    Option<"card", "card", "std::string", /*default=*/"\"\"", "Card with the chip, such as h100; by default the one that tiles were measured on">,
    Option<"database", "database", "std::string", /*default=*/"\"\"", "A tile database in JSON instead of the one built in">,
    Option<"report", "report", "bool", /*default=*/"false",
           "Say what each micro-tile would cost, and the choice, as a remark at the mark">
  ];
  let statistics = [
    Statistic<"numSelected", "num-selected", "Marks that got another micro-tile">,
    Statistic<"numDense", "num-dense", "Marks that were removed">
  ];
  let dependentDialects = ["::mlir::pit::PITDialect"];
}

def PITNormalize : Pass<"pit-normalize", "::mlir::func::FuncOp"> {
  let summary = "Bring structured ops into the form that patterns travel through";
  let description = [{
    Decomposes aggregated ops, packing, unpacking and Winograd transforms, generalises named ops, folds reshapes into
    structured ops by splitting their axes, and folds transposes, broadcasts and one-use elementwise producers into their elementwise users, all with
    upstream's patterns. Patterns then lie along plain iteration axes instead of inside collapsed ones. An axis along which a
    mark lies, in an op or in others that share it, is not split: the pattern numbers it as it is. Sums keep
    their order. What an op only widens before it yields it is widened by its readers instead.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def PITPropagateSparsity : Pass<"pit-propagate-sparsity", "::mlir::func::FuncOp"> {
  let summary = "Attach what is known of each value where a pattern is dead";
  let description = [{
    Runs the two-way propagation and attaches, to every op it learnt something of, `pit.facts` (what the results hold
    where a pattern is dead) and, to ops that may skip points, `pit.restricted` (pattern, iteration axes and reason).
    Patterns are numbered in the order of their first mark. The attributes are for reading: no pass needs them.
  }];
  let options = [
    Option<"finite", "finite", "bool", /*default=*/"true", "Live data is finite: 0 * x = 0">,
    Option<"strict", "strict", "bool", /*default=*/"false", "Do not compact floating-point sums">
  ];
}

def PITLowerSparse : Pass<"pit-lower-sparse", "::mlir::func::FuncOp"> {
  let summary = "Replace marks by what they mean";
  let description = [{
    Replaces each `pit.sparse` by a select between its source and the absent value. Alone, this gives the dense
    reference of a program. Marks by values mean their source, as a dead value is the absent value already.
    Elements that are `undef` become `undef-fill`, times a factor between 1 and 2 that varies with the position: no
    promised result may depend on the choice, and one that does shows when two fills are compared. NaN would hide it:
    with `undef-nan`, NaNs in elements of a result that propagation finds undef become undef elements.
  }];
  let options = [
    Option<"undefFill", "undef-fill", "double", /*default=*/"0.0", "What undef elements hold">,
    Option<"undefNaN", "undef-nan", "bool", /*default=*/"false", "NaN in undef elements of results counts as undef">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// Level 2 to level 3
//===----------------------------------------------------------------------===//

def PITFuseAttention : Pass<"pit-fuse-attention", "::mlir::func::FuncOp"> {
  let summary = "Recognise attention of padded sequences";
  let description = [{
    Where the live positions of sequences ask for scores with all positions of their sequence, a mask of the same lengths
    (a mark with `neg_inf`, whose live elements are known to be 0) is added to them, and the softmax of that is multiplied
    by values of all positions, the chain of `pit.generic` becomes one `pit.attend` on the packed rows: keys and values of
    padding, which the mask leaves no weight, are neither written out nor read.

    Taken are chains in f32 of bf16 or f16 operands, [sequence, position, head, width], with 32, 64 or 128 elements per head,
    whose scores may be rounded and multiplied or divided by a constant before the mask is added. A mask of later positions
    (0 where the row's number is that of the column or larger, -inf elsewhere; as a matrix, or a select by numbers that
    count up) may be added, too, which makes the op `causal`. Other chains stay.
  }];
  let statistics = [Statistic<"numFused", "num-fused", "Chains that became one op">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def PITAddDenseVariants : Pass<"pit-add-dense-variants", "::mlir::func::FuncOp"> {
  let summary = "Compute rules densely where more is live than pays";
  let description = [{
    Where little is dead, gathering costs more than skipping saves. Each `pit.generic` that computes whole tensors, and whose dense
    form gives the same from the same operands, gets that form as a second variant: an `scf.if` compares how many micro-tiles
    the index lists with the number from which on the dense op takes less time.

    ```mlir
    %offsets = pit.offsets %idx : ...
    %count = tensor.extract %offsets[%segments] : tensor<?xi64>
    %tooMuch = arith.cmpi ugt, %count, %most : i64
    %c = scf.if %tooMuch -> (tensor<512x256xf32>) {
      %dense = linalg.generic ... {pit.dense_variant_of = 0 : i64}
      scf.yield %dense
    } else {
      %sparse = pit.generic ... over(%idx)
      scf.yield %sparse
    }
    ```

    That number comes from measured times (`lib/Selection/Data`): of the nearest shape and micro-tile, the share of live micro-tiles at
    which the times of the product cross. Where they never do, the op stays sparse, or becomes dense outright. So do all ops over an
    index of a tensor's values if finding them takes more time than it saves, on average (geometric mean) where 50 to 99 % are dead. Where detection checks the
    caller's data (`at_most`, lengths), ops that would become dense outright stay sparse instead, so that it is checked. `pit.rules` of the function gets the share as
    `most_live`, in thousandths, 0 if the op became dense.

    The dense form gives the same where one input holds the absent value, zero or -inf, wherever the index lists nothing, because it is
    the tensor whose values were tested, or the result of a mark by the same tensor, and where the body leaves its outputs as they are
    for such an input (under `finite`, see docs/Semantics.md). Rows that are computed packed and then stored into a tensor count as well, if
    both start from the same constant. Other ops stay as they are: those over several indexes, or over an index that was
    not detected in the function, chains of packed ops, and ops with `pit.dense_variant = false`.
  }];
  let options = [
    Option<"finite", "finite", "bool", /*default=*/"true", "Live data is finite: 0 * x = 0">,
    Option<"database", "database", "std::string", /*default=*/"\"\"", "A tile database in JSON instead of the one built in">
  ];
  let statistics = [
    Statistic<"numVariants", "num-variants", "Ops with a dense variant">,
    Statistic<"numDense", "num-dense", "Ops that became dense">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def PITTileRules : Pass<"pit-tile-rules", "::mlir::func::FuncOp"> {
  let summary = "Cut structured sparse ops into dense tiles";
  let description = [{
    Turns each `pit.generic`, and each `pit.sread` and `pit.swrite` of a whole tensor, into a `pit.tiled` whose
    region holds one `linalg.generic` on dense tiles. Packed results that start from a constant start from it inside
    the tile.
  }];
  let options = [
    Option<"tileSize", "tile-size", "int64_t", /*default=*/"256", "Packed elements per tile at most">
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def PITFuseTiles : Pass<"pit-fuse-tiles", "::mlir::func::FuncOp"> {
  let summary = "Put elementwise tiled ops behind the op that computes their tile";
  let description = [{
    Where a `pit.tiled` reads the packed result of another one over the same list element by element, or only moves it,
    and nobody else reads it, both become one op; so do several such producers. The result never becomes a tensor: one
    or two contractions, the bias and activation behind them, and the scatter of rows are one region. Flat domains and
    those that end with their segments become the latter. Discardable attributes of both stay, such as
    `pit.dense_variant`; where both have one of a name, the producer's does, whose rule the op has.
  }];
  let statistics = [
    Statistic<"numFused", "num-fused", "Tiled ops that became part of the one before">
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def PITFlattenLengths : Pass<"pit-flatten-lengths", "::mlir::func::FuncOp"> {
  let summary = "Let tiled ops over sequences run over one list of rows";
  let description = [{
    A `pit.tiled` over the live positions of sequences, whose operands have both dimensions of the pattern side by side or
    none, does not care where one sequence ends: it becomes one over a list of rows of `[sequence * position]`, which a
    second `pit.detect` makes (D2). Packed operands stay as they are, as both lists have the same order. Tiles then reach
    over the ends of sequences, and kernels that know lists of rows take the op.

    Nothing is changed where all such ops have packed operands alone.
  }];
  let statistics = [Statistic<"numFlattened", "num-flattened", "Tiled ops over a list of rows">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def PITCollapseTiles : Pass<"pit-collapse-tiles", "::mlir::func::FuncOp"> {
  let summary = "Merge axes of tiles that are never told apart";
  let description = [{
    Where all ops in the region of a `pit.tiled` use two axes of static extent side by side, in the same order or not at
    all, these become one axis, and operands are collapsed outside: what exporters split into heads is a matrix again.
    Axes of the index stay as they are.
  }];
  let statistics = [Statistic<"numCollapsed", "num-collapsed", "Tiled ops with merged axes">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def PITWidenSums : Pass<"pit-widen-sums", "::mlir::func::FuncOp"> {
  let summary = "Keep sums of products of bf16 or f16 in f32, and round them once";
  let description = [{
    As exporters write them, products of 16 bits add up in 16 bits. Each `linalg.generic` on tensors whose body is a product of two
    inputs and its sum with the output, all of one type of 16 bits, takes exact products and adds them up in f32, which are rounded
    behind. What it starts from is widened. That is what frameworks compute for such a program, and what matrix units can; the result
    differs from that of rounding at every step, and is closer to the exact one. Other sums stay as they are.
  }];
  let statistics = [Statistic<"numWidened", "num-widened", "Sums that are kept in f32">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def PITSeparateStarts : Pass<"pit-separate-starts", "::mlir::func::FuncOp"> {
  let summary = "Make products that add to a tensor ones that add to zeros, and an addition behind";
  let description = [{
    Kernels for matrix units start from zeros. A `linalg.generic` in a function's own block that adds up products of bf16 or f16 in f32,
    and whose destination is not a fill with zeros, gets one that is, and what it was added to is added behind: elementwise work that the
    kernel does. Sums are rounded in another order. Ops with batch axes, which no kernel takes, stay, and so do those that do more to the
    sum than to add to it.
  }];
  let statistics = [Statistic<"numSeparated", "num-separated", "Products that start from zeros now">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def PITCollapseProducts : Pass<"pit-collapse-products", "::mlir::func::FuncOp"> {
  let summary = "Make products of matrices of contractions with several axes of rows, columns, or the sum";
  let description = [{
    A contraction in a function's own block (`linalg.generic` on tensors, without batch axes) whose axes of rows lie side
    by side in the same order in all operands that have them gets one such axis, and the same of columns and of what is
    summed. Operands are collapsed, the result is expanded; that moves behind elementwise ops that follow, which are
    collapsed as well, with all that they read.
  }];
  let statistics = [Statistic<"numCollapsed", "num-collapsed", "Contractions with merged axes">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def PITFuseRows : Pass<"pit-fuse-rows", "::mlir::func::FuncOp"> {
  let summary = "Put tiled ops that compute each row from the same row into one";
  let description = [{
    Where a `pit.tiled` reads packed results of others over the same list, and every op of both regions computes a row
    (or one number per row) from the same row, reductions along the row included, they become one op: layer norm and the
    like, from its first sum to the scatter of rows. A result that others read as well stays one. Ops with products of
    matrices stay apart.
  }];
  let statistics = [Statistic<"numFused", "num-fused", "Tiled ops that became part of a later one">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def PITSplitSums : Pass<"pit-split-sums", "::mlir::func::FuncOp"> {
  let summary = "Let sums over segments run row by row, through the inverse index";
  let description = [{
    Takes each `pit.tiled` over several segments that adds to rows which several of them list, so that its tiles depend
    on each other, and splits it:

    * If its region reduces over axes of its own (a contraction), the same region, from zero, writes its rows packed.
      Nothing depends on another segment then.
    * A second `pit.tiled` over the inverse index (`pit.invert`), whose segments are the rows of the result, adds the packed
      rows that each row is made of, in ascending order of segments, to what the result holds before. A region without
      reductions of its own, such as a product with a gate, is computed there, and operands that hold one number per listed
      element, such as the gate, are packed for it.

    Where the pattern has at most one live point per row (`at_most = 1`, which detection checks) and the result starts
    from one value, there is nothing to add up and no inverse: the second op goes over the same index and writes each row
    once, and what follows it element by element, from no other tensor, is computed there and for the rows that nobody lists.

    Each row then belongs to one segment of the second op. A sum per segment, where there is one, is rounded on its own
    before it is added; a region without reductions gives the same bits as before.

    Taken are ops at the top of a function of one block, with one output that has the coordinate and no segment dimension
    of an index of single elements, no operand that only depends on the segment (unless the region is a contraction), and
    a region that adds (contraction) or is one `linalg.generic` without `linalg.index`. The number of packed rows must
    follow from a packed operand or from the detection. Other ops stay as they are, and so do those that stand between a
    scalar that is read from a tensor and its use (run `--cse` before).
  }];
  let statistics = [Statistic<"numSums", "num-sums", "Sums over segments that were split">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// Level 3 to loops
//===----------------------------------------------------------------------===//

def PITCheckLists : Pass<"pit-check-lists", "::mlir::ModuleOp"> {
  let summary = "Check the lists that a program brings along";
  let description = [{
    Each `pit.assemble` of tensors, of which one at least is no constant, gets a check in front: offsets ascend from 0 up to the
    size of the coordinates at most, and coordinates ascend inside each segment, none twice, from 0 to the number of micro-tiles.
    Where a list does not, the last segment with such a one is reported to the runtime (`pit_rt_bad_index` with a bound of -1),
    and the index lists nothing. What detection lists is not checked, so this runs before detection is lowered.

    Then, for each op of level 2 and each `pit.invert` that uses such an index: the tensors that it follows the index into are as large
    as the extents that the index names, and packed ones have room for all that it lists. That is proven from extents where it
    can be, refused where it is known to be false, and compared at run time otherwise: an op whose tensors are too small gets an index that
    lists nothing, which is reported as segment 0 with a damaged list. Indexes that come through a loop or a call are not followed.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
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

def PITDetectIntoLists : Pass<"pit-detect-into-lists", "::mlir::func::FuncOp"> {
  let summary = "Give detections their lists as destinations";
  let description = [{
    Turns each `pit.detect` that a back end can run as kernels into a `pit.detect_into` two lists of its own, from which
    `pit.assemble` makes the index. Its `coords` has as many slots as the pattern allows micro-tiles. Detections move up to
    what they read.

    Others are left for `--pit-lower-detect`: those inside loops and conditions or in functions of several blocks; those
    that stand between a scalar that is read from a tensor and its use, as such a scalar cannot cross launches on the
    device (run `--cse` before, as it makes such uses of what is read twice); element types other than f16, bf16, f32,
    f64, index, i1, and integers of 8, 16, 32 and 64 bits; empty tensors and extents of 2^31 and more.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect"];
}

def PITSeparateDroppedDims : Pass<"pit-separate-dropped-dims", "::mlir::func::FuncOp"> {
  let summary = "Make slices that drop some of several unit dimensions slices and reshapes";
  let description = [{
    A `tensor.extract_slice` that drops dimensions of size 1 while others are left becomes one that drops none and a
    `tensor.collapse_shape`, a `tensor.insert_slice` a `tensor.expand_shape` and one that adds none. Which dimensions go is known
    here; of a view of a buffer whose strides are unknown it would be guessed, wrongly at times. So tensors with dynamic extents
    behind the first dimension are concerned. Runs right before bufferization.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def PITSeparateFills : Pass<"pit-separate-fills", "::mlir::func::FuncOp"> {
  let summary = "Give each op that writes to a filled or empty tensor one of its own";
  let description = [{
    Where several ops write to one `linalg.fill` of a `tensor.empty`, or others read it, bufferization copies what is
    filled. This clones the fill in front of each of those ops instead, except for the first one if nobody only reads the
    fill. Ops in other blocks than the fill, such as loop bodies, and destinations of a fill whose contents do not matter stay
    as they are. Where several ops write to one `tensor.empty`, they would share one buffer, and one of them could not be
    computed while another's result is read: each gets an empty tensor of its own as well. `--cse` would undo it; so it runs
    right before bufferization. A `linalg.generic` that yields a constant everywhere becomes a `linalg.fill` first.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
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
    Option<"intoLists", "into-lists", "bool", /*default=*/"false", "Only give inversions their lists, where kernels can be launched">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def PITTimeRules : Pass<"pit-time-rules", "::mlir::ModuleOp"> {
  let summary = "Put timers around rules";
  let description = [{
    Calls `pit_rt_timer_start` and `pit_rt_timer_stop` of the runtime around each `pit.tiled` that carries the number of a
    rule, and around each structured op with the attribute `pit.rule` (see `number-only` of `--convert-linalg-to-pit`). The timer of
    a dense variant of rule `r` (`pit.dense_variant_of`) is number 2^33 + r.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect"];
}

def PITExpandTiles : Pass<"pit-expand-tiles", "::mlir::func::FuncOp"> {
  let summary = "Expand `pit.tiled` to loops over segments and tiles";
  let description = [{
    Makes `scf.for` loops of the domain, slices or gathers each operand's tile, inlines the region, and writes the
    result tiles back. On tensors, gathers and scatters stay `pit.sread` and `pit.swrite` on one tile; on buffers they
    become copies into a buffer of the tile and back.

    With `blocks`, ops on buffers at the top of a function whose tiles (or segments) write apart become an `scf.forall`
    over at most that many blocks, mapped to `#gpu.block<linear_dim_0>`.
  }];
  let options = [
    Option<"numBlocks", "blocks", "int64_t", /*default=*/"0", "Blocks that share the tiles of ops on buffers, at most; 0 for loops in order">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
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

#endif // PIT_DIALECT_PIT_TRANSFORMS_PASSES_TD
