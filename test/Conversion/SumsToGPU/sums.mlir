// RUN: pit-opt %s --convert-sums-to-gpu=cache-hints --canonicalize --cse --split-input-file | FileCheck %s
// Older chips have no such loads.
// RUN: pit-opt %s --convert-sums-to-gpu --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=PLAIN
// PLAIN-LABEL: llvm.func @gated_sum_0
// PLAIN-NOT: inline_asm
// PLAIN-COUNT-4: llvm.load {{.*}} invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xbf16>
// PLAIN-NOT: inline_asm

#rows = affine_map<(p, d) -> (p, d)>
#number = affine_map<(p, d) -> (p)>
#row = affine_map<(p, d) -> (d)>
#id = affine_map<(t, d) -> (t, d)>
!i = !pit.index<[64, 256], coordinate = 1, tile = [1, 1], width = 32>
!b = !pit.index_buffer<!i>
!tp = memref<?xf32, strided<[?], offset: ?>>
!tr = memref<?x2048xbf16, strided<[?, ?], offset: ?>>
!ty = memref<2048xf32, strided<[?], offset: ?>>

// 256 threads have 8 columns each, a row's; four rows of 16 bytes are on their way at a time. The sums start from the
// constant of the fill, and what rounds them is done before they are stored. Each row is listed once at most: in the L2
// cache, it makes way for those that are not read yet.
// CHECK-LABEL: func @gated
// CHECK-SAME: %[[GATE:.*]]: memref<256xf32>, %[[ROWS:.*]]: memref<256x2048xbf16>, %[[O:.*]]: memref<65xi64>, %[[C:.*]]: memref<256xi32>, %[[Z:.*]]: memref<64x2048xbf16>
// CHECK-NOT: linalg.
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch_func @gated_kernels::@gated_sum_0 blocks in (%c64, %c1, %c1) threads in (%c256, %c1, %c1)
// CHECK-NOT: pit.tiled
// CHECK: llvm.func @gated_sum_0
// CHECK: %[[FIRST_TO_GO:.*]] = llvm.inline_asm "createpolicy.fractional.L2::evict_first.b64
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-4: llvm.load {{.*}} : !llvm.ptr<1> -> i32
// CHECK-COUNT-4: llvm.inline_asm {{.*}}ld.global.L1::no_allocate.L2::cache_hint.v4{{.*}}, %[[FIRST_TO_GO]] :
// CHECK-NOT: arith.select
// CHECK: scf.yield
// What is left of a list is less than a batch.
// CHECK: scf.for
// CHECK-COUNT-4: llvm.inline_asm {{.*}}ld.global.L1::no_allocate.L2::cache_hint.v4{{.*}}, %[[FIRST_TO_GO]] :
// CHECK: arith.select
// CHECK: scf.yield
// CHECK-COUNT-8: arith.truncf
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<8xbf16>, !llvm.ptr<1>
func.func @gated(%gate: memref<256xf32>, %rows: memref<256x2048xbf16>, %o: memref<65xi64>, %c: memref<256xi32>,
                 %z: memref<64x2048xbf16>) {
  %zero = arith.constant 0.0 : f32
  %i = pit.assemble %o, %c : memref<65xi64>, memref<256xi32> -> !b
  %y = memref.alloc() : memref<64x2048xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<64x2048xf32>)
  pit.tiled tile 64 {dims = [array<i64: -1, 0>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !b) ins(%gate, %rows : memref<256xf32>, memref<256x2048xbf16>) outs(%y : memref<64x2048xf32>) {
  ^bb0(%tp: !tp, %tr: !tr, %ty: !ty):
    linalg.generic {indexing_maps = [#number, #rows, #row], iterator_types = ["reduction", "parallel"]}
        ins(%tp, %tr : !tp, !tr) outs(%ty : !ty) {
    ^bb1(%g: f32, %r: bf16, %acc: f32):
      %f = arith.extf %r : bf16 to f32
      %m = arith.mulf %g, %f : f32
      %s = arith.addf %acc, %m : f32
      linalg.yield %s : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : memref<64x2048xf32>) outs(%z : memref<64x2048xbf16>) {
  ^bb1(%x: f32, %out: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

#rows = affine_map<(p, d) -> (p, d)>
#number = affine_map<(p, d) -> (p)>
#row = affine_map<(p, d) -> (d)>
#id = affine_map<(t, d) -> (t, d)>
!i = !pit.index<[64, 256], coordinate = 1, tile = [1, 1], width = 32>
!b = !pit.index_buffer<!i>
!tp = memref<?xf32, strided<[?], offset: ?>>
!tr = memref<?x2048xbf16, strided<[?, ?], offset: ?>>
!ty = memref<2048xf32, strided<[?], offset: ?>>

// Rows that are listed twice on average are read again.
// CHECK-LABEL: func @listed_twice
// CHECK: llvm.func @listed_twice_sum_0
// CHECK-NOT: llvm.inline_asm
// CHECK-COUNT-8: llvm.load {{.*}} invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xbf16>
// CHECK-NOT: llvm.inline_asm
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<8xbf16>, !llvm.ptr<1>
func.func @listed_twice(%gate: memref<256xf32>, %rows: memref<256x2048xbf16>, %o: memref<65xi64>, %c: memref<512xi32>,
                 %z: memref<64x2048xbf16>) {
  %zero = arith.constant 0.0 : f32
  %i = pit.assemble %o, %c : memref<65xi64>, memref<512xi32> -> !b
  %y = memref.alloc() : memref<64x2048xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<64x2048xf32>)
  pit.tiled tile 64 {dims = [array<i64: -1, 0>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false, false>}
      over(%i : !b) ins(%gate, %rows : memref<256xf32>, memref<256x2048xbf16>) outs(%y : memref<64x2048xf32>) {
  ^bb0(%tp: !tp, %tr: !tr, %ty: !ty):
    linalg.generic {indexing_maps = [#number, #rows, #row], iterator_types = ["reduction", "parallel"]}
        ins(%tp, %tr : !tp, !tr) outs(%ty : !ty) {
    ^bb1(%g: f32, %r: bf16, %acc: f32):
      %f = arith.extf %r : bf16 to f32
      %m = arith.mulf %g, %f : f32
      %s = arith.addf %acc, %m : f32
      linalg.yield %s : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : memref<64x2048xf32>) outs(%z : memref<64x2048xbf16>) {
  ^bb1(%x: f32, %out: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

#rows = affine_map<(p, d) -> (p, d)>
#row = affine_map<(p, d) -> (d)>
!i = !pit.index<[?, ?], coordinate = 1, tile = [1, 1], width = 64>
!b = !pit.index_buffer<!i>
!tr = memref<?x12xf32, strided<[?, ?], offset: ?>>
!ty = memref<12xf32, strided<[?], offset: ?>>

// Rows of three vectors: four lanes each, 64 rows per block. The result goes on from what it holds.
// CHECK-LABEL: func @rows
// CHECK: arith.ceildivui %{{.*}}, %c64
// CHECK: gpu.launch_func @rows_kernels::@rows_sum_0
// CHECK: llvm.func @rows_sum_0
// CHECK: llvm.load {{.*}} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-4: llvm.load {{.*}} : !llvm.ptr<1> -> i64
// CHECK-COUNT-4: llvm.load {{.*}} : !llvm.ptr<1> -> vector<4xf32>
func.func @rows(%rows: memref<?x12xf32>, %o: memref<?xi64>, %c: memref<?xi64>, %t: index, %n: index, %y: memref<?x12xf32>) {
  %i = pit.assemble %o, %c extents(%t, %n) : memref<?xi64>, memref<?xi64> -> !b
  pit.tiled tile 64 {dims = [array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false>}
      over(%i : !b) ins(%rows : memref<?x12xf32>) outs(%y : memref<?x12xf32>) {
  ^bb0(%tr: !tr, %ty: !ty):
    linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["reduction", "parallel"]} ins(%tr : !tr) outs(%ty : !ty) {
    ^bb1(%r: f32, %acc: f32):
      %s = arith.addf %acc, %r : f32
      linalg.yield %s : f32
    }
    pit.yield
  }
  return
}

// -----

#id = affine_map<(p) -> (p)>
!i = !pit.index<[16, 8], coordinate = 0, tile = [1, 1], width = 32>
!b = !pit.index_buffer<!i>
!tile = memref<?xf32, strided<[?], offset: ?>>

// One thread per listed element finds its segment and reads what it is asked for.
// CHECK-LABEL: func @numbers
// CHECK: gpu.launch_func @numbers_kernels::@numbers_numbers_0 blocks in (%c1,
// CHECK-NOT: pit.tiled
// CHECK: llvm.func @numbers_numbers_0
// CHECK: scf.while
// CHECK: arith.negf
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr<1>
func.func @numbers(%gate: memref<16x8xf32>, %o: memref<9xi64>, %c: memref<48xi32>, %p: memref<48xf32>) {
  %i = pit.assemble %o, %c : memref<9xi64>, memref<48xi32> -> !b
  pit.tiled tile 64 {dims = [array<i64: 0, 1>, array<i64: 0, -1>], packed = array<i1: false, true>}
      over(%i : !b) ins(%gate : memref<16x8xf32>) outs(%p : memref<48xf32>) {
  ^bb0(%tg: !tile, %tp: !tile):
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%tg : !tile) outs(%tp : !tile) {
    ^bb1(%g: f32, %out: f32):
      %n = arith.negf %g : f32
      linalg.yield %n : f32
    }
    pit.yield
  }
  return
}

// -----

!i = !pit.index<[4, 16, 8], coordinate = 1, tile = [1, 1, 1], width = 32>
!b = !pit.index_buffer<!i>
!tile = memref<?xf32, strided<[?], offset: ?>>

// A copy, from where two segment dimensions and the coordinate say.
// CHECK-LABEL: func @copied
// CHECK: gpu.launch_func @copied_kernels::@copied_numbers_0
// CHECK-NOT: pit.tiled
// CHECK: llvm.func @copied_numbers_0
// CHECK: scf.while
// CHECK: arith.remui
// CHECK: arith.divui
// CHECK: llvm.load {{.*}} invariant {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr<1>
func.func @copied(%x: memref<16x4x8xf32>, %o: memref<33xi64>, %c: memref<48xi32>, %p: memref<48xf32>) {
  %i = pit.assemble %o, %c : memref<33xi64>, memref<48xi32> -> !b
  pit.tiled tile 64 {dims = [array<i64: 1, 0, 2>, array<i64: -1, 0, -1>], packed = array<i1: false, true>}
      over(%i : !b) ins(%x : memref<16x4x8xf32>) outs(%p : memref<48xf32>) {
  ^bb0(%tx: !tile, %tp: !tile):
    memref.copy %tx, %tp : !tile to !tile
    pit.yield
  }
  return
}

// -----

#rows = affine_map<(p, d) -> (p, d)>
#row = affine_map<(p, d) -> (d)>
#id = affine_map<(t, d) -> (t, d)>
!i = !pit.index<[64, 256], coordinate = 1, tile = [1, 1], width = 32>
!b = !pit.index_buffer<!i>
!tr = memref<?x2048xbf16, strided<[?, ?], offset: ?>>
!ty = memref<2048xf32, strided<[?], offset: ?>>

// Other rows of the segment, here sums of another rank, are added before the result is rounded. They are on their way
// while listed rows are added up.
// CHECK-LABEL: func @with_others
// CHECK-NOT: linalg.
// CHECK-NOT: memref.alloc
// CHECK: llvm.func @with_others_sum_0
// CHECK: scf.for
// CHECK: llvm.load {{.*}} invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xbf16>
// CHECK: scf.for
// CHECK: scf.yield
// CHECK: scf.for
// CHECK: scf.yield
// CHECK-COUNT-8: arith.truncf
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<8xbf16>, !llvm.ptr<1>
func.func @with_others(%rows: memref<256x2048xbf16>, %o: memref<65xi64>, %c: memref<256xi32>,
                       %others: memref<64x2048xbf16>, %z: memref<64x2048xbf16>) {
  %zero = arith.constant 0.0 : f32
  %i = pit.assemble %o, %c : memref<65xi64>, memref<256xi32> -> !b
  %y = memref.alloc() : memref<64x2048xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<64x2048xf32>)
  pit.tiled tile 64 {dims = [array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false>}
      over(%i : !b) ins(%rows : memref<256x2048xbf16>) outs(%y : memref<64x2048xf32>) {
  ^bb0(%tr: !tr, %ty: !ty):
    linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["reduction", "parallel"]}
        ins(%tr : !tr) outs(%ty : !ty) {
    ^bb1(%r: bf16, %acc: f32):
      %f = arith.extf %r : bf16 to f32
      %s = arith.addf %acc, %f : f32
      linalg.yield %s : f32
    }
    pit.yield
  }
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %others : memref<64x2048xf32>, memref<64x2048xbf16>) outs(%z : memref<64x2048xbf16>) {
  ^bb1(%x: f32, %other: bf16, %out: bf16):
    %f = arith.extf %other : bf16 to f32
    %s = arith.addf %x, %f : f32
    %t = arith.truncf %s : f32 to bf16
    linalg.yield %t : bf16
  }
  return
}

// -----

#rows = affine_map<(p, d) -> (p, d)>
#row = affine_map<(p, d) -> (d)>
!i = !pit.index<[8192, 256], coordinate = 0, tile = [1, 1], width = 32>
!b = !pit.index_buffer<!i>
!tr = memref<?x96xbf16, strided<[?, ?], offset: ?>>
!ty = memref<96xf32, strided<[?], offset: ?>>

// Rows that are packed lie one behind the other: a row is read at its position, and the kernel gets no list that says where.
// CHECK-LABEL: func @packed(
// CHECK-SAME: %[[X:.*]]: memref<8192x96xbf16>, %[[O:.*]]: memref<257xi64>, %{{.*}}: memref<8192xi32>, %[[Y:.*]]: memref<256x96xf32>)
// CHECK: gpu.launch_func @packed_kernels::@packed_sum_0 {{.*}} args(%{{.*}} : memref<i64>, %{{.*}} : memref<f32>, %{{.*}} : memref<bf16>)
// CHECK-NOT: pit.tiled
// CHECK: llvm.func @packed_sum_0(%{{.*}}, %{{.*}}, %[[ROWS:.*]]: !llvm.ptr<1>)
// CHECK: %[[BYTES:.*]] = arith.constant 192 : i64
// CHECK: scf.for
// CHECK: scf.for %[[POSITION:.*]] = %{{.*}} to
// CHECK-NOT: -> i32
// CHECK: %[[PLACE:.*]] = arith.muli %[[POSITION]], %[[BYTES]] : i64
// CHECK: llvm.getelementptr %[[ROWS]][%[[PLACE]]]
// CHECK-COUNT-4: llvm.load {{.*}} : !llvm.ptr<1> -> vector<8xbf16>
// CHECK-NOT: -> i32
// CHECK: scf.for
// CHECK-NOT: -> i32
// CHECK-COUNT-4: llvm.load {{.*}} : !llvm.ptr<1> -> vector<8xbf16>
// CHECK-NOT: -> i32
func.func @packed(%rows: memref<8192x96xbf16>, %o: memref<257xi64>, %c: memref<8192xi32>, %y: memref<256x96xf32>) {
  %i = pit.assemble %o, %c : memref<257xi64>, memref<8192xi32> -> !b
  pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>], packed = array<i1: true, false>}
      over(%i : !b) ins(%rows : memref<8192x96xbf16>) outs(%y : memref<256x96xf32>) {
  ^bb0(%tr: !tr, %ty: !ty):
    linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["reduction", "parallel"]} ins(%tr : !tr) outs(%ty : !ty) {
    ^bb1(%r: bf16, %acc: f32):
      %f = arith.extf %r : bf16 to f32
      %s = arith.addf %acc, %f : f32
      linalg.yield %s : f32
    }
    pit.yield
  }
  return
}

// -----

#rows = affine_map<(p, d) -> (p, d)>
#row = affine_map<(p, d) -> (d)>
!i = !pit.index<[8192, 256], coordinate = 0, tile = [1, 1], width = 32>
!b = !pit.index_buffer<!i>
!tr = memref<?x96xbf16, strided<[?, ?], offset: ?>>
!ty = memref<96xf32, strided<[?], offset: ?>>

// Of two factors, one is packed, and the other one is read where the list says.
// CHECK-LABEL: func @packed_and_listed(
// CHECK: gpu.launch_func @packed_and_listed_kernels::@packed_and_listed_sum_0 {{.*}} args(%{{.*}} : memref<i64>, %{{.*}} : memref<f32>, %{{.*}} : memref<i32>, %{{.*}} : memref<bf16>, %{{.*}} : memref<bf16>)
// CHECK: llvm.func @packed_and_listed_sum_0(%{{.*}}, %{{.*}}, %[[C:.*]]: !llvm.ptr<1>, %[[PACKED:.*]]: !llvm.ptr<1>, %[[ROWS:.*]]: !llvm.ptr<1>)
// CHECK: %[[BYTES:.*]] = arith.constant 192 : i64
// CHECK: scf.for
// CHECK: scf.for %[[POSITION:.*]] = %{{.*}} to
// CHECK: llvm.getelementptr %[[C]]
// CHECK: %[[COORDINATE:.*]] = llvm.load {{.*}} -> i32
// CHECK: %[[ROW:.*]] = arith.extui %[[COORDINATE]] : i32 to i64
// CHECK: %[[PLACE:.*]] = arith.muli %[[POSITION]], %[[BYTES]] : i64
// CHECK: llvm.getelementptr %[[PACKED]][%[[PLACE]]]
// CHECK: %[[PLACE:.*]] = arith.muli %[[ROW]], %[[BYTES]] : i64
// CHECK: llvm.getelementptr %[[ROWS]][%[[PLACE]]]
func.func @packed_and_listed(%packed: memref<8192x96xbf16>, %rows: memref<8192x96xbf16>, %o: memref<257xi64>, %c: memref<8192xi32>, %y: memref<256x96xf32>) {
  %i = pit.assemble %o, %c : memref<257xi64>, memref<8192xi32> -> !b
  pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: 0, -1>, array<i64: -1, 0>], packed = array<i1: true, false, false>}
      over(%i : !b) ins(%packed, %rows : memref<8192x96xbf16>, memref<8192x96xbf16>) outs(%y : memref<256x96xf32>) {
  ^bb0(%tp: !tr, %tr: !tr, %ty: !ty):
    linalg.generic {indexing_maps = [#rows, #rows, #row], iterator_types = ["reduction", "parallel"]} ins(%tp, %tr : !tr, !tr) outs(%ty : !ty) {
    ^bb1(%p: bf16, %r: bf16, %acc: f32):
      %f = arith.extf %p : bf16 to f32
      %g = arith.extf %r : bf16 to f32
      %m = arith.mulf %f, %g : f32
      %s = arith.addf %acc, %m : f32
      linalg.yield %s : f32
    }
    pit.yield
  }
  return
}
