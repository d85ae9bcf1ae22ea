"""Every operation against NumPy: types, orders, layouts, `out`, and names of implementations."""

import concurrent.futures
import math
import multiprocessing
import sys

import numpy
import pytest
import tandem

FLOATS = ["float32", "float64"]
NUMBERS = FLOATS + ["int32", "int64"]
ELEMENTS = NUMBERS + ["float16", "int8", "uint8", "uint32", "uint64"]
UFUNCS = {
    "plus": numpy.add,
    "multiplies": numpy.multiply,
    "minimum": numpy.minimum,
    "maximum": numpy.maximum,
    "logical_and": numpy.logical_and,
    "logical_or": numpy.logical_or,
}


def values(*shape, dtype="float32", seed=1):
    return numpy.random.default_rng(seed).integers(-3, 4, shape).astype(dtype)


@pytest.mark.parametrize("op", UFUNCS)
@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("n", [1, 7, 1000])
def test_reduce_and_scan_are_those_of_numpy(op, dtype, n):
    x = values(n, dtype=dtype)
    if op == "multiplies":
        x = numpy.where(x < 0, -1, 1).astype(dtype)
    assert tandem.reduce(x, op) == UFUNCS[op].reduce(x)
    expected = UFUNCS[op].accumulate(x).astype(dtype)
    result = tandem.scan(x, op)
    assert type(result) is numpy.ndarray and result.dtype == x.dtype
    numpy.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("dtype, kind", [("float16", float), ("int8", int), ("uint8", int), ("float32", float), ("int64", int), ("uint64", int)])
def test_reduce_accumulates_small_types_in_larger_ones(dtype, kind):
    x = numpy.full(1000, 100, dtype)
    total = tandem.reduce(x)
    assert total == 100_000 and type(total) is kind
    accumulator = {"float16": "float32", "int8": "int32", "uint8": "int32"}.get(dtype, dtype)
    for shape in [(1,), (), (1, 1)]:
        out = numpy.zeros(shape, accumulator)
        assert tandem.reduce(x, out=out) is out
        assert out.item() == 100_000


@pytest.mark.parametrize("dtype", ["float16", "int8", "uint8", "uint32", "uint64"])
def test_scan_gives_the_type_of_its_elements(dtype):
    x = numpy.full(5000, 3, dtype)
    result = tandem.scan(x)
    assert result.dtype == x.dtype
    numpy.testing.assert_array_equal(result, numpy.cumsum(x, dtype="float64" if dtype == "float16" else x.dtype).astype(dtype))
    assert tandem.scan(x, "minimum", exclusive=True)[0] == (numpy.inf if dtype == "float16" else numpy.iinfo(dtype).max)


def test_portable_sums_are_exact():
    x = numpy.random.default_rng(3).normal(size=10_001) * 10.0 ** numpy.linspace(-250, 250, 10_001)
    assert tandem.reduce(x, portable=True) == math.fsum(x)
    assert tandem.reduce(x[::-1].copy(), portable=True) == math.fsum(x)
    small = numpy.float32([1, 2**-24, 2**-149])
    assert tandem.reduce(small, portable=True) == 1 + 2**-23
    assert tandem.reduce(numpy.int32([1, 2]), portable=True) == 3
    with pytest.raises(tandem.Unavailable, match="its order of additions is its own"):
        tandem.reduce(small, portable=True, use="custom/serial")


def test_reduce_takes_any_shape_without_gaps():
    x = values(4, 5, 6, dtype="int64")
    assert tandem.reduce(x) == x.sum() == tandem.reduce(x.T) == tandem.reduce(x.reshape(-1))
    assert tandem.reduce(numpy.float64(3.5) * numpy.ones(())) == 3.5
    assert tandem.reduce(numpy.zeros((3, 0))) == 0
    assert tandem.reduce(numpy.zeros(0), "minimum") == numpy.inf


