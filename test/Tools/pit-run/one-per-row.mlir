// One expert per token, as results may rely on it, is one expert for each token: two for one and none for another are
// too many, though as many in all.

// RUN: rm -rf %t && mkdir %t
// RUN: pit-run %s --random normal@40x16 --random topk-gate:1@40x8 --random normal --random normal --check --output %t/good
// On tensors, rows are scattered instead of added up.
// RUN: pit-opt %s --pit-materialize-marks --pit-normalize --convert-linalg-to-pit --pit-tile-rules --canonicalize --pit-split-sums --canonicalize -o %t/scattered.mlir
// RUN: not grep pit.invert %t/scattered.mlir
// RUN: pit-run %t/scattered.mlir --random normal@40x16 --random topk-gate:1@40x8 --random normal --random normal --output %t/scattered
// RUN: cmp %t/good.0.npy %t/scattered.0.npy
// RUN: pit-run %s --entry gate --output %t/gate
// RUN: not pit-run %s --random normal@40x16 --input %t/gate.0.npy --random normal --random normal --output %t/out 2>&1 | FileCheck %s
// CHECK: pit-run: error: rule {{.*}}: capacity exceeded: 2 live micro-tiles where at most 1 fit

#x   = affine_map<(t, e, f, d) -> (t, d)>
#w1  = affine_map<(t, e, f, d) -> (e, d, f)>
#h   = affine_map<(t, e, f, d) -> (t, e, f)>
#id  = affine_map<(t, e, f) -> (t, e, f)>
#yg  = affine_map<(t, d, e, f) -> (t, e)>
#yh  = affine_map<(t, d, e, f) -> (t, e, f)>
#yw2 = affine_map<(t, d, e, f) -> (e, f, d)>
#y   = affine_map<(t, d, e, f) -> (t, d)>

func.func @main(
    %x: tensor<?x16xf32>,
    %gate: tensor<?x8xf32> {pit.sparse = {
      source = "values", axes = array<i64: 0, 1>, absent = "zero", at_most = 1 : i64}},
    %w1: tensor<8x16x24xf32>,
    %w2: tensor<8x24x16xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.dim %x, %c0 : tensor<?x16xf32>
  %he = tensor.empty(%tokens) : tensor<?x8x24xf32>
  %hz = linalg.fill ins(%zero : f32) outs(%he : tensor<?x8x24xf32>) -> tensor<?x8x24xf32>
  %h = linalg.generic {
      indexing_maps = [#x, #w1, #h],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w1 : tensor<?x16xf32>, tensor<8x16x24xf32>)
      outs(%hz : tensor<?x8x24xf32>) {
  ^bb0(%xv: f32, %wv: f32, %acc: f32):
    %p = arith.mulf %xv, %wv : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x8x24xf32>
  %a = linalg.generic {
      indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%h : tensor<?x8x24xf32>) outs(%he : tensor<?x8x24xf32>) {
  ^bb0(%v: f32, %out: f32):
    %r = arith.maximumf %v, %zero : f32
    linalg.yield %r : f32
  } -> tensor<?x8x24xf32>
  %ye = tensor.empty(%tokens) : tensor<?x16xf32>
  %yz = linalg.fill ins(%zero : f32) outs(%ye : tensor<?x16xf32>) -> tensor<?x16xf32>
  %y = linalg.generic {
      indexing_maps = [#yg, #yh, #yw2, #y],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%gate, %a, %w2 : tensor<?x8xf32>, tensor<?x8x24xf32>, tensor<8x24x16xf32>)
      outs(%yz : tensor<?x16xf32>) {
  ^bb0(%g: f32, %av: f32, %wv: f32, %acc: f32):
    %ga = arith.mulf %g, %av : f32
    %p = arith.mulf %ga, %wv : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x16xf32>
  return %y : tensor<?x16xf32>
}

// Token 1 has no expert, token 2 has the second one and its own.
func.func @gate() -> tensor<40x8xf32> {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %eight = arith.constant 8 : index
  %e = tensor.empty() : tensor<40x8xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(t, e) -> (t, e)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<40x8xf32>) {
  ^bb0(%o: f32):
    %t = linalg.index 0 : index
    %x = linalg.index 1 : index
    %own = arith.remui %t, %eight : index
    %isOwn = arith.cmpi eq, %x, %own : index
    %isOther = arith.cmpi ne, %t, %one : index
    %first = arith.andi %isOwn, %isOther : i1
    %isTwo = arith.cmpi eq, %t, %two : index
    %isOne = arith.cmpi eq, %x, %one : index
    %second = arith.andi %isTwo, %isOne : i1
    %live = arith.ori %first, %second : i1
    %v = arith.uitofp %live : i1 to f32
    linalg.yield %v : f32
  } -> tensor<40x8xf32>
  return %g : tensor<40x8xf32>
}
