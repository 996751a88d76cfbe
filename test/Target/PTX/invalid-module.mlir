// RUN: pit-opt %s --pit-serialize-to-ptx -split-input-file -verify-diagnostics

// expected-error @+1 {{has no #nvvm.target}}
gpu.module @no_target {
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

gpu.module @not_lowered [#nvvm.target<chip = "sm_90">] {
  // expected-error @+1 {{is not in the LLVM dialect}}
  gpu.func @k() kernel {
    gpu.return
  }
}

// -----

// expected-error @+1 {{unknown chip 'sm_42'}}
gpu.module @chip [#nvvm.target<chip = "sm_42">] {
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

// LLVM would end the process.
gpu.module @names [#nvvm.target<chip = "sm_90">] {
  // expected-error @+1 {{has a name that PTX does not allow; --pit-attach-ptx-target gives it another}}
  llvm.func @"a b"() attributes {nvvm.kernel} {
    llvm.return
  }
}
