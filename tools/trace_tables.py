#!/usr/bin/env python3
"""Writes the tables of docs/trace.md from bench/results/trace/: what `tandem trace` counted (here.json), what the hardware
counted for the same launches (h200.csv, from the step `counters` of tools/gpu.sh), and how long recorded calls take by the
trace (../predictions/h200.json, from predictions.py). Run by `make tables`."""

import csv
import json
import math
import re
import sys

import predictions
from pages import ROOT, finish, replace

RESULTS = ROOT / "bench" / "results" / "trace"
REQUESTS = "l1tex__t_requests_pipe_lsu_mem_global_op_{}.sum"
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_{}.sum"
CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum"


def ladder(launches, operation):
    """One row per step: totals over its launches."""
    steps = {}
    for launch in launches:
        name = launch["implementation"].removesuffix("@simt")
        if name.startswith(operation + "/") and launch["kernel"]:
            steps.setdefault(name.rsplit("/", 1)[1], []).append(launch)
    lines = ["| step | launches | barriers per block | global requests | sectors | bytes used ÷ moved | shared requests | "
             "worst conflict | extra passes | lanes at work | work | steps |", "| --- |" + " ---: |" * 11]
    for step, all_launches in steps.items():
        def total(key):
            return sum(launch[key] for launch in all_launches)
        blocks = sum(math.prod(launch["grid"]) for launch in all_launches)
        barriers = sum(launch["barriers"] * math.prod(launch["grid"]) for launch in all_launches)
        requests = total("requests") + total("shared_requests")
        lanes = sum(l["lane_use"] * (l["requests"] + l["shared_requests"]) for l in all_launches) / requests
        used = sum(l["efficiency"] * l["sectors"] for l in all_launches) / total("sectors")
        ways = max(l["bank_conflict_ways"] for l in all_launches)
        cost = all_launches[0]
        cells = [len(all_launches), f"{barriers / blocks:.1f}", f"{total('requests'):,}", f"{total('sectors'):,}",
                 f"{used:.0%}", f"{total('shared_requests'):,}", f"{ways}-way" if ways > 1 else "none",
                 f"{total('extra_wavefronts'):,}", f"{lanes:.0%}",
                 "–" if cost["work"] is None else f"{cost['work']:,}", "–" if cost["steps"] is None else f"{cost['steps']:,}"]
        lines.append(f"| {step} | " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def counted_there():
    """The launches of the H200 in order: kernel name and metrics."""
    path = RESULTS / "h200.csv"
    if not path.exists():
        return []
    lines = [line for line in path.read_text().splitlines() if not line.startswith("==")]  # ncu's own remarks
    return [row for row in csv.DictReader(lines) if row["ID"]]  # the first line holds units


def number(text):
    return int(float(text.replace(",", "")))


def agreement(launches, there):
    lines = ["| kernel | load requests | load sectors | store requests | store sectors | extra passes, loads | stores |",
             "| --- |" + " ---: |" * 6]
    here = [launch for launch in launches if launch["kernel"]]
    if len(here) != len(there):
        raise ValueError(f"{len(here)} launches counted here, {len(there)} there: not of the same run")
    seen = set()
    for launch, row in zip(here, there):
        if launch["kernel"] not in row["Kernel Name"]:
            raise ValueError(f"{launch['kernel']} here is {row['Kernel Name']} there")

        def sites(access, key):
            return sum(site[key] for site in launch["sites"] if site["access"] == access)
        cells = []
        for counted, metric in ((("load", "requests"), REQUESTS.format("ld")), (("load", "sectors"), SECTORS.format("ld")),
                                (("store", "requests"), REQUESTS.format("st")), (("store", "sectors"), SECTORS.format("st")),
                                (("load", "extra_wavefronts"), CONFLICTS.format("ld")),
                                (("store", "extra_wavefronts"), CONFLICTS.format("st"))):
            access, key = counted
            h = sites(f"{access} {'shared' if key == 'extra_wavefronts' else 'global'}", key)
            t = number(row[metric])
            same = h == t or abs(h - t) <= 0.02 * max(h, t)
            cells.append(f"{h:,}" if h == t else f"{h:,} / {t:,}" if same else f"**{h:,} / {t:,}**")
        step = launch["implementation"].removesuffix("@simt").replace("/custom/", "/")
        line = f"| {step}: {launch['kernel']} | " + " | ".join(cells) + " |"
        if line not in seen:
            lines.append(line)
        seen.add(line)
    return "\n".join(lines)


def main():
    page = ROOT / "docs" / "trace.md"
    if "--patterns" in sys.argv:  # what is traced here, and counted on a GPU by tools/gpu.sh
        print(re.search(r"<!-- traced: (.*?) -->", page.read_text())[1])
        return
    launches = json.loads((RESULTS / "here.json").read_text())
    for operation in re.findall(r"<!-- ladder: (\w+) -->", page.read_text()):
        replace(page, f"ladder: {operation}", ladder(launches, operation))
    predicted = json.loads((ROOT / "bench/results/predictions/h200.json").read_text())
    replace(page, "predicted: agreement", predictions.agreement_table(predicted))
    replace(page, "predicted: steps", predictions.step_table(predicted))
    if there := counted_there():
        try:
            replace(page, "agreement", agreement(launches, there))
        except ValueError as error:  # kernels are others since then
            print(f"the agreement with the hardware stays as it was until tools/gpu.sh counts again: {error}", file=sys.stderr)
    finish()


if __name__ == "__main__":
    main()
