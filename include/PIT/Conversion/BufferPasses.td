//===- BufferPasses.td - Views of buffers, taken apart -----*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_BUFFERPASSES_TD
#define PIT_CONVERSION_BUFFERPASSES_TD

include "mlir/Pass/PassBase.td"

def PITExpandStridedMetadata : Pass<"pit-expand-strided-metadata"> {
  let summary = "Expand views of buffers into offsets, sizes and strides";
  let description = [{
    Upstream's `--expand-strided-metadata` with one more pattern. In MLIR 22 the upstream pass crashes on a
    `memref.expand_shape` that has several dynamic extents in one group; the pattern handles these.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::memref::MemRefDialect"];
}

#endif // PIT_CONVERSION_BUFFERPASSES_TD
