// A mask is true at all points that it lists: an op that visits these alone does not read it.
// RUN: pit-opt %s --split-input-file --pit-infer-marks --pit-normalize --pit-select-marks --convert-linalg-to-pit | FileCheck %s
// RUN: pit-opt %s --split-input-file --pit-to-ptx="chip=sm_90a dense-variants=false" --pit-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: pit-opt %s --split-input-file --pit-to-ptx="chip=sm_80 dense-variants=false" --pit-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=KERNEL

// CHECK-LABEL: func.func @rows
// CHECK: pit.generic
// CHECK: %[[TRUE:.*]] = arith.constant true
// CHECK: arith.select %[[TRUE]]
// KERNEL: GEMM of listed rows
// KERNEL-NOT: loop over tiles
func.func @rows(%x: tensor<512x64xbf16>, %w: tensor<64x64xbf16>, %live: tensor<512xi1>) -> tensor<512x64xbf16> {
  %c0 = arith.constant 0.0 : f32
  %cb = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<512x64xf32>
  %eb = tensor.empty() : tensor<512x64xbf16>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<512x64xf32>) -> tensor<512x64xf32>
  %p = linalg.matmul ins(%x, %w : tensor<512x64xbf16>, tensor<64x64xbf16>) outs(%z : tensor<512x64xf32>) -> tensor<512x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%live, %p : tensor<512xi1>, tensor<512x64xf32>) outs(%eb : tensor<512x64xbf16>) {
  ^bb0(%l: i1, %a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    %s = arith.select %l, %t, %cb : bf16
    linalg.yield %s : bf16
  } -> tensor<512x64xbf16>
  return %r : tensor<512x64xbf16>
}
