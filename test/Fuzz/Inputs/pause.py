"""Runs a command, stops all of its processes for a while after a second, and lets them go on: what a machine does that stands
still."""

import os
import signal
import subprocess
import sys
import time

seconds, *command = sys.argv[1:]
process = subprocess.Popen(command, start_new_session=True)
time.sleep(1)
os.killpg(process.pid, signal.SIGSTOP)
time.sleep(float(seconds))
os.killpg(process.pid, signal.SIGCONT)
sys.exit(process.wait())
