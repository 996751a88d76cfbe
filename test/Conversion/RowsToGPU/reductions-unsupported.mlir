// RUN: pit-opt %s --convert-rows-to-gpu --split-input-file | FileCheck %s
// RUN: pit-opt %s --convert-rows-to-gpu --split-input-file --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: pit-opt %s --convert-rows-to-gpu --convert-linalg-to-gpu --split-input-file --verify-diagnostics -o /dev/null
// RUN: pit-opt %s --convert-rows-to-gpu=strict --split-input-file --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=STRICT

// What comes next depends on what was there in another way than one associative op: each thread keeps the order.
// CHECK-LABEL: func.func @carried
// CHECK: linalg.generic
// REMARKS: Function=carried | Op=linalg.generic, Reason="reductions: its body has no associative op with a neutral element that combines the next value with the result so far", Remark="not a kernel of reductions; tried next: one thread for each element"
func.func @carried(%x: memref<4096x64xf32>, %y: memref<64xf32>) {
  %half = arith.constant 0.5 : f32
  // expected-warning @below {{one thread adds up 4096 elements for each result}}
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<4096x64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%v: f32, %s: f32):
    %a = arith.mulf %s, %half : f32
    %t = arith.addf %a, %v : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// The last of equal ones: parts of an arg-max keep the first.
// CHECK-LABEL: func.func @last
// CHECK: linalg.generic
// REMARKS: Function=last | Op=linalg.generic, Reason="reductions: its two results are not the value and the position of an arg-max or arg-min that keeps the first of equal values"
func.func @last(%x: memref<4096xf32>, %top: memref<f32>, %place: memref<i64>) {
  // expected-warning @below {{one thread adds up 4096 elements for each result}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<4096xf32>) outs(%top, %place : memref<f32>, memref<i64>) {
  ^bb0(%v: f32, %m: f32, %k: i64):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %c = arith.cmpf oge, %v, %m : f32
    %t = arith.select %c, %v, %m : f32
    %l = arith.select %c, %j, %k : i64
    linalg.yield %t, %l : f32, i64
  }
  return
}

// -----

// The value is not the one that the number is of.
// CHECK-LABEL: func.func @apart
// CHECK: linalg.generic
// REMARKS: Function=apart | Op=linalg.generic, Reason="reductions: its arg-max does not choose value and position by one comparison"
func.func @apart(%x: memref<4096xf32>, %top: memref<f32>, %place: memref<i64>) {
  // expected-warning @below {{one thread adds up 4096 elements for each result}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<4096xf32>) outs(%top, %place : memref<f32>, memref<i64>) {
  ^bb0(%v: f32, %m: f32, %k: i64):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %c = arith.cmpf ogt, %v, %m : f32
    %t = arith.minimumf %v, %m : f32
    %l = arith.select %c, %j, %k : i64
    linalg.yield %t, %l : f32, i64
  }
  return
}

// -----

// Few elements: a thread each is as fast. Nothing warns of them.
// CHECK-LABEL: func.func @few
// CHECK: linalg.generic
func.func @few(%x: memref<100000x8xf32>, %y: memref<100000xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<100000x8xf32>) outs(%y : memref<100000xf32>) {
  ^bb0(%v: f32, %s: f32):
    %t = arith.addf %s, %v : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// With 'strict', sums keep their order; what has none is split.
// STRICT-DAG: Function=sum | Op=linalg.generic, Reason="reductions: with 'strict', its sums keep their order"
// STRICT-DAG: Function=top | Family=reduction
func.func @sum(%x: memref<512x64xf32>, %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<512x64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%v: f32, %s: f32):
    %t = arith.addf %s, %v : f32
    linalg.yield %t : f32
  }
  return
}
func.func @top(%x: memref<512x64xf32>, %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<512x64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%v: f32, %s: f32):
    %t = arith.maximumf %s, %v : f32
    linalg.yield %t : f32
  }
  return
}
