// RUN: pit-opt %s -convert-contractions-to-hopper="f32-products=tf32" -canonicalize -cse -split-input-file | FileCheck %s
// RUN: pit-opt %s -convert-contractions-to-hopper="f32-products=simt" -split-input-file | FileCheck %s --check-prefix=OFF --implicit-check-not=gpu.launch_func
// RUN: pit-opt %s -convert-contractions-to-hopper="f32-products=tf32x3" -split-input-file | FileCheck %s --check-prefix=OFF --implicit-check-not=gpu.launch_func
// RUN: pit-opt %s -convert-contractions-to-hopper -split-input-file | FileCheck %s --check-prefix=OFF --implicit-check-not=gpu.launch_func

// OFF-LABEL: func.func @dense
// OFF: linalg.generic
// OFF-LABEL: func.func @segments
// OFF: linalg.generic

// The copy engine rounds f32 to tf32 on the way into a stage, whose rows of 128
// bytes hold 32 k, and instructions multiply 8 of them. Stages have as many
// bytes as of 16 bits: (128 + 256) rows.
// CHECK-LABEL: func.func @dense
// CHECK-NOT: linalg
// CHECK: memref.reinterpret_cast %arg0 {{.*}} : memref<?x456xf32> to memref<?x456xf32, strided<[456, 1]>>
// CHECK: pit.rounded_tensor_map {{.*}} to tf32 : memref<*xf32> -> <tensor = memref<128x32xf32, #gpu.address_space<workgroup>>, swizzle = swizzle_128b, l2promo = l2promo_128b, oob = zero
// CHECK: pit.rounded_tensor_map {{.*}} to tf32 : memref<*xf32> -> <tensor = memref<256x32xf32, #gpu.address_space<workgroup>>, swizzle = swizzle_128b
// CHECK: gpu.launch_func @dense_kernels::@dense_contraction_0
// CHECK: llvm.func @dense_contraction_0
// CHECK-DAG: %[[BYTES:.*]] = arith.constant 49152 : i32
// CHECK-DAG: %[[DEPTH:.*]] = arith.constant 32 : i32
// CHECK: nvvm.setmaxregister decrease 40
// CHECK: %[[K:.*]] = arith.muli %{{.*}}, %[[DEPTH]] : i32
// CHECK: nvvm.mbarrier.arrive.expect_tx {{.*}}, %[[BYTES]] :
// CHECK-COUNT-2: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}[%[[K]], 
// CHECK: nvvm.setmaxregister increase 232
// CHECK: nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 256, k = 8>, D[<f32>, <zero>], A[<tf32>, <one>, <row>], B[<tf32>, <one>, <col>]
// CHECK-COUNT-3: nvvm.wgmma.mma_async {{.*}} D[<f32>, <one>]
// CHECK: scf.for
// CHECK-COUNT-4: nvvm.wgmma.mma_async {{.*}} D[<f32>, <one>]
// CHECK-NOT: nvvm.wgmma.mma_async
// CHECK: llvm.store {{.*}} : vector<2xf32>, !llvm.ptr<1>
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @dense(%a: memref<?x456xf32>, %b: memref<1032x456xf32>, %c: memref<?x1032xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<?x1032xf32>)
  linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<?x456xf32>, memref<1032x456xf32>) outs(%c : memref<?x1032xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// Few rows of an output of 16 bits: columns of B are the rows of the
// instructions, and a stage has 16 + 64 or more rows of 128 bytes.
// CHECK-LABEL: func.func @few
// CHECK: pit.rounded_tensor_map {{.*}} to tf32 : memref<*xf32> -> <tensor = memref<16x32xf32,
// CHECK: llvm.func @few_contraction_0
// CHECK: nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 16, k = 8>, D[<f32>, <zero>], A[<tf32>, <one>, <row>], B[<tf32>, <one>, <col>]
// CHECK: nvvm.stmatrix
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
func.func @few(%a: memref<16x512xf32>, %b: memref<4096x512xf32>, %c: memref<16x4096xbf16>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<16x4096xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<16x4096xf32>)
  linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<16x512xf32>, memref<4096x512xf32>) outs(%sum : memref<16x4096xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<16x4096xf32>) outs(%c : memref<16x4096xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  memref.dealloc %sum : memref<16x4096xf32>
  return
}

// -----

