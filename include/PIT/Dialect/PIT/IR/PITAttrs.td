//===- PITAttrs.td - Attributes of the pit dialect ---------*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITATTRS_TD
#define PIT_DIALECT_PIT_IR_PITATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "PIT/Dialect/PIT/IR/PITEnums.td"

class PIT_DefaultedEnum<EnumInfo info, string value> : EnumParameter<info> {
  let defaultValue = value;
}

def PIT_PatternAttr : AttrDef<PIT_Dialect, "Pattern"> {
  let mnemonic = "pattern";
  let summary = "which elements of a tensor are live";
  let description = [{
    A pattern is a set of live points over the *pattern space*: dimension `i` of that space is dimension
    `axes[i]` of the tensor that carries the pattern. It is constant along every other dimension.

    | field | meaning |
    |---|---|
    | `kind` | `values`, `mask`, `lengths`, `routing` or `blocks` |
    | `axes` | dimensions of the carrying tensor, one per dimension of the pattern space |
    | `absent` | the value outside: `zero`, `neg_inf`, or `undef` (read by nobody) |
    | `pad` | for `lengths`: the padded side |
    | `tile` | micro-tile extents in elements, one per axis; 1 where not given |
    | `at_most` | an upper bound on the live points of each row of the pattern space (its first dimension) |

    Constraints:
    * P1: `axes` is not empty, its entries are distinct and not negative.
    * P2: `tile` is empty or has one positive entry per axis.
    * P3: `lengths` has exactly two axes (sequence, position).
    * P4: `undef` is not allowed for `values`: no value could be told to be absent.
    * P5: `at_most`, when given, is positive.

    Example: `#pit.pattern<kind = lengths, axes = [0, 1], absent = undef>`
  }];
  let parameters = (ins
    EnumParameter<PIT_PatternKind>:$kind,
    "DenseI64ArrayAttr":$axes,
    PIT_DefaultedEnum<PIT_Absent, "Absent::Zero">:$absent,
    PIT_DefaultedEnum<PIT_Padding, "Padding::Right">:$pad,
    OptionalParameter<"DenseI64ArrayAttr">:$tile,
    DefaultValuedParameter<"int64_t", "0">:$at_most
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Micro-tile extent along dimension `i` of the pattern space, in elements.
    int64_t getTileExtent(unsigned i) const {
      return getTile() ? getTile()[i] : int64_t(1);
    }
    unsigned getRank() const { return getAxes().size(); }
    bool hasBound() const { return getAtMost() > 0; }
  }];
}

#endif // PIT_DIALECT_PIT_IR_PITATTRS_TD
