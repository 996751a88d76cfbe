// Forward and gradients of a linear layer whose rows are positions, of which all but the last one have a next token: a mask of [batch, position - 1] says
// which of them count. The product, the gradient of its input and that of its weight are of those rows alone.
// RUN: pit-opt %s --pit-infer-marks --pit-normalize --pit-select-marks --convert-linalg-to-pit | FileCheck %s --check-prefix=RULES
// DEFINE: %{run} = pit-run %s --no-dense-variants --quiet --check --random=normal
// DEFINE: %{rest} = --random=normal:0.1 --random=normal
// RUN: %emulated-cuda %{run} --target=cuda --chip=sm_90a --random=prefix:0:15 %{rest} | FileCheck %s
// RUN: %emulated-cuda %{run} --target=cuda --chip=sm_80 --random=bool:0.4 %{rest} | FileCheck %s
// RUN: %{run} --target=cpu --random=prefix:0:15 %{rest} | FileCheck %s
// RUN: %{run} --target=cpu --random=prefix:15:15 %{rest} | FileCheck %s
// RUN: %{run} --target=cpu --random=prefix:0:0 %{rest} | FileCheck %s
// RUN: %{run} --target=cpu --random=suffix:0:15 %{rest} | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}
// CHECK: check: result 1: {{agrees|bit-identical}}
// CHECK: check: result 2: {{agrees|bit-identical}}

// RULES: %[[PADDED:.*]] = pit.detect by(%{{.*}} : tensor<4x16xi1>)
// RULES-COUNT-3: pit.generic {{.*}}iterator_type<reduction>{{.*}} over(%[[PADDED]]

#x = affine_map<(b, s, n, k) -> (b, s, k)>
#w = affine_map<(b, s, n, k) -> (k, n)>
#wt = affine_map<(b, s, n, k) -> (n, k)>
#y = affine_map<(b, s, n, k) -> (b, s, n)>
#row = affine_map<(b, s, n) -> (b, s)>
#all = affine_map<(b, s, n) -> (b, s, n)>
func.func @main(%x: tensor<4x16x64xbf16>, %mask: tensor<4x15xi1>, %w: tensor<64x64xbf16>, %dy: tensor<4x15x64xbf16>) -> (tensor<4x15x64xbf16>, tensor<4x16x64xbf16>, tensor<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %zh = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<4x16x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16x64xf32>) -> tensor<4x16x64xf32>
  %h = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x16x64xbf16>, tensor<64x64xbf16>) outs(%f : tensor<4x16x64xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<4x16x64xf32>
  %part = tensor.extract_slice %h[0, 0, 0] [4, 15, 64] [1, 1, 1] : tensor<4x16x64xf32> to tensor<4x15x64xf32>
  %eo = tensor.empty() : tensor<4x15x64xbf16>
  %kept = linalg.generic {indexing_maps = [#row, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%mask, %part : tensor<4x15xi1>, tensor<4x15x64xf32>) outs(%eo : tensor<4x15x64xbf16>) {
  ^bb0(%c: i1, %a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    %s = arith.select %c, %t, %zh : bf16
    linalg.yield %s : bf16
  } -> tensor<4x15x64xbf16>

  %live = linalg.generic {indexing_maps = [#row, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%mask, %dy : tensor<4x15xi1>, tensor<4x15x64xbf16>) outs(%eo : tensor<4x15x64xbf16>) {
  ^bb0(%c: i1, %a: bf16, %o: bf16):
    %s = arith.select %c, %a, %zh : bf16
    linalg.yield %s : bf16
  } -> tensor<4x15x64xbf16>
  %ew = tensor.empty() : tensor<4x16x64xbf16>
  %fw = linalg.fill ins(%zh : bf16) outs(%ew : tensor<4x16x64xbf16>) -> tensor<4x16x64xbf16>
  %whole = tensor.insert_slice %live into %fw[0, 0, 0] [4, 15, 64] [1, 1, 1] : tensor<4x15x64xbf16> into tensor<4x16x64xbf16>
  %sum = linalg.generic {indexing_maps = [#x, #wt, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%whole, %w : tensor<4x16x64xbf16>, tensor<64x64xbf16>) outs(%f : tensor<4x16x64xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<4x16x64xf32>
  %dx = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sum : tensor<4x16x64xf32>) outs(%ew : tensor<4x16x64xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<4x16x64xbf16>
  %eg = tensor.empty() : tensor<64x64xf32>
  %fg = linalg.fill ins(%zero : f32) outs(%eg : tensor<64x64xf32>) -> tensor<64x64xf32>
  %dw = linalg.generic {indexing_maps = [affine_map<(k, n, b, s) -> (b, s, k)>, affine_map<(k, n, b, s) -> (b, s, n)>, affine_map<(k, n, b, s) -> (k, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %whole : tensor<4x16x64xbf16>, tensor<4x16x64xbf16>) outs(%fg : tensor<64x64xf32>) {
  ^bb0(%l: bf16, %r: bf16, %s: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %m = arith.mulf %lw, %rw : f32
    %n = arith.addf %s, %m : f32
    linalg.yield %n : f32
  } -> tensor<64x64xf32>
  return %kept, %dx, %dw : tensor<4x15x64xbf16>, tensor<4x16x64xbf16>, tensor<64x64xf32>
}
