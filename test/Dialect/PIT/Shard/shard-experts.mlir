// RUN: pit-opt %s --pit-shard-experts=ranks=4 | FileCheck %s
// RUN: pit-opt %s --pit-shard-experts=ranks=4 --pit-split-phases --canonicalize --cse | FileCheck %s --check-prefix=PHASES
// RUN: pit-opt %s --pit-shard-experts="ranks=2 sums=partial" | FileCheck %s --check-prefix=SUMS
// RUN: pit-opt %s --pit-shard-experts="ranks=4 sums=partial" --pit-split-phases --canonicalize --cse | FileCheck %s --check-prefix=PASSED

// Rows and gate of all ranks are gathered, weights are the rank's own. The index of all has the segments of the rank's
// two experts at an offset; sums over the rank's rows read what all ranks have packed, where they have it.
// CHECK: shard.grid @ranks(shape = 4)
// CHECK-LABEL: func.func @experts(
// CHECK-SAME: %[[X:.*]]: tensor<?x16xf32>, %[[GATE:.*]]: tensor<?x8xf32>, %[[UP:.*]]: tensor<2x16x24xf32>, %[[DOWN:.*]]: tensor<2x24x16xf32>) -> tensor<?x16xf32>
// CHECK-SAME: pit.splits = {inputs = ["rows 0", "rows 0", "experts 0", "experts 0"], results = ["rows 0"]}
// CHECK: %[[GATES:.*]] = shard.all_gather %[[GATE]] on @ranks grid_axes = [0] gather_axis = 0 : tensor<?x8xf32> -> tensor<?x8xf32>
// CHECK: %[[PART:.*]] = tensor.dim %[[GATE]]
// CHECK: %[[ROWS:.*]] = arith.muli %[[PART]], %{{.*}} : index
// CHECK: %[[INDEX:.*]] = pit.detect values(%[[GATES]] : tensor<?x8xf32>) extents(%[[ROWS]])
// CHECK: %[[INVERSE:.*]] = pit.invert %[[INDEX]] extents(%[[ROWS]],
// CHECK: %[[OFFSETS:.*]] = pit.offsets %[[INDEX]]
// CHECK: %[[RANK:.*]] = shard.process_linear_index on @ranks : index
// CHECK: %[[FIRST:.*]] = arith.muli %[[RANK]], %{{.*}} : index
// CHECK: tensor.extract %[[OFFSETS]]
// CHECK: %[[OWN:.*]] = pit.assemble {{.*}} -> !pit.index<[?, 2], coordinate = 0, tile = [1, 1], width = 32>
// CHECK: %[[ALL:.*]] = shard.all_gather %[[X]]
// Segments of the gate are the rank's own, too.
// CHECK: %[[GATESOFOWN:.*]] = tensor.extract_slice %[[GATES]][0, %{{.*}}] [%{{.*}}, 2] [1, 1] : tensor<?x8xf32> to tensor<?x2xf32>
// CHECK: pit.tiled {{.*}} over(%[[OWN]] {{.*}} ins(%[[ALL]], %[[UP]], %[[GATESOFOWN]] :
// CHECK: %[[PACKED:.*]] = pit.tiled {{.*}} over(%[[OWN]] {{.*}} ins(%{{.*}}, %[[DOWN]] :
// CHECK: %[[OTHERS:.*]] = shard.all_gather %[[PACKED]] {{.*}} {pit.in_place} : tensor<?x16xf32> -> tensor<?x16xf32>
// CHECK: %[[POSITIONS:.*]] = tensor.dim %[[OTHERS]]
// CHECK: %[[PITCH:.*]] = arith.divui %[[POSITIONS]],
// A position moves by the pitch for each rank below that has it: three comparisons.
// CHECK-COUNT-3: arith.cmpi sge
// CHECK-NOT: arith.cmpi
// CHECK: %[[OWNROWS:.*]] = pit.assemble
// CHECK: %[[Y:.*]] = pit.tiled {{.*}} over(%[[OWNROWS]] {{.*}} ins(%[[OTHERS]] :
// CHECK: return %[[Y]] : tensor<?x16xf32>

