#!/usr/bin/env python3
"""The page of tandem report from the tree's own results: short, whole, without anything from outside, legible on a phone and
on a desk, in the light and in the dark. Without chromium its layout is not measured, and the test is skipped after the rest.

Usage: report_test.py SOURCE_DIRECTORY TANDEM
"""

import itertools
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from html.parser import HTMLParser

from pictures_test import LEGIBLE, faults

LARGEST = 300_000  # bytes
PHONE, DESK = 400, 1400
MARGIN = 16  # of the page, at each side

FIGURES = ["Verdict", "Against the libraries, over size", "Share of the bound, over size", "The ladders", "Roofline",
           "Error beside speed", "The other cases against the libraries"]

# Run in the page: texts that are too small, that meet, and a page that is wider than its window.
MEASURE = """
const faults = [], boxes = [];
if (document.documentElement.scrollWidth > innerWidth) faults.push(`the page is ${document.documentElement.scrollWidth} px wide`);
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node; (node = walker.nextNode());) {
  const text = node.data.trim(), parent = node.parentElement;
  if (!text || parent.closest('script,title') || !parent.checkVisibility()) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  const picture = parent.closest('svg');
  const scale = picture ? picture.getBoundingClientRect().width / picture.viewBox.baseVal.width : 1;
  const size = parseFloat(getComputedStyle(parent).fontSize) * scale;
  for (const box of range.getClientRects()) {
    if (!box.width) continue;
    if (size < LEGIBLE) faults.push(`'${text}' is ${size.toFixed(1)} px high`);
    boxes.push({text, left: box.left + 1, right: box.right - 1, top: box.top + 0.2 * box.height, bottom: box.bottom - 0.2 * box.height});
  }
}
boxes.sort((a, b) => a.top - b.top);
boxes.forEach((a, i) => {
  for (let j = i + 1; j < boxes.length && boxes[j].top < a.bottom; ++j) {
    const b = boxes[j];
    if (a.left < b.right && b.left < a.right) faults.push(`'${a.text}' and '${b.text}' meet`);
  }
});
document.title = JSON.stringify({width: innerWidth, dark: matchMedia('(prefers-color-scheme: dark)').matches, texts: boxes.length,
                                 faults: faults.slice(0, 20)});
"""


def require(condition, text):
    if not condition:
        sys.exit(text)


class Page(HTMLParser):
    """The elements of a page whose markup is as HTML has it: every element is closed but those that have no content, and cells
    and rows, which end where the next begins."""

    VOID = {"meta", "br"}
    ENDS = {"td": {"td", "th"}, "th": {"td", "th"}, "tr": {"td", "th", "tr"}}  # what a start closes
    LEFT_OPEN = {"td", "th", "tr"}

    def __init__(self, text):
        super().__init__()
        self.builder, self.open = xml.TreeBuilder(), []
        require(text.startswith("<!DOCTYPE html>\n"), "the page does not say that it is HTML")
        self.feed(text)
        self.close()
        require(not self.open, f"{self.open} are never closed")
        self.root = self.builder.close()

    def end(self):
        self.builder.end(self.open.pop())

    def handle_starttag(self, tag, attributes):
        while self.open and self.open[-1] in self.ENDS.get(tag, ()):
            self.end()
        names = [name for name, _ in attributes]
        require(len(names) == len(set(names)), f"line {self.getpos()[0]}: an attribute of <{tag}> stands twice")
        require(tag not in ("td", "th") or self.open[-1] == "tr", f"line {self.getpos()[0]}: <{tag}> in <{self.open[-1:]}>")
        self.builder.start(tag, {name: value or "" for name, value in attributes})
        self.open.append(tag)
        if tag in self.VOID:
            self.end()

    def handle_startendtag(self, tag, attributes):
        require("svg" in self.open, f"line {self.getpos()[0]}: <{tag}/> is no HTML")
        self.handle_starttag(tag, attributes)
        self.end()

    def handle_endtag(self, tag):
        while self.open and self.open[-1] != tag and self.open[-1] in self.LEFT_OPEN:
            self.end()
        require(self.open and self.open[-1] == tag, f"line {self.getpos()[0]}: </{tag}> ends <{self.open[-1:]}>")
        self.end()

    def handle_data(self, data):
        if self.open:
            self.builder.data(data)
        require(self.open or not data.strip(), f"'{data}' stands outside")


