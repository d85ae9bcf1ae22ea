#!/usr/bin/env python3
"""Writes what is generated from bench/results/: the tables between markers in README.md, the ladders' READMEs and docs/, the
chart docs/speed.svg, and lib/core/choice_table.inc, what the automatic choice knows without a user's own measurements. Run by `make tables`; nothing here is typed twice.

A marker pair is `<!-- table: reduce -->` … `<!-- end -->`; README.md uses `<!-- table: summary -->` and, in its first
paragraph, `<!-- number -->` … `<!-- end -->`.
"""

import json
import re
import sys

from chart import draw as chart_of
from pages import ROOT, finish, read, replace, write

RESULTS = ROOT / "bench" / "results"
# Which path is fast follows from the matrix, of which the size tells too little.
NOT_BY_SIZE = {"spmv", "spmm", "sptrsv"}
BYTES = {"f32": 4, "i32": 4, "u32": 4, "f64": 8, "i64": 8, "u64": 8, "f16": 2, "bf16": 2, "i8": 1, "u8": 1}


def load():
    """All result files by (place, operation, method): the machine block and the rows of that place."""
    results = {}
    for path in sorted(RESULTS.glob("*.json")):  # h200-….json: device rows; any other name: host rows
        content = json.loads(path.read_text())
        place = "device" if path.stem.startswith("h200") else "host"
        for row in content["rows"]:
            if row["place"] == place and row["time_ns"] is not None:
                row["machine"] = content["machine"]
                results.setdefault((place, row["operation"], row["method"]), (content["machine"], []))[1].append(row)
    for (_, operation, _), (_, rows) in results.items():
        APART.setdefault(operation, {})
        APART[operation].update(dict.fromkeys(r["variant"] for r in rows if r["variant"] != "in place"))
    for operation, variants in APART.items():
        APART[operation] = list(variants) if len(variants) > 1 else []
    return results


def regular(row, kind="f32"):
    """True for what stands in tables of a type: one operator, all extents equal, the precision of the elements."""
    return (row["type"] == kind and row["op"] in ("plus", "none") and len(set(row.get("shape", "").split("x"))) == 1
            and "gaps" not in row["variant"])


APART = {}  # by operation: variants that are measured side by side, such as layouts; filled by load()


def batch(row):
    """True for rows of operations that are measured in several variants: their shapes are batches."""
    return row["variant"] in APART.get(row["operation"], ())


def rival(row):
    """True for rows that compete: out of place, in full precision, a whole call."""
    return ((regular(row) or batch(row)) and not row.get("reduced_precision") and not row.get("alone")
            and row["variant"] != "in place")


def named(row):
    return row["implementation"] + (", in place" if row["variant"] == "in place" else "")


def size(n):
    for shift, unit in ((30, "G"), (20, "M"), (10, "K")):
        if n % (1 << shift) == 0:
            return f"{n >> shift}{unit}"
    return str(n)


def list_lengths(ids, skew):
    """Of posting lists: in a collection after Zipf's law (skew 0) their average, else the shortest and, skew times as long, the
    longest."""
    return f"{ids} ids on average" if skew == 0 else f"{size(ids)} ids" if skew == 1 else f"{size(ids)} to {size(ids * skew)} ids"


# What n is of operations on batches.
EXTENTS = {"tridiagonal": lambda rows, systems: f"{size(systems)} × {size(rows)} rows",
           "intersect": lambda queries, lists, ids, skew: f"{size(queries)} × {lists} lists of {list_lengths(ids, skew)}"}


def extents(row):
    """The size of a row as the summary writes it."""
    if batch(row) and row["operation"] in EXTENTS:
        return EXTENTS[row["operation"]](*map(int, row["shape"].split("x")))
    extents = [int(extent) for extent in (row.get("shape") or "1").split("x") if extent != "1"]
    return " × ".join(map(size, extents)) if set(extents) - {row["n"]} else size(row["n"])


