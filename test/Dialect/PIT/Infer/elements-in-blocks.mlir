// A mask of single elements of an operand is looked at in blocks, as one of a result's points is: the gradient of attention has such products alone.
// Rows of experts have weights in common, and stay rows.
// RUN: pit-opt %s --pit-infer-marks --pit-normalize --pit-select-marks -split-input-file | FileCheck %s
// RUN: pit-run %s --entry=attended --random=bool:0.5 --random normal --random normal --check | FileCheck %s --check-prefix=VALUE
// RUN: pit-run %s --entry=gradient --random=bool:0.5 --random normal --random normal --check | FileCheck %s --check-prefix=VALUE
// RUN: pit-run %s --entry=chosen --random=bool:0.5 --random normal --random normal --check | FileCheck %s --check-prefix=VALUE
// RUN: pit-run %s --entry=keys --random=bool:0.5 --random normal --random normal --check | FileCheck %s --check-prefix=VALUE
// VALUE: check: result 0: bit-identical

#bqk = affine_map<(b, q, k, d) -> (b, q, k)>
#bkd = affine_map<(b, q, k, d) -> (b, k, d)>
#bqd = affine_map<(b, q, k, d) -> (b, q, d)>
#all = affine_map<(b, q, k) -> (b, q, k)>
#bk = affine_map<(b, q, k) -> (b, k)>

