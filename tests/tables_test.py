#!/usr/bin/env python3
"""Tables of `tandem`: they fit a terminal of 80 columns without losing a word, and say the same as CSV, Markdown and JSON.

Usage: tables_test.py TANDEM
"""

import csv
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

tandem = os.path.abspath(sys.argv[1])


def run(*words, columns=None, folder=None):
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    if columns:
        environment["COLUMNS"] = str(columns)
    return subprocess.run([tandem, *words], env=environment, cwd=folder, check=True, capture_output=True, text=True, timeout=200).stdout


def test_list():
    rows = json.loads(run("list", "--json"))
    for columns in [80, 100, 132]:
        text = run("list", columns=columns)
        assert max(map(len, text.splitlines())) <= columns, columns
        words = text.split()
        for row in rows:
            assert row["implementation"] in words, row
            for word in row["note"].split() + row["deviates"].split():
                assert any(word in w for w in words), (row, word)
            assert row["reason"] in text.replace("\n", " "), row
    text = run("list")  # into a pipe a row is a line
    assert all(row["note"] in text for row in rows)
    for row, line in zip(rows, csv.DictReader(io.StringIO(run("list", "--csv")))):
        assert line["implementation"] == row["implementation"] and line["note"] == row["note"], line
        assert line["available"] == ("true" if row["available"] else "false"), line
    lines = [line for line in run("list", "--md").splitlines() if line.startswith("|")]
    assert len(lines) == len(rows) + 2
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {5}


def test_every_operation():
    """What compare prints of each operation fits 80 columns, and no row is lost."""
    rows = json.loads(run("list", "--json"))
    for operation in sorted({row["operation"] for row in rows}):
        text = run("compare", operation, "--n", "512", "--repetitions", "1", "--place", "host", columns=80)
        wide = [line for line in text.splitlines() if len(line) > 80]
        assert not wide, (operation, wide)
        for row in rows:
            if row["operation"] == operation and row["place"] == "host" and row["available"]:
                assert row["implementation"] in text or re.search(r"^\d+ host rows: ", text, re.M), (row["implementation"], text)
    # The last table of all of them has a line for each, so that it fits 25.
    text = run("compare", "--n", "1K", "--repetitions", "1", "--place", "host", columns=80)
    lines = text[text.index("\nfastest"):].strip().split("\n\n")[0].splitlines()
    assert max(map(len, lines)) <= 80 and "of bound" in lines[0], lines
    assert sum(line.split()[0] in {row["operation"] for row in rows} for line in lines) >= len(lines) - 2, lines
    for words in [["trace", "scan/custom/blelloch"], ["compare", "gemm", "--tuning", "tile", "--n", "64"]]:
        table = [line for line in run(*words, columns=80).splitlines() if re.match(r"(\S+:\d+|tile/\S+) ", line)]
        assert table and max(map(len, table)) <= 80, table


def test_everything_else():
    """Whatever else is printed for people, --help of every subcommand among it, fits 80 columns and loses nothing."""
    helps = [[sub, "--help"] for sub in re.findall(r"^  (\w+)  ", run("--help"), re.M)]
    assert len(helps) > 8, helps
    for words in [["--help"], *helps, ["reproduce", "--all", "--quick"], ["trace", "transpose/custom/naive", "--n", "64", "--predict", "h200"]]:
        text = run(*words, columns=80)
        wide = [line for line in text.splitlines() if len(line) > 80]
        assert not wide, (words, wide)
        if "--help" in words:
            assert text.split() == run(*words).split(), words


def test_compare(folder):
    words = ["compare", "reduce", "--n", "1K,4K", "--type", "f32,f64", "--repetitions", "3", "--place", "host"]
    table = run(*words, "--json", "rows.json", "--csv", folder=folder)
    content = json.loads((folder / "rows.json").read_text())
    lines = list(csv.DictReader(io.StringIO(table)))
    assert len(lines) == len(content["rows"]) and table.count("operation,") == 1
    for row, line in zip(content["rows"], lines):
        assert line["implementation"] == row["implementation"] and line["type"] == row["type"]
        assert float(line["time_ns"]) == row["time_ns"]
        assert [float(ns) for ns in line["samples_ns"].split()] == row["samples_ns"] and len(row["samples_ns"]) == 3
    machine = content["machine"]
    assert machine["schema"] == 1 and machine["compiler"] and machine["version"]
    assert re.fullmatch(r"([0-9a-f]{12}(-dirty)?)?", machine["commit"]), machine["commit"]
    for key in ["cuda", "driver"]:
        assert (key in machine) == (machine["device"] is not None), key
    text = run(*words, "--md", folder=folder)
    assert text.count("\n### reduce f") == 4 and text.count("\n| --- |") == 5, text  # the last one is the summary
    assert len(re.findall(r"^\| reduce/custom/serial \| host \|", text, re.M)) == 4


