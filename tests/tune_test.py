#!/usr/bin/env python3
"""`tandem tune` writes a choice table that programs use by themselves; a table that cannot be used is said to be one in one
line, ignored, and never fatal.

Usage: tune_test.py TANDEM_COMMAND
"""

import array
import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time


def run(*arguments, status=(0,), **environment):
    """Output, errors and status of a command line in a given environment."""
    done = subprocess.run([sys.argv[1], *map(str, arguments)], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env={**os.environ, **{name: str(value) for name, value in environment.items()}})
    require(done.returncode in status, f"{arguments} exited with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done


def require(condition, text):
    if not condition:
        sys.exit(text)


def write_ones(path, count):
    """A .npy file of float32."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({count},), }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + array.array("f", [1] * count).tobytes())


def table(*rows):
    return "".join(["tandem choices 1\n", *("\t".join(map(str, row)) + "\n" for row in rows), f"end {len(rows)}\n"])


def row(machine, start, names, operation="reduce", kind="f32"):
    return operation, "", "host", machine, kind, start, 0, 0, names


def chosen(folder, count, **environment):
    """What a program ran for a sum of ones, why, and what it said beside that."""
    write_ones(folder / "ones.npy", count)
    done = run("run", "reduce", "--in", folder / "ones.npy", TANDEM_EXPLAIN=1, **environment)
    require(float(done.stdout.split()[0]) == count, f"the sum of {count} ones is {done.stdout}")
    explained = re.search(r"^tandem: (reduce/\S+) \((.*)\)$", done.stderr, re.M)
    require(explained, f"nothing is explained:\n{done.stderr}")
    did = "reduce plus: "  # what run says of itself
    said = [line for line in done.stderr.splitlines() if line != explained[0] and not line.startswith(did)]
    return explained[1], explained[2], said


def see_used(folder, machine):
    """The region that a shape lies in decides, then the order of the row."""
    path = folder / "choices"
    path.write_text(table(row(machine, 0, "reduce/custom/threads reduce/custom/serial"), row(machine, 500, "reduce/custom/serial"),
                          row(machine, 2000, "reduce/custom/threads"), row("another machine", 0, "reduce/custom/threads")))
    why = f"fastest that takes the call in tandem tune's measurements on {machine}"
    for count, name in [(8, "serial"), (499, "threads"), (500, "serial"), (1999, "serial"), (2000, "threads")]:  # threads suits no 8
        require(chosen(folder, count, TANDEM_CHOICE=path) == (f"reduce/custom/{name}", why, []), f"{count}: not {name}")
    require(why != chosen(folder, 8, TANDEM_CHOICE="")[1], "an empty TANDEM_CHOICE still has a table")
    config = folder / "config" / "tandem"
    config.mkdir(parents=True)
    (config / "choices").write_text(path.read_text())
    without = {name: value for name, value in os.environ.items() if name != "TANDEM_CHOICE"}
    done = subprocess.run([sys.argv[1], "tune", "--show"], text=True, capture_output=True, check=True,
                          env={**without, "XDG_CONFIG_HOME": str(folder / "config")})
    require(done.stdout.startswith(str(config / "choices")) and "another machine" not in done.stdout, done.stdout)
    require("n 500" in done.stdout and "reduce/custom/threads reduce/custom/serial" in done.stdout, done.stdout)


def see_ignored(folder, machine):
    good = table(row(machine, 0, "reduce/custom/serial"), row(machine, 500, "reduce/custom/threads"))
    path = folder / "bad"
    bad = {"cut off in a row": good[:40], "cut off between rows": good[:good.rindex("end")], "an empty file": "",
           "another version": good.replace("choices 1", "choices 2"), "an unknown path": good.replace("serial", "parallel"),
           "a path of another operation": good.replace("reduce/custom/serial", "scan/custom/serial"),
           "no number": good.replace("\t500\t", "\tmany\t"), "a number below zero": good.replace("\t500\t", "\t-5\t"),
           "a number beyond 64 bits": good.replace("\t500\t", "\t9223372036854775808\t"), "an unknown type": good.replace("f32", "f33"),
           "an unknown place": good.replace("host", "moon"), "a field too few": good.replace("\t500\t0", "\t500"),
           "rows miscounted": good.replace("end 2", "end 3"), "more behind the end": good + "x\n", "no text": "\0\xff" * 99}
    for what, text in bad.items():
        path.write_text(text, encoding="latin-1")
        name, why, said = chosen(folder, 8, TANDEM_CHOICE=path)
        require(len(said) == 1 and said[0].startswith(f"tandem: choice table ignored: {path}: "), f"{what}: {said}")
        require(why == chosen(folder, 8, TANDEM_CHOICE="")[1], f"{what}: {why}")
    said = chosen(folder, 8, TANDEM_CHOICE=folder / "missing")[2]
    require(len(said) == 1 and "missing" in said[0], f"a table that is not there: {said}")


def see_interrupted(folder):
    """A first signal ends tune early: what was measured until then is written."""
    path = folder / "interrupted"
    process = subprocess.Popen([sys.argv[1], "tune", "reduce", "--place", "host", "--thorough"], text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env={**os.environ, "TANDEM_CHOICE": str(path)})
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    said, errors = process.communicate(timeout=60)
    require("once more to end now" in errors, errors)
    if "too busy to decide" in said:
        print("this machine is too busy to see what an interrupted tune writes")
        return
    require(process.returncode == 130 and re.search(r"^[1-9]\d* of \d+ shapes measured", said, re.M), f"{process.returncode}: {said}{errors}")
    require(re.fullmatch(r"end \d+", path.read_text().splitlines()[-1]), path.read_text())


def see_measured(folder):
    """What tune writes is used; other rows stay; --reset forgets this machine alone."""
    path = folder / "new" / "choices"
    other = row("another machine", 0, "scan/custom/serial", "scan")
    for _ in range(5):
        done = run("tune", "--quick", "--place", "host", "reduce", status=(0, 1), TANDEM_CHOICE=path)
        if done.returncode == 0:
            break
        require("too busy to decide" in done.stdout and not path.exists(), done.stdout)
    else:
        print("this machine is too busy to see what tune writes")
        return
    require(f"wrote {path}" in done.stdout and re.search(r"^\d+ of \d+ shapes measured in the time.*; \d+ choices changed", done.stdout, re.M), done.stdout)
    lines = path.read_text().splitlines()
    require(lines[-1] == f"end {len(lines) - 2}" and len(lines) > 3, f"wrote {lines}")
    require(chosen(folder, 8, TANDEM_CHOICE=path)[1].startswith("fastest that takes the call in tandem tune's"), "not used")
    path.write_text("\n".join([*lines[:-1], "\t".join(map(str, other)), f"end {len(lines) - 1}", ""]))
    run("tune", "--quick", "--place", "host", "transpose", status=(0, 1), TANDEM_CHOICE=path)
    require({"reduce", "scan"} <= {line.split("\t")[0] for line in path.read_text().splitlines()}, "rows are lost")
    run("tune", "--reset", TANDEM_CHOICE=path)
    require(path.read_text() == table(other), f"after --reset: {path.read_text()}")
    require("nothing of this machine" in run("tune", "--show", TANDEM_CHOICE=path).stdout, "--show after --reset")
    path.write_text(table())
    run("tune", "--reset", TANDEM_CHOICE=path)
    require(not path.exists(), "an empty table stays")


def see_kept(folder, machine):
    """What time does not suffice for stays as it was chosen: nobody would choose the first step for large products."""
    path = folder / "kept"
    known = row(machine, 0, "gemm/custom/serial", "gemm")
    for _ in range(5):
        path.write_text(table(known))
        done = run("tune", "--seconds", "1", "--place", "host", "gemm", status=(0, 1), TANDEM_CHOICE=path)
        if done.returncode == 0:
            break
    else:
        print("this machine is too busy to see what tune keeps")
        return
    measured, shapes = map(int, re.search(r"^(\d+) of (\d+) shapes measured in the time, others as known", done.stdout, re.M).groups())
    require(measured < shapes, f"all {shapes} shapes in a second")
    large = [line.split("\t") for line in path.read_text().splitlines()[1:-1] if line.split("\t")[4] == "f32"]
    require(any(int(line[5]) >= 500 and line[8] == known[-1] for line in large), f"nothing of what was known is left: {large}")


def see_fine(folder, machine):
    """A table of this machine that is finer than tune's usual grid is measured on a grid as fine, and stays so."""
    path = folder / "fine"
    paths = ["transpose/custom/serial transpose/custom/threads", "transpose/custom/threads transpose/custom/serial"]

    def shapes(starts):
        for _ in range(5):
            path.write_text(table(*(row(machine, start, paths[i % 2], "transpose", kind) for kind in ["f64", "f32", "f16", "i8"]
                                    for i, start in enumerate(starts))))
            done = run("tune", "--seconds", "2", "--place", "host", "transpose", status=(0, 1), TANDEM_CHOICE=path)
            if done.returncode == 0:
                return int(re.search(r"^\d+ of (\d+) shapes measured", done.stdout, re.M)[1])
        return None
    usual, fine = shapes([0]), shapes([0, *(round(2**k / 2**0.5) for k in range(1, 12))])
    if usual is None or fine is None:
        print("this machine is too busy to see what tune makes of a fine table")
        return
    require(fine > 2 * usual, f"{fine} shapes where a fine table was, {usual} else")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run("audit", "reduce", "--shapes", "1", "--quick", "--place", "host", "--json", folder / "audit.json")
        machine = json.loads((folder / "audit.json").read_text())["machine"]["host"]
        see_used(folder, machine)
        see_ignored(folder, machine)
        see_measured(folder)
        see_interrupted(folder)
        see_kept(folder, machine)
        see_fine(folder, machine)
        error = run("tune", "--quick", status=(2,), TANDEM_CHOICE="/proc/tandem/choices").stderr
        require("/proc/tandem/choices" in error and error.count("\n") == 1, f"a file that cannot be written: {error}")
        require("no choice table" in run("tune", status=(2,), TANDEM_CHOICE="").stderr, "no file to write")
        require("TANDEM_USE is 'serial'" in run("tune", status=(2,), TANDEM_USE="serial", TANDEM_CHOICE=folder / "x").stderr, "forced")


if __name__ == "__main__":
    main()
