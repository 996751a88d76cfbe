// Results of entry points that loops and branches yield: their caller knows their extents where these follow from arguments.
// RUN: pit-compile %s -o %t.so
// RUN: pit-run-loaded --load %t.so --entry for --random const:1 --random ones@5 --quiet | FileCheck %s --check-prefix=FOR
// RUN: pit-run-loaded --load %t.so --entry for --random const:0 --random ones@5 --quiet | FileCheck %s --check-prefix=NONE
// RUN: pit-run-loaded --load %t.so --entry while --random const:2 --random ones@5 --quiet | FileCheck %s --check-prefix=WHILE
// RUN: pit-run-loaded --load %t.so --entry if --random const:1 --random ones@5 --random zeros@3 --quiet | FileCheck %s --check-prefix=FOR
// RUN: pit-run-loaded --load %t.so --entry if --random const:0 --random ones@5 --random zeros@3 --quiet | FileCheck %s --check-prefix=OTHER
// RUN: pit-run-loaded --load %t.so --entry same --random const:1@1 --random ones@5 --quiet | FileCheck %s --check-prefix=FOR
// FOR: result 0: 5xf32
// NONE: result 0: 5xf32
// WHILE: result 0: 5xf32
// OTHER: result 0: 3xf32

// One copy, into what the caller allocated.
// RUN: pit-opt %s --pit-tie-results | FileCheck %s --check-prefix=TIE
// TIE-LABEL: func.func @for(
// TIE: %[[LOOP:.*]] = scf.for
// TIE: %[[N:.*]] = tensor.dim %{{.*}}, %{{.*}} : tensor<?xf32>
// TIE: %[[OWN:.*]] = tensor.empty(%[[N]])
// TIE: %[[COPY:.*]] = tensor.insert_slice %[[LOOP]] into %[[OWN]][0] [%[[N]]] [1]
// TIE: return %[[COPY]]
// TIE-LABEL: func.func @if(
// TIE: %[[N:.*]] = arith.select
// TIE: tensor.empty(%[[N]])
// TIE: tensor.insert_slice
func.func @for(%n: index, %x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<?xf32> {
    %s = math.exp %t : tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

func.func @if(%c: i1, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = scf.if %c -> tensor<?xf32> {
    %e = math.exp %x : tensor<?xf32>
    scf.yield %e : tensor<?xf32>
  } else {
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

func.func @while(%n: index, %x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %c0, %t = %x) : (index, tensor<?xf32>) -> (index, tensor<?xf32>) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i, %t : index, tensor<?xf32>
  } do {
  ^bb0(%i: index, %t: tensor<?xf32>):
    %s = math.exp %t : tensor<?xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %s : index, tensor<?xf32>
  }
  return %r#1 : tensor<?xf32>
}

// Which of both, only an element says; they have the same extents.
func.func @same(%w: tensor<1xi1>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c = tensor.extract %w[%c0] : tensor<1xi1>
  %r = scf.if %c -> tensor<?xf32> {
    %e = math.exp %x : tensor<?xf32>
    scf.yield %e : tensor<?xf32>
  } else {
    scf.yield %x : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// Other extents in each iteration, and a branch between others that an element decides: refused by name.
// RUN: split-file %S/Inputs/unknown-results.mlir %t.d
// RUN: not pit-compile %t.d/grows.mlir -o %t.none.so 2>&1 | FileCheck %s --check-prefix=GROWS
// RUN: not pit-compile %t.d/decided.mlir -o %t.none.so 2>&1 | FileCheck %s --check-prefix=GROWS
// GROWS-NOT: error
// GROWS: error: 'func.func' op returns result #0 with extents that are not known from the arguments' extents, so a caller cannot allocate it
// GROWS-NOT: error
