# ===- compiler.py - pit-compile in a child process -------------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""`pit-compile` in a child process: the compiler never runs in the user's."""

import functools
import logging
import os
import shutil
import struct
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

from .errors import CompileError, Error, compile_error, parse_diagnostics
from .targets import Target
from .version import __version__

log = logging.getLogger("pit_mlir")

# When a long compilation says that it is still there, in seconds.
FIRST_WORD, NEXT_WORD = 10, 30


@dataclass(frozen=True)
class Options:
    """How a program is compiled.

    target           see `targets.resolve`
    entry            the function to compile; all public ones where it is None
    strict           do not compact floating-point sums
    finite           live data is finite, so that 0 * x = 0
    dense            compile the dense reference: nothing is skipped
    short_segments   expect experts or sequences of less than about 256 rows (CUDA)
    f32_products     "simt", "tf32" or "tf32x3" (CUDA)
    dense_variants   take the dense op where it would take less time (CPU)
    pipeline         more options of the target's pipeline, as pit-opt has them
    """

    target: Target
    entry: str = None
    strict: bool = False
    finite: bool = True
    dense: bool = False
    short_segments: bool = False
    f32_products: str = None
    dense_variants: bool = True
    pipeline: str = ""
    timeout: float = field(default=None, compare=False)

    def flags(self):
        flags = self.target.flags()
        if self.entry:
            flags.append("--entry=" + self.entry)
        if self.strict:
            flags.append("--strict")
        if not self.finite:
            flags.append("--finite=false")
        if self.dense:
            flags.append("--dense")
        if self.short_segments:
            flags.append("--short-segments")
        if self.f32_products:
            flags.append("--f32-products=" + self.f32_products)
        if not self.dense_variants:
            flags.append("--no-dense-variants")
        if self.pipeline:
            flags.append("--pipeline-options=" + self.pipeline)
        return flags

    def identity(self):
        """What a cached program depends on, as text that is the same on every machine."""
        return "\n".join([self.target.identity()] + self.flags()[len(self.target.flags()) :])


def find_compiler():
    """The path of pit-compile, or None: what PIT_MLIR_COMPILER names, what the wheel brought
    along, the first in PATH."""
    named = os.environ.get("PIT_MLIR_COMPILER")
    if named:
        return named if os.access(named, os.X_OK) else None
    beside = _bundled()
    return beside if os.access(beside, os.X_OK) else shutil.which("pit-compile")


def _bundled():
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "pit-compile")


def identity():
    """The compiler as a cache sees it. That of the package is its version, so that a cache can be
    carried to a machine that cannot compile; another one is recognised by its build."""
    named = os.environ.get("PIT_MLIR_BUILD")
    if named:
        return f"{__version__} {named}"
    tool = find_compiler()
    if tool is None or os.path.abspath(tool) == _bundled():
        return __version__
    return f"{__version__} {_build_of(tool, os.stat(tool).st_mtime_ns)}"


@functools.lru_cache(maxsize=8)
def _build_of(path, modified):
    """The build id in an ELF file's notes, or when and how large it is without one."""
    try:
        with open(path, "rb") as file:
            head = file.read(64)
            offset, size, count = struct.unpack_from("<Q", head, 32)[0], *struct.unpack_from("<HH", head, 54)
            for number in range(count):
                file.seek(offset + number * size)
                kind, _, place, _, _, length = struct.unpack("<IIQQQQ", file.read(40))
                if kind != 4:
                    continue
                file.seek(place)
                notes, at = file.read(length), 0
                while at + 12 <= len(notes):
                    names, words, note = struct.unpack_from("<III", notes, at)
                    begin = at + 12 + (names + 3) // 4 * 4
                    if note == 3 and notes[at + 12 : at + 16] == b"GNU\0":
                        return notes[begin : begin + words].hex()
                    at = begin + (words + 3) // 4 * 4
    except (OSError, struct.error):
        pass
    return f"{modified} {os.path.getsize(path)}"


def _wait(child, what, timeout):
    """Waits for the child and returns what it printed; says from time to time that it does."""
    began, word = time.monotonic(), FIRST_WORD
    while True:
        spent = time.monotonic() - began
        if timeout is not None and spent >= timeout:
            child.kill()
            child.communicate()
            raise CompileError(f"compiling {what} took more than {timeout:g} s and was ended")
        until = word - spent if timeout is None else min(word, timeout) - spent
        try:
            return child.communicate(timeout=max(until, 0.01))[0]
        except subprocess.TimeoutExpired:
            if time.monotonic() - began >= word:
                log.warning("still compiling %s (%d s)", what, round(time.monotonic() - began))
                word += NEXT_WORD


def card():
    """What `pit-compile` plans kernels by where `PIT_CARD` names a database of a card or a folder of those: its name
    and the files' bytes. Nothing where it does not."""
    named = os.environ.get("PIT_CARD")
    if not named:
        return []
    paths = [named]
    if os.path.isdir(named):
        paths = sorted(os.path.join(named, name) for name in os.listdir(named) if name.endswith(".json"))
    parts = ["card", named]
    for path in paths:
        try:
            with open(path, "rb") as file:
                parts += [path, file.read()]
        except OSError:
            pass  # The name of a card; or the compiler says what is wrong.
    return parts


def run(source, options, output, explanation=None):
    """Compiles `source` (text or bytes of MLIR) to the shared object `output`, and returns the
    diagnostics that are no errors. `explanation` is a file for what became of each op.

    Raises CompileError, and OSError where the output cannot be written.
    """
    tool = find_compiler()
    if tool is None:
        raise Error("pit-compile is not there: install the wheel, or name it in PIT_MLIR_COMPILER")
    from .runtime import find_runtime

    data = source.encode() if isinstance(source, str) else source
    text = source if isinstance(source, str) else source.decode("utf-8", "replace")
    with tempfile.TemporaryFile() as stdin:
        stdin.write(data)
        stdin.seek(0)
        command = [tool, "-", "-o", output, "--header=" + output + ".h", "--runtime=" + find_runtime()]
        command += options.flags() + (["--explain=" + explanation] if explanation else [])
        with subprocess.Popen(
            command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        ) as child:
            try:
                printed = _wait(child, f"{options.entry or 'a program'} for {options.target}", options.timeout)
            except BaseException:
                child.kill()
                raise
    if child.returncode:
        if "cannot write" in printed or "No space left" in printed:
            raise OSError(printed.strip().splitlines()[-1])
        raise compile_error(printed, text, child.returncode)
    return parse_diagnostics(printed, text)