def library(row):
    """Of a vendor's row: "cusparse" of tridiagonal/vendor/cusparse_strided."""
    return row["implementation"].split("/")[-1].split("_")[0]


def span(values):
    return " to ".join(map(str, sorted({min(values), max(values)})))


def factor(value):
    return f"{value:.2f}×" if value < 10 else f"{value:.0f}×"


def time(ns):
    return f"{ns / 1e3:.1f} µs" if ns < 1e6 else f"{ns / 1e6:.2f} ms"


def origin(place, machine):
    where = machine["device"] if place == "device" else machine["host"]
    return f"{where}, {machine['date']}, {machine['method']}, median of {machine['repetitions']}"


def caption(place, machine, rows, kind="f32"):
    """Of rows that may come from several files: `machine` is the block of one of them."""
    dates = {r["machine"]["date"] for r in rows}
    machine = {**machine, "date": span(dates), "repetitions": span({r["machine"]["repetitions"] for r in rows})}
    bounds, arithmetic = machine["bounds_gb_per_s"], machine.get("bounds_gflop_per_s", {}).get(f"{place}_{kind}")
    return (f"{origin(place, machine)}; read {bounds[place + '_read']:.0f} GB/s, copy {bounds[place + '_copy']:.0f} GB/s"
            + (f", multiply-adds {arithmetic:.0f} GFLOP/s" if arithmetic else "") + (" in the same run." if len(dates) == 1 else " in one of the runs."))


COLUMNS = (1 << 16, 1 << 20, 1 << 24, 1 << 26, 1 << 28)  # of the sizes that were measured, what a ladder's table shows


def column(row):
    """Where a row stands in the table of its variant: at its shape, or its size where it has none; None: nowhere."""
    return row.get("shape") or (size(row["n"]) if row["n"] in COLUMNS else None)


def batch_table(results, operation):
    """A table per place, variant and type: time, share of the bound and the factor against the vendor at each shape or size."""
    parts = []
    for (place, op, method), (machine, rows) in sorted(results.items()):
        if op != operation or method != "hot":
            continue
        parts.append(caption(place, machine, rows))
        for layout in APART[operation]:
            for kind in sorted({r["type"] for r in rows}):
                some = [r for r in rows if r["variant"] == layout and r["type"] == kind and column(r) and not r.get("alone")]
                shapes = list(dict.fromkeys(column(r) for r in some))
                cells = {(r["implementation"], column(r)): r for r in some}

                def cell(name, shape):
                    row = cells.get((name, shape))
                    if not row:
                        return "–"
                    bound = f", {row['bound_fraction']:.0%}" if row["bound_fraction"] else ""
                    return f"{time(row['time_ns'])}{bound}, {row['vs_vendor']:.2f}×" if row["vs_vendor"] else time(
                        row["time_ns"]) + bound
                if shapes:
                    parts.append("\n".join(
                        [f"| {layout}, {kind} | " + " | ".join(shapes) + " |", "| --- |" + " ---: |" * len(shapes)]
                        + [f"| {name} | " + " | ".join(cell(name, s) for s in shapes) + " |"
                           for name in dict.fromkeys(r["implementation"] for r in some)]))
    return "\n\n".join(parts)


def ladder_table(results, operation, kind="f32"):
    """One table per place: every implementation at a few sizes, of one type."""
    parts = []
    for (place, op, method), (machine, rows) in sorted(results.items()):
        if op != operation or method != "hot":
            continue
        rows = [r for r in rows if regular(r, kind)]
        if not rows:
            continue
        sizes = sorted({r["n"] for r in rows})
        chosen = [n for n in COLUMNS if n in sizes]
        names = list(dict.fromkeys(named(r) for r in rows))
        cells = {(named(r), r["n"]): r for r in rows}
        chosen = chosen or sizes
        largest = chosen[-1]
        parts.append("\n".join(
            [caption(place, machine if kind == "f32" else rows[0]["machine"], rows, kind), "",
             "| implementation | " + " | ".join(size(n) for n in chosen) + f" | of bound, {size(largest)} | × vendor |",
             "| --- |" + " ---: |" * (len(chosen) + 2)]
            + ["| " + " | ".join(
                [name] + [time(cells[name, n]["time_ns"]) if (name, n) in cells else "–" for n in chosen]
                + ([f"{cells[name, largest]['bound_fraction']:.0%}" if cells[name, largest]["bound_fraction"] else "–",
                    f"{cells[name, largest]['vs_vendor']:.2f}" if cells[name, largest]["vs_vendor"] else "–"]
                   if (name, largest) in cells else ["–", "–"])) + " |" for name in names]))
    return "\n\n".join(parts)


