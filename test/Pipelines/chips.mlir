// Which kernels chips get follows from their rows: none of tiles, mma.sync, or wgmma.
// RUN: pit-opt %s --pit-to-ptx=chip=sm_75 | pit-translate --pit-to-ptx | FileCheck %s --check-prefixes=THREADS,SM75
// RUN: pit-opt %s --pit-to-ptx=chip=sm_80 | pit-translate --pit-to-ptx | FileCheck %s --check-prefixes=WARPS,SM80
// RUN: pit-opt %s --pit-to-ptx=chip=sm_90 | pit-translate --pit-to-ptx | FileCheck %s --check-prefixes=WARPS,SM90
// RUN: pit-opt %s --pit-to-ptx=chip=sm_90a | pit-translate --pit-to-ptx | FileCheck %s --check-prefix=WARPGROUPS
// RUN: pit-opt %s --pit-to-ptx=chip=sm_100a | pit-translate --pit-to-ptx | FileCheck %s --check-prefixes=WARPS,SM100A
// RUN: pit-opt %s --pit-to-ptx=chip=sm_120 | pit-translate --pit-to-ptx | FileCheck %s --check-prefixes=WARPS,SM120

// SM75: .target sm_75
// THREADS-NOT: mma.sync
// THREADS-NOT: cp.async
// THREADS: fma.rn.f32
// THREADS-NOT: mma.sync

// SM80: .target sm_80
// SM90: .target sm_90
// SM100A: .target sm_100a
// SM120: .target sm_120
// WARPS-NOT: wgmma
// WARPS: cp.async.cg.shared.global
// WARPS: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// WARPS-NOT: wgmma

// WARPGROUPS: .target sm_90a
// WARPGROUPS: cp.async.bulk.tensor
// WARPGROUPS: wgmma.mma_async

// Launches have as many blocks as the chip's card runs at a time: 2, or 8 of 256 threads, for each multiprocessor.
// RUN: pit-opt %s --pit-to-ptx=chip=sm_75 | FileCheck %s --check-prefix=T4
// RUN: pit-opt %s --pit-to-ptx=chip=sm_80 | FileCheck %s --check-prefix=A100
// RUN: pit-opt %s --pit-to-ptx=chip=sm_90a | FileCheck %s --check-prefix=H200
// RUN: pit-opt %s --pit-to-ptx=chip=sm_120 | FileCheck %s --check-prefix=PRO6000
// T4-LABEL: func.func @softmax
// T4: blocks in (%c160, %c1, %c1)
// A100-LABEL: func.func @softmax
// A100: blocks in (%c864, %c1, %c1)
// H200-LABEL: func.func @softmax
// H200: blocks in (%c1056, %c1, %c1)
// PRO6000-LABEL: func.func @softmax
// PRO6000: blocks in (%c1128, %c1, %c1)

// Neither chips without kernels that follow micro-tiles nor those on which nothing was measured choose any.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_80 report" 2>&1 | FileCheck %s --check-prefix=REPORT80
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90 report" 2>&1 | FileCheck %s --check-prefix=REPORT90
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a report" 2>&1 | FileCheck %s --check-prefix=REPORT90A
// RUN: pit-opt %s --pit-to-ptx="card=h100 report" 2>&1 | FileCheck %s --check-prefix=REPORTH100
// REPORTH100: remark: times are those of NVIDIA H200, chip 'sm_90a', as there are none of NVIDIA H100 80GB HBM3
// REPORT80: remark: no times of bf16 were measured for chip 'sm_80'; its micro-tiles stay
// REPORT90: remark: no times of bf16 were measured for chip 'sm_90'; its micro-tiles stay
// REPORT90A: remark: micro-tiles for 1x1, 50 to 99 % dead, mean: dense {{.*}}; chosen:

func.func @product(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %s = linalg.matmul ins(%a, %b : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>)
    outs(%z : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %f = tensor.empty() : tensor<1024x1024xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1024x1024xbf16>
  return %r : tensor<1024x1024xbf16>
}

func.func @skipping(%a: tensor<1024x1024xbf16> {pit.sparse = {source = "values", axes = array<i64: 0, 1>}},
                    %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %s = linalg.matmul ins(%a, %b : tensor<1024x1024xbf16>, tensor<1024x1024xbf16>)
    outs(%z : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %f = tensor.empty() : tensor<1024x1024xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1024x1024xbf16>
  return %r : tensor<1024x1024xbf16>
}

func.func @softmax(%a: tensor<65536x256xf32>) -> tensor<65536x256xf32> {
  %e = tensor.empty() : tensor<65536x256xf32>
  %r = linalg.softmax dimension(1) ins(%a : tensor<65536x256xf32>) outs(%e : tensor<65536x256xf32>) -> tensor<65536x256xf32>
  return %r : tensor<65536x256xf32>
}
