#!/usr/bin/env python3
"""Writes the table of docs/scale.md: what calls over ranks would take on several GPUs, by the page's model, from the recorded times of one
GPU. Nobody measured them. Run by `make tables`."""

import json

from pages import ROOT, finish, replace
from report import time

NODE = 8  # GPUs of a node
# A round of messages in seconds, and bytes per second out of a GPU: within a node, and between nodes (one adapter of 400 Gb/s for each GPU).
WITHIN, BETWEEN = (5e-6, 370e9), (20e-6, 48e9)
RANKS = (2, 4, 8, 64)


def recorded(name, n, type_="f32", variant=None):
    """Seconds of our fastest path on one GPU, of those that compute in the full precision of the elements."""
    rows = json.loads((ROOT / f"bench/results/h200-{name}.json").read_text())["rows"]
    times = [row["time_ns"] for row in rows
             if row["place"] == "device" and row["type"] == type_ and row["n"] == n and row.get("time_ns")
             and "/custom/" in row["implementation"] and not row.get("reduced_precision")
             and row["op"] in ("plus", "none") and (variant is None or row["variant"] == variant)]
    return min(times) * 1e-9


def leaves(share):
    """Of what goes to all ranks alike: the bytes that leave a GPU of so many."""
    return lambda ranks: share * (ranks - 1) / ranks


# Call, what each GPU holds, seconds of the call on one, seconds that a part takes more, rounds of messages, bytes that leave it by the number of ranks.
CALLS = (
    ("reduce", "2²⁸ f32", recorded("reduce", 1 << 28), 0, 1, lambda ranks: 8),
    ("inclusive_scan", "2²⁸ f32", recorded("scan", 1 << 28), recorded("reduce", 1 << 28), 1, lambda ranks: 8),
    ("all_reduce, two_shot", "2²⁴ f32", recorded("reduce", 1 << 24), 0, 2, leaves(2 * 4 * (1 << 24))),
    ("transpose", "8192² f32", recorded("transpose", 8192, variant=""), recorded("transpose", 8192, variant=""), 2, leaves(4 * 8192 ** 2)),
    ("gemm", "8192³ f32", recorded("gemm", 8192), 0, 22, lambda ranks: 4 * 8192 ** 2 * (ranks - 1) / ranks),
    ("tridiagonal, split", "256 × 65,536 f64", recorded("tridiagonal-f64", 256, "f64", "interleaved"),
     recorded("tridiagonal-f64", 256, "f64", "interleaved"), 15, leaves(10 * 8 * 65536)),
)


def seconds(local, rounds, sent, ranks):
    latency, rate = WITHIN if ranks <= NODE else BETWEEN
    return local + rounds * latency + sent(ranks) / rate


def table():
    lines = ["| call | each GPU holds | 1 GPU | " + " | ".join(f"{ranks}" for ranks in RANKS) + " |", "| --- | --- |" + " ---: |" * (len(RANKS) + 1)]
    for call, holds, alone, more, rounds, sent in CALLS:
        times = [seconds(alone + more, rounds, sent, ranks) for ranks in RANKS]
        cells = [f"{time(t * 1e9)}, {100 * alone / t:.0f} %" for t in times]
        lines.append(f"| {call} | {holds} | {time(alone * 1e9)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


replace(ROOT / "docs/scale.md", "table: scale", table())
finish()
