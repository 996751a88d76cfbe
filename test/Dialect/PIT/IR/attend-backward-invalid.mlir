// What pit.attend_backward cannot be.
// RUN: pit-opt %s --split-input-file --verify-diagnostics

func.func @one_map_less(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %g: tensor<4x8x32xbf16>, %l: tensor<4x8xf32>, %d: tensor<4x8xf32>, %dq: tensor<4x8x16xbf16>, %dk: tensor<4x9x16xbf16>, %dv: tensor<4x9x32xbf16>) {
  // expected-error @below {{B1: got 8 maps for 9 operands}}
  %r:3 = pit.attend_backward ins(%q, %k, %v, %g : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<4x8x32xbf16>)
      rows(%l, %d : tensor<4x8xf32>, tensor<4x8xf32>) outs(%dq, %dk, %dv : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>] {
  ^bb0(%score: f32, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>
  return
}

// -----

func.func @lse_by_key(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %g: tensor<4x8x32xbf16>, %l: tensor<4x9xf32>, %d: tensor<4x8xf32>, %dq: tensor<4x8x16xbf16>, %dk: tensor<4x9x16xbf16>, %dv: tensor<4x9x32xbf16>) {
  // expected-error @below {{B1: operand 4 lacks the axis i (queries)}}
  %r:3 = pit.attend_backward ins(%q, %k, %v, %g : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<4x8x32xbf16>)
      rows(%l, %d : tensor<4x9xf32>, tensor<4x8xf32>) outs(%dq, %dk, %dv : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, j)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>] {
  ^bb0(%score: f32, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>
  return
}

// -----

func.func @modifier_has_e(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %g: tensor<4x8x32xbf16>, %l: tensor<4x8xf32>, %d: tensor<4x8xf32>, %m: tensor<8x16xf32>, %dq: tensor<4x8x16xbf16>, %dk: tensor<4x9x16xbf16>, %dv: tensor<4x9x32xbf16>) {
  // expected-error @below {{B1: operand 6 has the axis e (the width of queries)}}
  %r:3 = pit.attend_backward ins(%q, %k, %v, %g : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<4x8x32xbf16>)
      rows(%l, %d : tensor<4x8xf32>, tensor<4x8xf32>) modifiers(%m : tensor<8x16xf32>) outs(%dq, %dk, %dv : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (i, e)>, affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>] {
  ^bb0(%score: f32, %x: f32, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>
  return
}

// -----

func.func @delta_of_batch(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %g: tensor<4x8x32xbf16>, %l: tensor<4x8xf32>, %d: tensor<8xf32>, %dq: tensor<4x8x16xbf16>, %dk: tensor<4x9x16xbf16>, %dv: tensor<4x9x32xbf16>) {
  // expected-error @below {{B1: 'delta' lacks axis 0 of the batch}}
  %r:3 = pit.attend_backward ins(%q, %k, %v, %g : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<4x8x32xbf16>)
      rows(%l, %d : tensor<4x8xf32>, tensor<8xf32>) outs(%dq, %dk, %dv : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (i)>, affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>] {
  ^bb0(%score: f32, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>
  return
}

// -----

func.func @dkey_of_batch(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %g: tensor<4x8x32xbf16>, %l: tensor<4x8xf32>, %d: tensor<4x8xf32>, %dq: tensor<4x8x16xbf16>, %dk: tensor<9x16xbf16>, %dv: tensor<4x9x32xbf16>) {
  // expected-error @below {{B1: 'key' and 'dkey' do not both have axis 0 of the batch}}
  %r:3 = pit.attend_backward ins(%q, %k, %v, %g : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<4x8x32xbf16>)
      rows(%l, %d : tensor<4x8xf32>, tensor<4x8xf32>) outs(%dq, %dk, %dv : tensor<4x8x16xbf16>, tensor<9x16xbf16>, tensor<4x9x32xbf16>)
      maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>] {
  ^bb0(%score: f32, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x16xbf16>, tensor<9x16xbf16>, tensor<4x9x32xbf16>
  return
}

// -----

func.func @types(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %g: tensor<4x8x32xf16>, %l: tensor<4x8xf32>, %d: tensor<4x8xf32>, %dq: tensor<4x8x16xbf16>, %dk: tensor<4x9x16xbf16>, %dv: tensor<4x9x32xbf16>) {
  // expected-error @below {{B2: 'tensor<4x8x32xf16>' is no operand beside 'tensor<4x8x16xbf16>'}}
  %r:3 = pit.attend_backward ins(%q, %k, %v, %g : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<4x8x32xf16>)
      rows(%l, %d : tensor<4x8xf32>, tensor<4x8xf32>) outs(%dq, %dk, %dv : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>] {
  ^bb0(%score: f32, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>
  return
}

// -----

func.func @rounded_rows(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %g: tensor<4x8x32xbf16>, %l: tensor<4x8xf32>, %d: tensor<4x8xbf16>, %dq: tensor<4x8x16xbf16>, %dk: tensor<4x9x16xbf16>, %dv: tensor<4x9x32xbf16>) {
  // expected-error @below {{B2: 'lse' and 'delta' are in 'f32', the type of the score, not 'tensor<4x8xbf16>'}}
  %r:3 = pit.attend_backward ins(%q, %k, %v, %g : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<4x8x32xbf16>)
      rows(%l, %d : tensor<4x8xf32>, tensor<4x8xbf16>) outs(%dq, %dk, %dv : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>] {
  ^bb0(%score: f32, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>
  return
}

// -----

func.func @integers(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %g: tensor<4x8x32xbf16>, %l: tensor<4x8xf32>, %d: tensor<4x8xf32>, %dq: tensor<4x8x16xbf16>, %dk: tensor<4x9x16xbf16>, %dv: tensor<4x9x32xi32>) {
  // expected-error @below {{B2: gradients are floats, not 'tensor<4x9x32xi32>'}}
  %r:3 = pit.attend_backward ins(%q, %k, %v, %g : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<4x8x32xbf16>)
      rows(%l, %d : tensor<4x8xf32>, tensor<4x8xf32>) outs(%dq, %dk, %dv : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xi32>)
      maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>] {
  ^bb0(%score: f32, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xi32>
  return
}

// -----

func.func @extents(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x7x32xbf16>, %g: tensor<4x8x32xbf16>, %l: tensor<4x8xf32>, %d: tensor<4x8xf32>, %dq: tensor<4x8x16xbf16>, %dk: tensor<4x9x16xbf16>, %dv: tensor<4x9x32xbf16>) {
  // expected-error @below {{B2: axis 2 has 9 points, and 'tensor<4x7x32xbf16>' does not}}
  %r:3 = pit.attend_backward ins(%q, %k, %v, %g : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x7x32xbf16>, tensor<4x8x32xbf16>)
      rows(%l, %d : tensor<4x8xf32>, tensor<4x8xf32>) outs(%dq, %dk, %dv : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>] {
  ^bb0(%score: f32, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>
  return
}

// -----

func.func @no_slope(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %g: tensor<4x8x32xbf16>, %l: tensor<4x8xf32>, %d: tensor<4x8xf32>, %dq: tensor<4x8x16xbf16>, %dk: tensor<4x9x16xbf16>, %dv: tensor<4x9x32xbf16>) {
  // expected-error @below {{B3: the logit is not the score times a constant, beside what does not depend on it, nor goes through math.tanh}}
  %r:3 = pit.attend_backward ins(%q, %k, %v, %g : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<4x8x32xbf16>)
      rows(%l, %d : tensor<4x8xf32>, tensor<4x8xf32>) outs(%dq, %dk, %dv : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>] {
  ^bb0(%score: f32, %b: index, %i: index, %j: index):
    %t = math.absf %score : f32
    pit.logit %t : f32
  } -> tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>
  return
}

// -----

func.func @sink(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %g: tensor<4x8x32xbf16>, %l: tensor<4x8xf32>, %d: tensor<4x8xf32>, %dq: tensor<4x8x16xbf16>, %dk: tensor<4x9x16xbf16>, %dv: tensor<4x9x32xbf16>) {
  // expected-error @below {{B3: the region yields a sink, whose gradient is none of the op}}
  %r:3 = pit.attend_backward ins(%q, %k, %v, %g : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<4x8x32xbf16>)
      rows(%l, %d : tensor<4x8xf32>, tensor<4x8xf32>) outs(%dq, %dk, %dv : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>] {
  ^bb0(%score: f32, %b: index, %i: index, %j: index):
    %s = arith.constant 1.0 : f32
    pit.logit %score sink %s : f32, f32
  } -> tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>
  return
}

// -----

func.func @one_result_less(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %g: tensor<4x8x32xbf16>, %l: tensor<4x8xf32>, %d: tensor<4x8xf32>, %dq: tensor<4x8x16xbf16>, %dk: tensor<4x9x16xbf16>, %dv: tensor<4x9x32xbf16>) {
  // expected-error @below {{B4: has the types of its gradients as its results on tensors}}
  %r:2 = pit.attend_backward ins(%q, %k, %v, %g : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<4x8x32xbf16>)
      rows(%l, %d : tensor<4x8xf32>, tensor<4x8xf32>) outs(%dq, %dk, %dv : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>] {
  ^bb0(%score: f32, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x16xbf16>, tensor<4x9x16xbf16>
  return
}

// -----

func.func @gradient_of_none(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %g: tensor<4x8x32xbf16>, %l: tensor<4x8xf32>, %d: tensor<4x8xf32>, %m: tensor<8x9xf32>, %dq: tensor<4x8x16xbf16>, %dk: tensor<4x9x16xbf16>, %dv: tensor<4x9x32xbf16>, %dm: tensor<8x9xf32>) {
  // expected-error @below {{B5: 'gradients_of' has 1, and numbers of modifiers ascend below 1}}
  %r:4 = pit.attend_backward ins(%q, %k, %v, %g : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<4x8x32xbf16>)
      rows(%l, %d : tensor<4x8xf32>, tensor<4x8xf32>) modifiers(%m : tensor<8x9xf32>) outs(%dq, %dk, %dv : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      dmodifiers(%dm : tensor<8x9xf32>) of [1]
      maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (i, j)>, affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (i, j)>] {
  ^bb0(%score: f32, %x: f32, %b: index, %i: index, %j: index):
    %y = arith.addf %score, %x : f32
    pit.logit %y : f32
  } -> tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<8x9xf32>
  return
}

// -----

func.func @gradients_of_two(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %g: tensor<4x8x32xbf16>, %l: tensor<4x8xf32>, %d: tensor<4x8xf32>, %m: tensor<8x9xf32>, %dq: tensor<4x8x16xbf16>, %dk: tensor<4x9x16xbf16>, %dv: tensor<4x9x32xbf16>, %dm: tensor<8x9xf32>) {
  // expected-error @below {{B5: 'gradients_of' has 2 numbers for 1 gradients of modifiers}}
  %r:4 = pit.attend_backward ins(%q, %k, %v, %g : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<4x8x32xbf16>)
      rows(%l, %d : tensor<4x8xf32>, tensor<4x8xf32>) modifiers(%m : tensor<8x9xf32>) outs(%dq, %dk, %dv : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      dmodifiers(%dm : tensor<8x9xf32>) of [0, 0]
      maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (i, j)>, affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (i, j)>] {
  ^bb0(%score: f32, %x: f32, %b: index, %i: index, %j: index):
    %y = arith.addf %score, %x : f32
    pit.logit %y : f32
  } -> tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<8x9xf32>
  return
}

// -----

func.func @axes_of_gradient(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %g: tensor<4x8x32xbf16>, %l: tensor<4x8xf32>, %d: tensor<4x8xf32>, %m: tensor<8x9xf32>, %dq: tensor<4x8x16xbf16>, %dk: tensor<4x9x16xbf16>, %dv: tensor<4x9x32xbf16>, %dm: tensor<4x8x9xf32>) {
  // expected-error @below {{B1: modifier 0 and its gradient do not both have axis 0}}
  %r:4 = pit.attend_backward ins(%q, %k, %v, %g : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<4x8x32xbf16>)
      rows(%l, %d : tensor<4x8xf32>, tensor<4x8xf32>) modifiers(%m : tensor<8x9xf32>) outs(%dq, %dk, %dv : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      dmodifiers(%dm : tensor<4x8x9xf32>) of [0]
      maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (i, j)>, affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (b, i, j)>] {
  ^bb0(%score: f32, %x: f32, %b: index, %i: index, %j: index):
    %y = arith.addf %score, %x : f32
    pit.logit %y : f32
  } -> tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<4x8x9xf32>
  return
}

// -----

func.func @gradient_of_mask(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %g: tensor<4x8x32xbf16>, %l: tensor<4x8xf32>, %d: tensor<4x8xf32>, %m: tensor<8x9xi1>, %dq: tensor<4x8x16xbf16>, %dk: tensor<4x9x16xbf16>, %dv: tensor<4x9x32xbf16>, %dm: tensor<8x9xf32>) {
  // expected-error @below {{B3: modifier 0 is of 'i1' and has no gradient}}
  %r:4 = pit.attend_backward ins(%q, %k, %v, %g : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<4x8x32xbf16>)
      rows(%l, %d : tensor<4x8xf32>, tensor<4x8xf32>) modifiers(%m : tensor<8x9xi1>) outs(%dq, %dk, %dv : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      dmodifiers(%dm : tensor<8x9xf32>) of [0]
      maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (i, j)>, affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (i, j)>] {
  ^bb0(%score: f32, %x: i1, %b: index, %i: index, %j: index):
    %s = arith.constant 0xFF800000 : f32
    %y = arith.select %x, %score, %s : f32
    pit.logit %y : f32
  } -> tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<8x9xf32>
  return
}

// -----

func.func @gradient_of_square(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %g: tensor<4x8x32xbf16>, %l: tensor<4x8xf32>, %d: tensor<4x8xf32>, %m: tensor<8x9xf32>, %dq: tensor<4x8x16xbf16>, %dk: tensor<4x9x16xbf16>, %dv: tensor<4x9x32xbf16>, %dm: tensor<8x9xf32>) {
  // expected-error @below {{B3: the logit is not modifier 0 times a constant, beside what does not depend on it, nor goes through math.tanh}}
  %r:4 = pit.attend_backward ins(%q, %k, %v, %g : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<4x8x32xbf16>)
      rows(%l, %d : tensor<4x8xf32>, tensor<4x8xf32>) modifiers(%m : tensor<8x9xf32>) outs(%dq, %dk, %dv : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      dmodifiers(%dm : tensor<8x9xf32>) of [0]
      maps [affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (b, i)>, affine_map<(b, i, j, e, f) -> (i, j)>, affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>, affine_map<(b, i, j, e, f) -> (i, j)>] {
  ^bb0(%score: f32, %x: f32, %b: index, %i: index, %j: index):
    %s = arith.mulf %x, %x : f32
    %y = arith.addf %score, %s : f32
    pit.logit %y : f32
  } -> tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>, tensor<8x9xf32>
  return
}
