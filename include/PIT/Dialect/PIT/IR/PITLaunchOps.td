//===- PITLaunchOps.td - What hosts pass to kernels --------*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITLAUNCHOPS_TD
#define PIT_DIALECT_PIT_IR_PITLAUNCHOPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "PIT/Dialect/PIT/IR/PITAttrs.td"
include "PIT/Dialect/PIT/IR/PITOpBase.td"

def PIT_TensorMap : Type<CPred<"::llvm::isa<::mlir::nvgpu::TensorMapDescriptorType>($_self)">, "tensor map",
                         "::mlir::nvgpu::TensorMapDescriptorType">;

def PIT_RoundedTensorMapOp : PIT_Op<"rounded_tensor_map", [
    Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface, ["getViewSource"]>]> {
  let summary = "a tensor map whose copies round elements";
  let description = [{
    What `nvgpu.tma.create.descriptor` makes, for copies that turn the buffer's elements into those of `rounded` on their way
    into shared memory: tf32, to which the copy engine rounds f32, to nearest, ties to even. The descriptor's tile has elements
    as they lie in memory, where both have 32 bits. An op of its own, as a product of elements that were not rounded is
    another one: who does not know this op refuses it.

    Constraints:
    * H1: elements of the buffer and of the tile are f32, and `rounded` is tf32.
    * H2: there is one extent of the box per axis of the tile.

    Example:
    ```mlir
    %map = pit.rounded_tensor_map %a box[%c128, %c32] to tf32
      : memref<*xf32> -> <tensor = memref<128x32xf32, 3>, swizzle = swizzle_128b,
          l2promo = none, oob = zero, interleave = none>
    ```
  }];
  let arguments = (ins AnyUnrankedMemRef:$tensor, Variadic<Index>:$box_dimensions, TypeAttr:$rounded);
  let results = (outs PIT_TensorMap:$tensor_map);
  let assemblyFormat = [{
    $tensor `box` `[` $box_dimensions `]` `to` $rounded attr-dict `:` type($tensor) `->` type($tensor_map)
  }];
  let hasVerifier = 1;
}

def PIT_WindowTensorMapOp : PIT_Op<"window_tensor_map", [
    Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface, ["getViewSource"]>]> {
  let summary = "a tensor map whose copies are windows";
  let description = [{
    A map of a tensor [image, position ..., channel] for the copy engine's im2col mode: a copy has an element each of
    `box_dimensions[0]` windows, one behind the other across rows and images, with `box_dimensions[1]` channels.

    Constraints:
    * W1: the tile has two axes, as many as the box has extents.

    Example:
    ```mlir
    %map = pit.window_tensor_map %a box[%c128, %c64] of <size = [3, 3], strides = [1, 1], dilations = [1, 1], low = [1, 1],
                                                         positions = [56, 56]>
      : memref<*xbf16> -> <tensor = memref<128x64xbf16, 3>, swizzle = swizzle_128b,
          l2promo = none, oob = zero, interleave = none>
    ```
  }];
  let arguments = (ins AnyUnrankedMemRef:$tensor, Variadic<Index>:$box_dimensions, PIT_WindowAttr:$window);
  let results = (outs PIT_TensorMap:$tensor_map);
  let assemblyFormat = [{
    $tensor `box` `[` $box_dimensions `]` `of` $window attr-dict `:` type($tensor) `->` type($tensor_map)
  }];
  let hasVerifier = 1;
}

def PIT_SignaledOp : PIT_Op<"signaled", [
    Pure, AllTypesMatch<["source", "result"]>, DeclareOpInterfaceMethods<ViewLikeOpInterface, ["getViewSource"]>]> {
  let summary = "memory whose rows one launch signals to a later one";
  let description = [{
    The buffer or tensor map as it is, for an operand of a launch. Of two launches that take the same buffers through this op,
    the second waits inside, by flags, for what it reads there of what the first writes. It need not wait for the end of the
    first. The flags are among these buffers. Both launches write them, and the first writes all others. `--pit-delay-launches`
    relies on it and takes the op away.

    It is a value, so that it follows the operand through whatever becomes of the launch. Without it, launches wait for each
    other, which is always right.

    Example:
    ```mlir
    %shared = pit.signaled %flags : memref<i32>
    gpu.launch_func @kernels::@second blocks in ... args(%shared : memref<i32>, ...)
    ```
  }];
  let arguments = (ins AnyTypeOf<[AnyStridedMemRef, PIT_TensorMap]>:$source);
  let results = (outs AnyTypeOf<[AnyStridedMemRef, PIT_TensorMap]>:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def PIT_HostLoopOp : PIT_Op<"host_loop", [
    AttrSizedOperandSegments, DestinationStyleOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a loop of the host around the launches of a function";
  let description = [{
    Calls the private function `body` for each iteration of an `scf.for` with these bounds and this step, a step below 1 counting as 1. The
    function takes the number of the iteration, what is carried and what is captured, and returns what is carried on. Tensors stay on the
    device; the host computes how often it iterates from the arguments of a call, before it launches anything, and never waits.

    Of each tensor that is carried there are two destinations, first all those in which the result is in the end, then as many others. Iterations
    write them by turns, so that none writes what it reads. What the others hold in the end is not said. The function and the op belong together: no other
    op names the function, so that its buffers have a place in the caller's workspace.

    Constraints:
    * L1: there are two destinations of the elements and extents of each tensor that is carried, and results of the types of the destinations, or, on
      buffers, none.
    * L2: `body` is a private function of one block; it takes an index, what is carried and what is captured, and returns what is carried. On buffers it
      may take its status buffer as well.

    Example:
    ```mlir
    %y:2 = pit.host_loop @main_loop(%c0 to %n step %c1) carries(%x : tensor<64x64xf32>) captures(%w : tensor<64x64xf32>)
        outs(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>, tensor<64x64xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$body, Index:$lower, Index:$upper, Index:$step, Variadic<PIT_TensorOrBuffer>:$carried,
                       Variadic<AnyType>:$captured, Variadic<PIT_TensorOrBuffer>:$outs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $body `(` $lower `to` $upper `step` $step `)` `carries` `(` ($carried^ `:` type($carried))? `)`
    (`captures` `(` $captured^ `:` type($captured) `)`)? `outs` `(` ($outs^ `:` type($outs))? `)` attr-dict (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }
    /// The function, where the module has it.
    func::FuncOp findBody();
  }];
}

#endif // PIT_DIALECT_PIT_IR_PITLAUNCHOPS_TD
