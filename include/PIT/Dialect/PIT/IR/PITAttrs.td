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
    * P4: `undef` is not allowed for `values`: no value says that it is absent.
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

def PIT_WindowAttr : AttrDef<PIT_Dialect, "Window"> {
  let mnemonic = "window";
  let summary = "which elements of a tensor the windows of a convolution have";
  let description = [{
    Windows of a tensor [image, position ..., channel] lie along its axes of positions, one to three. All arrays have one entry
    for each of these, outermost first. Along an axis, window `p` has the elements `p * stride + t * dilation - low` for `t`
    below `size`; outside of the tensor, elements are 0.

    | field | meaning |
    |---|---|
    | `size` | elements of a window |
    | `strides` | from a window to the next one, in elements of the tensor |
    | `dilations` | from an element of a window to the next one |
    | `low` | zeros in front of the tensor |
    | `positions` | how many windows there are |

    Constraints:
    * W1: all arrays have one to three entries, as many as the others.
    * W2: sizes, strides, dilations and positions are positive, `low` is not negative.

    Example: windows of 3 x 3 around each element of 56 x 56:
    `#pit.window<size = [3, 3], strides = [1, 1], dilations = [1, 1], low = [1, 1], positions = [56, 56]>`
  }];
  let parameters = (ins "DenseI64ArrayAttr":$size, "DenseI64ArrayAttr":$strides, "DenseI64ArrayAttr":$dilations,
                        "DenseI64ArrayAttr":$low, "DenseI64ArrayAttr":$positions);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    unsigned getNumAxes() const { return getSize().size(); }
    /// Elements of a window, and windows of an image.
    int64_t getNumTaps() const;
    int64_t getNumPositions() const;
  }];
}

#endif // PIT_DIALECT_PIT_IR_PITATTRS_TD
