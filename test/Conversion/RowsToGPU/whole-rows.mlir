// RUN: pit-opt %s --convert-rows-to-gpu --split-input-file | FileCheck %s
// RUN: pit-opt %s --convert-rows-to-gpu=strict --split-input-file | FileCheck %s --check-prefix=STRICT

#row = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (r)>
#vec = affine_map<(r, j) -> (j)>

// The largest of each row, the sum of the exponentials, and the first place of the largest are one kernel, though
// numbers of columns are made between them: with the logits in registers, a warp per row. The largest ones and the
// numbers, which nobody else needs, are in no memory.
// CHECK-LABEL: func.func @router
// CHECK-NOT: linalg.{{fill|generic}}
// CHECK: gpu.launch_func @router_kernels::@router_rows_0
// CHECK-SAME: args(%{{[^,]*}} : memref<f32>, %{{[^,]*}} : memref<f32>, %{{[^,]*}} : memref<i64>)
// CHECK-NOT: linalg
// CHECK: return
// CHECK: llvm.func @router_rows_0
// CHECK: llvm.load {{.*}} invariant {{.*}} -> vector<4xf32>
// CHECK-NOT: llvm.load {{.*}} -> vector<4xf32>
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK: math.exp
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK: arith.minsi
func.func @router(%logits: memref<64x128xf32>) -> (memref<64xf32>, memref<64xi64>) {
  %none = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %c128 = arith.constant 128 : i64
  %sum = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<64xf32>)
  %top = memref.alloc() : memref<64xf32>
  linalg.fill ins(%none : f32) outs(%top : memref<64xf32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%logits : memref<64x128xf32>) outs(%top : memref<64xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %m = arith.maximumf %l, %acc : f32
    linalg.yield %m : f32
  }
  linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]}
      ins(%logits, %top : memref<64x128xf32>, memref<64xf32>) outs(%sum : memref<64xf32>) {
  ^bb0(%l: f32, %t: f32, %acc: f32):
    %d = arith.subf %l, %t : f32
    %e = math.exp %d : f32
    %s = arith.addf %e, %acc : f32
    linalg.yield %s : f32
  }
  %numbers = memref.alloc() : memref<128xi64>
  linalg.generic {indexing_maps = [affine_map<(j) -> (j)>], iterator_types = ["parallel"]} outs(%numbers : memref<128xi64>) {
  ^bb0(%acc: i64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    linalg.yield %n : i64
  }
  %first = memref.alloc() : memref<64xi64>
  linalg.fill ins(%c128 : i64) outs(%first : memref<64xi64>)
  linalg.generic {indexing_maps = [#row, #one, #vec, #one], iterator_types = ["parallel", "reduction"]}
      ins(%logits, %top, %numbers : memref<64x128xf32>, memref<64xf32>, memref<128xi64>) outs(%first : memref<64xi64>) {
  ^bb0(%l: f32, %t: f32, %n: i64, %acc: i64):
    %is = arith.cmpf oeq, %l, %t : f32
    %p = arith.select %is, %n, %c128 : i64
    %m = arith.minsi %p, %acc : i64
    linalg.yield %m : i64
  }
  return %sum, %first : memref<64xf32>, memref<64xi64>
}

// -----

#row = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (r)>

// As many rows as a caller has, and a quotient in the same kernel.
// CHECK-LABEL: func.func @normalise
// CHECK-NOT: linalg
// CHECK: gpu.launch_func @normalise_kernels::@normalise_rows_0
// CHECK-NOT: linalg
// CHECK: llvm.func @normalise_rows_0
// CHECK: llvm.store {{.*}} : vector<8xbf16>
func.func @normalise(%x: memref<?x256xbf16>, %rows: index) -> memref<?x256xbf16> {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc(%rows) : memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<?xf32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x256xbf16>) outs(%sum : memref<?xf32>) {
  ^bb0(%l: bf16, %acc: f32):
    %w = arith.extf %l : bf16 to f32
    %s = arith.addf %acc, %w : f32
    linalg.yield %s : f32
  }
  %out = memref.alloc(%rows) : memref<?x256xbf16>
  linalg.generic {indexing_maps = [#row, #one, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : memref<?x256xbf16>, memref<?xf32>) outs(%out : memref<?x256xbf16>) {
  ^bb0(%l: bf16, %s: f32, %acc: bf16):
    %w = arith.extf %l : bf16 to f32
    %q = arith.divf %w, %s : f32
    %n = arith.truncf %q : f32 to bf16
    linalg.yield %n : bf16
  }
  return %out : memref<?x256xbf16>
}

// -----

#row = affine_map<(r, j) -> (r, j)>
#turned = affine_map<(r, j) -> (j, r)>
#one = affine_map<(r, j) -> (r)>

// One column is left as it is. Columns that do not lie side by side, a start that is not known and a caller's buffer are reductions
// of their own.
// CHECK-LABEL: func.func @others
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK-COUNT-3: gpu.launch_func @others_kernels::@others_reduce_
// CHECK: return
func.func @others(%few: memref<64x1xf32>, %x: memref<64x128xf32>, %y: memref<128x64xf32>, %mine: memref<64xf32>)
    -> (memref<64xf32>, memref<64xf32>, memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<64xf32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%few : memref<64x1xf32>) outs(%a : memref<64xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %s = arith.addf %acc, %l : f32
    linalg.yield %s : f32
  }
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64xf32>)
  linalg.generic {indexing_maps = [#turned, #one], iterator_types = ["parallel", "reduction"]}
      ins(%y : memref<128x64xf32>) outs(%b : memref<64xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %s = arith.addf %acc, %l : f32
    linalg.yield %s : f32
  }
  %c = memref.alloc() : memref<64xf32>
  memref.copy %mine, %c : memref<64xf32> to memref<64xf32>
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64x128xf32>) outs(%c : memref<64xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %s = arith.addf %acc, %l : f32
    linalg.yield %s : f32
  }
  linalg.fill ins(%zero : f32) outs(%mine : memref<64xf32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64x128xf32>) outs(%mine : memref<64xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %s = arith.addf %acc, %l : f32
    linalg.yield %s : f32
  }
  return %a, %b, %c : memref<64xf32>, memref<64xf32>, memref<64xf32>
}

// -----

#row = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (r)>

// Under `strict`, float sums keep their order; whatever does not depend on it is one kernel all the same.
// STRICT-LABEL: func.func @order
// STRICT: gpu.launch_func @order_kernels::@order_rows_0
// STRICT: linalg.fill
// STRICT: linalg.generic
// STRICT: arith.addf
// STRICT-NOT: gpu.launch_func
// STRICT: return
func.func @order(%x: memref<8x64xf32>) -> (memref<8xf32>, memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x64xf32>) outs(%a : memref<8xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %s = arith.maximumf %acc, %l : f32
    linalg.yield %s : f32
  }
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<8xf32>)
  linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x, %a : memref<8x64xf32>, memref<8xf32>) outs(%b : memref<8xf32>) {
  ^bb0(%l: f32, %m: f32, %acc: f32):
    %d = arith.subf %l, %m : f32
    %s = arith.addf %acc, %d : f32
    linalg.yield %s : f32
  }
  return %a, %b : memref<8xf32>, memref<8xf32>
}

