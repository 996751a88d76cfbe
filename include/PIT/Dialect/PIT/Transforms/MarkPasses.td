//===- MarkPasses.td - Passes that read and rewrite marks --*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_MARKPASSES_TD
#define PIT_DIALECT_PIT_TRANSFORMS_MARKPASSES_TD

include "mlir/Pass/PassBase.td"

def PITMaterializeMarks : Pass<"pit-materialize-marks", "::mlir::func::FuncOp"> {
  let summary = "Turn `pit.sparse` dictionary attributes into `pit.sparse` ops";
  let description = [{
    IR that does not know this dialect marks sparsity with a dictionary attribute `pit.sparse` on a function
    argument or on an op with one tensor result:

    | key | value |
    |---|---|
    | `source` | `"values"`, `"mask"`, `"lengths"`, `"routing"` or `"blocks"` |
    | `from` | what the pattern is read from: the number of an argument, or the name that `pit.source` gives a result in the function; absent for `values` |
    | `axes` | `array<i64>`, dimensions of the marked tensor |
    | `absent` | `"zero"` (default), `"neg_inf"` or `"undef"` |
    | `pad` | `"right"` (default) or `"left"`, for `lengths` |
    | `granularity` | `array<i64>`, micro-tile extents |
    | `at_most` | live points per row of the pattern |
    | `live` | the share of the pattern's blocks, each of its granularity, that is expected to be live, a float of 0 to 1: becomes `pit.live` of the op, and says to `--pit-select-micro-tiles` what will be fast, never what is computed |

    The dialect verifies marks, also those of declarations, which are dropped. Marks of a function itself or of its results
    are errors.

    What `from` names has integers, indices or floats as elements. An element that is not 0 is live, as is NaN: for `mask` and `blocks`,
    a comparison with zero is added, of which constants are folded. `lengths` are integers or indices.

    A name stands for one result, which has to be computed where the mark can use it. The mark of an op stands behind the op, so the
    source has to be in front of it; an op may also be its own source. The mark of an argument stands in front of all that reads the
    argument. If the source is computed later, it is moved there with what it is computed from. It must not be computed from the
    argument itself, nor in a region.

    ```mlir
    %live = linalg.generic ... {pit.source = "live"} ... -> tensor<?xi1>
    %y = linalg.exp {pit.sparse = {source = "mask", from = "live", axes = array<i64: 0>}} ... -> tensor<?x64xf32>
    // What comes of it: all that reads %y reads
    %s = pit.sparse %y by(%live : tensor<?xi1>) <kind = mask, axes = [0]> : tensor<?x64xf32>
    ```

    Every use of the marked value then reads the `pit.sparse` op instead. The attributes are removed. This belongs in
    front of canonicalization, which drops the attributes of ops that fold away, and of inlining, which repeats names.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::pit::PITDialect",
                           "::mlir::tensor::TensorDialect"];
}

def PITInferMarks : Pass<"pit-infer-marks", "::mlir::func::FuncOp"> {
  let summary = "Find the sparsity that a program implies, and mark it";
  let description = [{
    Finds where sparsity comes from in a function without marks. Each boolean tensor that the function takes or computes
    (an `i1` argument, a comparison, logic on these) is marked as its own mask. That changes nothing, as dead elements
    are false anyway. If an op that reads it yields 0 or -inf where it is true, its inverse is marked instead. Integer
    arguments, such as masks of tokenizers, are marked where they are not 0, and sums of a few choices by their values. An
    argument of floats is a mask if nothing is read of it but how it compares with constants, or if it is only multiplied,
    with an argument that nothing else reads and with gradients, as masks of pruned weights are. If two arguments are only
    multiplied with each other, the product is marked where it is not 0.
    A matrix that repeats truth values in blocks, as of pruned weights, is marked even if these follow from data, such as sums of
    magnitudes.
    Propagation then follows these marks as it follows written ones: `select(mask, x, -inf)`, `x * mask`, `(1 - mask) *
    finfo.min` added to scores.

    The pass proves upper bounds on the live points of a row. Consecutive numbers equal one choice at most once. Bounds
    of choices that are joined add up. A tensor that a choice selects has the bound of that choice. A value with a bound and
    several axes of rows, such as [batch, position, expert], is marked through a view of [row, expert].

    Choices of several experts, [row..., choice, expert], that weights are multiplied with say of their gate, the sum over
    choices, and of its gradient, which is multiplied with them, where they are zero: where no choice is true. So gradients
    of weights that are zero by chance are kept.

    These marks are trials: `--pit-select-marks` keeps those that restrict a product. A function that already has a mark
    is left as it is, as its author has said what is sparse. Only its bounds are compared with what is proven of their sources,
    where patterns are matrices of single points. A bound is left out if the source is a constant that refutes it, and is
    replaced by a smaller one that is proven; a remark names both.
  }];
  let options = [
    Option<"blocks", "blocks", "bool", /*default=*/"false",
           "Mark matrices that repeat truth values in blocks, and not these values">,
    Option<"finite", "finite", "bool", /*default=*/"true", "Live data is finite: 0 * x = 0">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::pit::PITDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numMarks", "marks", "Marks that are tried">
  ];
}

def PITInlineCalls : Pass<"pit-inline-calls", "::mlir::ModuleOp"> {
  let summary = "Inline calls that patterns may pass";
  let description = [{
    Propagation follows patterns within a function. So this pass inlines calls that take or yield tensors, with
    upstream's inliner. It does so if the module has a mark, or, with `infer`, anything from which marks are inferred
    (boolean tensors, comparisons, products and maxima in structured ops). In any module, it also inlines calls that yield tensors of unknown
    extents, as these extents follow from the ops of the callee. Private callees without callers are removed. Recursive
    calls stay, and patterns end there. So do calls after `most` ops were added in total, which is a remark.

    With `all`, as for GPUs, every call is inlined, as one function launches the kernels; recursion is then an error.
    Run this after `--pit-materialize-marks`.
  }];
  let options = [
    Option<"infer", "infer", "bool", /*default=*/"true", "Marks are inferred later">,
    Option<"all", "all", "bool", /*default=*/"false", "Inline every call, also without patterns">,
    Option<"most", "most", "uint64_t", /*default=*/"50000", "Ops that are added at most">
  ];
  let statistics = [
    Statistic<"numInlined", "inlined", "Calls that are inlined">
  ];
  let dependentDialects = ["::mlir::pit::PITDialect"];
}

def PITSelectMarks : Pass<"pit-select-marks", "::mlir::func::FuncOp"> {
  let summary = "Keep the inferred marks that restrict a product";
  let description = [{
    Keeps those marks of `--pit-infer-marks` by which propagation restricts a product. The others are removed, and the
    function is normalised again. A mark that says which points of a product's result are live (SDDMM), or which elements of an
    operand are multiplied, gets blocks of 32x32. A mark that says which rows another one leaves without a number, as of `padding and causal`, stays for that
    alone: no op follows it.

    With `rows`, as for GPUs, two kinds of patterns are kept: those with a proven bound on the live points of a row,
    such as gates of experts, and those that lie along the rows of a product's matrices. All rows of the latter may be
    live; kernels of listed rows then take about as long as dense ones. Among the ops that follow them, those that run
    along rows are restricted. The others stay dense, as rows that nobody reads may hold anything. Each product of a list costs
    some microseconds more than it skips, so that lists of short ones are not kept (`least-us`).

    With `blocks`, as for GPUs with products of warpgroups, masks of matrices, such as those of pruned weights, are kept by blocks of 64x64, too,
    if all these products take so long that finding the blocks costs at most 3 %. A reduction makes a
    truth value of each block, which product kernels read: of dead blocks of an operand, and of blocks of a result that nobody reads. Run this after
    `--pit-normalize`.
  }];
  let options = [
    Option<"finite", "finite", "bool", /*default=*/"true", "Live data is finite: 0 * x = 0">,
    Option<"strict", "strict", "bool", /*default=*/"false", "Do not compact floating-point sums">,
    Option<"regions", "regions", "bool", /*default=*/"true", "Patterns reach into regions of control flow">,
    Option<"rows", "rows", "bool", /*default=*/"false", "Keep only patterns that are bounded, and lists of rows">,
    Option<"blocks", "blocks", "bool", /*default=*/"false",
           "Keep masks of matrices by blocks, where products have kernels that skip those">,
    Option<"least", "least-us", "double", /*default=*/"0.0",
           "The least mean time of products that a list of rows is kept for, in microseconds, as far as extents are known">
  ];
  let statistics = [
    Statistic<"numKept", "kept", "Marks that serve">
  ];
}

def PITInferValues : Pass<"pit-infer-values", "::mlir::func::FuncOp"> {
  let summary = "Mark the zeros of ReLU and the like in front of products";
  let description = [{
    Finds the operands of products in which elementwise ops put zeros wherever data says so: ReLU, squared ReLU, ReGLU, ReLU6,
    hard thresholds, dropout, products with any of these. Which elements are zero, and how many, is known at run time alone. Such
    an operand is marked by its values, which changes no result under `finite` (docs/Semantics.md).

    Only products that no other pattern restricts are looked at, of two matrices or of batches of them, with one axis of k. A
    function with a written mark is left as it is. On the CPU, micro-tiles are `tile` elements along rows, or as many rows as there
    are, and one along k: a row of the other operand is skipped where that many rows have no use for it. With `tile=0`, as for GPUs,
    `--pit-select-micro-tiles=inferred` chooses them, or takes the mark away where a look does not pay.

    What runs looks at a sample first: `--pit-add-dense-variants` on the CPU, the kernels that detect on GPUs. Where much is
    live, the product is dense, and the look costs at most 1 % of it. To be run behind `--pit-select-marks`.

    ```mlir
    %h = linalg.generic ins(%x) { arith.maximumf %in, %zero }
    %y = linalg.matmul ins(%h, %w : tensor<512x1024xf32>, tensor<1024x256xf32>) ...
    // What comes of it: the product reads
    %s = pit.sparse %h <kind = values, axes = [0, 1], tile = [32, 1]> : tensor<512x1024xf32>
    ```
  }];
  let options = [
    Option<"finite", "finite", "bool", /*default=*/"true", "Live data is finite: 0 * x = 0">,
    Option<"strict", "strict", "bool", /*default=*/"false", "Do not compact floating-point sums">,
    Option<"regions", "regions", "bool", /*default=*/"true", "Patterns reach into regions of control flow">,
    Option<"tile", "tile", "int64_t", /*default=*/"32", "Rows of a micro-tile; 0 leaves its extents open">
  ];
  let statistics = [
    Statistic<"numMarks", "marks", "Operands that are marked">
  ];
  let dependentDialects = ["::mlir::pit::PITDialect"];
}

def PITClearDeadMicroTiles : Pass<"pit-clear-dead-micro-tiles", "::mlir::func::FuncOp"> {
  let summary = "Replace masks that no kernel supports by patterns of values";
  let description = [{
    Dead elements under a mask may hold anything, so a kernel has to follow the mask exactly. This pass turns such a
    mark into one of values. It takes marks by a mask, of elements or of micro-tiles, on an operand A[m,k] or B[k,n]
    that only products of 16 bits read, as `pit-select-micro-tiles` does. At least one of these products must have no
    kernel for these micro-tiles. The pass sets dead elements to zero, and marks the result by its values. Zeros may be
    detected in larger micro-tiles; `pit-select-micro-tiles` chooses them for all products that read the tensor. If it
    finds none, it removes the mark, which `pit.cleared` allows. `pit.live` is kept. Marks with `at_most`, and chips and
    element types without measured times, are left as they are.

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
    Which values are zero can be found in micro-tiles of any extents: zeros that a micro-tile covers in vain change nothing.
    This pass chooses the extents by cost, as the PIT paper's selection does (SOSP'23). It takes a mark by the values of an
    A[m,k] that only products C[m,n] = A[m,k] * B[k,n] read, rounded to 16 bits, or of their B; either may be stored in either
    order. Each micro-tile with a kernel, and the dense product, get a price: the measured time of what is covered, and of
    finding it, from the tile database of the chip and element type (`lib/Selection/Data`). A micro-tile is dead if all blocks
    of the mark's `granularity` that it touches are. Blocks are taken to be dead independently of each other; `pit.live` of the
    mark says what share of them is live. The cheapest micro-tile becomes the mark's granularity. If the dense product is
    cheapest, the mark is removed.

    Without `pit.live`, a granularity that kernels take stays as it is; for others, the micro-tile is chosen that is the fastest on
    average (geometric mean) where 50 to 99 % of the blocks are dead. Micro-tiles of B are those of A in C^T = B^T * A^T; of those, and of an
    A stored [k, m], only such are priced that are not packed. The kernels choose between skipping and not on
    the device then, unless tiles are few. Of 64 rows and fewer, where B is stored [k, n], all are one strip whatever is
    expected. Marks with `at_most`, dynamic columns of C or k, and other chips and element types are left as they are.
    A dynamic m is taken to be 4096. Which database counts for a chip on which nothing was measured, `chooseDatabase` says
    (`PIT/Selection/ChooseDatabase.h`): that of a chip with the same kernels, or none; `report` says which. A mark with `pit.cleared` (see `pit-clear-dead-micro-tiles`) is removed where none
    can be chosen.

    What a training step reads as rows in one product and along the sum in another, or also its gradient where it lives, is found
    in blocks of 64 x 64, which kernels of warpgroup products skip in all of these, if the mark's micro-tiles and the matrix
    have whole ones and every product has such a kernel.

    With `inferred`, only marks that `--pit-infer-values` has made are looked at. They stay on products of up to 64 rows, all
    of them one strip, whose dense form takes at least a hundred times what a look at a sample takes (.6 us). Other products
    stay dense, as nobody has asked for more: where nothing is zero, their kernels take 8 % longer than dense ones.

    ```mlir
    // 5 % of the blocks of 4 rows are live.
    %s = pit.sparse %a by values ... tile = [4, 1] ... {pit.live = 0.05 : f64}
    // What comes of it: micro-tiles of 32 rows.
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"", "Chip whose measured times are used">,
    Option<"card", "card", "std::string", /*default=*/"\"\"", "Card with the chip: a name such as h100, a database FILE.json of pit-tune, or a folder of those; by default the chip's">,
    Option<"database", "database", "std::string", /*default=*/"\"\"", "A tile database in JSON instead of the one built in">,
    Option<"report", "report", "bool", /*default=*/"false",
           "Say what each micro-tile would cost, and the choice, as a remark at the mark">,
    Option<"inferred", "inferred", "bool", /*default=*/"false",
           "Only marks of --pit-infer-values, which go where skipping does not pay">
  ];
  let statistics = [
    Statistic<"numSelected", "num-selected", "Marks that got another micro-tile">,
    Statistic<"numDense", "num-dense", "Marks that were removed">
  ];
  let dependentDialects = ["::mlir::pit::PITDialect"];
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

def PITCreateAlternatives : Pass<"pit-create-alternatives", "::mlir::ModuleOp"> {
  let summary = "Run programs dense on inputs that lists do not pay for";
  let description = [{
    Where only the caller knows extents, products may be so short that it takes longer to list what is live than they take.
    Such a function gets a private copy without marks, and a `pit.alternative` that runs it if the products of each
    pattern take less than `least-us` each, at the speed of long ones. The condition is computed from the extents of arguments.

    Half of that counts where a gate or a bound says that rows have few live points, as of experts, less the time in which the
    matrices of all experts are read.

    A function has an alternative if all its restricted products skip rows, or the experts of rows, which makes short ones no
    faster. It has one block without control flow, no attention, and at most `most` such products, as lists that serve many pay
    soon. Where extents of products do not follow from those of arguments, a
    remark (category `pit-selection`) says so.
  }];
  let options = [
    Option<"finite", "finite", "bool", /*default=*/"true", "Live data is finite: 0 * x = 0">,
    Option<"strict", "strict", "bool", /*default=*/"false", "Do not compact floating-point sums">,
    Option<"regions", "regions", "bool", /*default=*/"true", "Follow patterns into loops and branches">,
    Option<"least", "least-us", "double", /*default=*/"5.0", "The least mean time of products that a list pays for">,
    Option<"most", "most", "unsigned", /*default=*/"8", "Restricted products of a function at most">,
    Option<"undefFill", "undef-fill", "double", /*default=*/"0.0", "What undef elements hold in the copy">
  ];
  let statistics = [Statistic<"numAlternatives", "alternatives", "Functions that have one">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::pit::PITDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // PIT_DIALECT_PIT_TRANSFORMS_MARKPASSES_TD
