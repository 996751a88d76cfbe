"""Compares the rules that an example derives with test/Examples/rules.json: rules.py NAME < IR with `pit.rules`.

    rules.py --write JSON NAME < IR      enters what is derived now
    rules.py --found NAME < IR           the same ops, patterns, kinds of axes and micro-tiles, whatever the reason

An entry is [line, kind and reason, PIT-axis, micro-tile]; the order is that of the program.
"""

import json
import os
import re
import sys


def derived(text):
    places = {}
    for alias, body in re.findall(r"^(#loc\d*) = loc\((.*)\)$", text, flags=re.M):
        places[alias] = body
    rules = []
    for entry in re.findall(r"\{axes = array<i64: [^>]*>, axis = [^}]*\}", text):
        field = lambda pattern: re.search(pattern, entry).group(1)
        place = field(r"loc = (#loc\d*|loc\(.*?\))")
        while not re.search(r'":\d+:', place):
            place = places[re.search(r"#loc\d*", place).group(0)]
        tile = field(r"micro_tile = array<i64: ([^>]*)>").replace(", ", "x")
        line = int(re.search(r'":(\d+):', place).group(1))
        rules.append([line, field(r'kind = "([^"]*)"'), field(r'axis = "([^"]*)"'), tile])
    return rules


def main():
    table = os.path.join(os.path.dirname(__file__), "..", "rules.json")
    with open(table, encoding="utf-8") as file:
        expected = json.load(file)
    name, found = sys.argv[-1], derived(sys.stdin.read())
    if sys.argv[1] == "--write":
        expected[name] = found
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            entries = [f"{json.dumps(key)}: [\n  " + ",\n  ".join(map(json.dumps, rules)) + "]"
                       for key, rules in sorted(expected.items())]
            file.write("{\n" + ",\n".join(entries) + "\n}\n")
        return
    known = expected.get(name)
    if sys.argv[1] == "--found":
        # A mark that is found may lie in front of the op that the written one lies behind, and with more axes of extent 1.
        known, found = ([[line, kind.split(",")[0], axis.split()[-1], tile] for line, kind, axis, tile in rules] for rules in (known, found))
    if found != known:
        show = lambda rules: "\n".join(f"  {rule}" for rule in rules or ["none"])
        sys.exit(f"{name}: expected the rules\n{show(known)}\nbut got\n{show(found)}")


main()
