// Products whose columns, k, and distances between rows only the device knows.
// UNSUPPORTED: sanitizer
// DEFINE: %{run} = %emulated-cuda pit-run %s --target=cuda --check --report --quiet
// RUN: %{run} --chip=sm_90a --entry=f32 --random=normal@70x33 --random=normal@33x45 | FileCheck %s --check-prefixes=CHECK,DENSE
// RUN: %{run} --chip=sm_90a --entry=f32 --random=normal@1x64 --random=normal@64x130 | FileCheck %s --check-prefixes=CHECK,DENSE
// A sum over nothing, and no columns.
// RUN: %{run} --chip=sm_80 --entry=f32 --random=normal@5x0 --random=normal@0x6 | FileCheck %s
// RUN: %{run} --chip=sm_80 --entry=f32 --random=normal@5x7 --random=normal@7x0 | FileCheck %s
// RUN: %{run} --chip=sm_90a --entry=bf16_batched --random=normal@3x33x70 --random=normal@3x45x33 | FileCheck %s --check-prefixes=CHECK,BATCHED
// RUN: %{run} --chip=sm_80 --entry=f64 --random=normal@33x70 --random=normal@33x45 | FileCheck %s --check-prefixes=CHECK,DENSE
// RUN: %{run} --chip=sm_80 --entry=i8_batched --random=randint:-9:9@3x70x33 --random=randint:-9:9@3x45x33 | FileCheck %s --check-prefixes=CHECK,BATCHED
// RUN: %{run} --chip=sm_90a --entry=view --random=normal@70x33 --random=normal@33x90 | FileCheck %s --check-prefixes=CHECK,DENSE
// RUN: %{run} --chip=sm_90a --entry=layer --random=normal@70x33 --random=normal@33x45 --random=normal@45 --random=normal@70x45 | FileCheck %s --check-prefixes=CHECK,DENSE
// Rows of whole 16 bytes, which kernels of warpgroups take, and other sizes: the host launches another kernel.
// RUN: %{run} --chip=sm_90a --entry=f32 --random=normal@72x32 --random=normal@32x44 | FileCheck %s --check-prefixes=CHECK,DENSE
// RUN: %{run} --chip=sm_90a --entry=f32 --random=normal@520x16 --random=normal@16x516 | FileCheck %s --check-prefixes=CHECK,DENSE
// RUN: %{run} --chip=sm_90a --entry=f32 --random=normal@5x0 --random=normal@0x8 | FileCheck %s
// RUN: %{run} --chip=sm_90a --entry=bf16_batched --random=normal@3x40x72 --random=normal@3x48x40 | FileCheck %s --check-prefixes=CHECK,BATCHED
// RUN: %{run} --chip=sm_90a --entry=bf16_batched --random=normal@3x0x72 --random=normal@3x48x0 | FileCheck %s
// RUN: %{run} --chip=sm_90a --entry=bf16_batched --random=normal@0x8x72 --random=normal@0x48x8 | FileCheck %s
// RUN: %{run} --chip=sm_90a --entry=layer --random=normal@70x40 --random=normal@40x48 --random=normal@48 --random=normal@70x48 | FileCheck %s --check-prefixes=CHECK,DENSE
// RUN: %{run} --chip=sm_90a --entry=layer --random=normal@520x24 --random=normal@24x520 --random=normal@520 --random=normal@520x520 | FileCheck %s --check-prefixes=CHECK,DENSE
// RUN: %{run} --chip=sm_90a --entry=layer --random=normal@521x24 --random=normal@24x521 --random=normal@521 --random=normal@521x521 | FileCheck %s --check-prefixes=CHECK,DENSE
// RUN: %{run} --chip=sm_80 --entry=layer --random=normal@70x40 --random=normal@40x48 --random=normal@48 --random=normal@70x48 | FileCheck %s --check-prefixes=CHECK,DENSE
// RUN: %{run} --chip=sm_90a --entry=f64 --random=normal@34x70 --random=normal@34x46 | FileCheck %s --check-prefixes=CHECK,DENSE
// RUN: %{run} --chip=sm_90a --entry=view --random=normal@72x32 --random=normal@32x96 | FileCheck %s --check-prefixes=CHECK,DENSE
// Rows alone: with 1024 columns, another kernel from 128 rows on, and from 512.
// RUN: %{run} --chip=sm_90a --entry=rows --random=normal@0x64 --random=normal | FileCheck %s
// RUN: %{run} --chip=sm_90a --entry=rows --random=normal@3x64 --random=normal | FileCheck %s --check-prefixes=CHECK,DENSE
// RUN: %{run} --chip=sm_90a --entry=rows --random=normal@127x64 --random=normal | FileCheck %s --check-prefixes=CHECK,DENSE
// RUN: %{run} --chip=sm_90a --entry=rows --random=normal@128x64 --random=normal | FileCheck %s --check-prefixes=CHECK,DENSE
// RUN: %{run} --chip=sm_90a --entry=rows --random=normal@513x64 --random=normal | FileCheck %s --check-prefixes=CHECK,DENSE
// RUN: %{run} --chip=sm_80 --entry=rows --random=normal@3x64 --random=normal | FileCheck %s --check-prefixes=CHECK,DENSE
// CHECK: check: result 0: {{agrees|bit-identical}}
// DENSE: _contraction_{{[0-9]+}}, dense GEMM
// BATCHED: _contraction_{{[0-9]+}}, batched GEMM

