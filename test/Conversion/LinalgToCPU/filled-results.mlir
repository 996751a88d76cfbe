// RUN: pit-opt %s --convert-contractions-to-cpu="vector-bits=512" --split-input-file | FileCheck %s
// RUN: pit-opt %s --convert-contractions-to-cpu="vector-bits=512 thread-work=0" --split-input-file | FileCheck %s
// RUN: pit-opt %s --convert-contractions-to-cpu="vector-bits=512" --canonicalize --split-input-file \
// RUN:   | FileCheck %s --check-prefix=ONE

// A product starts from what its result is filled with: the fill is gone, the first block of the sum has the number in
// its accumulators, and further ones load them. Cut tiles are not read in the first block, either.

// CHECK-LABEL: func @filled(
// CHECK-NOT:     linalg.fill
// CHECK:         %[[START:.*]] = arith.constant 7.000000e+00 : f32
// CHECK:         scf.for
// CHECK:         scf.for
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq, %{{arg[0-9]+}}, %c0
// CHECK:         %[[LATER:.*]] = arith.xori %[[FIRST]]
// CHECK:         %[[READ:.*]] = arith.andi %{{.*}}, %[[LATER]]
// CHECK:         scf.if %[[READ]]
// CHECK:         %[[STARTS:.*]] = vector.broadcast %[[START]] : f32 to vector<16xf32>
// CHECK:         scf.if %[[FIRST]] -> (vector<16xf32>
// CHECK-NEXT:      scf.yield %[[STARTS]], %[[STARTS]]
// CHECK-NEXT:    } else {
// CHECK-COUNT-24:  vector.load {{.*}} vector<16xf32>
// CHECK:         vector.fma
// CHECK-NOT:     linalg.fill
// CHECK:         return
func.func @filled(%a: memref<50x600xf32>, %b: memref<600x70xf32>) -> memref<50x70xf32> {
  %start = arith.constant 7.0 : f32
  %c = memref.alloc() : memref<50x70xf32>
  linalg.fill ins(%start : f32) outs(%c : memref<50x70xf32>)
  %other = memref.alloc() : memref<50x600xf32>
  memref.copy %a, %other : memref<50x600xf32> to memref<50x600xf32>
  linalg.matmul ins(%other, %b : memref<50x600xf32>, memref<600x70xf32>) outs(%c : memref<50x70xf32>)
  return %c : memref<50x70xf32>
}

// -----

// Where a sum is one block, nothing is loaded.

// ONE-LABEL: func @one_block(
// ONE-NOT:     linalg.fill
// ONE:         %[[STARTS:.*]] = arith.constant dense<0.000000e+00> : vector<8xf64>
// ONE:         scf.for {{.*}} iter_args(%{{.*}} = %[[STARTS]], %{{.*}} = %[[STARTS]]
// ONE:         vector.fma {{.*}} : vector<8xf64>
func.func @one_block(%a: memref<48x16xf64>, %b: memref<16x32xf64>) -> memref<48x32xf64> {
  %start = arith.constant 0.0 : f64
  %c = memref.alloc() : memref<48x32xf64>
  linalg.fill ins(%start : f64) outs(%c : memref<48x32xf64>)
  linalg.matmul ins(%a, %b : memref<48x16xf64>, memref<16x32xf64>) outs(%c : memref<48x32xf64>)
  return %c : memref<48x32xf64>
}

// -----

// A sum of no steps is what was filled, so that the fill stays for them.

// CHECK-LABEL: func @maybe_empty(
// CHECK:         memref.alloc
// CHECK-NOT:     linalg.fill
// CHECK:         %[[EMPTY:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : index
// CHECK-NEXT:    scf.if %[[EMPTY]] {
// CHECK-NEXT:      linalg.fill ins(%{{.*}} : i32)
// CHECK-NEXT:    }
// CHECK-NOT:     linalg.fill
// CHECK:         scf.if {{.*}} -> (vector<16xi32>
func.func @maybe_empty(%a: memref<50x?xi32>, %b: memref<?x70xi32>) -> memref<50x70xi32> {
  %start = arith.constant 3 : i32
  %c = memref.alloc() : memref<50x70xi32>
  linalg.fill ins(%start : i32) outs(%c : memref<50x70xi32>)
  linalg.matmul ins(%a, %b : memref<50x?xi32>, memref<?x70xi32>) outs(%c : memref<50x70xi32>)
  return %c : memref<50x70xi32>
}

// -----

// Of several reductions, the first iteration of all of them starts.