// Nothing is computed before the first gather, so that there is no @experts_0.
// PHASES: module attributes {pit.phases = "[{
// PHASES-SAME: \22of\22:\22input 1\22
// PHASES-SAME: \22in_place\22:true,\22of\22:\22value 3\22
// PHASES-SAME: \22ranks\22:4
// PHASES-NOT: shard.
// PHASES-NOT: @experts_0
// Lists are built from the gate alone, so that rows have time to arrive until products need them.
// PHASES-LABEL: func.func @experts_1(
// PHASES-SAME: bufferization.writable = false
// PHASES: pit.detect
// PHASES-NOT: pit.tiled
// PHASES: return {{.*}} : tensor<3xi64>, tensor<?xi32>, tensor<?x2xf32>, tensor<?xi32>, tensor<?xi64>, tensor<?xi64>
// PHASES-LABEL: func.func @experts_2(
// PHASES-NOT: pit.detect
// PHASES: pit.tiled
// PHASES: pit.tiled
// PHASES: return {{.*}} : tensor<?x16xf32>
// PHASES-LABEL: func.func @experts_3(
// PHASES: pit.tiled
// PHASES: return {{.*}} : tensor<?x16xf32>

// The inverse of the rank's own segments says what it has of each row: first of the peer's rows, whose sums are passed
// on, and then of its own, to which it adds what it gets.
// SUMS-LABEL: func.func @experts(
// SUMS: %[[OWN:.*]] = pit.assemble {{.*}} -> !pit.index<[?, 4], coordinate = 0
// SUMS: %[[PACKED:.*]] = pit.tiled {{.*}} over(%[[OWN]] {{.*}} ins(%{{.*}}, %arg3 :
// SUMS: pit.invert %[[OWN]]
// SUMS: %[[NEXT:.*]] = arith.addi %[[RANK:.*]], %c1
// SUMS: %[[OWNER:.*]] = arith.remui %[[NEXT]], %c2
// SUMS: arith.muli %[[OWNER]],
// SUMS: %[[THEIRS:.*]] = pit.tiled {{.*}} ins(%[[PACKED]] :
// SUMS: %[[GOT:.*]] = shard.shift %[[THEIRS]] on @ranks grid_axes = [0] shift_axis = 0 offset = 1 rotate
// SUMS: arith.muli %[[RANK]],
// SUMS: %[[MINE:.*]] = pit.tiled {{.*}} ins(%[[PACKED]] :
// SUMS: %[[Y:.*]] = linalg.generic {{.*}} ins(%[[MINE]], %[[GOT]] :
// SUMS: arith.addf
// SUMS: return %[[Y]]

// PASSED: \22shifts\22:[{\22by\22:1,\22of\22:\22value 7\22},{\22by\22:2,\22of\22:\22value 8\22},{\22by\22:3,\22of\22:\22value 9\22}]
// PASSED-NOT: shard.
// PASSED-LABEL: func.func @experts_2(
// PASSED-COUNT-5: = pit.tiled
// PASSED-NOT: = pit.tiled
// The rank's own rows are added up where the sums of others have come.
// PASSED-LABEL: func.func @experts_3(
// PASSED: = pit.tiled
// PASSED: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x16xf32>, tensor<?x16xf32>, tensor<?x16xf32>, tensor<?x16xf32>)

