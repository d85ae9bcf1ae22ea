#!/usr/bin/env python3
"""The stages of `make compare`: what one measured the next ones do not measure again, but it stands in their last table.

Arguments: tandem_stage1, tandem_stage2, tandem_rest.
"""

import json
import pathlib
import subprocess
import sys
import tempfile


def run(*words):
    done = subprocess.run([*map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, f"{words}: {done.stderr}"
    return done.stdout


def summary(text):
    """The lines of the last table, by what they begin with."""
    lines = text[text.index("\nfastest"):].strip().split("\n\n")[0].splitlines()
    return {line.split("  ")[0]: line for line in lines[1:]}


def main():
    stages = sys.argv[1:3]
    rest = sys.argv[3]
    expected = [{"reduce"}, {"scan", "transform", "transpose", "gemm", "tridiagonal", "intersect"}]
    with tempfile.TemporaryDirectory() as folder:
        known, before, lines = [], set(), {}
        for program, adds in zip(stages, expected):
            rows = pathlib.Path(folder) / pathlib.Path(program).name
            text = run(program, *known, "--json", rows, "1K", "2K")
            measured = {row["operation"] for row in json.loads(rows.read_text())["rows"]}
            assert measured and measured <= adds, (program, measured)  # sizes of arrays alone were asked for
            before |= measured
            lines = summary(text)
            assert set(lines) == before, (before, lines)
            known += ["--after", str(rows)]
        whole = run(rest, *known, "1K", "2K")
    assert "  f32 plus n = 2K  " in lines["reduce"] and "  f32 plus n = 2K inclusive  " in lines["scan"], lines
    after = summary(whole)
    for what, line in lines.items():
        assert line.split() == after[what].split(), f"{after[what]}\nwas\n{line}"
    assert "histogram" in after or "select" in after, after
    tables = whole[:whole.index("\nfastest")]
    assert "scan/custom/serial" not in tables and "transform/custom/serial" not in tables, "measured again:\n" + tables
    assert "/custom/serial" in tables, tables


if __name__ == "__main__":
    main()