// CHECK-LABEL: func @two_reductions(
// CHECK-NOT:     linalg.fill
// CHECK:         scf.for
// CHECK:         %[[ZERO:.*]] = arith.cmpi eq, %{{arg[0-9]+}}, %c0
// CHECK:         scf.for
// CHECK:         scf.for
// CHECK:         %[[FIRST:.*]] = arith.andi %[[ZERO]]
// CHECK:         scf.if %[[FIRST]] -> (vector<16xf32>
func.func @two_reductions(%a: memref<5x50x60xf32>, %b: memref<5x60x70xf32>) -> memref<50x70xf32> {
  %start = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<50x70xf32>
  linalg.fill ins(%start : f32) outs(%c : memref<50x70xf32>)
  linalg.generic {indexing_maps = [affine_map<(b, i, j, p) -> (b, i, p)>, affine_map<(b, i, j, p) -> (b, p, j)>,
                                   affine_map<(b, i, j, p) -> (i, j)>],
                  iterator_types = ["reduction", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<5x50x60xf32>, memref<5x60x70xf32>) outs(%c : memref<50x70xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  }
  return %c : memref<50x70xf32>
}

// -----

// The product of a convolution is one, too. Calls that are given no buffer see none, and one of several buffers is apart
// from what each of them is apart from.

// CHECK-LABEL: func @convolution(
// CHECK-NOT:     linalg.fill
// CHECK:         scf.if {{.*}} -> (vector<16xf32>
func.func private @report(i64)
func.func @convolution(%a: memref<1x9x9x8xf32>, %b: memref<3x3x8x32xf32>, %is: i1, %n: i64) -> memref<1x7x7x32xf32> {
  %start = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<1x7x7x32xf32>
  %d = memref.alloc() : memref<1x9x9x8xf32>
  %e = scf.if %is -> (memref<1x9x9x8xf32>) {
    scf.yield %a : memref<1x9x9x8xf32>
  } else {
    scf.yield %d : memref<1x9x9x8xf32>
  }
  %f = arith.select %is, %e, %d : memref<1x9x9x8xf32>
  linalg.fill ins(%start : f32) outs(%c : memref<1x7x7x32xf32>)
  scf.if %is {
    func.call @report(%n) : (i64) -> ()
  }
  linalg.conv_2d_nhwc_hwcf ins(%f, %b : memref<1x9x9x8xf32>, memref<3x3x8x32xf32>) outs(%c : memref<1x7x7x32xf32>)
  return %c : memref<1x7x7x32xf32>
}

// -----

// Nothing starts where something may see the fill, or write in between: who reads or writes the same buffer, or a view of it.

// CHECK-LABEL: func @read_between(
// CHECK:         linalg.fill
// CHECK-NOT:     scf.if %{{[a-z0-9_]+}} -> (vector
// CHECK-LABEL: func @written_between(
// CHECK:         linalg.fill
// CHECK-NOT:     scf.if %{{[a-z0-9_]+}} -> (vector
// CHECK-LABEL: func @called_between(
// CHECK:         linalg.fill
// CHECK-NOT:     scf.if %{{[a-z0-9_]+}} -> (vector
func.func @read_between(%a: memref<50x60xf32>, %b: memref<60x70xf32>) -> (memref<50x70xf32>, f32) {
  %start = arith.constant 0.0 : f32
  %i = arith.constant 0 : index
  %c = memref.alloc() : memref<50x70xf32>
  linalg.fill ins(%start : f32) outs(%c : memref<50x70xf32>)
  %part = memref.subview %c[0, 0] [1, 70] [1, 1] : memref<50x70xf32> to memref<70xf32, strided<[1]>>
  %x = memref.load %part[%i] : memref<70xf32, strided<[1]>>
  linalg.matmul ins(%a, %b : memref<50x60xf32>, memref<60x70xf32>) outs(%c : memref<50x70xf32>)
  return %c, %x : memref<50x70xf32>, f32
}

func.func @written_between(%a: memref<50x60xf32>, %b: memref<60x70xf32>, %is: i1) -> memref<50x70xf32> {
  %start = arith.constant 0.0 : f32
  %i = arith.constant 0 : index
  %c = memref.alloc() : memref<50x70xf32>
  linalg.fill ins(%start : f32) outs(%c : memref<50x70xf32>)
  scf.if %is {
    memref.store %start, %c[%i, %i] : memref<50x70xf32>
  }
  linalg.matmul ins(%a, %b : memref<50x60xf32>, memref<60x70xf32>) outs(%c : memref<50x70xf32>)
  return %c : memref<50x70xf32>
}

func.func private @see(memref<50x70xf32>)
func.func @called_between(%a: memref<50x60xf32>, %b: memref<60x70xf32>) -> memref<50x70xf32> {
  %start = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<50x70xf32>
  linalg.fill ins(%start : f32) outs(%c : memref<50x70xf32>)
  func.call @see(%c) : (memref<50x70xf32>) -> ()
  linalg.matmul ins(%a, %b : memref<50x60xf32>, memref<60x70xf32>) outs(%c : memref<50x70xf32>)
  return %c : memref<50x70xf32>
}

// -----

// Nor where the fill is of another view, or of another block; or where memory may be the same:
// of two arguments, of what a loop carries, or of an input of the product itself.

// CHECK-LABEL: func @other_view(
// CHECK:         linalg.fill
// CHECK-NOT:     scf.if %{{[a-z0-9_]+}} -> (vector
// CHECK-LABEL: func @other_block(
// CHECK:         linalg.fill
// CHECK-NOT:     scf.if %{{[a-z0-9_]+}} -> (vector
// CHECK-LABEL: func @arguments(
// CHECK:         linalg.fill
// CHECK-NOT:     scf.if %{{[a-z0-9_]+}} -> (vector
// CHECK-LABEL: func @carried(
// CHECK:         linalg.fill
// CHECK-NOT:     scf.if %{{[a-z0-9_]+}} -> (vector
// CHECK-LABEL: func @own_input(
// CHECK:         linalg.fill
// CHECK-NOT:     scf.if %{{[a-z0-9_]+}} -> (vector
func.func @other_view(%a: memref<50x60xf32>, %b: memref<60x70xf32>) -> memref<50x70xf32> {
  %start = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<50x70xf32>
  %part = memref.subview %c[0, 0] [20, 70] [1, 1] : memref<50x70xf32> to memref<20x70xf32, strided<[70, 1]>>
  linalg.fill ins(%start : f32) outs(%part : memref<20x70xf32, strided<[70, 1]>>)
  linalg.matmul ins(%a, %b : memref<50x60xf32>, memref<60x70xf32>) outs(%c : memref<50x70xf32>)
  return %c : memref<50x70xf32>
}

func.func @other_block(%a: memref<50x60xf32>, %b: memref<60x70xf32>, %is: i1) -> memref<50x70xf32> {
  %start = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<50x70xf32>
  scf.if %is {
    linalg.fill ins(%start : f32) outs(%c : memref<50x70xf32>)
  }
  linalg.matmul ins(%a, %b : memref<50x60xf32>, memref<60x70xf32>) outs(%c : memref<50x70xf32>)
  return %c : memref<50x70xf32>
}

func.func @arguments(%a: memref<50x60xf32>, %b: memref<60x70xf32>, %c: memref<50x70xf32>) {
  %start = arith.constant 0.0 : f32
  linalg.fill ins(%start : f32) outs(%c : memref<50x70xf32>)
  linalg.matmul ins(%a, %b : memref<50x60xf32>, memref<60x70xf32>) outs(%c : memref<50x70xf32>)
  return
}

func.func @carried(%first: memref<50x60xf32>, %b: memref<60x60xf32>, %n: index) -> memref<50x60xf32> {
  %start = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = memref.alloc() : memref<50x60xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%a = %first) -> (memref<50x60xf32>) {
    linalg.fill ins(%start : f32) outs(%c : memref<50x60xf32>)
    linalg.matmul ins(%a, %b : memref<50x60xf32>, memref<60x60xf32>) outs(%c : memref<50x60xf32>)
    scf.yield %c : memref<50x60xf32>
  }
  return %last : memref<50x60xf32>
}

