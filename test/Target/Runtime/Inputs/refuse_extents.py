"""What a manifest's conditions say of arguments, by the reader that the repository has: refuse_extents.py READER'S-FOLDER MANIFEST."""
import json
import sys

import numpy as np

sys.path.insert(0, sys.argv[1])
import run_manifest

with open(sys.argv[2]) as file:
    (function,) = json.load(file)["functions"]
for rows, live, depth, offset in ((9, 9, 8, 1), (0, 0, 8, 0), (9, 8, 8, 1), (0, 9, 8, 0), (9, 9, 7, 1), (9, 9, 8, 6), (9, 9, 8, -1),
                                  (9, 9, 8, 2**62)):
    inputs = [np.zeros((rows, 8), np.float32), np.zeros(live, np.bool_), np.zeros((depth, 5), np.float32), np.array(offset, np.int64)]
    try:
        run_manifest.refuse_wrong_extents(function, inputs)
        print(rows, live, depth, offset, "accepted")
    except RuntimeError as error:
        print(rows, live, depth, offset, error)
