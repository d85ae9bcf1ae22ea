#!/usr/bin/env python3
"""Draws what the first warp of every portable kernel touches, and shows it in the ladders' READMEs; and the heat maps of
the recorded tunings.

For each kernel of custom_kernels/OP the picture goes to custom_kernels/OP/pictures/NN_name.svg; the README's part
between <!-- pictures --> and <!-- end --> lists them. A ladder whose README has no such part gets none. Of
bench/results/tuning/MACHINE-OP-NAME.json the map goes to custom_kernels/OP/pictures/tuning_NAME.svg.

Usage: pictures.py [TANDEM] [--check] (make pictures; with --check nothing is written: the exit status says whether the
pictures of the tree are those of today)
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from pages import ROOT, finish, read, replace, write

# Steps whose tile is larger than the default input: what the first warp does to a whole tile; and one that takes only less.
SIZES = {"one_pass": "48K", "lookback": "48K", "merge_path": "48K", "equal": "48K",
         "radix_select": "48K", "one_launch": "16K", "sampled": "48K", "bitonic": "64",
         "staged": "1K", "fft/custom/tiles": "1K", "wide_tiles": "1000", "wide_axes": "100"}


def draw(folder, picture, *command):
    """The picture that the command draws becomes one of the folder; false where it draws none."""
    with tempfile.NamedTemporaryFile(suffix=".svg") as file:
        if subprocess.call([*command, "--svg", file.name], stdout=subprocess.DEVNULL):
            return False
        write(folder / picture, pathlib.Path(file.name).read_text())
    return True


def kernels(tandem, folder, rows):
    lines = []
    for row in rows:
        name = row["implementation"].removesuffix("@simt")
        step = name.rsplit("/", 1)[1]
        stem = next(folder.glob(f"[0-9][0-9]_{step}.*cu")).name.split(".")[0]
        picture = f"pictures/{stem}.svg"
        wanted = SIZES.get(name, SIZES.get(step))
        size = ["--n", wanted] if wanted else []
        if not draw(folder, picture, tandem, "trace", row["implementation"], "--force", *size):
            continue  # it takes only other inputs, and says so
        lines += [f"**{stem.replace('_', ' ', 1)}**: {row['note']}", "", f"![{name}]({picture})", ""]
    replace(folder / "README.md", "pictures", "\n".join(lines[:-1]))
    print(f"{folder.name}: {len(lines) // 4} pictures")


def main(tandem):
    rows = json.loads(subprocess.check_output([tandem, "list", "custom", "--json"]))
    rows = [row for row in rows if row["place"] == "simt"]
    for operation in sorted({row["operation"] for row in rows}):
        folder = ROOT / "custom_kernels" / operation
        if "<!-- pictures -->" in read(folder / "README.md"):
            (folder / "pictures").mkdir(exist_ok=True)
            kernels(tandem, folder, [row for row in rows if row["operation"] == operation])
    for path in sorted((ROOT / "bench" / "results" / "tuning").glob("*.json")):
        _, operation, name = path.stem.split("-")
        if not draw(ROOT / "custom_kernels" / operation, f"pictures/tuning_{name}.svg", tandem, "compare", operation, "--tuning", name,
                    "--recorded", str(path)):
            sys.exit(f"{path}: cannot be drawn")
    finish()


if __name__ == "__main__":
    main(next((argument for argument in sys.argv[1:] if argument != "--check"), "build/tandem"))
