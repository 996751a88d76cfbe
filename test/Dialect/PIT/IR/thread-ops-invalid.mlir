// RUN: pit-opt %s -split-input-file -verify-diagnostics

func.func @arguments(%n: index) {
  // expected-error @below {{R1: the region takes ('index'), not two indexes: the first iteration and the one behind the last}}
  pit.parallel_range %n by 1 work %n {
  ^bb0(%begin: index):
    %sum = arith.addi %begin, %n : index
  }
  return
}

// -----

func.func @types(%n: index) {
  // expected-error @below {{R1: the region takes ('index', 'i64')}}
  pit.parallel_range %n by 1 work %n {
  ^bb0(%begin: index, %end: i64):
    %sum = arith.addi %begin, %n : index
  }
  return
}

// -----

func.func @multiple(%n: index) {
  // expected-error @below {{R2: parts begin at multiples of 0, which is below 1}}
  pit.parallel_range %n by 0 work %n {
  ^bb0(%begin: index, %end: index):
    %sum = arith.addi %begin, %end : index
  }
  return
}

// -----

func.func @unit(%n: index) {
  // expected-error @below {{R3: has a unit of -2, which is below 1}}
  %rows, %columns = pit.task_extents %n, %n, %n, %n by 6, -2
  return
}
