#!/usr/bin/env python3
"""The page of tandem trace --html: whole, without anything from outside, with the source as it is, the counts of --json, the
sentences and races at their lines, the rounds of the picture, and the step before beside it. Without chromium its layout is not
measured and nobody walks through its rounds, and the test is skipped after the rest.

Usage: trace_page_test.py SOURCE_DIRECTORY TANDEM PLANTED_KERNELS
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from pictures_test import texts
from report_test import DESK, PHONE, Page, browser, in_browser, luminance, require, skip_without_browser, test_alone, test_contrast, test_layout

STEP, BEFORE = "reduce/custom/reduce2_strided", "reduce/custom/reduce1_modulo"
FIGURES = ["requests", "sectors", "lines", "efficiency", "ways", "extra", "lanes"]

# Run in the page: what is to be seen after a click on the source, on "next", and on "all".
WALK = """
const step = document.getElementById('a');
const chosen = () => step.querySelector('.rounds>:checked').id;
const seen = () => [...step.querySelectorAll('article')].filter(a => a.checkVisibility()).length;
const mark = line => getComputedStyle(document.getElementById(line)).backgroundColor;
const before = mark('LINE'), walk = [];
document.querySelector('#LINE label').click();
walk.push([chosen(), seen(), mark('LINE') !== before]);
step.querySelector('input:checked+article .go label:last-child').click();
walk.push([chosen(), seen(), mark('LINE') !== before]);
document.querySelector('#LINE td:last-child label:last-of-type').click();
walk.push([chosen(), seen(), mark('LINE') !== before]);
const wide = [...document.querySelectorAll('.rounds')].filter(panel => panel.scrollWidth > panel.clientWidth).length;
document.getElementById('aall').click();
walk.push([chosen(), seen(), mark('LINE') !== before]);
document.title = JSON.stringify({walk, wide, columns: getComputedStyle(document.querySelector('.pair')).gridTemplateColumns.split(' ').length});
"""


class KernelPage(Page):
    VOID = Page.VOID | {"input"}
    ENDS = {**Page.ENDS, "li": {"li"}}
    LEFT_OPEN = Page.LEFT_OPEN | {"li"}


def text_of(element):
    return "".join(element.itertext())


class Source:
    """The source of a column as the page shows it."""

    def __init__(self, column):
        self.lines = collections.defaultdict(dict)  # file → number → text
        self.figures = {}  # (file, number, access) → figures
        self.said, self.bad = collections.defaultdict(list), set()  # (file, number) → sentences
        self.rounds = collections.defaultdict(list)  # (file, number) → ids of the rounds that it leads to
        for heading, table in zip(column.iter("h4"), (t for t in column.iter("table") if t.get("class") == "source")):
            self.read(heading.text.removesuffix(": the lines that count"), table)

    def read(self, file, table):
        heads = [text_of(cell) for cell in table.find("thead").iter("th")]
        require(heads == ["line", "source", "access", *FIGURES, "rounds"], f"columns {heads}")
        for body in table.iter("tbody"):
            number = None
            for row in body.iter("tr"):
                cells = list(row)
                if cells[0].tag == "th" and cells[0].text:
                    number = int(cells[0].text)
                    self.lines[file][number] = text_of(cells[1])
                if cells[-1].get("class") == "says":
                    self.said[file, number].append(text_of(cells[-1]))
                elif len(cells) >= 9:
                    access, *figures, _ = [text_of(cell) for cell in cells[-9:]]
                    self.figures[file, number, access] = figures
            self.rounds[file, number] += [label.get("for") for label in body.iter("label")]
            if body.get("class") == "bad":
                self.bad.add((file, number))


def test_markup(page, text):
    test_alone(page, text)
    test_contrast(text)
    require("<script" not in text, "there is a script")
    inputs = {element.get("id") for element in page.iter("input")}
    for label in page.iter("label"):
        require(label.get("for") in inputs, f"a label of {label.get('for')} leads nowhere")
    require(all(element.get("type") == "radio" for element in page.iter("input")), "a button is no radio button")
    for name in {element.get("name") for element in page.iter("input")}:
        checked = [element for element in page.iter("input") if element.get("name") == name and "checked" in element.keys()]
        require(len(checked) == 1, f"{len(checked)} rounds of '{name}' are chosen at first")


def test_costs(text):
    """What stands on coloured ground is legible there, too."""
    costs = re.findall(r"\.c\d\{--cost:(#\w{6})\}", text)
    require(len(costs) == 5, f"colours {costs}")
    for ground in costs:
        require((luminance(ground) + 0.05) / (luminance("#333333") + 0.05) >= 4.5, f"numbers on {ground} are too faint")
    share = float(re.search(r"color-mix\(in srgb,var\(--bad\) (\d+)%,var\(--page\)\)", text)[1]) / 100
    for palette in re.findall(r":root\{([^}]*)\}", text):
        colours = dict(re.findall(r"--([\w-]+):(#\w+)", palette))
        page = "".join(2 * digit for digit in colours["page"][1:]) if len(colours["page"]) == 4 else colours["page"][1:]
        mixed = "#" + "".join(f"{round(share * int(colours['bad'][1 + i:3 + i], 16) + (1 - share) * int(page[i:i + 2], 16)):02x}"
                              for i in (0, 2, 4))
        light, dark = sorted((luminance(mixed), luminance(colours["bad"])), reverse=True)
        require((light + 0.05) / (dark + 0.05) >= 4.5, f"advice {colours['bad']} on {mixed} is too faint")


def test_source(shown, source, own):
    """The step's own file whole, of others true lines, each as it is."""
    for file, lines in shown.lines.items():
        there = (source / file).read_text().splitlines()
        for number, line in lines.items():
            require(line == there[number - 1], f"{file}:{number} is\n{there[number - 1]}\nand the page has\n{line}")
        require(file != own or len(lines) == len(there), f"{len(lines)} of the {len(there)} lines of {file}")
    require(own in shown.lines, f"{own} is not shown, but {list(shown.lines)}")


