//===- TilePasses.td - Passes that make and fuse tiles -----*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_TILEPASSES_TD
#define PIT_DIALECT_PIT_TRANSFORMS_TILEPASSES_TD

include "mlir/Pass/PassBase.td"

def PITAddDenseVariants : Pass<"pit-add-dense-variants", "::mlir::func::FuncOp"> {
  let summary = "Compute rules densely where more is live than pays";
  let description = [{
    Where little is dead, gathering costs more than skipping saves. Each `pit.generic` that computes whole tensors, and whose dense
    form gives the same from the same operands, gets that form as a second variant: an `scf.if` compares how many micro-tiles
    the index lists with the number above which the dense op takes less time.

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

    That number comes from measured times (`lib/Selection/Data`). Of the nearest shape and micro-tile, it is the share of live
    micro-tiles at which the sparse and the dense product take equally long. Where the sparse one is always faster, the op stays
    sparse; where the dense one is, it becomes dense. All ops over an index of a tensor's values become dense, too, if finding
    the values takes more time than it saves, on average (geometric mean) where 50 to 99 % are dead. Where detection checks the
    caller's data (`at_most`, lengths), ops stay sparse instead of becoming dense, so that the check is made. `pit.rules` of the
    function gets the share as `most_live`, in thousandths; 0 if the op became dense.

    Where one op reads an index of a tensor's values, and is large, a sample of them is looked at before anything is found: 256
    micro-tiles, in boxes of 16 that lie side by side. If more of them is live than pays, and the error of a sample on top,
    the dense form runs at once. `sample=false` leaves that out, as a report counts what is live in any case.

    The dense form gives the same result under two conditions. One input holds the absent value, zero or -inf, wherever the
    index lists nothing: it is the tensor whose values were tested, or the result of a mark by the same tensor. And the body
    leaves its outputs as they are for such an input (under `finite`, see docs/Semantics.md). Rows that are computed packed and
    then stored into a tensor count as well, if both start from the same constant. Other ops stay as they are: those over
    several indexes, or over an index that was not detected in the function, and ops with `pit.dense_variant = false`.

    Rules that pass packed values to each other choose together. They do so under a mask or by values in blocks, and where a mask
    lists the steps of a sum one by one for an input of at most two rows, if rules still read the mask: what a step reads of the other input is packed for one
    or two multiplications each, so that the dense product runs from 57 % live on, and from 6 % where the elements of a step have
    gaps in memory.
  }];
  let options = [
    Option<"finite", "finite", "bool", /*default=*/"true", "Live data is finite: 0 * x = 0">,
    Option<"database", "database", "std::string", /*default=*/"\"\"", "A tile database in JSON instead of the one built in">,
    Option<"sample", "sample", "bool", /*default=*/"true", "Look at a sample before values are detected">
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
    Fuses a `pit.tiled` with the one over the same list whose packed result it reads element by element, or only moves, if
    nobody else reads that. Several such producers may be fused. The result never becomes a tensor: one or two contractions, the
    bias and activation behind them, and the scatter of rows are one region. Flat domains and domains that end with their
    segments become the latter. Discardable attributes of both stay, such as `pit.dense_variant`; where both have one of a name,
    the producer's stays, whose rule the op has. With `same-rows`, two contractions are in one region only if they multiply the
    same rows, as the two of a gated unit do: kernels have one A.
  }];
  let options = [
    Option<"sameRows", "same-rows", "bool", /*default=*/"false", "Keep contractions apart that multiply different rows">
  ];
  let statistics = [
    Statistic<"numFused", "num-fused", "Tiled ops that became part of the one before">
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def PITCollapseTiles : Pass<"pit-collapse-tiles", "::mlir::func::FuncOp"> {
  let summary = "Merge axes of tiles that all ops use side by side";
  let description = [{
    If all ops in the region of a `pit.tiled` use two axes of static extent next to each other and in the same order, or use
    neither, the two become one axis. Operands are collapsed outside. What exporters split into heads is a matrix again. Axes of
    the index stay as they are.
  }];
  let statistics = [Statistic<"numCollapsed", "num-collapsed", "Tiled ops with merged axes">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def PITRecomputeRows : Pass<"pit-recompute-rows", "::mlir::func::FuncOp"> {
  let summary = "Recompute cheap rows for each reader instead of storing them (rematerialisation)";
  let description = [{
    Takes a `pit.tiled` that computes packed rows elementwise, and whose result two to four other ops over the same list
    read. It is cloned for each reader, so that `--pit-fuse-rows` fuses each clone into its reader and nothing is
    stored. Its inputs may have at most twice as many bytes as its result. A result that a product, or any other op,
    reads is stored anyway and stays as it is. This is for GPUs, where kernels on rows are bound by memory.
  }];
  let statistics = [Statistic<"numRecomputed", "num-recomputed", "Ops in front of a reader">];
}

def PITFuseRows : Pass<"pit-fuse-rows", "::mlir::func::FuncOp"> {
  let summary = "Put tiled ops that compute each row from the same row into one";
  let description = [{
    Fuses a `pit.tiled` with the ones over the same list whose packed results it reads, if every op of both regions computes a
    row (or one number per row) from the same row. Reductions along the row are included. So a layer norm is one op, from its
    first sum to the scatter of rows. A result that others read as well stays a result. Ops with products of matrices stay
    apart. Two ops that do not depend on each other become one where one reads much of what the other one does.
  }];
  let statistics = [Statistic<"numFused", "num-fused", "Tiled ops that became part of a later one">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def PITPackSegments : Pass<"pit-pack-segments", "::mlir::func::FuncOp"> {
  let summary = "Pack listed rows of batches in front of their products";
  let description = [{
    A `pit.tiled` with a product whose rows lie in a batch of matrices, one for each segment of the index, which each segment multiplies
    with a matrix of its own, reads packed rows instead. A `pit.tiled` in front copies them. Kernels gather rows of one matrix alone;
    what an op in front of the product stores is packed already.
  }];
  let statistics = [Statistic<"numPacked", "num-packed", "Operands that are packed">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
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

#endif // PIT_DIALECT_PIT_TRANSFORMS_TILEPASSES_TD
