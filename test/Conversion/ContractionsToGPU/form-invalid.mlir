// RUN: not pit-opt %s --pit-form-kernels=chip=sm_1 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: {{.*}}sm_1
// RUN: not pit-opt %s --pit-form-kernels=f32-products=bf16 2>&1 | FileCheck %s --check-prefix=F32
// F32: error: f32-products must be simt, tf32 or tf32x3, not bf16

func.func @nothing() {
  return
}
