// RUN: not pit-opt %s --convert-contractions-to-cpu="vector-bits=100" 2>&1 | FileCheck %s

// CHECK: error: vector-bits must be 128, 256 or 512, not 100
func.func @f() {
  return
}
