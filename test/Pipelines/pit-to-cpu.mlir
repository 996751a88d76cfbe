// What --dump-pass-pipeline prints can be run again, options and all.
// RUN: pit-opt %examples/masked_attention.mlir --pit-to-cpu="tile-size=64 instrument" --dump-pass-pipeline > %t.once 2> %t.dump
// RUN: %python %S/Inputs/cut.py %t.dump %t && FileCheck %s --input-file=%t.dump --check-prefix=DUMP
// RUN: pit-opt %examples/masked_attention.mlir @%t.0 > %t.again && diff %t.once %t.again
// RUN: FileCheck %s --input-file=%t.once

// DUMP: pit-tile-rules{tile-size=64}
// DUMP: pit-time-rules
// DUMP: pit-lower-detect{instrument=true}
// CHECK: llvm.call @pit_rt_record_index
// CHECK-NOT: pit.detect

// RUN: pit-opt %examples/moe_dense_einsum.mlir --pit-to-loops="strict finite=false" --dump-pass-pipeline > %t.once 2> %t.dump
// RUN: %python %S/Inputs/cut.py %t.dump %t && FileCheck %s --input-file=%t.dump --check-prefix=STRICT
// RUN: pit-opt %examples/moe_dense_einsum.mlir @%t.0 > %t.again && diff %t.once %t.again

// STRICT: convert-linalg-to-pit{finite=false kernels=false least-us=0.000000e+00 list-kernels=true number-only=false regions=true strict=true}

// Dense variants are chosen between rules and tiles.
// RUN: pit-opt %examples/sparse_matmul_k.mlir --pit-to-cpu --dump-pass-pipeline > %t.once 2> %t.dump
// RUN: %python %S/Inputs/cut.py %t.dump %t && FileCheck %s --input-file=%t.dump --check-prefix=VARIANTS
// RUN: pit-opt %examples/sparse_matmul_k.mlir @%t.0 > %t.again && diff %t.once %t.again
// RUN: pit-opt %examples/sparse_matmul_k.mlir --pit-to-cpu="dense-variants=false finite=false" --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=NO-VARIANTS
// VARIANTS: convert-linalg-to-pit
// VARIANTS: pit-add-dense-variants{database= finite=true sample=true}
// VARIANTS: pit-tile-rules
// NO-VARIANTS: convert-linalg-to-pit
// NO-VARIANTS-NOT: pit-add-dense-variants
// NO-VARIANTS: pit-tile-rules
// NO-VARIANTS-NOT: pit-add-dense-variants

// The dense reference has no rules.
// RUN: pit-opt %examples/moe_dense_einsum.mlir --pit-to-loops=dense --dump-pass-pipeline 2> %t.dump | FileCheck %s --check-prefix=DENSE --implicit-check-not=pit.
// RUN: FileCheck %s --input-file=%t.dump --check-prefix=NO-RULES --implicit-check-not=convert-linalg-to-pit
// DENSE: func.func @main
// NO-RULES: pit-normalize
// NO-RULES: pit-lower-sparse
