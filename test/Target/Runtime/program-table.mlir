// The table of a program, its header and its manifest.
// RUN: pit-opt %s --pit-emit-program-table="target=cuda chip=sm_90a" -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: mlir-translate --mlir-to-llvmir %t | FileCheck %s --check-prefix=LLVM
// RUN: pit-translate --pit-to-header %t | FileCheck %s --check-prefix=HEADER
// RUN: pit-translate --pit-to-manifest %t | FileCheck %s --check-prefix=JSON

// CHECK: module attributes {pit.program = {chip = "sm_90a", target = "cuda"}}
// CHECK: llvm.mlir.global weak constant @pit_program()
// Only entry points and the table are for others.
// CHECK: llvm.mlir.global internal @data
// CHECK: llvm.func internal @helper
// CHECK: llvm.func @pit_f_shapes(
// CHECK: llvm.func internal @pit_f_shapes_packed(%[[CTX:.*]]: !llvm.ptr, %[[ARGS:.*]]: !llvm.ptr, %[[EXTENTS:.*]]: !llvm.ptr, %[[BYTES:.*]]: !llvm.ptr) -> i32
// CHECK: %[[TENSOR:.*]] = llvm.load
// A scalar is behind its pointer.
// CHECK: %[[AT:.*]] = llvm.load
// CHECK: %[[SCALAR:.*]] = llvm.load %[[AT]] : !llvm.ptr -> i16
// CHECK: llvm.call @pit_f_shapes(%[[CTX]], %[[TENSOR]], %[[SCALAR]], %[[EXTENTS]], %[[BYTES]])
// CHECK: llvm.func @pit_f(
// CHECK: llvm.func internal @pit_f_packed(%[[CTX:.*]]: !llvm.ptr, %[[STREAM:.*]]: !llvm.ptr, %[[ARGS:.*]]: !llvm.ptr, %[[RESULTS:.*]]: !llvm.ptr, %[[WS:.*]]: !llvm.ptr, %[[SIZE:.*]]: i64) -> i32
// CHECK: llvm.call @pit_f(%[[CTX]], %[[STREAM]], %{{.*}}, %{{.*}}, %{{.*}}, %[[WS]], %[[SIZE]])

// Version 1; f32 of rank 2, f16 that is a scalar, i64 of rank 0.
// LLVM: @pit_program = weak constant { i32, i32, ptr, ptr, i64, ptr, ptr, ptr } { i32 1, i32 {{[0-9]+}}, ptr @pit_program_target, ptr @pit_program_chip, i64 1, ptr @pit_program_entries, ptr null, ptr @pit_program_handlers }
// LLVM-DAG: @pit_f_arguments = internal constant [2 x { i32, i32, ptr }] [{ i32, i32, ptr } { i32 3, i32 2, ptr @pit_f_arguments_0 }, { i32, i32, ptr } { i32 1, i32 -1, ptr null }]
// LLVM-DAG: @pit_f_arguments_0 = internal constant [2 x i64] [i64 -1, i64 4]
// LLVM-DAG: @pit_f_results = internal constant [1 x { i32, i32, ptr }] [{ i32, i32, ptr } { i32 8, i32 0, ptr null }]
// LLVM-DAG: @pit_program_entries = internal constant [1 x { ptr, i64, ptr, i64, ptr, ptr, ptr }] [{ ptr, i64, ptr, i64, ptr, ptr, ptr } { ptr @pit_f_name, i64 2, ptr @pit_f_arguments, i64 1, ptr @pit_f_results, ptr @pit_f_shapes_packed, ptr @pit_f_packed }]

// What XLA calls: on a device, as the second number says.
// LLVM-DAG: @pit_program_handlers = internal constant [1 x ptr] [ptr @pit_f_xla]
// LLVM: define ptr @pit_f_xla(ptr %[[FRAME:.*]]) {
// LLVM-NEXT: call ptr @pit_rt_xla_call(ptr @pit_program_entries, i32 1, ptr %[[FRAME]])

// HEADER: compiled for cuda, sm_90a.
// HEADER: device memory on 16-byte boundaries
// HEADER: arg0     f32 [?, 4], strides [4, 1]
// HEADER-NEXT: arg1     f16, by its bits
// HEADER-NEXT: result0  i64 []
// HEADER: #define PIT_F_NUM_EXTENTS 0
// HEADER: int32_t pit_f_shapes(
// HEADER-NEXT: pit_context *context,
// HEADER-NEXT: const pit_tensor *arg0,
// HEADER-NEXT: uint16_t arg1,
// HEADER: int32_t pit_f(
// HEADER: void *pit_f_xla(void *frame);

// JSON: "chip": "sm_90a"
// JSON: "dtype": "f32",
// JSON-NEXT: "kind": "tensor",
// JSON-NEXT: "shape": [
// JSON-NEXT: -1,
// JSON-NEXT: 4
// JSON: "dtype": "f16",
// JSON-NEXT: "kind": "scalar"
// JSON: "call": "pit_f",
// JSON: "name": "f",
// JSON: "shapes": "pit_f_shapes"
// JSON: "schema": "pit-manifest",
// JSON: "version": 2

llvm.mlir.global @data(1 : i32) : i32
llvm.func @helper() {
  llvm.return
}
llvm.func @pit_f_shapes(%ctx: !llvm.ptr, %a: !llvm.ptr, %h: i16, %extents: !llvm.ptr, %bytes: !llvm.ptr) -> i32 {
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}
llvm.func @pit_f(%ctx: !llvm.ptr, %stream: !llvm.ptr, %a: !llvm.ptr, %h: i16, %r: !llvm.ptr, %ws: !llvm.ptr,
                 %size: i64) -> i32 attributes {pit.entry = {name = "f", type = (memref<?x4xf32>, f16) -> memref<i64>}} {
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}
