// RUN: pit-opt %s -convert-contractions-to-hopper -canonicalize -cse -split-input-file | FileCheck %s

// Elementwise ops behind a product, in a chain, with operands along columns,
// rows and both: one kernel. Rounding is the writer's.
#id = affine_map<(m, n) -> (m, n)>
#rows = affine_map<(m, n) -> (m)>
#columns = affine_map<(m, n) -> (n)>

// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[A:.*]]: memref<?x64xbf16>, %[[B:.*]]: memref<64x256xbf16>, %[[BIAS:.*]]: memref<256xf32>, %[[SCALE:.*]]: memref<?xf32>, %[[R:.*]]: memref<?x256xbf16>, %[[C:.*]]: memref<?x256xbf16>)
// CHECK-NOT: memref.alloc
// CHECK-DAG: %[[PBIAS:.*]] = memref.reinterpret_cast %[[BIAS]]
// CHECK-DAG: %[[PSCALE:.*]] = memref.reinterpret_cast %[[SCALE]]
// CHECK-DAG: %[[PR:.*]] = memref.reinterpret_cast %[[R]] to offset: [0], sizes: []
// CHECK: gpu.launch_func {{.*}} %[[PBIAS]] : {{.*}}, %[[PSCALE]] : {{.*}}, %[[PR]] : memref<bf16, strided<[]>>)
// CHECK-NOT: linalg
// CHECK: llvm.func @chain_contraction_0
// CHECK: wgmma
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
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
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

