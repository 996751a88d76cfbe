// Without --entry, `main` runs, or else the only public function; integers are printed as they are.
// RUN: split-file %s %t
// RUN: pit-run %t/one.mlir --target=cpu --random=const:9007199254740993 --print | FileCheck %s --check-prefix=ONE
// RUN: pit-compile %t/one.mlir -o %t/one.so && pit-run --load %t/one.so --random=const:3 --print | FileCheck %s --check-prefix=LOADED
// RUN: not pit-run %t/two.mlir --target=cpu --random=const:1 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not pit-run %t/none.mlir --target=cpu 2>&1 | FileCheck %s --check-prefix=NONE
// ONE: result 0: 1xi64 = 18014398509481984
// LOADED: result 0: 1xi64 = 6
// TWO: pit-run: error: '{{.*}}two.mlir' defines no function 'main'; --entry names another: 'first' 'second'
// NONE: pit-run: error: '{{.*}}none.mlir' defines no function 'main', and no other public one

//--- one.mlir
func.func @twice(%x: tensor<1xi64>) -> tensor<1xi64> {
  %r = func.call @helper(%x) : (tensor<1xi64>) -> tensor<1xi64>
  return %r : tensor<1xi64>
}
func.func private @helper(%x: tensor<1xi64>) -> tensor<1xi64> {
  %r = arith.addi %x, %x : tensor<1xi64>
  return %r : tensor<1xi64>
}

//--- two.mlir
func.func @first(%x: tensor<1xi64>) -> tensor<1xi64> { return %x : tensor<1xi64> }
func.func @second(%x: tensor<1xi64>) -> tensor<1xi64> { return %x : tensor<1xi64> }

//--- none.mlir
func.func private @hidden(%x: tensor<1xi64>) -> tensor<1xi64> { return %x : tensor<1xi64> }
