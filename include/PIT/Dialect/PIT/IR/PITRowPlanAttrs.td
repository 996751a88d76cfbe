//===- PITRowPlanAttrs.td - Plans of attention and of rows -*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that are no products of matrices have plans of their own kinds: an op
// that takes one says so in its type, and nobody who reads one has to know
// which fields of `#pit.plan` mean nothing there.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITROWPLANATTRS_TD
#define PIT_DIALECT_PIT_IR_PITROWPLANATTRS_TD

include "PIT/Dialect/PIT/IR/PITPlanAttrs.td"

def PIT_AttentionPlanAttr : AttrDef<PIT_Dialect, "AttentionPlan"> {
  let mnemonic = "attention_plan";
  let summary = "how a kernel computes attention";
  let description = [{
    What `--convert-attention-to-gpu` needs to know beyond the op. `--pit-plan-kernels` attaches plans. A plan that is
    written by hand is kept.

    | field | meaning |
    |---|---|
    | `engine` | what multiplies: `mma_sync`, or `wgmma` |
    | `tile` | rows of a block, which are queries of one point of the batch, and keys of a step |
    | `warps` | warps of a block |
    | `stages` | steps of K and V that shared memory holds; with one, a step is copied after the previous one was multiplied |
    | `groups` | whether queries of all heads that share keys and values are rows of one tile (packed GQA); it has those axes of the batch that keys, values, modifiers and logits lack |
    | `parts` | into how many parts keys are cut, a block each, at most (split-K, Flash-Decoding) |

    Constraints:
    * P1: `tile` has two positive extents, `stages` is of 1 to 8, `warps` of 1 to 32.
    * P2: `engine` is `mma_sync` or `wgmma`.
    * P3: a warp has 16 rows. With `wgmma`, `tile` has 16 for each of `warps`, four of which load and have none. With `mma_sync`,
      several warps may have the same rows, and each of these its share of a step's keys. Keys, or a share of them, are a multiple
      of 16, and at most 256, as a thread holds half as many scores.
    * P4: `groups` and `parts` are for `mma_sync`; there are 1 to 1024 parts.

    The rest follows from that and the op. With `mma_sync`, the rows of Q, K and V lie in shared memory as in the operands, in
    swizzled chunks of 16 bytes, which `cp.async` copies. What takes more than 48 KiB lies in dynamic shared memory. There is a
    block for each tile of queries, head and sequence, those of a causal op that have most to do first. With `parts`, a block has
    a part of the steps, and leaves sums that are not divided, the largest logit, and the sum of weights, in f32. A second kernel joins
    them in the order of parts. Where extents are not known, there are no more parts than fill the card.
  }];
  let parameters = (ins
    EnumParameter<PIT_KernelEngine>:$engine,
    "DenseI64ArrayAttr":$tile,
    "int64_t":$warps,
    "int64_t":$stages,
    DefaultValuedParameter<"bool", "false">:$groups,
    DefaultValuedParameter<"int64_t", "1">:$parts
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getQueries() const { return getTile()[0]; }
    int64_t getKeys() const { return getTile()[1]; }
    /// How many warps have the same rows, and the keys of each.
    int64_t getShares() const {
      return getEngine() == KernelEngine::Wgmma ? 1 : getWarps() * 16 / getQueries();
    }
    int64_t getKeysOfWarp() const { return getKeys() / getShares(); }
    int64_t getThreads() const { return 32 * getWarps(); }
  }];
}

def PIT_RowFamily : PIT_Enum<"RowFamily", "families of kernels for rows", [
  I32EnumAttrCase<"RowWise", 0, "row_wise">,       // maps and reductions along each row
  I32EnumAttrCase<"SegmentSum", 1, "segment_sum">, // sums of listed rows, one for each segment
  I32EnumAttrCase<"ListMap", 2, "list_map">,       // a number for each listed element
  I32EnumAttrCase<"Fill", 3, "fill">,              // a constant everywhere
  I32EnumAttrCase<"Reduce", 4, "reduce">,          // reductions over any axes, in parts
  I32EnumAttrCase<"Windows", 5, "windows">,        // reductions over small windows, each for itself
  I32EnumAttrCase<"Scan", 6, "scan">               // running sums along rows
]>;

