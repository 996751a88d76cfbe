//===- PITPlanAttrs.td - How a kernel computes an op -------*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITPLANATTRS_TD
#define PIT_DIALECT_PIT_IR_PITPLANATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "PIT/Dialect/PIT/IR/PITEnums.td"
include "PIT/Dialect/PIT/IR/PITAttrs.td"

def PIT_KernelFamily : PIT_Enum<"KernelFamily", "families of kernels for contractions", [
  I32EnumAttrCase<"Gemm", 0, "gemm">,              // one dense product
  I32EnumAttrCase<"Gather", 1, "gather_gemm">,     // rows of A or C through one list
  I32EnumAttrCase<"Grouped", 2, "grouped_gemm">,   // segments of rows, each with a B of its own
  I32EnumAttrCase<"ListedK", 3, "listed_k">,       // the sum runs over listed k
  I32EnumAttrCase<"BlockWalk", 4, "block_spmm">,   // walks the bits of live blocks of A
  I32EnumAttrCase<"Packed", 5, "packed_spmm">,     // lists of packed micro-tiles of few k
  I32EnumAttrCase<"Pieces", 6, "row_piece_spmm">,  // gathers live pieces of single rows
  I32EnumAttrCase<"Sampled", 7, "sddmm">,          // listed blocks of C
  I32EnumAttrCase<"SampledOrFill", 8, "sddmm_or_fill">,   // blocks of C by a mask, the others filled
  I32EnumAttrCase<"Batched", 9, "batched_gemm">,   // a dense product for each batch
  I32EnumAttrCase<"Convolution", 10, "implicit_gemm">, // rows of A are windows
  I32EnumAttrCase<"RaggedK", 11, "ragged_k_gemm">  // segments of listed k, each with a C of its own
]>;

def PIT_KernelEngine : PIT_Enum<"KernelEngine", "what multiplies", [
  I32EnumAttrCase<"Wgmma", 0, "wgmma">,   // warpgroups, operands in shared memory
  I32EnumAttrCase<"Mma", 1, "mma_sync">,  // warps, operands in registers
  I32EnumAttrCase<"Simt", 2, "simt">      // threads
]>;

def PIT_VariantGuard : PIT_Enum<"VariantGuard", "when a variant runs", [
  I32EnumAttrCase<"Rows", 0, "rows">,   // at most so many rows
  I32EnumAttrCase<"Live", 1, "live">,   // more live than the limit, in 1/256 of what the family counts
  I32EnumAttrCase<"Packed", 2, "packed">, // where nothing was packed, by the same limit
  I32EnumAttrCase<"Sampled", 3, "sampled">  // a larger share of blocks is live than the limit, in 1/256
]>;

def PIT_MaskedOperand : PIT_Enum<"PlanMask", "what of an operand a kernel takes for zero", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"Blocks", 1, "blocks">, // dead blocks, by bits: they are not loaded
  I32EnumAttrCase<"Rows", 2, "rows">,     // dead pieces of rows, by bits
  I32EnumAttrCase<"Bytes", 3, "bytes">    // dead micro-tiles of few k, by a mask of bytes
]>;

