// RUN: pit-opt %s --pit-expand-small-floats --canonicalize | FileCheck %s

// The smallest normal number is code 8; 120 is 127 - 6 - 1, the difference of exponents; the binade of 2^14 has steps of 2^-9.
// CHECK-LABEL: func @extension(
// CHECK-SAME:    %[[X:.*]]: f8E4M3FN)
// CHECK-DAG:     %[[DIFFERENCE:.*]] = arith.constant 1006632960 : i32
// CHECK-DAG:     %[[POWER:.*]] = arith.constant 1182793728 : i32
// CHECK-DAG:     %[[LAST:.*]] = arith.constant 126 : i32
// CHECK-DAG:     %[[NAN:.*]] = arith.constant 2143289344 : i32
// CHECK:         %[[BYTE:.*]] = arith.bitcast %[[X]] : f8E4M3FN to i8
// CHECK:         arith.extui %[[BYTE]] : i8 to i32
// CHECK:         arith.addi %{{.*}}, %[[DIFFERENCE]]
// CHECK:         arith.ori %[[CODE:.*]], %[[POWER]]
// CHECK:         arith.subf
// CHECK:         %[[IS_NAN:.*]] = arith.cmpi ugt, %[[CODE]], %[[LAST]]
// CHECK:         arith.select %[[IS_NAN]], %[[NAN]]
// CHECK:         %[[RESULT:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK:         return %[[RESULT]]
func.func @extension(%x: f8E4M3FN) -> f32 {
  %y = arith.extf %x : f8E4M3FN to f32
  return %y : f32
}

// With infinities, these come before the NaNs.
// CHECK-LABEL: func @extension_with_infinity(
// CHECK-DAG:     %[[LAST:.*]] = arith.constant 123 : i32
// CHECK-DAG:     %[[INFINITE:.*]] = arith.constant 124 : i32
// CHECK:         arith.cmpi ugt, %{{.*}}, %[[LAST]]
// CHECK:         arith.cmpi ugt, %{{.*}}, %[[INFINITE]]
// CHECK:         %[[WIDE:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK:         arith.truncf %[[WIDE]] : f32 to f16
func.func @extension_with_infinity(%x: f8E5M2) -> f16 {
  %y = arith.extf %x : f8E5M2 to f16
  return %y : f16
}

// bf16 is the upper half of f32.
// CHECK-LABEL: func @extension_to_bf16(
// CHECK-NOT:     arith.truncf
// CHECK:         arith.trunci %{{.*}} : i32 to i16
// CHECK:         arith.bitcast %{{.*}} : i16 to bf16
func.func @extension_to_bf16(%x: f8E4M3FN) -> bf16 {
  %y = arith.extf %x : f8E4M3FN to bf16
  return %y : bf16
}

// CHECK-LABEL: func @extension_of_vectors(
// CHECK:         arith.bitcast %{{.*}} : vector<4xf8E4M3FN> to vector<4xi8>
// CHECK:         arith.subf %{{.*}} : vector<4xf32>
// CHECK:         %[[WIDE:.*]] = arith.bitcast %{{.*}} : vector<4xi32> to vector<4xf32>
// CHECK:         arith.extf %[[WIDE]] : vector<4xf32> to vector<4xf64>
func.func @extension_of_vectors(%x: vector<4xf8E4M3FN>) -> vector<4xf64> {
  %y = arith.extf %x : vector<4xf8E4M3FN> to vector<4xf64>
  return %y : vector<4xf64>
}

// What is more than 448 becomes NaN, code 127.
// CHECK-LABEL: func @rounding(
// CHECK-DAG:     %[[LARGEST:.*]] = arith.constant 126 : i32
// CHECK-DAG:     %[[NAN:.*]] = arith.constant 127 : i32
// CHECK-NOT:     arith.truncf
// CHECK:         arith.bitcast %{{.*}} : f32 to i32
// CHECK:         %[[LARGE:.*]] = arith.cmpi ugt, %[[CODE:.*]], %[[LARGEST]]
// CHECK:         arith.select %[[LARGE]], %[[NAN]], %[[CODE]]
// CHECK:         arith.trunci %{{.*}} : i32 to i8
// CHECK:         arith.bitcast %{{.*}} : i8 to f8E4M3FN
func.func @rounding(%x: f32) -> f8E4M3FN {
  %y = arith.truncf %x : f32 to f8E4M3FN
  return %y : f8E4M3FN
}

