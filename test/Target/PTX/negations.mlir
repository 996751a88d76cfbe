// The assembler of CUDA 13.0 forgets negations below two minima or maxima in a row; it is given none.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a" | pit-translate --pit-to-ptx > %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: not grep neg.s32 %t.ptx
// RUN: pit-opt %S/Inputs/negations-inline.mlir --pit-attach-ptx-target="chip=sm_90a" --pit-serialize-to-ptx | pit-translate --pit-to-ptx | FileCheck %s --check-prefix=INLINE

// CHECK:      not.b32 [[B:%r[0-9]+]], [[X:%r[0-9]+]];
// CHECK-NEXT: add.s32 [[B]], [[B]], 1;
// CHECK:      min.s32 [[MIN:%r[0-9]+]], {{.*}}[[B]]
// CHECK:      not.b32 [[C:%r[0-9]+]],
// CHECK-NEXT: add.s32 [[C]], [[C]], 1;
// CHECK:      min.s32 {{.*}}[[C]]

// Inline assembly stays as it is but for lines of their own.
// INLINE: { .reg .s32 t; neg.s32 t, {{%r[0-9]+}}; mov.s32 [[Y:%r[0-9]+]], t; }
// INLINE: @%p9 not.b32 [[Z:%r[0-9]+]], [[Y]];
// INLINE-NEXT: @%p9 add.s32 [[Z]], [[Z]], 1;
#id = affine_map<(i) -> (i)>
func.func @main(%a: tensor<64xi32>, %b: tensor<64xi32>, %c: tensor<64xi32>) -> tensor<64xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64xi32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%a, %b, %c : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) outs(%empty : tensor<64xi32>) {
  ^bb0(%av: i32, %bv: i32, %cv: i32, %out: i32):
    %nb = arith.subi %zero, %bv : i32
    %m = arith.minsi %av, %nb : i32
    %nc = arith.subi %zero, %cv : i32
    %r = arith.minsi %m, %nc : i32
    linalg.yield %r : i32
  } -> tensor<64xi32>
  return %r : tensor<64xi32>
}