def test_scan_forms():
    x = numpy.array([3, 1, 4, 1, 5], "int32")
    numpy.testing.assert_array_equal(tandem.scan(x, exclusive=True), [0, 3, 4, 8, 9])
    numpy.testing.assert_array_equal(tandem.scan(x, init=10), [13, 14, 18, 19, 24])
    numpy.testing.assert_array_equal(tandem.scan(x, "maximum", exclusive=True, init=2), [2, 3, 3, 4, 4])
    numpy.testing.assert_array_equal(tandem.scan(x.astype("float64"), init=numpy.float32(0.5))[:1], [3.5])
    assert tandem.scan(x, out=x) is x
    numpy.testing.assert_array_equal(x, [3, 4, 8, 9, 14])
    assert tandem.scan(x[:0]).shape == (0,)


COMPARISONS = {"<": numpy.less, "<=": numpy.less_equal, ">": numpy.greater, ">=": numpy.greater_equal, "==": numpy.equal,
               "!=": numpy.not_equal}


@pytest.mark.parametrize("dtype", ELEMENTS)
@pytest.mark.parametrize("comparison", COMPARISONS)
def test_selections_are_those_of_numpy(dtype, comparison):
    x = values(5000, dtype=dtype)
    kept = COMPARISONS[comparison](x, 1)
    numpy.testing.assert_array_equal(tandem.select(x, comparison, 1), x[kept])
    for flags in (kept, 3 * kept.astype("uint8")):
        numpy.testing.assert_array_equal(tandem.select_flagged(x, flags), x[kept])
    both, count = tandem.partition(x, comparison, 1)
    assert count == kept.sum()
    numpy.testing.assert_array_equal(both, numpy.concatenate([x[kept], x[~kept]]))
    numpy.testing.assert_array_equal(tandem.unique(x), x[numpy.insert(x[1:] != x[:-1], 0, True)])


REDUCTIONS = {"plus": numpy.add, "minimum": numpy.minimum, "maximum": numpy.maximum}


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("op", REDUCTIONS)
def test_segments_are_reduced_as_by_numpy(dtype, op):
    x = values(6000, dtype=dtype)
    offsets = numpy.array([3, 4, 100, 5000, 5999])
    expected = [REDUCTIONS[op].reduce(x[a:b]) for a, b in zip(offsets[:-1], offsets[1:])]
    numpy.testing.assert_array_equal(tandem.segmented_reduce(x, offsets, op), expected)
    m = x.reshape(60, 100)
    numpy.testing.assert_array_equal(tandem.segmented_reduce(x, op=op, length=100), REDUCTIONS[op].reduce(m, axis=1))
    for axis in (0, 1, -1, -2):
        for matrix in (m, m.T, m[:, :70], m[3:9].T):
            out = numpy.empty(numpy.delete(matrix.shape, axis), dtype)
            assert tandem.reduce_axis(matrix, axis, op, out=out) is out
            numpy.testing.assert_array_equal(out, REDUCTIONS[op].reduce(matrix, axis=axis))


@pytest.mark.parametrize("dtype", ["float16", "int8", "uint8", "uint32", "uint64"])
@pytest.mark.parametrize("op", REDUCTIONS)
def test_segments_of_other_types_are_reduced_in_their_accumulators(dtype, op):
    x = numpy.random.default_rng(7).integers(0, 120, 6000).astype(dtype)
    wide = {"float16": "float32", "int8": "int32", "uint8": "int32"}.get(dtype, dtype)
    m = x.reshape(60, 100)
    offsets = numpy.array([3, 4, 100, 5000, 5999])
    expected = [REDUCTIONS[op].reduce(x[a:b].astype(wide)) for a, b in zip(offsets[:-1], offsets[1:])]
    for result, wanted in [
        (tandem.segmented_reduce(x, offsets, op), expected),
        (tandem.segmented_reduce(x, op=op, length=100), REDUCTIONS[op].reduce(m.astype(wide), axis=1)),
        (tandem.reduce_axis(m, 1, op), REDUCTIONS[op].reduce(m.astype(wide), axis=1)),
        (tandem.reduce_axis(m, 0, op), REDUCTIONS[op].reduce(m.astype(wide), axis=0)),
    ]:
        assert result.dtype == wide
        numpy.testing.assert_array_equal(result, wanted)
    out = numpy.empty(60, wide)
    assert tandem.segmented_reduce(x, op=op, length=100, out=out) is out
    numpy.testing.assert_array_equal(out, REDUCTIONS[op].reduce(m.astype(wide), axis=1))


