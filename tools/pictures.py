#!/usr/bin/env python3
"""Draws what the first warp of every portable kernel touches, and shows it in the ladders' READMEs.

For each kernel of custom_kernels/OP the picture goes to custom_kernels/OP/pictures/NN_name.svg; the README's part
between <!-- pictures --> and <!-- end --> lists them. A ladder whose README has no such part gets none. Run by
`make pictures`.
"""

import json
import pathlib
import subprocess
import sys

from report import replace

# Steps whose tile is larger than the default input: what the first warp does to a whole tile.
WIDE = ("one_pass", "lookback")

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main(tandem):
    rows = json.loads(subprocess.check_output([tandem, "list", "custom", "--json"]))
    rows = [row for row in rows if row["place"] == "simt"]
    for operation in sorted({row["operation"] for row in rows}):
        folder = ROOT / "custom_kernels" / operation
        if "<!-- pictures -->" not in (folder / "README.md").read_text():
            continue
        (folder / "pictures").mkdir(exist_ok=True)
        lines = []
        for row in rows:
            if row["operation"] != operation:
                continue
            name = row["implementation"].removesuffix("@simt")
            step = name.rsplit("/", 1)[1]
            source = next(folder.glob(f"*_{step}.cu"))
            picture = f"pictures/{source.stem}.svg"
            size = ["--n", "48K"] if step in WIDE else []
            if subprocess.call([tandem, "trace", row["implementation"], "--svg", str(folder / picture)] + size,
                               stdout=subprocess.DEVNULL):
                continue  # it takes only other inputs, and says so
            lines += [f"**{source.stem.replace('_', ' ', 1)}**: {row['note']}", "", f"![{name}]({picture})", ""]
        replace(folder / "README.md", "pictures", "\n".join(lines[:-1]))
        print(f"{operation}: {len(lines) // 4} pictures")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "build/tandem")
