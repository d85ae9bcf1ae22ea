#!/usr/bin/env python3
"""Predicts every recorded ladder of the H200 with `tandem trace --predict`, and says how that agrees with what was measured:
tables for docs/trace.md (trace_tables.py), goals for a test (tests/prediction_test.py).

Usage: predictions.py TANDEM [OPERATION …] >bench/results/predictions/h200.json
"""

import concurrent.futures
import itertools
import json
import os
import subprocess
import sys

from pages import ROOT
from report import size, time

GPU = "h200"
MOST_EXCESS = 1.05  # bound ÷ measured
LEAST_AGREEMENT = 0.86  # of neighbouring pairs
SAME = 0.01  # bounds that differ by no more are equal
# What is traced, or the largest recorded size of a step that is below. Sizes up to it are traced as they are, others follow
# from how counts grow: several tiles of every step.
TRACED = {"reduce": 1 << 17, "scan": 1 << 17, "transform": 1 << 17, "transpose": 256, "gemm": 256, "select": 1 << 17,
          "histogram": 1 << 17, "sort": 1 << 14, "segmented_reduce": 1 << 17, "segmented_scan": 1 << 17, "reduce_by_key": 1 << 17,
          "top_k": 1 << 14}
# Ladders that were added when the rules by which predictions order steps were there: they say what these are worth where
# nobody looked.
LATER = ("segmented_reduce", "segmented_scan", "reduce_by_key", "top_k")


def recorded_cases():
    """(operation, type, operator) → its recorded steps and the largest n of each, of all recorded runs of the operations above."""
    cases = {}
    for file in sorted(ROOT.glob(f"bench/results/{GPU}-*.json")):
        for row in json.loads(file.read_text())["rows"]:
            # Products of 16 bits run on tensor cores, in whose place the executor has shuffles.
            if row["operation"] not in TRACED or (row["operation"] == "gemm" and row["type"] in ("f16", "bf16")):
                continue
            if row["time_ns"]:
                steps = cases.setdefault((row["operation"], row["type"], row["op"]), {})
                steps[row["implementation"]] = max(steps.get(row["implementation"], 0), row["n"])
    return sorted(cases.items(), key=lambda case: (list(TRACED).index(case[0][0]), case[0][1:]))


def run(*words):
    words = [str(word) for word in words]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr}")
    return json.loads(done.stdout)


def predict(tandem, operations=tuple(TRACED)):
    """Of each recorded step: its case, and its calls, by n."""
    here = [row["implementation"].removesuffix("@simt") for row in run(tandem, "list", "/custom/", "--json")
            if row["place"] == "simt"]  # in the order of their ladders

    def ladder(case):
        (operation, element, op), recorded = case
        names = [name for name in here if name.split("/")[0] == operation and name in recorded]
        steps = []
        for n, of_size in itertools.groupby(names, lambda name: min(TRACED[operation], recorded[name])):
            for launch in run(tandem, "trace", *of_size, "--n", n, "--type", element, "--predict", GPU, "--json", "--force",
                              *(["--op", op] if op != "none" else [])):
                calls = [{key: call[key] for key in call if key != "terms_ns"} for call in launch.get("calls", [])
                         if call["recorded_ns"]]
                if calls:
                    steps.append({"step": launch["implementation"].removesuffix("@simt").replace("/custom/", "/"),
                                  "case": launch["input"].split(",")[0], "calls": calls})
        return steps

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(itertools.chain(*pool.map(ladder, (case for case in recorded_cases() if case[0][0] in operations))))


def ladders(steps):
    """(operation, case) → its steps in order."""
    return {key: list(of) for key, of in itertools.groupby(steps, lambda step: (step["step"].split("/")[0], step["case"]))}


def chosen(steps):
    """The steps of the ladders that the rule was chosen on."""
    return [step for step in steps if step["step"].split("/")[0] not in LATER]


class Agreement:
    """How predicted orders agree with measured ones."""

    def __init__(self, steps):
        self.right = self.right_by_bounds = self.pairs = self.ties = 0
        self.wrong = []
        self.worst, self.worst_of = max((call["time_ns"] / call["recorded_ns"], f"{step['step']} {step['case']}, n = {size(call['n'])}")
                                        for step in steps for call in step["calls"])
        for ladder in ladders(steps).values():
            for n in sorted({call["n"] for step in ladder for call in step["calls"]}):
                row = [(step["step"], call) for step in ladder for call in step["calls"] if call["n"] == n]
                for (first, a), (second, b) in zip(row, row[1:]):
                    self.add(f"{first}, {second.split('/')[1]}, {ladder[0]['case']}, n = {size(n)}", a, b)

    def add(self, names, a, b):
        measured = b["recorded_ns"] / a["recorded_ns"] - 1
        if a["method"] != b["method"]:
            raise ValueError(f"{names}: measured by {a['method']} and by {b['method']}")
        if abs(measured) <= max(a["spread"], b["spread"]):
            self.ties += 1
            return
        bounds = b["time_ns"] / a["time_ns"] - 1
        decided = abs(bounds) > SAME
        predicted = bounds if decided else b["one_by_one_ns"] - a["one_by_one_ns"]
        self.pairs += 1
        self.right += predicted * measured > 0
        self.right_by_bounds += decided and bounds * measured > 0
        if predicted * measured <= 0:
            self.wrong.append(names)

    def share(self):
        return self.right / self.pairs if self.pairs else 1.0


def agreement_table(steps):
    lines = ["| ladder | case | pairs | right | share | by bounds alone | ties | worst bound ÷ measured |", "| --- | --- |" + " ---: |" * 6]

    def row(names, of):
        a = Agreement(of)
        share = f"{a.right / a.pairs:.0%} | {a.right_by_bounds / a.pairs:.0%}" if a.pairs else "– | –"
        lines.append(f"| {names} | {a.pairs} | {a.right} | {share} | {a.ties} | {a.worst:.0%} |")
    for (operation, case), ladder in ladders(steps).items():
        row(f"{operation} | {case}", ladder)
    row("of the rule's choice | ", chosen(steps))
    row("later | ", [step for step in steps if step not in chosen(steps)])
    row("all | ", steps)
    return "\n".join(lines)


def step_table(steps):
    """Of the first recorded case of each ladder, at its largest size: the GPU is full there."""
    lines = ["| step | case | n | at least | limiter | measured | at least ÷ measured |", "| --- | --- |" + " ---: |" * 2 +
             " --- |" + " ---: |" * 2]
    for (operation, case), ladder in ladders(steps).items():
        if case.split()[0] != "f32" or case.split()[1:] not in ([], ["plus"]):
            continue
        for step in ladder:
            call = step["calls"][-1]
            lines.append(f"| {step['step']} | {case} | {size(call['n'])} | {time(call['time_ns'])} | {call['limiter']} | "
                         f"{time(call['recorded_ns'])} | {call['time_ns'] / call['recorded_ns']:.0%} |")
    return "\n".join(lines)


def main():
    json.dump(predict(sys.argv[1], sys.argv[2:] or tuple(TRACED)), sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