def begun_with(init, op, x):
    """The exclusive scan of one segment."""
    return REDUCTIONS[op].accumulate(numpy.concatenate([[init], x]).astype(x.dtype))[: x.size]


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("op", REDUCTIONS)
def test_segments_are_scanned_and_runs_reduced_as_by_numpy(dtype, op):
    x = values(6000, dtype=dtype)
    offsets = numpy.array([0, 0, 4, 100, 5000, 6000])
    bounds = list(zip(offsets[:-1], offsets[1:]))
    parts = [REDUCTIONS[op].accumulate(x[a:b]) for a, b in bounds]
    expected = numpy.concatenate(parts)
    numpy.testing.assert_array_equal(tandem.segmented_scan(x, offsets, op), expected)
    keys = numpy.repeat(numpy.arange(5) % 2, numpy.diff(offsets))
    for key_type in ("uint32", "int32", "uint64", "int64", "float32", "float64"):
        of_runs = keys.astype(key_type)
        numpy.testing.assert_array_equal(tandem.scan_by_key(of_runs, x, op), expected)
        exclusive = tandem.scan_by_key(of_runs, x, op, exclusive=True)
        numpy.testing.assert_array_equal(exclusive[1:4], expected[:3])
        begun = tandem.scan_by_key(of_runs, x, op, exclusive=True, init=2)
        numpy.testing.assert_array_equal(begun, numpy.concatenate([begun_with(2, op, x[a:b]) for a, b in bounds]))
        found, reduced = tandem.reduce_by_key(of_runs, x, op)
        numpy.testing.assert_array_equal(found, of_runs[offsets[1:-1]])
        numpy.testing.assert_array_equal(reduced, [part[-1] for part in parts if part.size])
    equal = REDUCTIONS[op].accumulate(x.reshape(60, 100), axis=1).reshape(-1)
    numpy.testing.assert_array_equal(tandem.segmented_scan(x, op=op, length=100), equal)
    out = x.copy()
    assert tandem.segmented_scan(out, op=op, length=100, out=out) is out
    numpy.testing.assert_array_equal(out, equal)
    begun = tandem.segmented_scan(x, op=op, length=100, exclusive=True, init=2)
    numpy.testing.assert_array_equal(begun, numpy.concatenate([begun_with(2, op, row) for row in x.reshape(60, 100)]))
    assert [part.shape for part in tandem.reduce_by_key(keys[:0].astype("uint32"), x[:0])] == [(0,), (0,)]


@pytest.mark.parametrize("dtype", ["float16", "int8", "uint8", "uint32", "uint64"])
@pytest.mark.parametrize("op", REDUCTIONS)
def test_segments_of_other_types_are_scanned_and_runs_reduced(dtype, op):
    x = numpy.random.default_rng(5).integers(0, 100, 6000).astype(dtype)
    wide = {"float16": "float32", "int8": "int32", "uint8": "int32"}.get(dtype, dtype)
    accumulated = REDUCTIONS[op].accumulate(x.reshape(60, 100).astype(wide), axis=1)
    keys = numpy.repeat(numpy.arange(60, dtype="uint32"), 100)
    for scanned in (tandem.segmented_scan(x, op=op, length=100), tandem.scan_by_key(keys, x, op)):
        assert scanned.dtype == x.dtype
        numpy.testing.assert_array_equal(scanned, accumulated.reshape(-1).astype(dtype))
    found, reduced = tandem.reduce_by_key(keys, x, op)
    assert reduced.dtype == wide
    numpy.testing.assert_array_equal(found, numpy.arange(60))
    numpy.testing.assert_array_equal(reduced, accumulated[:, -1])
    out = numpy.zeros(6000, wide)
    tandem.reduce_by_key(keys, x, op, out=out)
    numpy.testing.assert_array_equal(out[:60], reduced)


def test_segments_of_nothing():
    x = numpy.zeros(0)
    assert tandem.segmented_reduce(x, numpy.array([0])).shape == tandem.segmented_reduce(x, length=3).shape == (0,)
    numpy.testing.assert_array_equal(tandem.segmented_reduce(x, numpy.zeros(3, "int64"), "minimum"), [numpy.inf] * 2)


