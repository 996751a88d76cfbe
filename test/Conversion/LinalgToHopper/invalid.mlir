// RUN: pit-opt %s -convert-contractions-to-hopper="multiprocessors=0" -verify-diagnostics

// expected-error @+1 {{multiprocessors must be positive, not 0}}
module {
  func.func @nothing() {
    return
  }
}
