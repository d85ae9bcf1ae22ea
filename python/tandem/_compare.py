"""compare(): every implementation of an operation on the same arrays, checked, then timed side by side."""

import random
import statistics
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any, Callable

import numpy

from . import _tandem as tandem
from ._errors import Error, InvalidArgument

_UFUNCS = {
    "plus": numpy.add,
    "multiplies": numpy.multiply,
    "minimum": numpy.minimum,
    "maximum": numpy.maximum,
    "logical_and": numpy.logical_and,
    "logical_or": numpy.logical_or,
}
_FUNCTIONS = {
    "negate": lambda x: -x,
    "square": lambda x: x * x,
    "plus": lambda x, y: x + y,
    "axpy": lambda x, y: 2 * x + y,
    "multiply_add": lambda x, y, w: x * y + w,
    "dot2": lambda x, y, w, v: x * y + w * v,
}


@dataclass
class _Problem:
    call: Callable[[str], Any]  # with the name of the implementation
    outputs: list
    right: Callable[[], bool]  # whether the last call gave what it should
    work: float  # bytes that must move, or floating-point operations
    unit: str


class _Maker:
    """Arrays of a problem. Elements are whole numbers so small that every sum of them is exact: results have
    no tolerance."""

    def __init__(self, dtype, to, seed):
        self.dtype = numpy.dtype(dtype)
        self.to = to or (lambda array: array)
        self.random = numpy.random.default_rng(seed)

    def values(self, *shape, signs=False):
        whole = self.random.integers(0, 2, shape) * 2 - 1 if signs else self.random.integers(-4, 5, shape)
        return whole.astype(self.dtype)

    def empty(self, shape, dtype=None):
        return self.to(numpy.zeros(shape, dtype or self.dtype))

    def equal(self, array, expected):
        return numpy.array_equal(_on_cpu(array), expected)


def _on_cpu(array):
    if hasattr(array, "get"):  # CuPy
        return array.get()
    if hasattr(array, "cpu"):  # PyTorch
        return array.cpu().numpy()
    return numpy.asarray(array)


def _accumulator(dtype):
    return {"float16": "float32", "int8": "int32", "uint8": "int32"}.get(dtype.name, dtype)


def _reduce(make, n, op):
    x = make.values(n, signs=op == "multiplies")
    accumulator = _accumulator(x.dtype)
    expected = _UFUNCS[op].reduce(x.astype(accumulator)).astype(accumulator)
    array, out = make.to(x), make.empty(1, accumulator)
    return _Problem(
        lambda use: tandem.reduce(array, op, out=out, use=use),
        [out],
        lambda: make.equal(out, [expected]),
        x.nbytes,
        "GB/s",
    )


def _scan(make, n, op):
    x = make.values(n, signs=op == "multiplies")
    expected = _UFUNCS[op].accumulate(x).astype(x.dtype)
    array, out = make.to(x), make.empty(n)
    return _Problem(
        lambda use: tandem.scan(array, op, out=out, use=use),
        [out],
        lambda: make.equal(out, expected),
        2 * x.nbytes,
        "GB/s",
    )


def _sort(make, n, op):
    x = make.values(n)
    array, out = make.to(x), make.empty(n)
    return _Problem(
        lambda use: tandem.sort(array, out=out, use=use),
        [out],
        lambda: make.equal(out, numpy.sort(x)),
        2 * x.nbytes,
        "GB/s",
    )


def _top_k(make, n, op):
    x = make.values(n)
    k = min(n, 64)
    array, out = make.to(x), make.empty(k)
    return _Problem(
        lambda use: tandem.top_k(array, k, out=out, use=use),
        [out],
        lambda: make.equal(out, numpy.sort(x)[::-1][:k]),
        x.nbytes,
        "GB/s",
    )


def _transform(make, n, op):
    function = _FUNCTIONS[op]
    inputs = [make.values(n) for _ in range(function.__code__.co_argcount)]
    expected = function(*inputs)
    arrays, out = [make.to(x) for x in inputs], make.empty(n)
    alpha = 2 if op == "axpy" else None
    return _Problem(
        lambda use: tandem.transform(op, *arrays, alpha=alpha, out=out, use=use),
        [out],
        lambda: make.equal(out, expected),
        (len(inputs) + 1) * expected.nbytes,
        "GB/s",
    )


