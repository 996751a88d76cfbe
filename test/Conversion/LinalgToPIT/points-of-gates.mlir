// A router's gradients: single listed elements are multiplied with rows that all share, added up, or made of choices whose
// columns are scattered. Kernels of listed rows take none of these; they stay dense, and the experts' product does not.
// RUN: pit-opt %s --pit-to-ptx=chip=sm_90a --remarks-filter='pit-rules|pit-kernels' -o /dev/null 2>&1 | FileCheck %s
// CHECK-DAG: Function=router{{.*}}Reason="no kernel multiplies single listed elements with rows that all share", Remark="computed densely"
// CHECK-DAG: Function=router{{.*}}Reason="columns of a listed row do not lie side by side, as kernels of rows load them", Remark="computed densely"
// CHECK-DAG: Function=router{{.*}}Reason="kernels that add up listed rows have columns, and these are single elements", Remark="computed densely"
// CHECK-DAG: Function=router{{.*}}Family="grouped GEMM"
// CHECK-NOT: loop over listed tiles

#all = affine_map<(t, e) -> (t, e)>
#row = affine_map<(t, e) -> (t)>
#every = affine_map<(t, k, e) -> (t, k, e)>
#ofExpert = affine_map<(t, k, e) -> (t, e)>
func.func @router(%x: tensor<4096x256xbf16>, %w: tensor<8x256x512xbf16>, %choices: tensor<4096x2x8xbf16>, %live: tensor<4096x8xi1>, %d: tensor<4096x8xbf16>)
    -> (tensor<4096x8x512xf32>, tensor<8x256xf32>, tensor<4096xf32>, tensor<4096x2x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %gate = pit.sparse %d by(%live : tensor<4096x8xi1>) <kind = mask, axes = [0, 1], at_most = 2> : tensor<4096x8xbf16>
  %eh = tensor.empty() : tensor<4096x8x512xf32>
  %zh = linalg.fill ins(%zero : f32) outs(%eh : tensor<4096x8x512xf32>) -> tensor<4096x8x512xf32>
  %up = linalg.generic {indexing_maps = [affine_map<(t, e, f, k) -> (t, k)>, affine_map<(t, e, f, k) -> (e, k, f)>, affine_map<(t, e, f, k) -> (t, e, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4096x256xbf16>, tensor<8x256x512xbf16>) outs(%zh : tensor<4096x8x512xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<4096x8x512xf32>
  %gated = linalg.generic {indexing_maps = [affine_map<(t, e, f) -> (t, e, f)>, affine_map<(t, e, f) -> (t, e)>, affine_map<(t, e, f) -> (t, e, f)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%up, %gate : tensor<4096x8x512xf32>, tensor<4096x8xbf16>) outs(%eh : tensor<4096x8x512xf32>) {
  ^bb0(%a: f32, %g: bf16, %o: f32):
    %gw = arith.extf %g : bf16 to f32
    %m = arith.mulf %a, %gw : f32
    linalg.yield %m : f32
  } -> tensor<4096x8x512xf32>
  %ew = tensor.empty() : tensor<8x256xf32>
  %zw = linalg.fill ins(%zero : f32) outs(%ew : tensor<8x256xf32>) -> tensor<8x256xf32>
  %dw = linalg.generic {indexing_maps = [affine_map<(e, k, t) -> (t, e)>, affine_map<(e, k, t) -> (t, k)>, affine_map<(e, k, t) -> (e, k)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%gate, %x : tensor<4096x8xbf16>, tensor<4096x256xbf16>) outs(%zw : tensor<8x256xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<8x256xf32>
  %es = tensor.empty() : tensor<4096xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<4096xf32>) -> tensor<4096xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%gate : tensor<4096x8xbf16>) outs(%zs : tensor<4096xf32>) {
  ^bb0(%a: bf16, %s: f32):
    %aw = arith.extf %a : bf16 to f32
    %n = arith.addf %s, %aw : f32
    linalg.yield %n : f32
  } -> tensor<4096xf32>
  %ec = tensor.empty() : tensor<4096x2x8xf32>
  %parts = linalg.generic {indexing_maps = [#every, #ofExpert, #every], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%choices, %gate : tensor<4096x2x8xbf16>, tensor<4096x8xbf16>) outs(%ec : tensor<4096x2x8xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %aw = arith.extf %a : bf16 to f32
    %bw = arith.extf %b : bf16 to f32
    %m = arith.mulf %aw, %bw : f32
    linalg.yield %m : f32
  } -> tensor<4096x2x8xf32>
  return %gated, %dw, %sum, %parts : tensor<4096x8x512xf32>, tensor<8x256xf32>, tensor<4096xf32>, tensor<4096x2x8xf32>
}
