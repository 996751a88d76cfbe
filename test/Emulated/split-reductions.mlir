// A long sum of few tiles is computed in parts, which are added up in order: alone, and with work behind it. k is
// contiguous in no operand, or in B.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a" --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=KERNELS
// KERNELS: parts, a batch each
// KERNELS: parts, a batch each
// DEFINE: %{run} = %emulated-cuda pit-run %s --target=cuda --chip=sm_90a --check --quiet
// RUN: %{run} --random=normal:0.1@4096x72 --random=normal:0.1@4096x136 --random=normal:0.5@136 | FileCheck %s
// RUN: %{run} --entry=rows --random=normal:0.1@4096x72 --random=normal:0.1@136x4096 | FileCheck %s
// CHECK: check: result 0: agrees

#id = affine_map<(m, n) -> (m, n)>

func.func @main(%x: tensor<4096x72xbf16>, %dy: tensor<4096x136xbf16>, %b: tensor<136xf32>) -> tensor<72x136xbf16> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<72x136xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<72x136xf32>) -> tensor<72x136xf32>
  %2 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %dy : tensor<4096x72xbf16>, tensor<4096x136xbf16>) outs(%1 : tensor<72x136xf32>) -> tensor<72x136xf32>
  %3 = tensor.empty() : tensor<72x136xbf16>
  %4 = linalg.generic {indexing_maps = [#id, affine_map<(m, n) -> (n)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%2, %b : tensor<72x136xf32>, tensor<136xf32>) outs(%3 : tensor<72x136xbf16>) {
  ^bb0(%s: f32, %c: f32, %o: bf16):
    %5 = arith.addf %s, %c : f32
    %6 = arith.truncf %5 : f32 to bf16
    linalg.yield %6 : bf16
  } -> tensor<72x136xbf16>
  return %4 : tensor<72x136xbf16>
}

func.func @rows(%x: tensor<4096x72xf16>, %dy: tensor<136x4096xf16>) -> tensor<72x136xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<72x136xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<72x136xf32>) -> tensor<72x136xf32>
  %2 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %dy : tensor<4096x72xf16>, tensor<136x4096xf16>) outs(%1 : tensor<72x136xf32>) -> tensor<72x136xf32>
  return %2 : tensor<72x136xf32>
}
