"""Programs where nothing can be relied upon: signals at any moment, full disks, closed descriptors, targets that are no
files, readers that would wait for ever, and address space that ends early. Arguments: tandem, channel_flow, search;
"measuring" behind them: only signals, to what measures before it writes."""

import concurrent.futures
import contextlib
import itertools
import math
import os
import pathlib
import random
import resource
import shutil
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import threading
import time

TANDEM, FLOW, SEARCH = sys.argv[1:4]
MEASURING = sys.argv[4:] == ["measuring"]
RESULTS = pathlib.Path(__file__).resolve().parent.parent / "bench" / "results" / "h200-sptrsv-f64.json"
ENDINGS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
PATIENCE = 10  # seconds: nothing may take longer
ONE_THREAD = {**os.environ, "OMP_NUM_THREADS": "1"}  # so many processes at once
TOO_BUSY = b"too busy to decide"  # what tune says beside other tests, and exits with 1


def run(*command, **options):
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": PATIENCE,
               "env": ONE_THREAD, **options}
    return subprocess.run([str(part) for part in command], **options)


def npy(path, *shape):
    values = struct.pack("<f", 1.0) * math.prod(shape)
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }" % (shape,)
    head += " " * (117 - len(head)) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + values)


class Inputs:
    """What the programs read."""

    def __init__(self, folder):
        self.npy, self.text, self.index, self.lists = folder / "x.npy", folder / "text", folder / "idx", folder / "lists"
        self.matrix = folder / "matrix.npy"
        npy(self.npy, 1 << 20)
        npy(self.matrix, 64, 64)
        self.text.mkdir()
        for i in range(40):
            (self.text / f"file{i}").write_text(" ".join(f"word{j}" for j in range(i, 1000)))
        assert run(SEARCH, "index", self.text, "--out", self.index).returncode == 0
        assert run(TANDEM, "generate", "postings", "--like", "small", "--out", self.lists).returncode == 0

    def writers(self):
        """Name: command, and the part of it that is the target, put in by the caller. All of them end within a second."""
        flow = [FLOW, "run", "--nodes", "12x8x8", "--steps", "4", "--on", "cpu"]
        postings = ["--index", self.lists / "ExpIndex", "--queries", self.lists / "ExpQuery"]
        return {
            "run scan": [TANDEM, "run", "scan", "--in", self.npy, "--out"],
            "run sort": [TANDEM, "run", "sort", "--in", self.npy, "--values", self.npy, "--values-out", "/dev/zero", "--out"],
            "run intersect": [TANDEM, "run", "intersect", *postings, "--out"],
            "trace": [TANDEM, "trace", "reduce/custom/reduce2_strided", "--svg"],
            "trace page": [TANDEM, "trace", "reduce/custom/reduce2_strided", "--html"],
            "report": [TANDEM, "report", RESULTS, "--html"],
            "flow vti": [*flow, "--vti"],
            "flow checkpoint": [*flow, "--checkpoint-every", "1", "--checkpoint"],
            "search bench": [SEARCH, "bench", self.index, "--random", "5", "--repetitions", "1", "--implementations",
                             "custom/serial", "--json"],
        }

    def measuring_writers(self):
        """The same, slower; what they write holds times. The target of tune is in the environment."""
        return {
            "compare": [TANDEM, "compare", "reduce", "--n", "1K", "--repetitions", "1", "--only", "custom/serial", "--json"],
            "audit": [TANDEM, "audit", "reduce", "--quick", "--shapes", "1", "--place", "host", "--json"],
            "reproduce": [TANDEM, "reproduce", "tridiagonal-directions", "--quick", "--json"],
            "flow bench": [FLOW, "bench", "tridiagonal-directions", "--nodes", "8", "--repetitions", "1", "--on", "cpu", "--json"],
            "tune": ["sh", "-c", f'TANDEM_CHOICE="$0" exec "{TANDEM}" tune --quick --seconds 1 --place host reduce'],
        }

    def folder_writers(self):
        return {
            "generate": [TANDEM, "generate", "postings", "--like", "small", "--out"],
            "search index": [SEARCH, "index", self.text, "--out"],
        }