def test_counts(shown, launches):
    """Of each access of each line, as --json has it, all launches together."""
    expected = collections.defaultdict(lambda: [0, 0, 0, 0, 0])
    for site in (site for launch in launches for site in launch["sites"]):
        of = expected[site["file"], site["line"], site["access"]]
        for i, key in enumerate(("requests", "shared_requests", "sectors", "lines", "extra_wavefronts")):
            of[i] += site[key]
    ways = {key: max(site["bank_conflict_ways"] for launch in launches for site in launch["sites"]
                     if (site["file"], site["line"], site["access"]) == key) for key in expected}
    figures = {key: of for key, of in shown.figures.items() if of[0]}
    require(figures.keys() == expected.keys(), f"lines {sorted(figures)} for {sorted(expected)}")
    for key, (requests, shared, sectors, lines, extra) in expected.items():
        values = dict(zip(FIGURES, figures[key]))
        memory = ([str(sectors), str(lines), "", ""] if requests else ["", "", str(ways[key]), str(extra)])
        found = [values[name] for name in ("sectors", "lines", "ways", "extra")]
        require(values["requests"] == str(requests + shared) and found == memory, f"{key}: {values} for {expected[key]}")


def test_advice(shown, printed, own):
    """The sentences that are printed stand at their lines, and these alone are marked."""
    files = {pathlib.Path(file).name: file for file in shown.lines}
    said = set()
    for line in printed.splitlines():
        if found := re.fullmatch(r"line (?:(\S+):)?(\d+): (.*)", line):
            said.add((files[found[1]] if found[1] else own, int(found[2]), found[3]))
    require(said == {(*line, sentence) for line, sentences in shown.said.items() for sentence in sentences},
            f"printed {said}, on the page {dict(shown.said)}")
    require(shown.bad == {line for line, sentences in shown.said.items() if sentences}, f"marked are {shown.bad}")
    return said


