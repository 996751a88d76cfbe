"""Runs a manifest whose kernel finds a wrong extent, by the reader that the repository has: wrong_manifest.py READER'S-FOLDER FOLDER."""
import os
import sys

import numpy as np

sys.path.insert(0, sys.argv[1])
import run_manifest

folder = sys.argv[2]
np.save(os.path.join(folder, "input.0.npy"), np.arange(9, dtype=np.float32))
for extent in (4, 5, 10):
    np.save(os.path.join(folder, "input.1.npy"), np.array([extent]))
    try:
        print(extent, run_manifest.run(run_manifest.Driver(), folder, "cast", 1)[0])
    except RuntimeError as error:
        print(extent, error)
