// RUN: pit-opt %s --pit-tile-rules=tile-size=0 -verify-diagnostics

// expected-error @below {{tile-size must be positive, got 0}}
func.func @f() { return }
