// Generated arguments: what each description means, that the seed decides, and that a run never changes its inputs.

// RUN: pit-run %s --random iota --random ones --print | FileCheck %s --check-prefix=IOTA
// IOTA: result 0: 2x4xf32 = 1 2 3 4 5 6 7 8

// RUN: pit-run %s --random normal --seed 7 --print > %t.a
// RUN: pit-run %s --random normal --seed 7 --print > %t.b
// RUN: pit-run %s --random normal --seed 8 --print > %t.c
// RUN: cmp %t.a %t.b
// RUN: not cmp %t.a %t.c

// RUN: pit-run %s --random prefix:1:1 --random zeros --print | FileCheck %s --check-prefix=PREFIX
// PREFIX: result 0: 2x4xf32 = 1 0 0 0 1 0 0 0
// RUN: pit-run %s --random suffix:3:3 --random zeros --print | FileCheck %s --check-prefix=SUFFIX
// SUFFIX: result 0: 2x4xf32 = 0 1 1 1 0 1 1 1
// RUN: pit-run %s --random mask:1x2:0 --random zeros --print | FileCheck %s --check-prefix=MASK
// MASK: result 0: 2x4xf32 = 1 1 0 0 0 0 1 1
// RUN: pit-run %s --random block-sparse:2x2:1 --random sparse:1 --print | FileCheck %s --check-prefix=DEAD
// RUN: pit-run %s --random rows:1 --random bool:0 --print | FileCheck %s --check-prefix=DEAD
// DEAD: result 0: 2x4xf32 = 0 0 0 0 0 0 0 0
// RUN: pit-run %s --random topk-gate:1 --random const:1 --print | FileCheck %s --check-prefix=GATE
// GATE: result 0: 2x4xf32 = {{((1 )*2( 1)*) ((1 )*2( 1)*)$}}
// RUN: pit-run %s --random column-signs:1:0 --random zeros --print | FileCheck %s --check-prefix=SIGNS
// SIGNS: result 0: 2x4xf32 = {{(-?0 ?){8}$}}
// RUN: pit-run %s --entry lengths --random lengths:3:3 --print | FileCheck %s --check-prefix=LENGTHS
// LENGTHS: result 0: 5xi64 = 3 3 3 3 3

// Extents of '?' from the description or from --shape; what stands behind '@' is not repeated.
// RUN: pit-run %s --entry dynamic --random ones@1x2 --shape 1=2 | FileCheck %s --check-prefix=SHAPE
// RUN: pit-run %s --entry dynamic --random ones --shape 0=1x2 --shape 1=2 | FileCheck %s --check-prefix=SHAPE
// SHAPE:      result 0: 1x2xf32
// SHAPE-NEXT: result 1: 2xf32

// RUN: pit-run %s --entry overwrite --random ones --bench 2 --check --print | FileCheck %s --check-prefix=OVERWRITE
// OVERWRITE:      result 0: 3xf32 = 7 7 7
// OVERWRITE-NEXT: result 1: 3xf32 = 1 1 1
// OVERWRITE-NEXT: check: result 0: bit-identical (3 elements)
// OVERWRITE-NEXT: check: result 1: bit-identical (3 elements)
// OVERWRITE-NEXT: bench: sparse {{.*}} ms, dense {{.*}} ms, {{.*}}x (medians of 2)

func.func @main(%a: tensor<2x4xf32>, %b: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %e = tensor.empty() : tensor<2x4xf32>
  %r = linalg.add ins(%a, %b : tensor<2x4xf32>, tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

func.func @lengths(%a: tensor<5xi64>) -> tensor<5xi64> {
  return %a : tensor<5xi64>
}

func.func @dynamic(%a: tensor<?x2xf32>, %b: tensor<?xf32>) -> (tensor<?x2xf32>, tensor<?xf32>) {
  return %a, %b : tensor<?x2xf32>, tensor<?xf32>
}

func.func @overwrite(%a: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %seven = arith.constant 7.0 : f32
  %r = linalg.fill ins(%seven : f32) outs(%a : tensor<3xf32>) -> tensor<3xf32>
  return %r, %a : tensor<3xf32>, tensor<3xf32>
}
