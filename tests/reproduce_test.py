#!/usr/bin/env python3
"""`tandem reproduce` lists its tables, and each comes with published numbers, measurements and a sentence.

Usage: reproduce_test.py TANDEM_COMMAND
"""

import json
import os
import re
import subprocess
import sys
import tempfile


def run(*arguments, status=0):
    done = subprocess.run([sys.argv[1], "reproduce", *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != status:
        sys.exit(f"reproduce {' '.join(arguments)}\nexited with {done.returncode}, expected {status}:\n{done.stdout}")
    return done.stdout


def require(condition, text):
    if not condition:
        sys.exit(text)


def measure(folder, table, *arguments):
    """What a quick run of a table writes, after checks that hold for all tables."""
    path = os.path.join(folder, table + ".json")
    text = run(table, "--like", "small", "--repetitions", "1", "--json", path, *arguments)
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    require(content["table"] == table and content["wrong"] == [], f"{table}: {content['wrong']}")
    require(content["conclusion"] in text and "source's conclusion" in content["conclusion"], "no sentence at the end")
    for section in content["sections"]:
        for row in section["rows"]:
            require(len(row["cells"]) == len(section["columns"]), f"{row['name']}: not a cell for each column")
            measured = any(cell["here"] is not None for cell in row["cells"])
            require(measured or row["reason"], f"{table}, {row['name']}: neither a number nor a reason")
            require(all(cell["here"] is None or cell["here"] > 0 for cell in row["cells"]), f"{row['name']}: no time")
    return content


def main():
    names = [line.split()[0] for line in run().splitlines()[1:]]
    require(names == ["intersection", "managed-memory"], f"lists {names}")
    require("known: intersection" in run("intersections", status=2), "an unknown table")
    run("intersection", "--json", "/nowhere/x.json", status=2)
    with tempfile.TemporaryDirectory() as folder:
        tables = {name: measure(folder, name) for name in names}
        times = tables["intersection"]["sections"][0]["rows"]
        serial = [row["cells"] for row in times if row["name"] == "serial"][0]
        require([cell["published"] for cell in serial] == [4380, 3396, 15423], "published numbers of serial")
        require(all(cell["here"] for cell in serial), "serial rows run everywhere")
        hashes = [measure(folder, "intersection", "--seed", seed)["data"]["collection"]["hash"] for seed in ("1", "2")]
        require(hashes[0] == tables["intersection"]["data"]["collection"]["hash"], "the same seed, other results")
        require(hashes[1] != hashes[0] and all(re.fullmatch("[0-9a-f]{16}", h) for h in hashes), f"hashes {hashes}")


if __name__ == "__main__":
    main()
