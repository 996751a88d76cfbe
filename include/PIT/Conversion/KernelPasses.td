//===- KernelPasses.td - Kernels formed and planned in the IR -*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_KERNELPASSES_TD
#define PIT_CONVERSION_KERNELPASSES_TD

include "mlir/Pass/PassBase.td"

def PITFormKernels : Pass<"pit-form-kernels", "::mlir::ModuleOp"> {
  let summary = "Fuse each contraction with what its kernel computes behind it";
  let description = [{
    Replaces contractions at the top of functions, with the elementwise ops behind them, by `pit.contract`: whole matrices, a
    number of batches of them, and tiled ops over listed rows and segments, as matrices of listed rows. Neighbouring axes of
    batches are merged before.

    Contractions are recognised by structure. They start from zero, and multiply bf16, f16 or f32 with sums in f32, f64 with
    sums in f64, or i8, signed or not, with sums in i32; n and k are known. Elementwise ops (bias, activation, residual,
    rounding) are taken as far as nobody else reads what comes before them. They may read a second product with the same A (a
    gated activation).

    Convolutions along one to three axes (implicit GEMM) are taken as well, with zeros around (`tensor.pad`) as part of them.
    Rows of A are windows of the input, which is read with channels innermost. Other orders of axes are transposed before and
    behind; between two convolutions, no transpose is left. Channels, of each group if it is grouped, are padded to a multiple
    of 8, or of 16 bytes. Windows of dynamic extents are copied side by side, for a product of matrices, and so are the pieces
    into which an input of few channels falls (patches).

    Zero points of products of i8 are taken out first: they become work of sums along rows and columns. Where the chip has
    `wgmma`, inputs of i8 that are not contiguous along k are copied so in front of large products.

    On tensors, before bufferization, what belongs together follows from uses of values. On buffers, it follows from which
    op accesses which memory; there, products with micro-tiles and listed blocks are formed, too. Only what a kernel of
    the chip can take is formed on buffers; what turns out to have no kernel after bufferization, `--pit-lower-contracts` undoes.

    ```mlir
    %c = pit.contract dense ins(%x, %w : ...) with(%bias : ...) outs(%init : ...) {...} epilogue {
    ^bb0(%sum: f32, %b: f32):
      %0 = arith.addf %sum, %b : f32
      pit.yield %0 : f32
    } -> tensor<512x128xbf16>
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"", "Chip for which kernels are made">,
    Option<"f32Products", "f32-products", "std::string", /*default=*/"\"simt\"", "How products of f32 are computed: simt, tf32 or tf32x3">
  ];
  let statistics = [Statistic<"numFormed", "num-formed", "Contract ops made">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::pit::PITDialect"];
}

def PITSplitReductions : Pass<"pit-split-reductions", "::mlir::ModuleOp"> {
  let summary = "Sum up long products of few tiles in parts (split-K)";
  let description = [{
    A product of few rows and columns, with a long sum, has few tiles, so that most of the chip has nothing to do: the gradient
    of a weight, which sums over all tokens. Where an estimate of the time says that it pays, such a product becomes one of several
    batches, each a part of the sum (`linalg::splitReduction`), with results of f32. The elementwise op that reads the product, or
    one of its own, adds the parts up, in order; results do not depend on which part is done first.

    Takes dense products of 16 bits at the top of functions whose extents are known, on chips with `wgmma`. All others stay as
    they are. Sums are reassociated, so that the pass is not part of strict pipelines.

    Sums of listed rows (`pit.tiled` over one list) are split, too. Their parts are those of the list, of about as many rows each: segments of
    an index of [rows, parts] with the same coordinates, whose offsets are computed behind the list. A product becomes a grouped one of ragged k,
    if half of the rows would pay. Sums by column always have 256 parts, segment sums, whose results a reduction adds up.

    ```mlir
    %parts = linalg.generic ... ins(%x, %dy : tensor<8x4096x768xbf16>, tensor<8x4096x768xbf16>) outs(...) -> tensor<8x768x768xf32>
    %0 = tensor.extract_slice %parts[0, 0, 0] [1, 768, 768] [1, 1, 1] : ...
    ...
    %dw = linalg.generic ... ins(%0, %1, ...) { addf ..., truncf } -> tensor<768x768xbf16>
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"", "Chip for which kernels are made">,
    Option<"card", "card", "std::string", /*default=*/"\"\"",
           "Card with the chip whose memory counts, such as h100; by default the one that tiles were measured on">,
    Option<"multiprocessors", "multiprocessors", "int64_t", /*default=*/"0",
           "Multiprocessors of the device; 0 for those of the card. Results depend on it only by the order of sums">
  ];
  let statistics = [Statistic<"numSplit", "num-split", "Products whose sums are in parts">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def PITPlanKernels : Pass<"pit-plan-kernels", "::mlir::ModuleOp"> {
  let summary = "Select and configure a kernel for each op that has one";
  let description = [{
    Attaches a `#pit.plan` to each `pit.contract` on buffers that has none and that a kernel of the chip can compute. The plan
    says the family, the tile, the stages of the ring, the schedule, variants and when they run, and what launches do for one
    another. Conversions emit what is planned, no more and no less. A plan that an op has already is kept: write one by hand to
    try another tile, or edit what this pass prints and go on from there.

    The families, in the order in which they are tried for what the op's domain allows:

    | family | computes | on |
    |---|---|---|
    | `gemm` | a dense product (GEMM); with `split_k`, clusters share the steps along k | `wgmma`, `mma_sync`, `simt` |
    | `batched_gemm` | a dense product for each batch (batched GEMM); A or B may be one for all | `wgmma`, `mma_sync`, `simt` |
    | `implicit_gemm` | a convolution: windows of a tensor, read by the copy engine, are the rows of A; with groups or few channels, by threads | `wgmma`, `mma_sync`, `simt` |
    | `gather_gemm` | listed rows of A, of C, or both | `wgmma`, `mma_sync`, `simt` |
    | `grouped_gemm` | segments of rows with a B each (grouped GEMM: experts) | the same |
    | `listed_k` | sums over listed k; f32, f64, i8 and any number of columns by warps and threads | `wgmma`, `mma_sync`, `simt` |
    | `ragged_k_gemm` | a sum over the k that each segment lists (gradients of experts' weights) | the same |
    | `row_piece_spmm` | live pieces of single rows of A (SpMM) | `wgmma` |
    | `packed_spmm` | packed micro-tiles of few k (SpMM) | `wgmma` |
    | `block_spmm` | live blocks, found in bits (SpMM) | `wgmma` |
    | `sddmm` | listed blocks of C (sampled product, SDDMM) | `wgmma` |
    | `sddmm_or_fill` | blocks of C by a mask, the others filled | `wgmma` |

    Tiles of `gemm`, `batched_gemm` and `grouped_gemm` on `wgmma` follow from the database of `card`, see docs/Tuning.md. Where a card
    is named of which there is none, a remark says whose counts.

    Products for which `wgmma` has a kernel use it. Others use `mma.sync`, f64 and i8 among them, or, for products
    computed in f32, threads (`simt`). Contract ops without a kernel are undone, as `--pit-lower-contracts` does it.

    Other ops on buffers at the top of a function that become kernels have plans of their own kinds:

    | op | plan | becomes a kernel in |
    |---|---|---|
    | `pit.attend_sequences` | `#pit.attention_plan` | `--convert-attention-to-gpu` |
    | `pit.tiled` that adds up listed rows, or has a number for each listed element | `#pit.row_plan`, `segment_sum` or `list_map` | `--convert-sums-to-gpu` |
    | `pit.tiled` that computes rows from rows | `#pit.row_plan`, `row_wise` | `--convert-rows-to-gpu` |
    | structured ops that reduce all rows of a matrix, and what is computed behind them from the same rows | `#pit.row_plan`, `row_wise`, as `pit.plan` of each with one `group`; the ops become neighbours | the same |
    | `linalg.fill` of a MiB and more that no other kernel does | `#pit.row_plan`, `fill`, as its `pit.plan` | the same |

    What remains are loops over tiles (`--pit-expand-tiles`) and ops with one thread for each element (`--convert-linalg-to-gpu`),
    of which there is nothing to plan.

    ```mlir
    pit.attend_sequences %q, %k, %v sequences(%offsets : memref<9xi64>) outs(%o)
      plan <engine = mma_sync, tile = [64, 64], warps = 4, stages = 2> {extent = 128 : i64, scale = 0.125 : f32} : ...
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"", "Chip for which kernels are made">,
    Option<"card", "card", "std::string", /*default=*/"\"\"",
           "Card with the chip: a name such as h100, a database FILE.json of pit-tune, or a folder of those; by default the chip's">,
    Option<"multiprocessors", "multiprocessors", "int64_t", /*default=*/"0", "Multiprocessors of the device; 0 for the card's">,
    Option<"shortSegments", "short-segments", "bool", /*default=*/"false",
           "Expect segments of less than about 256 rows where nothing else says how long they are">,
    Option<"f32Products", "f32-products", "std::string", /*default=*/"\"simt\"", "How products of f32 are computed: simt, tf32 or tf32x3">,
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Leave float sums along rows of whole matrices as they are, in their order">
  ];
  let statistics = [Statistic<"numPlanned", "num-planned", "Ops planned">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::pit::PITDialect"];
}

def PITLowerContracts : Pass<"pit-lower-contracts", "::mlir::ModuleOp"> {
  let summary = "Undo contract ops without a kernel";
  let description = [{
    Each `pit.contract` on buffers without a plan becomes what it was made of: a fill, a contraction and elementwise work, in a
    `pit.tiled` where rows are listed. Ops of other domains, and ops with a plan that no conversion emitted, are errors.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::pit::PITDialect"];
}

#endif // PIT_CONVERSION_KERNELPASSES_TD
