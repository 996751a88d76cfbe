// RUN: pit-opt %s --split-input-file --pit-split-phases --verify-diagnostics | FileCheck %s

// What no gather comes before is in the first phase; extents are computed in each.
// CHECK: pit.phases = "[{\22gathers\22:[{\22dim\22:0,\22in_place\22:false,\22of\22:\22value 0\22}]
// CHECK-SAME: {\22arguments\22:[\22input 0\22,\22rank\22],\22entry\22:\22two_0\22,\22results\22:[\22value 0\22,\22result 1\22]}
// CHECK-SAME: {\22arguments\22:[\22gather 0\22],\22entry\22:\22two_1\22,\22results\22:[\22result 0\22]}
// CHECK-NOT: shard.
// CHECK-LABEL: func.func @two_0(
// CHECK: math.exp
// CHECK-NOT: math.absf
// CHECK: return %{{.*}}, %{{.*}} : tensor<4xf32>, index
// CHECK-LABEL: func.func @two_1(
// CHECK-SAME: tensor<8xf32> {bufferization.writable = false}) -> tensor<8xf32>
// CHECK-NOT: math.exp
// CHECK: %[[Y:.*]] = math.absf
// CHECK: return %[[Y]]
shard.grid @ranks(shape = 2)
func.func @two(%x: tensor<4xf32>) -> (tensor<8xf32>, index) {
  %e = math.exp %x : tensor<4xf32>
  %all = shard.all_gather %e on @ranks grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  %rank = shard.process_linear_index on @ranks : index
  %y = math.absf %all : tensor<8xf32>
  return %y, %rank : tensor<8xf32>, index
}

// -----

// Nothing is cut that does not gather.
// CHECK-LABEL: func.func @alone(
// CHECK-NEXT: math.exp
func.func @alone(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = math.exp %x : tensor<4xf32>
  return %e : tensor<4xf32>
}

// -----

// expected-error @+1 {{cannot be cut into phases: it has branches}}
func.func @branches(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^end
^end:
  return %x : tensor<4xf32>
}
