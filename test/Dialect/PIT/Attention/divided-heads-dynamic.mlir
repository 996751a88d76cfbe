// The batch is not known, and heads are: a division of theirs that is known to stay inside needs no check, which would keep the products apart.
// UNSUPPORTED: sanitizer
// DEFINE: %{run} = %emulated-cuda pit-run %s --target=cuda --chip=sm_90a --check --quiet
// RUN: %{run} --random=normal@2x8x70x64 --random=normal@2x2x70x64 --random=normal@2x2x70x64 | FileCheck %s --check-prefix=VALUE
// RUN: not %{run} --random=normal@2x8x70x64 --random=normal@1x2x70x64 --random=normal@2x2x70x64 2>&1 | FileCheck %s --check-prefix=DIFFERS
// RUN: pit-opt %s --pit-to-ptx=chip=sm_90a | pit-translate - --pit-to-manifest | FileCheck %s
// VALUE: check: result 0: {{agrees|bit-identical}}
// DIFFERS: dimension 0 of operand 0 is 2, dimension 0 of operand 1 is 1
// CHECK: "kernel": "main_attention_0"
// CHECK-NOT: "kernel"
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h floordiv 4, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#v = affine_map<(b, h, i, d, j) -> (b, h floordiv 4, j, d)>
#w = affine_map<(b, h, i, d, j) -> (b, h, i, j)>
#o = affine_map<(b, h, i, d, j) -> (b, h, i, d)>
#all = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
func.func @main(%q: tensor<?x8x70x64xbf16>, %k: tensor<?x2x70x64xbf16>, %v: tensor<?x2x70x64xbf16>) -> tensor<?x8x70x64xbf16> {
  %c0 = arith.constant 0 : index
  %nb = tensor.dim %q, %c0 : tensor<?x8x70x64xbf16>
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %es = tensor.empty(%nb) : tensor<?x8x70x70xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<?x8x70x70xf32>) -> tensor<?x8x70x70xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<?x8x70x64xbf16>, tensor<?x2x70x64xbf16>) outs(%fs : tensor<?x8x70x70xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %o, %p : f32
    linalg.yield %r : f32
  } -> tensor<?x8x70x70xf32>
  %l = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<?x8x70x70xf32>) outs(%es : tensor<?x8x70x70xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = arith.mulf %a, %scale : f32
    linalg.yield %p : f32
  } -> tensor<?x8x70x70xf32>
  %w = linalg.softmax dimension(3) ins(%l : tensor<?x8x70x70xf32>) outs(%es : tensor<?x8x70x70xf32>) -> tensor<?x8x70x70xf32>
  %ew = tensor.empty(%nb) : tensor<?x8x70x70xbf16>
  %n = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<?x8x70x70xf32>) outs(%ew : tensor<?x8x70x70xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %p = arith.truncf %a : f32 to bf16
    linalg.yield %p : bf16
  } -> tensor<?x8x70x70xbf16>
  %eo = tensor.empty(%nb) : tensor<?x8x70x64xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<?x8x70x64xf32>) -> tensor<?x8x70x64xf32>
  %c = linalg.generic {indexing_maps = [#w, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%n, %v : tensor<?x8x70x70xbf16>, tensor<?x2x70x64xbf16>) outs(%fo : tensor<?x8x70x64xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %o, %p : f32
    linalg.yield %r : f32
  } -> tensor<?x8x70x64xf32>
  %eb = tensor.empty(%nb) : tensor<?x8x70x64xbf16>
  %t = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<?x8x70x64xf32>) outs(%eb : tensor<?x8x70x64xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %p = arith.truncf %a : f32 to bf16
    linalg.yield %p : bf16
  } -> tensor<?x8x70x64xbf16>
  return %t : tensor<?x8x70x64xbf16>
}