def contents(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


# --- signals

def test_signals(work, name, command, rounds, holds_times=False):
    """A signal at a random moment of the whole run: the target is the old one or a new one, with nothing beside it."""
    rng = random.Random(name)
    folder = work / name.replace(" ", "-")
    folder.mkdir()
    target = folder / "target"
    for _ in range(10):
        begin = time.monotonic()
        first = run(*command, target)
        lasts = time.monotonic() - begin
        if TOO_BUSY not in first.stdout:
            break
    assert first.returncode == 0, first.stdout + first.stderr
    whole = contents(folder)
    sent_in_time = ended = 0
    for _ in range(10 * rounds):
        if sent_in_time == rounds:
            break
        if name == "flow checkpoint":
            target.unlink(missing_ok=True)  # one that is there is not overwritten
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen([str(part) for part in [*command, target]], env=ONE_THREAD,
                                       stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.DEVNULL)
            time.sleep(rng.uniform(0.3, 1.1) * lasts)  # loading the program takes the first third
            sent = rng.choice(ENDINGS)
            if process.poll() is None:
                sent_in_time += 1
            else:
                lasts *= 0.95  # the first run was slower
            process.send_signal(sent)
            status = process.wait(timeout=PATIENCE)
            said.seek(0)
            busy = name == "tune" and TOO_BUSY in said.read()
        assert status in [0, -sent, *([130] if name in ["flow vti", "flow checkpoint", "audit", "tune"] else []), *([1] if busy else [])], (name, sent, status)
        ended += status != 0
        left = contents(folder)
        if name == "flow checkpoint":
            assert not left or left.keys() == whole.keys(), (name, left.keys())
        elif holds_times:
            last = lambda text: text.splitlines()[-1].split()[0]  # a table of choices ends with its length
            assert left.keys() == whole.keys() and last(left["target"]) == last(whole["target"]), (name, left.keys())
        else:
            assert left == whole, (name, left.keys())
        assert len(list(folder.iterdir())) <= 1, (name, list(folder.iterdir()))
    assert sent_in_time == rounds, f"{name}: {sent_in_time} signals found it at work"
    return f"{name}: {rounds} signals at work, {ended} of them ended it, nothing left over"


def test_second_signal(work):
    for first, second in itertools.product(ENDINGS[:2], ENDINGS):
        for _ in range(10):
            process = subprocess.Popen([FLOW, "run", "--nodes", "5x5x5", "--steps", "1", "--local", str(2**31 - 1), "--on", "cpu"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            time.sleep(0.4)
            begin = time.monotonic()
            process.send_signal(first)
            process.send_signal(first)  # the same at once, as `timeout` sends it to a process and its group
            if time.monotonic() - begin < 0.03:
                break
            process.kill()  # this machine is too busy to send them at once
            process.wait()
        assert b"once more to end now" in process.stderr.readline()
        time.sleep(0.2)
        assert process.poll() is None, (first, "sent twice at once")
        process.send_signal(second)
        assert process.wait(timeout=PATIENCE) == -second


# --- targets

def test_targets(work, name, command):
    """Links, modes and owners stay; devices and FIFOs are written, not replaced; neighbours are not touched."""
    folder = work / f"targets-{name.replace(' ', '-')}"
    folder.mkdir()
    fresh = name == "flow checkpoint"  # takes no target that is there

    target = folder / ("n" * 255)
    beside = [folder / "x.tmp", folder / "x.1-0.tmp"]
    for path in beside:
        path.write_text("precious")
    assert run(*command, target).returncode == 0 and target.stat().st_size > 0, name
    assert run(*command, folder / "x").returncode == 0
    assert all(path.read_text() == "precious" for path in beside)
    if not fresh:
        (folder / "link").symlink_to("x")
        os.chmod(folder / "x", 0o640)
        if os.geteuid() == 0:
            os.chown(folder / "x", 1234, 4321)
        before = (folder / "x").stat()
        assert run(*command, folder / "link").returncode == 0
        after = (folder / "x").stat()
        assert (folder / "link").is_symlink() and before.st_ino != after.st_ino
        assert (before.st_mode, before.st_uid, before.st_gid) == (after.st_mode, after.st_uid, after.st_gid)
        os.link(folder / "x", folder / "hard")
        (folder / "x").write_text("old")
        assert run(*command, folder / "hard").returncode == 0
        assert (folder / "x").samefile(folder / "hard") and (folder / "x").stat().st_size > 3

        os.mkfifo(folder / "fifo")
        got = []
        reader = threading.Thread(target=lambda: got.append((folder / "fifo").read_bytes()))
        reader.start()
        assert run(*command, folder / "fifo").returncode == 0, name
        reader.join(PATIENCE)
        assert len(got[0]) > 0 and stat.S_ISFIFO((folder / "fifo").stat().st_mode)
        assert run(*command, "/dev/null").returncode == 0 and stat.S_ISCHR(os.stat("/dev/null").st_mode)
        done = run(*command, "/dev/full")
        assert done.returncode == 2 and b"No space left on device" in done.stderr, done
        try:
            os.mknod(folder / "null", 0o600 | stat.S_IFCHR, os.makedev(1, 3))
            assert run(*command, folder / "null").returncode == 0 and stat.S_ISCHR((folder / "null").stat().st_mode)
        except PermissionError:
            pass
        if os.geteuid() == 0:
            os.chmod(folder, 0o777)
            (folder / "protected").write_text("mine")
            os.chmod(folder / "protected", 0o444)
            done = run(*command, folder / "protected", user=65534, group=65534)
            if b"Permission denied" not in done.stderr.split(b"protected")[0]:  # the program itself may lie out of reach
                assert done.returncode == 2 and (folder / "protected").read_text() == "mine", done
    assert not list(folder.glob("tandem-*"))


def test_concurrent_writers(work):
    target = work / "shared.vti"
    command = [FLOW, "run", "--nodes", "8x8x8", "--steps", "1", "--on", "cpu", "--vti", target]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert {done.returncode for done in pool.map(lambda _: run(*command), range(24))} == {0}
    alone = work / "alone.vti"
    assert run(*command[:-1], alone).returncode == 0 and alone.read_bytes() == target.read_bytes()
    assert not list(work.glob("tandem-*"))


# --- nowhere to write

def limited(bytes):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes, bytes))


def test_no_room(work, name, command):
    """A limit on the size of files, and a full disk: an error, the old target, nothing beside it."""
    def refused(folder, reason, **options):
        before = contents(folder)
        done = run(*command, folder / "target", **options)
        assert done.returncode == 2 and reason in done.stderr, (name, done)
        assert contents(folder) == before and not list(folder.glob("tandem-*")), name

    folder = work / f"room-{name.replace(' ', '-')}"
    folder.mkdir()
    refused(folder, b"File too large", preexec_fn=limited(64))
    if "checkpoint" not in name:
        assert run(*command, folder / "target").returncode == 0
        refused(folder, b"File too large", preexec_fn=limited(64))
    disk = work / f"disk-{name.replace(' ', '-')}"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], capture_output=True).returncode != 0:
        return "not measured: a full disk needs the right to mount one"
    try:
        with open(disk / "full", "wb", buffering=0) as filler, contextlib.suppress(OSError):
            while True:
                filler.write(bytes(1024))
        refused(disk, b"No space left on device")
    finally:
        subprocess.run(["umount", disk], check=True)


