// RUN: pit-opt %s --convert-launches-to-runtime --split-input-file --verify-diagnostics

func.func @loads(%a: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{cannot be in a host function: it computes sizes, launches kernels, and touches no element}}
  %x = memref.load %a[%c0] : memref<4xf32>
  return %x : f32
}

// -----

// expected-error @+1 {{branches; host functions are straight-line code}}
func.func @branches(%a: memref<4xf32>) {
  cf.br ^next
^next:
  return
}

// -----

// expected-error @+1 {{argument #0 has elements of type 'i4', which the runtime cannot pass}}
func.func @type(%a: memref<4xi4>) {
  return
}

// -----

// expected-error @+1 {{argument #0 has type 'memref<4xf32, strided<[2]>>', which is not in row-major order}}
func.func @layout(%a: memref<4xf32, strided<[2]>>) {
  return
}

// -----

// expected-error @+1 {{needs the name 'pit_twice', which is taken}}
func.func @twice() {
  return
}
func.func private @pit_twice()

// -----

module attributes {gpu.container_module} {
  // expected-error @+1 {{holds no PTX with a table of its kernels; --pit-serialize-to-ptx makes both}}
  gpu.binary @k [#gpu.object<#nvvm.target<chip = "sm_90a">, assembly = "the code">]
  func.func @run() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@first blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

memref.global "private" @variable : memref<2xf32> = dense<1.0>
func.func @global() -> memref<2xf32> {
  // expected-error @+1 {{names 'variable', which is no constant with elements of a known size}}
  %t = memref.get_global @variable : memref<2xf32>
  return %t : memref<2xf32>
}
