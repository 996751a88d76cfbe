// RUN: pit-opt %s -convert-contractions-to-mma -canonicalize -cse -split-input-file | FileCheck %s

// Elementwise ops behind a product, in a chain, with operands along columns,
// rows and both: one kernel. Rounding is the writer's.
#id = affine_map<(m, n) -> (m, n)>
#rows = affine_map<(m, n) -> (m)>
#columns = affine_map<(m, n) -> (n)>

// The scale of a row; two columns of the bias at a time, which all rows share;
// two of the residual.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[A:.*]]: memref<?x64xbf16>, %[[B:.*]]: memref<64x256xbf16>, %[[BIAS:.*]]: memref<256xf32>, %[[SCALE:.*]]: memref<?xf32>, %[[R:.*]]: memref<?x256xbf16>, %[[C:.*]]: memref<?x256xbf16>)
// CHECK-NOT: memref.alloc
// CHECK-DAG: %[[PBIAS:.*]] = memref.reinterpret_cast %[[BIAS]]
// CHECK-DAG: %[[PSCALE:.*]] = memref.reinterpret_cast %[[SCALE]]
// CHECK-DAG: %[[PR:.*]] = memref.reinterpret_cast %[[R]] to offset: [0], sizes: []
// CHECK: gpu.launch_func {{.*}} %[[PBIAS]] : {{.*}}, %[[PSCALE]] : {{.*}}, %[[PR]] : memref<bf16, strided<[]>>)
// CHECK-NOT: linalg
// CHECK: llvm.func @chain_contraction_0
// CHECK: nvvm.mma.sync
// CHECK: nvvm.cp.async.wait.group 0
// The scale of a row; two columns of the bias at a time, which all rows share;
// two of the residual.
// CHECK: %[[S:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> f32
// CHECK: %[[W:.*]] = llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
// CHECK: %[[W0:.*]] = llvm.extractelement %[[W]]
// CHECK: %[[Q:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<2xbf16>
// CHECK: %[[Q0:.*]] = llvm.extractelement %[[Q]]
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %[[W0]] fastmath<arcp,afn>
// CHECK: %[[MAX:.*]] = arith.maximumf %[[SUM]], %{{.*}} fastmath<arcp,afn>
// CHECK: %[[MUL:.*]] = arith.mulf %[[MAX]], %[[S]]
// CHECK: %[[E:.*]] = arith.extf %[[Q0]] : bf16 to f32
// CHECK: arith.addf %[[MUL]], %[[E]]
// CHECK-NOT: arith.truncf
// CHECK: nvvm.convert.f32x2.to.bf16x2
func.func @chain(%a: memref<?x64xbf16>, %b: memref<64x256xbf16>, %bias: memref<256xf32>, %scale: memref<?xf32>,
                 %r: memref<?x256xbf16>, %c: memref<?x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = memref.dim %a, %c0 : memref<?x64xbf16>
  %sum = memref.alloc(%m) : memref<?x256xf32>
  %act = memref.alloc(%m) : memref<?x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<?x256xf32>)
  linalg.matmul ins(%a, %b : memref<?x64xbf16>, memref<64x256xbf16>) outs(%sum : memref<?x256xf32>)
  linalg.generic {indexing_maps = [#columns, #id], iterator_types = ["parallel", "parallel"]}
      ins(%bias : memref<256xf32>) outs(%sum : memref<?x256xf32>) {
  ^bb0(%w: f32, %o: f32):
    %0 = arith.addf %o, %w : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#id, #rows, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %scale : memref<?x256xf32>, memref<?xf32>) outs(%act : memref<?x256xf32>) {
  ^bb0(%x: f32, %s: f32, %o: f32):
    %0 = arith.maximumf %x, %zero : f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  }
  memref.dealloc %sum : memref<?x256xf32>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%act, %r : memref<?x256xf32>, memref<?x256xbf16>) outs(%c : memref<?x256xbf16>) {
  ^bb0(%x: f32, %s: bf16, %o: bf16):
    %0 = arith.extf %s : bf16 to f32
    %1 = arith.addf %x, %0 : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  }
  memref.dealloc %act : memref<?x256xf32>
  return
}

// -----

// Two products of one A become one kernel whose tiles hold 128 columns of each.
#id = affine_map<(m, n) -> (m, n)>