def test_alone(page, text):
    """Short, and nothing comes from outside or runs."""
    require(len(text.encode()) <= LARGEST, f"the page is {len(text.encode())} bytes long")
    ids = [element.get("id") for element in page.iter() if element.get("id")]
    require(len(ids) == len(set(ids)), f"an id stands twice: {ids}")
    for element in page.iter():
        require(element.tag not in ("link", "img", "iframe", "object", "embed"), f"<{element.tag}> brings something from outside")
        require(not element.get("src") and element.get("href", "#").startswith("#"), f"{element.attrib} leads outside")
        require(element.tag != "script" or element.get("type") == "application/json", "a script runs")
        require(not any(name.startswith("on") for name in element.attrib), f"{element.attrib} runs a script")
        if (link := element.get("href")):
            require(link[1:] in ids, f"{link} leads nowhere")
    require(not re.search(r"url\(|@import|https?://", text), "the page names something outside")


def test_page(page, text):
    headings = [element.text for element in page.iter("h3")]
    for figure in FIGURES:
        require(any(heading.startswith(figure) for heading in headings), f"there is no figure '{figure}': {headings}")
    for figure in page.iter("figure"):
        sentence = figure.find("figcaption")
        require(sentence is not None and "".join(sentence.itertext()).strip().endswith("."),
                f"no sentence says how to read '{figure.find('h3').text}'")
    for section in page.iter("section"):
        shown = any(True for tag in ("svg", "table") for _ in section.iter(tag))
        require(shown or "Left out, so that the page stays small: " in "".join(section.itertext()), f"section {section.get('id')} is empty")
    test_alone(page, text)


def test_machines_apart(page):
    machines = {section.find("h2").text: section for section in page.iter("section") if section.get("id").startswith("m")}
    require(set(machines) == {"NVIDIA H200", "AMD EPYC, 2 threads"}, f"machines: {list(machines)}")
    gpu, cpu = ("".join(machines[name].itertext()) for name in ("NVIDIA H200", "AMD EPYC, 2 threads"))
    require("cublas" in gpu and "openblas" not in gpu and "openblas" in cpu and "cublas" not in cpu, "libraries of other machines")


def test_data(page, source):
    data = json.loads(next(page.iter("script")).text)
    [machine] = [m for m in data["machines"] if m["machine"] == "NVIDIA H200"]
    [series] = [s for s in machine["series"] if (s["operation"], s["type"], s["method"]) == ("scan", "f32", "hot")]
    for row in json.loads((source / "bench/results/h200-scan.json").read_text())["rows"]:
        if row["type"] == "f32" and row["time_ns"]:
            name = machine["implementations"].index(row["implementation"])
            time = series["time_ns"][series["implementations"].index(name)][series["sizes"].index(row["n"])]
            require(math.isclose(time, row["time_ns"], rel_tol=1e-3), f"{row['implementation']}: {time} for {row['time_ns']}")


def with_styles(text):
    """A page whose lines and texts say themselves what their classes mean."""
    rules = {name: " ".join("{}='{}'".format(*said.removesuffix("px").split(":")) for said in rule.split(";") if said)
             for name, rule in re.findall(r"\n\.(a\d+)\{([^}]*)\}", text)}
    return re.sub(r"class=(a\d+)", lambda found: rules[found[1]], text)


def test_pictures(text):
    pictures = re.findall(r"(<div class='scroll paper'>)?(<svg.*?</svg>)", with_styles(text), re.S)
    require(len(pictures) > 100, f"{len(pictures)} pictures")
    for scrolls, picture in pictures:
        if "<text" not in picture:
            continue
        # What scrolls is as wide as it likes, and the others as wide as the page.
        shown = float(re.search(r" width='(\d+)'", picture)[1]) if scrolls else PHONE - 2 * MARGIN
        wrong = list(faults(picture.replace("<svg ", "<svg xmlns='http://www.w3.org/2000/svg' ", 1), shown))
        require(not wrong, f"{picture[:200]}: " + "\n".join(wrong[:5]))


