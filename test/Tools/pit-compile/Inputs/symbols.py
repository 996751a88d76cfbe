"""symbols.py LIBRARY: what it lacks beside the runtime and libc, what it defines for others, what it needs."""
import re
import subprocess
import sys

LIBC = ("libc.so.6", "libm.so.6", "ld-linux")


def nm(*options):
    text = subprocess.run(["nm", "-D", *options, sys.argv[1]], check=True, capture_output=True, text=True).stdout
    return [line.split()[-1] for line in text.splitlines()]


lacks = [name for name in nm("--undefined-only") if not re.match(r"pit_rt_|__|_ITM_", name)]
known = set()
for library in LIBC[:2]:
    text = subprocess.run(["nm", "-D", "--defined-only", f"/lib/x86_64-linux-gnu/{library}"], capture_output=True,
                          text=True).stdout
    known |= {line.split()[-1].split("@")[0] for line in text.splitlines()}
needed = re.findall(r"NEEDED.*\[(.*)\]", subprocess.run(["readelf", "-d", sys.argv[1]], check=True,
                                                         capture_output=True, text=True).stdout)
print("foreign:", *[name for name in lacks if name.split("@")[0] not in known])
print("defined:", *sorted(nm("--defined-only")))
print("needed:", *sorted(needed, reverse=True))
