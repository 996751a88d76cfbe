// A mixture of experts as models have it: every expert computes every token, then the gates weigh and add. What is left
// of it: rows gathered per expert, and per token a sum of the rows that its experts computed.

// RUN: pit-run %s --random normal@40x256 --random sparse:0.25@40x8 --random normal --random normal --check | FileCheck %s --check-prefix=CPU
// CPU: check: result 0:

// RUN: pit-opt %s --pit-to-ptx="chip=sm_80 least-us=0" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: pit-translate --pit-to-manifest %t.mlir -o %t.json
// CHECK: gpu.launch_func{{ +}}@main_kernels::@main_detect_0
// CHECK: gpu.launch_func{{ +}}@main_kernels::@main_list_0
// What the sum needs of the lists is made while they are in the caches.
// CHECK-NOT: contraction
// CHECK: gpu.launch_func{{ +}}@main_kernels::@main_invert_0
// CHECK-NOT: contraction
// CHECK: gpu.launch_func{{ +}}@main_kernels::@main_numbers_0
// CHECK: gpu.launch_func{{ +}}@main_kernels::@main_contraction_0
// CHECK: gpu.launch_func{{ +}}@main_kernels::@main_sum_0
// CHECK-NOT: gpu.launch_func
// CHECK: return

// Of matrix units, the second product starts when the first one's blocks end, and waits for its tiles' rows alone; the list kernel clears
// the flags.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a least-us=0" | FileCheck %s --check-prefix=HOPPER
// HOPPER: gpu.launch_func{{ +}}@main_kernels::@main_list_0
// HOPPER-NOT: gpu.launch_func
// HOPPER: gpu.launch_func{{ +}}@main_kernels::@main_contraction_0
// HOPPER-NOT: gpu.launch_func
// HOPPER-NOT: pit.signaled
// HOPPER: gpu.launch_func{{ +}}@main_kernels::@main_contraction_1
// HOPPER-SAME: %c1_i32{{[_0-9]*}} : i32)

#x   = affine_map<(t, e, f, d) -> (t, d)>
#w1  = affine_map<(t, e, f, d) -> (e, d, f)>
#h   = affine_map<(t, e, f, d) -> (t, e, f)>
#id  = affine_map<(t, e, f) -> (t, e, f)>
#w2  = affine_map<(t, e, d, f) -> (e, f, d)>
#hh  = affine_map<(t, e, d, f) -> (t, e, f)>
#ye  = affine_map<(t, e, d, f) -> (t, e, d)>
#g   = affine_map<(t, e, d) -> (t, e)>
#y   = affine_map<(t, e, d) -> (t, d)>
#td  = affine_map<(t, d) -> (t, d)>

func.func @main(
    %x: tensor<?x256xbf16>,
    %gate: tensor<?x8xf32> {pit.sparse = {
      source = "values", axes = array<i64: 0, 1>, absent = "zero", at_most = 8 : i64}},
    %w1: tensor<8x256x512xbf16>,
    %w2: tensor<8x512x256xbf16>) -> tensor<?x256xbf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %t = tensor.dim %x, %c0 : tensor<?x256xbf16>
  %he = tensor.empty(%t) : tensor<?x8x512xf32>
  %hz = linalg.fill ins(%zero : f32) outs(%he : tensor<?x8x512xf32>) -> tensor<?x8x512xf32>
  %h = linalg.generic {indexing_maps = [#x, #w1, #h], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w1 : tensor<?x256xbf16>, tensor<8x256x512xbf16>) outs(%hz : tensor<?x8x512xf32>) {
  ^bb0(%a: bf16, %b: bf16, %acc: f32):
    %af = arith.extf %a : bf16 to f32
    %bf = arith.extf %b : bf16 to f32
    %p = arith.mulf %af, %bf : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x8x512xf32>
  %ae = tensor.empty(%t) : tensor<?x8x512xbf16>
  %act = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%h : tensor<?x8x512xf32>) outs(%ae : tensor<?x8x512xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %r = arith.truncf %v : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x8x512xbf16>
  %pe = tensor.empty(%t) : tensor<?x8x256xf32>
  %pz = linalg.fill ins(%zero : f32) outs(%pe : tensor<?x8x256xf32>) -> tensor<?x8x256xf32>
  %pt = linalg.generic {indexing_maps = [#hh, #w2, #ye], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%act, %w2 : tensor<?x8x512xbf16>, tensor<8x512x256xbf16>) outs(%pz : tensor<?x8x256xf32>) {
  ^bb0(%a: bf16, %b: bf16, %acc: f32):
    %af = arith.extf %a : bf16 to f32
    %bf = arith.extf %b : bf16 to f32
    %p = arith.mulf %af, %bf : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x8x256xf32>
  %re = tensor.empty(%t) : tensor<?x8x256xbf16>
  %rows = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%pt : tensor<?x8x256xf32>) outs(%re : tensor<?x8x256xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %r = arith.truncf %v : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x8x256xbf16>
  %se = tensor.empty(%t) : tensor<?x256xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<?x256xf32>) -> tensor<?x256xf32>
  %sum = linalg.generic {indexing_maps = [#g, #id, #y], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%gate, %rows : tensor<?x8xf32>, tensor<?x8x256xbf16>) outs(%sz : tensor<?x256xf32>) {
  ^bb0(%gv: f32, %rv: bf16, %acc: f32):
    %rf = arith.extf %rv : bf16 to f32
    %p = arith.mulf %gv, %rf : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x256xf32>
  %oe = tensor.empty(%t) : tensor<?x256xbf16>
  %out = linalg.generic {indexing_maps = [#td, #td], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<?x256xf32>) outs(%oe : tensor<?x256xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %r = arith.truncf %v : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x256xbf16>
  return %out : tensor<?x256xbf16>
}
