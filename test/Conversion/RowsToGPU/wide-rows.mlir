// Rows of more columns than a block's registers hold are shared by clusters of blocks, where the chip has them; numbers of a row go through
// memory that the blocks share. What nothing but sums comes of is cut into parts instead.
// RUN: pit-opt %s --pit-plan-kernels=chip=sm_90 | FileCheck %s --check-prefix=PLAN
// RUN: pit-opt %s --pit-plan-kernels=chip=sm_80 | FileCheck %s --check-prefix=OLD
// RUN: pit-opt %s --pit-plan-kernels=chip=sm_90 --convert-rows-to-gpu | FileCheck %s

#row = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (r)>

// PLAN-LABEL: func.func @scaled
// PLAN: linalg.generic {{.*}}pit.plan = #pit.row_plan<family = row_wise, tile = [1, 16384], vector = 8
// PLAN: linalg.generic {{.*}}pit.plan = #pit.row_plan<family = row_wise, tile = [1, 16384], vector = 8
// PLAN-LABEL: func.func @sums
// PLAN: linalg.generic {{.*}}pit.plan = #pit.row_plan<family = reduce

// OLD-LABEL: func.func @scaled
// OLD: linalg.generic {{.*}}pit.plan = #pit.row_plan<family = reduce
// OLD-NOT: row_wise

// CHECK-LABEL: func.func @scaled
// CHECK: %[[ROWS:.*]] = arith.minui %{{.*}}, %c132
// CHECK: gpu.launch_func @scaled_kernels::@scaled_rows_0
// CHECK-SAME: threads in (%c256
// CHECK: llvm.func @scaled_rows_0
// CHECK-SAME: nvvm.cluster_dim = array<i32: 8, 1, 1>
// CHECK-SAME: nvvm.reqntid = array<i32: 256, 1, 1>
// CHECK: nvvm.read.ptx.sreg.cluster.ctaid.x
// CHECK: nvvm.cluster.arrive
// CHECK-NEXT: nvvm.cluster.wait
// CHECK-COUNT-8: nvvm.mapa
// CHECK: nvvm.cluster.arrive
// CHECK-NEXT: nvvm.cluster.wait
func.func @scaled(%x: memref<?x128256xf32>) -> memref<?x128256xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x128256xf32>
  %s = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<?xf32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x128256xf32>) outs(%s : memref<?xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %t = arith.addf %acc, %l : f32
    linalg.yield %t : f32
  }
  %y = memref.alloc(%n) : memref<?x128256xf32>
  linalg.generic {indexing_maps = [#row, #one, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<?x128256xf32>, memref<?xf32>) outs(%y : memref<?x128256xf32>) {
  ^bb0(%l: f32, %t: f32, %o: f32):
    %q = arith.divf %l, %t : f32
    linalg.yield %q : f32
  }
  return %y : memref<?x128256xf32>
}

func.func @sums(%x: memref<?x128256xf32>) -> memref<?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x128256xf32>
  %s = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<?xf32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x128256xf32>) outs(%s : memref<?xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %t = arith.addf %acc, %l : f32
    linalg.yield %t : f32
  }
  return %s : memref<?xf32>
}
