// Products of parts of tensors that start where only the run knows: whole rows apart, so that the copy engine takes them; an odd number of elements apart,
// where kernels without it do.
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a least-us=0" --pit-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=KERNELS
// KERNELS: linalg.matmul in @rows
// KERNELS: + kernels   dense GEMM, Instructions wgmma
// KERNELS: linalg.matmul in @odd
// KERNELS: - kernels   not a wgmma kernel; tried next: mma.sync
// KERNELS: starts an unknown number of elements behind its buffer's base; the copy engine needs a multiple of 8
// KERNELS: + kernels   dense GEMM, Instructions mma.sync
// DEFINE: %{run} = %emulated-cuda pit-run %s --target=cuda --quiet --check
// RUN: %{run} --entry=rows --chip=sm_90a --random=normal@192x64 --random=normal:0.1@192x64 | FileCheck %s
// RUN: %{run} --entry=rows --chip=sm_80 --random=normal@128x64 --random=normal:0.1@128x64 | FileCheck %s
// RUN: %{run} --entry=odd --chip=sm_90a --random=normal --random=normal:0.1@67x64 | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}

func.func @rows(%x: tensor<?x64xbf16>, %w: tensor<?x64xbf16>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x64xbf16>
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%all = %f) -> tensor<?x64xf32> {
    %a = tensor.extract_slice %x[%i, 0] [64, 64] [1, 1] : tensor<?x64xbf16> to tensor<64x64xbf16>
    %b = tensor.extract_slice %w[%i, 0] [64, 64] [1, 1] : tensor<?x64xbf16> to tensor<64x64xbf16>
    %ey = tensor.empty() : tensor<64x64xf32>
    %fy = linalg.fill ins(%zero : f32) outs(%ey : tensor<64x64xf32>) -> tensor<64x64xf32>
    %y = linalg.matmul ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%fy : tensor<64x64xf32>) -> tensor<64x64xf32>
    %next = tensor.insert_slice %y into %all[%i, 0] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<?x64xf32>
    scf.yield %next : tensor<?x64xf32>
  }
  return %r : tensor<?x64xf32>
}

func.func @odd(%x: tensor<64x80xbf16>, %w: tensor<?x64xbf16>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %w, %c0 : tensor<?x64xbf16>
  %last = arith.subi %n, %c64 : index
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = scf.for %i = %c0 to %last step %c1 iter_args(%sum = %f) -> tensor<64x64xf32> {
    %a = tensor.extract_slice %x[0, %i] [64, 64] [1, 1] : tensor<64x80xbf16> to tensor<64x64xbf16>
    %b = tensor.extract_slice %w[%i, 0] [64, 64] [1, 1] : tensor<?x64xbf16> to tensor<64x64xbf16>
    %y = linalg.matmul ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
    %id = tensor.empty() : tensor<64x64xf32>
    %next = linalg.add ins(%sum, %y : tensor<64x64xf32>, tensor<64x64xf32>) outs(%id : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}
