// RUN: pit-opt %s -convert-contractions-to-hopper -canonicalize -cse -split-input-file | FileCheck %s

// An op may read the buffer that it writes at the place that it writes, and nowhere else: a row of the output, written by other blocks
// at some time, stays an op of its own.
#id = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>
// CHECK-LABEL: func.func @row_of_output(
// CHECK: gpu.launch_func
// CHECK: linalg.generic
func.func @row_of_output(%a: memref<128x64xbf16>, %b: memref<64x256xbf16>, %c: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<128x256xf32>
  %row = memref.subview %c[0, 0] [1, 256] [1, 1] : memref<128x256xf32> to memref<256xf32, strided<[1]>>
  linalg.fill ins(%zero : f32) outs(%sum : memref<128x256xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xbf16>, memref<64x256xbf16>) outs(%sum : memref<128x256xf32>)
  linalg.generic {indexing_maps = [#id, #columns, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %row : memref<128x256xf32>, memref<256xf32, strided<[1]>>) outs(%c : memref<128x256xf32>) {
  ^bb0(%x: f32, %w: f32, %o: f32):
    %0 = arith.addf %x, %w : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// What both products start from is filled once; neither that nor a buffer that only the fill would write is left. What lies
// between has nothing to do with them.
#id = affine_map<(m, n) -> (m, n)>
// CHECK-LABEL: func.func @shared_zeros(
// CHECK-NOT: memref.alloc
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : memref<16xf32>)
// CHECK-NOT: linalg.
// CHECK: gpu.launch_func
// CHECK-NOT: linalg.
// CHECK: gpu.module
func.func @shared_zeros(%a: memref<256x64xbf16>, %b: memref<64x384xbf16>, %b2: memref<64x384xbf16>,
                        %c: memref<256x384xbf16>, %other: memref<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %g = memref.alloc() : memref<256x384xf32>
  %u = memref.alloc() : memref<256x384xf32>
  linalg.fill ins(%zero : f32) outs(%u : memref<256x384xf32>)
  memref.copy %u, %g : memref<256x384xf32> to memref<256x384xf32>
  linalg.fill ins(%one : f32) outs(%other : memref<16xf32>)
  linalg.matmul ins(%a, %b : memref<256x64xbf16>, memref<64x384xbf16>) outs(%g : memref<256x384xf32>)
  linalg.matmul ins(%a, %b2 : memref<256x64xbf16>, memref<64x384xbf16>) outs(%u : memref<256x384xf32>)
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g, %u : memref<256x384xf32>, memref<256x384xf32>) outs(%c : memref<256x384xbf16>) {
  ^bb0(%x: f32, %y: f32, %o: bf16):
    %0 = arith.negf %x : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %x, %2 : f32
    %4 = arith.mulf %3, %y : f32
    %5 = arith.truncf %4 : f32 to bf16
    linalg.yield %5 : bf16
  }
  return
}

// -----

// A buffer that is written and never read goes away with what writes it.
// CHECK-LABEL: func.func @unread(
// CHECK-NOT: memref.alloc
// CHECK-NOT: linalg.
// CHECK: gpu.launch_func
func.func @unread(%a: memref<128x64xbf16>, %b: memref<64x256xbf16>, %c: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %unread = memref.alloc() : memref<128x256xf32>
  linalg.fill ins(%zero : f32) outs(%unread : memref<128x256xf32>)
  linalg.fill ins(%zero : f32) outs(%c : memref<128x256xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xbf16>, memref<64x256xbf16>) outs(%c : memref<128x256xf32>)
  return
}
