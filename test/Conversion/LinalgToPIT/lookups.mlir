// Patterns pass through what a body looks up, along the dimensions that are read at the places of loops.
// RUN: pit-opt %s --convert-linalg-to-pit --split-input-file | FileCheck %s
// RUN: pit-opt %s --convert-linalg-to-pit --split-input-file --remarks-filter-missed=pit-rules -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Nobody reads rows of the product that are dead in all that is looked up. Packed data comes with its places.
// CHECK-LABEL: func.func @demand
// CHECK: %[[P:.*]] = pit.generic {{.*}}over({{.*}}) ins(%arg0, %arg1
// CHECK: %[[FULL:.*]] = pit.swrite %[[P]]
// CHECK: %[[B:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2xi64>)
// CHECK: %[[Q:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<8xi64>)
// CHECK: pit.generic {{.*}} ins(%arg2, %[[B]], %[[Q]] : tensor<8x8xi64>, tensor<2xi64>, tensor<8xi64>)
// CHECK-NEXT: ^bb0(%[[ID:.*]]: i64, %[[I:.*]]: i64, %[[J:.*]]: i64, %{{.*}}: f32):
// CHECK-DAG: %[[AT0:.*]] = arith.index_cast %[[I]]
// CHECK-DAG: %[[AT1:.*]] = arith.index_cast %[[J]]
// CHECK: tensor.extract %[[FULL]][%[[AT0]], %[[AT1]], %{{.*}}] : tensor<2x8x6xf32>
func.func @demand(%x: tensor<2x8x16xf32>, %w: tensor<6x16xf32>, %ids: tensor<8x8xi64>, %mask: tensor<2x8xi1>) -> tensor<2x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %m = pit.sparse %mask by(%mask : tensor<2x8xi1>) <kind = mask, axes = [0, 1]> : tensor<2x8xi1>
  %pe = tensor.empty() : tensor<2x8x6xf32>
  %pz = linalg.fill ins(%zero : f32) outs(%pe : tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(b, q, r, d) -> (b, q, d)>, affine_map<(b, q, r, d) -> (r, d)>, affine_map<(b, q, r, d) -> (b, q, r)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<2x8x16xf32>, tensor<6x16xf32>) outs(%pz : tensor<2x8x6xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %ab = arith.mulf %a, %b : f32
    %s = arith.addf %o, %ab : f32
    linalg.yield %s : f32
  } -> tensor<2x8x6xf32>
  %e = tensor.empty() : tensor<2x8x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, q, k) -> (q, k)>, affine_map<(b, q, k) -> (b, q)>, affine_map<(b, q, k) -> (b, q, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%ids, %m : tensor<8x8xi64>, tensor<2x8xi1>) outs(%e : tensor<2x8x8xf32>) {
  ^bb0(%id: i64, %live: i1, %o: f32):
    %b = linalg.index 0 : index
    %q = linalg.index 1 : index
    %i = arith.index_cast %id : i64 to index
    %g = tensor.extract %p[%b, %q, %i] : tensor<2x8x6xf32>
    %y = arith.select %live, %g, %zero : f32
    linalg.yield %y : f32
  } -> tensor<2x8x8xf32>
  return %r : tensor<2x8x8xf32>
}

// -----

// Zeros that are looked up are zeros: the product needs the rows that are live alone.
// CHECK-LABEL: func.func @zeros
// CHECK: pit.generic {{.*}} ins(%arg2,
// CHECK: tensor.extract
// CHECK: pit.generic {{.*}} ins(%{{.*}}, %arg1
func.func @zeros(%t: tensor<2x8x6xf32>, %w: tensor<8x16xf32>, %ids: tensor<8x8xi64>, %mask: tensor<2x8xi1>) -> tensor<2x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %live = pit.sparse %t by(%mask : tensor<2x8xi1>) <kind = mask, axes = [0, 1]> : tensor<2x8x6xf32>
  %e = tensor.empty() : tensor<2x8x8xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(b, q, k) -> (q, k)>, affine_map<(b, q, k) -> (b, q, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%ids : tensor<8x8xi64>) outs(%e : tensor<2x8x8xf32>) {
  ^bb0(%id: i64, %o: f32):
    %b = linalg.index 0 : index
    %q = linalg.index 1 : index
    %i = arith.index_cast %id : i64 to index
    %x = tensor.extract %live[%b, %q, %i] : tensor<2x8x6xf32>
    linalg.yield %x : f32
  } -> tensor<2x8x8xf32>
  %pe = tensor.empty() : tensor<2x8x16xf32>
  %pz = linalg.fill ins(%zero : f32) outs(%pe : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(b, q, d, k) -> (b, q, k)>, affine_map<(b, q, d, k) -> (k, d)>, affine_map<(b, q, d, k) -> (b, q, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g, %w : tensor<2x8x8xf32>, tensor<8x16xf32>) outs(%pz : tensor<2x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %ab = arith.mulf %a, %b : f32
    %s = arith.addf %o, %ab : f32
    linalg.yield %s : f32
  } -> tensor<2x8x16xf32>
  return %p : tensor<2x8x16xf32>
}