def test_lost_output(inputs):
    """Everything that prints, with an output that takes nothing."""
    printing = [
        [TANDEM, "--version"], [TANDEM, "--help"], [TANDEM, "list"], [TANDEM, "list", "reduce"],
        [TANDEM, "run", "reduce", "--in", inputs.npy], [TANDEM, "check", "reduce/custom/serial", "--coverage", "brief"],
        [TANDEM, "compare", "reduce", "--n", "1K", "--repetitions", "1", "--only", "custom/serial"],
        [TANDEM, "trace", "reduce/custom/reduce2_strided"], [TANDEM, "reproduce"],
        [FLOW, "--help"], [FLOW, "run", "--nodes", "5x5x5", "--steps", "1", "--on", "cpu"],
        [SEARCH, "--help"], [SEARCH, "query", inputs.index, "word500"],
        [SEARCH, "bench", inputs.index, "--random", "5", "--repetitions", "1", "--implementations", "custom/serial"],
    ]
    for command in printing:
        assert run(*command).returncode == 0, command
        with open("/dev/full", "w") as full:
            done = run(*command, stdout=full)
        assert done.returncode == 2 and b"the output cannot be written" in done.stderr, (command, done)
        for closed in [[1], [0, 1], [0, 1, 2]]:
            done = run(*command, preexec_fn=lambda: [os.close(descriptor) for descriptor in closed])
            assert done.returncode == 2, (command, closed, done)
            assert 2 in closed or b"cannot be written" in done.stderr, (command, done)
    for descriptors in [[0], [2], [0, 2]]:  # what prints on stdout alone does not miss the others
        done = run(TANDEM, "run", "reduce", "--in", inputs.npy,
                   preexec_fn=lambda: [os.close(descriptor) for descriptor in descriptors])
        assert done.returncode == 0 and done.stdout == b"1048576\n", done
    with open("/dev/full", "w") as full:  # an error that nobody can read is one all the same
        for program in [TANDEM, FLOW, SEARCH]:
            assert run(program, "frobnicate", stdout=full, stderr=full).returncode == 2


def test_closed_descriptors_hold_no_output(work, writers):
    """A file that is opened never gets the number of a closed stdout, where tables would be printed into it."""
    for name, command in writers.items():
        target, closed = work / "only-mine", work / "closed"
        assert run(*command, target).returncode == 0
        run(*command, closed, preexec_fn=lambda: [os.close(descriptor) for descriptor in range(3)])
        if closed.exists():  # not where a line of the output was lost before
            same = closed.read_bytes() == target.read_bytes()
            assert same or name == "search bench" and closed.read_bytes().endswith(b"}\n"), name
        assert closed.exists() or not name.startswith("run"), name  # these print nothing
        for path in [target, closed]:
            path.unlink(missing_ok=True)


