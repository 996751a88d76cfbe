// A running sum under a triangle is a scan, which visits each element once: it follows no list of rows, where it would be a
// sum of all that is before for each element.
// RUN: pit-opt %s --convert-linalg-to-pit --remarks-filter=pit-rules 2>&1 | FileCheck %s

// CHECK: Function=running | {{.*}}a scan visits each element once, and runs over what is dead, too
// CHECK-NOT: Function=running
// CHECK-LABEL: func.func @running
// CHECK-NOT: pit.generic
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: return
func.func @running(%x: tensor<8x512xf32>, %live: tensor<8xi1>) -> tensor<8x512xf32> {
  %z = arith.constant 0.0 : f32
  %s = pit.sparse %x by(%live : tensor<8xi1>) <kind = mask, axes = [0]> : tensor<8x512xf32>
  %e = tensor.empty() : tensor<8x512xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x512xf32>) -> tensor<8x512xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(e, t, k) -> (e, k)>, affine_map<(e, t, k) -> (e, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%s : tensor<8x512xf32>) outs(%f : tensor<8x512xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %t = linalg.index 1 : index
    %k = linalg.index 2 : index
    %c = arith.cmpi ule, %k, %t : index
    %w = arith.select %c, %v, %z : f32
    %a = arith.addf %acc, %w : f32
    linalg.yield %a : f32
  } -> tensor<8x512xf32>
  return %r : tensor<8x512xf32>
}

// The same sum over all is a rule.
// CHECK-LABEL: func.func @whole
// CHECK: pit.generic
func.func @whole(%x: tensor<8x512xf32>, %live: tensor<8xi1>) -> tensor<8xf32> {
  %z = arith.constant 0.0 : f32
  %s = pit.sparse %x by(%live : tensor<8xi1>) <kind = mask, axes = [0]> : tensor<8x512xf32>
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(e, k) -> (e, k)>, affine_map<(e, k) -> (e)>], iterator_types = ["parallel", "reduction"]}
    ins(%s : tensor<8x512xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %a = arith.addf %acc, %v : f32
    linalg.yield %a : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
