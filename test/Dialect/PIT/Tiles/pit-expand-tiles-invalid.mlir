// RUN: pit-opt %s --pit-expand-tiles=blocks=-1 -verify-diagnostics

// expected-error @below {{blocks must not be negative, got -1}}
func.func @blocks() {
  return
}
