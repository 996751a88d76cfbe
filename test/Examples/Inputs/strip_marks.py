"""Prints a program without its marks; each op stays on its line: strip_marks.py FILE."""
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
blank = lambda match: re.sub(r"[^\n]", " ", match.group(0))
stripped, count = re.subn(r"(?:attrs\s*=\s*)?\{\s*pit\.sparse\s*=\s*\{[^{}]*\}\s*\}", blank, text)
if count == 0 or "pit.sparse" in stripped:
    sys.exit(f"{sys.argv[1]}: a mark is written in another way")
sys.stdout.write(stripped)
