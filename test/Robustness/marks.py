"""Puts sparsity marks into the text of MLIR programs: for tests that try programs nobody wrote for PIT."""

import re

TENSOR = re.compile(r"^(%\w+)\s*:\s*tensor<((?:(?:\d+|\?)x)+)((?:f|bf|i)\d+|index)>$")
KINDS = ["values", "mask", "lengths", "routing", "blocks"]


def closing(text, start):
    """Position of the bracket that closes the one at `start`, or -1."""
    depth = 0
    for i in range(start, len(text)):
        if text[i] in "([{<":
            depth += 1
        elif text[i] in ")]}" or (text[i] == ">" and text[i - 1] != "-"):
            depth -= 1
            if depth == 0:
                return i
    return -1


def split(text):
    """Splits at the commas outside all brackets."""
    parts, depth, last = [], 0, 0
    for i, c in enumerate(text):
        if c in "([{<":
            depth += 1
        elif c in ")]}" or (c == ">" and text[i - 1] != "-"):
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[last:i].strip())
            last = i + 1
    parts.append(text[last:].strip())
    return [part for part in parts if part]


def extents(text):
    return text.rstrip("x").split("x")


def describe(kind, shape, element, number, random, absents=("zero", "neg_inf", "undef")):
    """(fields of a mark for a tensor, type of the argument that it needs or None), or None where the kind does not fit."""
    rank = len(shape)
    count = 2 if kind == "lengths" else random.randint(1, min(rank, 3))
    if rank < count:
        return None
    axes = sorted(random.sample(range(rank), count)) if kind != "lengths" else random.sample(range(rank), 2)
    refused = (["undef"] if kind == "values" else []) + ([] if "f" in element else ["neg_inf"])
    absents = [absent for absent in absents if absent not in refused]
    fields = {"source": f'"{kind}"', "axes": f"array<i64: {', '.join(map(str, axes))}>"}
    fields["absent"] = f'"{random.choice(absents)}"'
    tile = [1] * count
    if kind != "lengths" and (kind == "blocks" or random.random() < 0.5):
        tile = [random.choice([1, 2, 3, 4, 16]) for _ in axes]
        fields["granularity"] = f"array<i64: {', '.join(map(str, tile))}>"
    if kind == "lengths":
        fields["pad"] = random.choice(['"left"', '"right"'])
    space = [shape[axis] for axis in axes]
    by = {
        "values": None,
        "mask": (space, "i1"),
        "lengths": (space[:1], "i64"),
        "routing": (space, "f32"),
        "blocks": (["?" if e == "?" else str(-(-int(e) // t)) for e, t in zip(space, tile)], "i1"),
    }[kind]
    if by:
        fields["from"] = f"{number} : i64"
        by = f"tensor<{'x'.join(by[0] + [by[1]])}>"
    return ", ".join(f"{key} = {value}" for key, value in fields.items()), by


def add_marks(text, random, share=0.6):
    """`text` with marks on some of the tensor arguments of its functions, or None where it has none to mark."""
    out, last, marked = [], 0, False
    for match in re.finditer(r"func\.func\s+(?:public\s+)?@[\w.$-]+\s*\(", text):
        start = match.end() - 1
        end = closing(text, start)
        if end < 0:
            continue
        arguments, extra = split(text[start + 1 : end]), []
        for i, argument in enumerate(arguments):
            tensor = TENSOR.match(argument)
            if not tensor or random.random() > share:
                continue
            number = len(arguments) + len(extra)
            found = describe(random.choice(KINDS), extents(tensor.group(2)), tensor.group(3), number, random)
            if not found:
                continue
            fields, by = found
            arguments[i] = f"{argument} {{pit.sparse = {{{fields}}}}}"
            if by:
                extra.append(f"%pit_by{len(extra)}: {by}")
            marked = True
        out += [text[last : start + 1], ", ".join(arguments + extra)]
        last = end
    return "".join(out) + text[last:] if marked else None
