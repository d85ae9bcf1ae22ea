"""channel_flow over ranks: the fields of one process, bit for bit with portable bits and within rounding without; checkpoints that any number
of ranks wrote, continued by any other; one message for all ranks where a call is bad. Arguments: mpirun, channel_flow."""

import pathlib
import re
import shlex
import signal
import struct
import subprocess
import sys
import tempfile
import time

MPIRUN, PROGRAM = sys.argv[1:3]
EPSILON = {"f32": 2.0**-23, "f64": 2.0**-52}
# nx that ranks share out evenly or not, fewer pairs of planes than ranks; sides, local iterations, transposed lines.
FLOWS = (
    ("--nodes", "16x9x8", "--type", "f64"),
    ("--nodes", "13x9x8", "--type", "f32", "--floor", "1.2"),
    ("--nodes", "7x6x5", "--type", "f64", "--ends", "developed", "--sides", "symmetry", "--force", "3", "--local", "2"),
    ("--nodes", "5x7x6", "--type", "f32", "--z", "transposed", "--length", "1x1x1"),
    ("--nodes", "3x6x9", "--type", "f64", "--splitting", "lecture"),
)


def launched(ranks, *words):
    words = [PROGRAM, *map(str, words)]
    return words if ranks == 1 else [MPIRUN, "-n", str(ranks), *words]


def run(ranks, *words, status=0):
    done = subprocess.run(launched(ranks, *words), capture_output=True, text=True, timeout=120)
    assert done.returncode == status, f"{ranks} ranks, {words}: exit status {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout, done.stderr


def values(checkpoint, kind):
    """Numbers of all unknowns, behind a header of 200 bytes."""
    data = pathlib.Path(checkpoint).read_bytes()
    return struct.unpack(f"<{(len(data) - 200) // (8 if kind == 'f64' else 4)}{'d' if kind == 'f64' else 'f'}", data[200:])


def same_fields(folder):
    """By any number of ranks."""
    for number, flow in enumerate(FLOWS):
        kind, steps = flow[flow.index("--type") + 1], 6
        for bits in ("portable", "own"):
            files = {}
            for ranks in (1, 2, 3, 4):
                files[ranks] = [folder / f"{number}_{bits}_{ranks}.{end}" for end in ("cfc", "vti")]
                said, _ = run(ranks, "run", *flow, "--bits", bits, "--steps", steps, "--checkpoint", files[ranks][0], "--vti", files[ranks][1])
                lines = said.splitlines()
                assert len(lines) == 2 + steps and (f", {ranks} ranks" in lines[0]) == (ranks > 1), said  # one rank prints
            expected = values(files[1][0], kind)
            size = max(map(abs, expected))
            for ranks in (2, 3, 4):
                for one, many in zip(files[1], files[ranks]):
                    if bits == "portable":
                        assert many.read_bytes() == one.read_bytes(), f"{flow}: {many.name} is not {one.name}"
                found = values(files[ranks][0], kind)
                worst = max(abs(a - b) for a, b in zip(expected, found)) / size
                print(f"{' '.join(flow)}, {bits} bits, {ranks} ranks: {worst / EPSILON[kind]:.2g} epsilon", flush=True)
                assert len(found) == len(expected) and worst <= steps * EPSILON[kind], (flow, ranks, worst)


def continued(folder):
    """What some ranks began others end, with the bits of a run that nothing interrupted."""
    flow = ("run", "--nodes", "11x6x7", "--type", "f64", "--bits", "portable")
    whole = folder / "whole.cfc"
    run(1, *flow, "--steps", 8, "--checkpoint", whole)
    for first, then in ((3, 1), (3, 2), (1, 3), (2, 4), (4, 3)):
        part = folder / f"{first}_{then}.cfc"
        run(first, *flow, "--steps", 3, "--checkpoint", part)
        said, _ = run(then, *flow, "--steps", 8, "--checkpoint", part, "--resume", part)
        assert re.match(r"\s+4 ", said.splitlines()[2]), said
        assert part.read_bytes() == whole.read_bytes(), (first, then)


