// RUN: pit-opt %s -split-input-file -verify-diagnostics

func.func private @body(%i: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @destinations(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  // expected-error @below {{L1: has 1 destinations for 1 tensors that are carried, and not two for each}}
  %r = pit.host_loop @body(%n to %n step %n) carries(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func private @body(%i: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @extents(%x: tensor<4xf32>, %y: tensor<5xf32>, %n: index) -> tensor<4xf32> {
  // expected-error @below {{L1: destination 1 is a 'tensor<5xf32>' for a 'tensor<4xf32>'}}
  %r:2 = pit.host_loop @body(%n to %n step %n) carries(%x : tensor<4xf32>) outs(%x, %y : tensor<4xf32>, tensor<5xf32>)
      -> tensor<4xf32>, tensor<5xf32>
  return %r#0 : tensor<4xf32>
}

// -----

func.func private @body(%i: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @results(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  // expected-error @below {{L1: results are not of the types of the destinations}}
  %r = pit.host_loop @body(%n to %n step %n) carries(%x : tensor<4xf32>) outs(%x, %x : tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @body(%i: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @public(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  // expected-error @below {{L2: 'body' is no private function of one block}}
  %r:2 = pit.host_loop @body(%n to %n step %n) carries(%x : tensor<4xf32>) outs(%x, %x : tensor<4xf32>, tensor<4xf32>)
      -> tensor<4xf32>, tensor<4xf32>
  return %r#0 : tensor<4xf32>
}

// -----

func.func private @body(%i: index, %x: tensor<4xf32>, %y: f32) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @taken(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  // expected-error @below {{L2: 'body' does not take the number of an iteration, 1 tensors that are carried and 0 that are captured}}
  %r:2 = pit.host_loop @body(%n to %n step %n) carries(%x : tensor<4xf32>) outs(%x, %x : tensor<4xf32>, tensor<4xf32>)
      -> tensor<4xf32>, tensor<4xf32>
  return %r#0 : tensor<4xf32>
}