def test_selections_at_the_ends_of_types():
    for dtype in ("int8", "uint8", "int32", "uint32", "int64", "uint64"):
        limits = numpy.iinfo(dtype)
        x = numpy.array([limits.max, limits.min, 1, limits.max], dtype)
        for limit in (limits.min, limits.max):
            for comparison, of in COMPARISONS.items():
                numpy.testing.assert_array_equal(tandem.select(x, comparison, limit), x[of(x, x.dtype.type(limit))])
    x = numpy.array([numpy.inf, -0.0, numpy.nan, 6e-8, -6e-8, 65504], "float16")
    for limit in (0.0, 6e-8, numpy.inf, numpy.nan):
        for comparison, of in COMPARISONS.items():
            numpy.testing.assert_array_equal(tandem.select(x, comparison, limit), x[of(x, numpy.float16(limit))])


def test_selections_in_place_and_of_nothing():
    x = numpy.array([5, 1, 5, 2], "float32")
    assert tandem.select(x[:0], "<", 1).shape == tandem.unique(x[:0]).shape == (0,)
    numpy.testing.assert_array_equal(tandem.select(x, ">", 1, out=x), [5, 5, 2])
    numpy.testing.assert_array_equal(x, [5, 5, 2, 2])
    numpy.testing.assert_array_equal(tandem.select_flagged(x, numpy.array([0, 1, 0, 255], "uint8"), out=x), [5, 2])
    assert tandem.select_flagged(x[:0], numpy.zeros(0, bool)).shape == (0,)
    numpy.testing.assert_array_equal(tandem.unique(x, use="custom/serial"), [5, 2])


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint32", "uint8"])
@pytest.mark.parametrize("order", "CF")
def test_histograms_are_those_of_numpy(dtype, order):
    x = numpy.asarray(numpy.random.default_rng(1).integers(0, 100, (70, 90)), dtype, order=order)
    expected, _ = numpy.histogram(x[(x >= 10) & (x < 90)], bins=8, range=(10, 90))
    counts = tandem.histogram(x, 10, 90, bins=8)
    assert counts.dtype == "int64"
    numpy.testing.assert_array_equal(counts, expected)
    assert tandem.histogram(x, 10, 90, bins=8, out=counts, use="custom/serial") is counts
    numpy.testing.assert_array_equal(counts, expected)
    assert tandem.histogram(x[:0], 0, 1).tolist() == [0] * 256


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint32", "uint8"])
@pytest.mark.parametrize("order", "CF")
def test_histograms_between_edges_are_those_of_numpy(dtype, order):
    x = numpy.asarray(numpy.random.default_rng(2).integers(0, 100, (70, 90)), dtype, order=order)
    of_edges = dtype if dtype.startswith("float") else "int64"
    for limits in ([0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 101], [-5, 50], [20, 20.5, 21] if of_edges != "int64" else [20, 21, 22]):
        edges = numpy.array(limits, of_edges)
        expected, _ = numpy.histogram(x[x < edges[-1]], bins=edges)  # NumPy's last bin holds its upper edge
        counts = tandem.histogram(x, edges=edges)
        assert counts.dtype == "int64"
        numpy.testing.assert_array_equal(counts, expected)
    assert tandem.histogram(x, edges=edges, out=counts, use="custom/serial") is counts
    numpy.testing.assert_array_equal(counts, expected)
    assert tandem.histogram(x[:0], edges=edges).tolist() == [0, 0]


def test_histograms_between_special_and_many_edges():
    x = numpy.array([numpy.nan, -numpy.inf, -1, -0.0, 0, 1, numpy.inf], "float32")
    edges = numpy.array([-numpy.inf, 0, 1, numpy.inf], "float32")
    assert tandem.histogram(x, edges=edges).tolist() == [2, 2, 1]
    x = numpy.arange(1000).astype("uint8")
    edges = numpy.array([-(2**40), 0, 256, 2**40])  # which no byte can be
    assert tandem.histogram(x, edges=edges).tolist() == [0, 1000, 0]
    x = numpy.random.default_rng(3).integers(0, 65536, 100_000, "int32")
    numpy.testing.assert_array_equal(
        tandem.histogram(x, edges=numpy.arange(65537)), numpy.bincount(x, minlength=65536)
    )


