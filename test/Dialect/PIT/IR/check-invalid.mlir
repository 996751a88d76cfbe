// RUN: pit-opt %s -split-input-file -verify-diagnostics

func.func private @checks(%a: index, %b: index) {
  %same = arith.cmpi eq, %a, %b : index
  // expected-error @below {{Q1: the message has one line and is not empty}}
  pit.check %same, ""(%a, %b)
  return
}

// -----

func.func private @checks(%a: index, %b: index) {
  %same = arith.cmpi eq, %a, %b : index
  // expected-error @below {{Q1: the message has one line and is not empty}}
  pit.check %same, "a\nb"(%a, %b)
  return
}
