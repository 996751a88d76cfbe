// On a CPU, the program takes the dense op where little is dead, unless it is asked not to have it. Nothing else changes from
// compilation to compilation.

// RUN: rm -rf %t && mkdir %t
// RUN: pit-compile %examples/sparse_matmul_k.mlir -o %t/first.o
// RUN: pit-compile %examples/sparse_matmul_k.mlir -o %t/again.o
// RUN: cmp %t/first.o %t/again.o
// RUN: pit-compile %examples/sparse_matmul_k.mlir --no-dense-variants -o %t/without.o
// RUN: not cmp -s %t/first.o %t/without.o
