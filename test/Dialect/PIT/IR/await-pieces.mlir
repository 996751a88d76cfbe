// RUN: pit-opt %s | pit-opt | FileCheck %s
// RUN: pit-opt %s --cse | FileCheck %s --check-prefix=CSE

// CHECK-LABEL: func.func @tensors(
// CHECK: pit.await_pieces %{{.*}} arrived(%{{.*}}) own(%{{.*}}) : tensor<?x8xbf16>, tensor<2xi32> -> tensor<?x8xbf16>
func.func @tensors(%x: tensor<?x8xbf16>, %words: tensor<2xi32>, %rank: index) -> tensor<?x8xbf16> {
  %all = pit.await_pieces %x arrived(%words) own(%rank) : tensor<?x8xbf16>, tensor<2xi32> -> tensor<?x8xbf16>
  return %all : tensor<?x8xbf16>
}

// Elements are not read in front of the op, nor is it dropped.
// CHECK-LABEL: func.func @buffers(
// CHECK: pit.await_pieces %{{.*}} arrived(%{{.*}}) own(%{{.*}}) : memref<6x8xbf16>, memref<3xi32>
// CSE-LABEL: func.func @buffers(
// CSE: memref.load
// CSE-NEXT: pit.await_pieces
// CSE-NEXT: memref.load
func.func @buffers(%x: memref<6x8xbf16>, %words: memref<3xi32>, %rank: index) -> (bf16, bf16) {
  %before = memref.load %x[%rank, %rank] : memref<6x8xbf16>
  pit.await_pieces %x arrived(%words) own(%rank) : memref<6x8xbf16>, memref<3xi32>
  %behind = memref.load %x[%rank, %rank] : memref<6x8xbf16>
  return %before, %behind : bf16, bf16
}
