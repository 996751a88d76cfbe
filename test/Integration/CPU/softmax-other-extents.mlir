// The input and the destination of a softmax need not know the same extents: results are those of equal types.
// RUN: rm -rf %t && mkdir %t
// RUN: pit-run %s --entry equal --random=normal --random=zeros --output %t/equal
// RUN: pit-run %s --random=normal --random=zeros@4x8 --check --output %t/main
// RUN: cmp %t/equal.0.npy %t/main.0.npy
// RUN: pit-run %s --entry static --random=normal@4x8 --random=zeros --check --output %t/static
// RUN: cmp %t/equal.0.npy %t/static.0.npy
// RUN: pit-run %s --entry part --random=normal@4x8 --random=zeros@4x8 --check --output %t/part
// RUN: cmp %t/equal.0.npy %t/part.0.npy
// RUN: %cuda pit-run %s --target cuda --random=normal --random=zeros@4x8 --check | FileCheck %s
// RUN: %cuda pit-run %s --target cuda --entry static --random=normal@4x8 --random=zeros --check | FileCheck %s
// CHECK: check: result 0: {{bit-identical|agrees}}

func.func @equal(%x: tensor<4x8xf32>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %p = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %p : tensor<4x8xf32>
}

func.func @main(%x: tensor<4x8xf32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %p = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}

func.func @static(%x: tensor<?x?xf32>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %p = linalg.softmax dimension(1) ins(%x : tensor<?x?xf32>) outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %p : tensor<4x8xf32>
}

func.func @part(%x: tensor<4x?xf32>, %d: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %p = linalg.softmax dimension(1) ins(%x : tensor<4x?xf32>) outs(%d : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %p : tensor<?x8xf32>
}
