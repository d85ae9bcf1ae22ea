#!/usr/bin/env python3
"""Writes the tables of docs/operations/*.md and docs/own_or_library.md: what an operation is compiled for, its paths, which of them
was the fastest where, and what the numbers say to someone who could call a library. From the contracts, the files of the
implementations and bench/results/; run by `make tables`.

Markers of a page of an operation: `<!-- table: cases -->`, `<!-- table: paths -->`, `<!-- table: winners -->` and, where it was tuned,
`<!-- table: regions -->`, and of whole calls `<!-- table: end_to_end -->`; of own_or_library.md
`<!-- table: verdicts -->`, `<!-- table: end_to_end -->` and for each operation that it judges `<!-- table: scan -->`, each closed by
`<!-- end -->`.
"""

import collections
import functools
import json
import math
import re

from pages import ROOT, finish, read, replace
from report import EXTENTS, RESULTS, batch, deviations, extents, factor, load, registered, span, time

PAGES = ROOT / "docs" / "operations"
VERDICTS = ROOT / "docs" / "own_or_library.md"
METHODS = {"hot": "hot", "graph": "in a graph", "cold": "cold"}
ALIKE = 1.05  # times whose ratio is below this are alike


def cell(text):
    return text.replace("|", "\\|")


# --- what an operation is compiled for, from its contract -------------------------------------------------------------------


@functools.cache
def element_types():
    """Names of element types by their names in C++."""
    rows = re.findall(r"ROW\((\w+), ([\w:]+), \"", (ROOT / "lib/include/tandem/types.h").read_text())
    return {cpp: name for name, cpp in rows}


