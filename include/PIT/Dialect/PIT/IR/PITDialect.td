//===- PITDialect.td - The pit dialect ---------------------*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITDIALECT_TD
#define PIT_DIALECT_PIT_IR_PITDIALECT_TD

include "mlir/IR/OpBase.td"

def PIT_Dialect : Dialect {
  let name = "pit";
  let cppNamespace = "::mlir::pit";
  let summary = "Dynamic sparsity of programs written as if they were dense";
  let description = [{
    The `pit` dialect describes where the zeros of a dense-written program come from (level 1,
    `pit.sparse`), the index of live micro-tiles found at run time (level 2, `pit.detect`), structured
    ops that run over such an index (level 2, `pit.generic`), and the same ops cut into dense tiles that
    are filled by gathering (level 3, `pit.tiled`, `pit.sread`, `pit.swrite`).

    It rests on the permutation-invariant transformation of Zheng et al., "PIT: Optimization of Dynamic
    Sparse Deep Learning Models via Permutation Invariant Transformation", SOSP 2023: along a PIT-axis
    any permutation of the data leaves the result unchanged, or permutes it the same way, so live
    micro-tiles may be packed into full tiles while they are loaded.

    Numbered constraints (`C1`, `C2`, ...) in the descriptions are those of `docs/Semantics.md` and of
    the verifiers' diagnostics.

    The table below declares the discardable attributes of this dialect. The verifier refuses those that stand elsewhere, or
    that have another type or value. A misspelt name is an error that suggests the right one where the program would mean
    something else without the attribute: near `pit.sparse`, `pit.checks`, `pit.entry`, `pit.program`, `pit.status` and
    `pit.waits`, or near no name at all. Other attributes only choose among ways to compute the same, or are for reading. A
    misspelt name of those has no effect, and `--pit-check-program`, the first pass of each pipeline, warns of it.

    | attribute | value | on | meaning |
    |---|---|---|---|
    | `pit.sparse` | dictionary | argument of a function; op with one ranked tensor as result | marks the tensor as sparse in IR that does not know this dialect; `--pit-materialize-marks` has the keys |
    | `pit.dense` | unit | op | leave this op as it is |
    | `pit.dense_variant` | bool | structured op, `pit.generic`, `pit.tiled` | whether it may be computed densely where little is dead; true without it |
    | `pit.dense_variant_of` | integer from 0 | structured op | number of the rule that this op computes densely |
    | `pit.rule` | integer from 0 | structured op that is left dense | number of the rule that would apply |
    | `pit.rules` | array of dictionaries with integers `id` and `pattern` | function | what `pit-run --report` says of each rule that was applied |
    | `pit.axes` | array of strings, one per iteration axis | structured op, `pit.generic` | what `--pit-annotate-axes` found: `"parallel"`, `"reduction"` or `"refused: <reason>"` |
    | `pit.facts` | array of strings | op | what `--pit-propagate-sparsity` knows of results where a pattern is dead |
    | `pit.restricted` | string | op | which points `--pit-propagate-sparsity` found that the op may skip |
    | `pit.live` | float of 0 to 1 | `pit.sparse` | the share of the pattern's blocks, each of its granularity, that is expected to be live; says what is fast, never what is computed |
    | `pit.checks` | symbol of a function | function | the function with what must hold of this one's arguments, see `pit.check` |
    | `pit.cleared` | unit | `pit.sparse` by values | the tensor was cleared for this mark, which is dropped where no micro-tiles can be chosen |
    | `pit.draw_tiles` | bool | `pit.tiled` | blocks draw tiles from a counter instead of taking them in turn |
    | `pit.short_segments` | bool | `pit.tiled` | tiles are those for segments of less than about 256 rows |
    | `pit.strips_of_tile` | integer of 1 to 8 | `pit.tiled` | strips of rows in a tile, at most |
    | `pit.plan` | `#pit.row_plan` | structured op on buffers | how a kernel computes it with others of its group, or fills a buffer |
    | `pit.pieces_of_group` | 1 or 2 | `pit.tiled` | pieces of 64 k whose rows are gathered together |
    | `pit.status` | unit | argument of a function, `memref<4xi64>` | the status buffer, see `docs/RuntimeABI.md` |
    | `pit.waits` | unit | kernel | it waits for the end of the kernel before, first or last, so the launch itself need not |
    | `pit.waits_last` | unit | argument of a kernel, `i32` | unless it is 0, the launch has nothing to do with those that may run when it starts, and waits before it ends |
    | `pit.entry` | dictionary with `name`, a string, and `type`, a function's | function | the signature of the entry point `pit_NAME`, with buffers for tensors |
    | `pit.program` | dictionary with `target`, `"cpu"` or `"cuda"`, and `chip`, a string | module | what the program was compiled for |
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::nvgpu::NVGPUDialect", "::mlir::tensor::TensorDialect"];
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  // The table above says where they stand; DiscardableAttributes.cpp verifies it.
  let discardableAttrs = (ins
    "::mlir::DictionaryAttr":$sparse,
    "::mlir::UnitAttr":$dense,
    "::mlir::BoolAttr":$dense_variant,
    "::mlir::IntegerAttr":$dense_variant_of,
    "::mlir::IntegerAttr":$rule,
    "::mlir::ArrayAttr":$rules,
    "::mlir::ArrayAttr":$axes,
    "::mlir::ArrayAttr":$facts,
    "::mlir::StringAttr":$restricted,
    "::mlir::FloatAttr":$live,
    "::mlir::FlatSymbolRefAttr":$checks,
    "::mlir::UnitAttr":$cleared,
    "::mlir::BoolAttr":$draw_tiles,
    "::mlir::BoolAttr":$short_segments,
    "::mlir::IntegerAttr":$strips_of_tile,
    "::mlir::IntegerAttr":$pieces_of_group,
    "::mlir::Attribute":$plan,
    "::mlir::UnitAttr":$status,
    "::mlir::UnitAttr":$waits,
    "::mlir::UnitAttr":$waits_last,
    "::mlir::DictionaryAttr":$entry,
    "::mlir::DictionaryAttr":$program
  );
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

#endif // PIT_DIALECT_PIT_IR_PITDIALECT_TD
