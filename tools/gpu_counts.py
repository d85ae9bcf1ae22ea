#!/usr/bin/env python3
"""Keeps what a step of tools/gpu.sh counted, cases and errors, in a JSON file beside the times: one entry per step,
replaced when the step runs again. What a tool did not say is "not measured", never 0.

    gpu_counts.py FILE STEP STATUS SECONDS OUTPUT COMMAND…     OUTPUT: the file with what the command printed
"""
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys

from pages import write_whole

NOT_MEASURED = "not measured"
# What each kind of step prints: name of the count, pattern.
CASES = [("cases", r"^(\d+) cases executed"), ("wrong", r"^\d+ cases executed.* (\d+) wrong")]
COUNTS = {
    "tandem": CASES,
    "tests": [("tests", r"test cases: +(\d+) \|"), ("failed_tests", r"test cases:.*\| +(\d+) failed"),
              ("assertions", r"assertions: +(\d+) \|"), ("failed_assertions", r"assertions:.*\| +(\d+) failed")] + CASES,
    "sanitizer": CASES + [("errors", r"(?:ERROR|RACECHECK) SUMMARY: (\d+) (?:error|hazard)")],
}


def kind_of(command):
    names = [os.path.basename(word) for word in command]
    if "compute-sanitizer" in names:
        return "sanitizer"
    return "tests" if any(name.endswith("_tests") for name in names) else "tandem"


def device():
    try:
        line = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                              capture_output=True, text=True, check=True).stdout.splitlines()[0]
        return dict(zip(("device", "driver"), line.split(", ")))
    except (OSError, subprocess.CalledProcessError, IndexError):
        return {"device": NOT_MEASURED}


def main():
    path, step, status, seconds, output = sys.argv[1:6]
    command = sys.argv[6:]
    with open(output, errors="replace") as file:
        text = file.read()
    entry = {"step": step, "command": " ".join(command), "status": int(status), "seconds": int(seconds)}
    for name, pattern in COUNTS[kind_of(command)]:
        found = re.findall(pattern, text, re.MULTILINE)
        if found:
            entry[name] = int(found[-1])
        elif kind_of(command) != "tests" or (name, pattern) not in CASES:  # not every suite counts cases
            entry[name] = NOT_MEASURED
    if NOT_MEASURED in entry.values():
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        entry["last_line"] = "stopped after its time limit" if status == "124" else lines[-1] if lines else ""
    content = {"steps": []}
    if os.path.exists(path):
        with open(path) as file:
            content = json.load(file)
    content["machine"] = dict(device(), date=datetime.date.today().isoformat())
    content["steps"] = [old for old in content["steps"] if old["step"] != step] + [entry]
    write_whole(pathlib.Path(path), json.dumps({"machine": content["machine"], "steps": content["steps"]}, indent=1) + "\n")


main()
