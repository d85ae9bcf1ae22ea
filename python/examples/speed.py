"""What a call costs, and how fast large ones are beside NumPy: python3 python/examples/speed.py [--n ELEMENTS]. Times
are the best of the repetitions, since other programs only ever add to them; both sides take turns."""

import argparse
import os
import time

import numpy as np
import tandem


def best(calls, seconds):
    """The least seconds per call of each function, in turns until `seconds` have passed (three turns at least)."""
    least = [float("inf")] * len(calls)
    end, turns = time.perf_counter() + seconds, 0
    repeat = []
    for call in calls:
        start = time.perf_counter()
        call()
        repeat.append(max(1, round(1e-3 / (time.perf_counter() - start))))
    while turns < 3 or time.perf_counter() < end:
        for i, call in enumerate(calls):
            start = time.perf_counter()
            for _ in range(repeat[i]):
                call()
            least[i] = min(least[i], (time.perf_counter() - start) / repeat[i])
        turns += 1
    return least


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=50_000_000, help="elements of the large arrays (default: 50 million)")
    parser.add_argument("--seconds", type=float, default=5, help="for each line (default: 5)")
    options = parser.parse_args()
    print(f"{os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}, NumPy {np.__version__}, Tandem {tandem.__version__}")

    one, few = np.ones(1, np.float32), np.ones(8, np.float32)
    x = np.random.default_rng(1).random(options.n, dtype=np.float32)
    y = np.ones_like(x)
    side = 3000
    a = x[: side * side].reshape(side, side) if x.size >= side * side else x[:1].reshape(1, 1)
    lines = [
        ("reduce, 1 element", lambda: tandem.reduce(one), lambda: np.add.reduce(one)),
        ("scan, 8 elements", lambda: tandem.scan(few), lambda: np.cumsum(few)),
        ("transform plus, 8 elements", lambda: tandem.transform("plus", few, few), lambda: np.add(few, few)),
        (f"reduce, {x.size} elements", lambda: tandem.reduce(x), lambda: np.add.reduce(x)),
        (f"scan, {x.size} elements", lambda: tandem.scan(x), lambda: np.cumsum(x)),
        (f"scan into out, {x.size} elements", lambda: tandem.scan(x, out=y), lambda: np.cumsum(x, out=y)),
        (f"transform plus, {x.size} elements", lambda: tandem.transform("plus", x, y), lambda: np.add(x, y)),
        (f"transpose, {len(a)} x {len(a)}", lambda: tandem.transpose(a), lambda: np.ascontiguousarray(a.T)),
    ]
    print(f"{'':36}{'tandem':>14}{'numpy':>14}{'numpy / tandem':>16}")
    for name, ours, theirs in lines:
        mine, numpys = best([ours, theirs], options.seconds)
        print(f"{name:36}{mine * 1e6:11.2f} us{numpys * 1e6:11.2f} us{numpys / mine:16.2f}")


if __name__ == "__main__":
    main()
