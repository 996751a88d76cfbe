// Listed rows are summed over by kernels that copy eight columns at a time. With other numbers of columns the product stays
// dense, and says so: it was a loop of one block of threads.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a least-us=0" --remarks-filter='pit-kernels|pit-rules' -o /dev/null 2>&1 | FileCheck %s
// CHECK-DAG: Function=odd{{.*}}Reason="kernels copy listed rows that are summed over eight columns at a time
// CHECK-DAG: Function=even{{.*}}Family="GEMM over listed k"
// CHECK-NOT: loop over listed tiles

func.func @odd(%x: tensor<512x61xbf16>, %y: tensor<512x64xbf16>, %live: tensor<512xi1>) -> tensor<61x64xf32> {
  %zero = arith.constant 0.0 : f32
  %sx = pit.sparse %x by(%live : tensor<512xi1>) <kind = mask, axes = [0]> : tensor<512x61xbf16>
  %sy = pit.sparse %y by(%live : tensor<512xi1>) <kind = mask, axes = [0]> : tensor<512x64xbf16>
  %e = tensor.empty() : tensor<61x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<61x64xf32>) -> tensor<61x64xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%sx, %sy : tensor<512x61xbf16>, tensor<512x64xbf16>) outs(%z : tensor<61x64xf32>) {
  ^bb0(%l: bf16, %r: bf16, %acc: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %t = arith.mulf %lw, %rw : f32
    %s = arith.addf %acc, %t : f32
    linalg.yield %s : f32
  } -> tensor<61x64xf32>
  return %p : tensor<61x64xf32>
}

func.func @even(%x: tensor<512x64xbf16>, %y: tensor<512x64xbf16>, %live: tensor<512xi1>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %sx = pit.sparse %x by(%live : tensor<512xi1>) <kind = mask, axes = [0]> : tensor<512x64xbf16>
  %sy = pit.sparse %y by(%live : tensor<512xi1>) <kind = mask, axes = [0]> : tensor<512x64xbf16>
  %e = tensor.empty() : tensor<64x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%sx, %sy : tensor<512x64xbf16>, tensor<512x64xbf16>) outs(%z : tensor<64x64xf32>) {
  ^bb0(%l: bf16, %r: bf16, %acc: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %t = arith.mulf %lw, %rw : f32
    %s = arith.addf %acc, %t : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  return %p : tensor<64x64xf32>
}
