// Layers of experts on padded sequences, forward and backward. All run over one list of rows, the sum over sequences too,
// and no kernel is a loop over tiles.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a dense-variants=false" --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=KERNELS
// KERNELS-NOT: for each tile
// KERNELS-NOT: over listed tiles
// KERNELS: Function=router{{.*}}Family="GEMM of listed rows"
// KERNELS-NOT: over listed tiles
// DEFINE: %{run} = %emulated-cuda pit-run %s --target=cuda --no-dense-variants --quiet --check
// RUN: %{run} --chip=sm_90a --entry=router --random=normal --random=lengths:0:32 --random=normal | FileCheck %s
// RUN: %{run} --chip=sm_80 --entry=router --random=normal --random=lengths:0:32 --random=normal | FileCheck %s
// RUN: %{run} --chip=sm_90a --entry=gradient --random=normal --random=normal --random=lengths:0:32 --random=normal | FileCheck %s
// RUN: %{run} --chip=sm_80 --entry=gradient --random=normal --random=normal --random=lengths:0:32 --random=normal | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}
// CHECK: check: result 1: {{agrees|bit-identical}}

#rows = affine_map<(b, t, n, k) -> (b, t, k)>
#weights = affine_map<(b, t, n, k) -> (k, n)>
#columns = affine_map<(b, t, n, k) -> (b, t, n)>
#all = affine_map<(b, t, n) -> (b, t, n)>
#token = affine_map<(b, t, n) -> (b, t)>

// The largest logit of each token, and which of them it is: an arg-max of listed rows.
func.func @router(%x: tensor<4x32x64xbf16>, %lengths: tensor<4xi64>, %w: tensor<64x8xbf16>)
    -> (tensor<4x32xf32>, tensor<4x32xi64>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %first = arith.constant 0 : i64
  %s = pit.sparse %x by(%lengths : tensor<4xi64>) <kind = lengths, axes = [0, 1]> : tensor<4x32x64xbf16>
  %e = tensor.empty() : tensor<4x32x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x32x8xf32>) -> tensor<4x32x8xf32>
  %logits = linalg.generic {indexing_maps = [#rows, #weights, #columns], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%s, %w : tensor<4x32x64xbf16>, tensor<64x8xbf16>) outs(%z : tensor<4x32x8xf32>) {
  ^bb0(%l: bf16, %r: bf16, %acc: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %p = arith.mulf %lw, %rw : f32
    %t = arith.addf %acc, %p : f32
    linalg.yield %t : f32
  } -> tensor<4x32x8xf32>
  %ev = tensor.empty() : tensor<4x32xf32>
  %ei = tensor.empty() : tensor<4x32xi64>
  %fv = linalg.fill ins(%least : f32) outs(%ev : tensor<4x32xf32>) -> tensor<4x32xf32>
  %fi = linalg.fill ins(%first : i64) outs(%ei : tensor<4x32xi64>) -> tensor<4x32xi64>
  %largest:2 = linalg.generic {indexing_maps = [#all, #token, #token], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%logits : tensor<4x32x8xf32>) outs(%fv, %fi : tensor<4x32xf32>, tensor<4x32xi64>) {
  ^bb0(%v: f32, %most: f32, %place: i64):
    %n = linalg.index 2 : index
    %i = arith.index_cast %n : index to i64
    %m = arith.maximumf %v, %most : f32
    %c = arith.cmpf ogt, %v, %most : f32
    %q = arith.select %c, %i, %place : i64
    linalg.yield %m, %q : f32, i64
  } -> (tensor<4x32xf32>, tensor<4x32xi64>)
  return %largest#0, %largest#1 : tensor<4x32xf32>, tensor<4x32xi64>
}

// A gradient that comes from two layers, by two products of different rows, and its sum over the sequences, which is that
// of an embedding of positions.
func.func @gradient(%a: tensor<4x32x64xbf16>, %b: tensor<4x32x96xbf16>, %lengths: tensor<4xi64>, %wa: tensor<64x32xbf16>, %wb: tensor<96x32xbf16>)
    -> (tensor<4x32x32xbf16>, tensor<32x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %sa = pit.sparse %a by(%lengths : tensor<4xi64>) <kind = lengths, axes = [0, 1]> : tensor<4x32x64xbf16>
  %sb = pit.sparse %b by(%lengths : tensor<4xi64>) <kind = lengths, axes = [0, 1]> : tensor<4x32x96xbf16>
  %e = tensor.empty() : tensor<4x32x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
  %pa = linalg.generic {indexing_maps = [#rows, #weights, #columns], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%sa, %wa : tensor<4x32x64xbf16>, tensor<64x32xbf16>) outs(%z : tensor<4x32x32xf32>) {
  ^bb0(%l: bf16, %r: bf16, %acc: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %p = arith.mulf %lw, %rw : f32
    %t = arith.addf %acc, %p : f32
    linalg.yield %t : f32
  } -> tensor<4x32x32xf32>
  %pb = linalg.generic {indexing_maps = [#rows, #weights, #columns], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%sb, %wb : tensor<4x32x96xbf16>, tensor<96x32xbf16>) outs(%z : tensor<4x32x32xf32>) {
  ^bb0(%l: bf16, %r: bf16, %acc: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %p = arith.mulf %lw, %rw : f32
    %t = arith.addf %acc, %p : f32
    linalg.yield %t : f32
  } -> tensor<4x32x32xf32>
  %ed = tensor.empty() : tensor<4x32x32xbf16>
  %d = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%pa, %pb : tensor<4x32x32xf32>, tensor<4x32x32xf32>) outs(%ed : tensor<4x32x32xbf16>) {
  ^bb0(%l: f32, %r: f32, %o: bf16):
    %t = arith.addf %l, %r : f32
    %n = arith.truncf %t : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<4x32x32xbf16>
  %ep = tensor.empty() : tensor<32x32xf32>
  %zp = linalg.fill ins(%zero : f32) outs(%ep : tensor<32x32xf32>) -> tensor<32x32xf32>
  %positions = linalg.generic {indexing_maps = [#all, affine_map<(b, t, n) -> (t, n)>], iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%d : tensor<4x32x32xbf16>) outs(%zp : tensor<32x32xf32>) {
  ^bb0(%l: bf16, %acc: f32):
    %w = arith.extf %l : bf16 to f32
    %t = arith.addf %acc, %w : f32
    linalg.yield %t : f32
  } -> tensor<32x32xf32>
  return %d, %positions : tensor<4x32x32xbf16>, tensor<32x32xf32>
}
