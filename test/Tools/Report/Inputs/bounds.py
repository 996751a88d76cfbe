"""Prints what a report of a run on the CPU says of work and bounds: bounds.py REPORT.json. Fails where the bounds do not follow from the
rates that were measured."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
machine = report["machine"]
rates = [size["gigabytes_per_second"] for size in machine["memory"]]
sizes = [size["bytes"] for size in machine["memory"]]
assert sizes == sorted(sizes) and min(rates) > 0, machine
assert machine["gigaflops_f32"] > 0 and machine["gigaflops_f64"] > 0, machine


def check(work):
    rate = next((rate for rate, size in zip(rates, sizes) if work["bytes"] <= size), rates[-1])
    memory, products = work["bytes"] / rate / 1e6, work.get("flops", 0) / machine["gigaflops_f32"] / 1e6
    assert abs(work["bound_ms"] / max(memory, products) - 1) < 1e-6, work
    assert work["bound_by"] == ("products" if products > memory else "memory"), work


print(f"bounds of {report['bounds_of']}")
for op in report["ops"]:
    work = op.get("work")
    if work and "bound_ms" in work:
        check(work)
        print(f"op at {op['place'].split('/')[-1]}: {work.get('flops_text', 'no product')}, {work['bytes_text']}")
for rule in report["rules"]:
    if "bound_ms" in rule:
        check(rule)
        print(f"rule {rule['id']}: {rule.get('flops', 0):.0f} flops, {rule['bytes']:.0f} bytes")