@pytest.mark.parametrize("dtype", ["float32", "float64", "uint32", "uint64"])
@pytest.mark.parametrize("order", "CF")
def test_random_numbers_go_on_where_others_end(dtype, order):
    whole = tandem.random(numpy.empty(5000, dtype), seed=7, offset=3)
    x = numpy.empty((70, 50), dtype, order=order)
    assert tandem.random(x, seed=7, offset=3, use="custom/serial") is x
    numpy.testing.assert_array_equal(x.ravel(order="K"), whole[:3500])
    numpy.testing.assert_array_equal(tandem.random(numpy.empty(1500, dtype), seed=7, offset=3503), whole[3500:])
    assert (tandem.random(x, seed=8).ravel(order="K") != whole[:3500]).mean() > 0.99


def test_random_numbers_of_each_distribution():
    words = tandem.random(numpy.empty(1000, "uint32"), seed=1)
    numpy.testing.assert_array_equal(tandem.random(numpy.empty(1000, "float32"), seed=1), (words >> 8) / 2.0**24)
    x = tandem.random(numpy.empty(100000), "normal", mean=3, deviation=2, seed=1)
    assert abs(x.mean() - 3) < 0.03 and abs(x.std() - 2) < 0.03
    assert abs(numpy.log(tandem.random(x, "log-normal", mean=3)).mean() - 3) < 0.02
    assert abs(tandem.random(numpy.empty(100000, "uint64"), "poisson", mean=200).mean() - 200) < 0.3
    assert tandem.random(x, low=-2, high=-1).max() < -1
    points = tandem.random(numpy.empty((8, 3)), generator="sobol", dimensions=3)
    numpy.testing.assert_array_equal(points[1:4], [[0.5, 0.5, 0.5], [0.75, 0.25, 0.25], [0.25, 0.75, 0.75]])


def test_histogram_of_bytes():
    x = numpy.arange(1000).astype("uint8")
    numpy.testing.assert_array_equal(tandem.histogram(x, 0, 256), numpy.bincount(x, minlength=256))


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("shape", [(9,), (3, 4), ()])
def test_transform_functions(dtype, shape):
    x, y, w, v = (values(*shape, dtype=dtype, seed=seed) for seed in range(4))
    expected = {
        "negate": (-x, x),
        "square": (x * x, x),
        "plus": (x + y, x, y),
        "multiply_add": (x * y + w, x, y, w),
        "dot2": (x * y + w * v, x, y, w, v),
    }
    for f, (result, *inputs) in expected.items():
        numpy.testing.assert_array_equal(tandem.transform(f, *inputs), result, f)
    numpy.testing.assert_array_equal(tandem.transform("axpy", x, y, alpha=3), 3 * x + y)
    expected = x + y
    assert tandem.transform("plus", x, y, out=x) is x
    numpy.testing.assert_array_equal(x, expected)


KEYS = ["float32", "float64", "float16", "int32", "int64", "uint32", "uint64", "int8", "uint8"]


@pytest.mark.parametrize("dtype", KEYS)
def test_sort(dtype):
    x = (values(1000).astype("int64") % 50).astype(dtype)
    numpy.testing.assert_array_equal(tandem.sort(x), numpy.sort(x))
    numpy.testing.assert_array_equal(tandem.sort(x, descending=True), numpy.sort(x)[::-1])
    places = numpy.arange(1000, dtype="float64")
    keys, moved = tandem.sort(x, places)
    numpy.testing.assert_array_equal(keys, numpy.sort(x))
    numpy.testing.assert_array_equal(moved, numpy.argsort(x, kind="stable"))
    assert tandem.sort(x, out=x) is x
    numpy.testing.assert_array_equal(x, keys)


def codes(x):
    """Unsigned numbers in the order of the keys, by what help(tandem.sort) says of them."""
    bits = 8 * x.itemsize
    word = numpy.dtype(f"uint{bits}")
    top = word.type(1 << (bits - 1))
    if x.dtype.kind == "u":
        return x
    if x.dtype.kind == "i":
        return x.view(word) ^ top
    raw = numpy.where(numpy.abs(x) == 0, x.dtype.type(0), x).view(word)  # -0 becomes 0
    return numpy.where(numpy.isnan(x), ~word.type(0), numpy.where(raw & top, ~raw, raw ^ top))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "uint32", "uint64"])