def refused(folder):
    """All ranks end with status 2, and one says why."""
    flow = ("run", "--nodes", "8x6x5", "--steps", "3")
    good, damaged = folder / "good.cfc", folder / "damaged.cfc"
    run(2, *flow, "--checkpoint", good)
    data = bytearray(good.read_bytes())
    data[-9] ^= 16
    damaged.write_bytes(data)
    for words, what in (
        ((*flow, "--resume", folder / "none"), "none: cannot be opened"),
        ((*flow, "--resume", damaged), "has damaged data"),
        (("run", "--nodes", "8x6x6", "--steps", "3", "--resume", good), "nodes along z is 5 in it and 6 in this run"),
        ((*flow, "--checkpoint", good), "is already there"),
        ((*flow, "--vti", "/no/where.vti"), "cannot be created"),
        ((*flow, "--vti", "/dev/full"), "cannot be written"),
        ((*flow, "--re", "0"), "Re is 0; it must be positive"),
        ((*flow, "--dt", "10"), "numbers that are not finite"),
        ((*flow, "--iterations", "2", "--tolerance", "1e-30"), "after 2 iterations"),
        ((*flow, "--on", "gpu"), "ranks compute on CPUs"),
        ((*flow, "--solver", "fused"), "a fused sweep takes whole lines"),
        ((*flow, "--solver", "custom/serial"), "tridiagonal over ranks: unknown implementation 'custom/serial'"),
        # Of the last flow one rank has no planes, and does not meet the mistake.
        (("run", "--nodes", "4x6x5", "--steps", "1", "--solver", "custom/split,nothing,nothing"), "unknown implementation 'nothing'"),
        (("bench",), "bench measures one process"),
    ):
        _, said = run(3, *words, status=2)
        told = [line for line in said.splitlines() if "channel_flow: " in line or "tandem: " in line]
        assert len(told) == 1 and what in told[0], (words, said)
    assert run(1, *flow, "--bits", "odd", status=2)[1].startswith("channel_flow: --bits is 'odd'")
    assert "leave out --solver" in run(1, *flow, "--bits", "portable", "--solver", "custom/simd", status=2)[1]


def interrupted(folder):
    """SIGTERM, to one rank alone: all end after the same step, with a checkpoint that can be continued."""
    file, flow = folder / "interrupted.cfc", ("run", "--nodes", "12x8x8", "--bits", "portable", "--steps")
    mark = str(file).encode()
    process = subprocess.Popen(launched(3, *flow, 10**6, "--checkpoint", file, "--checkpoint-every", 10), stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    while not file.exists() and process.poll() is None:
        time.sleep(0.02)
    ranks = [int(path.parent.name) for path in pathlib.Path("/proc").glob("[0-9]*/cmdline") if mark in read(path) and
             int(path.parent.name) != process.pid]
    assert len(ranks) == 3, ranks
    subprocess.run(["kill", f"-{signal.SIGTERM.value}", str(max(ranks))], check=True)
    _, said = process.communicate(timeout=60)
    step = int(re.search(r"channel_flow: interrupted after step (\d+); go on with --resume", said)[1])
    assert process.returncode == 130, said
    run(2, *flow, step + 2, "--checkpoint", file, "--resume", file)
    whole = folder / "uninterrupted.cfc"
    run(1, *flow, step + 2, "--checkpoint", whole)
    assert file.read_bytes() == whole.read_bytes()


def read(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""


def documented(folder):
    """The commands of README.md."""
    page = pathlib.Path(__file__).with_name("README.md").read_text()
    for line in re.search(r"```sh tested by channel_flow_ranks\n(.*?)```", page, re.DOTALL)[1].splitlines():
        mpirun, n, ranks, program, *words = shlex.split(line, comments=True)
        assert (mpirun, n, program) == ("mpirun", "-n", "build/channel_flow"), line
        run(ranks, *(folder / word if word.startswith("flow.") else word for word in words))


def main():
    for part in (same_fields, continued, refused, interrupted, documented):
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            part(pathlib.Path(folder))
        print(f"{part.__name__}: {time.monotonic() - begin:.1f} s", flush=True)


if __name__ == "__main__":
    main()
