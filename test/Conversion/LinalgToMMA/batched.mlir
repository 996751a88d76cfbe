// A product for each batch, by warps, and of f32 by threads: one launch, whose tiles go through batch after batch.
// RUN: pit-opt %s --convert-contractions-to-mma | FileCheck %s

// CHECK-LABEL: func.func @batches
// CHECK-SAME: memref<4x128x64xbf16>
// CHECK-NOT: linalg
// CHECK: gpu.launch_func @{{.*}} args({{.*}})
// CHECK-NOT: gpu.launch_func
func.func @batches(%a: memref<4x128x64xbf16>, %b: memref<4x64x256xbf16>, %c: memref<4x128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<4x128x256xf32>)
  linalg.batch_matmul ins(%a, %b : memref<4x128x64xbf16>, memref<4x64x256xbf16>) outs(%c : memref<4x128x256xf32>)
  return
}

// Rows whose number is not known lie one behind the other; all batches read one B.
// CHECK-LABEL: func.func @shared
// CHECK-DAG: %[[BATCHES:.*]] = memref.dim %{{.*}}, %c0
// CHECK-DAG: %[[ROWS:.*]] = memref.dim %{{.*}}, %c1
// CHECK: arith.muli %[[ROWS]]
// CHECK: gpu.launch_func
func.func @shared(%a: memref<?x?x65xf32>, %b: memref<65x33xf32>, %c: memref<?x?x33xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<?x?x33xf32>)
  linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>,
                                   affine_map<(b, m, n, k) -> (b, m, n)>],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<?x?x65xf32>, memref<65x33xf32>) outs(%c : memref<?x?x33xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  }
  return
}