def test_warps(page):
    """Of each ladder that was traced two neighbours are shown side by side, though the page is full."""
    shown = [element for element in page.iter("div") if element.get("class") == "two"]
    require(len(shown) > 15, f"the warps of {len(shown)} ladders")
    for pair in shown:
        require(len([e for e in pair.iter("svg")]) == 2 and len([e for e in pair.iter("small")]) == 2, "no pair of warps, or no counts")


def luminance(colour):
    digits = colour[1:] if len(colour) > 4 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_contrast(text):
    """Of texts against what is behind them, as WCAG 2.1 demands it (AA)."""
    palettes = re.findall(r":root\{([^}]*)\}", text)
    require(len(palettes) == 2, "the page has no colours for the dark")
    for palette in palettes:
        colours = dict(re.findall(r"--([\w-]+):(#\w+)", palette))
        for ink in ("ink", "dim", "best", "vendor", "bad"):
            for paper in ("page", "card"):
                light, dark = sorted((luminance(colours[ink]), luminance(colours[paper])), reverse=True)
                require((light + 0.05) / (dark + 0.05) >= 4.5, f"{ink} {colours[ink]} on {colours[paper]} is too faint")


# A window of chromium's is at least 500 px wide, so a narrower page stands in a frame.
FRAME = """<!DOCTYPE html><html><head><meta name='color-scheme' content='light dark'></head><body style='margin:0'>
<script>onmessage = message => document.title = message.data;</script>
<iframe src='measured.html' style='border:0;width:WIDTHpx;height:1000px'></iframe></body></html>
"""


def browser():
    return shutil.which("chromium") or shutil.which("chromium-browser")


def skip_without_browser():
    """To be called last."""
    if not browser():
        print("skipped: no chromium, so the layout was not measured; all else passed")
        sys.exit(77)


