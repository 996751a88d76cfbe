//===- PITPiecesOps.td - Tensors that arrive in pieces -----*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITPIECESOPS_TD
#define PIT_DIALECT_PIT_IR_PITPIECESOPS_TD

include "PIT/Dialect/PIT/IR/PITOpBase.td"

def PIT_AwaitPiecesOp : PIT_Op<"await_pieces", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "waits for the pieces of a tensor that others write";
  let description = [{
    `source` has as many pieces as `arrived` has elements, one behind the other along dimension 0 and of equal size: those of
    several ranks, of which `own` runs the program. Its piece is there. The others are written by others while the program
    runs, who then set the piece's element of `arrived` to something else than 0, for all of the system to see (release).
    Behind the op, all pieces are there.

    On tensors, the result is `source` with all pieces. On buffers there is no result: what stands behind the op may
    read the buffer. `--pit-split-phases` makes this op of tensors that phases need later than others. A kernel that
    gathers rows of the buffer, and is all that reads it, waits for the pieces of each of its tiles instead. Elsewhere
    `--convert-pieces-to-gpu` makes a kernel that waits.

    Constraints:
    * P1: `source` has one dimension or more; if its first extent is known, it is a multiple of the number of pieces.
    * P2: tensors have a result of the type of `source`, buffers have none.

    Example:
    ```mlir
    %all = pit.await_pieces %x arrived(%words) own(%rank) : tensor<?x2048xbf16>, tensor<2xi32> -> tensor<?x2048xbf16>
    ```
  }];
  let arguments = (ins PIT_TensorOrBuffer:$source, PIT_ListOf<[I32]>:$arrived,
                       Index:$own);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $source `arrived` `(` $arrived `)` `own` `(` $own `)` attr-dict `:` type($source) `,` type($arrived)
    (`->` type($result)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// How many pieces there are.
    int64_t getNumPieces() { return ::llvm::cast<::mlir::ShapedType>(getArrived().getType()).getDimSize(0); }
    bool isOnBuffers() { return ::llvm::isa<::mlir::MemRefType>(getSource().getType()); }
  }];
}

#endif // PIT_DIALECT_PIT_IR_PITPIECESOPS_TD