def snake_case(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def cases_table(operation):
    text = re.sub(r"//.*", "", (ROOT / "lib/ops" / operation / "contract.h").read_text())
    operators = {"Case": []}  # by names: using Six = Joined<Four<T>, CaseList<Case<T, LogicalAnd>, …>>;
    for name, body in re.findall(r"template <class T>\s*using (\w+) =\s*((?:CaseList|Joined)<.*?>);", text, re.S):
        operators[name] = [operator for case, other in re.findall(r"Case<T, (\w+)|(\w+)<T>", body)
                           for operator in ([case] if case else operators[other])]
    all_cases = re.search(r"using Cases =(.*?);", text, re.S)[1]
    types = {}  # by operators: element types
    for name, cpp in re.findall(r"(\w+)<([\w:]+)>", all_cases):
        if cpp in element_types():
            types.setdefault(tuple(map(snake_case, operators[name])), []).append(element_types()[cpp])
    if not types:
        raise SystemExit(f"lib/ops/{operation}/contract.h: no cases found")
    if list(types) == [()]:
        return "Elements: " + ", ".join(types[()]) + "."
    return "\n".join(["| elements | operators |", "| --- | --- |"]
                     + [f"| {', '.join(kinds)} | {', '.join(operators)} |" for operators, kinds in types.items()])


# --- its paths, from their files --------------------------------------------------------------------------------------------


def where(path):
    """Where an implementation runs, from the name of its file, and what it needs, from its first line."""
    needs = re.match(r"// needs: (.*)\n", path.read_text())
    if path.suffix == ".cpp":
        place = "CPU"
    elif architecture := re.search(r"\.sm(\d+)\.cu$", path.name):
        unknown_to_executor = re.search(r"device/(tensor_copies|wgmma)\.cuh", path.read_text())  # as cmake/implementations.cmake
        place = f"GPU, sm_{architecture[1]} alone" + ("" if unknown_to_executor else "; executor")
    else:
        place = "GPU" if "vendor_wrappers" in path.parts else "GPU, executor"
    return place + (f", with {needs[1].replace(' ', ' and ')}" if needs else "")


def limits(path):
    """The paragraph Limits of a file's opening comment."""
    found = re.search(r"^// Limits:((?:.*\n)(?://  +.*\n)*)", path.read_text(), re.M)
    return re.sub(r"\s*\n(//)?\s*", " ", found[1]).strip() if found else ""


def paths_table(operation, rows):
    timed = {row["implementation"] for row in rows}
    lines, untimed = ["| path | runs on | what it is | limits |", "| --- | --- | --- | --- |"], []
    for name, path, said, facts in registered():
        if name.startswith(operation + "/"):
            about = limits(path).rstrip(".")
            if "from run to run" not in about:
                about = "; ".join(filter(None, [about, deviations(said, facts)]))
            lines.append(f"| {name.removeprefix(operation + '/')} | {where(path)} | {cell(said.get('note', ''))} | {cell(about)} |")
            untimed += [] if name in timed else [name.removeprefix(operation + "/")]
    return "\n".join(lines) + (f"\n\nNot in the recorded times yet: {', '.join(untimed)}." if rows and untimed else "")


# --- which of them was the fastest where ------------------------------------------------------------------------------------


def kind(row):
    """What tells the measurements of an operation apart besides their size."""
    operator = row["op"] if row["op"] not in ("none", "plus") else ""
    return ", ".join(filter(None, [row["type"], operator, row["variant"] if row["variant"] != "inclusive" else ""]))


def label(row):
    """A row's size."""
    shape = row.get("shape", "")
    alike = len(set(shape.split("x"))) == 1
    return shape if shape and not alike and not (batch(row) and row["operation"] in EXTENTS) else extents(row)


def pairs(rows):
    """By (kind, size): the fastest custom row and the fastest library's, of those that compute whole calls in full precision."""
    found = {}
    order = list(dict.fromkeys((row["variant"], row["op"]) for row in rows))
    for row in sorted(rows, key=lambda r: (order.index((r["variant"], r["op"])), r["type"] != "f32", r["type"], r["n"])):
        if not row.get("reduced_precision") and not row.get("alone"):
            best = found.setdefault((kind(row), label(row)), {})
            if row["path"] not in best or row["time_ns"] < best[row["path"]]["time_ns"]:
                best[row["path"]] = row
    return found


def ratio(best):
    """The library's time ÷ the custom one; none where only one of them was measured."""
    return best["vendor"]["time_ns"] / best["custom"]["time_ns"] if len(best) == 2 else None


def said_of(place, rows, method):
    """Machine, dates and method of some rows."""
    machines = [row["machine"] for row in rows]
    return (f"{machines[0]['device' if place == 'device' else 'host']}, {span([m['date'] for m in machines])}, {method}, "
            f"median of {span([m['repetitions'] for m in machines])}")


def measured(results, operation):
    """For each place of an operation that was measured, its rows by method."""
    for place in ("device", "host"):
        by_method = {method: results[place, operation, method][1] for method in METHODS if (place, operation, method) in results}
        if "hot" in by_method:
            yield place, by_method


def winners_table(results, operation):
    parts = []
    for place, by_method in measured(results, operation):
        hot = pairs(by_method["hot"])
        others = {method: pairs(rows) for method, rows in by_method.items() if method != "hot"}
        head = ["elements", "size", "fastest custom", "fastest library", "library ÷ custom"] + [f"the same, {METHODS[m]}" for m in others]
        lines = ["| " + " | ".join(head) + " |", "| --- | ---: | --- | --- |" + " ---: |" * (len(head) - 4)]
        for key, best in hot.items():
            fastest = min(best.values(), key=lambda row: row["time_ns"])
            cells = []
            for path in ("custom", "vendor"):
                text = f"{best[path]['implementation'].split('/')[-1]} {time(best[path]['time_ns'])}" if path in best else "–"
                cells.append(f"**{text}**" if best.get(path) is fastest and len(best) == 2 else text)
            for some in ({key: best}, *(other for other in others.values())):
                of_some = ratio(some[key]) if key in some else None
                cells.append(factor(of_some) if of_some else "–")
            lines.append(f"| {key[0]} | {key[1]} | " + " | ".join(cells) + " |")
        parts.append("\n".join([said_of(place, by_method["hot"], "hot") + ":", "", *lines]))
    return "\n\n".join(parts) or "No recorded run yet."


# --- regions of shapes that tandem tune measured ----------------------------------------------------------------------------


def regions(operation):
    """(machine, kind): in how many regions of shapes each path is the fastest."""
    found = {}
    for path in sorted((RESULTS / "choices").glob("*")):
        for line in path.read_text().splitlines()[1:-1]:
            of, variant, _, machine, element, *_, names = line.split("\t")
            if of == operation:
                winners = found.setdefault((machine, ", ".join(filter(None, [element, variant]))), collections.Counter())
                winners[names.split()[0].removeprefix(operation + "/")] += 1
    return found


def regions_table(operation):
    text = (ROOT / "lib/ops" / operation / "contract.h").read_text()
    features = re.search(r"features = \{(.*?)\};", text)
    apart = ", ".join(re.findall(r'"(.*?)"', features[1])) if features else "n"
    lines = [f"| machine | elements | regions of {apart} | the fastest in how many of them |", "| --- | --- | ---: | --- |"]
    for (machine, element), winners in sorted(regions(operation).items(), key=lambda item: (item[0][0] != "NVIDIA H200", item[0])):
        lines.append(f"| {machine} | {element} | {winners.total()} | "
                     + ", ".join(f"{name.removeprefix('custom/')} {count}" for name, count in winners.most_common()) + " |")
    return "\n".join(lines)


# --- whole calls, copies included: where the GPU overtakes the CPU ----------------------------------------------------------

TRANSFERS = ("pageable", "pinned", "managed")


@functools.cache
def end_to_end():
    """By operation: machine, and by size {"host" or the method of the GPU's copies: the fastest row}, smaller sizes first."""
    found = {}
    for path in sorted((RESULTS / "end_to_end").glob("*.json")):
        result = json.loads(path.read_text())
        sizes = {}
        kinds = list(dict.fromkeys(map(kind, result["rows"])))
        for row in sorted(result["rows"], key=lambda row: (kinds.index(kind(row)), row["n"])):
            if row["time_ns"] and row["place"] in ("host", "device") and not row["reduced_precision"] and not row["alone"]:
                best = sizes.setdefault((kind(row), label(row)), {})
                side = row["method"] if row["place"] == "device" else "host"
                if side not in best or row["time_ns"] < best[side]["time_ns"]:
                    best[side] = row
        found[result["rows"][0]["operation"]] = result["machine"], sizes
    return found


def of_cpu(best, method):
    """The CPU's time ÷ the GPU's."""
    return best["host"]["time_ns"] / best[method]["time_ns"] if "host" in best and method in best else None


def copies(row):
    """The share of a call of the GPU's that went there and came back."""
    phases = row["phases_ns"]
    return (phases["there"] + phases["back"]) / sum(phases.values())


def end_to_end_table(operation):
    if operation not in end_to_end():
        return "No recorded run yet."
    machine, sizes = end_to_end()[operation]
    lines = ["| elements | size | on the CPU | " + " | ".join(f"GPU, {method} | CPU ÷ GPU" for method in TRANSFERS) + " | copies, pinned |",
             "| --- | ---: | --- |" + " --- | ---: |" * len(TRANSFERS) + " ---: |"]
    for (elements, size), best in sizes.items():
        def fastest(side):
            return f"{best[side]['implementation'].split('/')[-1]} {time(best[side]['time_ns'])}" if side in best else "–"
        cells = []
        for method in TRANSFERS:
            cells += [fastest(method), factor(of_cpu(best, method)) if of_cpu(best, method) else "–"]
        lines.append(f"| {elements} | {size} | {fastest('host')} | " + " | ".join(cells)
                     + (f" | {copies(best['pinned']):.0%} |" if "pinned" in best else " | – |"))
    return "\n".join([f"{machine['device']} and {machine['host']}, {machine['date']}, the fastest of each, median of "
                      f"{machine['repetitions']}:", "", *lines])


def crossing(sizes, method):
    """From which size on the GPU is faster, as `tandem compare` says it, and how fast it is at the largest."""
    ratios_of = [(size, of_cpu(best, method)) for (_, size), best in sizes.items() if of_cpu(best, method)]
    if not ratios_of:
        return "–"
    faster = len(ratios_of)
    while faster and ratios_of[faster - 1][1] > 1:
        faster -= 1
    last, largest = ratios_of[-1]
    where = "never" if faster == len(ratios_of) else f"from {ratios_of[0][0]} or less" if faster == 0 else f"from {ratios_of[faster][0]}"
    return f"{where}; {factor(largest)} at {last}"


def crossings_table():
    lines = ["| operation | elements | sizes | " + " | ".join(TRANSFERS) + " |", "| --- | --- | --- |" + " --- |" * len(TRANSFERS)]
    for operation, (machine, sizes) in end_to_end().items():
        for elements in dict.fromkeys(elements for elements, _ in sizes):
            of_these = {key: best for key, best in sizes.items() if key[0] == elements}
            ends = [size for _, size in of_these]
            lines.append(f"| [{operation}](operations/{operation}.md#from-end-to-end) | {elements} | {ends[0]} to {ends[-1]} | "
                         + " | ".join(crossing(of_these, method) for method in TRANSFERS) + " |")
    machines = [machine for machine, _ in end_to_end().values()]
    names = sorted({f"{machine['device']} and {machine['host']}" for machine in machines})
    return "\n".join([f"{'; '.join(names)}, {span([m['date'] for m in machines])}, median of {span([m['repetitions'] for m in machines])}:",
                      "", *lines])


# --- write your own or call the library -------------------------------------------------------------------------------------


def ratios(found):
    """[(ratio, kind, size)] of what both sides were measured on."""
    return [(ratio(best), *key) for key, best in found.items() if ratio(best)]


def counts(all_ratios):
    own = sum(r >= ALIKE for r, *_ in all_ratios)
    library = sum(r <= 1 / ALIKE for r, *_ in all_ratios)
    return own, len(all_ratios) - own - library, library


def verdict(all_ratios):
    own, alike, library = counts(all_ratios)
    if own and library:
        return "depends on the call"
    if own or library:
        side = "own" if own else "library"
        return side if own + library > alike else f"{side}, or either"
    return "either"


@functools.cache
def code(path):
    """The lines of code of a file and of what it includes of its ladder or of the wrappers, without comments and blank lines, by
    file."""
    text = path.read_text()
    lines = {path: sum(bool(re.sub(r"//.*", "", line).strip()) for line in text.splitlines())}
    for name in re.findall(r'#include "((?:custom_kernels|vendor_wrappers)/[^"]*)"', text):
        lines |= code(ROOT / name)
    return lines


def owned(found, path, files):
    """The implementations that were the fastest of their side somewhere, and the lines of code that these take together."""
    names = dict.fromkeys(best[path]["implementation"] for best in found.values() if len(best) == 2)
    lines = {}
    for name in names:
        lines |= code(files[name])
    return f"{', '.join(name.split('/')[-1] for name in names)}: {sum(lines.values())}"


def tuned(operation, machine):
    """In how many of the regions of a machine a custom path is the fastest."""
    winners = sum((some for (of, _), some in regions(operation).items() if of == machine), collections.Counter())
    own = sum(count for name, count in winners.items() if name.startswith("custom/"))
    return f"{own} of {winners.total()}" if winners else "–"


def verdicts_table(results, operations):
    files = {name: path for name, path, *_ in registered()}
    parts = []
    for place in ("device", "host"):
        lines, rows_of_all = [], []
        for operation in operations:
            for _, by_method in (found for found in measured(results, operation) if found[0] == place):
                found = pairs(by_method["hot"])
                values = ratios(found)
                if values:
                    mean = math.exp(sum(math.log(r) for r, *_ in values) / len(values))
                    lines.append("| " + " | ".join(
                        [f"[{operation}](#{operation})", f"**{verdict(values)}**", *map(str, counts(values)), factor(min(values)[0]),
                         factor(mean), factor(max(values)[0]),
                         tuned(operation, by_method["hot"][0]["machine"]["device" if place == "device" else "host"]),
                         owned(found, "custom", files), owned(found, "vendor", files)]) + " |")
                    rows_of_all += by_method["hot"]
        if lines:
            parts.append("\n".join(
                [said_of(place, rows_of_all, "hot") + ":", "",
                 "| operation | faster | own | alike | library | smallest ratio | mean | largest | regions, own | own, lines of code | "
                 "library, lines of its wrapper |", "| --- | --- |" + " ---: |" * 7 + " --- | --- |", *lines]))
    return "\n\n".join(parts)


def verdict_table(results, operation):
    lines = ["| measured | by | sizes | own, alike, library | smallest ratio | largest ratio |", "| --- | --- | ---: | --- | --- | --- |"]
    for place, by_method in measured(results, operation):
        for method, rows in by_method.items():
            values = ratios(pairs(rows))
            for one in dict.fromkeys(name for _, name, _ in values):
                some = [value for value in values if value[1] == one]
                ends = [f"{factor(r)} at {size}" for r, _, size in (min(some), max(some))]
                lines.append(f"| {one} | {said_of(place, [r for r in rows if kind(r) == one], METHODS[method])} | {len(some)} | "
                             f"{', '.join(map(str, counts(some)))} | {ends[0]} | {ends[1]} |")
    return "\n".join(lines)


def main():
    results = load()
    for page in sorted(PAGES.glob("*.md")):
        operation = page.stem
        rows = [row for (_, of, _), (_, some) in results.items() if of == operation for row in some]
        replace(page, "table: cases", cases_table(operation))
        replace(page, "table: paths", paths_table(operation, rows))
        replace(page, "table: winners", winners_table(results, operation))
        if "<!-- table: regions -->" in read(page):
            replace(page, "table: regions", regions_table(operation))
        if "<!-- table: end_to_end -->" in read(page):
            replace(page, "table: end_to_end", end_to_end_table(operation))
    replace(VERDICTS, "table: verdicts", verdicts_table(results, sorted({operation for _, operation, _ in results})))
    replace(VERDICTS, "table: end_to_end", crossings_table())
    for operation in re.findall(r"<!-- table: (\w+) -->", read(VERDICTS)):
        if operation not in ("verdicts", "end_to_end"):
            replace(VERDICTS, f"table: {operation}", verdict_table(results, operation))
    finish()


if __name__ == "__main__":
    main()