// -----

#row = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (r)>

// The first op needs no more than the extents of what the second one adds up.
// CHECK-LABEL: func.func @unused
// CHECK: gpu.launch_func @unused_kernels::@unused_rows_0
// CHECK: llvm.func @unused_rows_0
// CHECK: %[[X:.*]] = llvm.load {{.*}} -> vector<2xf32>
// CHECK: llvm.extractelement %[[X]]
// CHECK: arith.addi
// CHECK: arith.addf
func.func @unused(%x: memref<?x64xf32>, %n: index) -> (memref<?xi32>, memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = memref.alloc(%n) : memref<?xi32>
  linalg.fill ins(%c0 : i32) outs(%a : memref<?xi32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x64xf32>) outs(%a : memref<?xi32>) {
  ^bb0(%l: f32, %acc: i32):
    %s = arith.addi %acc, %c1 : i32
    linalg.yield %s : i32
  }
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?xf32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x64xf32>) outs(%b : memref<?xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %s = arith.addf %acc, %l : f32
    linalg.yield %s : f32
  }
  return %a, %b : memref<?xi32>, memref<?xf32>
}

// -----

#one = affine_map<(r, j) -> (r)>
#vec = affine_map<(r, j) -> (j)>

// Nobody needs what this computes.
// CHECK-LABEL: func.func @dead
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @dead(%v: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
  linalg.generic {indexing_maps = [#vec, #one], iterator_types = ["parallel", "reduction"]}
      ins(%v : memref<64xf32>) outs(%a : memref<8xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %s = arith.addf %acc, %l : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#row = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (r)>
#vec = affine_map<(r, j) -> (j)>

// The largest of a short row with its place, the largest as a comparison and a choice, and what is there elsewhere: 4
// lanes have the 12 columns, two of them at a time, and a warp has 8 rows. Lanes go over rows together, and store if
// they have one. Numbers of columns that others read, too, stay in memory for them.
// CHECK-LABEL: func.func @top(
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]
// CHECK: gpu.launch_func @top_kernels::@top_rows_0
// CHECK-NOT: linalg
// CHECK: return
// CHECK: llvm.func @top_rows_0
// CHECK: scf.for
// CHECK: %[[HAS:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : i64
// CHECK: arith.minui
// CHECK: llvm.load {{.*}} -> vector<2xf32>
// CHECK: arith.maximumf
// CHECK: arith.cmpf ogt
// CHECK-COUNT-6: nvvm.shfl.sync bfly
// CHECK-COUNT-3: nvvm.shfl.sync idx
// CHECK: arith.andi %{{.*}}, %[[HAS]] : i1
func.func @top(%x: memref<?x12xf32>, %rows: index) -> (memref<?xi64>, memref<?xf32>, memref<?x12xf32>, memref<12xi64>) {
  %none = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i64
  %numbers = memref.alloc() : memref<12xi64>
  linalg.generic {indexing_maps = [affine_map<(j) -> (j)>], iterator_types = ["parallel"]} outs(%numbers : memref<12xi64>) {
  ^bb0(%acc: i64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    linalg.yield %n : i64
  }
  %top = memref.alloc(%rows) : memref<?xf32>
  linalg.fill ins(%none : f32) outs(%top : memref<?xf32>)
  %place = memref.alloc(%rows) : memref<?xi64>
  linalg.fill ins(%c0 : i64) outs(%place : memref<?xi64>)
  linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x12xf32>) outs(%top, %place : memref<?xf32>, memref<?xi64>) {
  ^bb0(%l: f32, %acc: f32, %at: i64):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i64
    %m = arith.maximumf %l, %acc : f32
    %is = arith.cmpf ogt, %l, %acc : f32
    %p = arith.select %is, %n, %at : i64
    linalg.yield %m, %p : f32, i64
  }
  %rest = memref.alloc(%rows) : memref<?x12xf32>
  linalg.generic {indexing_maps = [#vec, #one, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%numbers, %place, %x : memref<12xi64>, memref<?xi64>, memref<?x12xf32>) outs(%rest : memref<?x12xf32>) {
  ^bb0(%n: i64, %at: i64, %l: f32, %acc: f32):
    %is = arith.cmpi eq, %n, %at : i64
    %p = arith.select %is, %zero, %l : f32
    linalg.yield %p : f32
  }
  %second = memref.alloc(%rows) : memref<?xf32>
  linalg.fill ins(%none : f32) outs(%second : memref<?xf32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%rest : memref<?x12xf32>) outs(%second : memref<?xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %is = arith.cmpf ogt, %l, %acc : f32
    %p = arith.select %is, %l, %acc : f32
    linalg.yield %p : f32
  }
  %sum = memref.alloc(%rows) : memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<?xf32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%rest : memref<?x12xf32>) outs(%sum : memref<?xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %p = arith.addf %l, %acc : f32
    linalg.yield %p : f32
  }
  %both = memref.alloc(%rows) : memref<?xf32>
  linalg.generic {indexing_maps = [affine_map<(r) -> (r)>, affine_map<(r) -> (r)>, affine_map<(r) -> (r)>], iterator_types = ["parallel"]}
      ins(%second, %sum : memref<?xf32>, memref<?xf32>) outs(%both : memref<?xf32>) {
  ^bb0(%l: f32, %s: f32, %acc: f32):
    %p = arith.addf %l, %s : f32
    linalg.yield %p : f32
  }
  return %place, %both, %rest, %numbers : memref<?xi64>, memref<?xf32>, memref<?x12xf32>, memref<12xi64>
}

// -----

#row = affine_map<(r, j) -> (r, j)>
#one = affine_map<(r, j) -> (r)>

// What a comparison chooses of a NaN depends on the order, which is kept: one thread a row.
// CHECK-LABEL: func.func @unordered(
// CHECK: linalg.generic
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @unordered(%x: memref<64x12xf32>) -> memref<64xf32> {
  %none = arith.constant 0xFF800000 : f32
  %top = memref.alloc() : memref<64xf32>
  linalg.fill ins(%none : f32) outs(%top : memref<64xf32>)
  linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64x12xf32>) outs(%top : memref<64xf32>) {
  ^bb0(%l: f32, %acc: f32):
    %is = arith.cmpf ugt, %l, %acc : f32
    %p = arith.select %is, %l, %acc : f32
    linalg.yield %p : f32
  }
  return %top : memref<64xf32>
}