// CHECK-LABEL: func.func @attended(
// CHECK: pit.sparse {{.*}}tile = [1, 32, 32]
func.func @attended(%m: tensor<2x64x64xi1>, %p: tensor<2x64x64xf32>, %v: tensor<2x64x16xf32>) -> tensor<2x64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x64x64xf32>
  %w = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m, %p : tensor<2x64x64xi1>, tensor<2x64x64xf32>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%a: i1, %x: f32, %o: f32):
    %s = arith.select %a, %x, %zero : f32
    linalg.yield %s : f32
  } -> tensor<2x64x64xf32>
  %f = tensor.empty() : tensor<2x64x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%f : tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
  %y = linalg.generic {indexing_maps = [#bqk, #bkd, #bqd], iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
      ins(%w, %v : tensor<2x64x64xf32>, tensor<2x64x16xf32>) outs(%z : tensor<2x64x16xf32>) {
  ^bb0(%x: f32, %u: f32, %o: f32):
    %t = arith.mulf %x, %u : f32
    %s = arith.addf %o, %t : f32
    linalg.yield %s : f32
  } -> tensor<2x64x16xf32>
  return %y : tensor<2x64x16xf32>
}

// CHECK-LABEL: func.func @gradient(
// CHECK: pit.sparse {{.*}}tile = [1, 32, 32]
func.func @gradient(%m: tensor<2x64x64xi1>, %p: tensor<2x64x64xf32>, %dy: tensor<2x64x16xf32>) -> tensor<2x64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x64x64xf32>
  %w = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m, %p : tensor<2x64x64xi1>, tensor<2x64x64xf32>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%a: i1, %x: f32, %o: f32):
    %s = arith.select %a, %x, %zero : f32
    linalg.yield %s : f32
  } -> tensor<2x64x64xf32>
  %f = tensor.empty() : tensor<2x64x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%f : tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
  %y = linalg.generic {indexing_maps = [#bqk, #bqd, #bkd], iterator_types = ["parallel", "reduction", "parallel", "parallel"]}
      ins(%w, %dy : tensor<2x64x64xf32>, tensor<2x64x16xf32>) outs(%z : tensor<2x64x16xf32>) {
  ^bb0(%x: f32, %u: f32, %o: f32):
    %t = arith.mulf %x, %u : f32
    %s = arith.addf %o, %t : f32
    linalg.yield %s : f32
  } -> tensor<2x64x16xf32>
  return %y : tensor<2x64x16xf32>
}

#te = affine_map<(t, e, i, d) -> (t, e)>
#tei = affine_map<(t, e, i, d) -> (t, e, i)>
#eid = affine_map<(t, e, i, d) -> (e, i, d)>
#td = affine_map<(t, e, i, d) -> (t, d)>
#he = affine_map<(t, e, i) -> (t, e)>
#hh = affine_map<(t, e, i) -> (t, e, i)>

// CHECK-LABEL: func.func @chosen(
// CHECK: pit.sparse {{.*}}axes = [0, 1]
// CHECK-NOT: tile =
// CHECK: return
func.func @chosen(%m: tensor<64x8xi1>, %h: tensor<64x8x16xf32>, %w: tensor<8x16x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x8x16xf32>
  %g = linalg.generic {indexing_maps = [#he, #hh, #hh], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m, %h : tensor<64x8xi1>, tensor<64x8x16xf32>) outs(%e : tensor<64x8x16xf32>) {
  ^bb0(%a: i1, %x: f32, %o: f32):
    %s = arith.select %a, %x, %zero : f32
    linalg.yield %s : f32
  } -> tensor<64x8x16xf32>
  %f = tensor.empty() : tensor<64x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%f : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y = linalg.generic {indexing_maps = [#tei, #eid, #td], iterator_types = ["parallel", "reduction", "reduction", "parallel"]}
      ins(%g, %w : tensor<64x8x16xf32>, tensor<8x16x32xf32>) outs(%z : tensor<64x32xf32>) {
  ^bb0(%x: f32, %u: f32, %o: f32):
    %t = arith.mulf %x, %u : f32
    %s = arith.addf %o, %t : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}

// Keys of a batch are rows.
// CHECK-LABEL: func.func @keys(
// CHECK: pit.sparse {{.*}}axes = [0, 1]
// CHECK-NOT: tile =
// CHECK: return
func.func @keys(%m: tensor<2x64xi1>, %p: tensor<2x64x64xf32>, %v: tensor<2x64x16xf32>) -> tensor<2x64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x64x64xf32>
  %w = linalg.generic {indexing_maps = [#bk, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m, %p : tensor<2x64xi1>, tensor<2x64x64xf32>) outs(%e : tensor<2x64x64xf32>) {
  ^bb0(%a: i1, %x: f32, %o: f32):
    %s = arith.select %a, %x, %zero : f32
    linalg.yield %s : f32
  } -> tensor<2x64x64xf32>
  %f = tensor.empty() : tensor<2x64x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%f : tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
  %y = linalg.generic {indexing_maps = [#bqk, #bkd, #bqd], iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
      ins(%w, %v : tensor<2x64x64xf32>, tensor<2x64x16xf32>) outs(%z : tensor<2x64x16xf32>) {
  ^bb0(%x: f32, %u: f32, %o: f32):
    %t = arith.mulf %x, %u : f32
    %s = arith.addf %o, %t : f32
    linalg.yield %s : f32
  } -> tensor<2x64x16xf32>
  return %y : tensor<2x64x16xf32>
}

// A tensor without elements has micro-tiles of one element at least, so that the mark is read back.
// CHECK-LABEL: func.func @nothing(
// CHECK: pit.sparse {{.*}}tile = [1, 1, 32]
func.func @nothing(%m: tensor<2x0x64xi1>, %p: tensor<2x0x64xf32>, %v: tensor<2x64x16xf32>) -> tensor<2x0x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x0x64xf32>
  %w = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m, %p : tensor<2x0x64xi1>, tensor<2x0x64xf32>) outs(%e : tensor<2x0x64xf32>) {
  ^bb0(%a: i1, %x: f32, %o: f32):
    %s = arith.select %a, %x, %zero : f32
    linalg.yield %s : f32
  } -> tensor<2x0x64xf32>
  %f = tensor.empty() : tensor<2x0x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%f : tensor<2x0x16xf32>) -> tensor<2x0x16xf32>
  %y = linalg.generic {indexing_maps = [#bqk, #bkd, #bqd], iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
      ins(%w, %v : tensor<2x0x64xf32>, tensor<2x64x16xf32>) outs(%z : tensor<2x0x16xf32>) {
  ^bb0(%x: f32, %u: f32, %o: f32):
    %t = arith.mulf %x, %u : f32
    %s = arith.addf %o, %t : f32
    linalg.yield %s : f32
  } -> tensor<2x0x16xf32>
  return %y : tensor<2x0x16xf32>
}