def tuning_table(path):
    """All points of a tuning, one line each, and which is the fastest at each shape."""
    content = json.loads(path.read_text())
    rows = content["rows"]
    shapes = list(dict.fromkeys(r["shape"] for r in rows))
    cells = {(r["implementation"], r["shape"]): r for r in rows if r["time_ns"]}
    points = list(dict.fromkeys(r["implementation"] for r in rows if "tuning" in r and r["time_ns"]))
    vendors = list(dict.fromkeys(r["implementation"] for r in rows if "tuning" not in r and r["time_ns"]))
    places = [p for p in ("device", "host") if any(r["place"] == p for r in cells.values())]
    arithmetic = rows[0]["unit"] == "GFLOP/s"

    def rate(row):
        return f"{row['rate'] / 1e3:.2f}" if arithmetic else f"{row['rate']:.4g}"

    def rates(name):
        return [rate(cells[name, s]) if (name, s) in cells else "–" for s in shapes]

    def of_bound(name):
        fraction = cells[name, shapes[-1]]["bound_fraction"]
        return f"{fraction:.1%}" if fraction else "in cache"

    def line(name):
        row = cells[name, shapes[-1]]
        resources = ([str(row["registers"]), f"{row['spilled_bytes']} B", f"{row['occupancy']:.0%}"]
                     if "registers" in row else ["–"] * 3)
        return [name.split("/", 1)[1], *rates(name), *resources, of_bound(name), f"{row['model']:.1%}"]

    best = [max((name for name in points if (name, s) in cells), key=lambda name: cells[name, s]["rate"]) for s in shapes]
    head = ["point", *(f"{s}, {'TFLOP/s' if arithmetic else 'GB/s'}" for s in shapes), "registers", "spilled", "occupancy",
            f"of bound, {shapes[-1]}", "modelled"]
    return "\n".join(
        [" ".join(caption(p, content["machine"], [{"machine": content["machine"]}]) for p in places)
         + " Fastest: " + ", ".join(f"{b.split('/', 1)[1]} at {s}" for b, s in zip(best, shapes)) + ".", "",
         "<details><summary>All points</summary>", "",
         "| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
        + ["| " + " | ".join(line(name)) + " |" for name in points]
        + ["| " + " | ".join([name, *rates(name)] + ["–"] * 3 + [of_bound(name), "–"]) + " |" for name in vendors]
        + ["", "</details>"])


def solver_name(name):
    """What --solver was given, with blanks for a table to break at; nothing means the automatic choice."""
    return name.replace(",", ", ") or "automatic"


def flow_table(table):
    """Rows of channel_flow bench: systems per second, or milliseconds of the sweeps, along each axis."""
    parts = []
    for path in sorted((RESULTS / "channel_flow").glob("*.json")):
        content = json.loads(path.read_text())
        rows = [r for r in content["rows"] if r["table"] == table]
        for device, nodes in dict.fromkeys((r["device"], r["nodes"]) for r in rows):
            some = [r for r in rows if (r["device"], r["nodes"]) == (device, nodes)]
            if table == "systems-per-second":
                head = "| solver | type | X | Y | Z | overall |"
                lines = [f"| {solver_name(r['solver'])}{', z transposed' if r['z'] == 'transposed' else ''} | {r['type']} | "
                         + " | ".join(f"{r[axis] / 1e6:.1f} M" for axis in ("x", "y", "z_axis", "overall")) + " |"
                         for r in some]
            else:
                head = "| solver | type | X | Y | Z naive | Z transposed | all naive ÷ transposed |"
                lines = [f"| {solver_name(r['solver'])} | {r['type']} | "
                         + " | ".join(f"{r[axis] * 1e3:.2f} ms" for axis in ("x", "y", "z_naive", "z_transposed"))
                         + f" | {(r['x'] + r['y'] + r['z_naive']) / (r['x'] + r['y'] + r['z_transposed']):.1f}× |"
                         for r in some]
            if some:
                parts.append("\n".join([f"{device}, {content['date']}, {nodes} × {nodes} systems of {nodes} rows, "
                                        f"{content['method']}.", "", head,
                                        "| --- | --- |" + " ---: |" * (head.count("|") - 3)] + lines))
    return "\n\n".join(parts)


def reproduced(content):
    """A file of tandem reproduce --json: its sections with the published numbers beside ours, and its sentence."""
    def number(value):
        return "–" if value is None else f"{value:.4g}" if value < 1000 else f"{value:.0f}"

    def theirs(cell):  # in brackets what was made of the source's figures, which do not show it
        return f"({number(cell['published'])})" if cell["derived"] else number(cell["published"])

    machine = content["machine"]
    where = ", ".join(filter(None, (machine["device"], machine["host"])))
    parts = [f"{where}, {machine['date']}, median of {machine['repetitions']}; {machine['method']}. "
             f"Published: {content['source']}."]
    for name, figures in content["data"].items():
        parts.append(f"{name}: " + ", ".join(f"{what} {value}" for what, value in figures.items()))
    for section in content["sections"]:
        rows = section["rows"]
        published = [any(row["cells"][c]["published"] is not None for row in rows) for c in range(len(section["columns"]))]
        words = any(row["published"] for row in rows)
        head = [section["title"]]
        for column, also in zip(section["columns"], published):
            head += [column["name"] + (f", {column['unit']}" if column["unit"] else "")] + ["published"] * also
        lines = []
        for row in rows:
            cells = [row["name"] + (f" ({row['note']})" if row["note"] else "")]
            for cell, also in zip(row["cells"], published):
                cells += [number(cell["here"])] + [theirs(cell)] * also
            lines.append("| " + " | ".join(cells + [row["published"]] * words) + " |")
        parts.append("\n".join(["| " + " | ".join(head + ["published"] * words) + " |",
                                "| --- |" + " ---: |" * (len(head) - 1) + " --- |" * words] + lines))
    return "\n\n".join(parts + [content["conclusion"]])


def reproduced_tables():
    """Puts the runs of all machines into docs/experiments.md, which has a place for each table."""
    page = ROOT / "docs" / "experiments.md"
    for table in re.findall(r"<!-- table: reproduce (\S+) -->", read(page)):
        runs = sorted((RESULTS / "reproduce").glob(f"*-{table}.json"))  # h200-intersection.json
        text = "\n\n".join(reproduced(json.loads(path.read_text())) for path in runs)
        replace(page, f"table: reproduce {table}", text or "No recorded run yet.")


def usual(row, rows):
    """True for the rows that stand for an operation where there is room for few: of its variants the first that a library
    takes, too."""
    if not batch(row):
        return True
    variants = APART[row["operation"]]
    compared = [v for v in variants if len({r["path"] for r in rows if r["variant"] == v}) > 1]
    return row["variant"] == (compared or variants)[0] and row["type"] == rows[0]["type"]


def best_pairs(results, place, operation, method="hot"):
    """(n, best custom row, best vendor row) for f32 plus, or the first variant of batches."""
    entry = results.get((place, operation, method))
    if not entry:
        return None, []
    machine, rows = entry
    rows = [r for r in rows if rival(r)]
    rows = sorted(rows, key=lambda r: r["type"] != "f32")
    rows = [r for r in rows if usual(r, rows)]
    pairs = []
    for n in sorted({r["n"] for r in rows}):
        best = {}
        for path in ("custom", "vendor"):
            candidates = [r for r in rows if r["n"] == n and r["path"] == path]
            if candidates:
                best[path] = min(candidates, key=lambda r: r["time_ns"])
        if len(best) == 2:
            pairs.append((n, best["custom"], best["vendor"]))
    return machine, pairs


def ratios(results, place, operation, method):
    """Best vendor time ÷ best custom time by n, of the type that the hot rows have."""
    types = {custom["type"] for _, custom, _ in best_pairs(results, place, operation)[1]}
    _, pairs = best_pairs(results, place, operation, method)
    return {n: vendor["time_ns"] / custom["time_ns"] for n, custom, vendor in pairs if custom["type"] in types}


def summary_table(results):
    parts = []
    for place in ("device", "host"):
        lines, machine, dates, repetitions = [], None, set(), set()
        for operation in sorted({op for (p, op, _) in results if p == place}):
            of_operation, pairs = best_pairs(results, place, operation)
            machine = of_operation if pairs else machine
            if pairs:
                dates.add(of_operation["date"])
                repetitions.add(of_operation["repetitions"])
            in_graph = ratios(results, place, operation, "graph")
            for n, custom, vendor in ([pairs[len(pairs) // 2], pairs[-1]] if len(pairs) > 2 else pairs):  # one in the caches
                fraction = f"{custom['bound_fraction']:.0%}" if custom["bound_fraction"] else "in cache"
                cells = [operation if custom["type"] == "f32" else f"{operation}, {custom['type']}", extents(custom), f"{custom['implementation'].split('/')[-1]} {time(custom['time_ns'])}",
                         f"{vendor['implementation'].split('/')[-1]} {time(vendor['time_ns'])}",
                         f"**{factor(vendor['time_ns'] / custom['time_ns'])}**"]
                if place == "device":
                    cells.append(factor(in_graph[n]) if n in in_graph else "–")
                lines.append("| " + " | ".join(cells + [fraction]) + " |")
        if lines:
            head = ["f32", "n", "best custom", "best vendor", "vendor ÷ custom"]
            if place == "device":
                head.append("the same, replayed in a CUDA graph")
            head.append("of the bound")
            parts.append("\n".join([origin(place, {**machine, "date": span(dates), "repetitions": span(repetitions)}) + "; bounds were measured in the run of each operation.", "", "| " + " | ".join(head) + " |",
                                    "| --- | ---: | --- | --- |" + " ---: |" * (len(head) - 4)] + lines))
    return "\n\n".join(parts)


def chart(results):
    """Best vendor time ÷ best custom time over n, a panel for each operation."""
    panels, dates = [], set()
    for operation in sorted({op for (place, op, _) in results if place == "device"}):
        machine, pairs = best_pairs(results, "device", operation)
        vendors = dict.fromkeys(library(vendor) for _, _, vendor in pairs)
        dates.add(machine["date"])
        lines = [ratios(results, "device", operation, method) for method in ("hot", "graph")]
        kind = {custom["type"] for _, custom, _ in pairs} - {"f32"}
        panels.append((", ".join([operation, *kind]), ", ".join(vendors), lines, size))
    return chart_of(panels, ["called back to back", "replayed in a CUDA graph"],
                    ["time of the fastest library named ÷", "time of the fastest custom kernel:", "above 1 the custom kernel is faster",
                     "", f"{machine['device']}, f32,", span(dates)])


def number(results):
    """A long scan, judged by the worse of both methods."""
    hot, graph = (ratios(results, "device", "scan", method) for method in ("hot", "graph"))
    both = {n: min(hot[n], graph[n]) for n in hot if n in graph}
    if not both:
        return "no results recorded yet"
    n = max(both)
    return (f"a scan of {size(n)} floats on an H200 takes {1 / both[n]:.0%} of the time of CUB's, called back to back or "
            "replayed in a CUDA graph")


def registered():
    """Of every implementation its name, its file, and what that says in REGISTER: strings by key, and the whole text."""
    for path in sorted([*(ROOT / "custom_kernels").glob("*/*.c*"), *(ROOT / "vendor_wrappers").glob("*/*.c*")],
                       key=lambda path: (path.parent.name, path.parent.parent.name, path.name)):
        facts = re.search(r"REGISTER\(\s*\w+,(.*)\)\n\n}", path.read_text(), re.S)
        if facts:
            kind = "custom" if path.parent.parent.name == "custom_kernels" else "vendor"
            name = re.sub(r"^\d+_", "", path.name.split(".")[0])
            said = {key: "".join(re.findall(r'"([^"]*)"', text))
                    for key, text in re.findall(r'\.(note|deviates|loses_digits_on) =((?:\s*"[^"]*")+)', facts[1])}
            yield f"{path.parent.name}/{kind}/{name}", path, said, facts[1]


def deviations(said, facts):
    """What a path does otherwise than promised."""
    found = [said["deviates"]] if "deviates" in said else []
    if "loses_digits_on" in said:
        found.append("loses digits on: " + said["loses_digits_on"])
    for fact, text in (("precision = Precision::split", "in precision split"),
                       ("precision = Precision::tf32", "in precision tf32"),
                       ("synchronises = true", "waits for the device"),
                       (".by_name_only", "runs by name only"),
                       ("repeats = false", "last bits may differ from run to run")):
        if fact in facts:
            found.append(text)
    return "; ".join(found)


def deviations_table():
    """What paths do otherwise than promised, as their files say in REGISTER."""
    lines = ["| path | what it does otherwise |", "| --- | --- |"]
    for name, _, said, facts in registered():
        if found := deviations(said, facts):
            lines.append(f"| {name} | {found} |")
    return "\n".join(lines)


def audit_table():
    """What tandem audit found, of each kept run."""
    parts = []
    for path in sorted((RESULTS / "audit").glob("*.json")):
        content = json.loads(path.read_text())
        machine = content["machine"]
        lines = [f"{machine['device'] if content['place'] == 'device' else machine['host']}, {machine['date']}, {machine['method']}, seed {content['seed']}, "
                 f"arrays of up to {content['largest'] >> 20} MB:", "",
                 "| operation | shapes | of the fastest path: mean | worst | of the fastest library: mean | worst |", "| --- | ---: | ---: | ---: | ---: | ---: |"]
        for row in content["operations"]:
            cells = [f"{r['geometric_mean']:.2f} | {r['worst']:{'.2f' if r['worst'] >= 0.1 else '.1g'}}" if r else "– | –" for r in (row["of_best"], row["of_vendor"])]
            lines.append(f"| {row['operation']} | {row['of_best']['shapes']} | {cells[0]} | {cells[1]} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def choice_table(results):
    """What the automatic choice knows: bench/results/choices/, which tandem tune writes; and of machines and operations that are
    not there the fastest implementation by variant, type and n; neighbouring sizes with one winner merge."""
    tuned = []
    for path in sorted((RESULTS / "choices").glob("*")):
        *lines, last = path.read_text().splitlines()[1:]
        if last != f"end {len(lines)}":  # Tandem would refuse it, too
            sys.exit(f"{path}: the last line is '{last}', but there are {len(lines)} rows")
        tuned += [line.split("\t") for line in lines]
    have_tuned = {(operation, place, machine) for operation, _, place, machine, *_ in tuned}
    timed, chains = {}, {}  # variant, type …: n: rows; and of chains in a graph: times
    for (place, operation, method), (machine, rows) in results.items():
        for row in rows:
            if not rival({**row, "type": "f32"}):
                continue
            group = (operation, row["variant"] if batch(row) else "", place,
                     machine["device"] if place == "device" else machine["host"], row["type"])
            if (operation, place, group[3]) in have_tuned or operation in NOT_BY_SIZE:
                continue
            if method == "hot":
                timed.setdefault(group, {}).setdefault(row["n"], []).append(row)
            elif method == "graph":
                chains[group, row["n"], row["implementation"]] = row["time_ns"]
    rows = []
    for group, sizes in sorted(timed.items()):
        # A type that was measured at one n is chosen for as another of its size, which was at several.
        if len(sizes) == 1 and any(other[:4] == group[:4] and BYTES[other[4]] == BYTES[group[4]] and len(timed[other]) > 1 for other in timed):
            continue
        winners = {}
        for n in sorted(sizes, reverse=True):
            # Times within 3 % are equal, and within 7 % those of short calls, which the host queues at its own pace; of these
            # our own, the fastest in a chain, and the one that wins at the next larger size.
            least = min(row["time_ns"] for row in sizes[n])
            equal = 1.07 if least < 1e4 else 1.03
            chain = {row["implementation"]: chains.get((group, n, row["implementation"]), 0) for row in sizes[n]}
            least_chain = min(chain[row["implementation"]] for row in sizes[n] if row["time_ns"] < equal * least)
            before = [names[0] for names in winners.values()][-1:]
            ranked = sorted((row for row in sizes[n] if row["time_ns"] < 4 * least), key=lambda row: (
                row["time_ns"] >= equal * least, row["path"] != "custom", chain[row["implementation"]] > 1.03 * least_chain,
                row["implementation"] not in before, row["time_ns"]))
            winners[n] = list(dict.fromkeys(row["implementation"] for row in ranked))[:4]
        last = None
        for start, n in enumerate(sorted(winners)):
            if winners[n][0] != last:
                rows.append((*group, n if start else 0, 0, 0, " ".join(winners[n])))
            last = winners[n][0]
    rows += [(*row[:5], *map(int, row[5:8]), row[8]) for row in tuned]
    # Literals that know their lengths: a compiler that counts thousands of them out gives up.
    lines = [f'{{"{operation}"sv, "{variant}"sv, Place::{place}, "{machine}"sv, "{kind}"sv, {{{", ".join(map(str, start))}}}, "{names}"sv}},'
             for operation, variant, place, machine, kind, *start, names in sorted(rows)]
    write(ROOT / "lib/core/choice_table.inc",
        "// Written by tools/report.py from bench/results/; see choice.cpp.\n" + "\n".join(lines) + "\n")


def main():
    results = load()
    for operation in sorted({op for (_, op, _) in results}):
        rows = next(r for (_, op, _), (_, r) in results.items() if op == operation)
        table = batch_table if any(map(batch, rows)) else ladder_table
        page = ROOT / "custom_kernels" / operation / "README.md"
        replace(page, f"table: {operation}", table(results, operation))
        for kind in re.findall(rf"<!-- table: {operation} (\w+) -->", read(page)):
            replace(page, f"table: {operation} {kind}", ladder_table(results, operation, kind) or "Not measured yet.")
    for path in sorted((RESULTS / "tuning").glob("*.json")):  # h200-gemm-tile.json
        _, operation, name = path.stem.split("-")
        replace(ROOT / "custom_kernels" / operation / "README.md", f"table: tuning {name}", tuning_table(path))
    for table in ("systems-per-second", "tridiagonal-directions"):
        replace(ROOT / "examples" / "channel_flow" / "README.md", f"table: {table}", flow_table(table))
    reproduced_tables()
    replace(ROOT / "docs" / "choice.md", "table: audit", audit_table())
    replace(ROOT / "docs" / "promises.md", "table: deviations", deviations_table())
    replace(ROOT / "README.md", "table: summary", summary_table(results))
    replace(ROOT / "README.md", "number", number(results))
    write(ROOT / "docs" / "speed.svg", chart(results))
    choice_table(results)
    finish()


if __name__ == "__main__":
    main()
