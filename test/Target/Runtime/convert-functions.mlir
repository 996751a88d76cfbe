// RUN: pit-opt %s --convert-functions-to-runtime | FileCheck %s

// CHECK-LABEL: func.func @pit_run_shapes(
// CHECK-SAME: %[[CTX:.*]]: !llvm.ptr, %[[A:.*]]: !llvm.ptr, %[[N:.*]]: index, %[[H:.*]]: i16, %[[EXTENTS:.*]]: !llvm.ptr, %[[BYTES:.*]]: !llvm.ptr) -> i32
// CHECK: llvm.call @pit_rt_begin_shapes(%[[F:.*]], %[[CTX]])
// CHECK: llvm.call @pit_rt_argument(%[[F]], %{{.*}}, %[[A]],
// CHECK: %[[TWICE:.*]] = arith.addi
// CHECK: llvm.store %{{.*}}, %[[EXTENTS]]
// CHECK: llvm.store %{{.*}}, %[[BYTES]]
// CHECK-NOT: memref.store

// Tensors are checked first; nothing is computed when one of them is wrong.
// CHECK-LABEL: func.func @pit_run(
// CHECK-SAME: %[[CTX:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[A:.*]]: !llvm.ptr, %[[N:.*]]: index, %[[H:.*]]: i16, %[[R:.*]]: !llvm.ptr, %[[R1:.*]]: !llvm.ptr, %[[R2:.*]]: !llvm.ptr, %[[R3:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64) -> i32
// CHECK-SAME: pit.entry = {name = "run", type = (memref<?x4xf32>, index, f16) -> (memref<?xf32>, memref<?xf32>, f16, memref<4xf32>)}
// CHECK: llvm.call @pit_rt_begin_host(%[[F:.*]], %[[CTX]])
// CHECK: %[[HALF:.*]] = arith.bitcast %[[H]] : i16 to f16
// CHECK: %[[P:.*]] = llvm.call @pit_rt_result(%[[F]], %{{.*}}, %[[R]],
// CHECK: %[[P1:.*]] = llvm.call @pit_rt_result(%[[F]], %{{.*}}, %[[R1]],
// CHECK: %[[P3:.*]] = llvm.call @pit_rt_result(%[[F]], %{{.*}}, %[[R3]],
// CHECK: %[[OK:.*]] = llvm.call @pit_rt_ok(%[[F]])
// CHECK: %[[GO:.*]] = arith.cmpi ne, %[[OK]]
// CHECK: scf.if %[[GO]] {
// The first result lies with the caller; what is only used inside is freed as before.
// CHECK: llvm.insertvalue %[[P]]
// CHECK: %[[BUFFER:.*]] = builtin.unrealized_conversion_cast %{{.*}} to memref<?xf32>
// CHECK: %[[W:.*]] = memref.alloc(%{{.*}}) : memref<?xi8>
// CHECK: memref.store %{{.*}}, %[[BUFFER]][
// CHECK: %[[MADE:.*]] = func.call @make()
// CHECK: memref.dealloc %[[W]]
// The others are copied, and freed unless they are a buffer that is taken care of.
// CHECK: llvm.insertvalue %[[P1]]
// CHECK: memref.copy %[[BUFFER]], %{{.*}} : memref<?xf32> to memref<?xf32>
// CHECK: llvm.store %[[HALF]], %[[R2]]
// CHECK: llvm.insertvalue %[[P3]]
// CHECK: memref.copy %[[MADE]], %{{.*}} : memref<4xf32> to memref<4xf32>
// CHECK: %[[FIRST:.*]] = memref.extract_aligned_pointer_as_index %[[BUFFER]]
// CHECK: %[[SECOND:.*]] = memref.extract_aligned_pointer_as_index %[[BUFFER]]
// CHECK: arith.cmpi ne, %[[SECOND]], %[[FIRST]]
// CHECK: scf.if
// CHECK-NEXT: memref.dealloc %[[BUFFER]]
// CHECK: scf.if
// CHECK-NEXT: memref.dealloc %[[MADE]]
// CHECK: %[[STATUS:.*]] = llvm.call @pit_rt_end(%[[F]])
// CHECK: return %[[STATUS]]
// CHECK-NOT: func.func @run
func.func @run(%a: memref<?x4xf32>, %n: index, %h: f16) -> (memref<?xf32>, memref<?xf32>, f16, memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %d = memref.dim %a, %c0 : memref<?x4xf32>
  %twice = arith.addi %d, %d : index
  %r = memref.alloc(%twice) : memref<?xf32>
  %w = memref.alloc(%n) : memref<?xi8>
  memref.store %zero, %r[%c0] : memref<?xf32>
  %m = call @make() : () -> memref<4xf32>
  memref.dealloc %w : memref<?xi8>
  return %r, %r, %h, %m : memref<?xf32>, memref<?xf32>, f16, memref<4xf32>
}

// CHECK-LABEL: func.func private @make
func.func private @make() -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  return %m : memref<4xf32>
}

// A function that branches is called.
// CHECK-LABEL: func.func @pit_branches(
// CHECK: scf.if
// CHECK: %[[MADE:.*]] = func.call @branches
// CHECK: memref.copy %[[MADE]]
// CHECK: memref.dealloc %[[MADE]]
// CHECK: func.func private @branches
func.func @branches(%flag: i1) -> memref<4xf32> {
  cf.cond_br %flag, ^one, ^two
^one:
  %m = memref.alloc() : memref<4xf32>
  return %m : memref<4xf32>
^two:
  %k = call @make() : () -> memref<4xf32>
  return %k : memref<4xf32>
}
