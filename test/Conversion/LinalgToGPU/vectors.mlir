// RUN: pit-opt %s --convert-linalg-to-gpu --canonicalize --split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// Eight bf16 are 16 bytes, and eight f32 32; what is the same for all of them is loaded once.
// CHECK-LABEL: func.func @mixed
// CHECK-DAG: %[[THREADS:.*]] = arith.constant 256 : index
// CHECK-DAG: arith.constant 2048 : index
// CHECK: gpu.launch
// CHECK-DAG: %[[X:.*]] = vector.load %{{.*}}[%[[I:.*]], %[[J:.*]]] {alignment = 16 : i64} : memref<?x64xbf16>, vector<8xbf16>
// CHECK-DAG: %[[B:.*]] = vector.load %{{.*}}[%[[J]]] {alignment = 16 : i64} : memref<64xf32>, vector<8xf32>
// CHECK-DAG: %[[R:.*]] = memref.load %{{.*}}[%[[I]]] : memref<?xf32>
// CHECK: %[[SEVENTH:.*]] = arith.addi %[[J]], %{{.*}} : index
// CHECK: vector.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]] {alignment = 16 : i64} : memref<?x64xf32>, vector<8xf32>
// CHECK: vector.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]] {alignment = 16 : i64} : memref<?x64xbf16>, vector<8xbf16>
func.func @mixed(%x: memref<?x64xbf16>, %b: memref<64xf32>, %r: memref<?xf32>, %y: memref<?x64xf32>, %z: memref<?x64xbf16>) {
  linalg.generic {indexing_maps = [#id, #column, #row, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b, %r : memref<?x64xbf16>, memref<64xf32>, memref<?xf32>)
      outs(%y, %z : memref<?x64xf32>, memref<?x64xbf16>) {
  ^bb0(%xv: bf16, %bv: f32, %rv: f32, %o: f32, %p: bf16):
    %f = arith.extf %xv : bf16 to f32
    %m = arith.mulf %f, %rv : f32
    %a = arith.addf %m, %bv : f32
    %j = linalg.index 1 : index
    %ji = arith.index_cast %j : index to i32
    %jf = arith.sitofp %ji : i32 to f32
    %s = arith.addf %a, %jf : f32
    %t = arith.truncf %s : f32 to bf16
    linalg.yield %s, %t : f32, bf16
  }
  return
}

// -----

// Four at a time where the extent is no multiple of eight.
// CHECK-LABEL: func.func @four
// CHECK: vector.store %{{.*}} {alignment = 8 : i64} : memref<?x12xf16>, vector<4xf16>
func.func @four(%x: memref<?x12xf16>) {
  %one = arith.constant 1.0 : f16
  linalg.fill ins(%one : f16) outs(%x : memref<?x12xf16>)
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>

// One at a time: no, odd or unknown extents, views that begin or go on in between, or anywhere, transposed reads, bits, and reductions.
// CHECK-LABEL: func.func @single
// CHECK-NOT: vector.
func.func @single(%none: memref<?x0xf32>, %odd: memref<?x7xf32>, %unknown: memref<?x?xf32>, %view: memref<?x8xf32, strided<[8, 1], offset: 1>>,
                  %wide: memref<?x8xf32, strided<[9, 1]>>, %square: memref<8x8xf32>, %other: memref<8x8xf32>,
                  %bytes: memref<128xi8>, %bits: memref<?x16xi1>, %sum: memref<8xf32>) {
  %one = arith.constant 1.0 : f32
  %true = arith.constant true
  linalg.fill ins(%one : f32) outs(%none : memref<?x0xf32>)
  linalg.fill ins(%one : f32) outs(%odd : memref<?x7xf32>)
  linalg.fill ins(%one : f32) outs(%unknown : memref<?x?xf32>)
  linalg.fill ins(%one : f32) outs(%view : memref<?x8xf32, strided<[8, 1], offset: 1>>)
  %four = arith.constant 4 : index
  %somewhere = memref.view %bytes[%four][] : memref<128xi8> to memref<2x8xf32>
  linalg.fill ins(%one : f32) outs(%somewhere : memref<2x8xf32>)
  linalg.fill ins(%one : f32) outs(%wide : memref<?x8xf32, strided<[9, 1]>>)
  linalg.fill ins(%true : i1) outs(%bits : memref<?x16xi1>)
  linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]}
      ins(%square : memref<8x8xf32>) outs(%other : memref<8x8xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  }
  linalg.reduce ins(%square : memref<8x8xf32>) outs(%sum : memref<8xf32>) dimensions = [1]
    (%v: f32, %acc: f32) {
      %s = arith.addf %v, %acc : f32
      linalg.yield %s : f32
    }
  return
}
