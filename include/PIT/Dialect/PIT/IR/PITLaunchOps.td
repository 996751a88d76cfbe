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
    A TMA descriptor, as `nvgpu.tma.create.descriptor` makes it, whose copies round elements to `rounded` on their way
    into shared memory. The copy engine rounds f32 to tf32, to nearest, ties to even. The tile of the descriptor has the
    element type in memory, as both have 32 bits. It is an op of its own because results differ without the rounding: a
    pass that does not know this op refuses it.

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
  let summary = "a tensor map in im2col mode";
  let description = [{
    A TMA descriptor in im2col mode, for a tensor [image, position ..., channel]. A copy has one element of each of
    `box_dimensions[0]` consecutive windows, across rows and images, with `box_dimensions[1]` channels.

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
    Returns the buffer or tensor map unchanged, for an operand of a launch. If two launches take the same buffers
    through this op, the second one waits inside, by flags, for the data that it reads from the first. It need not wait
    for the end of the first. The flags are among these buffers. Both launches write flags; only the first writes the
    other buffers. `--pit-delay-launches` uses this op and removes it.

    It is an op with a result, so that it stays with the operand when passes rewrite the launch. Without it, a launch
    waits for the end of the launch before, which is always correct.

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
    Calls the private function `body` for each iteration of an `scf.for` with these bounds and this step; a step below 1
    counts as 1. The function takes the number of the iteration, the carried values and the captured ones, and returns
    the next carried values. Tensors stay on the device. The host computes the number of iterations from the arguments
    of a call, before it launches anything, and never waits.

    Each carried tensor has two destinations, which iterations write in turn, so that none overwrites what it reads.
    `outs` has first those that hold the results in the end, then the others, whose contents are unspecified after the
    loop. No other op may name the function, so that its buffers can be part of the caller's workspace.

    Constraints:
    * L1: each carried tensor has two destinations of its element type and extents. Results have the types of the first
      destinations; on buffers there are none.
    * L2: `body` is a private function of one block. It takes an index, the carried and the captured values, and returns
      the carried ones. On buffers it may take its status buffer as well.

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

def PIT_AlternativeOp : PIT_Op<"alternative", [MemoryEffects<[MemWrite]>, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "another version of this function, which the host may run instead";
  let description = [{
    Function multiversioning: if the condition holds, the host launches the kernels of the private function `function`, on the
    same arguments, and none of this one; otherwise it launches none of those. Both compute the same, up to the rounding of sums, and each is
    compiled as a program of its own. `--pit-create-alternatives` makes the op, and `--pit-merge-alternatives` makes one
    function of both, when their kernels are known.

    Constraints:
    * A1: `function` is another private function of one block. It has the arguments and results of this one; each may have
      its status buffer as well.

    Example:
    ```mlir
    %rows = tensor.dim %x, %c0 : tensor<?x256xbf16>
    %few = arith.cmpi ult, %rows, %c128 : index
    pit.alternative @main_dense if %few
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$function, I1:$condition);
  let assemblyFormat = "$function `if` $condition attr-dict";
  let extraClassDeclaration = [{
    /// The function, where the module has it.
    func::FuncOp findFunction();
  }];
}

#endif // PIT_DIALECT_PIT_IR_PITLAUNCHOPS_TD
