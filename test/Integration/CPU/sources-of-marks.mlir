// Patterns of every type of numbers, from arguments and computed, as the dense program has it.
// RUN: split-file %s %t
// RUN: %python %t/check.py %t %pit_build/bin/pit-run --check
// On a device, a few of them.
// RUN: %cuda %python %t/check.py %t %pit_build/bin/pit-run --check --target=cuda
// UNSUPPORTED: sanitizer

//--- rows.mlir
// The mask of an argument of numbers.
func.func @main(%a: tensor<?x64xf32> {pit.sparse = {source = "SOURCE", from = 1 : i64, axes = array<i64: 0>, absent = "zero"}},
    %live: tensor<?xTYPE>, %b: tensor<64x32xf32>) -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%m) : tensor<?x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x32xf32>) outs(%z : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %c : tensor<?x32xf32>
}

//--- blocks.mlir
// Bits of blocks as numbers.
func.func @main(%a: tensor<64x128xf32> {pit.sparse = {source = "blocks", from = 1 : i64, axes = array<i64: 0, 1>, absent = "zero",
      granularity = array<i64: 32, 16>}}, %bits: tensor<2x8xTYPE>, %b: tensor<128x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x128xf32>, tensor<128x32xf32>) outs(%z : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %c : tensor<64x32xf32>
}

//--- lengths.mlir
// Lengths in every type.
func.func @main(%a: tensor<?x16x64xf32> {pit.sparse = {source = "lengths", from = 1 : i64, axes = array<i64: 0, 1>, absent = "zero"}},
    %l: tensor<?xTYPE>, %b: tensor<?x64x32xf32>) -> tensor<?x16x32xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x16x64xf32>
  %e = tensor.empty(%m) : tensor<?x16x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16x32xf32>) -> tensor<?x16x32xf32>
  %c = linalg.batch_matmul ins(%a, %b : tensor<?x16x64xf32>, tensor<?x64x32xf32>) outs(%z : tensor<?x16x32xf32>) -> tensor<?x16x32xf32>
  return %c : tensor<?x16x32xf32>
}

//--- computed.mlir
// Rows of an argument that others say are live: where any number of a row is not zero; computed behind what reads the argument.
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @main(%a: tensor<?x64xf32> {pit.sparse = {source = "mask", from = "sums", axes = array<i64: 0>, absent = "zero"}},
    %n: tensor<?x3xTYPE>, %b: tensor<64x32xf32>) -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%m) : tensor<?x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x32xf32>) outs(%z : tensor<?x32xf32>) -> tensor<?x32xf32>
  %none = arith.constant ZERO : TYPE
  %k = tensor.empty(%m) : tensor<?xTYPE>
  %f = linalg.fill ins(%none : TYPE) outs(%k : tensor<?xTYPE>) -> tensor<?xTYPE>
  %s = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%n : tensor<?x3xTYPE>) outs(%f : tensor<?xTYPE>) attrs = {pit.source = "sums"} {
  ^bb0(%x: TYPE, %y: TYPE):
    %t = arith.ADD %x, %y : TYPE
    linalg.yield %t : TYPE
  } -> tensor<?xTYPE>
  return %c : tensor<?x32xf32>
}

//--- check.py
import subprocess, sys

folder, command = sys.argv[1], sys.argv[2:]
onDevice = "--target=cuda" in command


def check(name, replaced, *data):
    text = open(f"{folder}/{name}.mlir").read()
    for word, with_ in replaced.items():
        text = text.replace(word, with_)
    path = f"{folder}/{name}-now.mlir"
    open(path, "w").write(text)
    run = subprocess.run([*command, path, *(f"--random={spec}" for spec in data)], capture_output=True, text=True)
    if run.returncode or not any(word in run.stdout for word in ("bit-identical", "agrees")):
        sys.exit(f"{name} {replaced} {data}: {run.stdout}{run.stderr}")


types = ["i64", "f32"] if onDevice else ["i1", "i8", "i16", "i32", "i64", "index", "f16", "bf16", "f32", "f64", "f8E4M3FN"]
for type in types:
    isFloat = type.startswith(("f", "bf"))
    numbers = "sparse:0.6" if isFloat else "bool:0.4" if type == "i1" else "randint:-1:2"
    for source in ["mask"] if onDevice else ["mask", "routing"]:
        check("rows", {"TYPE": type, "SOURCE": source}, "normal@50x64", numbers + "@50", "normal")
    check("blocks", {"TYPE": type}, "normal", numbers, "normal")
    if type not in ("i1", "index", "f8E4M3FN"):
        add = {"ZERO": "0.0" if isFloat else "0", "ADD": "addf" if isFloat else "addi"}
        check("computed", {"TYPE": type, **add}, "normal@50x64", numbers + "@50x3", "normal")
for type in ["i32"] if onDevice else ["i8", "i16", "i32", "i64", "index"]:
    check("lengths", {"TYPE": type}, "normal@6x16x64", "randint:0:17@6", "normal@6x64x32")
