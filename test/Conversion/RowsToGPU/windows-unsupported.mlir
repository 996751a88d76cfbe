// What no kernel of windows takes, and plans by hand that do not fit.
// RUN: pit-opt %s --convert-rows-to-gpu --split-input-file --verify-diagnostics -o /dev/null
// RUN: not pit-opt %s --convert-rows-to-gpu --split-input-file --remarks-filter=pit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARKS

// REMARKS: Function=many | {{.*}}Reason="windows: a result has more than 128 elements, which one thread would add up"
func.func @many(%x: memref<300x64xf32>, %window: memref<129xf32>, %y: memref<172x64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(p, c, t) -> (p + t, c)>, affine_map<(p, c, t) -> (t)>, affine_map<(p, c, t) -> (p, c)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %window : memref<300x64xf32>, memref<129xf32>) outs(%y : memref<172x64xf32>) {
  ^bb0(%v: f32, %k: f32, %s: f32):
    %t = arith.addf %s, %v : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// REMARKS: Function=unknown | {{.*}}Reason="windows: windows have a number of elements that is dynamic, or none"
func.func @unknown(%x: memref<?x64xf32>, %window: memref<?xf32>, %y: memref<?x64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(p, c, t) -> (p + t, c)>, affine_map<(p, c, t) -> (t)>, affine_map<(p, c, t) -> (p, c)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %window : memref<?x64xf32>, memref<?xf32>) outs(%y : memref<?x64xf32>) {
  ^bb0(%v: f32, %k: f32, %s: f32):
    %t = arith.addf %s, %v : f32
    linalg.yield %t : f32
  }
  return
}

// -----

func.func @slides(%x: memref<10x64xf32>, %window: memref<3xf32>, %y: memref<8x64xf32>) {
  // expected-error @below {{its plan has 2 x 4 results of a thread, whose windows move along 1 axes}}
  linalg.generic {indexing_maps = [affine_map<(p, c, t) -> (p + t, c)>, affine_map<(p, c, t) -> (t)>, affine_map<(p, c, t) -> (p, c)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %window : memref<10x64xf32>, memref<3xf32>) outs(%y : memref<8x64xf32>)
      attrs = {pit.plan = #pit.row_plan<family = windows, tile = [2, 256], unroll = 4, max_blocks = 64, group = 0>} {
  ^bb0(%v: f32, %k: f32, %s: f32):
    %t = arith.addf %s, %v : f32
    linalg.yield %t : f32
  }
  return
}

// -----

func.func @vectors(%x: memref<10x65xf32>, %window: memref<3xf32>, %y: memref<8x65xf32>) {
  // expected-error @below {{its plan has vectors of 4 results, which what is contiguous is not made up of or not aligned to}}
  linalg.generic {indexing_maps = [affine_map<(p, c, t) -> (p + t, c)>, affine_map<(p, c, t) -> (t)>, affine_map<(p, c, t) -> (p, c)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %window : memref<10x65xf32>, memref<3xf32>) outs(%y : memref<8x65xf32>)
      attrs = {pit.plan = #pit.row_plan<family = windows, tile = [2, 1024], vector = 4, max_blocks = 64, group = 0>} {
  ^bb0(%v: f32, %k: f32, %s: f32):
    %t = arith.addf %s, %v : f32
    linalg.yield %t : f32
  }
  return
}

// -----

func.func @no_windows(%x: memref<10x64xf32>, %y: memref<10xf32>) {
  // expected-error @below {{no kernel of the family 'windows' can take it}}
  linalg.generic {indexing_maps = [affine_map<(p, c) -> (p, c)>, affine_map<(p, c) -> (p)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<10x64xf32>) outs(%y : memref<10xf32>)
      attrs = {pit.plan = #pit.row_plan<family = windows, tile = [1, 256], max_blocks = 64, group = 0>} {
  ^bb0(%v: f32, %s: f32):
    %t = arith.addf %s, %v : f32
    linalg.yield %t : f32
  }
  return
}