func.func @f32(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(k,n)>, affine_map<(m,n,k)->(m,n)>], iterator_types = ["parallel","parallel","reduction"]} ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

func.func @bf16_batched(%a: tensor<?x?x?xbf16>, %b: tensor<?x?x?xbf16>) -> tensor<?x?x?xbf16> {
  %z = arith.constant 0.0 : bf16
  %cb = arith.constant 0 : index
  %bb = tensor.dim %a, %cb : tensor<?x?x?xbf16>
  %c0 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?x?xbf16>
  %n = tensor.dim %b, %c1 : tensor<?x?x?xbf16>
  %e = tensor.empty(%bb, %m, %n) : tensor<?x?x?xbf16>
  %f = linalg.fill ins(%z : bf16) outs(%e : tensor<?x?x?xbf16>) -> tensor<?x?x?xbf16>
  %s = linalg.generic {indexing_maps = [affine_map<(b,m,n,k)->(b,k,m)>, affine_map<(b,m,n,k)->(b,n,k)>, affine_map<(b,m,n,k)->(b,m,n)>], iterator_types = ["parallel","parallel","parallel","reduction"]} ins(%a, %b : tensor<?x?x?xbf16>, tensor<?x?x?xbf16>) outs(%f : tensor<?x?x?xbf16>) {
  ^bb0(%x: bf16, %y: bf16, %o: bf16):
    %p = arith.mulf %x, %y : bf16
    %s = arith.addf %o, %p : bf16
    linalg.yield %s : bf16
  } -> tensor<?x?x?xbf16>
  return %s : tensor<?x?x?xbf16>
}

func.func @f64(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %z = arith.constant 0.0 : f64
  %c0 = arith.constant 1 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf64>
  %n = tensor.dim %b, %c1 : tensor<?x?xf64>
  %e = tensor.empty(%m, %n) : tensor<?x?xf64>
  %f = linalg.fill ins(%z : f64) outs(%e : tensor<?x?xf64>) -> tensor<?x?xf64>
  %s = linalg.generic {indexing_maps = [affine_map<(m,n,k)->(k,m)>, affine_map<(m,n,k)->(k,n)>, affine_map<(m,n,k)->(m,n)>], iterator_types = ["parallel","parallel","reduction"]} ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%f : tensor<?x?xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %p = arith.mulf %x, %y : f64
    %s = arith.addf %o, %p : f64
    linalg.yield %s : f64
  } -> tensor<?x?xf64>
  return %s : tensor<?x?xf64>
}

func.func @i8_batched(%a: tensor<?x?x?xi8>, %b: tensor<?x?x?xi8>) -> tensor<?x?x?xi32> {
  %z = arith.constant 0 : i32
  %cb = arith.constant 0 : index
  %bb = tensor.dim %a, %cb : tensor<?x?x?xi8>
  %c0 = arith.constant 1 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?x?xi8>
  %n = tensor.dim %b, %c1 : tensor<?x?x?xi8>
  %e = tensor.empty(%bb, %m, %n) : tensor<?x?x?xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<?x?x?xi32>) -> tensor<?x?x?xi32>
  %s = linalg.generic {indexing_maps = [affine_map<(b,m,n,k)->(b,m,k)>, affine_map<(b,m,n,k)->(b,n,k)>, affine_map<(b,m,n,k)->(b,m,n)>], iterator_types = ["parallel","parallel","parallel","reduction"]} ins(%a, %b : tensor<?x?x?xi8>, tensor<?x?x?xi8>) outs(%f : tensor<?x?x?xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %xe = arith.extsi %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %s = arith.addi %o, %p : i32
    linalg.yield %s : i32
  } -> tensor<?x?x?xi32>
  return %s : tensor<?x?x?xi32>
}

// Half of the columns of B: rows are twice as far apart as they are long.
func.func @view(%a: tensor<?x?xf32>, %whole: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %k = tensor.dim %whole, %c0 : tensor<?x?xf32>
  %wide = tensor.dim %whole, %c1 : tensor<?x?xf32>
  %n = arith.divui %wide, %c2 : index
  %b = tensor.extract_slice %whole[0, 0] [%k, %n] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

// With what follows the sums.
func.func @layer(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>, %bias: tensor<?xbf16>, %residual: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %z = arith.constant 0.0 : f32
  %zero = arith.constant 0.0 : bf16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xbf16>
  %n = tensor.dim %b, %c1 : tensor<?x?xbf16>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = linalg.matmul ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  %oe = tensor.empty(%m, %n) : tensor<?x?xbf16>
  %o = linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%s, %bias, %residual : tensor<?x?xf32>, tensor<?xbf16>, tensor<?x?xbf16>) outs(%oe : tensor<?x?xbf16>) {
  ^bb0(%x: f32, %y: bf16, %r: bf16, %out: bf16):
    %t = arith.truncf %x : f32 to bf16
    %u = arith.addf %t, %y : bf16
    %v = arith.maximumf %u, %zero : bf16
    %w = arith.addf %v, %r : bf16
    linalg.yield %w : bf16
  } -> tensor<?x?xbf16>
  return %o : tensor<?x?xbf16>
}

func.func @rows(%a: tensor<?x64xbf16>, %b: tensor<64x1024xbf16>) -> tensor<?x1024xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x64xbf16>
  %e = tensor.empty(%m) : tensor<?x1024xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x64xbf16>, tensor<64x1024xbf16>) outs(%f : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  return %c : tensor<?x1024xf32>
}