def test_rounds(column, picture):
    """The rounds of the picture, with its numbers and colours."""
    articles = list(column.iter("article"))
    rows = [text for text in texts(picture) if re.fullmatch(r"line \d+", text)]
    require([text_of(article.find("p").find("a")) for article in articles] == rows, f"{len(articles)} rounds for {rows}")
    numbers = [text for text in texts(picture) if text.isdigit()][32:]  # behind those of the threads
    shown = [lane.text.strip() for article in articles for lane in article.iter("li") if lane.text and lane.text.strip()]
    require(shown == numbers, f"elements {shown[:64]} for {numbers[:64]}")
    colours = re.findall(r"<rect [^>]*height='24' fill='(#\w+)'", picture)  # waits first, then each thread
    by_class = {"c0": "#d7eadb", "c1": "#fbeeb0", "c2": "#f8c98a", "c3": "#ef9a84", "c4": "#d3e2f5"}
    shown = []
    for article in articles:
        shown.append("#f3f3f3")
        lanes = article.find("ol")
        require(len(lanes) == 32, f"{len(lanes)} threads")
        for lane in lanes:
            cost = lane.get("class") or lanes.get("class").split()[1]
            shown += [by_class[cost]] if cost != "w" else []
    require(shown == colours, "the colours are not those of the picture")


def test_totals(page, printed):
    """The rows of --compare that differ."""
    def words(cells):
        return " ".join(" ".join(cells).split())
    [section] = [section for section in page.iter("section") if section.get("id") == "totals"]
    rows = [words(text_of(cell) for cell in row) for row in section.find("div").find("table").iter("tr")]
    lines = [words([line]) for line in printed.split("\n\n")[0].splitlines()]
    require(rows[0] == lines[0], f"{rows[0]} for {lines[0]}")
    differ = [line for line in lines[1:] for *_, a, b, last in [line.split()] if (b != last if last.endswith("%") else a != b)]
    require(rows[1:] == differ, f"differences {rows[1:]} for {differ}")