@pytest.mark.parametrize("begin", [0, 3, 20])
@pytest.mark.parametrize("end", [3, 20, 29, None])
def test_sort_by_a_range_of_bits(dtype, begin, end):
    x = numpy.random.default_rng(4).integers(0, 2**32, 3000, "uint32").astype("uint64") * 0x100000001
    x = x.view(dtype)[:3000] if dtype.endswith("64") else x.astype("uint32").view(dtype)
    if dtype.startswith("float"):
        x[:6] = [0, -0.0, numpy.nan, -numpy.nan, numpy.inf, -numpy.inf]
    bits = 8 * x.itemsize
    if end is not None and begin > end:
        with pytest.raises(tandem.InvalidArgument, match=f"sort: begin_bit is {begin}; it must be from 0 to {end}, the end"):
            tandem.sort(x, begin_bit=begin, end_bit=end)
        return
    width = (bits if end is None else end) - begin
    code = codes(x)
    code = (code >> code.dtype.type(begin)) & code.dtype.type(2**width - 1)
    places = numpy.arange(3000)
    for descending in (False, True):
        order = numpy.argsort(~code if descending else code, kind="stable")
        for use in ("", "custom/serial"):
            keys, moved = tandem.sort(x, places, descending=descending, begin_bit=begin, end_bit=end, use=use)
            numpy.testing.assert_array_equal(moved, order)
            assert keys.tobytes() == x[order].tobytes()
    out = numpy.empty_like(x)
    assert tandem.sort(x, begin_bit=begin, end_bit=end, out=out) is out
    assert out.tobytes() == x[numpy.argsort(code, kind="stable")].tobytes()


def test_sort_puts_nans_last():
    x = numpy.array([numpy.nan, 2, -numpy.inf, 1, -numpy.nan], dtype="float32")
    numpy.testing.assert_array_equal(tandem.sort(x), numpy.sort(x))


@pytest.mark.parametrize("dtype", ["float16", "int8", "uint8"])
def test_all_keys_of_few_bits_in_the_order_of_their_codes(dtype):
    x = numpy.arange(2**16, dtype="uint16").view(numpy.uint8)[:: 2 if dtype != "float16" else 1].copy().view(dtype)
    numpy.random.default_rng(5).shuffle(x)
    for descending in (False, True):
        order = numpy.argsort(~codes(x) if descending else codes(x), kind="stable")
        keys, moved = tandem.sort(x, numpy.arange(x.size), descending=descending)
        numpy.testing.assert_array_equal(moved, order)
        assert keys.tobytes() == x[order].tobytes()
        keys, positions = tandem.top_k(x, 700, ascending=not descending)
        numpy.testing.assert_array_equal(positions, order[:700])


@pytest.mark.parametrize("dtype", KEYS)
def test_top_k(dtype):
    x = (values(1000).astype("int64") % 50).astype(dtype)
    keys, positions = tandem.top_k(x, 100)
    numpy.testing.assert_array_equal(keys, numpy.sort(x)[::-1][:100])
    ranks = x.astype("int64")
    numpy.testing.assert_array_equal(positions, numpy.argsort(-ranks, kind="stable")[:100])
    keys, positions = tandem.top_k(x, 7, ascending=True)
    numpy.testing.assert_array_equal(positions, numpy.argsort(ranks, kind="stable")[:7])
    out = numpy.empty(3, dtype=dtype)
    assert tandem.top_k(x, 3, out=out)[0] is out
    numpy.testing.assert_array_equal(out, numpy.sort(x)[::-1][:3])
    assert tandem.top_k(x, 0)[1].size == 0


def test_top_k_takes_nans_first():
    keys, positions = tandem.top_k(numpy.array([1, numpy.nan, 3], dtype="float32"), 2)
    assert numpy.isnan(keys[0]) and keys[1] == 3 and list(positions) == [1, 2]


def test_transform_keeps_the_order_of_its_inputs():
    x, y = values(3, 5).T, values(3, 5, seed=2).T
    result = tandem.transform("plus", x, y)
    assert result.flags.f_contiguous and not result.flags.c_contiguous
    numpy.testing.assert_array_equal(result, x + y)


