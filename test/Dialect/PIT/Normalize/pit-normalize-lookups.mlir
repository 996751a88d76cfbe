// What is looked up at the places of loops is an operand; comparisons that extents decide are decided.
// RUN: pit-opt %s --pit-normalize | FileCheck %s

// A broadcast of a mask as exporters write it.
// CHECK-LABEL: func.func @broadcast
// CHECK-NOT: tensor.extract
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<4x128xi1>)
// CHECK-NOT: cmpi
func.func @broadcast(%m: tensor<4x128xi1>) -> tensor<4x64x128xi1> {
  %eb = tensor.empty() : tensor<4xi64>
  %b = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%eb : tensor<4xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %c = arith.index_cast %i : index to i64
    linalg.yield %c : i64
  } -> tensor<4xi64>
  %e = tensor.empty() : tensor<4x64x128xi1>
  %r = linalg.generic {indexing_maps = [affine_map<(b, q, k) -> (b)>, affine_map<(b, q, k) -> (b, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%b : tensor<4xi64>) outs(%e : tensor<4x64x128xi1>) {
  ^bb0(%a: i64, %o: i1):
    %c0 = arith.constant 0 : i64
    %c4 = arith.constant 4 : i64
    %negative = arith.cmpi slt, %a, %c0 : i64
    %wrapped = arith.addi %a, %c4 : i64
    %s = arith.select %negative, %wrapped, %a : i64
    %i = arith.index_cast %s : i64 to index
    %in = arith.cmpi slt, %s, %c4 : i64
    cf.assert %in, "index must be smaller than dim size"
    %k = linalg.index 2 : index
    %x = tensor.extract %m[%i, %k] : tensor<4x128xi1>
    linalg.yield %x : i1
  } -> tensor<4x64x128xi1>
  return %r : tensor<4x64x128xi1>
}

// A part of what is looked up, and places that data says, stay.
// CHECK-LABEL: func.func @part
// CHECK: tensor.extract
// CHECK-LABEL: func.func @data
// CHECK: tensor.extract
func.func @part(%m: tensor<128xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<64xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %x = tensor.extract %m[%i] : tensor<128xf32>
    linalg.yield %x : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @data(%m: tensor<128xf32>, %ids: tensor<64xi64>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%ids : tensor<64xi64>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: i64, %o: f32):
    %i = arith.index_cast %a : i64 to index
    %x = tensor.extract %m[%i] : tensor<128xf32>
    linalg.yield %x : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
