// Gradients of weights over rows that one list names, where both factors were computed packed, or one of them. The copy engine
// takes whole steps of what is packed; the rest of the capacity, which nobody wrote, stays out.
// UNSUPPORTED: sanitizer
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a dense-variants=false" --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=KERNELS
// KERNELS-NOT: over listed tiles
// KERNELS: Function=packed{{.*}}Family="GEMM over listed k"
// KERNELS: Function=listed_a{{.*}}Family="GEMM over listed k"
// KERNELS-NOT: over listed tiles
// DEFINE: %{run} = %emulated-cuda pit-run %s --target=cuda --chip=sm_90a --check --quiet --no-dense-variants --random=normal
// RUN: %{run} --entry=packed --random=bool:0.5 --random=normal:0.1 --random=normal | FileCheck %s
// RUN: %{run} --entry=packed --random=bool:0.1 --random=normal:0.1 --random=normal | FileCheck %s
// RUN: %{run} --entry=packed --random=bool:1.0 --random=normal:0.1 --random=normal | FileCheck %s
// RUN: %{run} --entry=packed --random=bool:0.0 --random=normal:0.1 --random=normal | FileCheck %s
// RUN: %{run} --entry=listed_a --random=bool:0.5 --random=normal:0.1 --random=normal | FileCheck %s
// RUN: %{run} --entry=listed_a --random=bool:0.0 --random=normal:0.1 --random=normal | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}

#rows = affine_map<(t, n, k) -> (t, k)>
#weights = affine_map<(t, n, k) -> (k, n)>
#columns = affine_map<(t, n, k) -> (t, n)>
#all = affine_map<(t, n) -> (t, n)>
func.func @packed(%x: tensor<333x136xbf16>, %mask: tensor<333xi1>, %w: tensor<136x136xbf16>, %dy: tensor<333x136xbf16>) -> (tensor<136x136xbf16>) {
  %zero = arith.constant 0.0 : f32
  %zb = arith.constant 0.0 : bf16
  %s = pit.sparse %x by(%mask : tensor<333xi1>) <kind = mask, axes = [0]> : tensor<333x136xbf16>
  %sy = pit.sparse %dy by(%mask : tensor<333xi1>) <kind = mask, axes = [0]> : tensor<333x136xbf16>
  %e = tensor.empty() : tensor<333x136xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<333x136xf32>) -> tensor<333x136xf32>
  %h = linalg.generic {indexing_maps = [#rows, #weights, #columns], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s, %w : tensor<333x136xbf16>, tensor<136x136xbf16>) outs(%z : tensor<333x136xf32>) {
  ^bb0(%l: bf16, %r: bf16, %acc: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %p = arith.mulf %lw, %rw : f32
    %t = arith.addf %acc, %p : f32
    linalg.yield %t : f32
  } -> tensor<333x136xf32>
  %eb = tensor.empty() : tensor<333x136xbf16>
  %hb = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%h : tensor<333x136xf32>) outs(%eb : tensor<333x136xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    %m = arith.maximumf %t, %zb : bf16
    linalg.yield %m : bf16
  } -> tensor<333x136xbf16>
  %d = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%sy, %hb : tensor<333x136xbf16>, tensor<333x136xbf16>) outs(%eb : tensor<333x136xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %t = arith.mulf %a, %b : bf16
    linalg.yield %t : bf16
  } -> tensor<333x136xbf16>
  %ew = tensor.empty() : tensor<136x136xf32>
  %zw = linalg.fill ins(%zero : f32) outs(%ew : tensor<136x136xf32>) -> tensor<136x136xf32>
  %dw = linalg.generic {indexing_maps = [affine_map<(m, n, t) -> (t, m)>, affine_map<(m, n, t) -> (t, n)>, affine_map<(m, n, t) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%hb, %d : tensor<333x136xbf16>, tensor<333x136xbf16>) outs(%zw : tensor<136x136xf32>) {
  ^bb0(%l: bf16, %r: bf16, %acc: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %p = arith.mulf %lw, %rw : f32
    %t = arith.addf %acc, %p : f32
    linalg.yield %t : f32
  } -> tensor<136x136xf32>
  %ewb = tensor.empty() : tensor<136x136xbf16>
  %dwb = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%dw : tensor<136x136xf32>) outs(%ewb : tensor<136x136xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<136x136xbf16>
  return %dwb : tensor<136x136xbf16>
}

func.func @listed_a(%x: tensor<333x136xbf16>, %mask: tensor<333xi1>, %w: tensor<136x136xbf16>, %dy: tensor<333x136xbf16>) -> (tensor<136x136xbf16>) {
  %zero = arith.constant 0.0 : f32
  %zb = arith.constant 0.0 : bf16
  %s = pit.sparse %x by(%mask : tensor<333xi1>) <kind = mask, axes = [0]> : tensor<333x136xbf16>
  %sy = pit.sparse %dy by(%mask : tensor<333xi1>) <kind = mask, axes = [0]> : tensor<333x136xbf16>
  %e = tensor.empty() : tensor<333x136xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<333x136xf32>) -> tensor<333x136xf32>
  %h = linalg.generic {indexing_maps = [#rows, #weights, #columns], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s, %w : tensor<333x136xbf16>, tensor<136x136xbf16>) outs(%z : tensor<333x136xf32>) {
  ^bb0(%l: bf16, %r: bf16, %acc: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %p = arith.mulf %lw, %rw : f32
    %t = arith.addf %acc, %p : f32
    linalg.yield %t : f32
  } -> tensor<333x136xf32>
  %eb = tensor.empty() : tensor<333x136xbf16>
  %hb = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%h : tensor<333x136xf32>) outs(%eb : tensor<333x136xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    %m = arith.maximumf %t, %zb : bf16
    linalg.yield %m : bf16
  } -> tensor<333x136xbf16>
  %d = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%sy, %hb : tensor<333x136xbf16>, tensor<333x136xbf16>) outs(%eb : tensor<333x136xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %t = arith.mulf %a, %b : bf16
    linalg.yield %t : bf16
  } -> tensor<333x136xbf16>
  %ew = tensor.empty() : tensor<136x136xf32>
  %zw = linalg.fill ins(%zero : f32) outs(%ew : tensor<136x136xf32>) -> tensor<136x136xf32>
  %dw = linalg.generic {indexing_maps = [affine_map<(m, n, t) -> (t, m)>, affine_map<(m, n, t) -> (t, n)>, affine_map<(m, n, t) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s, %d : tensor<333x136xbf16>, tensor<333x136xbf16>) outs(%zw : tensor<136x136xf32>) {
  ^bb0(%l: bf16, %r: bf16, %acc: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %p = arith.mulf %lw, %rw : f32
    %t = arith.addf %acc, %p : f32
    linalg.yield %t : f32
  } -> tensor<136x136xf32>
  %ewb = tensor.empty() : tensor<136x136xbf16>
  %dwb = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%dw : tensor<136x136xf32>) outs(%ewb : tensor<136x136xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<136x136xbf16>
  return %dwb : tensor<136x136xbf16>
}
