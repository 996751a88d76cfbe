// RUN: pit-opt %s --convert-contractions-to-cpu --split-input-file | FileCheck %s
// RUN: pit-opt %s --convert-contractions-to-cpu="vector-bits=512" --split-input-file | FileCheck %s --check-prefix=WIDE

// Blocks of columns, of the reduction and of rows; both inputs packed; one fused multiply-add per step.

// CHECK-LABEL: func @matmul
// CHECK-DAG:     memref.alloc() {alignment = 64 : i64} : memref<36864xf32>
// CHECK-DAG:     memref.alloc() {alignment = 64 : i64} : memref<524288xf32>
// CHECK-DAG:     memref.alloc() {alignment = 64 : i64} : memref<96xf32>
// CHECK-NOT:     linalg.matmul
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             vector.load {{.*}} vector<8xf32>
// CHECK:             vector.store {{.*}} vector<8xf32>
// CHECK:             scf.for %{{.*}} iter_args
// CHECK-COUNT-12:      vector.fma {{.*}} : vector<8xf32>
// CHECK-NOT:           vector.fma
// CHECK:               scf.yield
// CHECK-COUNT-3: memref.dealloc
// WIDE-LABEL: func @matmul
// WIDE-COUNT-24: vector.fma {{.*}} : vector<16xf32>
// WIDE-NOT:      vector.fma
// WIDE:          scf.yield
func.func @matmul(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// -----

// The name plays no role: operands of the sum and of the product in any order, and columns of the output contiguous,
// so that rows and columns change places. Columns of the left input are then transposed in registers.

// CHECK-LABEL: func @generic
// CHECK-NOT:     linalg.generic
// CHECK:         vector.shuffle
// CHECK:         vector.fma
func.func @generic(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, p) -> (i, p)>, affine_map<(i, j, p) -> (p, j)>,
                                   affine_map<(i, j, p) -> (j, i)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %y, %x : f32
    %1 = arith.addf %0, %acc : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// The left input is transposed, as in the gradient of a weight: blocks of it are transposed in registers while it is packed, and
// what is left of rows and steps is copied one by one. One of fewer rows than a vector has elements is copied as a whole.

// CHECK-LABEL: func @left_transposed
// CHECK:         vector.load {{.*}} memref<{{.*}}>, vector<8xf32>
// CHECK-COUNT-24: vector.shuffle
// CHECK:         vector.fma
// CHECK-LABEL: func @few_rows
// CHECK-NOT:     vector.shuffle
// CHECK:         vector.fma
func.func @left_transposed(%a: memref<300x270xf32>, %b: memref<300x64xf32>, %c: memref<270x64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, p) -> (p, i)>, affine_map<(i, j, p) -> (p, j)>,
                                   affine_map<(i, j, p) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<300x270xf32>, memref<300x64xf32>) outs(%c : memref<270x64xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

func.func @few_rows(%a: memref<300x5xf32>, %b: memref<300x64xf32>, %c: memref<5x64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, p) -> (p, i)>, affine_map<(i, j, p) -> (p, j)>,
                                   affine_map<(i, j, p) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<300x5xf32>, memref<300x64xf32>) outs(%c : memref<5x64xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Inputs are extended while they are packed; integers multiply and add.

// CHECK-LABEL: func @integers
// CHECK:         arith.extsi {{.*}} : vector<8xi8> to vector<8xi32>
// CHECK:         arith.extsi {{.*}} : i8 to i32
// CHECK:         scf.for %{{.*}} iter_args
// CHECK:           arith.muli {{.*}} : vector<8xi32>
// CHECK-NEXT:      arith.addi {{.*}} : vector<8xi32>
func.func @integers(%a: memref<?x?xi8>, %b: memref<?x?xi8>, %c: memref<?x?xi32>) {
  linalg.matmul ins(%a, %b : memref<?x?xi8>, memref<?x?xi8>) outs(%c : memref<?x?xi32>)
  return
}

// -----

// Leading dimensions of a contiguous buffer fuse into one loop of rows.

// CHECK-LABEL: func @fused_rows
// CHECK-NOT:     linalg.generic
// CHECK:         memref.alloc() {{.*}} : memref<9216xf32>
// CHECK:         vector.fma
func.func @fused_rows(%a: memref<4x128x64xf32>, %b: memref<64x32xf32>, %c: memref<4x128x32xf32>) {
  linalg.generic {indexing_maps = [affine_map<(b, i, j, p) -> (b, i, p)>, affine_map<(b, i, j, p) -> (p, j)>,
                                   affine_map<(b, i, j, p) -> (b, i, j)>],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<4x128x64xf32>, memref<64x32xf32>) outs(%c : memref<4x128x32xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Scratch memory is allocated once around the loop that holds the op.

// CHECK-LABEL: func @in_loop
// CHECK-COUNT-3: memref.alloc()
// CHECK:         scf.for
// CHECK-NOT:       memref.alloc()
// CHECK:           vector.fma
// CHECK:         memref.dealloc
func.func @in_loop(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  }
  return
}
