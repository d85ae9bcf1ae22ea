#!/usr/bin/env python3
"""Corrects a choice table by audits of the same machine: `tandem tune` measures one shape for each region of a table, and
audits have measured others in it since.

    tools/choices_by_audits.py bench/results/choices/h200 bench/results/audit/h200-*.json [--only OPERATION] [--write]

For each region the order of its paths becomes the one with the least loss over the audited shapes in it, or two orders with a border
between two of these shapes. What `tune` found stays unless the gain is clear. An operation is left as it is where that would
have done harm: each audit in turn is left out, the table is corrected by the others and judged by the one left out. Shapes that were
audited before a path of their rows existed do not count. Without --write it only says what it would do.
"""
import argparse
import collections
import json
import math
import pathlib

from pages import write_whole
from report import BYTES

HOPELESS = math.log(6)  # of a path that was not timed since it takes many times as long as the fastest
AGAINST_TUNE = math.log(1.15)  # how much worse than tune's order another one is taken to be where nothing else is known ...
UNLISTED = math.log(1.6)  # ... and one that tune did not list
CLEAR, SPLIT = 0.05, 0.15  # sums of logarithms that a change, and a border more, must gain
HARM = -0.005  # the mean logarithm that audits left out must lose: less is noise
MOST_NAMES = 4

# A row of a table is (features from which on it holds, names of paths); those of one operation, variant and type are together.
# `known`: names of the paths that existed when the shape was audited.
Shape = collections.namedtuple("Shape", "audit operation variant type features losses known")


def read_table(path):
    first, *lines, end = path.read_text().splitlines()
    if first != "tandem choices 1" or end != f"end {len(lines)}":
        raise SystemExit(f"{path}: not a whole choice table")
    table = collections.OrderedDict()
    for line in lines:
        operation, variant, place, machine, type_, *features, names = line.split("\t")
        rows = table.setdefault((operation, variant, place, machine, type_), [])
        rows.append((tuple(map(int, features)), names.split()))
    return table


def write_table(path, table):
    lines = ["\t".join([*key, *map(str, at), " ".join(names)]) for key, rows in table.items() for at, names in rows]
    write_whole(path, "\n".join(["tandem choices 1", *lines, f"end {len(lines)}"]) + "\n")


def read_shapes(path):
    """The shapes of an audit, and by how much, in logarithms, each path was behind the fastest."""
    for shape in json.loads(path.read_text())["shapes"]:
        times = {p["implementation"]: p["time_ns"] for p in shape["paths"]
                 if p["time_ns"] and not p["wrong"] and p.get("ever_chosen", True)}
        if "choice" not in shape or not times:
            continue
        losses = {name: math.log(time / min(times.values())) for name, time in times.items()}
        losses |= {p["implementation"]: HOPELESS for p in shape["paths"] if p["reason"].startswith("many times")}
        yield Shape(path.name, shape["operation"], shape["choice"]["variant"], shape["type"],
                    tuple(shape["choice"]["features"]), losses, {p["implementation"] for p in shape["paths"]})


def home(tables, shape):
    """The variant and type whose rows a program takes for a shape: those of another type of its size where its own has none, and
    those of the variant that a special one is a kind of ("NN" of "NN, unaligned") where it has none."""
    variant = shape.variant
    while True:
        like = [key for key in tables if key[0] == variant and BYTES[key[1]] == BYTES[shape.type]]
        if like or ", " not in variant:
            return (variant, shape.type) if (variant, shape.type) in like else next(iter(like), None)
        variant = variant.rpartition(", ")[0]


def knows_all(tables, shape):
    """Whether all paths of the shape's rows existed when it was audited."""
    return all(name in shape.known for _, names in tables.get(home(tables, shape), []) for name in names)


def region(rows, features):
    """Where the row is that a program takes for these features."""
    holds = [i for i, (at, _) in enumerate(rows) if all(a <= f for a, f in zip(at, features))]
    return max(holds, key=lambda i: rows[i][0], default=None)


def loss(names, losses):
    return next((losses[name] for name in names if name in losses), None)


