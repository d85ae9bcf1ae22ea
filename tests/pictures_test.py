#!/usr/bin/env python3
"""What is generated into the tree is what would be written today: tables, the chart, every picture. And every picture is
legible at 900 px width, no two of its texts meet, and several can stand in one page.

Usage: pictures_test.py SOURCE_DIRECTORY TANDEM
"""

import collections
import itertools
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

SVG = "{http://www.w3.org/2000/svg}"
SHOWN, LEGIBLE = 900, 9  # px


class Text:
    """A line of text, and the box that it takes by an estimate."""

    def __init__(self, element, inherited):
        def of(attribute, otherwise=None):
            return element.get(attribute, inherited.get(attribute, otherwise))
        self.text, self.size = element.text, float(of("font-size"))
        digits = sum(c.isdigit() for c in self.text)
        width = self.size * (0.6 * digits + 0.52 * (len(self.text) - digits))
        before = {"start": 0, "middle": 0.5, "end": 1}[of("text-anchor", "start")]
        self.left = float(element.get("x")) - before * width
        self.right = self.left + width
        self.bottom = float(element.get("y"))
        self.top = self.bottom - 0.72 * self.size

    def meets(self, other):
        return (self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom)


def faults(picture, shown=SHOWN):
    """What is wrong with a picture where it is shown so wide, as lines."""
    root = xml.fromstring(picture)
    width, height = float(root.get("width")), float(root.get("height"))
    for element in root.iter():
        if element.tag == SVG + "style" or element.get("class") or element.get("id"):
            yield f"{element.tag.removeprefix(SVG)}: styles, classes and ids meet those of other pictures in a page"
    places = collections.defaultdict(list)
    for text in (Text(element, root) for element in root.iter(SVG + "text")):
        if text.size * shown / width < LEGIBLE:
            yield f"'{text.text}' is {text.size * shown / width:.1f} px high at {shown} px width"
        if text.left < 0 or text.right > width or text.top < 0 or text.bottom > height:
            yield f"'{text.text}' leaves the picture"
        for column in range(int(text.left) // 64, int(text.right) // 64 + 1):
            for row in range(int(text.top) // 16, int(text.bottom) // 16 + 1):
                places[column, row].append(text)
    for texts in places.values():
        for one, other in itertools.combinations(texts, 2):
            if one.meets(other):
                yield f"'{one.text}' and '{other.text}' meet"


def texts(picture):
    return [element.text for element in xml.fromstring(picture).iter(SVG + "text")]


def require(condition, text):
    if not condition:
        sys.exit(text)


def main(source, tandem):
    tools = pathlib.Path(source) / "tools"
    stale = False
    for tool in ("report.py", "operations.py", "scale.py", "trace_tables.py", "pictures.py"):
        stale |= subprocess.call([sys.executable, tools / tool, tandem, "--check"]) != 0

    tree = pathlib.Path(source)
    pictures = sorted([*tree.glob("custom_kernels/*/pictures/*.svg"), *tree.glob("docs/*.svg")])
    require(len(pictures) > 40, f"{source} has {len(pictures)} pictures")
    wrong = [f"{path}: {fault}" for path in pictures for fault in faults(path.read_text())]
    require(not wrong, "\n".join(wrong[:50]))

    # The same of what is drawn on demand, for rows of one bank and of long numbers.
    with tempfile.NamedTemporaryFile(suffix=".svg") as file:
        def drawn(*arguments):
            subprocess.run([tandem, "trace", *arguments, "--svg", file.name], check=True, stdout=subprocess.DEVNULL)
            picture = pathlib.Path(file.name).read_text()
            wrong = list(faults(picture))
            require(not wrong, f"trace {' '.join(arguments)}: " + "\n".join(wrong[:10]))
            return texts(picture)
        banks, elements = (drawn("reduce/custom/reduce2_strided", *option) for option in (["--banks"], []))
        largest = [max(int(text) for text in texts if text.isdigit()) for texts in (banks, elements)]
        require(largest[0] == 31 < largest[1], f"--banks shows {largest[0]}, without it {largest[1]} is the largest number")
        drawn("transpose/custom/naive", "--n", "1K")
        require(any(text.endswith("shuffle") for text in drawn("reduce/custom/warp_shuffle")),
                "the shuffles of warp_shuffle are not drawn")
        alike = [text for text in drawn("gemm/custom/naive") if "rows alike" in text]
        require(len(alike) > 0, "the rows of gemm/custom/naive are not folded")
    require(not stale, "the tree holds what is not of today")
    print(f"{len(pictures)} pictures")


if __name__ == "__main__":
    main(*sys.argv[1:])
