// Products of narrow numbers take as many steps at once as an instruction of the CPU does.
// DEFINE: %{convert} = pit-opt %s --split-input-file
// RUN: %{convert} --convert-contractions-to-cpu="features=avx512f,avx512vl,avx512bw,avx512vnni,avx512bf16" | FileCheck %s
// RUN: %{convert} --convert-contractions-to-cpu="features=avx512vnni,avx512vl,avx512bw,avx512bf16 vector-bits=256" | FileCheck %s --check-prefix=HALF
// RUN: %{convert} --convert-contractions-to-cpu="features=avx2" | FileCheck %s --check-prefix=PAIRS
// RUN: %{convert} --convert-contractions-to-cpu="features=avx2,avxvnni" | FileCheck %s --check-prefix=VNNI
// RUN: %{convert} --convert-contractions-to-cpu="features=avx512f,avx512bf16 strict" | FileCheck %s --check-prefix=PLAIN
// RUN: %{convert} --convert-contractions-to-cpu | FileCheck %s --check-prefix=PLAIN
// RUN: %{convert} --convert-contractions-to-cpu="features=avx512vnni,avx512bf16 vector-bits=256" | FileCheck %s --check-prefix=PLAIN

// PLAIN-NOT: llvm.call_intrinsic

// Both have signs: 128 is added to the bytes of A, and subtracted with the sums of columns of B.

// CHECK-LABEL: func @bytes
// CHECK:         memref.alloc() {{.*}} : memref<147456xi8>
// CHECK:         memref.view {{.*}} to memref<36864xi32>
// CHECK:         vector.maskedload {{.*}} vector<16xi8>
// CHECK-COUNT-3: arith.shli {{.*}} vector<16xi32>
// CHECK-COUNT-26: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"{{.*}} : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
// CHECK-NOT:     llvm.call_intrinsic
// HALF-LABEL: func @bytes
// HALF:         "llvm.x86.avx512.vpdpbusd.256"{{.*}} : (vector<8xi32>, vector<32xi8>, vector<32xi8>) -> vector<8xi32>
// PAIRS-LABEL: func @bytes
// PAIRS-NOT:     vector.maskedload
// PAIRS:         arith.extsi {{.*}} : i8 to i32
// PAIRS-COUNT-12: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"{{.*}} : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
// VNNI-LABEL: func @bytes
// VNNI:         "llvm.x86.avx512.vpdpbusd.256"
// PLAIN-LABEL: func @bytes
// PLAIN:         arith.muli {{.*}} vector<{{8|16}}xi32>
func.func @bytes(%a: memref<?x?xi8>, %b: memref<?x?xi8>, %c: memref<?x?xi32>) {
  linalg.matmul ins(%a, %b : memref<?x?xi8>, memref<?x?xi8>) outs(%c : memref<?x?xi32>)
  return
}

// -----

// None has a sign: there is no instruction for four.

// CHECK-LABEL: func @without_signs
// CHECK-COUNT-24: llvm.call_intrinsic "llvm.x86.avx512.vpdpwssd.512"{{.*}} : (vector<16xi32>, vector<32xi16>, vector<32xi16>) -> vector<16xi32>
// CHECK-NOT:     llvm.call_intrinsic
// PAIRS-LABEL: func @without_signs
// PAIRS:         llvm.x86.avx2.pmadd.wd
// VNNI-LABEL: func @without_signs
// VNNI:         llvm.x86.avx512.vpdpwssd.256
// PLAIN-LABEL: func @without_signs
func.func @without_signs(%a: memref<?x?xi8>, %b: memref<?x?xi8>, %c: memref<?x?xi32>) {
  linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : memref<?x?xi8>, memref<?x?xi8>) outs(%c : memref<?x?xi32>)
  return
}

// -----

// One word of three steps at most: half a word is padded.

// CHECK-LABEL: func @halves
// CHECK:         arith.constant -0.000000e+00 : bf16
// CHECK-COUNT-24: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"{{.*}} : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
// HALF-LABEL: func @halves
// HALF:         "llvm.x86.avx512bf16.dpbf16ps.256"
// PAIRS-LABEL: func @halves
// PAIRS-NOT:     llvm.call_intrinsic
// PAIRS:         vector.fma
// PLAIN-LABEL: func @halves
// PLAIN:         vector.fma
func.func @halves(%a: memref<24x3xbf16>, %b: memref<3x64xbf16>, %c: memref<24x64xf32>) {
  linalg.matmul ins(%a, %b : memref<24x3xbf16>, memref<3x64xbf16>) outs(%c : memref<24x64xf32>)
  return
}

// -----

// Windows are columns where channels come first.

// CHECK-LABEL: func @windows
// CHECK:         vector.create_mask
// CHECK:         vector.maskedstore
// CHECK:         llvm.x86.avx512bf16.dpbf16ps.512
// PLAIN-LABEL: func @windows
func.func @windows(%x: memref<2x4x10x10xbf16>, %w: memref<8x4x3x3xbf16>, %y: memref<2x8x8x8xf32>) {
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<2x4x10x10xbf16>, memref<8x4x3x3xbf16>) outs(%y : memref<2x8x8x8xf32>)
  return
}

// -----

// f16 has no instruction, nor have i16 without a sign, nor sums in i64.

// CHECK-LABEL: func @others
// CHECK-NOT:     llvm.call_intrinsic
// PLAIN-LABEL: func @others
func.func @others(%a: memref<8x8xf16>, %b: memref<8x8xf16>, %c: memref<8x8xf32>, %d: memref<8x8xi16>, %e: memref<8x8xi32>,
                  %f: memref<8x8xi8>, %g: memref<8x8xi64>) {
  linalg.matmul ins(%a, %b : memref<8x8xf16>, memref<8x8xf16>) outs(%c : memref<8x8xf32>)
  linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%d, %d : memref<8x8xi16>, memref<8x8xi16>) outs(%e : memref<8x8xi32>)
  linalg.matmul ins(%f, %f : memref<8x8xi8>, memref<8x8xi8>) outs(%g : memref<8x8xi64>)
  return
}
