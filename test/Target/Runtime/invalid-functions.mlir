// RUN: pit-opt %s --convert-functions-to-runtime --split-input-file --verify-diagnostics

// expected-error @+1 {{argument #0 has elements of type 'i4', which the runtime cannot pass}}
func.func @type(%a: memref<4xi4>) {
  return
}

// -----

// expected-error @+1 {{result #0 has type 'memref<4xf32, strided<[2]>>', which is not in row-major order}}
func.func @layout(%a: memref<8xf32>) -> memref<4xf32, strided<[2]>> {
  %v = memref.subview %a[0][4][2] : memref<8xf32> to memref<4xf32, strided<[2]>>
  return %v : memref<4xf32, strided<[2]>>
}

// -----

func.func private @pit_twice()
// expected-error @+1 {{needs the name 'pit_twice', which is taken}}
func.func @twice() {
  return
}

// -----

func.func @name() {
  return
}
// expected-error @+1 {{needs the name 'pit_name_shapes', which is taken}}
func.func @name_shapes() {
  return
}

// -----

// An extent that is read from memory is not known when the caller allocates.
// expected-error @+1 {{returns result #1 with extents that are not known from the arguments' extents, so a caller cannot allocate it}}
func.func @extents(%a: memref<4xindex>) -> (memref<4xf32>, memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.load %a[%c0] : memref<4xindex>
  %r = memref.alloc() : memref<4xf32>
  %s = memref.alloc(%n) : memref<?xf32>
  return %r, %s : memref<4xf32>, memref<?xf32>
}