@pytest.mark.parametrize("dtype", NUMBERS + ["float16", "uint8", "bool", "int16", "uint32", "uint64", "complex64"])
def test_transpose_in_every_layout(dtype):
    wide = values(40, 60, dtype=dtype)
    for x in [wide, wide.T, wide[3:20, 5:30], wide[3:20, 5:30].T, wide[:, :1], wide[:1], wide[:0], wide[::2]]:
        numpy.testing.assert_array_equal(tandem.transpose(x), x.T)
    assert tandem.transpose(wide.T).flags.f_contiguous
    out = numpy.zeros((100, 100), dtype)
    tandem.transpose(wide, out=out[10:70, 20:60])
    numpy.testing.assert_array_equal(out[10:70, 20:60], wide.T)
    assert numpy.count_nonzero(out) == numpy.count_nonzero(wide)
    square = wide[:40, :40].copy()
    expected = square.T.copy()
    assert tandem.transpose(square, out=square) is square
    numpy.testing.assert_array_equal(square, expected)


@pytest.mark.parametrize("dtype", FLOATS)
def test_gemm_in_every_layout(dtype):
    a, b = values(30, 50, dtype=dtype), values(50, 40, dtype=dtype, seed=2)
    for left in [a, numpy.asfortranarray(a), a[2:9], a[:, 4:8], a[3:4], a[:, :1]]:
        k = left.shape[1]
        for right in [b[:k], numpy.asfortranarray(b)[:k], b[:k, 2:9], b[:k, :1]]:
            numpy.testing.assert_array_equal(tandem.gemm(left, right), left @ right)
    for c in [values(30, 40, dtype=dtype, seed=3), values(40, 30, dtype=dtype, seed=3).T]:
        expected = 2 * (a @ b) - 3 * c
        assert tandem.gemm(a, b, out=c, alpha=2, beta=-3) is c
        numpy.testing.assert_array_equal(c, expected)


def residual(lower, diag, upper, rhs, x, axis):
    lower, diag, upper, rhs, x = (numpy.moveaxis(a.astype("float64"), axis, 0) for a in (lower, diag, upper, rhs, x))
    product = diag * x
    product[1:] += lower[1:] * x[:-1]
    product[:-1] += upper[:-1] * x[1:]
    return abs(product - rhs).max()


@pytest.mark.parametrize("dtype, tolerance", [("float32", 1e-4), ("float64", 1e-12)])
@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3])
@pytest.mark.parametrize("order", ["C", "F"])
def test_tridiagonal_along_every_axis(dtype, tolerance, axis, order):
    shape = 4, 5, 6
    lower, upper, rhs = (numpy.asarray(values(*shape, dtype=dtype, seed=seed), order=order) for seed in range(3))
    diag = numpy.full_like(rhs, 9)
    for pivot in (False, True):
        x = tandem.tridiagonal(lower, diag, upper, rhs, axis=axis, pivot=pivot)
        assert x.flags.c_contiguous == (order == "C")
        assert residual(lower, diag, upper, rhs, x, axis) < tolerance
    one = values(shape[axis], dtype=dtype)
    shared = [numpy.moveaxis(numpy.broadcast_to(a, (*shape[:axis % 3], *shape[axis % 3 + 1:], shape[axis])), -1, axis)
              for a in (one, one + 9, one)]
    before = rhs.copy()
    assert tandem.tridiagonal(one, one + 9, one, rhs, axis=axis, out=rhs) is rhs
    assert residual(*shared, before, rhs, axis) < tolerance


def test_tridiagonal_systems_of_different_lengths():
    offsets = numpy.array([0, 1, 4, 9], "int64")
    lower, upper, rhs = (values(9, dtype="float64", seed=seed) for seed in range(3))
    diag = numpy.full(9, 8.0)
    x = tandem.tridiagonal(lower, diag, upper, rhs, offsets=offsets)
    for begin, end in zip(offsets, offsets[1:]):
        part = slice(begin, end)
        assert residual(lower[part], diag[part], upper[part], rhs[part], x[part], 0) < 1e-12