def main(source, tandem, planted):
    source, planted = pathlib.Path(source).resolve(), os.path.abspath(planted)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def trace(*words, status=0, **environment):
            done = subprocess.run([os.path.abspath(tandem), "trace", *words], cwd=folder, capture_output=True, text=True, timeout=300,
                                  env={**os.environ, **environment})
            require(done.returncode == status, f"{words} ends with {done.returncode}: {done.stderr}")
            return done.stdout if status < 2 else done.stderr

        def page_of(*words, **options):
            said = trace(*words, "--html", "page.html", **options)
            require(said.startswith("wrote page.html: "), f"it says '{said}'")
            text = (folder / "page.html").read_text()
            page = KernelPage(text).root
            test_markup(page, text)
            return page, text, {section.get("id"): section for section in page.iter("section")}, said

        # A step with bad lines, and the one before it.
        page, text, columns, _ = page_of(STEP)
        for column, step, file in (("a", STEP, "05_reduce2_strided.cu"), ("b", BEFORE, "04_reduce1_modulo.cu")):
            shown, own = Source(columns[column]), f"custom_kernels/reduce/{file}"
            test_source(shown, source, own)
            test_counts(shown, json.loads(trace(step, "--json")))
            require(test_advice(shown, trace(step), own), f"{step} has no bad line")
            trace(step, "--svg", "picture.svg")
            test_rounds(columns[column], (folder / "picture.svg").read_text())
        require("same tree, work moved to the first threads: bank conflicts" in text_of(page), "its idea is not told")
        require("2 launches of 16 + 1 blocks of 256 threads, 9 barriers per block" in text_of(columns["a"]), "its launches are not told")
        require("work 4335, steps 16" in text_of(columns["a"]), "its work is not told")
        require("No races." in text_of(columns["a"]), "it does not say that there is no race")
        test_costs(text)
        test_totals(page, trace("--compare", STEP))

        # As a browser shows it: one round, then all. The panel floats over the source and cuts its line: both on purpose.
        still = text.replace("</head>", "<style>.rounds{position:static!important}pre{white-space:pre-wrap!important}</style></head>")
        test_layout(still, folder, 300)
        every = still.replace(" checked>", ">").replace("id='aall'", "id='aall' checked").replace("id='ball'", "id='ball' checked")
        test_layout(every, folder, 1500, ", all rounds")
        lines = Source(columns["a"])
        [(_, bad)] = lines.bad
        rounds = sorted({int(label[2:]) for label in lines.rounds["custom_kernels/reduce/05_reduce2_strided.cu", bad]})
        for width, side_by_side in ((PHONE, 1), (DESK, 2)) if browser() else ():
            walked = in_browser(text, folder, width, WALK.replace("LINE", f"a0-{bad}"))
            line, following, of_line, every = walked["walk"]
            require(line == [f"ar{rounds[0]}", 1, True], f"a click on line {bad}: {line}")
            require(following == [f"ar{rounds[0] + 1}", 1, True], f"next: {following}")
            require(int(of_line[0][2:]) in rounds and of_line[1:] == [1, True], f"a round of the line: {of_line}")
            require(every == ["aall", len(list(columns["a"].iter("article"))), False], f"all: {every}")
            require(walked["wide"] == 0, f"{walked['wide']} panels are wider than their column, {width} px")
            require(walked["columns"] == side_by_side, f"{walked['columns']} columns, {width} px")

        # Code that several steps share, in files of its own; counts of several kernels.
        _, _, columns, _ = page_of("scan/custom/blelloch")
        shown = Source(columns["a"])
        test_source(shown, source, "custom_kernels/scan/05_blelloch.cu")
        test_counts(shown, json.loads(trace("scan/custom/blelloch", "--json")))
        test_advice(shown, trace("scan/custom/blelloch"), "custom_kernels/scan/05_blelloch.cu")
        require("custom_kernels/scan/detail/levels.cuh" in shown.lines, f"files {list(shown.lines)}")

        # Folded rounds, shuffles and atomic operations; the first step, which nothing comes before.
        for step, words in (("gemm/custom/naive", "rounds alike"), ("reduce/custom/warp_shuffle", "shuffle"),
                            ("reduce/custom/segmented_atomic", "updates global")):
            _, text, columns, _ = page_of(step)
            require(words in text_of(columns["a"]), f"'{words}' is not on the page of {step}")
            require(("b" in columns) == (step != "gemm/custom/naive"), f"{step} stands beside {list(columns)}")

        # The step before takes no such input: the one before that. And any two.
        page, _, columns, _ = page_of("scan/custom/hillis_steele")
        require(columns["b"].find("h2").text == "scan/custom/naive", f"beside it: {columns['b'].find('h2').text}")
        page, _, columns, _ = page_of("--compare", "scan/custom/blelloch", "scan/custom/blelloch_padded")
        require([columns[c].find("h2").text for c in "ab"] == ["scan/custom/blelloch_padded", "scan/custom/blelloch"], "--compare shows others")

        # More rounds than a short page can hold: it says so.
        page, _, columns, _ = page_of("tridiagonal/custom/cyclic_reduction", "--n", "1K")
        shown = len(list(columns["a"].iter("article")))
        require(0 < shown < 128 and "are left out" in text_of(columns["a"]), f"{shown} rounds are shown of a long warp")

        # A planted race, at its lines.
        wrong = ("reduce/wrong/missing_barrier",)
        _, _, columns, said = page_of(*wrong, status=1, LD_PRELOAD=planted)
        [race] = {(race["text"], *(race[side]["file"] + f":{race[side]['line']}" for side in ("first", "second")))
                  for launch in json.loads(trace(*wrong, "--json", status=1, LD_PRELOAD=planted)) for race in launch["races"]}
        shown = Source(columns["a"])
        require(race[0] in said, f"the race is not told: {said}")
        for file, line in (place.rsplit(":", 1) for place in race[1:]):
            require(race[0] in shown.said[file, int(line)] and (file, int(line)) in shown.bad, f"no race at {file}:{line}")
        test_source(shown, source, "tests/wrong/reduce/03_missing_barrier.cu")

        # Nothing to show.
        for option in ("--html", "--svg"):
            (folder / "page.html").unlink(missing_ok=True)
            said = trace("gemm/wrong/idle", option, "page.html", status=2, LD_PRELOAD=planted)
            require("gemm/wrong/idle starts no kernel on this input" in said, f"{option} of an idle kernel: {said}")
            require(not (folder / "page.html").exists(), f"{option} writes in spite of its error")
        print("the pages of trace --html hold what they should")
    skip_without_browser()


if __name__ == "__main__":
    main(*sys.argv[1:])
