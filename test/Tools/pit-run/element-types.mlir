// Element types of arguments and results that the C ABI has beside those of matrix units: i16 and f8E5M2.
// RUN: pit-run %s --entry i16 --random randint:-300:300@7 --random const:-2000 --check --quiet | FileCheck %s --check-prefix=CHECK
// RUN: pit-run %s --entry f8 --random normal@9 --random const:3 --check --quiet | FileCheck %s --check-prefix=CHECK
// RUN: %cuda pit-run %s --entry i16 --target cuda --chip sm_90a --random randint:-300:300@7 --random const:-2000 --check --quiet | FileCheck %s --check-prefix=CHECK
// RUN: %cuda pit-run %s --entry f8 --target cuda --chip sm_90a --random normal@9 --random const:3 --check --quiet | FileCheck %s --check-prefix=CHECK
// CHECK: check: result 0: bit-identical

// By entry points, and files in between.
// RUN: rm -rf %t && mkdir %t
// RUN: pit-compile %s -o %t/types.so
// RUN: FileCheck %s --check-prefix=HEADER < %t/types.h
// HEADER: pit_i16(
// HEADER: int16_t arg1,
// HEADER: arg0     f8E5M2 [?]
// HEADER: uint8_t arg1,
// RUN: pit-run %s --entry i16 --random const:-300@5 --random const:-2000 --output %t/here
// RUN: pit-run-loaded --load %t/types.so --entry i16 --random const:-300@5 --random const:-2000 --output %t/there
// RUN: cmp %t/here.0.npy %t/there.0.npy
// RUN: pit-run %s --entry f8 --random const:-2.25@5 --random const:3 --output %t/f8
// RUN: pit-run-loaded --load %t/types.so --entry f8 --input %t/f8.0.npy --random const:3 --output %t/again
// RUN: not pit-run-loaded --load %t/types.so --entry i16 --input %t/f8.0.npy --random const:3 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: f8E5M2
func.func @i16(%x: tensor<?xi16>, %y: i16) -> tensor<?xi16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xi16>
  %e = tensor.empty(%n) : tensor<?xi16>
  %f = linalg.fill ins(%y : i16) outs(%e : tensor<?xi16>) -> tensor<?xi16>
  %r = linalg.add ins(%x, %f : tensor<?xi16>, tensor<?xi16>) outs(%e : tensor<?xi16>) -> tensor<?xi16>
  return %r : tensor<?xi16>
}

func.func @f8(%x: tensor<?xf8E5M2>, %y: f8E5M2) -> tensor<?xf8E5M2> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf8E5M2>
  %e = tensor.empty(%n) : tensor<?xf8E5M2>
  %f = linalg.fill ins(%y : f8E5M2) outs(%e : tensor<?xf8E5M2>) -> tensor<?xf8E5M2>
  %r = linalg.mul ins(%x, %f : tensor<?xf8E5M2>, tensor<?xf8E5M2>) outs(%e : tensor<?xf8E5M2>) -> tensor<?xf8E5M2>
  return %r : tensor<?xf8E5M2>
}
