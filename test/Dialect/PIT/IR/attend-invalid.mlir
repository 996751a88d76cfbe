// What pit.attend cannot be.
// RUN: pit-opt %s --split-input-file --verify-diagnostics

func.func @one_map_less(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %m: tensor<8x9xi1>, %o: tensor<4x8x32xbf16>) -> tensor<4x8x32xbf16> {
  // expected-error @below {{A1: got 4 maps for 5 operands}}
  %r = pit.attend ins(%q, %k, %v : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      modifiers(%m : tensor<8x9xi1>) outs(%o : tensor<4x8x32xbf16>) maps [
        affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>,
        affine_map<(b, i, j, e, f) -> (b, i, f)>] {
  ^bb0(%score: f32, %live: i1, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x32xbf16>
  return %r : tensor<4x8x32xbf16>
}

// -----

func.func @no_permutation(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %m: tensor<8x9xi1>, %o: tensor<4x8x32xbf16>) -> tensor<4x8x32xbf16> {
  // expected-error @below {{A1: map 3 is no projected permutation of the same axes, at least four}}
  %r = pit.attend ins(%q, %k, %v : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      modifiers(%m : tensor<8x9xi1>) outs(%o : tensor<4x8x32xbf16>) maps [
        affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>,
        affine_map<(b, i, j, e, f) -> (i, i + j)>, affine_map<(b, i, j, e, f) -> (b, i, f)>] {
  ^bb0(%score: f32, %live: i1, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x32xbf16>
  return %r : tensor<4x8x32xbf16>
}

// -----

func.func @rank(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %m: tensor<8x9xi1>, %o: tensor<4x8x32xbf16>) -> tensor<4x8x32xbf16> {
  // expected-error @below {{A1: map 3 has 1 results for}}
  %r = pit.attend ins(%q, %k, %v : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      modifiers(%m : tensor<8x9xi1>) outs(%o : tensor<4x8x32xbf16>) maps [
        affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>,
        affine_map<(b, i, j, e, f) -> (i)>, affine_map<(b, i, j, e, f) -> (b, i, f)>] {
  ^bb0(%score: f32, %live: i1, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x32xbf16>
  return %r : tensor<4x8x32xbf16>
}

// -----

func.func @key_lacks_e(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %m: tensor<8x9xi1>, %o: tensor<4x8x32xbf16>) -> tensor<4x8x32xbf16> {
  // expected-error @below {{A1: operand 1 has the axis i (queries)}}
  %r = pit.attend ins(%q, %k, %v : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      modifiers(%m : tensor<8x9xi1>) outs(%o : tensor<4x8x32xbf16>) maps [
        affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, i)>, affine_map<(b, i, j, e, f) -> (b, j, f)>,
        affine_map<(b, i, j, e, f) -> (i, j)>, affine_map<(b, i, j, e, f) -> (b, i, f)>] {
  ^bb0(%score: f32, %live: i1, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x32xbf16>
  return %r : tensor<4x8x32xbf16>
}

// -----

func.func @modifier_has_f(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %m: tensor<8x9xi1>, %o: tensor<4x8x32xbf16>) -> tensor<4x8x32xbf16> {
  // expected-error @below {{A1: operand 3 has the axis f (the width of values)}}
  %r = pit.attend ins(%q, %k, %v : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      modifiers(%m : tensor<8x9xi1>) outs(%o : tensor<4x8x32xbf16>) maps [
        affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>,
        affine_map<(b, i, j, e, f) -> (i, f)>, affine_map<(b, i, j, e, f) -> (b, i, f)>] {
  ^bb0(%score: f32, %live: i1, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x32xbf16>
  return %r : tensor<4x8x32xbf16>
}

// -----

func.func @init_lacks_batch(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %m: tensor<8x9xi1>, %o: tensor<8x32xbf16>) -> tensor<8x32xbf16> {
  // expected-error @below {{A1: 'init' lacks axis 0 of the batch}}
  %r = pit.attend ins(%q, %k, %v : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      modifiers(%m : tensor<8x9xi1>) outs(%o : tensor<8x32xbf16>) maps [
        affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>,
        affine_map<(b, i, j, e, f) -> (i, j)>, affine_map<(b, i, j, e, f) -> (i, f)>] {
  ^bb0(%score: f32, %live: i1, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<8x32xbf16>
  return %r : tensor<8x32xbf16>
}

// -----

func.func @integers(%q: tensor<4x8x16xi8>, %k: tensor<4x9x16xi8>, %v: tensor<4x9x32xi8>, %m: tensor<8x9xi1>, %o: tensor<4x8x32xi8>) -> tensor<4x8x32xi8> {
  // expected-error @below {{A2: elements are f64, f32, bf16 or f16, not}}
  %r = pit.attend ins(%q, %k, %v : tensor<4x8x16xi8>, tensor<4x9x16xi8>, tensor<4x9x32xi8>)
      modifiers(%m : tensor<8x9xi1>) outs(%o : tensor<4x8x32xi8>) maps [
        affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>,
        affine_map<(b, i, j, e, f) -> (i, j)>, affine_map<(b, i, j, e, f) -> (b, i, f)>] {
  ^bb0(%score: f32, %live: i1, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x32xi8>
  return %r : tensor<4x8x32xi8>
}

// -----

func.func @mixed_elements(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xf16>, %m: tensor<8x9xi1>, %o: tensor<4x8x32xbf16>) -> tensor<4x8x32xbf16> {
  // expected-error @below {{is no operand beside 'tensor<4x8x16xbf16>'}}
  %r = pit.attend ins(%q, %k, %v : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xf16>)
      modifiers(%m : tensor<8x9xi1>) outs(%o : tensor<4x8x32xbf16>) maps [
        affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>,
        affine_map<(b, i, j, e, f) -> (i, j)>, affine_map<(b, i, j, e, f) -> (b, i, f)>] {
  ^bb0(%score: f32, %live: i1, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x32xbf16>
  return %r : tensor<4x8x32xbf16>
}

// -----

func.func @extents(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %m: tensor<8x7xi1>, %o: tensor<4x8x32xbf16>) -> tensor<4x8x32xbf16> {
  // expected-error @below {{A2: axis 2 has 9 points, and}}
  %r = pit.attend ins(%q, %k, %v : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      modifiers(%m : tensor<8x7xi1>) outs(%o : tensor<4x8x32xbf16>) maps [
        affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>,
        affine_map<(b, i, j, e, f) -> (i, j)>, affine_map<(b, i, j, e, f) -> (b, i, f)>] {
  ^bb0(%score: f32, %live: i1, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x32xbf16>
  return %r : tensor<4x8x32xbf16>
}

// -----

func.func @unknown_width(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x?xbf16>, %m: tensor<8x9xi1>, %o: tensor<4x8x?xbf16>) -> tensor<4x8x?xbf16> {
  // expected-error @below {{A2: axis 4, elements of a row, has an unknown extent}}
  %r = pit.attend ins(%q, %k, %v : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x?xbf16>)
      modifiers(%m : tensor<8x9xi1>) outs(%o : tensor<4x8x?xbf16>) maps [
        affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>,
        affine_map<(b, i, j, e, f) -> (i, j)>, affine_map<(b, i, j, e, f) -> (b, i, f)>] {
  ^bb0(%score: f32, %live: i1, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x?xbf16>
  return %r : tensor<4x8x?xbf16>
}

// -----

func.func @arguments(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %m: tensor<8x9xi1>, %o: tensor<4x8x32xbf16>) -> tensor<4x8x32xbf16> {
  // expected-error @below {{A3: the region takes}}
  %r = pit.attend ins(%q, %k, %v : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      modifiers(%m : tensor<8x9xi1>) outs(%o : tensor<4x8x32xbf16>) maps [
        affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>,
        affine_map<(b, i, j, e, f) -> (i, j)>, affine_map<(b, i, j, e, f) -> (b, i, f)>] {
  ^bb0(%score: f32, %live: f32, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x32xbf16>
  return %r : tensor<4x8x32xbf16>
}

// -----

func.func @yields(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %m: tensor<8x9xi1>, %o: tensor<4x8x32xbf16>) -> tensor<4x8x32xbf16> {
  // expected-error @below {{A3: the region yields one logit in}}
  %r = pit.attend ins(%q, %k, %v : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      modifiers(%m : tensor<8x9xi1>) outs(%o : tensor<4x8x32xbf16>) maps [
        affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>,
        affine_map<(b, i, j, e, f) -> (i, j)>, affine_map<(b, i, j, e, f) -> (b, i, f)>] {
  ^bb0(%score: f32, %live: i1, %b: index, %i: index, %j: index):
    %x = arith.truncf %score : f32 to bf16
    pit.logit %x : bf16
  } -> tensor<4x8x32xbf16>
  return %r : tensor<4x8x32xbf16>
}

// -----

func.func @effects(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %m: tensor<8x9xi1>, %o: tensor<4x8x32xbf16>) -> tensor<4x8x32xbf16> {
  // expected-error @below {{A3: the region computes with scalars, and has 'scf.if'}}
  %r = pit.attend ins(%q, %k, %v : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      modifiers(%m : tensor<8x9xi1>) outs(%o : tensor<4x8x32xbf16>) maps [
        affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>,
        affine_map<(b, i, j, e, f) -> (i, j)>, affine_map<(b, i, j, e, f) -> (b, i, f)>] {
  ^bb0(%score: f32, %live: i1, %b: index, %i: index, %j: index):
    scf.if %live {
    }
    pit.logit %score : f32
  } -> tensor<4x8x32xbf16>
  return %r : tensor<4x8x32xbf16>
}

// -----

func.func @buffers(%q: memref<8x16xbf16>, %o: tensor<8x16xbf16>) {
  // expected-error @below {{A4: mixes tensors and buffers}}
  %r = pit.attend ins(%q, %q, %q : memref<8x16xbf16>, memref<8x16xbf16>, memref<8x16xbf16>) outs(%o : tensor<8x16xbf16>) maps [
      affine_map<(i, j, e, f) -> (i, e)>, affine_map<(i, j, e, f) -> (j, e)>, affine_map<(i, j, e, f) -> (j, f)>,
      affine_map<(i, j, e, f) -> (i, f)>] {
  ^bb0(%score: f32, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<8x16xbf16>
  return
}

// -----

#q = affine_map<(i, j, e, f) -> (i, e)>
#k = affine_map<(i, j, e, f) -> (j, e)>
#v = affine_map<(i, j, e, f) -> (j, f)>
#o = affine_map<(i, j, e, f) -> (i, f)>
func.func @sink_of_score(%q: tensor<8x16xf32>, %o: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // expected-error @below {{A3: a sink depends on the score, or on the key}}
  %r = pit.attend ins(%q, %q, %q : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) outs(%o : tensor<8x16xf32>)
      maps [#q, #k, #v, #o] {
  ^bb0(%score: f32, %i: index, %j: index):
    %sink = arith.negf %score : f32
    pit.logit %score sink %sink : f32, f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// -----

#q = affine_map<(i, j, e, f) -> (i, e)>
#k = affine_map<(i, j, e, f) -> (j, e)>
#v = affine_map<(i, j, e, f) -> (j, f)>
#o = affine_map<(i, j, e, f) -> (i, f)>
func.func @sink_of_key(%q: tensor<8x16xf32>, %s: tensor<8xf32>, %o: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // expected-error @below {{A3: a sink depends on the score, or on the key}}
  %r = pit.attend ins(%q, %q, %q : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) modifiers(%s : tensor<8xf32>) outs(%o : tensor<8x16xf32>)
      maps [#q, #k, #v, affine_map<(i, j, e, f) -> (j)>, #o] {
  ^bb0(%score: f32, %sink: f32, %i: index, %j: index):
    pit.logit %score sink %sink : f32, f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// -----

#q = affine_map<(i, j, e, f) -> (i, e)>
#k = affine_map<(i, j, e, f) -> (j, e)>
#v = affine_map<(i, j, e, f) -> (j, f)>
#o = affine_map<(i, j, e, f) -> (i, f)>
func.func @type_of_sink(%q: tensor<8x16xf32>, %o: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // expected-error @below {{A3: a sink is of the type of logits, 'f32', not 'f16'}}
  %r = pit.attend ins(%q, %q, %q : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) outs(%o : tensor<8x16xf32>)
      maps [#q, #k, #v, #o] {
  ^bb0(%score: f32, %i: index, %j: index):
    %sink = arith.constant 1.0 : f16
    pit.logit %score sink %sink : f32, f16
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// -----

func.func @lse_by_key(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %o: tensor<4x8x32xbf16>, %l: tensor<4x9xf32>) {
  // expected-error @below {{A1: operand 4 lacks the axis i (queries)}}
  %r:2 = pit.attend ins(%q, %k, %v : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      outs(%o : tensor<4x8x32xbf16>) lse(%l : tensor<4x9xf32>) maps [
        affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>,
        affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, j)>] {
  ^bb0(%score: f32, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x32xbf16>, tensor<4x9xf32>
  return
}

// -----

func.func @lse_of_batch(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %o: tensor<4x8x32xbf16>, %l: tensor<8xf32>) {
  // expected-error @below {{A1: 'lse' lacks axis 0 of the batch}}
  %r:2 = pit.attend ins(%q, %k, %v : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      outs(%o : tensor<4x8x32xbf16>) lse(%l : tensor<8xf32>) maps [
        affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>,
        affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (i)>] {
  ^bb0(%score: f32, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x32xbf16>, tensor<8xf32>
  return
}

// -----

func.func @lse_rounded(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %o: tensor<4x8x32xbf16>, %l: tensor<4x8xbf16>) {
  // expected-error @below {{A2: 'lse' is in 'f32', the type of the score, not 'tensor<4x8xbf16>'}}
  %r:2 = pit.attend ins(%q, %k, %v : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      outs(%o : tensor<4x8x32xbf16>) lse(%l : tensor<4x8xbf16>) maps [
        affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>,
        affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>] {
  ^bb0(%score: f32, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x32xbf16>, tensor<4x8xbf16>
  return
}

// -----

func.func @lse_without_result(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %o: tensor<4x8x32xbf16>, %l: tensor<4x8xf32>) {
  // expected-error @below {{A4: has the types of 'init' and 'lse' as its results on tensors}}
  %r = pit.attend ins(%q, %k, %v : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>)
      outs(%o : tensor<4x8x32xbf16>) lse(%l : tensor<4x8xf32>) maps [
        affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>,
        affine_map<(b, i, j, e, f) -> (b, i, f)>, affine_map<(b, i, j, e, f) -> (b, i)>] {
  ^bb0(%score: f32, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x32xbf16>
  return
}

// -----

func.func @biases_beyond(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %m: tensor<8x9xbf16>, %o: tensor<4x8x32xbf16>) {
  // expected-error @below {{A5: 'biases' are numbers of the 1 modifiers, in ascending order}}
  %r = pit.attend {biases = array<i64: 1>} ins(%q, %k, %v : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>) modifiers(%m : tensor<8x9xbf16>)
      outs(%o : tensor<4x8x32xbf16>) maps [
        affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>,
        affine_map<(b, i, j, e, f) -> (i, j)>, affine_map<(b, i, j, e, f) -> (b, i, f)>] {
  ^bb0(%score: f32, %x: bf16, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x32xbf16>
  return
}

// -----

func.func @biases_twice(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %m: tensor<8x9xbf16>, %o: tensor<4x8x32xbf16>) {
  // expected-error @below {{A5: 'biases' are numbers of the 1 modifiers, in ascending order}}
  %r = pit.attend {biases = array<i64: 0, 0>} ins(%q, %k, %v : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>) modifiers(%m : tensor<8x9xbf16>)
      outs(%o : tensor<4x8x32xbf16>) maps [
        affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>,
        affine_map<(b, i, j, e, f) -> (i, j)>, affine_map<(b, i, j, e, f) -> (b, i, f)>] {
  ^bb0(%score: f32, %x: bf16, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x32xbf16>
  return
}

// -----

func.func @biases_of_truth(%q: tensor<4x8x16xbf16>, %k: tensor<4x9x16xbf16>, %v: tensor<4x9x32xbf16>, %m: tensor<8x9xi1>, %o: tensor<4x8x32xbf16>) {
  // expected-error @below {{A5: modifier 0 is not of floats, and so no bias}}
  %r = pit.attend {biases = array<i64: 0>} ins(%q, %k, %v : tensor<4x8x16xbf16>, tensor<4x9x16xbf16>, tensor<4x9x32xbf16>) modifiers(%m : tensor<8x9xi1>)
      outs(%o : tensor<4x8x32xbf16>) maps [
        affine_map<(b, i, j, e, f) -> (b, i, e)>, affine_map<(b, i, j, e, f) -> (b, j, e)>, affine_map<(b, i, j, e, f) -> (b, j, f)>,
        affine_map<(b, i, j, e, f) -> (i, j)>, affine_map<(b, i, j, e, f) -> (b, i, f)>] {
  ^bb0(%score: f32, %x: i1, %b: index, %i: index, %j: index):
    pit.logit %score : f32
  } -> tensor<4x8x32xbf16>
  return
}