// f64 is not rounded to f32 before; f16 and bf16 are f32.
// CHECK-LABEL: func @rounding_of_f64(
// CHECK-NOT:     f32
// CHECK:         arith.trunci %{{.*}} : i64 to i8
// CHECK:         return
func.func @rounding_of_f64(%x: f64) -> f8E5M2 {
  %y = arith.truncf %x : f64 to f8E5M2
  return %y : f8E5M2
}

// CHECK-LABEL: func @rounding_of_16_bits(
// CHECK:         arith.extf %{{.*}} : vector<2xf16> to vector<2xf32>
// CHECK:         arith.trunci %{{.*}} : vector<2xi32> to vector<2xi8>
// CHECK:         arith.extf %{{.*}} : bf16 to f32
// CHECK:         arith.trunci %{{.*}} : i32 to i8
func.func @rounding_of_16_bits(%x: vector<2xf16>, %y: bf16) -> (vector<2xf8E4M3FN>, f8E4M3FN) {
  %0 = arith.truncf %x : vector<2xf16> to vector<2xf8E4M3FN>
  %1 = arith.truncf %y to_nearest_even : bf16 to f8E4M3FN
  return %0, %1 : vector<2xf8E4M3FN>, f8E4M3FN
}

// Each operation is rounded for itself, whatever may be contracted.
// CHECK-LABEL: func @operations(
// CHECK:         arith.addf %{{.*}} : f32
// CHECK:         arith.trunci %{{.*}} : i32 to i8
// CHECK:         arith.mulf %{{.*}} : f32
// CHECK:         arith.trunci %{{.*}} : i32 to i8
// CHECK:         math.fma %{{.*}} : f32
// CHECK:         arith.trunci %{{.*}} : i32 to i8
// CHECK:         math.exp %{{.*}} : f32
// CHECK:         arith.trunci %{{.*}} : i32 to i8
// CHECK:         arith.cmpf olt, %{{.*}} : f32
// CHECK:         arith.sitofp %{{.*}} : i32 to f32
// CHECK:         arith.trunci %{{.*}} : i32 to i8
// CHECK:         arith.fptosi %{{.*}} : f32 to i32
func.func @operations(%x: f8E4M3FN, %y: f8E4M3FN, %n: i32) -> (f8E4M3FN, i1, f8E4M3FN, i32) {
  %0 = arith.addf %x, %y fastmath<contract> : f8E4M3FN
  %1 = arith.mulf %0, %y fastmath<contract> : f8E4M3FN
  %2 = math.fma %1, %x, %y : f8E4M3FN
  %3 = math.exp %2 : f8E4M3FN
  %4 = arith.cmpf olt, %3, %y : f8E4M3FN
  %5 = arith.sitofp %n : i32 to f8E4M3FN
  %6 = arith.fptosi %x : f8E4M3FN to i32
  return %3, %4, %5, %6 : f8E4M3FN, i1, f8E4M3FN, i32
}

// What moves values stays.
// CHECK-LABEL: func @moves(
// CHECK:         arith.constant 1.500000e+00 : f8E4M3FN
// CHECK:         memref.load %{{.*}} : memref<4xf8E4M3FN>
// CHECK:         arith.select %{{.*}} : f8E4M3FN
// CHECK:         memref.store %{{.*}} : memref<4xf8E4M3FN>
// CHECK:         arith.bitcast %{{.*}} : f8E4M3FN to i8
// CHECK-NEXT:    return
func.func @moves(%a: memref<4xf8E4M3FN>, %c: i1, %i: index) -> i8 {
  %0 = arith.constant 1.5 : f8E4M3FN
  %1 = memref.load %a[%i] : memref<4xf8E4M3FN>
  %2 = arith.select %c, %0, %1 : f8E4M3FN
  memref.store %2, %a[%i] : memref<4xf8E4M3FN>
  %3 = arith.bitcast %2 : f8E4M3FN to i8
  return %3 : i8
}
