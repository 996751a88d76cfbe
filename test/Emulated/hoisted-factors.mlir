// Products that compute with a factor on the way: all on kernels of products, and right.
// UNSUPPORTED: sanitizer
// RUN: pit-opt %s --pit-to-ptx="chip=sm_90a" --pit-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=KERNELS
// KERNELS: dense GEMM, Instructions fma of threads
// KERNELS: dense GEMM, Instructions wgmma
// RUN: %emulated-cuda pit-run %s --entry=weights --target=cuda --chip=sm_90a --check --quiet --random=normal@40x64 --random=randint:-100:100 --random=randint:-9:9 --random=normal | FileCheck %s
// RUN: %emulated-cuda pit-run %s --entry=inputs --target=cuda --chip=sm_90a --check --quiet --random=normal --random=normal | FileCheck %s
// RUN: pit-run %s --entry=weights --target=cpu --check --quiet --random=normal@40x64 --random=randint:-100:100 --random=randint:-9:9 --random=normal | FileCheck %s
// RUN: pit-run %s --entry=inputs --target=cpu --check --quiet --random=normal --random=normal | FileCheck %s
// CHECK: check: result 0: {{agrees|bit-identical}}

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#n = affine_map<(m, n, k) -> (n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @weights(%x: tensor<?x64xbf16>, %w: tensor<64x96xi8>, %z: tensor<96xi8>, %s: tensor<96xf32>) -> tensor<?x96xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x64xbf16>
  %e = tensor.empty(%m) : tensor<?x96xf32>
  %y = linalg.fill ins(%zero : f32) outs(%e : tensor<?x96xf32>) -> tensor<?x96xf32>
  %r = linalg.generic {indexing_maps = [#mk, #kn, #n, #n, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w, %z, %s : tensor<?x64xbf16>, tensor<64x96xi8>, tensor<96xi8>, tensor<96xf32>) outs(%y : tensor<?x96xf32>) {
  ^bb0(%a: bf16, %b: i8, %zp: i8, %scale: f32, %o: f32):
    %a0 = arith.extf %a : bf16 to f32
    %b0 = arith.extsi %b : i8 to i32
    %z0 = arith.extsi %zp : i8 to i32
    %d = arith.subi %b0, %z0 : i32
    %f = arith.sitofp %d : i32 to f32
    %g = arith.mulf %f, %scale : f32
    %p = arith.mulf %a0, %g : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<?x96xf32>
  return %r : tensor<?x96xf32>
}

func.func @inputs(%x: tensor<72x64xbf16>, %w: tensor<64x96xbf16>) -> tensor<72x96xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<72x96xf32>
  %y = linalg.fill ins(%zero : f32) outs(%e : tensor<72x96xf32>) -> tensor<72x96xf32>
  %r = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<72x64xbf16>, tensor<64x96xbf16>) outs(%y : tensor<72x96xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %a0 = arith.extf %a : bf16 to f32
    %c = arith.maximumf %a0, %zero : f32
    %b0 = arith.extf %b : bf16 to f32
    %p = arith.mulf %c, %b0 : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<72x96xf32>
  return %r : tensor<72x96xf32>
}