def _transpose(make, n, op):
    x = make.values(n, n)
    array, out = make.to(x), make.empty((n, n))
    return _Problem(
        lambda use: tandem.transpose(array, out=out, use=use),
        [out],
        lambda: make.equal(out, x.T),
        2 * x.nbytes,
        "GB/s",
    )


def _gemm(make, n, op):
    a, b = make.values(n, n), make.values(n, n)
    expected = (a.astype("float64") @ b.astype("float64")).astype(a.dtype)
    left, right, out = make.to(a), make.to(b), make.empty((n, n))
    return _Problem(
        lambda use: tandem.gemm(left, right, out=out, use=use),
        [out],
        lambda: make.equal(out, expected),
        2 * n**3,
        "GFLOP/s",
    )


def _tridiagonal(make, n, op):
    rows = min(n, 256)
    shape = max(1, n // rows), rows
    lower, upper, rhs = make.values(*shape), make.values(*shape), make.values(*shape)
    diag = (10 + abs(make.values(*shape))).astype(make.dtype)
    arrays = [make.to(a) for a in (lower, diag, upper, rhs)]
    out = make.empty(shape)

    def right():  # the residual that the library promises (docs/promises.md)
        x = _on_cpu(out).astype("float64")
        product = diag * x
        product[:, 1:] += lower[:, 1:] * x[:, :-1]
        product[:, :-1] += upper[:, :-1] * x[:, 1:]
        norm = (abs(lower) + diag + abs(upper)).max() * abs(x).max()
        return bool(abs(rhs - product).max() <= 30 * numpy.finfo(make.dtype).eps * norm)

    return _Problem(
        lambda use: tandem.tridiagonal(*arrays, out=out, use=use), [out], right, 5 * rhs.nbytes, "GB/s"
    )


def _intersect(make, n, op):
    lists = [numpy.flatnonzero(make.random.random(max(4, n // 16)) < 0.5).astype("uint32") for _ in range(32)]
    starts = numpy.cumsum([0] + [len(ids) for ids in lists]).astype("uint64")
    index = tandem.Index(starts, numpy.concatenate(lists))
    queries = make.random.integers(0, len(lists), (64, 3))
    found = [numpy.intersect1d(numpy.intersect1d(lists[a], lists[b]), lists[c]) for a, b, c in queries]
    expected = numpy.cumsum([0] + [len(ids) for ids in found])
    offsets = make.empty(len(queries) + 1, "uint64")
    device = getattr(offsets, "device", "cpu")
    on_gpu = hasattr(offsets, "get") or "cuda" in str(device)
    index_of = getattr(device, "id", getattr(device, "index", None)) or 0
    batch = tandem.QueryBatch(index, queries.tolist(), device=f"cuda:{index_of}" if on_gpu else "cpu")
    ids = make.empty(batch.most, "uint32")

    def right():
        return make.equal(offsets, expected) and make.equal(ids[: expected[-1]], numpy.concatenate(found))

    work = 4 * sum(len(lists[term]) for query in queries for term in query)
    return _Problem(
        lambda use: tandem.intersect_into(batch, offsets, ids, use=use), [offsets, ids], right, work, "GB/s"
    )


def _select(make, n, op):
    x = make.values(n)
    expected = x[x > 0]
    array, out = make.to(x), make.empty(n)
    kept = []

    def call(use):
        kept[:] = [tandem.select(array, ">", 0, out=out, use=use)]

    def right():
        return make.equal(kept[0], expected) and make.equal(out[: len(expected)], expected)

    return _Problem(call, [out], right, x.nbytes + expected.nbytes, "GB/s")


def _segmented_reduce(make, n, op):
    rows = max(1, n // 32)
    x = make.values(32 * rows)
    array, out = make.to(x), make.empty(rows, _accumulator(x.dtype))
    expected = x.reshape(rows, 32).max(axis=1).astype(_accumulator(x.dtype))
    return _Problem(
        lambda use: tandem.segmented_reduce(array, None, "maximum", length=32, out=out, use=use),
        [out],
        lambda: make.equal(out, expected),
        x.nbytes + expected.nbytes,
        "GB/s",
    )


def _segmented_scan(make, n, op):
    rows = max(1, n // 32)
    x = make.values(32 * rows)
    array, out = make.to(x), make.empty(32 * rows)
    expected = numpy.maximum.accumulate(x.reshape(rows, 32), axis=1).reshape(-1)
    return _Problem(
        lambda use: tandem.segmented_scan(array, None, "maximum", length=32, out=out, use=use),
        [out],
        lambda: make.equal(out, expected),
        x.nbytes + expected.nbytes,
        "GB/s",
    )


def _reduce_by_key(make, n, op):
    runs = max(1, n // 8)
    x = make.values(8 * runs)
    keys = make.to(numpy.repeat(numpy.arange(runs, dtype="uint32"), 8))
    array, found, out = make.to(x), make.empty(8 * runs, "uint32"), make.empty(8 * runs)
    expected = x.reshape(runs, 8).max(axis=1)

    def right():
        return make.equal(out[:runs], expected) and make.equal(found[:runs], numpy.arange(runs, dtype="uint32"))

    return _Problem(
        lambda use: tandem.reduce_by_key(keys, array, "maximum", keys_out=found, out=out, use=use),
        [found, out],
        right,
        x.nbytes + expected.nbytes + 36 * runs,
        "GB/s",
    )


def _histogram(make, n, op):
    x = make.values(n)
    inside = x[(x >= -4) & (x < 4)].astype("int64")  # of unsigned elements those from 0 to 3
    lower = 0 if make.dtype.kind == "u" else -4
    array, out = make.to(x), make.empty(4 - lower, "int64")
    expected = numpy.bincount(inside - lower, minlength=4 - lower)
    return _Problem(
        lambda use: tandem.histogram(array, lower, 4, bins=4 - lower, out=out, use=use),
        [out],
        lambda: make.equal(out, expected),
        x.nbytes,
        "GB/s",
    )


def _random(make, n, op):
    out = make.empty(n)

    whole = 1 if make.dtype.kind == "f" else 2.0 ** (8 * make.dtype.itemsize)

    def right():  # libraries make other numbers of the same distribution
        x = _on_cpu(out).astype("float64") / whole
        return x.min() >= 0 and x.max() <= 1 and abs(x.mean() - 0.5) < 6 / (12 * n) ** 0.5

    return _Problem(lambda use: tandem.random(out, seed=1, use=use), [out], right, n * make.dtype.itemsize, "GB/s")


def _transform_of(operation, shape, numpys, real=False):
    """Of lines or grids: `shape` of n is that of an array, `numpys` the call for the last axes of one."""

    def problem(make, n, op):
        x = make.values(*shape(n))
        if not real:
            x = x + 1j * make.values(*shape(n))  # complex of the same precision
        expected = numpys(x)
        points = x[0].size
        array, out = make.to(x), make.empty(expected.shape, (1j * x[:0]).dtype)

        def right():  # the error of each that the library promises, and a little more (docs/promises.md)
            errors = numpy.linalg.norm((_on_cpu(out) - expected).reshape(len(x), -1), axis=1)
            norms = numpy.linalg.norm(expected.reshape(len(x), -1), axis=1)
            bound = 16 * (numpy.log2(points) + 2) * numpy.finfo(x.dtype).eps
            return bool((errors <= bound * norms).all())

        def call(use):
            operation(array, out=out, use=use)

        return _Problem(call, [out], right, x.nbytes + expected.nbytes, "GB/s")

    return problem


def _convolve(make, n, op):
    points = _lines(n)[1]
    spectrum = make.values(points) + 1j * make.values(points)
    on_place = make.to(spectrum)
    return _transform_of(
        lambda x, **options: tandem.convolve(x, on_place, **options),
        _lines,
        lambda x: numpy.fft.ifft(numpy.fft.fft(x) * spectrum),
    )(make, n, op)


def _lines(n):
    points = min(n, 256)
    return max(1, n // points), points


def _grids(n):
    side = min(n, 16)
    return max(1, n // side**2), side, side


def _sparse_product(product, *width):
    def problem(make, n, op):
        rows = max(1, n // 16)
        data, columns = make.values(rows * 16), make.random.integers(0, rows, rows * 16).astype("int32")
        x = make.values(rows, *width)
        expected = (data.reshape((rows, 16) + (1,) * (x.ndim - 1)) * x[columns.reshape(rows, 16)]).sum(axis=1)
        parts = make.to(data), make.to(columns), make.to(numpy.arange(rows + 1) * 16)
        matrix = tandem.CsrMatrix(parts, rows)
        factor, out = make.to(x), make.empty(x.shape)
        return _Problem(
            lambda use: product(matrix, factor, out=out, use=use),
            [out],
            lambda: make.equal(out, expected),
            data.nbytes + columns.nbytes + 8 * rows + 2 * x.nbytes,
            "GB/s",
        )

    return problem


def _sptrsv(make, n, op):
    """Each row needs up to 15 before it, and all of them have the same distances."""
    rows = max(1, n // 16)
    back = numpy.unique(make.random.integers(1, rows + 1, 15))[::-1]
    columns = numpy.arange(rows)[:, None] - numpy.append(back, 0)
    there = columns >= 0
    data, x = make.values(*columns.shape), make.values(rows)
    data[:, -1] = 2  # so that quotients are exact
    b = (data * there * x[columns]).sum(axis=1)
    starts = numpy.append(0, numpy.cumsum(there.sum(axis=1)))
    data, columns = data[there], columns[there].astype("int32")
    triangle = tandem.TriangularMatrix((make.to(data), make.to(columns), make.to(starts)))
    side, out = make.to(b), make.empty(rows)
    return _Problem(
        lambda use: tandem.sptrsv(triangle, side, out=out, use=use),
        [out],
        lambda: make.equal(out, x),
        data.nbytes + columns.nbytes + 8 * rows + 2 * x.nbytes,
        "GB/s",
    )


_PROBLEMS = {
    "reduce": _reduce,
    "scan": _scan,
    "sort": _sort,
    "top_k": _top_k,
    "transform": _transform,
    "transpose": _transpose,
    "gemm": _gemm,
    "tridiagonal": _tridiagonal,
    "intersect": _intersect,
    "select": _select,
    "segmented_reduce": _segmented_reduce,
    "segmented_scan": _segmented_scan,
    "reduce_by_key": _reduce_by_key,
    "histogram": _histogram,
    "random": _random,
    "fft": _transform_of(tandem.fft, _lines, numpy.fft.fft),
    "real_fft": _transform_of(tandem.real_fft, _lines, numpy.fft.rfft, real=True),
    "fft_nd": _transform_of(
        lambda x, **options: tandem.fft_nd(x, 2, **options), _grids, lambda x: numpy.fft.fftn(x, axes=(1, 2))
    ),
    "real_fft_nd": _transform_of(
        lambda x, **options: tandem.real_fft_nd(x, 2, **options), _grids, lambda x: numpy.fft.rfftn(x, axes=(1, 2)), real=True
    ),
    "convolve": _convolve,
    "spmv": _sparse_product(tandem.spmv),
    "spmm": _sparse_product(tandem.spmm, 32),
    "sptrsv": _sptrsv,
}


class Comparison(list):
    """The rows of compare(), dicts; printed as a table."""

    def __str__(self):
        lines = [("implementation", "correct", "time", "spread", "rate")]
        not_run = Counter()
        for row in self:
            if row["seconds"] is not None:
                time, rate = f"{row['seconds'] * 1e6:.1f} us", f"{row['rate']:.4g} {row['unit']}"
                lines.append((row["implementation"], "yes", time, f"{row['spread']:.0%}", rate))
            elif row["correct"] is False:
                lines.append((row["implementation"], "WRONG", "", "", ""))
            else:
                not_run[row["reason"]] += 1
        widths = [max(map(len, column)) for column in zip(*lines)]
        table = ["  ".join(map(str.ljust, line, widths)).rstrip() for line in lines]
        return "\n".join(table + [f"not run: {count}, {reason}" for reason, count in not_run.items()])


def _sampler(call, name, seconds):
    """A function that takes one sample: seconds per call, over as many calls as fill about `seconds`."""

    def sample(calls):
        tandem.synchronize()
        start = time.perf_counter()
        for _ in range(calls):
            call(name)
        tandem.synchronize()
        return (time.perf_counter() - start) / calls

    sample(1)
    calls = max(1, round(seconds / sample(1)))
    return lambda: sample(calls)


def compare(
    operation: str,
    n: int,
    *,
    dtype: Any = "float32",
    op: str = "plus",
    to: "Callable[[numpy.ndarray], Any] | None" = None,
    repetitions: int = 11,
    seed: int = 1,
) -> Comparison:
    """Checks and times every implementation of an operation on the same arrays, as Python calls it.

    operation    'reduce', 'scan', 'transform', 'transpose', 'gemm', 'tridiagonal', 'intersect', 'select',
                 'sort', 'top_k', 'histogram', 'segmented_reduce', 'segmented_scan', 'reduce_by_key', 'random', 'fft',
                 'real_fft', 'fft_nd', 'real_fft_nd', 'convolve', 'spmv', 'spmm' or 'sptrsv'
    n            elements (segments have 32, runs 8, lines of fft, real_fft and convolve 256, grids of fft_nd and real_fft_nd 16 by 16, rows of sparse matrices 16 or, of sptrsv, up to that, and B of spmm 32 columns); rows and columns of the matrices of transpose and gemm; unknowns, in systems of
                 256; about as many ids as 32 lists have together
    dtype        of the elements; of the real parts of fft, fft_nd and convolve
    op           of reduce and scan, or the function of transform
    to           brings a NumPy array to where calls compute, such as cupy.asarray; unless given they stay
                 on the CPU
    repetitions  of each implementation, in shuffled order, about 10 ms each

    Returns a list of dicts, which prints as a table: implementation, place, correct (None: not run),
    seconds (median of a call, the call from Python included), spread (interquartile range / median), rate
    and unit, reason (why not run). Calls are back to back, so arrays that fit in a cache are found there.
    A wrong result has no time. Values are whole numbers whose sums are exact, so results must be equal to
    NumPy's; solutions of tridiagonal systems must have a small residual, transforms a small error.

    Raises InvalidArgument (unknown operation or op, n below 1; what no implementation takes).
    """
    if operation not in _PROBLEMS:
        raise InvalidArgument(f"compare: operation is {operation!r}; it must be one of {', '.join(_PROBLEMS)}")
    if n < 1 or repetitions < 1:
        raise InvalidArgument(f"compare: n is {n} and repetitions {repetitions}; both must be at least 1")
    ops = {"reduce": _UFUNCS, "scan": _UFUNCS, "transform": _FUNCTIONS}.get(operation)
    if ops and op not in ops:
        raise InvalidArgument(f"compare: op is {op!r}; it must be one of {', '.join(ops)}")
    problem = _PROBLEMS[operation](_Maker(dtype, to, seed), n, op)
    rows, samplers = Comparison(), []
    for listed in tandem.implementations(operation + "/"):
        name = listed["implementation"]
        row = {key: listed[key] for key in ("implementation", "place", "reason")}
        row.update(correct=None, seconds=None, spread=None, rate=None, unit=problem.unit)
        rows.append(row)
        if not listed["available"]:
            continue
        for output in problem.outputs:
            output[...] = 77  # so that what is never written shows
        try:
            problem.call(name)
            tandem.synchronize()
            row["correct"] = problem.right()
        except Error as error:
            row["reason"] = str(error)
            continue
        if row["correct"]:
            samplers.append((row, _sampler(problem.call, name, 0.01)))
    if all(row["correct"] is None for row in rows):
        raise InvalidArgument(f"compare: no implementation runs; the first says: {rows[0]['reason']}")
    samples = {id(row): [] for row, _ in samplers}
    order = samplers * repetitions
    random.Random(seed).shuffle(order)
    for row, sample in order:
        samples[id(row)].append(sample())
    for row, _ in samplers:
        times = samples[id(row)]
        row["seconds"] = statistics.median(times)
        quartiles = statistics.quantiles(times, n=4) if len(times) > 1 else [row["seconds"]] * 3
        row["spread"] = (quartiles[2] - quartiles[0]) / row["seconds"]
        row["rate"] = problem.work / row["seconds"] * 1e-9
    return rows
