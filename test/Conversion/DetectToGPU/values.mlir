// RUN: pit-opt %s -convert-detect-to-gpu -canonicalize -cse -split-input-file | FileCheck %s

// The listed axis is contiguous: 16 bytes are eight micro-tiles of a strip, four threads make a word, and a block reads
// 64 words of 32 rows. The blocks of the second launch have a word per thread.
!k = !pit.index<[4096, 4096], coordinate = 1, tile = [32, 1], width = 32>
// CHECK-LABEL: func.func @strips
// CHECK-SAME: (%[[X:.*]]: memref<4096x4096xbf16>, %[[O:.*]]: memref<129xi64>, %[[C:.*]]: memref<?xi32>, %[[S:.*]]: memref<4xi64> {pit.status})
// CHECK-DAG: %[[BLOCKS:.*]] = arith.constant 256 : index
// CHECK-DAG: %[[LISTBLOCKS:.*]] = arith.constant 64 : index
// CHECK-DAG: %[[BITS:.*]] = memref.alloc() : memref<16384xi32>
// CHECK-DAG: %[[COUNTS:.*]] = memref.alloc() : memref<256xi32>
// CHECK-DAG: %[[CAPACITY:.*]] = memref.dim %[[C]]
// CHECK: gpu.launch_func @strips_kernels::@strips_detect_0 blocks in (%[[BLOCKS]], {{.*}}) threads in (%[[BLOCKS]],
// CHECK: gpu.launch_func @strips_kernels::@strips_list_0 blocks in (%[[LISTBLOCKS]],
// CHECK-DAG: memref.dealloc %[[BITS]]
// CHECK-DAG: memref.dealloc %[[COUNTS]]
// CHECK-NOT: detect_into
// CHECK: llvm.func @strips_detect_0(
// CHECK-SAME: nvvm.kernel, nvvm.reqntid = array<i32: 256, 1, 1>
// The sign is no part of zero.
// CHECK: %[[MASK:.*]] = arith.constant 32767 : i32
// CHECK-COUNT-32: llvm.load {{.*}} invariant {alignment = 16 : i64, nontemporal} : !llvm.ptr<1> -> vector<4xi32>
// CHECK: arith.andi %{{.*}}, %[[MASK]]
// CHECK: nvvm.shfl.sync bfly
// CHECK: llvm.intr.ctpop
// CHECK: llvm.func @strips_list_0(
// No position comes from an atomic, and nothing behind the capacity is stored.
// CHECK-NOT: llvm.atomicrmw
// CHECK: scf.while
// CHECK: arith.cmpi ult, %{{.*}}, %{{.*}} : i64
// CHECK: scf.condition
// CHECK: llvm.intr.cttz
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : i32, !llvm.ptr<1>
func.func @strips(%x: memref<4096x4096xbf16>, %o: memref<129xi64>, %c: memref<?xi32>) {
  pit.detect_into values(%x : memref<4096x4096xbf16>) outs(%o, %c : memref<129xi64>, memref<?xi32>)
    <kind = values, axes = [0, 1], tile = [32, 1]> rule 5 : !k
  return
}

// -----

// Segments are contiguous: a load is four experts of a token, and threads collect tokens as bits. How many tokens there are only the
// host knows: if few, it launches one block, which reads and lists, and otherwise both kernels.
!gate = !pit.index<[?, 256], coordinate = 0, tile = [1, 1], width = 32>
// CHECK-LABEL: func.func @gate
// CHECK-DAG: %[[T:.*]] = memref.dim
// CHECK-DAG: arith.ceildivui %[[T]], %{{.*}}
// CHECK: %[[SMALL:.*]] = arith.andi
// CHECK: %[[ONE:.*]] = arith.select %[[SMALL]], %c1, %c0
// CHECK: gpu.launch_func @gate_kernels::@gate_detect_0 blocks in (%[[ONE]], %[[ONE]],
// CHECK: %[[ROWS:.*]] = arith.select %[[SMALL]], %c0, %c1
// CHECK: gpu.launch_func @gate_kernels::@gate_detect_1 blocks in (%{{.*}}, %[[ROWS]],
// CHECK: gpu.launch_func @gate_kernels::@gate_list_0 blocks in (%{{.*}}, %[[ROWS]],
// CHECK: llvm.func @gate_detect_0(
// CHECK: scf.while
// CHECK: llvm.func @gate_detect_1(
// CHECK-COUNT-8: llvm.load {{.*}} invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK-NOT: invariant
// CHECK: llvm.atomicrmw _or {{.*}} !llvm.ptr<3>, i32
// CHECK: llvm.func @gate_list_0(
// The status is filled with code 3, the rule, the count and the capacity.
// CHECK-DAG: %[[CODE:.*]] = arith.constant 3 : i64
// CHECK-DAG: %[[RULE:.*]] = arith.constant 2 : i64
// CHECK: scf.while
// CHECK: llvm.store %[[CODE]], {{.*}} : i64, !llvm.ptr<1>
// CHECK: llvm.store %[[RULE]], {{.*}} : i64, !llvm.ptr<1>
func.func @gate(%x: memref<?x256xf32>, %t: index, %o: memref<257xi64>, %c: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x256xf32>
  pit.detect_into by(%x : memref<?x256xf32>) extents(%n) outs(%o, %c : memref<257xi64>, memref<?xi32>)
    <kind = routing, axes = [0, 1], at_most = 8> rule 2 : !gate
  return
}

// -----

