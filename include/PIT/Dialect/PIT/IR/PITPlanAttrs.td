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
    Blocks of a kernel may follow another plan instead. They decide that on the device, by the guard: there are at most
    `limit` rows (`rows`); more than `limit`/256 is live (`live`); more than `limit`/256 of the output's blocks are
    sampled (`sampled`); nothing was packed, as more than `limit`/256 was live (`packed`).

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
    Everything that a conversion chooses, and nothing that the op says itself. `--pit-plan-kernels` attaches plans. A
    plan that is written by hand is kept, and verified against the op and the chip.

    | field | meaning |
    |---|---|
    | `family` | the family of kernels, see `--pit-plan-kernels` |
    | `engine` | `wgmma`, `mma_sync` or `simt` |
    | `tile` | rows and columns of a tile of the output (with `second`, the columns of both products), and k unless the engine is `wgmma` |
    | `warp_tile` | rows and columns of a warp's part of the tile, unless the engine is `wgmma` |
    | `stages` | pipeline stages: the ring in shared memory between loads and products |
    | `consumers` | warpgroups that multiply |
    | `producer` | whether one more warpgroup only loads (warp specialisation) |
    | `blocks_per_sm` | thread blocks that are resident on a multiprocessor |
    | `split_k` | blocks of a cluster that share the k of a tile (split-K) |
    | `group_m` | tile order (rasterisation): consecutive tiles along m, which share B in the L2 cache |
    | `swap_ab` | swap A and B: columns of B are the rows of the matrix instructions, for products of few rows |
    | `swap_tails` | swap A and B only in tiles where a segment ends |
    | `extra_rows` | rows by which the last tile of a segment may exceed the tile |
    | `tma_store` | the copy engine (TMA) stores C |
    | `box_columns` | columns of a TMA box of B, if variants share its tensor map; 0 for those of a tile |
    | `dynamic` | dynamic tile scheduler: blocks of the persistent kernel draw tiles from a counter; otherwise tiles have a fixed stride |
    | `streams_b` | if A has at least this many bytes, B is read once and bypasses the L2 cache; 0: never |
    | `copies_rows` | threads copy rows of B; otherwise TMA does |
    | `pieces` | pieces of k whose live rows are gathered together |
    | `mask` | how the dense variant treats dead data, which may hold anything, as zero |
    | `group`, `part` | products that share one launch (horizontal fusion) have the same group, and each its own part |
    | `rows_from` | the group that writes the rows of A: for each tile, the kernel waits by flags for the rows of A, and not for the end of the other kernel |
    | `bits_from` | the group that writes A, and the bitmap of its live blocks |
    | `tf32` | a product of f32 is one (1) or three (3) products of tf32; 0: it is computed in f32 |
    | `variants` | other plans of the same kernel |

    Constraints:
    * K1: `tile` has two positive extents with `wgmma`, otherwise three; `stages`, `consumers`, `blocks_per_sm`, `split_k`, `group_m` and
      `pieces` are positive.
    * K2: `split_k` above 1 needs `swap_ab`.
    * K3: `swap_ab` and `swap_tails` exclude each other; `extra_rows` needs `swap_tails`.
    * K4: tiles of `wgmma` have multiples of 64 rows, or, with `swap_ab`, of 8 rows and of 64 columns.
    * K5: `dynamic`, `streams_b`, `swap_tails` and `rows_from` are for segments (`grouped_gemm`), `bits_from` for blocks
      (`block_spmm`).
    * K6: without a `producer` (a reference that the warp-specialised loop is measured against), there are at least three stages
      and one block per multiprocessor.
    * K7: variants guarded by `rows` are in descending order of their limits.
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
