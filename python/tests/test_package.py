"""What is installed: version, stubs, documentation, compare(), and the example."""

import ast
import importlib.metadata
import inspect
import pathlib
import re
import subprocess
import sys
import timeit

import numpy
import pytest
import tandem

PACKAGE = pathlib.Path(tandem.__file__).parent
TREE = pathlib.Path(__file__).parents[2]


def test_one_version():
    header = (TREE / "lib/include/tandem/version.h").read_text()
    numbers = re.findall(r"#define TANDEM_VERSION_\w+ (\d+)", header)
    assert tandem.__version__ == importlib.metadata.version("tandem") == ".".join(numbers)


def test_stubs_and_docstrings_are_complete():
    assert (PACKAGE / "py.typed").exists()
    stub = ast.parse((PACKAGE / "_tandem.pyi").read_text())
    known = {node.name for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    for name in tandem.__all__:
        thing = getattr(tandem, name)
        if name != "__version__":
            assert inspect.getdoc(thing), name
            assert name in known or thing.__module__.startswith("tandem"), name
    names = {node.id for node in ast.walk(stub) if isinstance(node, ast.Name)}
    defined = {alias.asname or alias.name for node in stub.body if hasattr(node, "names") for alias in node.names}
    assert names - known - defined <= {"int", "str", "bool", "float", "list", "dict", "tuple", "Index", "property"}


def test_errors_are_kinds_of_pythons():
    for error, kind in [
        (tandem.InvalidArgument, ValueError),
        (tandem.Unavailable, Exception),
        (tandem.OutOfMemory, MemoryError),
        (tandem.DeviceError, Exception),
        (tandem.BadFile, OSError),
        (tandem.SingularSystem, ArithmeticError),
    ]:
        assert issubclass(error, tandem.Error) and issubclass(error, kind) and error.__module__ == "tandem"


@pytest.mark.parametrize(
    "operation, n, options",
    [
        ("reduce", 5000, {"dtype": "int8", "op": "maximum"}),
        ("scan", 5000, {"dtype": "int64", "op": "multiplies"}),
        ("transform", 5000, {"op": "dot2"}),
        ("transpose", 70, {}),
        ("gemm", 70, {"dtype": "float64"}),
        ("tridiagonal", 5000, {}),
        ("intersect", 5000, {}),
        ("select", 5000, {"dtype": "int32"}),
        ("segmented_reduce", 5000, {}),
        ("segmented_scan", 5000, {}),
        ("reduce_by_key", 5000, {}),
        ("histogram", 5000, {}),
        ("histogram", 5000, {"dtype": "uint8"}),
        ("random", 5000, {}),
        ("random", 5000, {"dtype": "uint64"}),
        ("sort", 5000, {}),
        ("top_k", 5000, {}),
        ("fft", 5000, {}),
        ("real_fft", 5000, {}),
        ("fft_nd", 5000, {"dtype": "float64"}),
        ("real_fft_nd", 5000, {}),
        ("convolve", 5000, {}),
        ("spmv", 5000, {"dtype": "float64"}),
        ("spmm", 5000, {}),
        ("sptrsv", 5000, {}),
    ],
)
def test_compare(operation, n, options):
    rows = tandem.compare(operation, n, repetitions=2, **options)
    assert [row["implementation"] for row in rows] == [
        row["implementation"] for row in tandem.implementations(operation + "/")
    ]
    timed = [row for row in rows if row["seconds"] is not None]
    assert len(timed) >= 2
    for row in rows:
        assert row["correct"] is not False, row
        assert (row["seconds"] is None) == (row["correct"] is None) == bool(row["reason"]), row
    assert all(row["seconds"] > 0 and row["rate"] > 0 and row["spread"] >= 0 for row in timed)
    assert str(rows).count("\n") >= len(timed)


def test_compare_sees_wrong_results(monkeypatch):
    def wrong(x, op, out, use):
        if "serial" not in use:
            out[...] = numpy.cumsum(x)
            out[7] += 1

    monkeypatch.setattr("tandem._tandem.scan", wrong)
    rows = tandem.compare("scan", 100, repetitions=1)
    assert not any(row["correct"] for row in rows) and "WRONG" in str(rows)
    assert all(row["seconds"] is None for row in rows)


def test_a_call_costs_less_than_3_microseconds():
    x = numpy.ones(1, "float32")
    # The least of many short samples: other programs only ever add.
    assert min(timeit.repeat(lambda: tandem.reduce(x), number=100, repeat=100)) / 100 < 3e-6


def test_the_example_prints_what_it_says():
    example = TREE / "python/examples/tour.py"
    expected = re.findall(r"^#> ?(.*)$", example.read_text(), re.M)
    result = subprocess.run([sys.executable, example], capture_output=True, text=True)
    assert result.stdout.splitlines() == expected, result.stderr
    assert len(expected) > 10