def in_browser(text, folder, width, script, dark=False):
    """What a script leaves in the page's title, as JSON, where the page is shown so wide."""
    script += "\nparent.postMessage(document.title, '*');"
    (folder / "measured.html").write_text(text.replace("</body>", f"<script>{script}</script></body>"))
    (folder / "frame.html").write_text(FRAME.replace("WIDTH", str(width)))
    dom = subprocess.run([browser(), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={width},1000",
                          f"--blink-settings=preferredColorScheme={0 if dark else 1}", "--virtual-time-budget=10000", "--dump-dom",
                          f"file://{folder}/frame.html"], capture_output=True, text=True, timeout=120,
                         env={**os.environ, "HOME": str(folder)}).stdout
    found = re.search(r"<title>(\{.*?\})</title>", dom)
    require(found, f"chromium measures nothing: {dom[:200]}")
    return json.loads(found[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


def test_layout(text, folder, least, what=""):
    """As a browser lays it out, on a phone and on a desk, in the light and in the dark. `least`: so many texts there are."""
    if not browser():
        return
    for width, dark in itertools.product((PHONE, DESK), (False, True)):
        found = in_browser(text, folder, width, MEASURE.replace("LEGIBLE", str(LEGIBLE)), dark)
        require((found["width"], found["dark"]) == (width, dark), f"shown {found['width']} px wide, dark: {found['dark']}")
        require(found["texts"] > least, f"{found['texts']} texts")
        require(not found["faults"], f"{width} px wide, {'dark' if dark else 'light'}{what}:\n" + "\n".join(found["faults"]))


def test_baseline(run, source, folder):
    """One row that was twice as fast, and one that was twice as slow."""
    old = json.loads((source / "bench/results/h200-transform.json").read_text())
    timed = [row for row in old["rows"] if row["time_ns"]]
    timed[0]["time_ns"] *= 2
    timed[1]["time_ns"] /= 2
    (folder / "old.json").write_text(json.dumps(old))
    words = [source / "bench/results/h200-transform.json", source / "bench/results/epyc-transform.json", "--baseline", "old.json"]
    run(*words, "--html", "changes.html")
    text = (folder / "changes.html").read_text()
    require(f"Changes beyond noise: 2 of {len(timed)} rows" in text, "the changed rows are not found")
    require("Changes beyond noise: 0 of 0 rows" in text, "rows of another machine are compared")
    require(text.count("▲ faster 2.00×") == 1 and text.count("▼ slower 2.00×") == 1, "the changes are not told")
    require(f"2 of {len(timed)} rows that both runs have" in run(*words), "the table of changes is not printed")


def test_later_file(run, source, folder):
    """Of a row that two files have the later one stands, alone."""
    later = json.loads((source / "bench/results/h200-transform.json").read_text())
    row = next(row for row in later["rows"] if row["implementation"] == "transform/custom/packs" and row["n"] == 1 << 28)
    row["time_ns"] = 321e6
    (folder / "later.json").write_text(json.dumps(later))
    text = run(source / "bench/results/h200-transform.json", "later.json", "--md")
    line = next(line for line in text.splitlines() if line.startswith("| transform/custom/packs |"))
    require("321 ms" in line, line)
    require(f"{sum(row['time_ns'] is not None for row in later['rows'])} times" in text, "rows are counted twice")


def test_one_row(run, source, folder):
    """What is told of steps, and recorded with the tree, is told of the steps that the file holds."""
    one = json.loads((source / "bench/results/h200-reduce.json").read_text())
    one["rows"] = [row for row in one["rows"] if row["implementation"] == "reduce/custom/one_pass"]
    (folder / "one.json").write_text(json.dumps(one))
    text = run("one.json", "--md")
    require("| reduce/custom/one_pass |" in text and "moved bytes used" in text, "the step's counts are not told")
    require("reduce2_strided" not in text, "a step is told of that the file does not hold")


def test_markdown(run, source):
    text = run(source / "bench/results/h200-scan.json", source / "bench/results/epyc-scan.json", "--md")
    for heading in ("### NVIDIA H200", "### AMD EPYC, 2 threads", "### scan f32 plus inclusive", "### scan f64 plus inclusive"):
        require(f"\n{heading}\n" in text, f"no table '{heading}'")
    columns = {line.count("|") for line in text[text.index("### scan f32 plus inclusive"):].split("\n\n")[1].splitlines()}
    require(len(columns) == 1, f"rows of {columns} columns")


def test_end_to_end(run, source, folder):
    """Whole calls, copies included, have no rate."""
    words = sorted((source / "bench/results/end_to_end").glob("*.json"))
    require("\n### scan f32 plus inclusive (pinned)\n" in run(*words, "--md"), "no table of whole calls")
    run(*words, "--html", "whole.html")
    text = (folder / "whole.html").read_text()
    require("inclusive (managed)" in text and "nan" not in re.findall(r"[a-z]+", text.lower()), "whole calls in a page")


def main(source, tandem):
    source = pathlib.Path(source).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def tool(*words):
            return subprocess.run([os.path.abspath(tandem), *words], cwd=folder, check=True, capture_output=True, text=True, timeout=300).stdout

        def run(*words):
            return tool("report", *words)
        results = source / "bench/results"
        words = [results, results / "trace"]
        if "--trace" in run("--help"):  # a build with the executor
            words.append("--trace")
            FIGURES.append("The first warp")
        if "gemm/tile" in tool("list", "--tunings"):
            words.append(results / "tuning")
            FIGURES.append("Steps compiled with many constants")
        said = run(*words, "--html", "page.html")
        text = (folder / "page.html").read_text()
        if "--trace" in words:
            require(re.search(r" · at least [\d.]+ .s \((memory|cache|passes|waits)\)", text), "no prediction beside a step's counts")
        page = Page(text).root
        test_page(page, text)
        test_machines_apart(page)
        test_data(page, source)
        test_contrast(text)
        test_pictures(text)
        if "--trace" in words:
            test_warps(page)
        test_layout(text, folder, 1000)
        test_layout(text.replace("<details>", "<details open='open'>"), folder, 1000, ", tables open")  # they are read, too
        test_baseline(run, source, folder)
        test_later_file(run, source, folder)
        test_one_row(run, source, folder)
        test_markdown(run, source)
        test_end_to_end(run, source, folder)
        print(said.strip())
    skip_without_browser()


if __name__ == "__main__":
    main(*sys.argv[1:])
