// RUN: not pit-opt %s --pit-split-reductions=chip=sm_1 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: {{.*}}sm_1
// RUN: not pit-opt %s --pit-split-reductions=multiprocessors=-1 2>&1 | FileCheck %s --check-prefix=SMS
// SMS: error: multiprocessors must not be negative, not -1
// RUN: not pit-opt %s --pit-split-reductions=card=rtx 2>&1 | FileCheck %s --check-prefix=CARD
// CARD: error: {{.*}}rtx
func.func private @none()
