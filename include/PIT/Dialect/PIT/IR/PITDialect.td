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

    The table below declares the discardable attributes of this dialect. The verifier rejects one that stands elsewhere,
    or has another type or value. It also checks names. A misspelt name is an error that suggests the right one if the
    program would mean something else without the attribute: if it resembles `pit.sparse`, `pit.source`, `pit.checks`, `pit.entry`,
    `pit.program`, `pit.status` or `pit.waits`, or no name at all. All other attributes are hints, which choose among
    ways to compute the same, or only inform. A misspelt hint has no effect, and `--pit-check-program`, the first pass
    of each pipeline, warns of it.

    | attribute | value | on | meaning |
    |---|---|---|---|
    | `pit.sparse` | dictionary | argument of a function; op with one ranked tensor as result | marks the tensor as sparse in IR that does not know this dialect; `--pit-materialize-marks` has the keys |
    | `pit.source` | string; array of strings, one per result, empty for none | op with ranked tensors as results | names results, for `from` of a `pit.sparse` in the same function; one name stands for one result |
    | `pit.dense` | unit | op | leave this op as it is |
    | `pit.dense_variant` | bool | structured op, `pit.generic`, `pit.tiled` | whether the op may run dense where little is dead; true by default |
    | `pit.dense_variant_of` | integer from 0 | structured op | the number of the rule whose dense variant this op is |
    | `pit.rule` | integer from 0 | structured op that is left dense | number of the rule that would apply |
    | `pit.rules` | array of dictionaries with integers `id` and `pattern` | function | what `pit-run --report` says of each rule that was applied |
    | `pit.axes` | array of strings, one per iteration axis | structured op, `pit.generic` | what `--pit-annotate-axes` found: `"parallel"`, `"reduction"` or `"refused: <reason>"` |
    | `pit.facts` | array of strings | op | what `--pit-propagate-sparsity` knows of results where a pattern is dead |
    | `pit.restricted` | string | op | which points `--pit-propagate-sparsity` found that the op may skip |
    | `pit.live` | float of 0 to 1 | `pit.sparse` | the expected share of live blocks, at the pattern's granularity; affects speed, never results |
    | `pit.checks` | symbol of a function | function | the function that checks the arguments of this one, see `pit.check` |
    | `pit.cleared` | unit | `pit.sparse` by values | the tensor was set to zero where this mark is dead; the mark is dropped if no micro-tile can be chosen |
    | `pit.draw_tiles` | bool | `pit.tiled` | dynamic tile scheduling: blocks draw tiles from a counter; otherwise tiles have a fixed stride |
    | `pit.short_segments` | bool | `pit.tiled` | choose tiles for segments of less than about 256 rows |
    | `pit.strips_of_tile` | integer of 1 to 8 | `pit.tiled` | strips of rows in a tile, at most |
    | `pit.plan` | `#pit.row_plan` | structured op on buffers | how a kernel computes this op, alone or together with the other ops of its group |
    | `pit.pieces_of_group` | 1 or 2 | `pit.tiled` | pieces of 64 k whose rows are gathered together |
    | `pit.status` | unit | argument of a function, `memref<4xi64>` | the status buffer, see `docs/RuntimeABI.md` |
    | `pit.version` | dictionary with `alignment`, `"any"`, `"aligned"` or `"unaligned"`, `least` and `most`, i64 from 0, and `expected`, four positive i64 | `pit.contract` on buffers, in the domain `dense` or `batches` | the product stands several times, and the host launches the one whose condition holds (function multiversioning): C has at least `least` elements and, unless `most` is 0, fewer than `most`; `aligned`: rows and batches of A, B and C are multiples of 16 bytes apart, n is one of 16 bytes of C and, where A has elements of at most 16 bits, of 8, and k is not 0; `unaligned`: that is not so. Its tiles are chosen for m, n, k and batches as in `expected`, where the op does not say them |
    | `pit.waits` | unit | kernel | the kernel itself waits for the end of the kernel before (programmatic dependent launch), at its start or at its end |
    | `pit.waits_last` | unit | argument of a kernel, `i32` | if not 0, the launch is independent of the kernels that may still run when it starts, and waits at its end |
    | `pit.entry` | dictionary with `name`, a string, and `type`, a function's | function | the signature of the entry point `pit_NAME`, with buffers for tensors |
    | `pit.splits` | dictionary with `inputs` and `results`, arrays of strings | function | how the ranks of `--pit-shard-experts` share arguments and results: `whole`, or `rows D`, `experts D` or `cut D`, along dimension D; in front of that pass also `any` |
    | `pit.in_place` | unit | op in a function, `shard.all_gather` | what is gathered is read where the ranks have it |
    | `pit.phases` | string | module | the phases of a program on several ranks, see `--pit-split-phases` |
    | `pit.program` | dictionary with `target`, `"cpu"` or `"cuda"`, and `chip`, a string | module | what the program was compiled for |
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::nvgpu::NVGPUDialect", "::mlir::tensor::TensorDialect"];
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  // The table above says where they stand; DiscardableAttributes.cpp verifies it.
  let discardableAttrs = (ins
    "::mlir::DictionaryAttr":$sparse,
    "::mlir::Attribute":$source,
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
    "::mlir::DictionaryAttr":$version,
    "::mlir::UnitAttr":$waits,
    "::mlir::UnitAttr":$waits_last,
    "::mlir::DictionaryAttr":$entry,
    "::mlir::DictionaryAttr":$program,
    "::mlir::DictionaryAttr":$splits,
    "::mlir::UnitAttr":$in_place,
    "::mlir::StringAttr":$phases
  );
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

#endif // PIT_DIALECT_PIT_IR_PITDIALECT_TD
