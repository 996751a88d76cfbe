// What no kernel of running sums takes, and plans by hand that do not fit.
// RUN: pit-opt %s --convert-rows-to-gpu --split-input-file --verify-diagnostics -o /dev/null

// Two elements behind a result are no triangle.
func.func @band(%x: memref<64xf32>, %y: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2 : index
  // expected-error @below {{no kernel of the family 'scan' can take it}}
  linalg.generic {indexing_maps = [affine_map<(q, k) -> (k)>, affine_map<(q, k) -> (q)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64xf32>) outs(%y : memref<64xf32>) attrs = {pit.plan = #pit.row_plan<family = scan, tile = [1, 64], vector = 2, max_blocks = 1, group = 0>} {
  ^bb0(%v: f32, %s: f32):
    %q = linalg.index 0 : index
    %k = linalg.index 1 : index
    %end = arith.addi %q, %two : index
    %c = arith.cmpi ule, %k, %end : index
    %chosen = arith.select %c, %v, %zero : f32
    %t = arith.addf %s, %chosen : f32
    linalg.yield %t : f32
  }
  return
}

// -----

func.func @one_row(%x: memref<64xf32>, %y: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{its plan has 2 rows side by side, and there is one}}
  linalg.generic {indexing_maps = [affine_map<(q, k) -> (k)>, affine_map<(q, k) -> (q)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64xf32>) outs(%y : memref<64xf32>) attrs = {pit.plan = #pit.row_plan<family = scan, tile = [2, 64], vector = 2, unroll = 2, max_blocks = 1, group = 0>} {
  ^bb0(%v: f32, %s: f32):
    %q = linalg.index 0 : index
    %k = linalg.index 1 : index
    %c = arith.cmpi ule, %k, %q : index
    %chosen = arith.select %c, %v, %zero : f32
    %t = arith.addf %s, %chosen : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// A group of others.
func.func @group(%x: memref<64xf32>, %y: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(q, k) -> (k)>, affine_map<(q, k) -> (q)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64xf32>) outs(%y : memref<64xf32>) attrs = {pit.plan = #pit.row_plan<family = scan, tile = [1, 64], vector = 2, max_blocks = 1, group = 0>} {
  ^bb0(%v: f32, %s: f32):
    %q = linalg.index 0 : index
    %k = linalg.index 1 : index
    %c = arith.cmpi ule, %k, %q : index
    %chosen = arith.select %c, %v, %zero : f32
    %t = arith.addf %s, %chosen : f32
    linalg.yield %t : f32
  }
  // expected-error @below {{no kernel of the family 'scan' can compute it with the others of its group}}
  linalg.generic {indexing_maps = [affine_map<(q) -> (q)>, affine_map<(q) -> (q)>], iterator_types = ["parallel"]}
      ins(%x : memref<64xf32>) outs(%y : memref<64xf32>) attrs = {pit.plan = #pit.row_plan<family = scan, tile = [1, 64], vector = 2, max_blocks = 1, group = 0>} {
  ^bb0(%v: f32, %s: f32):
    linalg.yield %v : f32
  }
  return
}
