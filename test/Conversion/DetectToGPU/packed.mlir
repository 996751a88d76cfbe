// RUN: pit-opt %s -convert-detect-to-gpu -canonicalize -cse -split-input-file -verify-diagnostics | FileCheck %s

// One launch of a block per list, which reads its part once, 16 bytes at a time.
!strips = !pit.index<[4000, 4096], coordinate = 1, tile = [32, 1], width = 32>
// CHECK-LABEL: func.func @strips(
// CHECK: gpu.launch_func @strips_kernels::@strips_detect_0 blocks in (%c500, %c1, %c1) threads in (%c512, %c1, %c1)
// CHECK-NOT: gpu.launch_func
// CHECK: llvm.func @strips_detect_0(
// CHECK-COUNT-8: llvm.load %{{.*}} {alignment = 16 : i64, nontemporal} : !llvm.ptr<1> -> vector<4xi32>
// Values go out as they come in.
// CHECK-COUNT-8: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
// And zeros behind them.
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
// CHECK-NOT: llvm.func
func.func @strips(%x: memref<4000x4096xbf16>, %n: memref<500xi32>, %c: memref<512000xi32>, %v: memref<16384000xbf16>) {
  pit.detect_packed_into %x : memref<4000x4096xbf16>
    outs(%n, %c, %v : memref<500xi32>, memref<512000xi32>, memref<16384000xbf16>)
    <kind = values, axes = [0, 1], tile = [32, 1]> : !strips
  return
}

// -----

// Threads follow the rows of a micro-tile; neighbours share micro-tiles of 16 k.
!tall = !pit.index<[?, 1024], coordinate = 1, tile = [64, 16], width = 32>
// CHECK-LABEL: func.func @tall(
// CHECK: gpu.launch_func @tall_kernels::@tall_detect_0 {{.*}} threads in (%c1024, %c1, %c1)
// CHECK: llvm.func @tall_detect_0(
// CHECK: nvvm.shfl.sync bfly
func.func @tall(%x: memref<?x1024xf16>, %m: index, %n: memref<?xi32>, %c: memref<?xi32>, %v: memref<?xf16>) {
  pit.detect_packed_into %x : memref<?x1024xf16> extents(%m)
    outs(%n, %c, %v : memref<?xi32>, memref<?xi32>, memref<?xf16>)
    <kind = values, axes = [0, 1], tile = [64, 16]> : !tall
  return
}

// -----

// Before all of a matrix is here, 16 warps look at 8 k of a strip each; if more than 110/256 of that is live, all
// that is stored is a length that no list has.
!strips = !pit.index<[4000, 4096], coordinate = 1, tile = [32, 1], width = 32>
// CHECK-LABEL: func.func @sampled(
// CHECK: llvm.func @sampled_detect_0(
// CHECK-COUNT-9: llvm.load %{{.*}} {alignment = 16 : i64{{.*}}} : !llvm.ptr<1> -> vector<4xi32>
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK: nvvm.barrier #nvvm.reduction<popc>
// Of 128, 55.
// CHECK: %[[LEAVES:.*]] = arith.cmpi ugt, %{{.*}}, %c55_i32 : i32
// CHECK: scf.if %[[LEAVES]]
// CHECK: llvm.store %c1048576_i32
// CHECK: } else {
// CHECK-COUNT-8: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
func.func @sampled(%x: memref<4000x4096xbf16>, %n: memref<500xi32>, %c: memref<512000xi32>, %v: memref<16384000xbf16>) {
  pit.detect_packed_into %x : memref<4000x4096xbf16>
    outs(%n, %c, %v : memref<500xi32>, memref<512000xi32>, memref<16384000xbf16>)
    <kind = values, axes = [0, 1], tile = [32, 1]> most_live 110 : !strips
  return
}

// -----

// By a mask: its bytes for 8 k are read first, at once, and of the matrix what belongs to them where one is live.
!strips = !pit.index<[4000, 4096], coordinate = 1, tile = [32, 2], width = 32>
// CHECK-LABEL: func.func @masked(
// CHECK: llvm.func @masked_detect_0(
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK-NOT: llvm.load
// CHECK: %[[ANY:.*]] = arith.cmpi ne, %{{.*}}, %c0_i32 : i32
// CHECK: scf.if %[[ANY]]
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64, nontemporal} : !llvm.ptr<1> -> vector<4xi32>
func.func @masked(%x: memref<4000x4096xbf16>, %live: memref<125x2048xi1>, %n: memref<500xi32>, %c: memref<512000xi32>,
                  %v: memref<16384000xbf16>) {
  pit.detect_packed_into %x : memref<4000x4096xbf16> by(%live : memref<125x2048xi1>)
    outs(%n, %c, %v : memref<500xi32>, memref<512000xi32>, memref<16384000xbf16>)
    <kind = blocks, axes = [0, 1], tile = [32, 2]> : !strips
  return
}

// -----

// Given how much is packed at most, 16 bytes of the mask are looked at by a thread each of two warps; if more is live, nothing of the
// matrix is read.
!strips = !pit.index<[4000, 4096], coordinate = 1, tile = [32, 2], width = 32>
// CHECK-LABEL: func.func @looked(
// CHECK: llvm.func @looked_detect_0(
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK-NOT: nontemporal
// CHECK-COUNT-4: llvm.intr.ctpop
// CHECK: nvvm.barrier
// Of 64 threads' 16 micro-tiles, in units of 1/256.
// CHECK: %[[MORE:.*]] = arith.cmpi ugt, %{{.*}}, %c112640_i32 : i32
// CHECK: scf.if %[[MORE]]
// CHECK-NOT: nontemporal
// CHECK: llvm.store %c1048576_i32
// CHECK: } else {
// CHECK-COUNT-8: llvm.load %{{.*}} {alignment = 16 : i64, nontemporal} : !llvm.ptr<1> -> vector<4xi32>
// CHECK-COUNT-8: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
func.func @looked(%x: memref<4000x4096xbf16>, %live: memref<125x2048xi1>, %n: memref<500xi32>, %c: memref<512000xi32>,
                  %v: memref<16384000xbf16>) {
  pit.detect_packed_into %x : memref<4000x4096xbf16> by(%live : memref<125x2048xi1>)
    outs(%n, %c, %v : memref<500xi32>, memref<512000xi32>, memref<16384000xbf16>)
    <kind = blocks, axes = [0, 1], tile = [32, 2]> most_live 110 : !strips
  return
}

// -----

!odd = !pit.index<[64, 1020], coordinate = 1, tile = [32, 1], width = 32>
func.func @odd(%x: memref<64x1020xbf16>, %n: memref<2xi32>, %c: memref<2048xi32>, %v: memref<65536xbf16>) {
  // expected-error @below {{packs rows that are not known to be contiguous, aligned to 16 bytes and a multiple of 8 elements long}}
  pit.detect_packed_into %x : memref<64x1020xbf16>
    outs(%n, %c, %v : memref<2xi32>, memref<2048xi32>, memref<65536xbf16>)
    <kind = values, axes = [0, 1], tile = [32, 1]> : !odd
  return
}