# --- readers

def test_fifo_is_no_input(work, inputs):
    fifo = work / "fifo"
    os.mkfifo(fifo)
    index = work / "index-of-fifos"
    shutil.copytree(inputs.index, index)
    (index / "terms.txt").unlink()
    os.mkfifo(index / "terms.txt")
    for command in [
        [TANDEM, "run", "scan", "--in", fifo, "--out", work / "y.npy"],
        [TANDEM, "compare", "reduce", "--in", fifo],
        [TANDEM, "compare", "reduce", "--n", "1K", "--baseline", fifo],
        [TANDEM, "run", "intersect", "--index", fifo, "--queries", fifo, "--out", work / "y"],
        [TANDEM, "run", "intersect", "--index", inputs.lists / "ExpIndex", "--queries", fifo, "--out", work / "y"],
        [FLOW, "run", "--nodes", "5x5x5", "--on", "cpu", "--resume", fifo],
        [SEARCH, "index", fifo, "--out", work / "z"],
        [SEARCH, "query", index, "word1"],
        [SEARCH, "bench", inputs.index, "--queries", fifo],
    ]:
        done = run(*command)
        assert done.returncode == 2 and (b"is not a regular file" in done.stderr or b"is no folder" in done.stderr), done


def test_control_characters(work):
    text = work / "odd"
    text.mkdir()
    (text / "a\x1b[31m\x07\u009bb\nc").write_text("findme \x1b]0;title\x07 \u009b31m\n")
    assert run(SEARCH, "index", text, "--out", work / "odd.idx", "--lines").returncode == 0
    done = run(SEARCH, "query", work / "odd.idx", "findme")
    assert f"{text}/a\\x1b[31m\\x07\\x9bb\\nc:1: findme".encode() in done.stdout, done
    done = run(SEARCH, "index", text, "--out", text)
    for output in [done.stdout, done.stderr, run(SEARCH, "query", work / "odd.idx", "findme").stdout,
                   run(TANDEM, "run", "reduce", "--in", "no\x1bfile").stderr, run(SEARCH, "query", "no\x1bindex", "a").stderr]:
        assert b"\x1b" not in output and "\u009b".encode() not in output, output


# --- address space

def test_little_memory(inputs):
    """From 100 MB up everything ends within 10 s, and not by a crash."""
    commands = {
        "tandem": [TANDEM, "--version"],
        "reduce": [TANDEM, "run", "reduce", "--in", inputs.npy],
        "scan": [TANDEM, "run", "scan", "--in", inputs.npy, "--out", "/dev/null"],
        "OpenBLAS": [TANDEM, "run", "transpose", "--in", inputs.matrix, "--out", "/dev/null", "--use", "vendor/openblas"],
        "channel_flow": [FLOW, "run", "--nodes", "16x16x16", "--steps", "1", "--on", "cpu"],
        "search": [SEARCH, "query", inputs.index, "word500"],
    }
    limits = [*range(100, 400, 20), *range(400, 1000, 100)]  # MB
    least = {}

    def one(job):
        name, megabytes = job
        done = run(*commands[name], env=os.environ,
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20)))
        assert done.returncode >= 0 and (done.returncode == 0 or done.stderr), (megabytes, done)
        if done.returncode == 0:
            least[name] = min(megabytes, least.get(name, megabytes))

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(one, itertools.product(commands, limits)))
    return ", ".join(f"{name} from {megabytes} MB" for name, megabytes in least.items())


def main():
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name).resolve()
        inputs = Inputs(work)
        writers = inputs.writers()

        def timed(what, *arguments):
            begin = time.monotonic()
            text = what(*arguments)
            print(f"{what.__name__} {time.monotonic() - begin:.1f} s{': ' + text if text else ''}", flush=True)

        measuring = inputs.measuring_writers()
        if MEASURING:
            for name, command in measuring.items():
                timed(test_signals, work, name, command, 100, True)
            return
        jobs = [(test_signals, work, "compare", measuring["compare"], 10, True)]
        jobs += [(test_signals, work, name, command, 100, name == "search bench")
                 for name, command in {**writers, **inputs.folder_writers()}.items()]
        jobs += [(test_targets, work, name, command) for name, command in writers.items()]
        jobs += [(test_no_room, work, name, command) for name, command in {**writers, **inputs.folder_writers()}.items()]
        jobs += [(test_second_signal, work), (test_concurrent_writers, work), (test_lost_output, inputs),
                 (test_closed_descriptors_hold_no_output, work, writers), (test_fifo_is_no_input, work, inputs),
                 (test_control_characters, work)]
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            for done in [pool.submit(timed, *job) for job in jobs]:
                done.result()
        timed(test_little_memory, inputs)


main()
