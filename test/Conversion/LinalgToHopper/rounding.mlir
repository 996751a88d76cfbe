// RUN: pit-opt %s -convert-contractions-to-hopper -canonicalize -split-input-file | FileCheck %s

// Something else reads the sums: they are stored, and rounded by what follows.
// CHECK-LABEL: func.func @reads_sums
// CHECK: gpu.launch_func {{.*}} memref<f32
// CHECK: linalg.generic
// CHECK: linalg.copy
#id = affine_map<(m, n) -> (m, n)>
func.func @reads_sums(%a: memref<128x64xbf16>, %b: memref<64x256xbf16>, %c: memref<128x256xbf16>,
                      %d: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<128x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<128x256xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xbf16>, memref<64x256xbf16>) outs(%sum : memref<128x256xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<128x256xf32>) outs(%c : memref<128x256xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  linalg.copy ins(%sum : memref<128x256xf32>) outs(%d : memref<128x256xf32>)
  return
}

// -----

// An input changes before the sums are rounded: the product comes first.
// CHECK-LABEL: func.func @input_changes
// CHECK: gpu.launch_func {{.*}} memref<f32
// CHECK: linalg.fill
// CHECK: linalg.generic
#id = affine_map<(m, n) -> (m, n)>
func.func @input_changes(%a: memref<128x64xbf16>, %b: memref<64x256xbf16>, %c: memref<128x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : bf16
  %sum = memref.alloc() : memref<128x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<128x256xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xbf16>, memref<64x256xbf16>) outs(%sum : memref<128x256xf32>)
  linalg.fill ins(%one : bf16) outs(%a : memref<128x64xbf16>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<128x256xf32>) outs(%c : memref<128x256xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  memref.dealloc %sum : memref<128x256xf32>
  return
}

// -----

// The rounded sums go where an input lies: tiles would be written before they
// are read, so that rounding is left for later.
// CHECK-LABEL: func.func @in_place
// CHECK: gpu.launch_func {{.*}} memref<f32
// CHECK: linalg.generic
#id = affine_map<(m, n) -> (m, n)>
func.func @in_place(%a: memref<128x64xbf16>, %b: memref<64x64xbf16>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<128x64xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<128x64xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xbf16>, memref<64x64xbf16>) outs(%sum : memref<128x64xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<128x64xf32>) outs(%a : memref<128x64xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  memref.dealloc %sum : memref<128x64xf32>
  return
}
