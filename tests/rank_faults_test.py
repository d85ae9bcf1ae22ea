"""A rank that is killed, stopped, throws, exits or leaves, at several moments: all ranks end within 10 seconds of it, none stays, and one line
names the rank and the call that misses it. A rank that is busy is waited for, and so is a job that was stopped as a whole.
Arguments: mpirun, the program tests/ranks/faulty.cpp."""

import concurrent.futures
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time
import uuid

MPIRUN, PROGRAM = sys.argv[1:3]
RANKS = 4
LIMIT = 10     # seconds from the fault to the end of mpirun
PATIENCE = 60  # seconds for a run
SCAN, OWN, END = "in inclusive_scan, call 4 ", "in reduce, call 5 ", "in the end of the program, call "

# kind, moment, rank; what the line says of the rank, and of the call. None: Tandem says nothing, mpirun does.
ENDED, STOPPED, LEFT = "has ended", "is stopped", "has left"
CASES = [
    ("kill", "between", 2, ENDED, SCAN), ("segv", "between", 0, ENDED, SCAN), ("throw", "between", 3, ENDED, SCAN),
    ("exit_at_once", "between", 1, ENDED, SCAN), ("exit", "between", 2, LEFT, SCAN), ("leave", "between", 0, LEFT, SCAN),
    ("leave", "between", 3, LEFT, SCAN), ("stop", "between", 2, STOPPED, SCAN), ("stop", "between", 0, STOPPED, SCAN),
    ("kill", "inside", 0, ENDED, OWN), ("segv", "inside", 3, ENDED, OWN), ("exit_at_once", "inside", 2, ENDED, OWN),
    ("exit", "inside", 1, LEFT, OWN), ("stop", "inside", 3, STOPPED, OWN),
    ("kill", "last", 1, ENDED, END), ("segv", "last", 2, ENDED, END), ("throw", "last", 0, ENDED, END),
    ("exit_at_once", "last", 3, ENDED, END), ("stop", "last", 2, STOPPED, END),
    ("kill", "end", 2, None, None), ("stop", "end", 1, STOPPED, END), ("stop", "end", 0, STOPPED, END),
    ("kill", "start", 2, None, None), ("segv", "start", 0, None, None), ("exit", "start", 1, None, None),
] + [
    (kind, call, (number + place) % RANKS, what, f"in {call}, call {number} ")
    for number, call in enumerate(("transpose", "gemm", "tridiagonal", "intersect"), 7)
    for place, (kind, what) in enumerate((("kill", ENDED), ("segv", ENDED), ("throw", ENDED), ("exit_at_once", ENDED), ("exit", LEFT),
                                          ("leave", LEFT), ("stop", STOPPED)))
] + [("kill", "halos", 2, ENDED, "in halos, call 11 "), ("stop", "halos", 0, STOPPED, "in halos, call 11 ")]


def processes(mark):
    """Those that have this mark in their environment, mpirun among them."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                yield int(folder.name)
        except OSError:
            pass


class Run:
    def __init__(self, *words, **environment):
        self.folder = tempfile.TemporaryDirectory()
        self.fault = pathlib.Path(self.folder.name, "fault")
        self.said = tempfile.TemporaryFile()
        self.mark = f"RANK_FAULTS={uuid.uuid4()}"
        name, value = self.mark.split("=")
        self.process = subprocess.Popen([MPIRUN, "-n", str(RANKS), PROGRAM, *map(str, words), str(self.fault)],
                                        env={**os.environ, name: value, **environment}, stdin=subprocess.DEVNULL, stdout=self.said,
                                        stderr=self.said)

    def end(self):
        """Exit status, seconds since the fault, lines of Tandem's, all that was said, and processes that stayed."""
        try:
            status = self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            status = None
        lasted = time.time() - self.fault.stat().st_mtime if self.fault.exists() else None
        time.sleep(0.5)
        stayed = list(processes(self.mark))
        for pid in stayed:
            os.kill(pid, signal.SIGKILL)
        self.said.seek(0)
        said = self.said.read().decode(errors="replace")
        # Open MPI's mpirun may lose its own connection while it ends the ranks, and then waits for ever: no rank is left, only itself.
        self.mpirun_failed = status is None and stayed == [self.process.pid] and "PMIX ERROR" in said
        return status, lasted, [line for line in said.splitlines() if "tandem: " in line], said, stayed


def problems_of(run, rank, what, where):
    status, lasted, lines, said, stayed = run.end()
    if status in (0, None):
        yield f"exit status {status}"
    if stayed:
        yield f"{len(stayed)} processes stayed"
    if lasted is None:
        yield "the fault never came"
    elif lasted > LIMIT:
        yield f"ended {lasted:.1f} s after the fault"
    if what is None:
        if lines:
            yield f"Tandem says {lines}"
    elif len(lines) != 1:
        yield f"{len(lines)} lines: {lines}; all that was said:\n{said}"
    elif not lines[0].startswith(f"tandem: rank {rank} of {RANKS} {what}: {where}"):
        yield f"the line is: {lines[0]}"


def all_is_well(run):
    status, lasted, lines, said, stayed = run.end()
    if status != 0 or lines or stayed or lasted is None:
        yield f"exit status {status}, {len(stayed)} processes stayed, said:\n{said}"


def main():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    problems = []

    def check(name, found):
        begin = time.monotonic()
        found = list(found)
        print(f"{name}: {time.monotonic() - begin:.1f} s{'' if not found else ' WRONG'}", flush=True)
        problems.extend(f"{name}: {problem}" for problem in found)

    def see_case(case):
        kind, moment, rank, what, where = case
        check(f"{kind} {moment} {rank}", problems_of(Run(kind, moment, rank), rank, what, where))

    with concurrent.futures.ThreadPoolExecutor(2) as pool:  # most of a run is waiting
        list(pool.map(see_case, CASES))
    run = Run("throw", "inside", 2)  # in its part of a call: the others get an exception that names it
    status, _, _, said, stayed = run.end()
    if status in (0, None) or stayed or "rank 2 threw in its part of the call" not in said:
        problems.append(f"throw inside 2: exit status {status}, {len(stayed)} processes stayed, said:\n{said}")
    check("busy 1 before gemm", all_is_well(Run("busy", "gemm", 1)))
    check("busy 3", all_is_well(Run("busy", "between", 3)))
    check("busy 3, when others have left", all_is_well(Run("busy", "late", 3)))
    check("busy 3, too long", problems_of(Run("busy", "between", 3, TANDEM_TIMEOUT="2"), 3, "is alive, but elsewhere for longer than TANDEM_TIMEOUT", SCAN))
    for _ in range(2):
        run = Run("stop", "start", 1, TANDEM_TIMEOUT="3")
        status, _, lines, said, stayed = run.end()
        if not run.mpirun_failed or not lines:
            break
        print(f"stop start 1: all ranks have ended, mpirun has not, and says\n{said}once more", flush=True)
    if status in (0, None) or stayed or not any("did not come together within 3 s" in line for line in lines):
        problems.append(f"stop start 1: exit status {status}, {len(stayed)} processes stayed, said:\n{said}")

    run = Run("busy", "between", 1)
    while not run.fault.exists() and run.process.poll() is None:
        time.sleep(0.05)
    ranks = [pid for pid in processes(run.mark) if pid != run.process.pid]
    for pid in ranks:
        os.kill(pid, signal.SIGSTOP)
    time.sleep(7)
    for pid in ranks:
        os.kill(pid, signal.SIGCONT)
    check("all stopped and continued", all_is_well(run))

    print(*problems, sep="\n")
    print(f"{len(CASES) + 7} cases, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
