// Functions that other projects write, and that compile for both targets. RUN lines of strangers are no commands: REQUIRES, CHECK.
func.func @gather(%x: tensor<8x4xf32>, %i: tensor<3x1xindex>) -> tensor<3x4xf32> {
  %g = tensor.gather %x[%i] gather_dims([0]) : (tensor<8x4xf32>, tensor<3x1xindex>) -> tensor<3x4xf32>
  return %g : tensor<3x4xf32>
}
func.func @gather_two(%x: tensor<?x4x?xf16>, %i: tensor<?x2x2xi32>) -> tensor<?x2x1x4x1xf16> {
  %g = tensor.gather %x[%i] gather_dims([0, 2]) unique : (tensor<?x4x?xf16>, tensor<?x2x2xi32>) -> tensor<?x2x1x4x1xf16>
  return %g : tensor<?x2x1x4x1xf16>
}

// -----

func.func @pack(%x: tensor<16x8xf32>, %t: index, %d: tensor<?x8x?xf32>) -> tensor<?x8x?xf32> {
  %z = arith.constant 0.0 : f32
  %p = linalg.pack %x padding_value(%z : f32) inner_dims_pos = [0] inner_tiles = [%t] into %d : tensor<16x8xf32> -> tensor<?x8x?xf32>
  return %p : tensor<?x8x?xf32>
}

// -----

func.func @carried(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    %s = linalg.add ins(%t, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// A call comes along with what is called.
#map = affine_map<(i) -> (i)>
func.func private @twice(%x: tensor<?xi32>) -> tensor<?xi32> {
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%x : tensor<?xi32>) {
  ^bb0(%a: i32):
    %b = arith.addi %a, %a : i32
    linalg.yield %b : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}
func.func @call(%x: tensor<?xi32>) -> tensor<?xi32> {
  %r = func.call @twice(%x) : (tensor<?xi32>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}
