// Gates over [batch, position, expert] are marked as [row, expert]; of several choices, the gate and its gradient are marked.
// RUN: pit-opt %s --pit-infer-marks --split-input-file | FileCheck %s
// RUN: pit-opt %s --pit-infer-marks=finite=false --split-input-file | FileCheck %s --check-prefix=FINITE

#row = affine_map<(b, t, e) -> (b, t)>
#all = affine_map<(b, t, e) -> (b, t, e)>

// CHECK-LABEL: @one
// CHECK: %[[CHOSEN:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<?x5x8xi1>)
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[CHOSEN]] {{\[\[}}0, 1], [2]] : tensor<?x5x8xi1> into tensor<?x8xi1>
// CHECK: %[[MARK:.*]] = pit.sparse %[[ROWS]] by(%[[ROWS]] : tensor<?x8xi1>) <kind = mask, axes = [0, 1], at_most = 1>
// CHECK: tensor.expand_shape %[[MARK]] {{\[\[}}0, 1], [2]]
func.func @one(%i: tensor<?x5xi64>, %p: tensor<?x5x8xf32>) -> tensor<?x5x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %i, %c0 : tensor<?x5xi64>
  %e = tensor.empty(%n) : tensor<?x5x8xi1>
  %chosen = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%i : tensor<?x5xi64>) outs(%e : tensor<?x5x8xi1>) {
  ^bb0(%at: i64, %o: i1):
    %k = linalg.index 2 : index
    %here = arith.index_cast %k : index to i64
    %is = arith.cmpi eq, %here, %at : i64
    linalg.yield %is : i1
  } -> tensor<?x5x8xi1>
  %r = tensor.empty(%n) : tensor<?x5x8xf32>
  %gate = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%chosen, %p : tensor<?x5x8xi1>, tensor<?x5x8xf32>) outs(%r : tensor<?x5x8xf32>) {
  ^bb0(%c: i1, %a: f32, %o: f32):
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<?x5x8xf32>
  return %gate : tensor<?x5x8xf32>
}

// -----

#choice = affine_map<(t, k, e) -> (t, k)>
#gate = affine_map<(t, k, e) -> (t, e)>
#every = affine_map<(t, k, e) -> (t, k, e)>

// CHECK-LABEL: @two
// CHECK-SAME: %{{.*}}: tensor<6x2xi64>, %{{.*}}: tensor<6x2xf32>, %[[D:.*]]: tensor<6x8xf32>
// CHECK: %[[CHOSEN:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<6x2x8xi1>)
// CHECK: %[[ANY:.*]] = linalg.generic {{.*}} ins(%[[CHOSEN]] : tensor<6x2x8xi1>)
// CHECK: arith.ori
// CHECK: pit.sparse %{{.*}} by(%[[ANY]] : tensor<6x8xi1>) <kind = mask, axes = [0, 1], at_most = 2>
// CHECK: pit.sparse %[[D]] by(%[[ANY]] : tensor<6x8xi1>) <kind = mask, axes = [0, 1], at_most = 2>

