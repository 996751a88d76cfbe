// A function that has the name of another one's handler for XLA stays what it is; the other has no handler.
// RUN: pit-opt %s --pit-emit-program-table="target=cpu chip=x86-64" -o %t
// RUN: mlir-translate --mlir-to-llvmir %t | FileCheck %s
// RUN: pit-translate --pit-to-header %t | FileCheck %s --check-prefix=HEADER

// HEADER-NOT: pit_f_xla(void *frame)
// HEADER: void *pit_f_xla_xla(void *frame);

// CHECK: @pit_program_handlers = internal constant [2 x ptr] [ptr null, ptr @pit_f_xla_xla]
// CHECK: define i32 @pit_f_xla(
// CHECK-NOT: define ptr @pit_f_xla(
// CHECK: define ptr @pit_f_xla_xla(ptr %[[FRAME:.*]]) {
// CHECK-NEXT: call ptr @pit_rt_xla_call(ptr getelementptr {{.*}}@pit_program_entries{{.*}}, i32 0, ptr %[[FRAME]])

llvm.func @pit_f_shapes(%ctx: !llvm.ptr, %extents: !llvm.ptr, %bytes: !llvm.ptr) -> i32 {
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}
llvm.func @pit_f(%ctx: !llvm.ptr, %stream: !llvm.ptr, %r: !llvm.ptr, %ws: !llvm.ptr, %size: i64) -> i32
    attributes {pit.entry = {name = "f", type = () -> memref<i64>}} {
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}
llvm.func @pit_f_xla_shapes(%ctx: !llvm.ptr, %extents: !llvm.ptr, %bytes: !llvm.ptr) -> i32 {
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}
llvm.func @pit_f_xla(%ctx: !llvm.ptr, %stream: !llvm.ptr, %r: !llvm.ptr, %ws: !llvm.ptr, %size: i64) -> i32
    attributes {pit.entry = {name = "f_xla", type = () -> memref<i64>}} {
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}