def PIT_VariantAttr : AttrDef<PIT_Dialect, "Variant"> {
  let mnemonic = "variant";
  let summary = "another plan of the same kernel, and when it runs";
  let description = [{
    Blocks of a kernel may do the work of another plan instead, which they decide from what is on the device: `rows` are at
    most `limit`, or more is `live`, or more blocks of the output are `sampled`, than `limit`/256, or nothing was `packed` since more was live.

    Constraints:
    * V1: `limit` is not negative.
    * V2: `plan` has no group, no `rows_from` or `bits_from`, and variants only of the guard `rows`.
  }];
  let parameters = (ins EnumParameter<PIT_VariantGuard>:$guard, "int64_t":$limit, "PlanAttr":$plan);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def PIT_PlanAttr : AttrDef<PIT_Dialect, "Plan"> {
  let mnemonic = "plan";
  let summary = "how a kernel computes a contraction";
  let description = [{
    All that a conversion chooses, and nothing that the op says itself. `--pit-plan-kernels` attaches plans; one that is written
    on an op by hand is kept, and verified against the op and the chip.

    | field | meaning |
    |---|---|
    | `family` | the family of kernels, see `--pit-plan-kernels` |
    | `engine` | `wgmma`, `mma_sync` or `simt` |
    | `tile` | rows and columns of a tile of the output (columns of all B side by side), and, but for `wgmma`, k |
    | `warp_tile` | rows and columns of a warp, but for `wgmma` |
    | `stages` | of the ring in shared memory between loads and products |
    | `consumers` | warpgroups that multiply |
    | `producer` | whether one more warpgroup does nothing but load (warp-specialised) |
    | `blocks_per_sm` | thread blocks that share a multiprocessor |
    | `split_k` | blocks, a cluster, that share the steps along k of a tile |
    | `group_m` | tiles along m that follow one another, to share B in the L2 cache |
    | `swap_ab` | columns of B are the rows of the instructions (for few rows) |
    | `swap_tails` | only for tiles where a segment ends |
    | `extra_rows` | rows that the last tile of a segment may have beyond the tile |
    | `tma_store` | the copy engine stores C |
    | `box_columns` | columns of a box of B, where variants share its tensor map; 0 for those of a tile |
    | `dynamic` | a persistent kernel whose blocks draw tiles from a counter; otherwise each has a fixed stride |
    | `streams_b` | if A has at least so many bytes, B is read once and bypasses the L2 cache; 0: never |
    | `copies_rows` | threads copy rows of B; otherwise the copy engine does |
    | `pieces` | pieces of k whose live rows are gathered together |
    | `mask` | what counts as zero where it is dead, of the variant that skips nothing |
    | `group`, `part` | products of one launch have a group in common, each is a part |
    | `rows_from` | the group that writes the rows of A: the kernel waits for the rows of each of its tiles, which flags count, and not for the end of the other one |
    | `bits_from` | the group that writes A, and the bits of its live blocks with it |
    | `tf32` | f32 are multiplied as one (1) or three (3) products of tf32; 0: as they are |
    | `variants` | other plans of the same kernel |

    Constraints:
    * K1: `tile` has two positive extents, three but for `wgmma`; `stages`, `consumers`, `blocks_per_sm`, `split_k`, `group_m` and
      `pieces` are positive.
    * K2: `split_k` above 1 needs `swap_ab`.
    * K3: `swap_ab` and `swap_tails` exclude each other; `extra_rows` needs `swap_tails`.
    * K4: tiles of `wgmma` have multiples of 64 rows, or, with `swap_ab`, of 8 rows and of 64 columns.
    * K5: `dynamic`, `streams_b`, `swap_tails` and `rows_from` are for segments (`grouped_gemm`), `bits_from` for blocks
      (`block_spmm`).
    * K6: without a `producer` (a reference that the specialised loop is measured against) there are three stages at least and one
      block per multiprocessor takes whole tiles.
    * K7: variants are in descending order of their limits where these are of rows.
  }];
  let parameters = (ins
    EnumParameter<PIT_KernelFamily>:$family,
    PIT_DefaultedEnum<PIT_KernelEngine, "KernelEngine::Wgmma">:$engine,
    "DenseI64ArrayAttr":$tile,
    OptionalParameter<"DenseI64ArrayAttr">:$warp_tile,
    "int64_t":$stages,
    DefaultValuedParameter<"int64_t", "1">:$consumers,
    DefaultValuedParameter<"bool", "true">:$producer,
    DefaultValuedParameter<"int64_t", "1">:$blocks_per_sm,
    DefaultValuedParameter<"int64_t", "1">:$split_k,
    DefaultValuedParameter<"int64_t", "16">:$group_m,
    DefaultValuedParameter<"bool", "false">:$swap_ab,
    DefaultValuedParameter<"bool", "false">:$swap_tails,
    DefaultValuedParameter<"int64_t", "0">:$extra_rows,
    DefaultValuedParameter<"bool", "false">:$tma_store,
    DefaultValuedParameter<"int64_t", "0">:$box_columns,
    DefaultValuedParameter<"bool", "false">:$dynamic,
    DefaultValuedParameter<"int64_t", "0">:$streams_b,
    DefaultValuedParameter<"bool", "false">:$copies_rows,
    DefaultValuedParameter<"int64_t", "1">:$pieces,
    PIT_DefaultedEnum<PIT_MaskedOperand, "PlanMask::None">:$mask,
    DefaultValuedParameter<"int64_t", "-1">:$group,
    DefaultValuedParameter<"int64_t", "0">:$part,
    DefaultValuedParameter<"int64_t", "-1">:$rows_from,
    DefaultValuedParameter<"int64_t", "-1">:$bits_from,
    DefaultValuedParameter<"int64_t", "0">:$tf32,
    OptionalParameter<"ArrayAttr">:$variants
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // PIT_DIALECT_PIT_IR_PITPLANATTRS_TD
