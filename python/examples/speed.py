"""What a call costs, and how fast large ones are, beside NumPy, CuPy or PyTorch on the same arrays:

    python3 python/examples/speed.py [--beside numpy|cupy|torch] [--n ELEMENTS] [--seconds SECONDS]

Times are the best of the repetitions, since other programs only ever add to them; both sides take turns."""

import argparse
import os
import time

import numpy as np
import tandem


def best(calls, wait, seconds):
    """The least seconds per call of each function, in turns until `seconds` have passed (three turns at least)."""

    def sample(call, count):
        wait()
        start = time.perf_counter()
        for _ in range(count):
            call()
        wait()
        return (time.perf_counter() - start) / count

    for call in calls:
        sample(call, 1)
    counts = [max(1, round(1e-3 / sample(call, 1))) for call in calls]
    least = [float("inf")] * len(calls)
    end, turns = time.perf_counter() + seconds, 0
    while turns < 3 or time.perf_counter() < end:
        least = [min(known, sample(call, count)) for known, call, count in zip(least, calls, counts)]
        turns += 1
    return least


def rival(name):
    """The library's name, how its arrays are made of NumPy's, what waits for it, and its own calls."""
    if name == "torch":
        import torch

        calls = {
            "reduce": lambda x: x.sum().item(),
            "scan": lambda x: torch.cumsum(x, 0),
            "scan_into": lambda x, out: torch.cumsum(x, 0, out=out),
            "add": torch.add,
            "transpose": lambda a: a.T.contiguous(),
        }
        return f"PyTorch {torch.__version__}", lambda a: torch.tensor(a, device="cuda"), torch.cuda.synchronize, calls
    if name == "cupy":
        import cupy as xp

        wait, to = xp.cuda.get_current_stream().synchronize, xp.asarray
    else:
        xp, wait, to = np, lambda: None, np.asarray
    calls = {
        "reduce": lambda x: xp.sum(x).item() if xp is not np else np.add.reduce(x),
        "scan": xp.cumsum,
        "scan_into": lambda x, out: xp.cumsum(x, out=out),
        "add": xp.add,
        "transpose": lambda a: xp.ascontiguousarray(a.T),
    }
    return f"{xp.__name__} {xp.__version__}", to, wait, calls


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--beside", choices=["numpy", "cupy", "torch"], default="numpy")
    parser.add_argument("--n", type=int, default=50_000_000, help="elements of the large arrays (default: 50 million)")
    parser.add_argument("--seconds", type=float, default=5, help="for each line (default: 5)")
    options = parser.parse_args()
    library, to, wait, theirs = rival(options.beside)

    one, few = to(np.ones(1, np.float32)), to(np.ones(8, np.float32))
    x = to(np.random.default_rng(1).random(options.n, dtype=np.float32))
    y = to(np.ones(options.n, np.float32))
    side = min(3000, int(options.n**0.5))
    a = x[: side * side].reshape(side, side)
    lines = [
        ("reduce, 1 element", lambda: tandem.reduce(one), lambda: theirs["reduce"](one)),
        ("scan, 8 elements", lambda: tandem.scan(few), lambda: theirs["scan"](few)),
        ("transform plus, 8 elements", lambda: tandem.transform("plus", few, few), lambda: theirs["add"](few, few)),
        (f"reduce, {options.n} elements", lambda: tandem.reduce(x), lambda: theirs["reduce"](x)),
        (f"scan, {options.n} elements", lambda: tandem.scan(x), lambda: theirs["scan"](x)),
        (f"scan into out, {options.n} elements", lambda: tandem.scan(x, out=y), lambda: theirs["scan_into"](x, y)),
        (
            f"transform plus, {options.n} elements",
            lambda: tandem.transform("plus", x, y),
            lambda: theirs["add"](x, y),
        ),
        (f"transpose, {side} x {side}", lambda: tandem.transpose(a), lambda: theirs["transpose"](a)),
    ]
    print(f"{os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}, {library}, Tandem {tandem.__version__}")
    print(f"{'':36}{'tandem':>14}{options.beside:>14}{'ratio':>8}")
    for name, ours, others in lines:
        mine, rivals = best([ours, others], wait, options.seconds)
        print(f"{name:36}{mine * 1e6:11.2f} us{rivals * 1e6:11.2f} us{rivals / mine:8.2f}")


if __name__ == "__main__":
    main()
