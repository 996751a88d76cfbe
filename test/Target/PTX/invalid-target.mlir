// RUN: not pit-opt %s --pit-to-ptx="chip=sm_42" 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not pit-opt %s --pit-to-ptx="chip=sm_90a features=+ptx75" 2>&1 | FileCheck %s --check-prefix=PAIR
// RUN: not pit-opt %s --pit-to-ptx="chip=sm_80 features=fast" 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not pit-translate --pit-to-ptx %s 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not pit-translate --pit-to-manifest %s 2>&1 | FileCheck %s --check-prefix=NONE

// CHIP: error: unknown chip 'sm_42'; known are: sm_75, sm_80, {{.*}}sm_90a
// PAIR: error: 'sm_90a' does not go with the features '+ptx75'; possible is one of: +ptx80, +ptx81
// WORD: error: 'sm_80' does not go with the features 'fast'; possible is one of: +ptx70
// EMPTY: error: no gpu.binary and no gpu.module to take PTX from
// NONE: has 0 GPU modules or binaries with kernels
func.func @main() {
  return
}