def test_a_singular_system_is_named():
    ones = numpy.ones((3, 4))
    diag = 5 * ones
    diag[1, 0] = 0
    with pytest.raises(tandem.SingularSystem, match="system 1 .* row 0") as caught:
        tandem.tridiagonal(ones, diag, ones, ones)
    assert (caught.value.system, caught.value.row) == (1, 0)
    assert isinstance(caught.value, ArithmeticError)


def postings():
    lists = [[1, 3, 5, 7, 9], [3, 4, 5, 9], [], [0, 9]]
    starts = numpy.cumsum([0] + [len(ids) for ids in lists])
    return tandem.Index(starts.astype("uint64"), numpy.concatenate(lists).astype("uint32"))


def test_intersect():
    index = postings()
    assert (index.lists, index.ids) == (4, 11) and index.nbytes > 0
    queries = [[0, 1], [0, 1, 3], [0, 2], [], [3], [1, 1]]
    expected = [[3, 5, 9], [9], [], [], [0, 9], [3, 4, 5, 9]]
    in_arrays = tandem.Queries(
        numpy.cumsum([0] + [len(q) for q in queries]), numpy.concatenate(queries).astype("uint32")
    )
    assert len(in_arrays) == 6
    for lists in (index, index.pack()):
        for asked in (queries, in_arrays):
            offsets, ids = tandem.intersect(lists, asked)
            assert (offsets.dtype, ids.dtype) == ("uint64", "uint32")
            assert [list(ids[a:b]) for a, b in zip(offsets, offsets[1:])] == expected
            numpy.testing.assert_array_equal(tandem.intersect_count(lists, asked), [len(e) for e in expected])
        batch = tandem.QueryBatch(lists, queries)
        offsets, ids = numpy.zeros(batch.queries + 1, "uint64"), numpy.zeros(batch.most, "uint32")
        tandem.intersect_into(batch, offsets, ids)
        assert [list(ids[a:b]) for a, b in zip(offsets, offsets[1:])] == expected
        counts = numpy.zeros(batch.queries, "uint64")
        tandem.intersect_count_into(batch, counts)
        numpy.testing.assert_array_equal(counts, [len(e) for e in expected])


def test_implementations_by_name():
    x = values(1000)
    rows = tandem.implementations("scan/")
    assert {row["path"] for row in rows} == {"custom", "vendor"} and all(row["operation"] == "scan" for row in rows)
    assert all(row["available"] == (row["reason"] == "") for row in rows)
    for row in rows:
        name = row["implementation"]
        if row["place"] == "host" and row["available"]:
            numpy.testing.assert_array_equal(tandem.scan(x, use=name), numpy.cumsum(x), name)
            assert tandem.last() == (name, "asked for with .use")
        elif not row["available"]:
            with pytest.raises(tandem.Unavailable, match=name):
                tandem.scan(x, use=name)
    assert len(tandem.implementations()) > len(rows)


def test_threads_have_contexts_of_their_own():
    x = values(200_000)
    expected = numpy.cumsum(x)

    def scan(_):
        return numpy.array_equal(tandem.scan(x), expected)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(pool.map(scan, range(40)))
        assert list(pool.map(lambda _: tandem.synchronize(), range(4))) == [None] * 4


def last_of_scan(x):
    return tandem.scan(x)[-1]


def test_forked_processes_compute():
    x = numpy.ones(3_000_000, "float32")
    assert last_of_scan(x) == x.size  # threads have run
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(last_of_scan, [x, x]) == [x.size, x.size]


def test_nothing_is_kept():
    x, square = values(16), values(4, 4)

    def calls(count):
        for _ in range(count):
            tandem.reduce(x)
            tandem.scan(x)
            tandem.gemm(square, square.T)
            tandem.transpose(square)
            tandem.transform("axpy", x, x, alpha=2)
            tandem.intersect(index, [[0, 1]])
            for wrong in (square, [1], x.astype("complex64")):
                with pytest.raises(tandem.InvalidArgument):
                    tandem.scan(wrong)

    def resident():
        return int(open("/proc/self/statm").read().split()[1]) * 4096

    index = postings()
    calls(500)
    before, counts = resident(), [sys.getrefcount(thing) for thing in (x, square, index, x.dtype)]
    calls(5000)
    assert [sys.getrefcount(thing) for thing in (x, square, index, x.dtype)] == counts
    assert resident() - before < 1 << 20
