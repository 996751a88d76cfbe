// What is rounded to 16 bits may use approximations of f32; other results may not.
// RUN: pit-opt %s --convert-linalg-to-gpu -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @rounded(
// CHECK: math.exp %{{.*}} fastmath<{{.*}}afn{{.*}}> : f32
// CHECK: arith.divf {{.*}} fastmath<{{.*}}arcp{{.*}}> : f32
func.func @rounded(%a: memref<4096xbf16>, %b: memref<4096xbf16>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<4096xbf16>) outs(%b : memref<4096xbf16>) {
  ^bb0(%x: bf16, %o: bf16):
    %0 = arith.extf %x : bf16 to f32
    %1 = math.exp %0 : f32
    %2 = arith.divf %0, %1 : f32
    %3 = arith.truncf %2 : f32 to bf16
    linalg.yield %3 : bf16
  }
  return
}

// -----

// CHECK-LABEL: func.func @exact(
// CHECK: math.exp %{{.*}} : f32
// CHECK-NOT: fastmath
func.func @exact(%a: memref<4096xbf16>, %b: memref<4096xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<4096xbf16>) outs(%b : memref<4096xf32>) {
  ^bb0(%x: bf16, %o: f32):
    %0 = arith.extf %x : bf16 to f32
    %1 = math.exp %0 : f32
    %2 = arith.divf %0, %1 : f32
    linalg.yield %2 : f32
  }
  return
}
