// Running sums: a reduction under a triangle takes n steps.
// RUN: pit-opt %s --pit-plan-kernels --split-input-file | FileCheck %s --check-prefix=PLAN
// RUN: pit-opt %s --convert-rows-to-gpu --split-input-file | FileCheck %s
// RUN: pit-opt %s --convert-rows-to-gpu=strict --split-input-file | FileCheck %s --check-prefix=STRICT
// RUN: pit-opt %s --convert-rows-to-gpu --split-input-file --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARKS

// Along rows of memory, threads have vectors; the work behind is done in place, and sums are in no memory.
// PLAN-LABEL: func.func @rows
// PLAN: pit.plan = #pit.row_plan<family = scan, tile = [2, 1024], vector = 8, max_blocks = {{[0-9]+}}, group = 0>
// PLAN: pit.plan = #pit.row_plan<family = scan, tile = [2, 1024], vector = 8, {{.*}}group = 0>
// CHECK-LABEL: func.func @rows
// CHECK-NOT: linalg
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch_func @rows_kernels::@rows_scan_0 blocks in (%c32
// CHECK: llvm.func @rows_scan_0
// CHECK: llvm.load {{.*}} -> vector<4xf32>
// CHECK: nvvm.shfl.sync bfly
// CHECK: nvvm.barrier
// CHECK: arith.mulf
// REMARKS-DAG: Function=rows | {{.*}}Family=scan, {{.*}}Parts=1, Threads=256, Tile=2x1024, Vector=8
// Sums of floats keep their order.
// STRICT-LABEL: func.func @rows
// STRICT-NOT: @rows_scan_0
// STRICT: return
func.func @rows(%x: memref<64x1024xf32>, %y: memref<64x1024xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<64x1024xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<64x1024xf32>)
  linalg.generic {indexing_maps = [affine_map<(r, q, k) -> (r, k)>, affine_map<(r, q, k) -> (r, q)>],
                  iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : memref<64x1024xf32>) outs(%sums : memref<64x1024xf32>) {
  ^bb0(%v: f32, %s: f32):
    %q = linalg.index 1 : index
    %k = linalg.index 2 : index
    %c = arith.cmpi ule, %k, %q : index
    %chosen = arith.select %c, %v, %zero : f32
    %t = arith.addf %s, %chosen : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [affine_map<(r, q) -> (r, q)>, affine_map<(r, q) -> (r, q)>], iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<64x1024xf32>) outs(%y : memref<64x1024xf32>) {
  ^bb0(%s: f32, %o: f32):
    %t = arith.mulf %s, %s : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// Neighbours in memory belong to neighbouring rows, and so do threads. Integers may be added in any order.
// PLAN-LABEL: func.func @columns
// PLAN: pit.plan = #pit.row_plan<family = scan, tile = [16, 128], vector = 8, unroll = 16, {{.*}}group = 0>
// CHECK-LABEL: func.func @columns
// CHECK: gpu.launch_func @columns_kernels::@columns_scan_0 blocks in (%c4
// STRICT-LABEL: func.func @columns
// STRICT: gpu.launch_func @columns_kernels::@columns_scan_0
func.func @columns(%x: memref<128x64xi32>, %y: memref<128x64xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<128x64xi32>)
  linalg.generic {indexing_maps = [affine_map<(q, c, k) -> (k, c)>, affine_map<(q, c, k) -> (q, c)>],
                  iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : memref<128x64xi32>) outs(%y : memref<128x64xi32>) {
  ^bb0(%v: i32, %s: i32):
    %q = linalg.index 0 : index
    %k = linalg.index 2 : index
    %c = arith.cmpi sgt, %k, %q : index
    %chosen = arith.select %c, %v, %zero : i32
    %t = arith.addi %s, %chosen : i32
    linalg.yield %t : i32
  }
  return
}

// -----

// One long row is cut into parts, which a first kernel adds up.
// CHECK-LABEL: func.func @parts
// CHECK: %[[SUMS:.*]] = memref.alloc() : memref<1x[[PARTS:[0-9]+]]xf32>
// CHECK: gpu.launch_func @parts_kernels::@parts_sums_0
// CHECK: gpu.launch_func @parts_kernels::@parts_scan_0
// REMARKS-DAG: Function=parts | {{.*}}Family=scan
func.func @parts(%x: memref<4194304xf32>, %y: memref<4194304xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<4194304xf32>)
  linalg.generic {indexing_maps = [affine_map<(q, k) -> (k)>, affine_map<(q, k) -> (q)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4194304xf32>) outs(%y : memref<4194304xf32>) {
  ^bb0(%v: f32, %s: f32):
    %q = linalg.index 0 : index
    %k = linalg.index 1 : index
    %c = arith.cmpi ule, %k, %q : index
    %chosen = arith.select %c, %v, %zero : f32
    %t = arith.addf %s, %chosen : f32
    linalg.yield %t : f32
  }
  return
}
