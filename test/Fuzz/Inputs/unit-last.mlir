// A product of rows that a mask says, blocks of values with an axis of extent 1, and what demands only rows of another one.
module {
  func.func @main(%a: tensor<8x4x1xf32>, %m: tensor<8xi1>, %w: tensor<4x1x6xf32>, %r: tensor<8xi1>) -> tensor<8x6xf32> attributes {inputs = ["kind=ints shape=8x4x1 lo=-2 hi=3 seed=1", "kind=ints shape=8 lo=0 hi=2 seed=2", "kind=ints shape=4x1x6 lo=-2 hi=3 seed=3", "kind=ints shape=8 lo=0 hi=2 seed=4"], unit = "last"} {
    %z = arith.constant 0.0 : f32
    %s = pit.sparse %a by(%m : tensor<8xi1>) <kind = mask, axes = [0]> : tensor<8x4x1xf32>
    %v = pit.sparse %w <kind = values, axes = [0, 1, 2], tile = [2, 1, 3]> : tensor<4x1x6xf32>
    %e = tensor.empty() : tensor<8x6xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
    %p = linalg.generic {indexing_maps = [affine_map<(i, k, u, j) -> (i, k, u)>, affine_map<(i, k, u, j) -> (k, u, j)>, affine_map<(i, k, u, j) -> (i, j)>], iterator_types = ["parallel", "reduction", "reduction", "parallel"]} ins(%s, %v : tensor<8x4x1xf32>, tensor<4x1x6xf32>) outs(%f : tensor<8x6xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %q = arith.mulf %x, %y : f32
      %t = arith.addf %o, %q : f32
      linalg.yield %t : f32
    } -> tensor<8x6xf32>
    %d = pit.sparse %p by(%r : tensor<8xi1>) <kind = mask, axes = [0]> : tensor<8x6xf32>
    return %d : tensor<8x6xf32>
  }
}