// Few rows of an output of f32: sums go from registers to where they belong,
// two columns of a row that are eight apart, two rows.
// CHECK-LABEL: func.func @few_f32
// CHECK: pit.rounded_tensor_map {{.*}} to tf32 : memref<*xf32> -> <tensor = memref<16x32xf32,
// CHECK: llvm.func @few_f32_contraction_0
// CHECK: nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 16, k = 8>, D[<f32>, <zero>], A[<tf32>, <one>, <row>], B[<tf32>, <one>, <col>]
// CHECK-NOT: nvvm.stmatrix
// CHECK: %[[ROW:.*]] = llvm.getelementptr %arg2
// CHECK: llvm.store %{{.*}}, %[[ROW]] {alignment = 4 : i64} : f32, !llvm.ptr<1>
// CHECK: %[[BESIDE:.*]] = llvm.getelementptr %[[ROW]][32]
// CHECK: llvm.store %{{.*}}, %[[BESIDE]] {alignment = 4 : i64} : f32, !llvm.ptr<1>
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @few_f32(%a: memref<16x512xf32>, %b: memref<4096x512xf32>, %c: memref<16x4096xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<16x4096xf32>)
  linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<16x512xf32>, memref<4096x512xf32>) outs(%c : memref<16x4096xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// Segments with packed rows come through the copy engine, too.
!index = !pit.index_buffer<!pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>>
#tile = strided<[?, ?], offset: ?>
// CHECK-LABEL: func.func @segments
// CHECK: pit.rounded_tensor_map {{.*}} to tf32 : memref<*xf32> -> <tensor = memref<128x32xf32,
// CHECK: pit.rounded_tensor_map {{.*}} to tf32 : memref<*xf32> -> <tensor = memref<1x256x32xf32,
// CHECK: llvm.func @segments_contraction_0
// CHECK: A[<tf32>, <one>, <row>], B[<tf32>, <one>, <col>]
func.func @segments(%i: !index, %a: memref<?x64xf32>, %b: memref<8x256x64xf32>, %c: memref<?x256xf32>) {
  %zero = arith.constant 0.0 : f32
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: true, false, true>}
      over(%i : !index) ins(%a, %b : memref<?x64xf32>, memref<8x256x64xf32>) outs(%c : memref<?x256xf32>) {
  ^bb0(%ta: memref<?x64xf32, #tile>, %tb: memref<256x64xf32, #tile>, %tc: memref<?x256xf32, #tile>):
    linalg.fill ins(%zero : f32) outs(%tc : memref<?x256xf32, #tile>)
    linalg.generic {
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                         affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x64xf32, #tile>, memref<256x64xf32, #tile>) outs(%tc : memref<?x256xf32, #tile>) {
    ^bb0(%x: f32, %y: f32, %acc: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    }
    pit.yield
  }
  return
}

// -----

// Nothing rounds rows that threads gather.
!index = !pit.index_buffer<!pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>>
#tile = strided<[?, ?], offset: ?>
// CHECK-LABEL: func.func @gathered
// CHECK-NOT: gpu.launch_func
func.func @gathered(%i: !index, %a: memref<?x64xf32>, %b: memref<8x256x64xf32>, %c: memref<?x256xf32>) {
  %zero = arith.constant 0.0 : f32
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, true>}
      over(%i : !index) ins(%a, %b : memref<?x64xf32>, memref<8x256x64xf32>) outs(%c : memref<?x256xf32>) {
  ^bb0(%ta: memref<?x64xf32, #tile>, %tb: memref<256x64xf32, #tile>, %tc: memref<?x256xf32, #tile>):
    linalg.fill ins(%zero : f32) outs(%tc : memref<?x256xf32, #tile>)
    linalg.generic {
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                         affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%ta, %tb : memref<?x64xf32, #tile>, memref<256x64xf32, #tile>) outs(%tc : memref<?x256xf32, #tile>) {
    ^bb0(%x: f32, %y: f32, %acc: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    }
    pit.yield
  }
  return
}

// -----

// Instructions do not transpose tf32: neither B stored [k, n] ...
// CHECK-LABEL: func.func @columns_of_b
// CHECK-NOT: gpu.launch_func
func.func @columns_of_b(%a: memref<128x64xf32>, %b: memref<64x256xf32>, %c: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x256xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xf32>, memref<64x256xf32>) outs(%c : memref<128x256xf32>)
  return
}

// -----

// ... nor A stored [k, m].
#km = affine_map<(m, n, k) -> (k, m)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func @columns_of_a
// CHECK-NOT: gpu.launch_func
func.func @columns_of_a(%a: memref<64x128xf32>, %b: memref<256x64xf32>, %c: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x256xf32>)
  linalg.generic {indexing_maps = [#km, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x128xf32>, memref<256x64xf32>) outs(%c : memref<128x256xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// Rows that are not aligned to 16 bytes, which four f32 are.
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func @aligned
// CHECK: gpu.launch_func
func.func @aligned(%a: memref<128x60xf32>, %b: memref<256x60xf32>, %c: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x256xf32>)
  linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<128x60xf32>, memref<256x60xf32>) outs(%c : memref<128x256xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  }
  return
}
// CHECK-LABEL: func.func @unaligned
// CHECK-NOT: gpu.launch_func
func.func @unaligned(%a: memref<128x62xf32>, %b: memref<256x62xf32>, %c: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x256xf32>)
  linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<128x62xf32>, memref<256x62xf32>) outs(%c : memref<128x256xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  }
  return
}
