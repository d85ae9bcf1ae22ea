#!/usr/bin/env python3
"""Every command line of commands.tsv: its exit status, its message, and that no signal ends it.

Usage: commands_test.py TANDEM CHANNEL_FLOW SEARCH [sanitized]
Each is run a second time with its output lost (/dev/full), which is an error where there is output.
sanitized: programs that a sanitizer watches, which have no executor and take all of the address space. Those lines that do
something run once, and it has nothing to report. (What command lines are refused fuzz_arguments looks at.)
"""

import array
import concurrent.futures
import json
import os
import pathlib
import shlex
import struct
import subprocess
import sys
import tempfile

NEED_EXECUTOR = ["trace", "simt", "--schedule", "--tuning", "all_reduce"]  # words of lines that it runs
TIMEOUT = 60  # seconds for a command line; all but a few take milliseconds


def npy(path, code, shape, data):
    header = f"{{'descr': '{code}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (64 - (11 + len(header)) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + bytes(data))


def make_files(folder):
    """What the command lines name; what they call `missing` is not made."""
    reals = [3, 1, 4, 1, 5, 9, 2, 6]
    for name, code, kind in [("x", "<f4", "f"), ("f64", "<f8", "d"), ("i32", "<i4", "i"), ("i64", "<i8", "q"), ("u32", "<u4", "I")]:
        npy(folder / f"{name}.npy", code, "(8,)", array.array(kind, map(int, reals) if kind in "iqI" else reals))
    npy(folder / "f16.npy", "<f2", "(2,)", bytes(4))
    npy(folder / "bf16.npy", "<V2", "(2,)", bytes(4))
    npy(folder / "image.npy", "|u1", "(2, 3)", bytes([0, 1, 1, 254, 255, 255]))
    npy(folder / "flags.npy", "|u1", "(8,)", bytes([0, 1, 0, 0, 255, 1, 0, 1]))
    npy(folder / "edges.npy", "<f4", "(4,)", array.array("f", [1, 2, 5, 9]))
    npy(folder / "whole_edges.npy", "<i8", "(3,)", array.array("q", [-9, 1, 300]))
    npy(folder / "longer.npy", "<f4", "(9,)", array.array("f", [*reals, 5]))
    npy(folder / "zeros.npy", "<f4", "(8,)", bytes(32))
    npy(folder / "offsets.npy", "<i8", "(3,)", array.array("q", [0, 3, 8]))
    npy(folder / "nothing.npy", "<f4", "(0,)", b"")
    for name, shape in [("matrix", (2, 3)), ("tall", (3, 2)), ("square", (2, 2))]:
        npy(folder / f"{name}.npy", "<f4", shape, array.array("f", range(1, 1 + shape[0] * shape[1])))
    npy(folder / "f64matrix.npy", "<f8", (2, 2), bytes(32))
    npy(folder / "tall_empty.npy", "<f4", (1 << 40, 0), b"")
    npy(folder / "wide_empty.npy", "<f4", (0, 1 << 40), b"")
    npy(folder / "wide_and_tall_empty.npy", "<f4", (1 << 40, 0, 1 << 40), b"")
    npy(folder / "empty_lines.npy", "<f4", (1 << 40, 3, 0), b"")
    npy(folder / "single.npy", "<f4", (), bytes(4))
    npy(folder / "big_endian.npy", ">f4", "(2,)", struct.pack(">2f", 1, 2))
    for name, code, size in [("bool", "|b1", 1), ("complex", "<c8", 8), ("u16", "<u2", 2)]:
        npy(folder / f"{name}.npy", code, "(2,)", bytes(2 * size))
    npy(folder / "huge_shape.npy", "<f4", (1 << 40, 1 << 40), bytes(8))
    npy(folder / "cut.npy", "<f4", "(8,)", bytes(31))
    (folder / "garbage.npy").write_bytes(b"PK\x03\x04 and more")
    (folder / "lists").write_bytes(struct.pack("<8I", 3, 1, 5, 9, 1, 5, 1, 9))
    (folder / "odd").write_bytes(b"12345")
    (folder / "queries").write_text("0 1\n2 0\n")
    (folder / "beyond").write_text("0 1\n3\n")
    (folder / "empty.json").write_text("")
    (folder / "list.json").write_text("[]")
    (folder / "nulls.json").write_text('{"rows": [{"time_ns": 1, "spread": null}]}')
    (folder / "deep.json").write_text('{"rows": [{"time_ns": 1, "spread": 0, "implementation": ' + "[" * 300000 + "]" * 300000 + "}]}")
    (folder / "none.json").write_text('{"rows": []}')
    machine = {"schema": 1, "date": "2026-11-23", "host": "A CPU", "device": None, "repetitions": 1}
    row = {"operation": "scan", "implementation": "scan/custom/serial", "path": "custom", "place": "host", "reduced_precision": False,
           "type": "f32", "op": "plus", "variant": "inclusive", "n": 1024, "shape": "", "correct": True, "worst_error": 0, "time_ns": 9,
           "spread": 0, "samples_ns": [9], "method": "hot", "rate": 1, "unit": "GB/s", "flop_per_byte": 0.1, "bound_fraction": None,
           "vs_vendor": None}
    for name, content in [("good", {"machine": machine, "rows": [row]}),
                          ("newer", {"machine": {**machine, "schema": 2}, "rows": [row]}),
                          ("unknown_operation", {"machine": machine, "rows": [{**row, "operation": "scna"}]}),
                          ("negative", {"machine": machine, "rows": [{**row, "time_ns": -1}]}),
                          ("wrong", {"machine": machine, "rows": [{**row, "time_ns": None, "correct": False}]}),
                          ("untimed", {"machine": machine, "rows": [{**row, "time_ns": None, "correct": None}]}),
                          ("newer_tuning", {"machine": {**machine, "schema": 2}, "rows": [{**row, "tuning": "nothing"}]}),
                          ("unknown_tuning", {"machine": machine, "rows": [{**row, "tuning": "nothing"}]}),
                          ("table", {"table": "reductions", "machine": machine, "sections": []}),
                          ("one_table", {"table": "reductions", "machine": machine, "sections": [], "claims": []}),
                          ("tables", [{"table": "reductions", "machine": machine, "sections": [], "claims": []}]),
                          ("no_name", {"machine": machine, "rows": [{key: row[key] for key in row if key != "implementation"}]}),
                          ("no_launch", [{"implementation": 7}])]:
        (folder / f"{name}.json").write_text(json.dumps(content))
    (folder / "text").mkdir()
    (folder / "text" / "a").write_text("one two three\n")
    (folder / "text" / "b").write_text("two three four\n")


