// RUN: pit-opt %s --pit-to-ptx -o %t.mlir
// RUN: pit-translate --pit-to-ptx %t.mlir | FileCheck %s
// RUN: pit-translate --pit-to-manifest %t.mlir > %t.json && %python %S/Inputs/read_tensor_maps.py %t.json
// RUN: pit-opt %s --pit-to-ptx="chip=sm_80" | pit-translate --pit-to-ptx | FileCheck %s --check-prefix=OLDER --implicit-check-not=wgmma

// A product on the matrix units: tensor maps are passed by value.
// CHECK: .extern .shared .align 1024 .b8 pit_dynamic_shared[]
// CHECK: .visible .entry main_contraction_0(
// CHECK-NEXT: .param .align 64 .b8 main_contraction_0_param_0[128]
// CHECK-NEXT: .param .align 64 .b8 main_contraction_0_param_1[128]
// CHECK: .reqntid 384
// CHECK-DAG: cp.async.bulk.tensor.3d.shared::cluster.global.tile
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16

// OLDER: .visible .entry main_contraction_0(
// OLDER: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
#id = affine_map<(m, n) -> (m, n)>
func.func @main(%a: tensor<?x128xbf16>, %b: tensor<128x512xbf16>) -> tensor<?x512xbf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x128xbf16>
  %e = tensor.empty(%m) : tensor<?x512xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x512xf32>) -> tensor<?x512xf32>
  %s = linalg.matmul ins(%a, %b : tensor<?x128xbf16>, tensor<128x512xbf16>) outs(%z : tensor<?x512xf32>)
    -> tensor<?x512xf32>
  %f = tensor.empty(%m) : tensor<?x512xbf16>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<?x512xf32>) outs(%f : tensor<?x512xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<?x512xbf16>
  return %c : tensor<?x512xbf16>
}
