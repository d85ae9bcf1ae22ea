#!/usr/bin/env python3
"""`tandem audit` draws shapes from its seed, times the automatic choice beside every path, and prints for every shape that
loses a command line that compares its paths again.

Usage: audit_test.py TANDEM_COMMAND
"""

import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile

QUICK = ("--quick", "--place", "host")


def run(*arguments, status=0, **environment):
    done = subprocess.run([sys.argv[1], *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env={**os.environ, **environment})
    if done.returncode != status:
        sys.exit(f"{' '.join(arguments)}\nexited with {done.returncode}, expected {status}:\n{done.stdout}{done.stderr}")
    return done.stdout if status == 0 else done.stderr


def require(condition, text):
    if not condition:
        sys.exit(text)


def audit(folder, *arguments):
    """What a run prints and what it writes."""
    path = os.path.join(folder, "audit.json")
    text = run("audit", *arguments, *QUICK, "--json", path)
    with open(path, encoding="utf-8") as file:
        return text, json.load(file)


def see_shape(shape):
    """Times, ratios and the choice of one shape fit each other."""
    times = {p["implementation"]: p["time_ns"] for p in shape["paths"] if p["time_ns"]}
    require(all(p["time_ns"] or p["reason"] for p in shape["paths"]), f"neither a time nor a reason: {shape['paths']}")
    require(not any(p["wrong"] for p in shape["paths"]), f"wrong: {shape}")
    automatic = shape["automatic"]
    require(automatic["least_ns"] <= automatic["time_ns"] and automatic["spread"] >= 0 and automatic["why"], f"{automatic}")
    require(len(shape["choice"]["features"]) == 3 and isinstance(shape["choice"]["variant"], str), f"{shape['choice']}")
    require(automatic["implementation"] in {p["implementation"] for p in shape["paths"]}, "the choice is none of the paths")
    choices = {p["implementation"]: p["time_ns"] for p in shape["paths"] if p["time_ns"] and p["ever_chosen"]}
    if choices:
        chosen = min(choices, key=choices.get) == automatic["implementation"]
        require(math.isclose(shape["of_best"], 1 if chosen else min(1, min(choices.values()) / automatic["time_ns"])),
                f"of_best of {shape}")
    else:
        require(shape["of_best"] is None, f"of_best of {shape}")
    vendors = [time for name, time in times.items() if "/vendor/" in name]
    require(math.isclose(shape["of_vendor"] or 0, min(vendors) / automatic["time_ns"] if vendors else 0), f"of_vendor of {shape}")


def see_all_operations(folder):
    names = {row["operation"] for row in json.loads(run("list", "--json"))}
    text, content = audit(folder, "--shapes", "3", "--seed", "1")
    require(text.startswith("tandem audit --seed 1 --largest 256K --place host on "), f"the first line of\n{text}")
    for shape in content["shapes"]:
        see_shape(shape)
    require({row["operation"] for row in content["operations"]} == names, f"operations: {content['operations']}")
    for row in content["operations"]:
        ratios = [s["of_best"] for s in content["shapes"] if s["operation"] == row["operation"] and s["of_best"]]
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        require(len(ratios) == 3 and math.isclose(row["of_best"]["geometric_mean"], mean), f"{row} of {ratios}")
        require(row["of_best"]["worst"] == min(ratios), f"{row} of {ratios}")
        require(re.search(rf"^{row['operation']} +3 +{mean:.3f} +{min(ratios):.3f} ", text, re.M), f"no line of {row} in\n{text}")
    for key in ("date", "host", "device", "method"):
        require(key in content["machine"], f"{key} is missing in {content['machine']}")


def see_losers(folder):
    """All are losers where the fastest path is not enough; each line can be run again and shows that shape."""
    text, content = audit(folder, "scan", "--shapes", "8", "--seed", "3", "--below", "100")
    lost = [s for s in content["shapes"] if (s["of_best"] or 1) < 1 or (s["of_vendor"] or 1) < 0.97]
    require(text.count("tandem compare scan --draw") == len(lost), f"{len(lost)} losers in\n{text}")
    for shape in content["shapes"][:3]:
        words = shlex.split(shape["again"])
        require(shape["again"] in text or shape not in lost, f"{shape['again']} is not printed")
        again = run(*words[1:], "--repetitions", "1")
        require(f"scan {shape['type']} {shape['op']} n = " in again and shape["variant"] in again, f"{shape} became\n{again}")
        require(re.search(rf"^{shape['automatic']['implementation']} .*the automatic choice$", again, re.M), again)


def see_seeds(folder):
    def drawn(*arguments):
        return [s["again"] for s in audit(folder, "reduce", "--shapes", "2", *arguments)[1]["shapes"]]
    require(drawn("--seed", "5") == drawn("--seed", "5"), "one seed, two sets of shapes")
    require(drawn("--seed", "5") != drawn("--seed", "6"), "two seeds, one set of shapes")
    require(drawn() != drawn(), "without a seed the shapes are always the same")


def see_corrections(folder):
    """tools/choices_by_audits.py: an order, a border, and nothing where an audit left out is worse for it."""
    tool = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools", "choices_by_audits.py")
    table = os.path.join(folder, "table")
    rows = ["o\t\thost\tm\tf32\t0\t0\t0\ta b", "p\t\thost\tm\tf32\t0\t0\t0\ta b"]

    def write_audit(name, shapes):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"place": "host", "shapes": [
                {"operation": operation, "type": "i32", "choice": {"variant": "", "features": [n, 0, 0]},
                 "paths": [{"implementation": i, "time_ns": t, "wrong": False, "reason": ""} for i, t in times.items()]}
                for operation, n, times in shapes]}, file)
        return path

    def corrected(*audits):
        with open(table, "w", encoding="utf-8") as file:
            file.write("\n".join(["tandem choices 1", *rows, "end 2"]) + "\n")
        done = subprocess.run([sys.executable, tool, table, *audits, "--write"], capture_output=True, text=True)
        with open(table, encoding="utf-8") as file:
            return done, file.read().splitlines()[1:-1]

    a_wins, b_wins = {"a": 1, "b": 2, "c": .1}, {"a": 3, "b": 1}  # c stands in no row: it may be one that is never chosen
    one, two = (write_audit(f"{k}.json", [("o", 10 + k, a_wins), ("o", 1000 + k, b_wins), ("p", 5 + k, a_wins if k else b_wins)])
                for k in range(2))
    done, written = corrected(one, two)
    require(done.returncode == 0 and "p: audits left out" in done.stdout and "left as it is" in done.stdout, f"{done}")
    require(written == [rows[0], f"o\t\thost\tm\tf32\t{round(math.sqrt(11 * 1000))}\t0\t0\tb a", rows[1]], f"{written}")
    # An audit from before a path of the row existed says nothing of it.
    new = write_audit("new.json", [("o", 10, {"a": 3, "b": 1}), ("o", 20, {"a": 3, "b": 1})])
    require(corrected(new)[1][0].endswith("b a"), "two shapes of a clear gain changed nothing")
    old = write_audit("old.json", [("o", 10, {"b": 1, "c": 3}), ("o", 20, {"b": 1, "c": 3})])
    done, written = corrected(old)
    require("of 0 shapes" in done.stdout and written == rows, f"{done} {written}")
    with open(two, "a", encoding="utf-8") as file:
        file.write("x")
    require(corrected(two)[0].returncode != 0 and corrected(two)[1] == rows, "a broken audit changed the table")


def main():
    with tempfile.TemporaryDirectory() as folder:
        see_all_operations(folder)
        see_losers(folder)
        see_seeds(folder)
        see_corrections(folder)
    for arguments, message in [(["nothing"], "unknown operation 'nothing'; known: "), (["--shapes", "0"], "--shapes is '0'"),
                               (["--below", "101"], "--below is '101'"), (["--json", "/nowhere/x"], "/nowhere/x")]:
        error = run("audit", *arguments, status=2)
        require(message in error and error.count("\n") == 1, f"{arguments}: {error}")
    require("TANDEM_USE is 'serial'" in run("audit", status=2, TANDEM_USE="serial"), "a forced choice is audited")


if __name__ == "__main__":
    main()
