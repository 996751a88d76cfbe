// RUN: pit-opt %s --convert-rows-to-gpu --split-input-file | FileCheck %s
// RUN: pit-opt %s --convert-rows-to-gpu --split-input-file --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: pit-opt %s --convert-rows-to-gpu=free-buffers=false --split-input-file | FileCheck %s --check-prefix=KEPT
// KEPT: memref.alloc() : memref<528xf32>
// KEPT-NOT: memref.dealloc

// A whole tensor: parts of it, then the sum of the parts by one block, which the fill is in.
// CHECK-LABEL: func.func @whole
// CHECK-NOT: linalg
// CHECK: %[[PARTS:.*]] = memref.alloc() : memref<528xf32>
// CHECK: gpu.launch_func @whole_kernels::@whole_reduce_0 blocks in (%c528
// CHECK: gpu.launch_func @whole_kernels::@whole_parts_0 blocks in (%c1
// CHECK: memref.dealloc %[[PARTS]]
// CHECK: llvm.func @whole_reduce_0
// CHECK-COUNT-4: llvm.load {{.*}} invariant {{.*}} -> vector<4xf32>
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK: nvvm.barrier
// REMARKS-DAG: Function=whole | Family=reduction, MaxBlocks=1056, Op=linalg.generic, Parts=528, Threads=256, Tile=1x1024, Vector=4
// REMARKS-DAG: Function=whole | Family=reduction, MaxBlocks=1056, Op=linalg.generic, Parts=1, Threads=256, Tile=8x128, Vector=4
func.func @whole(%x: memref<67108864xf32>) -> memref<f32> {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<f32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<f32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<67108864xf32>) outs(%sum : memref<f32>) {
  ^bb0(%v: f32, %s: f32):
    %t = arith.addf %s, %v : f32
    linalg.yield %t : f32
  }
  return %sum : memref<f32>
}

// -----

// Columns: neighbouring threads have neighbouring ones, eight rows of threads have the same.
// CHECK-LABEL: func.func @columns
// CHECK: %[[PARTS:.*]] = memref.alloc() : memref<9x8192xf32>
// CHECK: gpu.launch_func @columns_kernels::@columns_reduce_0 blocks in (%c576
// CHECK: gpu.launch_func @columns_kernels::@columns_parts_0 blocks in
// REMARKS-DAG: Function=columns | Family=reduction, MaxBlocks=1056, Op=linalg.reduce, Parts=9, Threads=256, Tile=8x128, Vector=4
func.func @columns(%x: memref<8192x8192xf32>, %sum: memref<8192xf32>) {
  linalg.reduce ins(%x : memref<8192x8192xf32>) outs(%sum : memref<8192xf32>) dimensions = [0]
    (%v: f32, %s: f32) {
      %t = arith.addf %v, %s : f32
      linalg.yield %t : f32
    }
  return
}

// -----

// Axes that lie next to each other are one: a row of a known length, and one of a length that the host computes.
// CHECK-LABEL: func.func @merged
// CHECK: memref.collapse_shape %{{.*}} {{\[}}[0, 1], [2, 3]]
// CHECK: gpu.launch_func @merged_kernels::@merged_reduce_0
// CHECK-LABEL: func.func @dynamic
// CHECK: memref.collapse_shape %{{.*}} {{\[}}[0, 1]]
// CHECK: %[[PARTS:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK: gpu.launch_func @dynamic_kernels::@dynamic_reduce_0
// CHECK: gpu.launch_func @dynamic_kernels::@dynamic_parts_0
func.func @merged(%x: memref<64x64x128x128xf32>, %top: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b)>],
                  iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x : memref<64x64x128x128xf32>) outs(%top : memref<64x64xf32>) {
  ^bb0(%v: f32, %s: f32):
    %t = arith.maximumf %v, %s : f32
    linalg.yield %t : f32
  }
  return
}
func.func @dynamic(%x: memref<?x?xf32>, %sum: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
                  iterator_types = ["reduction", "reduction"]}
      ins(%x : memref<?x?xf32>) outs(%sum : memref<f32>) {
  ^bb0(%v: f32, %s: f32):
    %t = arith.addf %v, %s : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// The first place of the largest, of rows that are too long for a warp's registers; of equal ones, lanes keep the first.
// CHECK-LABEL: func.func @argmax
// CHECK-NOT: linalg
// CHECK: gpu.launch_func @argmax_kernels::@argmax_reduce_0
// CHECK-NOT: gpu.launch_func
// CHECK: llvm.func @argmax_reduce_0
// CHECK: nvvm.shfl.sync bfly
// CHECK: %[[EQUAL:.*]] = arith.cmpf oeq
// CHECK: %[[FIRST:.*]] = arith.cmpi slt
// CHECK: arith.andi %[[EQUAL]], %[[FIRST]] : i1
func.func @argmax(%x: memref<4096x32000xf32>) -> (memref<4096xf32>, memref<4096xi64>) {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %top = memref.alloc() : memref<4096xf32>
  %place = memref.alloc() : memref<4096xi64>
  linalg.fill ins(%least : f32) outs(%top : memref<4096xf32>)
  linalg.fill ins(%zero : i64) outs(%place : memref<4096xi64>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4096x32000xf32>) outs(%top, %place : memref<4096xf32>, memref<4096xi64>) {
  ^bb0(%v: f32, %m: f32, %k: i64):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i64
    %t = arith.maximumf %v, %m : f32
    %c = arith.cmpf ogt, %v, %m : f32
    %l = arith.select %c, %j, %k : i64
    linalg.yield %t, %l : f32, i64
  }
  return %top, %place : memref<4096xf32>, memref<4096xi64>
}

// -----

// The same where the comparison says that the value before stays, and of numbers without a sign.
// CHECK-LABEL: func.func @argmin_inverted
// CHECK-NOT: linalg
// CHECK: gpu.launch_func @argmin_inverted_kernels::@argmin_inverted_reduce_0
// CHECK: llvm.func @argmin_inverted_reduce_0
// CHECK: nvvm.shfl.sync bfly
// CHECK: arith.cmpi ult
func.func @argmin_inverted(%x: memref<5000xi32>, %least: memref<i32>, %place: memref<i32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<5000xi32>) outs(%least, %place : memref<i32>, memref<i32>) {
  ^bb0(%v: i32, %m: i32, %k: i32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %c = arith.cmpi ule, %m, %v : i32
    %t = arith.select %c, %m, %v : i32
    %l = arith.select %c, %k, %j : i32
    linalg.yield %t, %l : i32, i32
  }
  return
}

// -----

// A plan that is written by hand is kept: sixteen rows of 32 threads, of two columns each.
// CHECK-LABEL: func.func @by_hand
// CHECK: %[[THREADS:.*]] = arith.constant 512 : index
// CHECK: gpu.launch_func @by_hand_kernels::@by_hand_reduce_0 {{.*}} threads in (%[[THREADS]]
// CHECK: llvm.func @by_hand_reduce_0
// CHECK-COUNT-2: llvm.load {{.*}} -> vector<2xf32>
func.func @by_hand(%x: memref<300x1000xf32>, %sum: memref<1000xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"],
                  pit.plan = #pit.row_plan<family = reduce, tile = [16, 64], vector = 2, unroll = 2, max_blocks = 40>}
      ins(%x : memref<300x1000xf32>) outs(%sum : memref<1000xf32>) {
  ^bb0(%v: f32, %s: f32):
    %t = arith.addf %s, %v : f32
    linalg.yield %t : f32
  }
  return
}