// -----

// Along the dimension where data says the place, anything may be read.
// REMARK: [Missed] pattern | Category:pit-rules | Function=looked_up_axis | Op=tensor.extract, Reason="elements are looked up at places that it does not restrict", Remark="pattern 0 (mask at {{.*}}) ends here"
// CHECK-LABEL: func.func @looked_up_axis
// CHECK: linalg.generic {{.*}} ins(%arg1 : tensor<4xi64>)
// CHECK: tensor.extract
func.func @looked_up_axis(%t: tensor<8x6xf32>, %ids: tensor<4xi64>, %mask: tensor<8xi1>) -> tensor<4x6xf32> {
  %live = pit.sparse %t by(%mask : tensor<8xi1>) <kind = mask, axes = [0]> : tensor<8x6xf32>
  %te = tensor.empty() : tensor<8x6xf32>
  %twice = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%live : tensor<8x6xf32>) outs(%te : tensor<8x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %x : f32
    linalg.yield %y : f32
  } -> tensor<8x6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<4xi64>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%id: i64, %o: f32):
    %j = linalg.index 1 : index
    %i = arith.index_cast %id : i64 to index
    %x = tensor.extract %twice[%i, %j] : tensor<8x6xf32>
    linalg.yield %x : f32
  } -> tensor<4x6xf32>
  return %g : tensor<4x6xf32>
}

// -----

// A loop over a part of the table is no axis of it.
// CHECK-LABEL: func.func @part
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1
// CHECK: pit.generic
// CHECK: tensor.extract
func.func @part(%x: tensor<9x16xf32>, %w: tensor<6x16xf32>, %ids: tensor<8x8xi64>, %mask: tensor<8xi1>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %m = pit.sparse %mask by(%mask : tensor<8xi1>) <kind = mask, axes = [0]> : tensor<8xi1>
  %pe = tensor.empty() : tensor<9x6xf32>
  %pz = linalg.fill ins(%zero : f32) outs(%pe : tensor<9x6xf32>) -> tensor<9x6xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(q, r, d) -> (q, d)>, affine_map<(q, r, d) -> (r, d)>, affine_map<(q, r, d) -> (q, r)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<9x16xf32>, tensor<6x16xf32>) outs(%pz : tensor<9x6xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %ab = arith.mulf %a, %b : f32
    %s = arith.addf %o, %ab : f32
    linalg.yield %s : f32
  } -> tensor<9x6xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(q, k) -> (q, k)>, affine_map<(q, k) -> (q)>, affine_map<(q, k) -> (q, k)>],
      iterator_types = ["parallel", "parallel"]} ins(%ids, %m : tensor<8x8xi64>, tensor<8xi1>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%id: i64, %live: i1, %o: f32):
    %q = linalg.index 0 : index
    %i = arith.index_cast %id : i64 to index
    %g = tensor.extract %p[%q, %i] : tensor<9x6xf32>
    %y = arith.select %live, %g, %zero : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

// What dead rows hold is not computed where that would look something up at a place that is none: the table may have
// one row, or none.
// CHECK-LABEL: func.func @no_place
// CHECK: tensor.extract
// CHECK-NOT: tensor.extract
func.func @no_place(%t: tensor<?x6xf32>, %ids: tensor<8xi64>, %bias: tensor<6xf32>, %mask: tensor<8xi1>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %m = pit.sparse %mask by(%mask : tensor<8xi1>) <kind = mask, axes = [0]> : tensor<8xi1>
  %e = tensor.empty() : tensor<8x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(q, r) -> (q)>, affine_map<(q, r) -> (r)>, affine_map<(q, r) -> (q)>, affine_map<(q, r) -> (q, r)>],
      iterator_types = ["parallel", "parallel"]} ins(%ids, %bias, %m : tensor<8xi64>, tensor<6xf32>, tensor<8xi1>) outs(%e : tensor<8x6xf32>) {
  ^bb0(%id: i64, %b: f32, %live: i1, %o: f32):
    %j = arith.constant 0 : index
    %i = arith.index_cast %id : i64 to index
    %g = tensor.extract %t[%i, %j] : tensor<?x6xf32>
    %y = arith.select %live, %g, %b : f32
    linalg.yield %y : f32
  } -> tensor<8x6xf32>
  %twice = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%r : tensor<8x6xf32>) outs(%e : tensor<8x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %x : f32
    linalg.yield %y : f32
  } -> tensor<8x6xf32>
  return %twice, %r : tensor<8x6xf32>, tensor<8x6xf32>
}