func.func @own_input(%b: memref<60x60xf32>) -> memref<60x60xf32> {
  %start = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<60x60xf32>
  linalg.fill ins(%start : f32) outs(%c : memref<60x60xf32>)
  linalg.matmul ins(%c, %b : memref<60x60xf32>, memref<60x60xf32>) outs(%c : memref<60x60xf32>)
  return %c : memref<60x60xf32>
}

// -----

// A second product adds to what the first one has left.

// CHECK-LABEL: func @second(
// CHECK-NOT:     linalg.fill
// CHECK:         scf.if %{{[a-z0-9_]+}} -> (vector
// CHECK:         vector.fma
// CHECK-NOT:     scf.if %{{[a-z0-9_]+}} -> (vector
// CHECK:         return
func.func @second(%a: memref<48x60xf32>, %b: memref<60x70xf32>) -> memref<48x70xf32> {
  %start = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<48x70xf32>
  linalg.fill ins(%start : f32) outs(%c : memref<48x70xf32>)
  linalg.matmul ins(%a, %b : memref<48x60xf32>, memref<60x70xf32>) outs(%c : memref<48x70xf32>)
  linalg.matmul ins(%a, %b : memref<48x60xf32>, memref<60x70xf32>) outs(%c : memref<48x70xf32>)
  return %c : memref<48x70xf32>
}