// Value i of one half goes with value i of the other.
// CHECK-LABEL: func.func @gated(
// CHECK-SAME: %[[A:.*]]: memref<?x64xbf16>, %[[B:.*]]: memref<64x384xbf16>, %[[B2:.*]]: memref<64x384xbf16>
// CHECK-NOT: linalg
// CHECK: arith.ceildivui %{{.*}}, %c128
// CHECK: arith.muli %{{.*}}, %c3
// CHECK: %[[PB:.*]] = memref.reinterpret_cast %[[B]]
// CHECK: %[[PB2:.*]] = memref.reinterpret_cast %[[B2]]
// CHECK: gpu.launch_func {{.*}} %[[PB]] : {{.*}}, %[[PB2]] :
// CHECK-NOT: gpu.launch_func
// CHECK: llvm.func @gated_contraction_0
// Two chunks of A per thread, and two of each B.
// CHECK-COUNT-6: nvvm.cp.async.shared.global
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK: %[[SUMS:.*]]:{{.*}} = scf.for
// CHECK-COUNT-64: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK: nvvm.cp.async.wait.group 0
// Value i of one half goes with value i of the other.
// The two of a row that are neighbours share a reciprocal.
// CHECK: %[[W:.*]] = llvm.call_intrinsic "llvm.nvvm.fmin.f"
// CHECK: %[[N:.*]] = arith.negf %[[W]]
// CHECK: %[[T:.*]] = math.exp %[[N]] fastmath<afn>
// CHECK: %[[V:.*]] = llvm.fmul %[[T]], %[[N]]
// CHECK: %[[D:.*]] = llvm.fadd %[[T]]
// CHECK: %[[D1:.*]] = llvm.fadd
// CHECK: %[[P:.*]] = llvm.fmul %[[D]], %[[D1]]
// CHECK: %[[R:.*]] = nvvm.rcp.approx.ftz.f %[[P]]
// CHECK: %[[R0:.*]] = llvm.fmul %[[R]], %[[D1]]
// CHECK: %[[M:.*]] = llvm.call_intrinsic "llvm.nvvm.fmax.nan.f"(%[[SUMS]]#0
// CHECK: %[[S:.*]] = llvm.intr.fma(%[[V]], %[[R0]], %[[M]])
// CHECK: arith.mulf %[[S]], %[[SUMS]]#16
func.func @gated(%a: memref<?x64xbf16>, %b: memref<64x384xbf16>, %b2: memref<64x384xbf16>,
                 %c: memref<?x384xbf16>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %a, %c0 : memref<?x64xbf16>
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %g = memref.alloc(%m) : memref<?x384xf32>
  %u = memref.alloc(%m) : memref<?x384xf32>
  linalg.fill ins(%zero : f32) outs(%u : memref<?x384xf32>)
  memref.copy %u, %g : memref<?x384xf32> to memref<?x384xf32>
  linalg.matmul ins(%a, %b : memref<?x64xbf16>, memref<64x384xbf16>) outs(%g : memref<?x384xf32>)
  linalg.matmul ins(%a, %b2 : memref<?x64xbf16>, memref<64x384xbf16>) outs(%u : memref<?x384xf32>)
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g, %u : memref<?x384xf32>, memref<?x384xf32>) outs(%c : memref<?x384xbf16>) {
  ^bb0(%x: f32, %y: f32, %o: bf16):
    %0 = arith.negf %x : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %x, %2 : f32
    %4 = arith.mulf %3, %y : f32
    %5 = arith.truncf %4 : f32 to bf16
    linalg.yield %5 : bf16
  }
  return
}

// -----

// Inside a tiled op, operands follow the list as A and C do, and segments have
// operands of their own. f32 results are computed as written.
!lists = !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>
!index = !pit.index_buffer<!lists>
#tile = strided<[?, ?], offset: ?>
#row = strided<[?], offset: ?>
#id = affine_map<(m, n) -> (m, n)>
#rows = affine_map<(m, n) -> (m)>
#columns = affine_map<(m, n) -> (n)>

