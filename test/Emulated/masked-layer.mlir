// A layer whose rows count where a tokenizer's mask says so: keys by their scores, all other rows by what comes behind.
// Every product runs along the rows that count, and the attention between them is one kernel.
// RUN: pit-opt %s --pit-inline-calls=all=true --pit-infer-marks --pit-normalize --pit-select-marks=rows=true --convert-linalg-to-pit | FileCheck %s --check-prefix=RULES
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a dense-variants=false" --remarks-filter=pit-kernels 2>&1 | FileCheck %s --check-prefix=KERNELS
// RUN: %emulated-cuda pit-run %s --target=cuda --chip=sm_80 --no-dense-variants --random=normal --random=prefix:5:40 --random=normal:0.2 --check --quiet | FileCheck %s
// Holes, and with few positions sequences without any: these attend to all keys.
// RUN: %emulated-cuda pit-run %s --target=cuda --chip=sm_80 --no-dense-variants --random=normal --random=bool:0.5 --random=normal:0.2 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --target=cuda --chip=sm_80 --no-dense-variants --random=normal --random=bool:0.01 --random=normal:0.2 --check --quiet | FileCheck %s
// RUN: %emulated-cuda pit-run %s --target=cuda --chip=sm_80 --no-dense-variants --random=normal --random=prefix:40:40 --random=normal:0.2 --check --quiet | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}

// The scale of positions does not lie in rows, and stays dense.
// RULES-LABEL: func @main
// RULES-COUNT-1: pit.detect by
// RULES: linalg.generic {{.*}} ins({{.*}}, %arg2 : tensor<3x40x64xbf16>, tensor<40x64xbf16>)
// RULES-COUNT-6: pit.generic
// RULES: pit.attend
// RULES-COUNT-2: pit.generic
// RULES-NOT: pit.detect
// KERNELS-COUNT-4: [Passed] kernel {{.*}}Family="GEMM of listed rows"
#mask = affine_map<(b, h, i, j, e, f) -> (b, j)>
func.func @main(%x: tensor<3x40x64xbf16>, %mask: tensor<3x40xi64>, %p: tensor<40x64xbf16>, %wq: tensor<64x4x16xbf16>, %wk: tensor<64x4x16xbf16>,
                %wv: tensor<64x4x16xbf16>, %wo: tensor<4x16x64xbf16>) -> tensor<3x40x64xbf16> {
  %zero = arith.constant 0.0 : f32
  %exs = tensor.empty() : tensor<3x40x64xbf16>
  %xs = linalg.generic {indexing_maps = [affine_map<(b, s, k) -> (b, s, k)>, affine_map<(b, s, k) -> (s, k)>, affine_map<(b, s, k) -> (b, s, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %p : tensor<3x40x64xbf16>, tensor<40x64xbf16>) outs(%exs : tensor<3x40x64xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
    %t = arith.mulf %a, %b : bf16
    linalg.yield %t : bf16
  } -> tensor<3x40x64xbf16>
  %q = func.call @heads(%xs, %wq) : (tensor<3x40x64xbf16>, tensor<64x4x16xbf16>) -> tensor<3x40x4x16xbf16>
  %k = func.call @heads(%xs, %wk) : (tensor<3x40x64xbf16>, tensor<64x4x16xbf16>) -> tensor<3x40x4x16xbf16>
  %v = func.call @heads(%xs, %wv) : (tensor<3x40x64xbf16>, tensor<64x4x16xbf16>) -> tensor<3x40x4x16xbf16>
  %ea = tensor.empty() : tensor<3x40x4x16xbf16>
  %a = pit.attend ins(%q, %k, %v : tensor<3x40x4x16xbf16>, tensor<3x40x4x16xbf16>, tensor<3x40x4x16xbf16>)
      modifiers(%mask : tensor<3x40xi64>) outs(%ea : tensor<3x40x4x16xbf16>) maps [
        affine_map<(b, h, i, j, e, f) -> (b, i, h, e)>, affine_map<(b, h, i, j, e, f) -> (b, j, h, e)>,
        affine_map<(b, h, i, j, e, f) -> (b, j, h, f)>, #mask, affine_map<(b, h, i, j, e, f) -> (b, i, h, f)>] {
  ^bb0(%score: f32, %m: i64, %b: index, %h: index, %i: index, %j: index):
    %c0 = arith.constant 0 : i64
    %zero_ = arith.constant 0.0 : f32
    %least = arith.constant -3.38953139E+38 : f32
    %counts = arith.cmpi ne, %m, %c0 : i64
    %add = arith.select %counts, %zero_, %least : f32
    %logit = arith.addf %score, %add : f32
    pit.logit %logit : f32
  } -> tensor<3x40x4x16xbf16>
  %e = tensor.empty() : tensor<3x40x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x40x64xf32>) -> tensor<3x40x64xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(b, s, n, h, d) -> (b, s, h, d)>, affine_map<(b, s, n, h, d) -> (h, d, n)>, affine_map<(b, s, n, h, d) -> (b, s, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%a, %wo : tensor<3x40x4x16xbf16>, tensor<4x16x64xbf16>) outs(%z : tensor<3x40x64xf32>) {
  ^bb0(%l: bf16, %r: bf16, %acc: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %t = arith.mulf %lw, %rw : f32
    %sum = arith.addf %acc, %t : f32
    linalg.yield %sum : f32
  } -> tensor<3x40x64xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, s, n) -> (b, s, n)>, affine_map<(b, s, n) -> (b, s)>, affine_map<(b, s, n) -> (b, s, n)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%o, %mask : tensor<3x40x64xf32>, tensor<3x40xi64>) outs(%exs : tensor<3x40x64xbf16>) {
  ^bb0(%l: f32, %m: i64, %out: bf16):
    %n = arith.truncf %l : f32 to bf16
    %w = arith.sitofp %m : i64 to bf16
    %t = arith.mulf %n, %w : bf16
    linalg.yield %t : bf16
  } -> tensor<3x40x64xbf16>
  return %y : tensor<3x40x64xbf16>
}

func.func private @heads(%x: tensor<3x40x64xbf16>, %w: tensor<64x4x16xbf16>) -> tensor<3x40x4x16xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x40x4x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x40x4x16xf32>) -> tensor<3x40x4x16xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(b, s, h, d, k) -> (b, s, k)>, affine_map<(b, s, h, d, k) -> (k, h, d)>, affine_map<(b, s, h, d, k) -> (b, s, h, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<3x40x64xbf16>, tensor<64x4x16xbf16>) outs(%z : tensor<3x40x4x16xf32>) {
  ^bb0(%l: bf16, %r: bf16, %acc: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %t = arith.mulf %lw, %rw : f32
    %s = arith.addf %acc, %t : f32
    linalg.yield %s : f32
  } -> tensor<3x40x4x16xf32>
  %eb = tensor.empty() : tensor<3x40x4x16xbf16>
  %q = linalg.generic {indexing_maps = [affine_map<(b, s, h, d) -> (b, s, h, d)>, affine_map<(b, s, h, d) -> (b, s, h, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<3x40x4x16xf32>) outs(%eb : tensor<3x40x4x16xbf16>) {
  ^bb0(%l: f32, %o: bf16):
    %n = arith.truncf %l : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<3x40x4x16xbf16>
  return %q : tensor<3x40x4x16xbf16>
}
