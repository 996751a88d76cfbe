// RUN: pit-opt %s --convert-attention-to-gpu --split-input-file | FileCheck %s

// 64 rows per block: two tiles of 100 positions, two heads, four sequences.
// CHECK-LABEL: func.func @attend
// CHECK-NOT: pit.attend
// CHECK: gpu.launch_func @attend_kernels::@attend_attention_0 blocks in (%c16{{[_0-9]*}},
// CHECK: llvm.func @attend_attention_0({{.*}}) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>}
// CHECK: nvvm.cp.async.shared.global {{.*}} 16, cache = cg
// CHECK: nvvm.ldmatrix {{.*}} layout = #nvvm.mma_layout<row>
// CHECK: nvvm.mma.sync
// CHECK: math.exp {{.*}} fastmath<afn>
// CHECK: nvvm.ldmatrix {{.*}} layout = #nvvm.mma_layout<col>
// CHECK: nvvm.mma.sync
func.func @attend(%q: memref<400x2x64xbf16>, %k: memref<400x2x64xbf16>, %v: memref<400x2x64xbf16>, %offsets: memref<5xi64>,
                  %o: memref<400x2x64xbf16>) {
  pit.attend_sequences %q, %k, %v sequences(%offsets : memref<5xi64>) outs(%o) {extent = 100 : i64, rounds_scores, scale = 0.125 : f32}
    : memref<400x2x64xbf16>, memref<400x2x64xbf16>, memref<400x2x64xbf16>, memref<400x2x64xbf16>
  return
}

// -----

// What comes later: two limits of columns, one for either row of a thread, and no step behind the block's own rows.
// CHECK-LABEL: func.func @causal
// CHECK: gpu.launch_func @causal_kernels::@causal_attention_0
// CHECK: llvm.func @causal_attention_0
// CHECK: %[[LENGTH:.*]] = arith.trunci
// CHECK: %[[LIMIT0:.*]] = arith.minui %[[LENGTH]], %{{.*}} : i32
// CHECK: %[[LIMIT1:.*]] = arith.minui %[[LENGTH]], %{{.*}} : i32
// CHECK: %[[STEPS:.*]] = arith.minui %{{.*}}, %{{.*}} : i32
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[STEPS]]
// CHECK: arith.cmpi {{.*}}, %[[LIMIT0]] : i32
// CHECK: arith.cmpi {{.*}}, %[[LIMIT1]] : i32
func.func @causal(%q: memref<400x2x64xbf16>, %k: memref<400x2x64xbf16>, %v: memref<400x2x64xbf16>, %offsets: memref<5xi64>,
                  %o: memref<400x2x64xbf16>) {
  pit.attend_sequences %q, %k, %v sequences(%offsets : memref<5xi64>) outs(%o) {causal, extent = 100 : i64, scale = 0.125 : f32}
    : memref<400x2x64xbf16>, memref<400x2x64xbf16>, memref<400x2x64xbf16>, memref<400x2x64xbf16>
  return
}
