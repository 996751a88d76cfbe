// Results that a constant or a repeated axis picks out, on the CPU and on the GPU.
// RUN: pit-run %s --entry column --random normal@5x7 --random normal@5x4 --check | FileCheck %s
// RUN: pit-run %s --entry diagonal --random normal@1x1 --random normal@1x1 --check | FileCheck %s
// RUN: pit-opt %s --pit-to-ptx="chip=sm_80" | FileCheck %s --check-prefix=PTX
// CHECK: check: result 0: bit-identical
// PTX-LABEL: func.func @column
// PTX: gpu.launch_func

func.func @column(%a: tensor<?x?xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 2)>],
      iterator_types = ["parallel", "reduction"]} ins(%a : tensor<?x?xf32>) outs(%b : tensor<?x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

func.func @diagonal(%a: tensor<?x1xf32>, %b: tensor<?x1xf32>) -> tensor<?x1xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a : tensor<?x1xf32>) outs(%b : tensor<?x1xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<?x1xf32>
  return %r : tensor<?x1xf32>
}