// An infinite weight, multiplied with 0, is no zero of the gate.
// FINITE-LABEL: @two
// FINITE-NOT: by({{.*}}at_most = 2
// FINITE: return
func.func @two(%i: tensor<6x2xi64>, %v: tensor<6x2xf32>, %d: tensor<6x8xf32>) -> (tensor<6x8xf32>, tensor<6x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<6x2x8xf32>
  %hot = linalg.generic {indexing_maps = [#choice, #every], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%i : tensor<6x2xi64>) outs(%ec : tensor<6x2x8xf32>) {
  ^bb0(%n: i64, %o: f32):
    %at = linalg.index 2 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %here, %n : i64
    %one = arith.uitofp %is : i1 to f32
    linalg.yield %one : f32
  } -> tensor<6x2x8xf32>
  %weighted = linalg.generic {indexing_maps = [#every, #choice, #every], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%hot, %v : tensor<6x2x8xf32>, tensor<6x2xf32>) outs(%ec : tensor<6x2x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<6x2x8xf32>
  %eg = tensor.empty() : tensor<6x8xf32>
  %zg = linalg.fill ins(%zero : f32) outs(%eg : tensor<6x8xf32>) -> tensor<6x8xf32>
  %gate = linalg.generic {indexing_maps = [#every, #gate], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%weighted : tensor<6x2x8xf32>) outs(%zg : tensor<6x8xf32>) {
  ^bb0(%a: f32, %s: f32):
    %n = arith.addf %s, %a : f32
    linalg.yield %n : f32
  } -> tensor<6x8xf32>
  %dhot = linalg.generic {indexing_maps = [#every, #gate, #every], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%hot, %d : tensor<6x2x8xf32>, tensor<6x8xf32>) outs(%ec : tensor<6x2x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<6x2x8xf32>
  %ev = tensor.empty() : tensor<6x2xf32>
  %zv = linalg.fill ins(%zero : f32) outs(%ev : tensor<6x2xf32>) -> tensor<6x2xf32>
  %dv = linalg.generic {indexing_maps = [#every, #choice], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%dhot : tensor<6x2x8xf32>) outs(%zv : tensor<6x2xf32>) {
  ^bb0(%a: f32, %s: f32):
    %n = arith.addf %s, %a : f32
    linalg.yield %n : f32
  } -> tensor<6x2xf32>
  return %gate, %dv : tensor<6x8xf32>, tensor<6x2xf32>
}

// -----

#choice = affine_map<(t, k, e) -> (t, k)>
#gate = affine_map<(t, k, e) -> (t, e)>
#every = affine_map<(t, k, e) -> (t, k, e)>

// What is taken from the choices is no zero where they are.
// CHECK-LABEL: @complement
// CHECK-NOT: arith.ori
// CHECK: return
func.func @complement(%i: tensor<6x2xi64>, %d: tensor<6x8xf32>) -> (tensor<6x8xf32>, tensor<6x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<6x2x8xf32>
  %hot = linalg.generic {indexing_maps = [#choice, #every], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%i : tensor<6x2xi64>) outs(%ec : tensor<6x2x8xf32>) {
  ^bb0(%n: i64, %o: f32):
    %at = linalg.index 2 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %here, %n : i64
    %one = arith.uitofp %is : i1 to f32
    linalg.yield %one : f32
  } -> tensor<6x2x8xf32>
  %eg = tensor.empty() : tensor<6x8xf32>
  %zg = linalg.fill ins(%zero : f32) outs(%eg : tensor<6x8xf32>) -> tensor<6x8xf32>
  %gate = linalg.generic {indexing_maps = [#every, #gate], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%hot : tensor<6x2x8xf32>) outs(%zg : tensor<6x8xf32>) {
  ^bb0(%a: f32, %s: f32):
    %n = arith.addf %s, %a : f32
    linalg.yield %n : f32
  } -> tensor<6x8xf32>
  %dhot = linalg.generic {indexing_maps = [#every, #gate, #every], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%hot, %d : tensor<6x2x8xf32>, tensor<6x8xf32>) outs(%ec : tensor<6x2x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.subf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<6x2x8xf32>
  %ev = tensor.empty() : tensor<6x2xf32>
  %zv = linalg.fill ins(%zero : f32) outs(%ev : tensor<6x2xf32>) -> tensor<6x2xf32>
  %dv = linalg.generic {indexing_maps = [#every, #choice], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%dhot : tensor<6x2x8xf32>) outs(%zv : tensor<6x2xf32>) {
  ^bb0(%a: f32, %s: f32):
    %n = arith.addf %s, %a : f32
    linalg.yield %n : f32
  } -> tensor<6x2xf32>
  return %gate, %dv : tensor<6x8xf32>, tensor<6x2xf32>
}

// -----

#row = affine_map<(t, e) -> (t)>
#all = affine_map<(t, e) -> (t, e)>

// Weights that are scattered, one choice after another, are zero where no choice is. Choices that decide alone have their own.
// CHECK-LABEL: @scattered
// CHECK: %[[FIRST:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<6x8xi1>)
// CHECK: %[[SECOND:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<6x8xi1>)
// CHECK: %[[ANY:.*]] = linalg.generic {{.*}} ins(%[[A:.*]], %[[B:.*]] : tensor<6x8xi1>, tensor<6x8xi1>)
// CHECK: arith.ori
// CHECK: pit.sparse %[[A]] by(%[[ANY]] : tensor<6x8xi1>) <kind = mask, axes = [0, 1], at_most = 2>
// CHECK: pit.sparse %[[B]] by(%[[ANY]] : tensor<6x8xi1>) <kind = mask, axes = [0, 1], at_most = 2>
// CHECK: return
func.func @scattered(%i: tensor<6xi64>, %j: tensor<6xi64>, %v: tensor<6xf32>, %w: tensor<6xf32>, %h: tensor<6x8x4xf32>) -> tensor<6x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x8xi1>
  %first = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<6xi64>) outs(%e : tensor<6x8xi1>) {
  ^bb0(%n: i64, %o: i1):
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %here, %n : i64
    linalg.yield %is : i1
  } -> tensor<6x8xi1>
  %second = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%j : tensor<6xi64>) outs(%e : tensor<6x8xi1>) {
  ^bb0(%n: i64, %o: i1):
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %here, %n : i64
    linalg.yield %is : i1
  } -> tensor<6x8xi1>
  %eg = tensor.empty() : tensor<6x8x4xf32>
  %gated = linalg.generic {indexing_maps = [affine_map<(t, e, f) -> (t, e)>, affine_map<(t, e, f) -> (t)>, affine_map<(t, e, f) -> (t, e)>, affine_map<(t, e, f) -> (t)>,
      affine_map<(t, e, f) -> (t, e, f)>, affine_map<(t, e, f) -> (t, e, f)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%first, %v, %second, %w, %h : tensor<6x8xi1>, tensor<6xf32>, tensor<6x8xi1>, tensor<6xf32>, tensor<6x8x4xf32>) outs(%eg : tensor<6x8x4xf32>) {
  ^bb0(%a: i1, %x: f32, %b: i1, %y: f32, %z: f32, %o: f32):
    %s = arith.select %a, %x, %zero : f32
    %t = arith.select %b, %y, %s : f32
    %m = arith.mulf %t, %z : f32
    linalg.yield %m : f32
  } -> tensor<6x8x4xf32>
  return %gated : tensor<6x8x4xf32>
}

// -----

#row = affine_map<(t, e) -> (t)>
#all = affine_map<(t, e) -> (t, e)>

// Of 8 experts, 6 may have a choice: that leaves no room.
// CHECK-LABEL: @many
// CHECK-NOT: at_most = 6
// CHECK: return
func.func @many(%c: tensor<6x8xi1>, %i: tensor<6x3xi64>, %v: tensor<6xf32>) -> tensor<6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant false
  %e = tensor.empty() : tensor<6x3x8xi1>
  %hot = linalg.generic {indexing_maps = [affine_map<(t, k, e) -> (t, k)>, affine_map<(t, k, e) -> (t, k, e)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%i : tensor<6x3xi64>) outs(%e : tensor<6x3x8xi1>) {
  ^bb0(%n: i64, %o: i1):
    %at = linalg.index 2 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %here, %n : i64
    linalg.yield %is : i1
  } -> tensor<6x3x8xi1>
  %ea = tensor.empty() : tensor<6x8xi1>
  %z = linalg.fill ins(%none : i1) outs(%ea : tensor<6x8xi1>) -> tensor<6x8xi1>
  %any = linalg.generic {indexing_maps = [affine_map<(t, k, e) -> (t, k, e)>, affine_map<(t, k, e) -> (t, e)>], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%hot : tensor<6x3x8xi1>) outs(%z : tensor<6x8xi1>) {
  ^bb0(%a: i1, %s: i1):
    %n = arith.ori %s, %a : i1
    linalg.yield %n : i1
  } -> tensor<6x8xi1>
  %eg = tensor.empty() : tensor<6x8xf32>
  %gate = linalg.generic {indexing_maps = [#all, #all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%any, %c, %v : tensor<6x8xi1>, tensor<6x8xi1>, tensor<6xf32>) outs(%eg : tensor<6x8xf32>) {
  ^bb0(%a: i1, %b: i1, %x: f32, %o: f32):
    %s = arith.select %a, %x, %zero : f32
    %t = arith.select %b, %x, %s : f32
    linalg.yield %t : f32
  } -> tensor<6x8xf32>
  return %gate : tensor<6x8xf32>
}

// -----

#row = affine_map<(t, e) -> (t)>
#all = affine_map<(t, e) -> (t, e)>

// The choices of one token are no rows, so that they have no bound.
// CHECK-LABEL: @token
// CHECK-NOT: at_most
// CHECK-COUNT-2: pit.sparse {{.*}} <kind = mask, axes = [0]>
// CHECK-NOT: at_most
// CHECK: return
func.func @token(%i: tensor<1xi64>, %j: tensor<1xi64>, %v: tensor<1xf32>, %w: tensor<1xf32>) -> tensor<1x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8xi1>
  %first = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<1xi64>) outs(%e : tensor<1x8xi1>) {
  ^bb0(%n: i64, %o: i1):
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %here, %n : i64
    linalg.yield %is : i1
  } -> tensor<1x8xi1>
  %second = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%j : tensor<1xi64>) outs(%e : tensor<1x8xi1>) {
  ^bb0(%n: i64, %o: i1):
    %at = linalg.index 1 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %here, %n : i64
    linalg.yield %is : i1
  } -> tensor<1x8xi1>
  %eg = tensor.empty() : tensor<1x8xf32>
  %gate = linalg.generic {indexing_maps = [#all, #row, #all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%first, %v, %second, %w : tensor<1x8xi1>, tensor<1xf32>, tensor<1x8xi1>, tensor<1xf32>) outs(%eg : tensor<1x8xf32>) {
  ^bb0(%a: i1, %x: f32, %b: i1, %y: f32, %o: f32):
    %s = arith.select %a, %x, %zero : f32
    %t = arith.select %b, %y, %s : f32
    linalg.yield %t : f32
  } -> tensor<1x8xf32>
  return %gate : tensor<1x8xf32>
}

// -----

#choice = affine_map<(t, k, e) -> (t, k)>
#gate = affine_map<(t, k, e) -> (t, e)>
#every = affine_map<(t, k, e) -> (t, k, e)>

// A sum of powers is not zero where no choice is.
// CHECK-LABEL: @powers
// CHECK-NOT: by({{.*}}at_most = 2
// CHECK: return
func.func @powers(%i: tensor<6x2xi64>, %v: tensor<6x2xf32>, %d: tensor<6x8xf32>) -> (tensor<6x8xf32>, tensor<6x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<6x2x8xf32>
  %hot = linalg.generic {indexing_maps = [#choice, #every], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%i : tensor<6x2xi64>) outs(%ec : tensor<6x2x8xf32>) {
  ^bb0(%n: i64, %o: f32):
    %at = linalg.index 2 : index
    %here = arith.index_cast %at : index to i64
    %is = arith.cmpi eq, %here, %n : i64
    %one = arith.uitofp %is : i1 to f32
    linalg.yield %one : f32
  } -> tensor<6x2x8xf32>
  %weighted = linalg.generic {indexing_maps = [#every, #choice, #every], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%hot, %v : tensor<6x2x8xf32>, tensor<6x2xf32>) outs(%ec : tensor<6x2x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<6x2x8xf32>
  %eg = tensor.empty() : tensor<6x8xf32>
  %zg = linalg.fill ins(%zero : f32) outs(%eg : tensor<6x8xf32>) -> tensor<6x8xf32>
  %gate = linalg.generic {indexing_maps = [#every, #gate], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%weighted : tensor<6x2x8xf32>) outs(%zg : tensor<6x8xf32>) {
  ^bb0(%a: f32, %s: f32):
    %p = math.exp %a : f32
    %n = arith.addf %s, %p : f32
    linalg.yield %n : f32
  } -> tensor<6x8xf32>
  %dhot = linalg.generic {indexing_maps = [#every, #gate, #every], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%hot, %d : tensor<6x2x8xf32>, tensor<6x8xf32>) outs(%ec : tensor<6x2x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<6x2x8xf32>
  %ev = tensor.empty() : tensor<6x2xf32>
  %zv = linalg.fill ins(%zero : f32) outs(%ev : tensor<6x2xf32>) -> tensor<6x2xf32>
  %dv = linalg.generic {indexing_maps = [#every, #choice], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%dhot : tensor<6x2x8xf32>) outs(%zv : tensor<6x2xf32>) {
  ^bb0(%a: f32, %s: f32):
    %n = arith.addf %s, %a : f32
    linalg.yield %n : f32
  } -> tensor<6x2xf32>
  return %gate, %dv : tensor<6x8xf32>, tensor<6x2xf32>
}
