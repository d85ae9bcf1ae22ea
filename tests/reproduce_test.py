#!/usr/bin/env python3
"""`tandem reproduce` lists its tables; all of them run with --quick, and each comes with published numbers, measurements and a
sentence.

Usage: reproduce_test.py TANDEM_COMMAND
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time


def run(*arguments, status=0):
    done = subprocess.run([sys.argv[1], "reproduce", *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != status:
        sys.exit(f"reproduce {' '.join(arguments)}\nexited with {done.returncode}, expected {status}:\n{done.stdout}")
    return done.stdout


def require(condition, text):
    if not condition:
        sys.exit(text)


def check(content, text):
    """What holds for every table."""
    table = content["table"]
    require(content["wrong"] == [] and content["quick"], f"{table}: {content['wrong']}")
    require(content["conclusion"] in text and "source's conclusion" in content["conclusion"], f"{table}: no sentence at the end")
    require(content["claims"] and content["source"] and content["machine"]["date"], f"{table}: claims, source or date are missing")
    published = 0
    for section in content["sections"]:
        require(section["rows"], f"{table}, {section['title']}: no rows")
        for row in section["rows"]:
            name = f"{table}, {section['title']}, {row['name']}"
            require(len(row["cells"]) == len(section["columns"]), f"{name}: not a cell for each column")
            measured = any(cell["here"] is not None for cell in row["cells"])
            require(measured or row["note"], f"{name}: neither a number nor a note")
            require(all(cell["here"] is None or cell["here"] > 0 for cell in row["cells"]), f"{name}: {row['cells']}")
            published += bool(row["published"]) + sum(cell["published"] is not None for cell in row["cells"])
    require(published, f"{table}: nothing of the source")
    if content["machine"]["device"] is None:
        require("\nH200: recorded 20" in text or "\nH200: no recorded run yet" in text, f"{table}: nothing of a recorded run")


def measure(folder, table, *arguments):
    """What a quick run of a table writes, after checks that hold for all tables."""
    path = os.path.join(folder, table + ".json")
    text = run(table, "--quick", "--repetitions", "1", "--json", path, *arguments)
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    require(content["table"] == table, f"{table}: {content['table']}")
    check(content, text)
    return content


def cells(content, section, row, what):
    """The numbers of a row."""
    rows = next(s for s in content["sections"] if s["title"] == section)["rows"]
    return [cell[what] for cell in next(r for r in rows if r["name"] == row)["cells"]]


def all_tables(folder, names):
    """All of them by one command: it takes little time, and counts are those of the sources."""
    path = os.path.join(folder, "all.json")
    start = time.monotonic()
    text = run("--all", "--quick", "--json", path)
    seconds = time.monotonic() - start
    with open(path, encoding="utf-8") as file:
        tables = {content["table"]: content for content in json.load(file)}
    require(list(tables) == names, f"--all ran {list(tables)}")
    for content in tables.values():
        check(content, text)
    print(f"all {len(tables)} tables, quick: {seconds:.0f} s")
    require(seconds < 120, f"--all --quick took {seconds:.0f} s; it is there to take two minutes on a laptop")
    if "complexity" not in tables:
        return  # a build without the executor
    efficiency = tables["reduction-efficiency"]
    require(cells(efficiency, "256 elements", "simple", "here")[0::3] == [255, 141], "the simple kernel")
    require(cells(efficiency, "256 elements", "simple", "published")[1] == 736, "the source's own count of lanes")
    require(cells(efficiency, "2048 elements", "convergent", "here")[3] == 204, "the convergent kernel")
    shared = tables["shared-vs-global"]
    require(cells(shared, "1024 elements, one block", "tree in shared memory", "here") == [1024, 1, 1025], "the shared tree")
    require(cells(shared, "1024 elements, one block", "tree in global memory", "here")[:2] == [2047, 1024], "the global tree")
    coarse = tables["coarsening"]
    for row in ("no coarsening", "factor 2"):
        here, published = (cells(coarse, "32 elements, 8 threads", row, what) for what in ("here", "published"))
        require(here == published, f"coarsening, {row}: {here}, not {published}")
    for claim in tables["complexity"]["claims"]:
        require(all(ratio > 1 for ratio in claim["here"]), f"another growth fits better: {claim}")
    require(cells(tables["complexity"], "work", "n = 16", "here") == [16, 136, 50, 31], "work for 16 elements")
    require(cells(tables["complexity"], "steps", "n = 16", "here") == [16, 5, 5, 7], "steps for 16 elements")


def main():
    names = [line.split()[0] for line in run().splitlines()[1:]]
    require(run("--list") == run() and names == sorted(names) and len(names) > 8, f"lists {names}")
    require("known: " in run("nothing", status=2), "an unknown table")
    require("did you mean" in run("intersections", status=2), "a table that is nearly known")
    run("--all", "intersection", status=2)
    run("intersection", "--json", "/nowhere/x.json", status=2)
    with tempfile.TemporaryDirectory() as folder:
        all_tables(folder, names)
        intersection = measure(folder, "intersection")
        require(cells(intersection, "time", "serial", "published") == [4380, 3396, 15423], "published numbers of serial")
        require(all(cells(intersection, "time", "serial", "here")), "serial rows run everywhere")
        require(cells(intersection, "times as fast as serial", "fine", "published") == [18.44, 17.05, 20.57], "published speed-ups")
        alone = cells(intersection, "a query in a call", "coarse, memory taken and lists copied for each", "published")
        require(alone == [0.199, 0.18, 0.361], f"published numbers of a query in a call: {alone}")
        hashes = [measure(folder, "intersection", "--seed", seed)["data"]["collection"]["hash"] for seed in ("1", "2")]
        require(hashes[0] == intersection["data"]["collection"]["hash"], "the same seed, other results")
        require(hashes[1] != hashes[0] and all(re.fullmatch("[0-9a-f]{16}", h) for h in hashes), f"hashes {hashes}")


if __name__ == "__main__":
    main()
