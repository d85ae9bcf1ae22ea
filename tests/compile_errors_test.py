#!/usr/bin/env python3
"""Calls that cannot compile say why in one line that a reader understands.

Usage: compile_errors_test.py SOURCE_DIRECTORY CXX_COMPILER
"""

import re
import subprocess
import sys

PROGRAM = """#include <tandem/tandem.h>
struct Text {{}};
void call(tandem::Context& ctx, std::vector<float>& x, std::vector<float>& y) {{
  const auto least = [](float a, float b) {{ return a < b ? a : b; }};
  const auto one = [](float a) {{ return a; }};
  std::vector<std::int64_t> counts(8);
  std::vector<tandem::half> halves(8);
  {}
}}
"""
CALLS = {
    "exclusive_scan(ctx, x, y, least)": "exclusive_scan: out[0] needs an identity, which op has not: "
                                        "give op one, or pass an initial value",
    "reduce(ctx, x, one)": "reduce: op(a, b) must take two accumulators and give one",
    "reduce(ctx, x, 7)": "reduce: op(a, b) must take two accumulators and give one",
    "reduce(ctx, x, least, Text{})": "reduce: op(a, b) must take two accumulators and give one",
    "inclusive_scan(ctx, x, y, one)": "scan: op(a, b) must take two accumulators and give one",
    "select(ctx, x, least, y)": "select: the predicate must take an element and say whether it is kept",
    "select(ctx, x, tandem::less{1}, y)": "select: the predicate must take an element and say whether it is kept",
    "unique(ctx, x, y, one)": "unique: same(a, b) must take two elements and say whether they are equal",
    "segmented_reduce(ctx, x, tandem::Segments::equal(2, 4), y, least)":
        "segmented_reduce: an empty segment, row or column needs an identity, which op has not: give op one, or pass an initial value",
    "segmented_reduce(ctx, x, tandem::Segments::equal(2, 4), y, one)":
        "segmented_reduce: op(a, b) must take two accumulators and give one",
    "segmented_reduce(ctx, halves, tandem::Segments::equal(2, 4), halves)": "segmented_reduce: out must hold the accumulator type",
    "segmented_exclusive_scan(ctx, x, tandem::Segments::equal(2, 4), y, least)":
        "segmented_scan: the first result of a segment or run needs an identity, which op has not: give op one, or pass an initial value",
    "exclusive_scan_by_key(ctx, counts, x, y, one)": "segmented_scan: op(a, b) must take two accumulators and give one",
    "reduce_by_key(ctx, counts, x, counts, y, one)": "reduce_by_key: op(a, b) must take two accumulators and give one",
    "reduce_by_key(ctx, counts, x, y, y, least)": "reduce_by_key: keys_out must hold the type of keys",
    "reduce_by_key(ctx, counts, halves, counts, halves)": "reduce_by_key: out must hold the accumulator type",
    "inclusive_scan_by_key(ctx, counts, halves, x)": "scan_by_key: out must hold the type of in",
    "reduce_axis(ctx, tandem::matrix(x, 2, 3), 1, y, least)":
        "segmented_reduce: an empty segment, row or column needs an identity, which op has not: give op one, or pass an initial value",
    "reduce_axis(ctx, tandem::matrix(halves, 2, 3), 1, halves)": "reduce_axis: out must hold the accumulator type",
    "sort(ctx, x, one)": "sort: less(x, y) must take two elements and say whether x comes before y",
    "sort(ctx, x, tandem::less{1.0f})": "sort: less(x, y) must take two elements and say whether x comes before y",
    "sort_by_key(ctx, x, y, one)": "sort: less(x, y) must take two keys and say whether x comes before y",
    "sort_by_key_into(ctx, x, y, y, counts, least)": "sort: keys_out must hold the type of keys, and values_out that of values",
    "top_k(ctx, x, y, one)": "top_k: less(x, y) must take two elements and say whether x comes before y",
    "top_k(ctx, x, counts, least)": "top_k: keys_out must hold the type of in",
    "top_k_positions(ctx, x, y, least)": "top_k: positions_out must hold int64",
    "histogram(ctx, x, least, counts)": "histogram: bin_of(x) must take an element and give the number of its bin",
    "histogram(ctx, x, one, y)": "histogram: counts must hold int64",
    # Those that compile, so that the others fail for what they are about.
    "exclusive_scan(ctx, x, y, least, 0.0f)": None,
    "reduce(ctx, x, least)": None,
    "select(ctx, x, one, y)": None,
    "select(ctx, x, tandem::less{1.0f}, y)": None,
    "unique(ctx, x, y, least)": None,
    "segmented_reduce(ctx, x, tandem::Segments::equal(2, 4), y, least, 0.0f)": None,
    "segmented_reduce(ctx, halves, tandem::Segments::equal(2, 4), y)": None,
    "segmented_inclusive_scan(ctx, x, tandem::Segments::equal(2, 4), y, least)": None,
    "exclusive_scan_by_key(ctx, counts, x, y, least, 0.0f)": None,
    "reduce_by_key(ctx, counts, x, counts, y, least)": None,
    "reduce_by_key(ctx, counts, halves, counts, y)": None,
    "inclusive_scan_by_key(ctx, counts, halves, halves)": None,
    "reduce_axis(ctx, tandem::matrix(x, 2, 3), 1, y, least, 0.0f)": None,
    "reduce_axis(ctx, tandem::matrix(halves, 2, 3), 1, y)": None,
    "sort(ctx, x, least)": None,
    "sort(ctx, x, {.descending = true})": None,
    "sort_by_key(ctx, x, counts, least)": None,
    "top_k(ctx, x, y, counts, least)": None,
    "top_k_positions(ctx, x, counts, least)": None,
    "histogram(ctx, x, one, counts)": None,
}


def main(source, compiler):
    for call, wanted in CALLS.items():
        result = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", f"-I{source}/lib/include", "-x", "c++", "-"],
                                input=PROGRAM.format(f"tandem::{call};"), text=True, stderr=subprocess.PIPE)
        errors = [line for line in result.stderr.splitlines() if re.search(r"\berror:", line)]
        if wanted is None:
            if errors:
                sys.exit(f"{call}: {errors[0]}")
        elif len(errors) != 1 or wanted not in errors[0]:
            sys.exit(f"{call}: {len(errors)} errors instead of one that says '{wanted}':\n" + "\n".join(errors))
    print(f"{len(CALLS)} calls")


if __name__ == "__main__":
    main(*sys.argv[1:])
