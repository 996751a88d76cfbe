"""Takes files that nobody wrote for PIT apart into programs of one function each, with the functions that it calls.

Upstream's own parser prints every chunk of a file, so that aliases, comments and RUN lines are gone. A function is taken where it is a
whole program on tensors: it verifies, its arguments and results are ranked tensors and numbers, it has only ops of upstream's
dialects on tensors and numbers, and all that it calls is there.
"""

import collections
import re
import subprocess
import tempfile

from mlir_files import read_files

DIALECTS = {"affine", "arith", "bufferization", "builtin", "cf", "complex", "func", "index", "linalg", "math", "scf", "tensor", "ub"}
OTHER_TYPES = re.compile(r"memref<|vector<|tensor<\*|!\w|tuple<|#sparse_tensor")
OP = re.compile(r'"([a-zA-Z_]\w*)((?:\.[\w$]+)*)"(?:\(|<)')
ATTRIBUTE = re.compile(r'#"?([a-zA-Z_]\w*)"?[.<]')

Program = collections.namedtuple("Program", "name text ops")


def print_chunks(mlir_opt, chunks, arguments):
    """What upstream prints of each chunk, None of those that do not verify."""
    if not chunks:
        return []
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write("\n// -----\n".join(chunks))
        file.flush()
        try:
            done = subprocess.run([mlir_opt, "--allow-unregistered-dialect", "--mlir-print-local-scope", "--split-input-file", *arguments,
                                   file.name], capture_output=True, timeout=60 + len(chunks), check=False)
            printed = done.stdout.decode(errors="replace").split("// -----\n")
        except subprocess.TimeoutExpired:
            printed = []
    if len(printed) == len(chunks):
        return [text if text.strip() else None for text in printed]
    # Upstream crashed or did not end.
    return [None] if len(chunks) == 1 else [text for chunk in chunks for text in print_chunks(mlir_opt, [chunk], arguments)]


def split_module(text):
    """The ops of a printed module: they start at the second column of indentation, and end before the next one."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if re.match(r'module|"builtin\.module"', line)), None)
    if start is None:
        return []
    parts = []
    for line in lines[start + 1:]:
        if re.match(r"  [^ })^]", line):
            parts.append([line])
        elif parts and not line.startswith("}"):
            parts[-1].append(line)
    return ["\n".join(part) + "\n" for part in parts]


def split_text(chunk):
    """The functions of a chunk that does not verify as a whole, by its text: from the first column to a brace in the first column."""
    aliases = "".join(re.findall(r"^[#!][\w-]+ = .*\n(?:[ \t]+.*\n|[}\])].*\n)*", chunk, re.M))
    for match in re.finditer(r"^func\.func .*\n(?:(?!\}).*\n)*\}.*$", chunk, re.M):
        yield aliases + match.group(0) + "\n"


def why_not(generic, symbols):
    """Why a function is no whole program on tensors; None where it is one."""
    if OTHER_TYPES.search(generic):
        return "other types"
    if any(dialect not in DIALECTS for dialect in ATTRIBUTE.findall(generic)):
        return "attributes of others"
    if "tensor<" not in generic:
        return "no tensor"
    for dialect, name in OP.findall(generic):
        if dialect not in DIALECTS:
            return f"dialect {dialect}" if dialect in ("transform", "vector", "shape", "tosa", "gpu", "memref", "spirv", "llvm", "test") else "other ops"
    for callee in re.findall(r"callee = @([\w$.-]+)", generic):
        if callee not in symbols or "({\n  }) : () -> ()" in symbols[callee][1]:
            return "calls what is elsewhere"
    return None


def called(name, symbols):
    """A function and all that it calls, each once."""
    found, todo = [], [name]
    while todo:
        current = todo.pop()
        if current in found:
            continue
        found.append(current)
        todo += [callee for callee in re.findall(r"@([\w$.-]+)", symbols[current][1]) if callee in symbols]
    return found


def programs_of_module(pretty, generic, skipped):
    """The programs of a module that verifies, as upstream prints it in both forms."""
    parts, generic_parts = split_module(pretty), split_module(generic or "")
    if len(parts) != len(generic_parts):
        skipped["no function"] += 1
        return
    symbols = {}
    for part, generic_part in zip(parts, generic_parts):
        match = re.match(r"  func\.func (?:private |public |nested )?@([\w$.-]+)", part)
        if match:
            symbols[match.group(1)] = (part, generic_part)
    for name, (text, generic_part) in symbols.items():
        if "({\n  }) : () -> ()" in generic_part:
            continue
        names = called(name, symbols)
        everything = "".join(symbols[other][1] for other in names)
        reason = why_not(everything, symbols)
        if reason:
            skipped[reason] += 1
            continue
        first = re.sub(r"func\.func (private|nested) ", "func.func ", text, count=1)
        rest = [re.sub(r"func\.func (?:public |nested |private |)@", "func.func private @", symbols[other][0], count=1) for other in names[1:]]
        program = "module {\n" + first + "".join(rest) + "}\n"
        yield Program(name, program, {dialect + rest for dialect, rest in OP.findall(everything)})


def programs_of_file(mlir_opt, text, skipped):
    """The programs of a file with the numbers of their chunks."""
    chunks = []
    for number, chunk in enumerate(re.split(r"^// ?-----.*$", text, flags=re.M)):
        if "expected-error" in chunk:
            skipped["expects an error"] += 1
        elif "func.func" in chunk:
            chunks.append((number, chunk))
    modules = print_chunks(mlir_opt, [chunk for _, chunk in chunks], [])
    # One function that upstream no longer takes is no reason to leave its neighbours out.
    parts = []
    for (number, chunk), pretty in zip(chunks, modules):
        if pretty is None:
            parts += [(number, part) for part in split_text(chunk) if part.strip() != chunk.strip()] or [(number, None)]
    skipped["does not verify"] += sum(part is None for _, part in parts)
    parts = [(number, part) for number, part in parts if part is not None]
    pieces = print_chunks(mlir_opt, [part for _, part in parts], [])
    skipped["does not verify"] += pieces.count(None)
    valid = [(number, chunk, pretty) for (number, chunk), pretty in zip(chunks + parts, modules + pieces) if pretty is not None]
    generic = print_chunks(mlir_opt, [chunk for _, chunk, _ in valid], ["--mlir-print-op-generic"])
    for (number, _, pretty), generic_text in zip(valid, generic):
        for program in programs_of_module(pretty, generic_text, skipped):
            yield number, program


def read_programs(mlir_opt, paths, skipped):
    """(file and number of the chunk, program) of each function below some folders that is a whole program; counts the others by why
    they are none. Functions that differ by name alone are taken once."""
    seen = set()
    for file, text in read_files(paths):
        for number, program in programs_of_file(mlir_opt, text, skipped):
            key = re.sub(r"@[\w$.-]+", "@", program.text)
            if key in seen:
                skipped["twice"] += 1
                continue
            seen.add(key)
            yield f"{file}#{number}", program