// Little to read: one block does both steps. Elements differ from -inf by any bit; rows may be cut at the end.
!small = !pit.index<[50, 64], coordinate = 1, tile = [4, 1], width = 64>
// CHECK-LABEL: func.func @small
// CHECK-COUNT-1: gpu.launch_func
// CHECK-NOT: gpu.launch_func
// CHECK: llvm.func @small_detect_0(
// CHECK: arith.xori
// CHECK: nvvm.barrier
// CHECK: scf.while
// CHECK: llvm.store %{{.*}} : i64, !llvm.ptr<1>
// CHECK-NOT: llvm.func
func.func @small(%x: memref<50x64xbf16>, %o: memref<14xi64>, %c: memref<832xi64>) {
  pit.detect_into values(%x : memref<50x64xbf16>) outs(%o, %c : memref<14xi64>, memref<832xi64>)
    <kind = values, axes = [0, 1], absent = neg_inf, tile = [4, 1]> : !small
  return
}

// -----

// Unknown strides: one element per load.
!view = !pit.index<[?, ?], coordinate = 1, tile = [1, 1], width = 32>
// CHECK-LABEL: func.func @view
// CHECK: memref.extract_strided_metadata
// CHECK: gpu.launch_func @view_kernels::@view_detect_1
// CHECK: llvm.func @view_detect_1(
// CHECK: llvm.load {{.*}} invariant {alignment = 1 : i64} : !llvm.ptr<1> -> i8
// CHECK-NOT: vector<
// CHECK: llvm.func @view_list_0(
func.func @view(%x: memref<?x?xi1, strided<[?, ?], offset: ?>>, %m: index, %n: index, %o: memref<?xi64>, %c: memref<?xi32>) {
  pit.detect_into by(%x : memref<?x?xi1, strided<[?, ?], offset: ?>>) extents(%m, %n) outs(%o, %c : memref<?xi64>, memref<?xi32>)
    <kind = mask, axes = [0, 1]> : !view
  return
}

// -----

// Lengths need no bits in memory; wrong ones are reported with code 4.
!seq = !pit.index<[?, ?], coordinate = 1, tile = [1, 1], width = 32>
// CHECK-LABEL: func.func @lengths
// CHECK: gpu.launch_func @lengths_kernels::@lengths_detect_0
// CHECK: llvm.func @lengths_detect_0(
// CHECK: scf.for
// CHECK: arith.cmpi ugt, %{{.*}} : i64
// CHECK: scf.if
// CHECK: llvm.store %{{.*}} : i64, !llvm.ptr<1>
// CHECK: llvm.intr.ctpop
func.func @lengths(%l: memref<?xi32>, %b: index, %n: index, %o: memref<?xi64>, %c: memref<?xi32>) {
  pit.detect_into by(%l : memref<?xi32>) extents(%b, %n) outs(%o, %c : memref<?xi64>, memref<?xi32>)
    <kind = lengths, axes = [0, 1], pad = left> : !seq
  return
}

// -----

// Of a known number of sequences, one launch makes the lists: a block per sequence adds up the lengths before it. More
// rows than there is room for are reported with code 3.
!seq = !pit.index<[8, ?], coordinate = 1, tile = [1, 1], width = 32>
// CHECK-LABEL: func.func @few_lengths
// CHECK: gpu.launch_func @few_lengths_kernels::@few_lengths_detect_0 blocks in (%{{.*}}, %{{.*}}, %{{.*}}) threads in (%c256
// CHECK-NOT: gpu.launch_func
// CHECK: llvm.func @few_lengths_detect_0(
// CHECK: arith.cmpi ugt, %{{.*}} : i64
// CHECK: nvvm.barrier
// CHECK: arith.minui %{{.*}} : i64
// CHECK: llvm.store %{{.*}} : i64, !llvm.ptr<1>
// Padding lies in front: a sequence's rows are its last ones.
// CHECK: arith.subi %{{.*}} : i64
// CHECK: llvm.store %{{.*}} : i32, !llvm.ptr<1>
func.func @few_lengths(%l: memref<8xi32>, %n: index, %o: memref<9xi64>, %c: memref<?xi32>) {
  pit.detect_into by(%l : memref<8xi32>) extents(%n) outs(%o, %c : memref<9xi64>, memref<?xi32>)
    <kind = lengths, axes = [0, 1], pad = left> : !seq
  return
}

// -----

// Two detections of a function share its status and, if they are alike, a kernel; others have one of their own.
!line = !pit.index<[64], coordinate = 0, tile = [1], width = 32>
!short = !pit.index<[32], coordinate = 0, tile = [1], width = 32>
// CHECK-LABEL: func.func @three
// CHECK-SAME: memref<4xi64> {pit.status})
// CHECK: gpu.launch_func @three_kernels::@three_detect_0
// CHECK: gpu.launch_func @three_kernels::@three_detect_0
// CHECK: gpu.launch_func @three_kernels::@[[OTHER:.*]] blocks
// CHECK-DAG: llvm.func @three_detect_0
// CHECK-DAG: llvm.func @[[OTHER]]
func.func @three(%x: memref<64xi1>, %y: memref<32xi1>, %o: memref<2xi64>, %c: memref<64xi32>, %p: memref<2xi64>,
                 %d: memref<64xi32>, %q: memref<2xi64>, %e: memref<32xi32>) {
  pit.detect_into by(%x : memref<64xi1>) outs(%o, %c : memref<2xi64>, memref<64xi32>) <kind = mask, axes = [0]> : !line
  pit.detect_into by(%x : memref<64xi1>) outs(%p, %d : memref<2xi64>, memref<64xi32>) <kind = mask, axes = [0]> : !line
  pit.detect_into by(%y : memref<32xi1>) outs(%q, %e : memref<2xi64>, memref<32xi32>) <kind = mask, axes = [0]> : !short
  return
}