def test_long_calls(folder):
    """A long call that is many times slower than the fastest row of its table is timed once."""
    text = run("compare", "top_k", "--n", "4M", "--only", "skip,std_par", "--repetitions", "3", "--place", "host", "--json", "rows.json",
               folder=folder)
    rows = [row for row in json.loads((folder / "rows.json").read_text())["rows"] if row["time_ns"] is not None]
    fastest = min(row["time_ns"] for row in rows)
    for row in rows:  # one core takes 1.2 s with std_par, 16 some 0.1
        if row["time_ns"] > max(0.5e9, 20 * fastest):
            assert len(row["samples_ns"]) == 1, row
        elif row["time_ns"] < 0.1e9:
            assert len(row["samples_ns"]) == 3, row
    once = [row["implementation"] for row in rows if len(row["samples_ns"]) == 1]
    assert once == re.findall(r"^(top_k/vendor/\S+(?: \(library alone\))?) .* – ", text, re.M), text


def test_folding():
    """Rows without a time fold into lines that count them; --all unfolds each of them with its reason."""
    of_scan = [row for row in json.loads(run("list", "--json")) if row["operation"] == "scan"]
    words = ["compare", "scan", "--n", "1K", "--repetitions", "1"]
    folded, all_rows = run(*words), run(*words, "--all")
    for row in of_scan:
        lines = [line for line in all_rows.splitlines() if line.split()[:1] == [row["implementation"]]]
        assert len(lines) == 1, (row, lines)
        if not row["available"]:
            assert "not run" in lines[0] and row["reason"] in lines[0], (row, lines)
    assert not re.search(r"^\d+ \w+ rows: ", all_rows, re.M), all_rows
    assert len(folded.splitlines()) < len(all_rows.splitlines())
    names = {row["implementation"] for row in of_scan}
    alone = sum(line.split()[0].rstrip(":") in names for line in folded.splitlines() if line.strip())
    together = sum(map(int, re.findall(r"^(\d+) \w+ rows: ", folded, re.M)))
    assert together > 0 and alone + together == len(names), (alone, together, len(names), folded)
    reasons = {row["reason"] for row in of_scan if not row["available"]}
    assert all(reason in folded for reason in reasons), (reasons, folded)


def test_baseline(folder):
    """A run against a recorded one: what is slower or faster is named, all rows are counted, and only what is slower is an error."""
    words = ["compare", "reduce", "--n", "64K", "--repetitions", "3", "--place", "host", "--only", "custom/serial,custom/threads,custom/exact_threads"]
    run(*words, "--json", "rows.json", folder=folder)
    content = json.loads((folder / "rows.json").read_text())
    timed = [row for row in content["rows"] if row["time_ns"]]
    assert len(timed) == 3, timed

    def against(*factors):
        for row, factor in zip(timed, factors):
            row["spread"] = 0 if factor != 1 else 50  # times differ from run to run: what stays must not
            row["old"] = row.get("old", row["time_ns"])
            row["time_ns"] = row["old"] * factor
        (folder / "old.json").write_text(json.dumps(content))
        done = subprocess.run([tandem, *words, "--baseline", "old.json"], cwd=folder, capture_output=True, text=True, timeout=200)
        return done.returncode, done.stdout

    status, text = against(1e-4, 1e4, 1)
    slower, faster = (re.findall(rf"^{word}: (\S+) n = 65536: .* was .*, beyond the noise of \d+ %$", text, re.M) for word in ("regression", "faster"))
    assert (status, slower, faster) == (1, [timed[0]["implementation"]], [timed[1]["implementation"]]), (status, text)
    assert "against old.json: 0 of 3 rows the same within noise, 1 slower, 1 faster, 1 too noisy to tell" in text, text
    status, text = against(1e4, 1, 1)
    assert status == 0 and "1 faster, 2 too noisy to tell" in text, (status, text)


def test_others():
    rows = json.loads(run("check", "scan/custom", "--coverage", "brief", "--place", "host", "--json"))
    lines = list(csv.DictReader(io.StringIO(run("check", "scan/custom", "--coverage", "brief", "--place", "host", "--csv"))))
    assert [(row["implementation"], str(row["cases"]), str(row["wrong"])) for row in rows] == [
        (line["implementation"], line["cases"], line["wrong"]) for line in lines]
    lines = list(csv.DictReader(io.StringIO(run("audit", "scan", "--quick", "--shapes", "3", "--seed", "1", "--place", "host", "--csv"))))
    assert len(lines) == 3 and all(float(line["automatic_time_ns"]) > 0 and line["again"].startswith("tandem compare scan") for line in lines)
    assert "\n| scan |" in run("audit", "scan", "--quick", "--shapes", "3", "--seed", "1", "--place", "host", "--md")


def main():
    test_list()
    test_every_operation()
    test_everything_else()
    with tempfile.TemporaryDirectory() as name:
        test_compare(pathlib.Path(name))
        test_long_calls(pathlib.Path(name))
        test_baseline(pathlib.Path(name))
    test_folding()
    test_others()
    print("tables: all right")


if __name__ == "__main__":
    main()
