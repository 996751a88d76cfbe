// RUN: pit-opt %s --pass-pipeline="builtin.module(gpu.module(pit-overlap-launches))" -verify-diagnostics

// expected-error @+1 {{has no #nvvm.target; --pit-attach-ptx-target gives it one}}
gpu.module @no_target {
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.return
  }
}
