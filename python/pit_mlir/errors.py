# ===- errors.py - What goes wrong, as one hierarchy of exceptions ----------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""What goes wrong, as one hierarchy of exceptions.

Everything that this package raises on purpose is an `Error`. Compiler messages are read back
into `Diagnostic`s, so that a caller has the op's name and the line of the source.
"""

import re
from dataclasses import dataclass


def count_of(number, word):
    """A number of things as a message says it: "1 input", "2 inputs"."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


class Error(Exception):
    """The base of all exceptions of this package."""


class ArgumentError(Error, ValueError):
    """A call's argument has the wrong type, rank, extent, element type or device."""


class DeviceError(Error, RuntimeError):
    """There is no such device, no driver, or the device reports an error."""


class ExecutionError(Error, RuntimeError):
    """A compiled program reports an error of its own, such as an index out of range.

    `status` is the number of `pit_status` in pit_runtime.h.
    """

    def __init__(self, message, status=0):
        super().__init__(message)
        self.status = status


class OutOfMemoryError(ExecutionError, MemoryError):
    """A program, or a device, has not the memory that a call takes."""


class ImporterError(Error, RuntimeError):
    """A model could not be turned into MLIR. `op` is the operation in the way, or None."""

    def __init__(self, message, op=None):
        super().__init__(message)
        self.op = op


@dataclass(frozen=True)
class Diagnostic:
    """One message of the compiler: `severity` is "error", "warning", "remark" or "note";
    `line` and `column` count from 1, and are 0 where the place is not known."""

    severity: str
    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    source_line: str = ""

    @property
    def op(self):
        """The op that the message names, such as "linalg.matmul", or None."""
        found = re.search(r"'([a-z_]+\.[a-z_0-9.]+)'", self.message)
        return found.group(1) if found else None


class CompileError(Error):
    """A program does not compile.

    `diagnostics` has all messages, `op`, `line` and `source_line` those of the first error.
    """

    def __init__(self, message, diagnostics=()):
        super().__init__(message)
        self.diagnostics = list(diagnostics)
        first = next((d for d in self.diagnostics if d.severity == "error"), None)
        self.op = first.op if first else None
        self.line = first.line if first else 0
        self.source_line = first.source_line if first else ""


_DIAGNOSTIC = re.compile(r"^(.*?):(\d+):(\d+): (error|warning|remark|note): (.*)$")
_PLAIN = re.compile(r"^(?:[\w-]+: )?(error|warning|remark|note): (.*)$")


def parse_diagnostics(text, source=""):
    """Reads what the compiler printed into a list of `Diagnostic`. `source` is the program,
    for messages that come without the line they are about."""
    lines, found = source.splitlines(), []
    for printed in text.splitlines():
        match = _DIAGNOSTIC.match(printed)
        if match:
            file, line, column, severity, message = match.groups()
            number = int(line)
            quoted = lines[number - 1].strip() if 0 < number <= len(lines) else ""
            found.append(Diagnostic(severity, message, file, number, int(column), quoted))
            continue
        match = _PLAIN.match(printed)
        if match:
            found.append(Diagnostic(match.group(1), match.group(2)))
    return found


def compile_error(text, source="", status=0):
    """The exception for a compiler that ended with `status` and printed `text`."""
    diagnostics = parse_diagnostics(text, source)
    first = next((d for d in diagnostics if d.severity == "error"), None)
    if status < 0:
        import signal

        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = f"signal {-status}"
        message = f"the compiler died of {name}"
        if first:
            message += f" behind: {first.message}"
    elif first is None:
        message = text.strip().splitlines()[-1] if text.strip() else f"the compiler ended with {status}"
    else:
        message = first.message
        if first.line:
            message = f"line {first.line}: {message}"
        if first.source_line:
            message += f"\n  {first.source_line}"
    return CompileError(message, diagnostics)