def read_table(path):
    """(line number, exit status, message, address space in kB or None, words) of every line."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        status, message, command = line.split("\t")
        limit = None
        if command.startswith("VIRTUAL="):
            limit, command = command.removeprefix("VIRTUAL=").split(" ", 1)
        yield number, int(status), message, limit and int(limit), shlex.split(command)


def run(programs, folder, limit, words, stdout):
    prefix = ["prlimit", f"--as={limit << 10}"] if limit else []
    return subprocess.run([*prefix, programs[words[0]], *words[1:]], cwd=folder, stdin=subprocess.DEVNULL, stdout=stdout,
                          stderr=subprocess.PIPE, timeout=TIMEOUT)


def make_folder(programs, folder, words):
    make_files(folder)
    if words[:1] == ["search"]:
        subprocess.run([programs["search"], "index", "text", "--out", "text.idx"], cwd=folder, check=True, capture_output=True)


def report(programs, line):
    """What a sanitizer, or a signal, says of a command line; or that it ends otherwise, unless it asks for the executor."""
    number, status, _, _, words = line
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_folder(programs, folder, words)
        try:
            done = run(programs, folder, None, words, subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return f"line {number}: {shlex.join(words)}\n  still runs after {TIMEOUT} s"
    errors = os.fsdecode(done.stderr)
    reported = "Sanitizer" in errors or "runtime error:" in errors
    without = done.returncode == 2 and any(word in shlex.join(words) for word in NEED_EXECUTOR)
    if not reported and (done.returncode == status or without):
        return None
    return f"line {number}: {shlex.join(words)}\n  exit status {done.returncode}: {errors}"


def problem(programs, line):
    """What is wrong with a command line's two runs, each in a folder of its own."""
    number, status, message, limit, words = line
    said = f"line {number}: {shlex.join(words)}\n  "
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            make_folder(programs, folder, words)
            done = run(programs, folder, limit, words, subprocess.PIPE)
            errors = os.fsdecode(done.stderr)
            if done.returncode != status:
                return f"{said}exit status {done.returncode}, not {status}: {errors}"
            printed = errors if status == 2 else os.fsdecode(done.stdout) + errors
            if message not in printed:
                return f"{said}does not say '{message}', but\n{printed[:500]}"
            with open("/dev/full", "w") as full:
                lost = run(programs, folder, limit, words, full)
            wanted = 2 if done.stdout else status
            if lost.returncode != wanted:
                return f"{said}with lost output: exit status {lost.returncode}, not {wanted}"
    except subprocess.TimeoutExpired:
        return f"{said}still runs after {TIMEOUT} s"
    return None


def main():
    programs = dict(zip(["tandem", "channel_flow", "search"], map(os.path.abspath, sys.argv[1:4])))
    table = list(read_table(pathlib.Path(__file__).with_name("commands.tsv")))
    assert len(table) >= 600, f"{len(table)} command lines: where are the others?"
    look, how = problem, "twice"
    if sys.argv[4:] == ["sanitized"]:
        look, how = report, "under a sanitizer"
        table = [line for line in table if line[1] < 2 and line[3] is None]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = [p for p in pool.map(lambda line: look(programs, line), table) if p]
    print(*problems, sep="\n")
    print(f"{len(table)} command lines executed {how}, {len(problems)} wrong")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
