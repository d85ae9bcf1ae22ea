#!/usr/bin/env python3
"""Memory that runs out in a program at every call of operator new, once and for ever: one line that says so, exit
status 2, nothing left behind; or, where the program can do without, the right output.

    program_faults_test.py PRELOAD TANDEM CHANNEL_FLOW SEARCH [MOST]

At every call in channel_flow and search; in tandem, which makes up to 50,000 of them, at MOST that are spread evenly (default
60; 0: all). Their number is printed.
"""
import concurrent.futures
import os
import shutil
import struct
import subprocess
import sys
import tempfile

preload, tandem, channel_flow, search = (os.path.abspath(path) for path in sys.argv[1:5])
most = int(sys.argv[5]) if len(sys.argv) > 5 else 60
wrong = []


def npy(path, values, shape=None):
    header = ("{'descr': '<f4', 'fortran_order': False, 'shape': %s, }" % (shape or (len(values),),)).ljust(117) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack("<%df" % len(values), *values))


def make_inputs(folder):
    npy(os.path.join(folder, "x.npy"), [float(i % 5) for i in range(1000)])
    for name, value in [("square", 4.0), ("ones", 1.0)]:
        npy(os.path.join(folder, name + ".npy"), [value] * 100, (10, 10))
    text = os.path.join(folder, "text")
    os.mkdir(text)
    for i, words in enumerate(["the quick brown fox", "the lazy dog", "a quick dog"]):
        with open(os.path.join(text, "%d.txt" % i), "w") as file:
            file.write(words)
    subprocess.run([search, "index", "text", "--out", "idx"], cwd=folder, check=True, stdout=subprocess.DEVNULL)


COMMANDS = [
    ([tandem, "list", "reduce"], []),
    ([tandem, "run", "reduce", "--in", "x.npy"], []),
    ([tandem, "run", "scan", "--in", "x.npy", "--out", "y.npy"], ["y.npy"]),
    ([tandem, "run", "transform", "--f", "negate", "--in", "x.npy", "--out", "y.npy"], ["y.npy"]),
    ([tandem, "run", "select", "--where", ">2", "--in", "x.npy", "--out", "y.npy"], ["y.npy"]),
    ([tandem, "run", "sort", "--in", "x.npy", "--out", "y.npy", "--values", "x.npy", "--values-out", "z.npy"],
     ["y.npy", "z.npy"]),
    ([tandem, "run", "histogram", "--lower", "0", "--upper", "5", "--in", "x.npy", "--out", "y.npy"], ["y.npy"]),
    ([tandem, "run", "segmented_reduce", "--length", "5", "--in", "x.npy", "--out", "y.npy"], ["y.npy"]),
    ([tandem, "run", "transpose", "--in", "square.npy", "--out", "y.npy"], ["y.npy"]),
    ([tandem, "run", "gemm", "--a", "square.npy", "--b", "square.npy", "--out", "y.npy"], ["y.npy"]),
    ([tandem, "run", "tridiagonal", "--lower", "ones.npy", "--diag", "square.npy", "--upper", "ones.npy", "--rhs",
      "ones.npy", "--out", "y.npy"], ["y.npy"]),
    ([tandem, "check", "intersect/custom/serial", "--coverage", "brief"], []),
    ([channel_flow, "run", "--nodes", "6x5x5", "--steps", "1", "--on", "cpu", "--vti", "flow.vti",
      "--checkpoint", "flow.cfc"], ["flow.vti", "flow.cfc"]),
    ([search, "index", "text", "--out", "made"], ["made"]),
    ([search, "query", "idx", "quick", "dog", "--place", "host"], []),
]


def run(command, folder, at=None, for_ever=False):
    """(status, lines of stdout but those with times, stderr, calls of operator new)"""
    environment = dict(os.environ, LD_PRELOAD=preload, TANDEM_FAIL_REPORT=os.path.join(folder, "calls"),
                       OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    if at is not None:
        environment["TANDEM_FAIL_AT"] = str(at)
    if for_ever:
        environment["TANDEM_FAIL_FOR_EVER"] = "1"
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60)
    report = os.path.join(folder, "calls")
    calls = int(open(report).read()) if os.path.exists(report) else -1
    if calls >= 0:
        os.remove(report)
    return done.returncode, done.stdout, done.stderr, calls


def show(command):
    return " ".join([os.path.basename(command[0])] + command[1:])


def fail(inputs, command, outputs, at, for_ever):
    """True where the program ran out of memory, False where it did without."""
    with tempfile.TemporaryDirectory() as parent:
        folder = os.path.join(parent, "run")
        shutil.copytree(inputs, folder)
        before = set(os.listdir(folder))
        where = "%s, operator new %d%s" % (show(command), at, " and all later ones" if for_ever else "")
        try:
            status, out, err, _ = run(command, folder, at, for_ever)
        except subprocess.TimeoutExpired:
            wrong.append(where + ": hangs")
            return False
        left = set(os.listdir(folder)) - before
        if status == 0:
            if left != set(outputs):
                wrong.append("%s: status 0, but it wrote %s" % (where, sorted(left)))
            return False
        lines = [line for line in err.splitlines() if line]
        if status != 2 or len(lines) != 1 or "out of memory" not in lines[0]:
            wrong.append("%s: status %d: %s" % (where, status, err.strip() or out.strip()[-200:]))
        if not left <= set(outputs):
            wrong.append("%s: left %s" % (where, sorted(left - set(outputs))))
        return True


def main():
    total = 0
    with tempfile.TemporaryDirectory() as parent, \
            concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        inputs = os.path.join(parent, "inputs")
        os.mkdir(inputs)
        make_inputs(inputs)
        for command, outputs in COMMANDS:
            folder = os.path.join(parent, "good")
            shutil.copytree(inputs, folder)
            status, out, err, calls = run(command, folder)
            shutil.rmtree(folder)
            if status != 0 or calls < 0:
                sys.exit("%s without a fault: status %d, %s" % (show(command), status, err))
            step = max(1, calls // most) if most and command[0] == tandem else 1
            points = [(at, for_ever) for at in range(0, calls, step) for for_ever in (False, True)]
            failed = sum(pool.map(lambda point: fail(inputs, command, outputs, *point), points))
            total += failed
            print("%-70s %6d calls of operator new, %5d made to fail, %5d did without" %
                  (show(command)[:70], calls, len(points), len(points) - failed), flush=True)
    print("%d times out of memory in programs, %d wrong" % (total, len(wrong)))
    for text in wrong[:20]:
        print(text)
    sys.exit(1 if wrong else 0)


main()
