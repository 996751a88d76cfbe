//===- PITAxisOpInterface.td - Which axes of an op are PIT-axes --*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_INTERFACES_PITAXISOPINTERFACE_TD
#define PIT_INTERFACES_PITAXISOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def PITAxisOpInterface : OpInterface<"PITAxisOpInterface"> {
  let cppNamespace = "::mlir::pit";
  let description = [{
    An op with iteration axes says, for each of them, whether it is a *PIT-axis*: an axis on which any
    permutation of the data leaves the result unchanged (reduction axis) or permutes it in the same way
    (parallel axis). Along a PIT-axis live micro-tiles may be packed into dense tiles.

    An iteration axis `d` is a PIT-axis when

    * A1: every indexing map uses it only as a plain dimension, and at most once: not inside `d0 + d1`,
      `floordiv` or `mod`, and not in two dimensions of one operand (a diagonal: permuting `d` permutes
      both dimensions alike, while packed data is gathered along one);
    * A2: the region reads `linalg.index d` only to look up elements of tensors there (`tensor.extract`; packed
      data comes with its places), and has no side effects;
    * A3: a parallel axis indexes every output;
    * A4: a reduction axis indexes no output, and each output combines its old value with the new one
      exactly once, by an operation that is associative and commutative, the new value being independent
      of every output. Float sums and products qualify under the reassociation licence, which `strict`
      withdraws unless the operation itself carries `fastmath<reassoc>`.

    All structured ops of linalg have this interface through one external model (see
    `registerPITAxisOpInterfaceExternalModels`).
  }];
  let methods = [
    InterfaceMethod<
      /*desc=*/[{One entry per iteration axis, in order. A refused axis carries its reason.}],
      /*retTy=*/"::llvm::SmallVector<::mlir::pit::AxisInfo>",
      /*methodName=*/"getPITAxes",
      /*args=*/(ins "const ::mlir::pit::AxisOptions &":$options)>
  ];
}

#endif // PIT_INTERFACES_PITAXISOPINTERFACE_TD
