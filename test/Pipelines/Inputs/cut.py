"""Cuts a pipeline, as --dump-pass-pipeline prints it, before some passes: cut.py DUMP PREFIX [PASS...].

Part N goes to PREFIX.N as a response file for pit-opt.
"""

import sys


def main():
    dump, prefix, cuts = sys.argv[1], sys.argv[2], sys.argv[3:]
    text = open(dump).read()
    text = " ".join(text[text.index("builtin.module(") :].split())
    body = text[len("builtin.module(") : text.rindex(")")]
    parts, depth, current = [[]], 0, ""
    for c in body + ",":
        depth += (c in "({") - (c in ")}")
        if c != "," or depth:
            current += c
            continue
        if any(cut in current for cut in cuts):
            parts.append([])
        parts[-1].append(current.strip())
        current = ""
    if len(parts) != len(cuts) + 1:
        sys.exit(f"{len(parts) - 1} cuts instead of {len(cuts)} in: {text}")
    for i, passes in enumerate(parts):
        with open(f"{prefix}.{i}", "w") as file:
            file.write(f'"--pass-pipeline=builtin.module({", ".join(passes)})"\n')


main()
