// RUN: not pit-opt %s -convert-contractions-to-mma="max-blocks=0" 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: not pit-opt %s -convert-contractions-to-mma="shared-memory=-1" 2>&1 | FileCheck %s --check-prefix=SHARED

// BLOCKS: error: max-blocks must be positive, not 0
// SHARED: error: shared-memory must not be negative, not -1
module {
  func.func @nothing() {
    return
  }
}
