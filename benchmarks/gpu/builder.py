# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From the text of a program to a directory that the scripts on the machine with the GPU read."""
import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys


def assemble(ptx, cubin=os.devnull, chip="sm_90a", kernels="", stack=False):
    """What the assembler says; empty without one, or where PIT_PTXAS is `none`. Raises on anything that costs speed, in kernels so named: spills,
    advisories about the matrix units and, with `stack`, arrays that are not in registers."""
    ptxas = shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"
    if not os.path.exists(ptxas) or os.environ.get("PIT_PTXAS") == "none":
        return {}
    report = subprocess.run([ptxas, "-arch=" + chip, "-v", ptx, "-o", cubin], check=True, capture_output=True,
                            text=True)
    text = report.stdout + report.stderr
    advisories = re.findall(r"C75\d\d.*", text)
    sizes = rf"(\d+) bytes (?:{'stack frame|' if stack else ''}spill stores|spill loads)"
    functions = re.findall(r"Compiling entry function '(.*?)'(.*?)(?=Compiling|\Z)", text, re.S)
    spills = [int(x) for name, function in functions if kernels in name for x in re.findall(sizes, function)]
    if advisories or any(spills):
        raise RuntimeError(f"{ptx}: {text}")
    return {"registers": [int(x) for x in re.findall(r"Used (\d+) registers", text)]}


def edit_pipeline(pit_opt, pipeline, edits):
    """The argument for pit-opt that runs a pipeline as --dump-pass-pipeline prints it, with options of its passes changed:
    pairs of texts."""
    dump = subprocess.run([pit_opt, pipeline, "--dump-pass-pipeline", "-o", os.devnull], input="module {}", check=True,
                          capture_output=True, text=True).stderr
    text = dump[dump.index("builtin.module("):]
    for before, after in edits:
        if before not in text:
            raise RuntimeError(f"no pass of {pipeline} has the option {before}")
        text = text.replace(before, after)
    return f"--pass-pipeline={text}"


def translate(binaries, module, directory):
    """Writes kernels.ptx and manifest.json of a compiled module."""
    for target, flag in (("kernels.ptx", "--pit-to-ptx"), ("manifest.json", "--pit-to-manifest")):
        subprocess.run([os.path.join(binaries, "pit-translate"), flag, module, "-o", os.path.join(directory, target)], check=True)


class Built:
    """A directory with program.mlir, kernels.ptx and manifest.json; case.json comes with describe(). `edits` are changes
    of options that only passes have, see edit_pipeline."""

    def __init__(self, binaries, directory, program, pipeline="--pit-to-ptx", options="chip=sm_90a", edits=()):
        self.directory = directory
        os.makedirs(directory, exist_ok=True)
        with open(self.path("program.mlir"), "w", encoding="utf-8") as file:
            file.write(program)
        module = self.path("module.mlir")
        pit_opt = os.path.join(binaries, "pit-opt")
        # More options: tests give least-us=0, as products of small shapes would stay dense otherwise.
        passes = f"{pipeline}={options} {os.environ.get('PIT_PIPELINE_OPTIONS', '')}"
        if edits:
            passes = edit_pipeline(pit_opt, passes, edits)
        subprocess.run([pit_opt, self.path("program.mlir"), passes, "-o", module], check=True)
        translate(binaries, module, directory)
        os.remove(module)
        with open(self.path("kernels.ptx"), encoding="utf-8") as file:
            self.ptx = file.read()
        with open(self.path("manifest.json"), encoding="utf-8") as file:
            self.function = json.load(file)["functions"][0]

    def path(self, name):
        return os.path.join(self.directory, name)

    def assemble(self, cubin=True, **options):
        """As above; with `cubin`, leaves what the driver loads faster than PTX."""
        return assemble(self.path("kernels.ptx"), self.path("kernels.cubin") if cubin else os.devnull, **options)

    def describe(self, **case):
        with open(self.path("case.json"), "w", encoding="utf-8") as file:
            json.dump(case, file)


def write_sum(a, b, wide, size, element, stored_km=False, transposed=False):
    """The product of %a and %b in f32, summed up from %zero, as %s; `size` are the dynamic extents of its type `wide`. A is
    stored [k, m] or [m, k], B `transposed` as [n, k] or else as [k, n]."""
    return f"""  %e = tensor.empty({size}) : {wide}
  %z = linalg.fill ins(%zero : f32) outs(%e : {wide}) -> {wide}
  %s = linalg.generic {{
      indexing_maps = [affine_map<(i, j, k) -> ({'k, i' if stored_km else 'i, k'})>,
                       affine_map<(i, j, k) -> ({'j, k' if transposed else 'k, j'})>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%a, %b : {a}, {b}) outs(%z : {wide}) {{
  ^bb0(%x: {element}, %y: {element}, %o: f32):
    %xf = arith.extf %x : {element} to f32
    %yf = arith.extf %y : {element} to f32
    %p = arith.mulf %xf, %yf : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  }} -> {wide}"""


def chosen(names, cases):
    """The cases of these names, all without one. A name may be a pattern, `decode-*`; one behind a `!` leaves cases out, of all cases
    where it comes first. Exits with a message for what names none."""
    found = list(cases) if not names or names[0].startswith("!") else []
    for name in names:
        some = fnmatch.filter(cases, name.removeprefix("!"))
        if not some:
            sys.exit(f"no such case: {name}; there are {', '.join(cases)}")
        if name.startswith("!"):
            found = [case for case in found if case not in some]
        else:
            found += [case for case in some if case not in found]
    return found


def main(description, cases, build):
    """BIN OUT [NAME...]: calls build(BIN, OUT, name) for each."""
    if len(sys.argv) < 3 or {"-h", "--help"} & set(sys.argv[1:]):
        print(description)
        sys.exit(0 if {"-h", "--help"} & set(sys.argv[1:]) else 2)
    binaries, out, *names = sys.argv[1:]
    for name in chosen(names, cases):
        build(binaries, out, name)
