// A sum of two gradients: one of rows that a mask has, as keys have it that are no padding, and one of rows of another mask, of all positions but the last
// one, as queries have it that somebody reads. What is behind the sum is of the rows that one of them has.
// RUN: pit-opt %s --pit-infer-marks --pit-normalize --pit-select-marks --convert-linalg-to-pit | FileCheck %s --check-prefix=RULES
// DEFINE: %{run} = pit-run %s --no-dense-variants --quiet --check --random=normal
// DEFINE: %{rest} = --random=normal:0.1 --random=normal
// RUN: %emulated-cuda %{run} --target=cuda --chip=sm_90a --random=prefix:0:16 --random=prefix:0:15 %{rest} | FileCheck %s
// RUN: %emulated-cuda %{run} --target=cuda --chip=sm_80 --random=bool:0.4 --random=bool:0.3 %{rest} | FileCheck %s
// RUN: %{run} --target=cpu --random=prefix:0:16 --random=suffix:0:15 %{rest} | FileCheck %s
// RUN: %{run} --target=cpu --random=bool:0.2 --random=bool:0.3 %{rest} | FileCheck %s
// RUN: %{run} --target=cpu --random=prefix:0:0 --random=prefix:0:15 %{rest} | FileCheck %s
// RUN: %{run} --target=cpu --random=prefix:0:0 --random=prefix:0:0 %{rest} | FileCheck %s
// RUN: %{run} --target=cpu --random=prefix:16:16 --random=prefix:0:0 %{rest} | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}
// CHECK: check: result 1: {{agrees|bit-identical}}

// RULES: arith.ori
// RULES: %[[ROWS:.*]] = pit.detect by(%{{.*}} : tensor<4x16xi1>)
// RULES: arith.addf
// RULES-COUNT-2: pit.generic {{.*}}iterator_type<reduction>{{.*}} over(%[[ROWS]]

#x = affine_map<(b, s, n, k) -> (b, s, k)>
#w = affine_map<(b, s, n, k) -> (k, n)>
#y = affine_map<(b, s, n, k) -> (b, s, n)>
#row = affine_map<(b, s, n) -> (b, s)>
#all = affine_map<(b, s, n) -> (b, s, n)>
func.func @main(%x: tensor<4x16x64xbf16>, %keys: tensor<4x16xi1>, %queries: tensor<4x15xi1>, %w: tensor<64x64xbf16>, %dy: tensor<4x15x64xbf16>)
    -> (tensor<4x16x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %zh = arith.constant 0.0 : bf16
  %ex = tensor.empty() : tensor<4x16x64xbf16>
  %kx = linalg.generic {indexing_maps = [#row, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%keys, %x : tensor<4x16xi1>, tensor<4x16x64xbf16>) outs(%ex : tensor<4x16x64xbf16>) {
  ^bb0(%c: i1, %v: bf16, %o: bf16):
    %s = arith.select %c, %v, %zh : bf16
    linalg.yield %s : bf16
  } -> tensor<4x16x64xbf16>
  %ey = tensor.empty() : tensor<4x15x64xbf16>
  %ky = linalg.generic {indexing_maps = [#row, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%queries, %dy : tensor<4x15xi1>, tensor<4x15x64xbf16>) outs(%ey : tensor<4x15x64xbf16>) {
  ^bb0(%c: i1, %v: bf16, %o: bf16):
    %s = arith.select %c, %v, %zh : bf16
    linalg.yield %s : bf16
  } -> tensor<4x15x64xbf16>
  %padded = tensor.pad %ky low[0, 0, 0] high[0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zh : bf16
  } : tensor<4x15x64xbf16> to tensor<4x16x64xbf16>
  %sum = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%kx, %padded : tensor<4x16x64xbf16>, tensor<4x16x64xbf16>) outs(%ex : tensor<4x16x64xbf16>) {
  ^bb0(%l: bf16, %r: bf16, %o: bf16):
    %s = arith.addf %l, %r : bf16
    linalg.yield %s : bf16
  } -> tensor<4x16x64xbf16>
  %e = tensor.empty() : tensor<4x16x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16x64xf32>) -> tensor<4x16x64xf32>
  %dx = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%sum, %w : tensor<4x16x64xbf16>, tensor<64x64xbf16>) outs(%f : tensor<4x16x64xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<4x16x64xf32>
  %ew = tensor.empty() : tensor<64x64xf32>
  %fw = linalg.fill ins(%zero : f32) outs(%ew : tensor<64x64xf32>) -> tensor<64x64xf32>
  %dw = linalg.generic {indexing_maps = [affine_map<(n, k, b, s) -> (b, s, n)>, affine_map<(n, k, b, s) -> (b, s, k)>, affine_map<(n, k, b, s) -> (n, k)>],
                        iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%sum, %x : tensor<4x16x64xbf16>, tensor<4x16x64xbf16>) outs(%fw : tensor<64x64xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<64x64xf32>
  return %dx, %dw : tensor<4x16x64xf32>, tensor<64x64xf32>
}
