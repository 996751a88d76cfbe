// An op that reads a position was moved into one that has none; positions are elements of a tensor there.
// RUN: pit-fuzz %s | FileCheck %s
// RUN: pit-opt --convert-linalg-to-pit %s | FileCheck %s --check-prefix=RULE
// CHECK: agrees (528 elements compared
// RULE: %[[PLACES:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<33xi64>)
// RULE: pit.generic {{.*}} ins(%{{.*}}, %[[PLACES]] : tensor<16x33xf32>, tensor<33xi64>)
// RULE-NOT: linalg.index

#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%a: tensor<16x33xf32>, %lengths: tensor<16xi64>) -> tensor<16x33xf32> attributes {
    inputs = ["shape=16x33 lo=1 hi=9 seed=1", "shape=16 lo=0 hi=34 seed=2"]} {
  %live = pit.sparse %a by(%lengths : tensor<16xi64>) <kind = lengths, axes = [0, 1]> : tensor<16x33xf32>
  %empty = tensor.empty() : tensor<16x33xf32>
  %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%live : tensor<16x33xf32>) outs(%empty : tensor<16x33xf32>) {
  ^bb0(%x: f32, %out: f32):
    %position = linalg.index 1 : index
    %two = arith.constant 2 : index
    %late = arith.cmpi sge, %position, %two : index
    %zero = arith.constant 0.0 : f32
    %s = arith.select %late, %x, %zero : f32
    linalg.yield %s : f32
  } -> tensor<16x33xf32>
  return %y : tensor<16x33xf32>
}