def best_order(names, shapes, choosable):
    """The order with the least loss over these shapes, and what it gains; the present one unless that is clear."""
    def cost(first):
        order = [first] + [name for name in names if name != first]
        doubt = 0 if first == names[0] else AGAINST_TUNE if first in names else UNLISTED
        return doubt + sum(loss(order, shape.losses) or 0 for shape in shapes), order

    now = cost(names[0])[0]
    least, order = min(map(cost, sorted(choosable & {*names, *(n for s in shapes for n in s.losses)})), key=lambda c: c[0])
    return (order[:MOST_NAMES], now - least) if now - least > CLEAR else (names, 0)


def with_border(at, names, feature, shapes, whole_gain, choosable):
    """Two rows in place of one, where that gains enough; none otherwise."""
    shapes = sorted(shapes, key=lambda shape: shape.features[feature])
    best, rows = whole_gain + SPLIT, None
    for k in range(1, len(shapes)):
        low, high = shapes[k - 1].features[feature], shapes[k].features[feature]
        border = list(at)
        border[feature] = max(low + 1, round(math.sqrt(max(low, 1) * high)))
        if high <= 1.2 * low or tuple(border) <= at:
            continue
        (below, gain_below), (above, gain_above) = (best_order(names, part, choosable) for part in (shapes[:k], shapes[k:]))
        if below[0] != above[0] and gain_below + gain_above > best:
            best, rows = gain_below + gain_above, [(at, below), (tuple(border), above)]
    return rows


def correct(tables, shapes):
    """tables: by variant and type, rows of one operation."""
    choosable = {name for rows in tables.values() for _, names in rows for name in names}
    result = {}
    for key, rows in tables.items():
        inside = collections.defaultdict(list)
        for shape in shapes:
            if home(tables, shape) == key:
                inside[region(rows, shape.features)].append(shape)
        # A border goes through the last feature that the rows tell apart, so that no other region moves.
        feature = max((f for f in range(len(rows[0][0])) if any(at[f] for at, _ in rows)), default=0)
        result[key] = []
        for i, (at, names) in enumerate(rows):
            order, gain = best_order(names, inside[i], choosable) if inside[i] else (names, 0)
            result[key] += with_border(at, names, feature, inside[i], gain, choosable) or [(at, order)]
        result[key].sort(key=lambda row: row[0])
    return result


def judge(tables, shapes):
    """Logarithms of the ratios of the fastest path to the one that the table takes."""
    for shape in shapes:
        rows = tables.get(home(tables, shape))
        here = region(rows, shape.features) if rows else None
        behind = None if here is None else loss(rows[here][1], shape.losses)
        if behind is not None:
            yield -behind


def shown(ratios):
    ratios = list(ratios)
    mean, worst = (math.exp(sum(ratios) / len(ratios)), math.exp(min(ratios))) if ratios else (1, 1)
    return f"{mean:.3f}/{worst:.2f} of {len(ratios)} shapes"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=pathlib.Path)
    parser.add_argument("audits", type=pathlib.Path, nargs="+")
    parser.add_argument("--only", help="this operation")
    parser.add_argument("--write", action="store_true", help="change the table")
    arguments = parser.parse_args()
    whole = read_table(arguments.table)
    places = {json.loads(path.read_text())["place"] for path in arguments.audits}
    if len(places) > 1:
        raise SystemExit(f"audits of one place, please, not of {' and '.join(sorted(places))}")
    shapes = [shape for path in arguments.audits for shape in read_shapes(path)]
    for operation in dict.fromkeys(key[0] for key in whole):
        mine = [shape for shape in shapes if shape.operation == operation]
        if arguments.only not in (None, operation) or not mine:
            continue
        keys = {(key[1], key[4]): key for key in whole if key[0] == operation and key[2] in places}
        tables = {short: whole[key] for short, key in keys.items()}
        mine = [shape for shape in mine if knows_all(tables, shape)]
        before, after = [], []
        for audit in sorted({shape.audit for shape in mine}):
            others, left_out = [s for s in mine if s.audit != audit], [s for s in mine if s.audit == audit]
            before += judge(tables, left_out)
            after += judge(correct(tables, others), left_out)
        harms = sum(after) - sum(before) < HARM * len(before)
        corrected = correct(tables, mine)
        print(f"{operation}: audits left out {shown(before)}, corrected by the others {shown(after)}; "
              f"all {shown(judge(tables, mine))}, corrected {shown(judge(corrected, mine))}{'; left as it is' if harms else ''}")
        if not harms:
            whole |= {keys[short]: rows for short, rows in corrected.items()}
    if arguments.write:
        write_table(arguments.table, whole)


if __name__ == "__main__":
    main()
