// Queries, keys and values of one product: its rows are stored where they belong, once, and the three are views of that. As
// columns that are split and then made heads, or as heads whose first axis says which of the three.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a dense-variants=false" --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=KERNELS
// DEFINE: %{run} = %emulated-cuda pit-run %s --target=cuda --no-dense-variants --random=normal --random=normal:0.2 --check --quiet
// RUN: %{run} --chip=sm_90a --random=prefix:5:40 | FileCheck %s
// RUN: %{run} --chip=sm_80 --random=bool:0.5 | FileCheck %s
// RUN: %{run} --chip=sm_90a --random=bool:0.5 --entry=split | FileCheck %s
// RUN: %{run} --chip=sm_80 --random=bool:0.01 --entry=split | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}

// No kernel moves rows: there are two of listed rows, which are products.
// KERNELS-NOT: for each tile
// KERNELS-NOT: Family="listed rows"
// KERNELS: Family="GEMM of listed rows"
// KERNELS: Family="fused attention"
// KERNELS-NOT: for each tile
// KERNELS-NOT: Family="listed rows"
#mask = affine_map<(b, h, i, j, e, f) -> (b, j)>
func.func @main(%x: tensor<3x40x64xbf16>, %wi: tensor<64x3x4x16xbf16>, %wo: tensor<4x16x64xbf16>, %mask: tensor<3x40xi64>) -> tensor<3x40x64xbf16> {
  %zero = arith.constant 0.0 : f32
  %exs = tensor.empty() : tensor<3x40x64xbf16>
  %e0 = tensor.empty() : tensor<3x40x3x4x16xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<3x40x3x4x16xf32>) -> tensor<3x40x3x4x16xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(b, s, t, h, d, k) -> (b, s, k)>, affine_map<(b, s, t, h, d, k) -> (k, t, h, d)>, affine_map<(b, s, t, h, d, k) -> (b, s, t, h, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%x, %wi : tensor<3x40x64xbf16>, tensor<64x3x4x16xbf16>) outs(%z0 : tensor<3x40x3x4x16xf32>) {
  ^bb0(%l: bf16, %r: bf16, %acc: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %t = arith.mulf %lw, %rw : f32
    %s = arith.addf %acc, %t : f32
    linalg.yield %s : f32
  } -> tensor<3x40x3x4x16xf32>
  %e1 = tensor.empty() : tensor<3x40x3x4x16xbf16>
  %all = linalg.generic {indexing_maps = [affine_map<(b, s, t, h, d) -> (b, s, t, h, d)>, affine_map<(b, s, t, h, d) -> (b, s, t, h, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<3x40x3x4x16xf32>) outs(%e1 : tensor<3x40x3x4x16xbf16>) {
  ^bb0(%l: f32, %o: bf16):
    %n = arith.truncf %l : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<3x40x3x4x16xbf16>
  %q = tensor.extract_slice %all[0, 0, 0, 0, 0] [3, 40, 1, 4, 16] [1, 1, 1, 1, 1] : tensor<3x40x3x4x16xbf16> to tensor<3x40x4x16xbf16>
  %k = tensor.extract_slice %all[0, 0, 1, 0, 0] [3, 40, 1, 4, 16] [1, 1, 1, 1, 1] : tensor<3x40x3x4x16xbf16> to tensor<3x40x4x16xbf16>
  %v = tensor.extract_slice %all[0, 0, 2, 0, 0] [3, 40, 1, 4, 16] [1, 1, 1, 1, 1] : tensor<3x40x3x4x16xbf16> to tensor<3x40x4x16xbf16>
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

func.func @split(%x: tensor<3x40x64xbf16>, %wi: tensor<64x192xbf16>, %wo: tensor<4x16x64xbf16>, %mask: tensor<3x40xi64>) -> tensor<3x40x64xbf16> {
  %zero = arith.constant 0.0 : f32
  %exs = tensor.empty() : tensor<3x40x64xbf16>
  %e0 = tensor.empty() : tensor<3x40x192xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<3x40x192xf32>) -> tensor<3x40x192xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(b, s, n, k) -> (b, s, k)>, affine_map<(b, s, n, k) -> (k, n)>, affine_map<(b, s, n, k) -> (b, s, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %wi : tensor<3x40x64xbf16>, tensor<64x192xbf16>) outs(%z0 : tensor<3x40x192xf32>) {
  ^bb0(%l: bf16, %r: bf16, %acc: f32):
    %lw = arith.extf %l : bf16 to f32
    %rw = arith.extf %r : bf16 to f32
    %t = arith.mulf %lw, %rw : f32
    %s = arith.addf %acc, %t : f32
    linalg.yield %s : f32
  } -> tensor<3x40x192xf32>
  %e1 = tensor.empty() : tensor<3x40x192xbf16>
  %all = linalg.generic {indexing_maps = [affine_map<(b, s, n) -> (b, s, n)>, affine_map<(b, s, n) -> (b, s, n)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<3x40x192xf32>) outs(%e1 : tensor<3x40x192xbf16>) {
  ^bb0(%l: f32, %o: bf16):
    %n = arith.truncf %l : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<3x40x192xbf16>
  %q_ = tensor.extract_slice %all[0, 0, 0] [3, 40, 64] [1, 1, 1] : tensor<3x40x192xbf16> to tensor<3x40x64xbf16>
  %q = tensor.expand_shape %q_ [[0], [1], [2, 3]] output_shape [3, 40, 4, 16] : tensor<3x40x64xbf16> into tensor<3x40x4x16xbf16>
  %k_ = tensor.extract_slice %all[0, 0, 64] [3, 40, 64] [1, 1, 1] : tensor<3x40x192xbf16> to tensor<3x40x64xbf16>
  %k = tensor.expand_shape %k_ [[0], [1], [2, 3]] output_shape [3, 40, 4, 16] : tensor<3x40x64xbf16> into tensor<3x40x4x16xbf16>
  %v_ = tensor.extract_slice %all[0, 0, 128] [3, 40, 64] [1, 1, 1] : tensor<3x40x192xbf16> to tensor<3x40x64xbf16>
  %v = tensor.expand_shape %v_ [[0], [1], [2, 3]] output_shape [3, 40, 4, 16] : tensor<3x40x64xbf16> into tensor<3x40x4x16xbf16>
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