#map = affine_map<()[s0] -> (s0 * 2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @experts(%arg0: tensor<?x16xf32>, %arg1: tensor<?x8xf32>, %arg2: tensor<8x16x24xf32>, %arg3: tensor<8x24x16xf32>) -> tensor<?x16xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg1, %c0 : tensor<?x8xf32>
    %0 = pit.detect values(%arg1 : tensor<?x8xf32>) extents(%dim) <kind = values, axes = [0, 1], at_most = 2> rule 0 : <[?, 8], coordinate = 0, tile = [1, 1], width = 32>
    %1 = affine.apply #map()[%dim]
    %2 = pit.invert %0 extents(%dim, %1) : <[?, 8], coordinate = 0, tile = [1, 1], width = 32> -> <[?, ?], coordinate = 1, tile = [1, 1], width = 32>
    %dim_0 = tensor.dim %arg0, %c0 : tensor<?x16xf32>
    %3 = tensor.empty(%1) : tensor<?x24xf32>
    %4 = tensor.empty(%dim_0) : tensor<?x16xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %6 = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, 1>, array<i64: 0, -1>], packed = array<i1: false, false, false, true>, rule = 0 : i64} over(%0 : !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>) ins(%arg0, %arg2, %arg1 : tensor<?x16xf32>, tensor<8x16x24xf32>, tensor<?x8xf32>) outs(%3 : tensor<?x24xf32>) {
    ^bb0(%arg4: tensor<?x16xf32>, %arg5: tensor<16x24xf32>, %arg6: tensor<?xf32>, %arg7: tensor<?x24xf32>):
      %dim_1 = tensor.dim %arg6, %c0 : tensor<?xf32>
      %10 = tensor.empty(%dim_1) : tensor<?x24xf32>
      %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<?x24xf32>) -> tensor<?x24xf32>
      %12 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg4, %arg5 : tensor<?x16xf32>, tensor<16x24xf32>) outs(%11 : tensor<?x24xf32>) {
      ^bb0(%in: f32, %in_2: f32, %out: f32):
        %14 = arith.mulf %in, %in_2 : f32
        %15 = arith.addf %out, %14 : f32
        linalg.yield %15 : f32
      } -> tensor<?x24xf32>
      %13 = linalg.generic {indexing_maps = [#map4, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg6, %12 : tensor<?xf32>, tensor<?x24xf32>) outs(%arg7 : tensor<?x24xf32>) {
      ^bb0(%in: f32, %in_2: f32, %out: f32):
        %14 = arith.maximumf %in_2, %cst : f32
        %15 = arith.mulf %in, %14 : f32
        linalg.yield %15 : f32
      } -> tensor<?x24xf32>
      pit.yield %13 : tensor<?x24xf32>
    } -> tensor<?x24xf32>
    %7 = tensor.empty(%1) : tensor<?x16xf32>
    %8 = pit.tiled tile 64 {dims = [array<i64: 0, -1>, array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: true, false, true>, rule = 2 : i64} over(%0 : !pit.index<[?, 8], coordinate = 0, tile = [1, 1], width = 32>) ins(%6, %arg3 : tensor<?x24xf32>, tensor<8x24x16xf32>) outs(%7 : tensor<?x16xf32>) {
    ^bb0(%arg4: tensor<?x24xf32>, %arg5: tensor<24x16xf32>, %arg6: tensor<?x16xf32>):
      %10 = linalg.fill ins(%cst : f32) outs(%arg6 : tensor<?x16xf32>) -> tensor<?x16xf32>
      %11 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg4, %arg5 : tensor<?x24xf32>, tensor<24x16xf32>) outs(%10 : tensor<?x16xf32>) {
      ^bb0(%in: f32, %in_1: f32, %out: f32):
        %12 = arith.mulf %in, %in_1 : f32
        %13 = arith.addf %out, %12 : f32
        linalg.yield %13 : f32
      } -> tensor<?x16xf32>
      pit.yield %11 : tensor<?x16xf32>
    } -> tensor<?x16xf32>
    %9 = pit.tiled tile 64 {dims = [array<i64: -1, 0>, array<i64: 0, -1>], packed = array<i1: false, false>, rule = 2 : i64} over(%2 : !pit.index<[?, ?], coordinate = 1, tile = [1, 1], width = 32>) ins(%8 : tensor<?x16xf32>) outs(%5 : tensor<?x16xf32>) {
    ^bb0(%arg4: tensor<?x16xf32>, %arg5: tensor<16xf32>):
      %10 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["reduction", "parallel"]} ins(%arg4 : tensor<?x16xf32>) outs(%arg5 : tensor<16xf32>) {
      ^bb0(%in: f32, %out: f32):
        %11 = arith.addf %out, %in : f32
        linalg.yield %11 : f32
      } -> tensor<16xf32>
      pit.yield %10 : tensor<16xf32>
    } -> tensor<?x16xf32>
    return %9 : tensor<?x16xf32>
  }
}
