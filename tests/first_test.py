#!/usr/bin/env python3
"""The two stages of `make compare`: what tandem_first measured tandem_rest does not measure again, but it
stands in the last table.

Arguments: tandem_first, tandem_rest.
"""

import json
import pathlib
import subprocess
import sys
import tempfile


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, f"{words}: {done.stderr}"
    return done.stdout


def summary(text):
    """The lines of the last table, by what they begin with."""
    lines = text[text.index("\nfastest"):].strip().split("\n\n")[0].splitlines()
    return {line.split("  ")[0]: line for line in lines[1:]}


def main():
    first, rest = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        rows = str(pathlib.Path(folder) / "first.json")
        alone = run(first, "--json", rows, "1K", "2K")
        measured = {row["operation"] for row in json.loads(pathlib.Path(rows).read_text())["rows"]}
        assert measured == {"reduce", "scan"}, measured
        whole = run(rest, "--after", rows, "1K", "2K")
    before = summary(alone)
    assert set(before) == {"reduce", "scan"}, before
    assert "  f32 plus n = 2K  " in before["reduce"] and "  f32 plus n = 2K inclusive  " in before["scan"], before
    after = summary(whole)
    for what, line in before.items():
        assert line.split() == after[what].split(), f"{after[what]}\nwas\n{line}"
    assert "transform" in after, after
    tables = whole[:whole.index("\nfastest")]
    assert "scan/custom/serial" not in tables, "measured again:\n" + tables
    assert "transform/custom/serial" in tables, tables


if __name__ == "__main__":
    main()
