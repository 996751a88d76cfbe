// Heads of a group find their keys by a division: they are an axis of the op, as if keys were broadcast.
// RUN: pit-opt %s --pit-form-attention | FileCheck %s
// RUN: pit-run %s --random=normal --random=normal --random=normal --check --quiet | FileCheck %s --check-prefix=VALUE
// RUN: %emulated-cuda pit-run %s --target=cuda --chip=sm_90a --random=normal --random=normal --random=normal --check --quiet | FileCheck %s --check-prefix=VALUE
// UNSUPPORTED: sanitizer
// VALUE: check: result 0: {{agrees|bit-identical}}
// CHECK-LABEL: func.func @main
// CHECK: pit.attend ins({{.*}} : tensor<2x2x4x70x64xbf16>, tensor<2x2x70x64xbf16>, tensor<2x2x70x64xbf16>)
// CHECK-NOT: linalg.softmax
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h floordiv 4, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#v = affine_map<(b, h, i, d, j) -> (b, h floordiv 4, j, d)>
#w = affine_map<(b, h, i, d, j) -> (b, h, i, j)>
#o = affine_map<(b, h, i, d, j) -> (b, h, i, d)>
#all = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
func.func @main(%q: tensor<2x8x70x64xbf16>, %k: tensor<2x2x70x64xbf16>, %v: tensor<2x2x70x64xbf16>) -> tensor<2x8x70x64xbf16> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %es = tensor.empty() : tensor<2x8x70x70xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x8x70x70xf32>) -> tensor<2x8x70x70xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x8x70x64xbf16>, tensor<2x2x70x64xbf16>) outs(%fs : tensor<2x8x70x70xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %o, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x8x70x70xf32>
  %l = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<2x8x70x70xf32>) outs(%es : tensor<2x8x70x70xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = arith.mulf %a, %scale : f32
    linalg.yield %p : f32
  } -> tensor<2x8x70x70xf32>
  %w = linalg.softmax dimension(3) ins(%l : tensor<2x8x70x70xf32>) outs(%es : tensor<2x8x70x70xf32>) -> tensor<2x8x70x70xf32>
  %ew = tensor.empty() : tensor<2x8x70x70xbf16>
  %n = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<2x8x70x70xf32>) outs(%ew : tensor<2x8x70x70xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %p = arith.truncf %a : f32 to bf16
    linalg.yield %p : bf16
  } -> tensor<2x8x70x70xbf16>
  %eo = tensor.empty() : tensor<2x8x70x64xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x8x70x64xf32>) -> tensor<2x8x70x64xf32>
  %c = linalg.generic {indexing_maps = [#w, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%n, %v : tensor<2x8x70x70xbf16>, tensor<2x2x70x64xbf16>) outs(%fo : tensor<2x8x70x64xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %o, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x8x70x64xf32>
  %eb = tensor.empty() : tensor<2x8x70x64xbf16>
  %t = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x8x70x64xf32>) outs(%eb : tensor<2x8x70x64xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %p = arith.truncf %a : f32 to bf16
    linalg.yield %p : bf16
  } -> tensor<2x8x70x64xbf16>
  return %t : tensor<2x8x70x64xbf16>
}
