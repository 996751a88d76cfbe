// Tiles of 192 columns, whose three parts go through two buffers in turn: each block has several tiles, and the first part of
// one waits until the last part of the one before was read.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a" --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=KERNELS
// KERNELS: Tile=128x192x64
// KERNELS: Tile=128x192x64
// DEFINE: %{run} = %emulated-cuda pit-run %s --target=cuda --chip=sm_90a --check --quiet
// RUN: %{run} --random=normal:0.2@192x3456 --random=normal:0.2@192x1536 | FileCheck %s
// RUN: %{run} --entry=rows --random=normal:0.2@3440x72 --random=normal:0.2@1528x72 | FileCheck %s
// CHECK: check: result 0: agrees

// Stores that may be pending before the three parts of a tile are written.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a" | FileCheck %s --check-prefix=WAITS
// WAITS: cp.async.bulk.wait_group.read \090;
// WAITS: cp.async.bulk.wait_group.read \091;
// WAITS: cp.async.bulk.wait_group.read \091;
// WAITS: cp.async.bulk.wait_group \090;

func.func @main(%x: tensor<192x3456xbf16>, %w: tensor<192x1536xbf16>) -> tensor<3456x1536xbf16> {
  %zero = arith.constant 0.0 : bf16
  %0 = tensor.empty() : tensor<3456x1536xbf16>
  %1 = linalg.fill ins(%zero : bf16) outs(%0 : tensor<3456x1536xbf16>) -> tensor<3456x1536xbf16>
  %2 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<192x3456xbf16>, tensor<192x1536xbf16>) outs(%1 : tensor<3456x1536xbf16>) -> tensor<3456x1536xbf16>
  return %2 : tensor<3456x1536xbf16>
}

func.func @rows(%x: tensor<3440x72xf16>, %w: tensor<1528x72xf16>) -> tensor<3440x1528xf16> {
  %zero = arith.constant 0.0 : f16
  %0 = tensor.empty() : tensor<3440x1528xf16>
  %1 = linalg.fill ins(%zero : f16) outs(%0 : tensor<3440x1528xf16>) -> tensor<3440x1528xf16>
  %2 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<3440x72xf16>, tensor<1528x72xf16>) outs(%1 : tensor<3440x1528xf16>) -> tensor<3440x1528xf16>
  return %2 : tensor<3440x1528xf16>
}
