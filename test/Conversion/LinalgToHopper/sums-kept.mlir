// RUN: pit-opt %s --convert-contractions-to-hopper | FileCheck %s

// The sums in f32 live on as what an `scf.if` gives: the kernel writes them, and does not round them instead.
#row = affine_map<(r, j) -> (r, j)>

// CHECK-LABEL: func.func @kept
// CHECK: %[[SUMS:.*]] = memref.alloc() : memref<512x1024xf32>
// CHECK: gpu.launch_func @kept_kernels::@kept_contraction_0
// CHECK: scf.yield %[[SUMS]]
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]]
func.func @kept(%x: memref<512x1024xbf16>, %w: memref<1024x1024xbf16>, %o: memref<512x1024xf32>, %dst: memref<512x1024xf32>, %c: i1) -> memref<512x1024xbf16> {
  %zero = arith.constant 0.0 : f32
  %p = memref.alloc() : memref<512x1024xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<512x1024xf32>)
  linalg.matmul ins(%x, %w : memref<512x1024xbf16>, memref<1024x1024xbf16>) outs(%p : memref<512x1024xf32>)
  %r = scf.if %c -> memref<512x1024xf32> {
    scf.yield %p : memref<512x1024xf32>
  } else {
    scf.yield %o : memref<512x1024xf32>
  }
  %y = memref.alloc() : memref<512x1024xbf16>
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%p : memref<512x1024xf32>) outs(%y : memref<512x1024xbf16>) {
  ^bb0(%l: f32, %oo: bf16):
    %t = arith.truncf %l : f32 to bf16
    linalg.yield %t : bf16
  }
  memref.copy %r, %dst : memref<512x1024xf32> to memref<512x1024xf32>
  return %y : memref<512x1024xbf16>
}
