// Functions of the program that are called like functions of the C library.
// RUN: split-file %s %t
// RUN: pit-opt %t/private.mlir --pit-rename-functions | FileCheck %s
// RUN: not pit-opt %t/public.mlir --pit-rename-functions -split-input-file 2>&1 | FileCheck %s --check-prefix=PUBLIC
// RUN: not pit-opt %t/public.mlir --pit-to-cpu -split-input-file 2>&1 | FileCheck %s --check-prefix=PUBLIC

// They run.
// RUN: pit-run %t/private.mlir --random=const:3 --print | FileCheck %s --check-prefix=VALUE
// RUN: pit-compile %t/private.mlir -o %t/private.so
// RUN: pit-run-loaded --load %t/private.so --random=const:3 --print | FileCheck %s --check-prefix=VALUE
// RUN: pit-compile %t/entry.mlir -o %t/entry.so
// RUN: pit-run-loaded --load %t/entry.so --entry malloc --random=const:3 --print | FileCheck %s --check-prefix=ENTRY
// RUN: pit-run-loaded --load %t/entry.so --entry both --random=const:3 --print | FileCheck %s --check-prefix=BOTH

// CHECK: func.func private @[[malloc:malloc_[0-9]+]](
// CHECK: func.func private @[[free:free_[0-9]+]](
// CHECK: func.func private @[[memcpy:memcpy_[0-9]+]](
// CHECK: func.func private @[[printf:printf_[0-9]+]](
// CHECK: func.func private @[[tanhf:tanhf_[0-9]+]](
// CHECK: func.func private @[[aligned:aligned_alloc_[0-9]+]](
// CHECK: func.func private @square(
// CHECK: func.func @main(
// CHECK: call @[[malloc]](
// CHECK: call @[[free]](
// CHECK: call @[[memcpy]](
// CHECK: call @[[printf]](
// CHECK: call @[[tanhf]](
// CHECK: call @[[aligned]](
// CHECK: call @square(
// 3 * 2^6, squared by the last one.
// VALUE: 36864
// ENTRY: 9
// BOTH: 81

// PUBLIC: error: 'func.func' op is public and called 'malloc', like a function of the C library that the compiled program calls; give it another name
// PUBLIC: error: 'func.func' op is public and called 'sin', like a function of the C library
// PUBLIC-NOT: error

//--- private.mlir
func.func private @malloc(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.add ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func private @free(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.add ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func private @memcpy(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.add ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func private @printf(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.add ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func private @tanhf(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.add ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func private @aligned_alloc(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.add ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func private @square(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.square ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = func.call @malloc(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = func.call @free(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = func.call @memcpy(%1) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = func.call @printf(%2) : (tensor<8xf32>) -> tensor<8xf32>
  %4 = func.call @tanhf(%3) : (tensor<8xf32>) -> tensor<8xf32>
  %5 = func.call @aligned_alloc(%4) : (tensor<8xf32>) -> tensor<8xf32>
  %6 = func.call @square(%5) : (tensor<8xf32>) -> tensor<8xf32>
  return %6 : tensor<8xf32>
}

//--- entry.mlir
// An entry point is 'pit_malloc': its name is no symbol.
func.func @malloc(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.square ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @both(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = func.call @malloc(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = func.call @malloc(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

//--- public.mlir
func.func @malloc(%x: memref<8xf32>) { return }

// -----

func.func @sin(%x: f64) -> f64 {
  %0 = math.sin %x : f64
  return %0 : f64
}

// -----

// No function of the library is called.
func.func @cos(%x: f64) -> f64 { return %x : f64 }
