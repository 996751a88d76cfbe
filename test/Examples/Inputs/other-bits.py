#!/usr/bin/env python3
"""Stands for a program whose results are never the same."""
import os
import sys

with open(sys.argv[sys.argv.index("--output") + 1] + ".0.npy", "wb") as file:
    file.write(os.urandom(16))
