"""Sparse vectors, matrices in other layouts and Matrix Market files against NumPy, and SciPy where it is installed."""

import os
import types

import numpy
import pytest
import tandem
from standins import Exporter, Namespace
from test_sparse_and_fourier import FLOATS, sparse

INDICES = ["int32", "int64"]


def values(array):
    """Of an array of any library."""
    return array if isinstance(array, numpy.ndarray) else array.array


def dense(a):
    """What arrays named as SciPy names them hold, by their definitions."""
    result = numpy.zeros(a.shape, values(a.data).dtype)
    if a.format == "coo":
        numpy.add.at(result, (values(a.row), values(a.col)), values(a.data))
    elif a.format == "csr":
        numpy.add.at(result, (numpy.repeat(numpy.arange(a.shape[0]), numpy.diff(values(a.indptr))), values(a.indices)), values(a.data))
    elif a.format == "bsr":
        height, width = a.data.shape[1:]
        padded = numpy.zeros([-(-n // side) * side for n, side in zip(a.shape, (height, width))], a.data.dtype)
        for i in range(a.indptr.size - 1):
            for k in range(a.indptr[i], a.indptr[i + 1]):
                padded[i * height : (i + 1) * height, a.indices[k] * width : (a.indices[k] + 1) * width] += a.data[k]
        result = padded[: a.shape[0], : a.shape[1]]
    else:
        for p, row in enumerate(a.row_numbers):
            s, r = divmod(p, a.slice_rows)
            for k in range(a.indptr[s] + r, a.indptr[s + 1], a.slice_rows):
                if a.indices[k] >= 0:
                    result[row, a.indices[k]] += a.data[k]
    return result


def coo(a, index="int32"):
    """A matrix in rows, with the elements of all rows in another order."""
    rows = numpy.repeat(numpy.arange(a.shape[0]), numpy.diff(a.indptr))
    order = numpy.random.default_rng(7).permutation(rows.size)
    parts = {"row": rows[order].astype(index), "col": a.indices[order].astype(index), "data": a.data[order]}
    return types.SimpleNamespace(**parts, shape=a.shape, format="coo")


# --- vectors ---


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("size, elements", [(1, 1), (9, 4), (1000, 300), (50, 50), (5, 0), (0, 0)])
def test_sparse_vectors_beside_dense_ones(dtype, index, size, elements):
    random = numpy.random.default_rng(2)
    indices = random.permutation(size)[:elements].astype(index)
    data, y = random.integers(-5, 6, elements).astype(dtype), random.integers(-5, 6, size).astype(dtype)
    whole = numpy.zeros(size, dtype)
    whole[indices] = data
    kept = tandem.SparseVector(data, indices, size)
    assert kept.size == size and kept.elements == elements and kept.data is data and kept.indices is indices
    for x in (kept, (data, indices)):
        result = tandem.dot(x, y)
        assert type(result) is float and result == whole @ y
        out = numpy.full(1, 7, dtype)
        assert tandem.dot(x, y, out=out) is out and out == whole @ y
        z = y.copy()
        assert tandem.axpy(x, z) is z
        numpy.testing.assert_array_equal(z, y + whole)
        assert tandem.axpy(x, z, alpha=-3) is z
        numpy.testing.assert_array_equal(z, y - 2 * whole)


def test_kept_vectors_see_new_values_and_keep_their_arrays():
    data, indices, y = numpy.array([1.0, 2, 3]), numpy.array([4, 0, 2], "int32"), numpy.arange(5.0)
    x = tandem.SparseVector(Exporter(data), Exporter(indices), 5)
    assert tandem.dot(x, Exporter(y), use="custom/serial") == 10 and tandem.last()[0] == "spmv/custom/serial"
    data *= 2
    del data, indices
    assert tandem.dot(x, y) == 20
    assert tandem.axpy(x, y, alpha=0.5).tolist() == [2, 1, 5, 3, 5]


def test_elements_that_are_not_stored_are_not_read():
    x, y = (numpy.array([2.0]), numpy.array([1])), numpy.array([numpy.nan, 3, numpy.inf])
    assert tandem.dot(x, y) == 6
    assert tandem.axpy(x, y)[1] == 5 and numpy.isnan(y[0]) and y[2] == numpy.inf
    assert tandem.axpy((numpy.array([numpy.nan]), x[1]), y, alpha=0)[1] == 5


def test_a_row_of_a_matrix_is_a_vector():
    a, whole = sparse(8, 30, 60)
    m = tandem.canonical(a)
    y = numpy.arange(30.0)
    for row in range(8):
        i, j = m.indptr[row], m.indptr[row + 1]
        assert tandem.dot(tandem.SparseVector(m.data[i:j], m.indices[i:j], m.shape[1]), y) == whole[row] @ y


# --- layouts ---


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("rows, cols, elements", [(1, 1, 1), (7, 9, 20), (9, 7, 0), (60, 45, 900), (0, 5, 0), (5, 0, 0)])
def test_every_layout_becomes_every_other(dtype, index, rows, cols, elements):
    a, whole = sparse(rows, cols, elements, dtype, index)
    canonical = tandem.canonical(a)
    layouts = [
        a,
        tandem.CsrMatrix(a),
        coo(a, index),
        tandem.by_elements(a),
        tandem.by_blocks(a, 2, 3),
        tandem.by_blocks(a, 4, 1),
        tandem.by_slices(a, 4),
        tandem.by_slices(a, 3, sort_rows=50),
        canonical,
        tandem.from_dense(whole),
        tandem.transposed(tandem.transposed(a)),
    ]
    x = numpy.arange(cols).astype(dtype) % 7
    for layout in layouts:
        if layout is not a:
            assert layout.shape == (rows, cols) and layout.data.dtype == dtype
            numpy.testing.assert_array_equal(dense(layout), whole)
        for made in (
            tandem.CsrMatrix(layout),
            tandem.by_elements(layout),
            tandem.by_blocks(layout, 5, 2),
            tandem.by_slices(layout, 2, 8),
            tandem.canonical(layout),
        ):
            assert made.shape == (rows, cols) and made.data.dtype == dtype
            numpy.testing.assert_array_equal(dense(made), whole)
        result = tandem.to_dense(layout)
        assert type(result) is numpy.ndarray and result.dtype == dtype and result.flags.c_contiguous
        numpy.testing.assert_array_equal(result, whole)
        numpy.testing.assert_array_equal(dense(tandem.transposed(layout)), whole.T)
        numpy.testing.assert_array_equal(tandem.spmv(layout, x), whole @ x)
    for i, j in zip(canonical.indptr, canonical.indptr[1:]):
        assert (numpy.diff(canonical.indices[i:j]) > 0).all()


@pytest.mark.parametrize("dtype", FLOATS)
def test_layouts_hold_what_their_definitions_say(dtype):
    # 1 . 2
    # . . .
    # . 3 4
    a = tandem.from_dense(numpy.array([[1, 0, 2], [0, 0, 0], [0, 3, 4]], dtype))
    assert (a.data.tolist(), a.indices.tolist(), a.indptr.tolist()) == ([1, 2, 3, 4], [0, 2, 1, 2], [0, 2, 2, 4])
    assert a.elements == 4 and a.format == "csr"
    assert (a.indices.dtype, a.indptr.dtype) == ("int32", "int64")
    t = tandem.transposed(a)
    assert (t.data.tolist(), t.indices.tolist(), t.indptr.tolist()) == ([1, 3, 2, 4], [0, 2, 0, 2], [0, 1, 2, 4])
    e = tandem.by_elements(a)
    assert (e.row.tolist(), e.col.tolist(), e.format) == ([0, 0, 2, 2], [0, 2, 1, 2], "coo")
    b = tandem.by_blocks(a, 2, 2)
    assert b.data.tolist() == [[[1, 0], [0, 0]], [[2, 0], [0, 0]], [[0, 3], [0, 0]], [[4, 0], [0, 0]]]
    assert (b.indices.tolist(), b.indptr.tolist(), b.format) == ([0, 1, 0, 1], [0, 2, 4], "bsr")
    s = tandem.by_slices(a, 2, sort_rows=3)
    assert s.row_numbers.tolist() == [0, 2, 1] and (s.slice_rows, s.format) == (2, "sell")
    assert (s.data.tolist(), s.indices.tolist(), s.indptr.tolist()) == ([1, 3, 2, 4], [0, 1, 2, 2], [0, 4, 4])


def test_rows_and_columns_are_not_copied():
    a, dense = sparse(20, 30, 100)
    m = tandem.CsrMatrix(a)
    assert m.data is a.data and m.indices is a.indices and m.indptr is a.indptr
    turned = tandem.transposed(types.SimpleNamespace(**{**vars(a), "shape": (30, 20)}, format="csc"))
    assert turned.data is a.data and turned.indices is a.indices and turned.indptr is a.indptr
    assert turned.shape == (20, 30)
    a.indices, a.indptr = a.indices.astype("int64"), a.indptr.astype("int32")
    m = tandem.CsrMatrix(a)
    assert m.data is a.data and m.indices is a.indices and m.indptr.dtype == "int64"
    numpy.testing.assert_array_equal(m.indptr, a.indptr)
    x = numpy.arange(30.0)
    numpy.testing.assert_array_equal(tandem.spmv(m, x), dense @ x)
    numpy.testing.assert_array_equal(tandem.to_dense(m), dense)
    by_rows = tandem.transposed(tandem.transposed(m))  # in memory of its own
    assert by_rows.indices.dtype == "int32"
    numpy.testing.assert_array_equal(tandem.to_dense(by_rows), dense)


def test_arrays_of_a_matrix_outlive_it_and_can_be_written():
    a, whole = sparse(20, 30, 100)
    m = tandem.CsrMatrix(coo(a))
    data, indices, indptr = m.data, m.indices, m.indptr
    data *= 2
    x = numpy.arange(30.0)
    numpy.testing.assert_array_equal(tandem.spmv(m, x), 2 * whole @ x)
    del m
    numpy.testing.assert_array_equal(tandem.spmv((data, indices, indptr), x), 2 * whole @ x)


def test_nothing_is_kept():
    a, _ = sparse(300, 200, 5000)
    e = coo(a)
    e.data = Exporter(e.data)

    def calls(count):
        for _ in range(count):
            m = tandem.CsrMatrix(e)
            b, s = tandem.by_blocks(m, 4, 4), tandem.by_slices(m, 8)
            parts = m.data, m.indices, b.data, s.indices, tandem.to_dense(m), tandem.canonical(m).data
            assert tandem.transposed(b).elements <= 5000 and all(part.size > 0 for part in parts)

    def resident():
        return int(open("/proc/self/statm").read().split()[1]) * 4096

    calls(20)
    before = resident()
    calls(100)
    assert resident() - before < 10 << 20 and e.data.exports == 0


def test_elements_of_a_row_stay_in_their_order():
    parts = {"data": numpy.array([1.0, 2, 3, 4]), "row": numpy.array([1, 0, 1, 1]), "col": numpy.array([2, 0, 0, 2])}
    a = types.SimpleNamespace(**parts, shape=(2, 3), format="coo")
    m = tandem.CsrMatrix(a)
    assert (m.data.tolist(), m.indices.tolist(), m.indptr.tolist()) == ([2, 1, 3, 4], [0, 2, 0, 2], [0, 1, 4])
    again = tandem.CsrMatrix(tandem.by_slices(a, 2))
    assert (again.data.tolist(), again.indices.tolist()) == ([2, 1, 3, 4], [0, 2, 0, 2])
    one = tandem.canonical(a)
    assert (one.data.tolist(), one.indices.tolist(), one.indptr.tolist()) == ([2, 3, 5], [0, 0, 2], [0, 1, 3])


def test_zeros_and_nan():
    a = (numpy.array([0.0, numpy.nan, 3]), numpy.array([1, 0, 1], "int32"), numpy.array([0, 2, 3]))
    m = tandem.CsrMatrix(a, 2)
    assert tandem.canonical(m).data[1] == 0 and tandem.CsrMatrix(tandem.by_slices(m, 2)).elements == 3
    assert tandem.CsrMatrix(tandem.by_blocks(m, 2, 2)).elements == 2  # 0 is padding there
    numpy.testing.assert_array_equal(tandem.to_dense(m), [[numpy.nan, 0], [0, 3]])
    assert tandem.from_dense(tandem.to_dense(m)).elements == 2


@pytest.mark.parametrize("dtype", FLOATS)
def test_dense_matrices_as_they_lie(dtype):
    x = (numpy.arange(6 * 10).reshape(6, 10) % 3).astype(dtype)
    for part in (x, x.T, x[:, 2:7], x[1:4].T, numpy.asfortranarray(x), x[:0], x[:, :0], x[5:, 9:], x[::2]):
        numpy.testing.assert_array_equal(dense(tandem.from_dense(part)), part)
    numpy.testing.assert_array_equal(values(tandem.to_dense(tandem.from_dense(Exporter(x)))), x)


def test_results_are_of_the_callers_library():
    a, whole = sparse(10, 12, 40, index="int32")
    ours = types.SimpleNamespace(**{**vars(coo(a)), **{part: Namespace.Array(getattr(coo(a), part)) for part in ("data", "row", "col")}})
    m = tandem.CsrMatrix(ours)
    assert all(type(part) is Namespace.Array for part in (m.data, m.indices, m.indptr, tandem.to_dense(m)))
    numpy.testing.assert_array_equal(dense(m), whole)
    e = tandem.by_elements(m)
    assert type(e.data) is type(e.row) is Namespace.Array
    numpy.testing.assert_array_equal(dense(e), whole)
    assert type(tandem.from_dense(Namespace.Array(whole)).data) is Namespace.Array
    assert tandem.by_blocks(m, 2, 2).data.array.shape[1:] == (2, 2)
    plain = tandem.CsrMatrix((Exporter(a.data), Exporter(a.indices), Exporter(a.indptr)), 12)
    assert type(tandem.to_dense(plain)) is numpy.ndarray and type(plain.data) is Exporter


def test_layouts_of_scipy():
    scipy = pytest.importorskip("scipy.sparse")
    a = scipy.random(60, 45, 0.1, format="csr", random_state=3)
    whole, x = a.toarray(), numpy.arange(45.0)
    for kind in (a, scipy.csr_array(a)):
        for layout in (kind, kind.tocsc(), kind.tocoo(), kind.tobsr((4, 5))):
            numpy.testing.assert_allclose(tandem.spmv(layout, x), whole @ x)
            m, t, e = tandem.CsrMatrix(layout), tandem.transposed(layout), tandem.by_elements(layout)
            b = tandem.by_blocks(layout, 5, 3)
            for again in (
                scipy.csr_array((m.data, m.indices, m.indptr), m.shape),
                scipy.csc_array((t.data, t.indices, t.indptr), layout.shape),
                scipy.coo_array((e.data, (e.row, e.col)), e.shape),
                scipy.bsr_array((b.data, b.indices, b.indptr), b.shape),
            ):
                numpy.testing.assert_array_equal(again.toarray(), whole)
            numpy.testing.assert_array_equal(tandem.to_dense(tandem.by_slices(layout, 8, 64)), whole)


# --- files ---


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("index", INDICES)
def test_files_hold_the_same_elements(tmp_path, dtype, index):
    a, whole = sparse(30, 20, 100)
    e = coo(a, index)
    e.data = (e.data / 3).astype(dtype)
    e.data[:4] = [numpy.inf, -0.0, numpy.finfo(dtype).tiny / 8, numpy.finfo(dtype).max]
    for file in (tmp_path / "a.mtx", str(tmp_path / "b.mtx"), os.fsencode(tmp_path / "c.mtx")):
        assert tandem.write_matrix_market(file, e) is None
        again = tandem.read_matrix_market(file)
        assert again.shape == (30, 20) and again.data.dtype == "float64" and again.row.dtype == again.col.dtype == "int32"
        assert again.data.astype(dtype).tobytes() == e.data.tobytes()
        numpy.testing.assert_array_equal(again.row, e.row)
        numpy.testing.assert_array_equal(again.col, e.col)
    tandem.write_matrix_market(file, tandem.CsrMatrix(a))
    numpy.testing.assert_array_equal(dense(tandem.read_matrix_market(file)), whole)
    tandem.write_matrix_market(file, tandem.by_blocks(a, 7, 3))
    numpy.testing.assert_array_equal(tandem.to_dense(tandem.read_matrix_market(file)), whole)


def test_files_of_half_a_matrix(tmp_path):
    file = tmp_path / "half.mtx"
    file.write_text("%%MatrixMarket matrix coordinate integer skew-symmetric\n% a comment\n3 3 2\n2 1 5\n3 2 -7\n")
    a = tandem.read_matrix_market(file)
    numpy.testing.assert_array_equal(dense(a), [[0, -5, 0], [5, 0, 7], [0, -7, 0]])
    file.write_text("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n")
    numpy.testing.assert_array_equal(tandem.to_dense(tandem.read_matrix_market(file)), [[1, 1], [1, 0]])
    file.write_text("%%MatrixMarket matrix coordinate real general\n0 4 0\n")
    assert tandem.read_matrix_market(file).shape == (0, 4) and tandem.to_dense(tandem.read_matrix_market(file)).shape == (0, 4)


@pytest.mark.parametrize(
    "text, message, offset",
    [
        ("", "line 1: a Matrix Market file begins with %%MatrixMarket", 0),
        ("%%MatrixMarket matrix array real general\n", "line 1: is 'array'; it must be 'matrix coordinate'", 22),
        ("%%MatrixMarket matrix coordinate complex general\n", "line 1: is 'complex'", 33),
        ("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 5\n", "line 3: column is '3'; it must be from 1 to 2", 54),
        ("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 x\n", "line 3: 'x' is no number that a double holds", 56),
        ("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 5.0000\n", "line 3: the file ends behind 1 of 2 el", 63),
    ],
)
def test_files_that_cannot_be_read(tmp_path, text, message, offset):
    file = tmp_path / "bad.mtx"
    file.write_text(text)
    with pytest.raises(tandem.BadFile, match=message) as error:
        tandem.read_matrix_market(file)
    assert isinstance(error.value, OSError) and isinstance(error.value, tandem.Error)
    assert error.value.file == str(file) and error.value.offset == offset and str(file) in str(error.value)


def test_files_that_are_not_there(tmp_path):
    missing = os.fsdecode(os.fsencode(tmp_path) + b"/\xff/a.mtx")  # no text
    for call in (tandem.read_matrix_market, lambda file: tandem.write_matrix_market(file, sparse(2, 2, 2)[0])):
        with pytest.raises(tandem.BadFile, match="No such file or directory") as error:
            call(missing)
        assert error.value.file.startswith(str(tmp_path)) and error.value.offset == 0
    with pytest.raises(tandem.BadFile, match="a Matrix Market file"):
        tandem.read_matrix_market(tmp_path)
    with pytest.raises(TypeError, match="read_matrix_market"):
        tandem.read_matrix_market(5)


def test_what_is_no_matrix_leaves_the_file_as_it_was(tmp_path):
    file = tmp_path / "kept.mtx"
    file.write_text("kept")
    for a, message in (
        (changed(E, row=E.row + 4), r"write_matrix_market: element 0 is in row \d+ and column \d+; the matrix is 4 x 6"),
        (changed(E, row=E.row[:-1]), "write_matrix_market: 8 row numbers, 9 column numbers and 9 values"),
        (PARTS, "write_matrix_market: cols is not given"),
        (changed(A, data=A.data.astype("int32")), "write_matrix_market: 'data' holds int32; it must hold one of float32, float64"),
    ):
        with pytest.raises(tandem.InvalidArgument, match=message):
            tandem.write_matrix_market(file, a)
    assert file.read_text() == "kept" and os.listdir(tmp_path) == ["kept.mtx"]


# --- bad calls ---

A, _ = sparse(4, 6, 9)
E = coo(A)
PARTS = (A.data, A.indices, A.indptr)
BLOCKS, SLICES = tandem.by_blocks(A, 2, 3), tandem.by_slices(A, 2)
DATA, INDEX = numpy.array([1.0, 2]), numpy.array([3, 1], "int32")
VECTOR = tandem.SparseVector(DATA, INDEX, 4)


def changed(a, **parts):
    return types.SimpleNamespace(**{**{part: getattr(a, part) for part in (*vars(a), "format") if hasattr(a, part)}, **parts})


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda y: tandem.SparseVector(DATA, INDEX, 3), "element number 0 is 3; it must be from 0 to 2"),
        (lambda y: tandem.SparseVector(DATA, INDEX, -1), "size is -1; it must be at least 0"),
        (lambda y: tandem.SparseVector(DATA, INDEX * 0, 4), "element number 1 is 0, and so is number 0; they must be distinct"),
        (lambda y: tandem.SparseVector(DATA, INDEX[:1], 4), "size of '(values|numbers)' is"),
        (lambda y: tandem.SparseVector(DATA.astype("int64"), INDEX, 4), "SparseVector: 'data' holds int64; it must hold one of float32, f"),
        (lambda y: tandem.SparseVector(DATA, DATA, 4), "SparseVector: 'indices' holds float64; it must hold int64, or int32"),
        (lambda y: tandem.SparseVector(DATA, INDEX.astype("int64") + 2**40, 4), "element number 0 is 1099511627779; it must be from 0 to 3"),
        (lambda y: tandem.SparseVector([1.0], INDEX, 4), "SparseVector: 'data' is of type list"),
        (lambda y: tandem.SparseVector(DATA.reshape(1, 2), INDEX, 4), "'data' has 2 dimensions; it must have 1"),
        (lambda y: tandem.axpy(DATA, y), "axpy: 'x' is of type numpy.ndarray; it must be a SparseVector, or a tuple of data and"),
        (lambda y: tandem.axpy(PARTS, y), "axpy: 'x' has 3 parts; it must have 2: data, indices"),
        (lambda y: tandem.axpy((DATA, INDEX), y[:3]), "element number 0 is 3; it must be from 0 to 2"),
        (lambda y: tandem.axpy(VECTOR, y[:3]), r"axpy: 'y' has shape \(3,\); it must be \(4,\), the size of 'x'"),
        (lambda y: tandem.axpy(VECTOR, y.reshape(2, 2)), r"axpy: 'y' has shape \(2, 2\); it must be \(4,\)"),
        (lambda y: tandem.axpy(VECTOR, y.astype("float32")), "axpy: 'y' holds float32; it must hold float64, as 'data' does"),
        (lambda y: tandem.axpy(VECTOR, y, alpha="two"), "axpy: alpha is 'two'; it must be a number"),
        (lambda y: tandem.axpy(VECTOR, bytes(32)), "axpy: 'y' is read-only; an output must be writable"),
        (lambda y: tandem.axpy((y[:2], INDEX), y), "axpy: 'y' overlaps 'values'"),
        (lambda y: tandem.axpy(VECTOR, numpy.ones(8)[::2]), "axpy: 'y' of shape .* its elements must lie without gaps"),
        (lambda y: tandem.dot(VECTOR, y[:3]), r"dot: 'y' has shape \(3,\); it must be \(4,\), the size of 'x'"),
        (lambda y: tandem.dot(VECTOR, y.astype("float32")), "dot: 'y' holds float32; it must hold float64, as 'data' does"),
        (lambda y: tandem.dot(VECTOR, y, out=y), r"dot: 'out' has shape \(4,\); it must have one element"),
        (lambda y: tandem.dot(VECTOR, y, out=y[:1]), "'y' overlaps 'x'"),
        (lambda y: tandem.dot(VECTOR, y, out=numpy.zeros(1, "float32")), "dot: 'out' holds float32; it must hold float64, as 'y' does"),
        (lambda y: tandem.dot(VECTOR, y, use="nothing"), "unknown implementation 'nothing'"),
        (lambda y: tandem.CsrMatrix(changed(A, format="dia")), "'a' has the format 'dia'; it must be one of csr, csc, coo, bsr, sell"),
        (lambda y: tandem.CsrMatrix(changed(E, row=E.row - 4)), r"row number 0 is -\d; it must be from 0 to 3"),
        (lambda y: tandem.CsrMatrix(changed(E, col=E.col + 6)), r"column number 0 is \d+; it must be from 0 to 5"),
        (lambda y: tandem.transposed(changed(E, col=E.col + 6)), r"column number 0 is \d+; it must be from 0 to 5"),
        (lambda y: tandem.CsrMatrix(changed(E, row=E.row.astype("int64") + 2**40)), r"CooMatrix: row number 0 is 10995116277\d\d; it must be from 0 to \d"),
        (lambda y: tandem.CsrMatrix(changed(E, row=E.row[:-1])), "size of 'row_numbers' is 8|size of 'values' is 9; it must be 8"),
        (lambda y: tandem.CsrMatrix(changed(E, row=E.data)), "CsrMatrix: 'row' holds float64; it must hold int64, or int32"),
        (lambda y: tandem.CsrMatrix(changed(E, shape=(9,))), r"the shape of 'a' is \(9,\); it must be two numbers"),
        (lambda y: tandem.CsrMatrix(changed(E, shape=(-1, 6))), "rows is -1; it must be from 0 to 2147483647"),
        (lambda y: tandem.CsrMatrix(changed(A, format="coo")), "'a' is of type types.SimpleNamespace, which has no 'row'"),
        (lambda y: tandem.CsrMatrix(changed(BLOCKS, data=BLOCKS.data[0])), "'data' has 2 dimensions; it must have 3: blocks, and"),
        (lambda y: tandem.CsrMatrix(changed(BLOCKS, data=BLOCKS.data[:-1])), "size of 'values' is .*; it must be that of 4 blocks of 2 x 3"),
        (lambda y: tandem.CsrMatrix(changed(BLOCKS, data=numpy.asfortranarray(BLOCKS.data))), "lies in Fortran order; it must lie in C"),
        (lambda y: tandem.CsrMatrix(changed(BLOCKS, indices=BLOCKS.indices + 2)), "column number 0 is 2; it must be from 0 to 1"),
        (lambda y: tandem.CsrMatrix(changed(BLOCKS, indptr=BLOCKS.indptr[:-1])), "size of 'offsets' is 2; it must be 3, one more than"),
        (lambda y: tandem.CsrMatrix(changed(BLOCKS, data=BLOCKS.data[:, :, :0])), "block_cols is 0; it must be from 1 to"),
        (lambda y: tandem.CsrMatrix(changed(SLICES, row_numbers=SLICES.row_numbers * 0)), "row number 1 is 0, and so is one before it"),
        (lambda y: tandem.CsrMatrix(changed(SLICES, slice_rows=0)), "slice_rows is 0; it must be from 1 to"),
        (lambda y: tandem.CsrMatrix(changed(SLICES, slice_rows="two")), "slice_rows of 'a' is 'two'; it must be a whole number"),
        (lambda y: tandem.CsrMatrix(changed(SLICES, indices=SLICES.indices - 2)), r"column number \d is -[23]; it must be -1"),
        (lambda y: tandem.by_elements(PARTS), r"by_elements: cols is not given; .* \(CsrMatrix\)"),
        (lambda y: tandem.by_elements(y), "by_elements: 'a' is of type numpy.ndarray, which has no 'indices'; it must be a CsrMatrix"),
        (lambda y: tandem.by_blocks(A, 0, 2), "by_blocks: block_rows is 0; it must be from 1 to 2147483647"),
        (lambda y: tandem.by_blocks(A, 2, 2**31), "by_blocks: block_cols is 2147483648; it must be from 1 to 2147483647"),
        (lambda y: tandem.by_slices(A, 0), "by_slices: slice_rows is 0; it must be from 1 to"),
        (lambda y: tandem.by_slices(A, 2, 0), "by_slices: sort_rows is 0; it must be from 1 to"),
        (lambda y: tandem.from_dense(y), "from_dense: 'x' has 1 dimensions; it must have 2"),
        (lambda y: tandem.from_dense(numpy.ones((2, 2), "int32")), "from_dense: 'x' holds int32; it must hold one of float32, float64"),
        (lambda y: tandem.from_dense(numpy.ones((4, 4))[::2, ::2]), "from_dense: 'x' of shape .* its rows or its columns must lie"),
        (lambda y: tandem.from_dense([[1.0]]), "from_dense: 'x' is of type list"),
        (lambda y: tandem.to_dense(changed(A, indices=A.indices + 6)), r"column number 0 is \d+; it must be from 0 to 5"),
    ],
)
def test_bad_calls(call, message):
    y = numpy.full(4, 7.0)
    inputs = [part.copy() for part in (*PARTS, DATA, INDEX)]
    with pytest.raises(tandem.InvalidArgument, match=message) as error:
        call(y)
    assert "\n" not in str(error.value) and (y == 7).all()
    for part, before in zip((*PARTS, DATA, INDEX), inputs):
        numpy.testing.assert_array_equal(part, before)
    assert tandem.dot(VECTOR, y) == 21  # the next call is right


def test_memory_that_is_not_there():
    a = tandem.CsrMatrix((numpy.ones(1), numpy.zeros(1, "int32"), numpy.array([0, 1] + [1] * 200_000)), 2**31 - 1)
    for call in (tandem.to_dense, lambda a: tandem.by_blocks(a, 2**31 - 1, 2**31 - 1)):
        with pytest.raises(tandem.OutOfMemory) as error:
            call(a)
        assert isinstance(error.value, MemoryError) and error.value.asked > error.value.free
