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

// A tiled op stands where what is passed on has come, a transfer waits for what is computed in front of it.
// CHECK: \22gathers\22:[{\22dim\22:0,\22in_place\22:false,\22of\22:\22input 0\22},{\22dim\22:0,\22in_place\22:false,\22of\22:\22input 1\22}]
// CHECK-SAME: \22shifts\22:[{\22by\22:1,\22of\22:\22value 1\22}]
// CHECK-LABEL: func.func @passed_1(
// CHECK: math.exp
// CHECK-NOT: math.absf
// CHECK-LABEL: func.func @passed_2(
// CHECK: math.absf
// CHECK-NOT: pit.tiled
// CHECK-LABEL: func.func @passed_3(
// CHECK: pit.tiled
// CHECK: arith.addf
shard.grid @ranks(shape = 2)
func.func @passed(%a: tensor<4xf32>, %b: tensor<4xf32>, %offsets: tensor<?xi64>, %coords: tensor<?xi32>) -> tensor<8xf32> {
  %as = shard.all_gather %a on @ranks grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  %e = math.exp %as : tensor<8xf32>
  %bs = shard.all_gather %b on @ranks grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  %s = arith.mulf %e, %bs : tensor<8xf32>
  %p = math.absf %s : tensor<8xf32>
  %got = shard.shift %p on @ranks grid_axes = [0] shift_axis = 0 offset = 1 rotate : tensor<8xf32> -> tensor<8xf32>
  %index = pit.assemble %offsets, %coords : tensor<?xi64>, tensor<?xi32> -> !pit.index<[8, 4], coordinate = 0, tile = [1, 1], width = 32>
  %own = pit.tiled tile 4 {dims = [array<i64: 0, -1>, array<i64: 0, -1>], packed = array<i1: false, false>}
      over(%index : !pit.index<[8, 4], coordinate = 0, tile = [1, 1], width = 32>) ins(%e : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: tensor<?xf32>, %o: tensor<?xf32>):
    pit.yield %x : tensor<?xf32>
  } -> tensor<8xf32>
  %y = arith.addf %own, %got : tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

shard.grid @ranks(shape = 2)
func.func @argument(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{only results of the function's ops can be passed on between phases, and only to all ranks}}
  %got = shard.shift %x on @ranks grid_axes = [0] shift_axis = 0 offset = 1 rotate : tensor<4xf32> -> tensor<4xf32>
  return %got : tensor<4xf32>
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

shard.grid @ranks(shape = 2)
// expected-error @+1 {{cannot be cut into phases: it has branches}}
func.func @branches(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^end
^end:
  return %x : tensor<4xf32>
}

// -----

// Sums of all ranks, by the host.
// CHECK: \22reduces\22:[{\22of\22:\22value 0\22}]
// CHECK-LABEL: func.func @sum_0(
// CHECK: math.exp
// CHECK-LABEL: func.func @sum_1(
// CHECK: math.absf
shard.grid @ranks(shape = 2)
func.func @sum(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = math.exp %x : tensor<4xf32>
  %s = shard.all_reduce %e on @ranks grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  %y = math.absf %s : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A rank's program that needs nothing of others has one phase.
// CHECK: \22arguments\22:[\22input 0\22],\22entry\22:\22own_0\22,\22results\22:[\22result 0\22]
// CHECK: func.func @own_0(
shard.grid @ranks(shape = 2)
func.func @own(%x: tensor<4xf32>) -> tensor<4xf32> attributes {pit.splits = {inputs = ["cut 0"], results = ["cut 0"]}} {
  %e = math.exp %x : tensor<4xf32>
  return %e : tensor<4xf32>
}

// -----

shard.grid @ranks(shape = 2)
func.func @largest(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = math.exp %x : tensor<4xf32>
  // expected-error @+1 {{only results of the function's ops are added up between phases, in their own type}}
  %s = shard.all_reduce %e on @ranks grid_axes = [0] reduction = max : tensor<4xf32> -> tensor<4xf32>
  return %s : tensor<4xf32>
}

// -----

// An argument that the first phase with a gather does not need arrives while the next one runs; extents do not wait for it.
// CHECK: {\22arguments\22:[\22gather 0\22],\22entry\22:\22late_1\22
// CHECK-SAME: {\22arguments\22:[\22value 0\22,\22gather 1\22,\22rank\22,\22arrivals 1\22],\22entry\22:\22late_2\22
// CHECK-LABEL: func.func @late_1(
// CHECK-NOT: pit.await_pieces
// CHECK-LABEL: func.func @late_2(
// CHECK-SAME: %[[E:.*]]: tensor<8xf32> {{.*}}, %[[B:.*]]: tensor<8xf32> {{.*}}, %[[RANK:.*]]: index, %[[WORDS:.*]]: tensor<2xi32>
// CHECK: %[[ALL:.*]] = pit.await_pieces %[[B]] arrived(%[[WORDS]]) own(%[[RANK]])
// CHECK: arith.mulf %{{.*}}, %[[ALL]]
shard.grid @ranks(shape = 2)
func.func @late(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<8xf32> {
  %as = shard.all_gather %a on @ranks grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  %e = math.exp %as : tensor<8xf32>
  %bs = shard.all_gather %b on @ranks grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  %y = arith.mulf %e, %bs : tensor<8xf32>
  return %y : tensor<8xf32>
}
