"""Changes of MLIR text and bytecode that a seed decides: for inputs that nobody meant to write."""

import re

TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[%@#!^]?[A-Za-z_$][\w.$]*|%\d+|\d+\.\d+(?:[eE][-+]?\d+)?|\d+|->|::|==|>=|[^\s\w]')
SHAPE = re.compile(r"\b(tensor|memref|vector)<((?:(?:\d+|\?)x)*)([a-z]\w*)")
EXTENTS = ["?", "0", "1", "2", "3", "7", "17", "64", "4294967296", "9223372036854775807"]
NUMBERS = ["0", "1", "-1", "2", "3", "5", "64", "255", "2147483648", "-9223372036854775808", "9223372036854775807"]
ELEMENTS = ["f16", "bf16", "f32", "f64", "f8E4M3FN", "tf32", "f80", "f128", "i1", "i4", "i8", "i32", "i64", "i128", "si8", "ui8",
            "index", "none", "complex<f32>", "vector<4xf32>", "!pit.index<2xi32>"]
WORDS = {
    "parallel": ["reduction", "window"], "reduction": ["parallel", "window"],
    "values": ["mask", "lengths", "routing", "blocks"], "mask": ["values", "blocks"], "lengths": ["mask", "values"],
    "blocks": ["routing", "mask"], "routing": ["blocks", "lengths"],
    "zero": ["neg_inf", "undef"], "neg_inf": ["zero", "undef"], "undef": ["zero", "neg_inf"],
    "left": ["right"], "right": ["left"], "store": ["accumulate"], "true": ["false"], "false": ["true"],
}


def replace(text, match, new):
    return text[: match.start()] + new + text[match.end():]


def extents_everywhere(text, random, _):
    """One extent becomes another one in all types: often still a valid program."""
    found = sorted({extent for match in SHAPE.finditer(text) for extent in match.group(2).split("x") if extent})
    if not found:
        return text
    old, new = random.choice(found), random.choice(EXTENTS)
    return SHAPE.sub(lambda m: m.group(1) + "<" + "".join((new if e == old else e) + "x" for e in m.group(2).split("x")[:-1])
                     + m.group(3), text)


def elements_everywhere(text, random, _):
    found = sorted({match.group(3) for match in SHAPE.finditer(text)})
    if not found:
        return text
    return re.sub(rf"(?<![\w%]){random.choice(found)}\b", lambda m, new=random.choice(ELEMENTS): new, text)


def one_shape(text, random, _):
    matches = list(SHAPE.finditer(text))
    if not matches:
        return text
    match = random.choice(matches)
    extents = match.group(2).split("x")[:-1]
    choice = random.randrange(4)
    if choice == 0 and extents:
        extents[random.randrange(len(extents))] = random.choice(EXTENTS)
    elif choice == 1:
        extents.insert(random.randint(0, len(extents)), random.choice(EXTENTS))
    elif choice == 2 and extents:
        del extents[random.randrange(len(extents))]
    element = random.choice(ELEMENTS) if choice == 3 else match.group(3)
    kind = random.choice(["tensor", "memref", "vector"]) if random.random() < 0.1 else match.group(1)
    return replace(text, match, kind + "<" + "".join(extent + "x" for extent in extents) + element)


def number(text, random, _):
    matches = list(re.finditer(r"(?<![\w%#@?])-?\d+\b", text))
    return replace(text, random.choice(matches), random.choice(NUMBERS)) if matches else text


def word(text, random, _):
    matches = [match for match in re.finditer(r"[a-z_]+", text) if match.group() in WORDS]
    return replace(text, match := random.choice(matches), random.choice(WORDS[match.group()])) if matches else text


def value(text, random, _):
    """Another value of the program in the place of one."""
    matches = list(re.finditer(r"%\w+", text))
    return replace(text, random.choice(matches), random.choice(matches).group()) if matches else text


def attribute(text, random, _):
    """Leaves out one entry of a dictionary or list, or writes another one's value."""
    matches = list(re.finditer(r"(?<=[{,<\[(])\s*[\w.\"]+\s*=\s*[^,{}\n]+,?", text))
    if not matches:
        return text
    match = random.choice(matches)
    if random.random() < 0.5:
        return replace(text, match, "")
    name, other = match.group().split("=", 1)[0], random.choice(matches).group().split("=", 1)[1]
    return replace(text, match, name + "=" + other)


def map_expression(text, random, _):
    matches = list(re.finditer(r"\bd(\d)\b", text))
    if not matches:
        return text
    match = random.choice(matches)
    other = f"d{random.randrange(4)}"
    return replace(text, match, random.choice([other, f"({match.group()} + {other})", f"({match.group()} * 2)", "0",
                                               f"({match.group()} floordiv 2)", f"({match.group()} mod 3)", "-1"]))


def operation(text, random, corpus):
    matches = list(re.finditer(r"(?<==\s)[a-z_]+\.[\w.]+|(?<=\n    )[a-z_]+\.[\w.]+", text))
    return replace(text, random.choice(matches), random.choice(corpus)) if matches else text


def token(text, random, _):
    tokens = list(TOKEN.finditer(text))
    if len(tokens) < 2:
        return text
    match, other = random.choice(tokens), random.choice(tokens)
    return replace(text, match, random.choice(["", match.group() + " " + match.group(), other.group()]))


def line(text, random, _):
    lines = text.split("\n")
    at = random.randrange(len(lines))
    choice = random.randrange(3)
    if choice == 0:
        del lines[at]
    elif choice == 1:
        lines.insert(random.randrange(len(lines)), lines[at])
    else:
        other = random.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    return "\n".join(lines)


def truncated(text, random, _):
    return text[: random.randrange(len(text))] if text else text


def characters(text, random, _):
    at = random.randrange(len(text) + 1)
    return text[:at] + "".join(chr(random.choice([0, 9, 34, 60, 62, 91, 125, 255, 0x20AC, random.randrange(32, 127)]))
                               for _ in range(random.randint(1, 4))) + text[at + random.randint(0, 3):]


MUTATIONS = [(extents_everywhere, 5), (elements_everywhere, 4), (one_shape, 3), (number, 4), (word, 4), (value, 3), (attribute, 3),
             (map_expression, 3), (operation, 2), (token, 2), (line, 2), (truncated, 1), (characters, 1)]


def mutate(text, random, corpus):
    """(another text, the names of what was done to it)"""
    names = []
    for _ in range(random.choice([1, 1, 1, 2, 2, 3])):
        change = random.choices([m for m, _ in MUTATIONS], [weight for _, weight in MUTATIONS])[0]
        text = change(text, random, corpus)
        names.append(change.__name__)
    return text, names


def mutate_bytes(data, random):
    data = bytearray(data)
    for _ in range(random.choice([1, 1, 2, 4, 16])):
        at = random.randrange(len(data))
        choice = random.randrange(4)
        if choice == 0:
            data[at] = random.randrange(256)
        elif choice == 1:
            data[at] ^= 1 << random.randrange(8)
        elif choice == 2:
            del data[at: at + random.randint(1, 8)]
        else:
            data[at:at] = bytes(random.randrange(256) for _ in range(random.randint(1, 8)))
        if len(data) < 2:
            break
    return bytes(data)