def PIT_RowPlanAttr : AttrDef<PIT_Dialect, "RowPlan"> {
  let mnemonic = "row_plan";
  let summary = "how a kernel computes rows";
  let description = [{
    What `--convert-rows-to-gpu` and `--convert-sums-to-gpu` need to know beyond the op. `--pit-plan-kernels` attaches
    plans: to a `pit.tiled` as its `plan`, to structured ops as `pit.plan`. A plan that is written by hand is kept.

    | field | meaning |
    |---|---|
    | `family` | `row_wise`: each row from the same row, with elementwise ops and reductions along it; `segment_sum`: sums of listed rows, one for each segment; `list_map`: a number for each listed element; `fill`: a constant in all of a buffer; `reduce`: a reduction over any axes; `windows`: a reduction over windows of few elements, as in pooling and depthwise convolutions; `scan`: running sums along rows |
    | `tile` | rows of a block, and columns that its threads take side by side; more columns are taken in turn. Of `reduce`, columns are what lies side by side in memory, and rows are results if columns are reduced over, else what is reduced over. Of `windows`, columns are results that lie side by side, and rows are those that a thread has along the first axis on which it slides. Of `scan`, columns are those that all threads of a row take together |
    | `vector` | neighbouring columns that a thread loads and stores together |
    | `unroll` | of sums: listed rows that a thread loads before it adds the first; of `reduce`: vectors; of `windows`: results of a thread along the second axis on which it slides; of `scan`: neighbouring rows that neighbouring threads have |
    | `evict_first` | of sums: rows that are read once are evicted from the L2 cache first |
    | `max_blocks` | the most blocks of a persistent kernel, whose tiles have a fixed stride; 0: a block for each tile |
    | `group` | structured ops with the same number are one kernel, at the place of the last of them, or of `fill` the first |

    A block has `tile[0] * tile[1] / vector` threads, of `windows` `tile[1] / vector`.

    Constraints:
    * P1: `tile` has two positive extents, `vector` and `unroll` are powers of two up to 16, `max_blocks` is not negative.
    * P2: `vector` divides `tile[1]`; threads are whole warps, 1024 at most, or 2048 of a row of `row_wise`.
    * P3: of `row_wise`, a row has a power of two of threads up to a warp, or all of the block or cluster. Of `segment_sum`, it has a
      power of two of them; of `reduce` and `scan`, a row and a block have.
    * P4: a tile of `list_map` has one column, one of `fill` one row.
    * P5: `unroll` is for `segment_sum`, `reduce`, `windows` and `scan`, `evict_first` for `segment_sum`, `group` for `row_wise`,
      `windows`, `scan` and `fill`. A block of `segment_sum` has one tile: `max_blocks` is 0 there, and positive elsewhere.
    * P6: a thread of `windows` has at most 16 results along an axis, and 64 elements of them.
    * P7: a block of `scan` has at least `unroll` rows.

    What follows from that and the op: vectors are loaded and stored 16 bytes at a time, at most. Reductions along a row go
    through the lanes of a warp and then, where a row has several warps, through shared memory. Rows are in registers from loads
    to stores. A warp has several short rows; all of its lanes take part in each step, and those without a row store nothing. If a thread has more than 64 elements of a row, each reduction, and what is stored, is a sweep over the row
    instead. A fill that an op starts from, and an elementwise op behind sums that alone reads them, are done by the op's
    kernel, unless they are planned themselves. With `evict_first`, rows leave the L2 cache first that are listed no more often
    than there are rows. Where results are fewer than half of `max_blocks` compute at a time, `reduce` cuts what is reduced over
    into parts, and a second kernel combines them. So does `scan`, whose first kernel adds up parts, and whose second one starts from
    what is before. A kernel of `windows` reads each element of a thread's windows once. Padding
    is not read from memory: where a load would be outside of the tensor, it takes the constant with which the padded buffer was
    filled.
  }];
  let parameters = (ins
    EnumParameter<PIT_RowFamily>:$family,
    "DenseI64ArrayAttr":$tile,
    DefaultValuedParameter<"int64_t", "1">:$vector,
    DefaultValuedParameter<"int64_t", "1">:$unroll,
    DefaultValuedParameter<"bool", "false">:$evict_first,
    DefaultValuedParameter<"int64_t", "0">:$max_blocks,
    DefaultValuedParameter<"int64_t", "-1">:$group
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Rows of a block, threads of one of them, and of all.
    int64_t getRows() const { return getTile()[0]; }
    int64_t getThreadsOfRow() const { return getTile()[1] / getVector(); }
    int64_t getThreads() const {
      return getFamily() == RowFamily::Windows ? getThreadsOfRow() : getRows() * getThreadsOfRow();
    }
  }];
}

#endif // PIT_DIALECT_PIT_IR_PITROWPLANATTRS_TD