// The bias of the expert, the gate of the listed row and the expert.
// CHECK-LABEL: func.func @experts(
// CHECK-SAME: %[[BIAS:[a-z0-9]*]]: memref<8x256xf32>, %[[GATE:.*]]: memref<?x8xf32>
// CHECK-NOT: pit.tiled
// CHECK-DAG: %[[PBIAS:.*]] = memref.reinterpret_cast %[[BIAS]]
// CHECK-DAG: %[[PGATE:.*]] = memref.reinterpret_cast %[[GATE]]
// CHECK: gpu.launch_func {{.*}} %[[PBIAS]] : {{.*}}, %[[PGATE]] : memref<f32, strided<[]>>)
// CHECK: llvm.func @experts_contraction_0
// CHECK: nvvm.cp.async.wait.group 0
// The bias of the expert, the gate of the listed row and the expert.
// CHECK: %[[EXPERT:.*]] = arith.muli %{{.*}}, %c1024_i64
// CHECK: %[[BIAS:.*]] = llvm.getelementptr %{{.*}}[%[[EXPERT]]]
// CHECK: %[[ROW:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> i32
// CHECK: arith.extui %[[ROW]] : i32 to i64
// CHECK: llvm.load %{{.*}} : !llvm.ptr<1> -> f32
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
// CHECK: arith.addf %{{[^ ]*}}, %{{[^ ]*}} : f32
// CHECK: arith.mulf %{{[^ ]*}}, %{{[^ ]*}} : f32
func.func @experts(%a: memref<?x72xbf16>, %b: memref<8x72x256xbf16>, %bias: memref<8x256xf32>, %gate: memref<?x8xf32>,
                   %rows: memref<?xi32>, %offsets: memref<9xi64>, %tokens: index, %c: memref<?x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %i = pit.assemble %offsets, %rows extents(%tokens) : memref<9xi64>, memref<?xi32> -> !index
  pit.tiled tile 128 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: -1, 0>, array<i64: 0, 1>, array<i64: 0, -1>],
                      packed = array<i1: false, false, false, false, true>}
      over(%i : !index)
      ins(%a, %b, %bias, %gate : memref<?x72xbf16>, memref<8x72x256xbf16>, memref<8x256xf32>, memref<?x8xf32>)
      outs(%c : memref<?x256xf32>) {
  ^bb0(%ta: memref<?x72xbf16, #tile>, %tb: memref<72x256xbf16, #tile>, %tbias: memref<256xf32, #row>,
       %tgate: memref<?xf32, #row>, %tc: memref<?x256xf32, #tile>):
    linalg.fill ins(%zero : f32) outs(%tc : memref<?x256xf32, #tile>)
    linalg.matmul ins(%ta, %tb : memref<?x72xbf16, #tile>, memref<72x256xbf16, #tile>)
        outs(%tc : memref<?x256xf32, #tile>)
    linalg.generic {indexing_maps = [#columns, #rows, #id], iterator_types = ["parallel", "parallel"]}
        ins(%tbias, %tgate : memref<256xf32, #row>, memref<?xf32, #row>) outs(%tc : memref<?x256xf32, #tile>) {
    ^bb0(%w: f32, %g: f32, %o: f32):
      %0 = arith.addf %o, %w : f32
      %1 = arith.mulf %0, %g : f32
      linalg.yield %1 : f32
    }
    pit.yield
  }
  return
}

// -----

// The last of an odd number of columns has no neighbour to be loaded with.
#id = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>

// CHECK-LABEL: func.func @odd(
// CHECK-NOT: linalg
// CHECK: llvm.func @odd_contraction_0
// CHECK: nvvm.cp.async.wait.group 0
// CHECK-NOT: vector<2x
// CHECK: llvm.load %{{.*}} : !llvm.ptr<1> -> f32
// CHECK-NOT: -> vector<2x
func.func @odd(%a: memref<?x64xbf16>, %b: memref<64x255xbf16>, %bias: memref<255xf32>, %c: memref<?x255xbf16, strided<[256, 1]>>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = memref.dim %a, %c0 : memref<?x64xbf16>
  %sum = memref.alloc(%m) : memref<?x255xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<?x255xf32>)
  linalg.matmul ins(%a, %b : memref<?x64xbf16>, memref<64x255xbf16>) outs(%sum : memref<?x255xf32>)
  linalg.generic {indexing_maps = [#id, #columns, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %bias : memref<?x255xf32>, memref<255xf32>) outs(%c : memref<?x255xbf16, strided<[256, 1]>>) {
  ^bb0(%x: f32, %w: f32, %o: bf16):
    %0 = arith.addf %x, %w : f32
    %1 = arith.truncf %0 : f32 to bf16
    linalg.yield %1 : bf16
  }
  memref.dealloc %sum : memref<?x255xf32>
  return
}