// CHECK-LABEL: func.func @gated(
// CHECK-SAME: %[[A:.*]]: memref<256x64xbf16>, %[[B:.*]]: memref<64x384xbf16>, %[[B2:.*]]: memref<64x384xbf16>
// CHECK-NOT: linalg
// CHECK: %[[TILES:.*]] = arith.constant 6 : index
// CHECK: memref.reinterpret_cast %[[B]] to offset: [0], sizes: [6, 64, 64]
// CHECK: %[[MAP:.*]] = nvgpu.tma.create.descriptor {{.*}} memref<2x64x64xbf16
// CHECK: memref.reinterpret_cast %[[B2]] to offset: [0], sizes: [6, 64, 64]
// CHECK: %[[MAP2:.*]] = nvgpu.tma.create.descriptor {{.*}} memref<2x64x64xbf16
// CHECK: gpu.launch_func {{.*}} blocks in (%[[TILES]],
// CHECK-SAME: %[[MAP]] : {{.*}}, %[[MAP2]] :
// CHECK-NOT: gpu.launch_func
// CHECK: llvm.func @gated_contraction_0
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 256, k = 16>
// Value i of one half goes with value i of the other.
// CHECK: %[[G:.*]] = llvm.extractvalue %[[ACC:.*]][0]
// CHECK: %[[U:.*]] = llvm.extractvalue %[[ACC]][64]
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
// CHECK: %[[M:.*]] = llvm.call_intrinsic "llvm.nvvm.fmax.nan.f"(%[[G]]
// CHECK: %[[S:.*]] = llvm.intr.fma(%[[V]], %[[R0]], %[[M]])
// CHECK: arith.mulf %[[S]], %[[U]]
func.func @gated(%a: memref<256x64xbf16>, %b: memref<64x384xbf16>, %b2: memref<64x384xbf16>,
                 %c: memref<256x384xbf16>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %g = memref.alloc() : memref<256x384xf32>
  %u = memref.alloc() : memref<256x384xf32>
  linalg.fill ins(%zero : f32) outs(%u : memref<256x384xf32>)
  memref.copy %u, %g : memref<256x384xf32> to memref<256x384xf32>
  linalg.matmul ins(%a, %b : memref<256x64xbf16>, memref<64x384xbf16>) outs(%g : memref<256x384xf32>)
  linalg.matmul ins(%a, %b2 : memref<256x64xbf16>, memref<64x384xbf16>) outs(%u : memref<256x384xf32>)
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g, %u : memref<256x384xf32>, memref<256x384xf32>) outs(%c : memref<256x384xbf16>) {
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

// CHECK-LABEL: func.func @experts(
// CHECK-SAME: %[[BIAS:[a-z0-9]*]]: memref<8x256xf32>, %[[GATE:.*]]: memref<?x8xf32>
// CHECK-NOT: pit.tiled
// CHECK-DAG: %[[PBIAS:.*]] = memref.reinterpret_cast %[[BIAS]]
// CHECK-DAG: %[[PGATE:.*]] = memref.reinterpret_cast %[[GATE]]
// CHECK: gpu.launch_func {{.*}} %[[PBIAS]] : {{.*}}, %[[PGATE]] : memref<f32, strided<[]>>)
// CHECK: llvm.func @experts_contraction_0
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

// Taken as far as it goes: the second op reads another place of an operand that
// lies in its output.
#id = affine_map<(m, n) -> (m, n)>
#rows = affine_map<(m, n) -> (m)>
#first = affine_map<(m, n) -> (m, 0)>

// CHECK-LABEL: func.func @first_column(
// CHECK: gpu.launch_func {{.*}} memref<f32
// CHECK: linalg.generic
func.func @first_column(%a: memref<128x64xbf16>, %b: memref<64x256xbf16>, %c: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<128x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<128x256xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xbf16>, memref<64x256xbf16>) outs(%sum : memref<128x256xf32>)
  linalg.exp ins(%sum : memref<128x256xf32>) outs(%sum : memref<128x256xf32>)
  linalg.generic {indexing_maps = [#id, #first, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %c : memref<128x256xf32>, memref<128x256xf32>) outs(%c : memref<128x256xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  }
  memref.dealloc %sum : memref<128x256xf32>
  return
}

// -----

// An operand changes before the next op: the rest is left.
#id = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>

// CHECK-LABEL: func.func @operand_changes(
// CHECK: gpu.launch_func
// CHECK: linalg.fill
// CHECK: linalg.exp
func.func @operand_changes(%a: memref<128x64xbf16>, %b: memref<64x256xbf16>, %bias: memref<256xf32>,
                           %c: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<128x256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<128x256xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xbf16>, memref<64x256xbf16>) outs(%sum : memref<128x256xf32>)
  linalg.generic {indexing_maps = [#columns, #id], iterator_types = ["parallel", "parallel"]}
      ins(%bias : memref<256xf32>) outs(%sum : memref<128x256xf32>) {
  ^bb0(%w: f32, %o: f32):
    %0 = arith.addf %o, %w : f32
    linalg.yield %0 : f32
  }
  linalg.fill ins(%zero : f32) outs(%bias : memref<256xf32>)
  linalg.exp ins(%sum : memref<128x256xf32>) outs(%c : memref<128x256xf32>)
  memref.dealloc %sum : memref<128x256xf32>
  return
}

// -----

// Products of different A that meet in one op: the first takes the op, the
// second one's sums are an operand.
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @apart(
// CHECK: %[[SUMS:.*]] = memref.alloc() : memref<128x256xf32>
// CHECK: gpu.launch_func @{{.*}}::@apart_contraction_{{.*}} memref<f32
// CHECK: gpu.launch_func
// CHECK-NOT: linalg
func.func @apart(%a: memref<128x64xbf16>, %a2: memref<128x64xbf16>, %b: memref<64x256xbf16>, %c: memref<128x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<128x256xf32>
  %t = memref.alloc() : memref<128x256xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<128x256xf32>)
  linalg.fill ins(%zero : f32) outs(%t : memref<128x256xf32>)
  linalg.matmul ins(%a, %b : memref<128x64xbf16>, memref<64x256xbf16>) outs(%s : memref<128x256xf32>)
  linalg.matmul ins(%a2, %b : memref<128x64xbf16>, memref<64x256xbf16>) outs(%t : memref<128x256xf32>)
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %t : memref<128x256xf32>, memref<128x256xf32>) outs(%c : memref<128x256xbf16>) {
  ^bb0(%x: f32, %y: f32, %o: bf16):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.truncf %0 : f32 to bf16
    linalg.yield %1 : bf16
  }
  memref.dealloc %s : memref<128x256xf32>
  memref.dealloc %t : memref<128x256xf32>
  return
}
