#!/usr/bin/env python3
"""tandem trace --predict: every recorded ladder is predicted again. No bound is above what was measured by more than its
5 %, neighbouring steps come in the measured order as often as they must, docs/trace.md shows today's predictions, and a
prediction holds what it should.

Usage: prediction_test.py SOURCE_DIRECTORY TANDEM
"""

import json
import pathlib
import subprocess
import sys

source, tandem = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
sys.path.insert(0, str(source / "tools"))
import predictions  # noqa: E402


def call(n, recorded, bound, one_by_one):
    return {"n": n, "recorded_ns": recorded, "spread": 0.02, "method": "graph", "time_ns": bound, "one_by_one_ns": one_by_one}


def test_counting():
    """Pairs are counted as docs/trace.md says."""
    def agreement(*calls):
        return predictions.Agreement([{"step": f"scan/s{i}", "case": "f32", "calls": [c]} for i, c in enumerate(calls)])
    one = agreement(call(64, 100, 50, 60), call(64, 101, 70, 80), call(64, 120, 60, 90), call(64, 90, 60, 70), call(64, 80, 60, 70))
    assert (one.pairs, one.right, one.right_by_bounds, one.ties) == (3, 1, 0, 1), vars(one)
    assert one.worst == 60 / 80 and one.worst_of.startswith("scan/s4"), vars(one)
    assert agreement(call(64, 100, 50, 60), call(32, 50, 20, 20)).pairs == 0  # of one size alone


def test_json():
    done = subprocess.run([tandem, "trace", "scan/custom/blelloch", "--n", "16K", "--predict", "h200", "--json"], capture_output=True, text=True,
                          check=True, timeout=300)
    launches = json.loads(done.stdout)
    assert all(launch["device"] == "NVIDIA H200" for launch in launches)
    for bound in [launch["at_least"] for launch in launches] + launches[0]["calls"]:
        terms = bound["terms_ns"]
        assert bound["limiter"] in terms and bound["time_ns"] <= bound["one_by_one_ns"] * (1 + 1e-9), bound
        assert abs(sum(terms.values()) - bound["one_by_one_ns"]) <= 1e-6 * bound["one_by_one_ns"], bound
    calls = {one["n"]: one for one in launches[0]["calls"]}
    assert 1 << 14 in calls and 1 << 28 in calls and list(calls) == sorted(calls), calls
    # As traced, a call takes its launches one after another.
    whole, parts = calls[1 << 14]["time_ns"], sum(launch["at_least"]["time_ns"] for launch in launches)
    assert abs(whole - parts) <= 1e-6 * parts, (whole, parts)


def test_shapes():
    """A shape that does not grow on as it grew up to n has no bound: rows of fft become longer, but then fewer."""
    done = subprocess.run([tandem, "trace", "fft/custom", "--predict", "h200", "--json", "--force"], capture_output=True, text=True,
                          check=True, timeout=300)
    calls = [call for launch in json.loads(done.stdout) for call in launch.get("calls", []) if call["recorded_ns"]]
    assert len(calls) > 4, calls
    for call in calls:
        assert call["time_ns"] <= predictions.MOST_EXCESS * call["recorded_ns"], call


def test_usual_sizes():
    """Where nobody says what to trace, no bound is too high."""
    for operation in ("histogram", "real_fft", "gemm"):
        done = subprocess.run([tandem, "trace", operation + "/custom", "--predict", "h200", "--json", "--force"], capture_output=True,
                              text=True, check=True, timeout=300)
        calls = [(launch["implementation"], call) for launch in json.loads(done.stdout) for call in launch.get("calls", [])
                 if call["recorded_ns"]]
        assert calls, operation
        for name, call in calls:
            assert call["time_ns"] <= predictions.MOST_EXCESS * call["recorded_ns"], (name, call)


def test_goals():
    steps = predictions.predict(tandem)
    shown = json.loads((source / "bench/results/predictions/h200.json").read_text())
    assert [(s["step"], s["case"]) for s in steps] == [(s["step"], s["case"]) for s in shown], "make tables"
    for today, then in zip(steps, shown):
        for a, b in zip(today["calls"], then["calls"], strict=True):
            assert a["n"] == b["n"] and abs(a["time_ns"] / b["time_ns"] - 1) < 0.01, (today["step"], a, b)
    agreement = predictions.Agreement(steps)
    assert agreement.worst <= predictions.MOST_EXCESS, (agreement.worst, agreement.worst_of)
    for ladders in (agreement, predictions.Agreement(predictions.chosen(steps))):
        assert ladders.share() >= predictions.LEAST_AGREEMENT, (ladders.share(), ladders.wrong)
    return agreement


def main():
    test_counting()
    test_json()
    test_shapes()
    test_usual_sizes()
    agreement = test_goals()
    print(f"prediction: {agreement.right} of {agreement.pairs} pairs in the measured order, {agreement.ties} ties; at most "
          f"{agreement.worst:.0%} of what was measured ({agreement.worst_of})")


if __name__ == "__main__":
    main()
