// RUN: not pit-opt %s -convert-contractions-to-mma="max-blocks=0" 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: not pit-opt %s -convert-contractions-to-mma="shared-memory=-1" 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not pit-opt %s -convert-contractions-to-mma="chip=sm_75" 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not pit-opt %s -convert-contractions-to-mma="f32-products=bf16x9" 2>&1 | FileCheck %s --check-prefix=F32
// RUN: not pit-opt %s -pit-to-ptx="chip=sm_80 f32-products=exact" 2>&1 | FileCheck %s --check-prefix=PIPELINE

// BLOCKS: error: max-blocks must be positive, not 0
// SHARED: error: shared-memory must not be negative, not -1
// OLD: error: chip 'sm_75' is older than sm_80, the first with cp.async and mma.sync of bf16
// F32: error: f32-products must be simt, tf32 or tf32x3, not bf16x9
// PIPELINE: error: f32-products must be simt, tf32 or tf32x3, not exact
module {
  func.func @nothing() {
    return
  }
}
