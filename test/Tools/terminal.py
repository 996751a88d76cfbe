#===- terminal.py - Runs a command whose output is a terminal --------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
"""terminal.py COMMAND ARGUMENT...: prints what it writes, escapes as <ESC>."""

import os
import pty
import sys

text = b""

os.environ["TERM"] = "xterm-256color"
pid, descriptor = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
try:
    while True:
        part = os.read(descriptor, 1 << 16)
        if not part:
            break
        text += part
except OSError:
    pass
_, status = os.waitpid(pid, 0)
print(text.decode().replace("\r\n", "\n").replace("\x1b", "<ESC>"), end="")
sys.exit(os.waitstatus_to_exitcode(status))
