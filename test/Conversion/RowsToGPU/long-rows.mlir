// Rows that the registers of a block do not hold: a sweep for each reduction that needs the one before, and one for what is stored.
// RUN: pit-opt %s --pit-plan-kernels --split-input-file | FileCheck %s --check-prefix=PLAN
// RUN: pit-opt %s --convert-rows-to-gpu --split-input-file | FileCheck %s
// RUN: pit-opt %s --convert-rows-to-gpu --split-input-file --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARKS

// Fourteen vectors of each of 1024 threads stay in shared memory; two are read again.
// PLAN-LABEL: func.func @softmax
// PLAN-COUNT-4: pit.plan = #pit.row_plan<family = row_wise, tile = [1, 8192], vector = 8, max_blocks = 264, group = 0>
// CHECK-LABEL: func.func @softmax
// CHECK-NOT: linalg
// CHECK: gpu.launch_func @softmax_kernels::@softmax_rows_0 blocks in (%c264{{.*}}dynamic_shared_memory_size %c229376_i32
// CHECK: llvm.func @softmax_rows_0
// CHECK-SAME: nvvm.minctasm = 1
// CHECK: scf.for
// CHECK: llvm.load {{.*}} : !llvm.ptr<1> -> vector<8xbf16>
// CHECK: llvm.store {{.*}} vector<8xbf16>, !llvm.ptr<3>
// CHECK: arith.maximumf
// CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> vector<8xbf16>
// CHECK: math.exp
// CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> vector<8xbf16>
// CHECK: arith.divf
// CHECK: llvm.store {{.*}} vector<8xbf16>, !llvm.ptr<1>
// REMARKS-DAG: Function=softmax | Columns=128256, Family="whole rows", MaxBlocks=264, Op=linalg.generic, Steps=6, Threads=1024, Tile=1x8192, Vector=8
#rows = affine_map<(i, j) -> (i)>
#both = affine_map<(i, j) -> (i, j)>
func.func @softmax(%x: memref<512x128256xbf16>) -> memref<512x128256xbf16> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %most = memref.alloc() : memref<512xf32>
  linalg.fill ins(%lowest : f32) outs(%most : memref<512xf32>)
  linalg.generic {indexing_maps = [#both, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<512x128256xbf16>) outs(%most : memref<512xf32>) {
  ^bb0(%v: bf16, %m: f32):
    %w = arith.extf %v : bf16 to f32
    %t = arith.maximumf %m, %w : f32
    linalg.yield %t : f32
  }
  %exp = memref.alloc() : memref<512x128256xf32>
  linalg.generic {indexing_maps = [#both, #rows, #both], iterator_types = ["parallel", "parallel"]}
      ins(%x, %most : memref<512x128256xbf16>, memref<512xf32>) outs(%exp : memref<512x128256xf32>) {
  ^bb0(%v: bf16, %m: f32, %o: f32):
    %w = arith.extf %v : bf16 to f32
    %d = arith.subf %w, %m : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  }
  %sum = memref.alloc() : memref<512xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<512xf32>)
  linalg.generic {indexing_maps = [#both, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%exp : memref<512x128256xf32>) outs(%sum : memref<512xf32>) {
  ^bb0(%v: f32, %m: f32):
    %t = arith.addf %m, %v : f32
    linalg.yield %t : f32
  }
  %y = memref.alloc() : memref<512x128256xbf16>
  linalg.generic {indexing_maps = [#both, #rows, #both], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : memref<512x128256xf32>, memref<512xf32>) outs(%y : memref<512x128256xbf16>) {
  ^bb0(%v: f32, %m: f32, %o: bf16):
    %d = arith.divf %v, %m : f32
    %e = arith.truncf %d : f32 to bf16
    linalg.yield %e : bf16
  }
  return %y : memref<512x128256xbf16>
}

// -----

// Sums alone are read once, by as many blocks as there is room for.
// REMARKS-DAG: Function=sums | {{.*}}Reason="whole rows: rows are long, and only numbers of them are stored"
// CHECK-LABEL: func.func @sums
// CHECK: gpu.launch_func @sums_kernels::@sums_reduce_0
func.func @sums(%x: memref<512x32768xf32>) -> memref<512xf32> {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<512xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<512xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<512x32768xf32>) outs(%sum : memref<512xf32>) {
  ^bb0(%v: f32, %m: f32):
    %t = arith.addf %m, %v : f32
    linalg.yield %t : f32
  }
  return %sum : memref<512xf32>
}

// -----

// Four rows of so many elements leave most of the chip without work, if a block has one.
// REMARKS-DAG: Function=few | {{.*}}Reason="whole rows: rows are long and few, so that more blocks than one have each"
// CHECK-LABEL: func.func @few
// CHECK: gpu.launch_func @few_kernels::@few_reduce_0
func.func @few(%x: memref<4x131072xf32>) -> memref<4x131072xf32> {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<4xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x131072xf32>) outs(%sum : memref<4xf32>) {
  ^bb0(%v: f32, %m: f32):
    %t = arith.addf %m, %v : f32
    linalg.yield %t : f32
  }
  %y = memref.alloc() : memref<4x131072xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : memref<4x131072xf32>, memref<4xf32>) outs(%y : memref<4x131072xf32>) {
  ^bb0(%v: f32, %m: f32, %o: f32):
    %d = arith.divf %v, %m : f32
    linalg.yield %d : f32
  }
  return %y : memref<4x131072xf32>
}
