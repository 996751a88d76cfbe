"""Prints what a report says of launches: launches.py REPORT.json. Fails where times and places do not fit together."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
device, launches, timeline = report["device"], report["launches"], report["timeline"]
print(f"device: {device['name']}, bounds of {device['card']} at {device['gigabytes_per_second']} GB/s, is it: {device['is_card']}")
assert [f"{launch['kernel']} at {launch['place']}" for launch in launches] == [entry["name"] for entry in timeline]
places = {op["place"] for op in report["ops"]}
end = 0
for launch in launches:
    assert launch["place"] in places, launch["place"]
    assert launch["ms"] > 0 and launch["start_ms"] >= end - 1e-6, launch
    end = launch["start_ms"] + launch["ms"]
    seconds = launch["bytes"] / (device["gigabytes_per_second"] * 1e9)
    assert launch["bound_ms"] >= seconds * 1e3 * (1 - 1e-9), launch
    assert (launch["bound_by"] == "memory") == (abs(launch["bound_ms"] - seconds * 1e3) < 1e-9 * seconds * 1e3 + 1e-15), launch
    print(f"{launch['kernel']}: {launch['family'] or 'no family'}, {launch['bytes']} bytes, "
          f"{launch.get('flops', 0)} flops of {launch.get('multiplies', 'none')}, bound by {launch['bound_by']}")
