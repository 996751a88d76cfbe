# ===- processes.py - Cases of a benchmark in processes of their own ----------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------------===#
"""Cases of a benchmark in processes of their own, which prepare together and are timed one after the other.

A process prints the line "ready" when nothing but timing is left, then reads a line, and ends with a line of JSON. It may end without asking."""

import json
import subprocess
import tempfile
import threading
import time


class _Process:
    def __init__(self, command):
        self.errors = tempfile.TemporaryFile("w+", errors="replace")
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True, errors="replace")
        self.lines, self.is_ready = [], threading.Event()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.child.stdout:
            if line.strip() == "ready":
                self.is_ready.set()
            elif line.strip():
                self.lines.append(line.strip())
        self.is_ready.set()

    def finish(self, timeout):
        """Has it go on to its end; what it reports, or {"error": why there is nothing}."""
        try:
            try:
                self.child.stdin.write("go\n")
                self.child.stdin.close()
            except OSError:  # It ended before.
                pass
            self.child.wait(timeout)
        except subprocess.TimeoutExpired:
            return self.end(f"took more than {timeout:.0f} s")
        self.reader.join(10)
        if self.child.returncode:
            self.errors.seek(0)
            return {"error": f"the process ended with {self.child.returncode}: {self.errors.read().strip()[-800:]}"}
        try:
            return json.loads(self.lines[-1])
        except (ValueError, IndexError):
            return {"error": f"the process printed no report: {self.lines[-1:]}"}

    def end(self, why):
        self.child.kill()
        self.child.wait()
        return {"error": why}


def run(commands, together, each_s, deadline_s):
    """Yields (name, report) of each command of a dictionary. So many processes prepare at the same time; only when all of these have is one after the
    other timed, so that the others sleep. A process has `each_s` seconds to prepare, and as many to be timed; `deadline_s` after the start
    what is not ready is given up."""
    began, names = time.monotonic(), list(commands)
    for first in range(0, len(names), together):
        chosen = {name: _Process(commands[name]) for name in names[first : first + together]}
        until = min(time.monotonic() + each_s, began + deadline_s)
        prepared = {name: process.is_ready.wait(max(0, until - time.monotonic())) for name, process in chosen.items()}
        late = {name: process.end("was not ready in time") for name, process in chosen.items() if not prepared[name]}
        for name, process in chosen.items():
            yield name, late.get(name) or process.finish(each_s)
