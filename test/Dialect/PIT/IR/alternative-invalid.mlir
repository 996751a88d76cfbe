// RUN: pit-opt %s -split-input-file -verify-diagnostics

func.func @nobody(%c: i1) {
  // expected-error @below {{A1: 'other' is no other private function of one block}}
  pit.alternative @other if %c
  return
}

// -----

func.func private @declared(i1)
func.func @no_body(%c: i1) {
  // expected-error @below {{A1: 'declared' is no other private function of one block}}
  pit.alternative @declared if %c
  return
}

// -----

func.func @public(%c: i1) {
  return
}
func.func @of_public(%c: i1) {
  // expected-error @below {{A1: 'public' is no other private function of one block}}
  pit.alternative @public if %c
  return
}

// -----

func.func private @itself(%c: i1) {
  // expected-error @below {{A1: 'itself' is no other private function of one block}}
  pit.alternative @itself if %c
  return
}

// -----

func.func private @more(%c: i1, %x: tensor<4xf32>) {
  return
}
func.func @arguments(%c: i1) {
  // expected-error @below {{A1: 'more' has the type '(i1, tensor<4xf32>) -> ()', and not '(i1) -> ()'}}
  pit.alternative @more if %c
  return
}

// -----

func.func private @less(%x: tensor<4xf32>, %c: i1) {
  return
}
func.func @results(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  // expected-error @below {{A1: 'less' has the type '(tensor<4xf32>, i1) -> ()', and not '(tensor<4xf32>, i1) -> tensor<4xf32>'}}
  pit.alternative @less if %c
  return %x : tensor<4xf32>
}
