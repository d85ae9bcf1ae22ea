"""fft, real_fft, fft_nd, real_fft_nd, convolve, spmv, spmm and sptrsv against NumPy, and SciPy where it is installed."""

import types

import numpy
import pytest
import tandem
from standins import Exporter

FLOATS = ["float32", "float64"]
COMPLEX = {"complex64": 1e-5, "complex128": 1e-13}
TOLERANCES = COMPLEX | {"float32": 1e-5, "float64": 1e-13}
NORMS = [("inverse", "backward"), ("unitary", "ortho"), ("none", None)]  # and NumPy's


def waves(*shape, dtype="complex128"):
    random = numpy.random.default_rng(5)
    return (random.normal(size=shape) + 1j * random.normal(size=shape)).astype(dtype)


def close(got, wanted, dtype):
    assert got.dtype == dtype and got.shape == wanted.shape
    assert numpy.linalg.norm(got - wanted) <= TOLERANCES[dtype] * max(1, numpy.linalg.norm(wanted))


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("shape", [(1,), (8,), (97,), (360,), (3, 64), (2, 3, 5), (4, 1, 7), (0,), (3, 0), (0, 4)])
@pytest.mark.parametrize("norm, numpys", NORMS)
def test_transforms_are_those_of_numpy(dtype, shape, norm, numpys):
    x = waves(*shape, dtype=dtype)
    if x.size == 0:
        assert tandem.fft(x, norm=norm).shape == tandem.inverse_fft(x, norm=norm).shape == shape
        return
    forward = numpy.fft.fft(x, norm=numpys or "backward")
    close(tandem.fft(x, norm=norm), forward, dtype)
    back = numpy.fft.ifft(x, norm=numpys or "forward")
    close(tandem.inverse_fft(x, norm=norm), back, dtype)
    again = tandem.inverse_fft(tandem.fft(x, norm=norm), norm=norm)
    close(again, x * shape[-1] if norm == "none" else x, dtype)


def test_transforms_in_place_and_of_slices():
    x = waves(6, 10)
    wanted = numpy.fft.fft(x)
    part = numpy.fft.fft(x[:, 2:9])
    close(tandem.fft(x[:, 2:9]), part, "complex128")
    close(tandem.fft(x[::2]), wanted[::2], "complex128")
    out = numpy.full((6, 10), 7 + 0j)
    result = tandem.fft(x[:, 2:9], out=out[:, :7])
    assert result.base is out and (out[:, 7:] == 7).all()
    close(out[:, :7], part, "complex128")
    y = x.copy()
    assert tandem.fft(y, out=y) is y
    close(y, wanted, "complex128")
    assert tandem.last()[0].startswith("fft/")
    close(tandem.fft(x, use="custom/serial"), wanted, "complex128")
    close(numpy.asarray(tandem.fft(Exporter(x))), wanted, "complex128")


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("shape", [(1,), (8,), (97,), (360,), (3, 64), (2, 3, 5), (0,), (3, 0), (0, 4)])
@pytest.mark.parametrize("norm, numpys", NORMS)
def test_convolutions_are_what_numpy_makes_of_two_transforms(dtype, shape, norm, numpys):
    x, spectrum = waves(*shape, dtype=dtype), waves(shape[-1], dtype=dtype)
    if x.size == 0:
        assert tandem.convolve(x, spectrum, norm=norm).shape == shape
        return
    wanted = numpy.fft.ifft(numpy.fft.fft(x) * spectrum) * (shape[-1] if norm == "none" else 1)
    close(tandem.convolve(x, spectrum, norm=norm), wanted, dtype)


def test_convolutions_in_place_and_of_slices():
    x, spectrum = waves(6, 10), waves(10)
    wanted = numpy.fft.ifft(numpy.fft.fft(x) * spectrum)
    out = numpy.full((6, 10), 7 + 0j)
    assert tandem.convolve(x[:, 2:9], numpy.ones(7) + 0j, out=out[:, :7]).base is out and (out[:, 7:] == 7).all()
    close(out[:, :7], x[:, 2:9], "complex128")
    close(tandem.convolve(x, x[0]), numpy.fft.ifft(numpy.fft.fft(x) * x[0]), "complex128")
    y = x.copy()
    assert tandem.convolve(y, Exporter(spectrum), out=y) is y
    close(y, wanted, "complex128")
    assert tandem.last()[0].startswith("convolve/")


@pytest.mark.parametrize("dtype, complex_dtype", zip(FLOATS, COMPLEX))
@pytest.mark.parametrize("shape", [(1,), (2,), (3,), (8,), (97,), (360,), (3, 64), (2, 3, 5), (4, 1, 7), (0, 4)])
@pytest.mark.parametrize("norm, numpys", NORMS)
def test_real_transforms_are_those_of_numpy(dtype, complex_dtype, shape, norm, numpys):
    x = waves(*shape).real.astype(dtype)
    n = shape[-1]
    spectrum = tandem.real_fft(x, norm=norm)
    close(spectrum, numpy.fft.rfft(x, norm=numpys or "backward"), complex_dtype)
    y = waves(*shape[:-1], n // 2 + 1, dtype=complex_dtype)
    close(tandem.inverse_real_fft(y, n, norm=norm), numpy.fft.irfft(y, n, norm=numpys or "forward"), dtype)
    close(tandem.inverse_real_fft(spectrum, n=n, norm=norm), x * n if norm == "none" else x, dtype)


def test_real_transforms_of_slices_in_place_and_of_nothing():
    x = waves(6, 12).real.copy()
    wanted = numpy.fft.rfft(x[:, 1:10])
    close(tandem.real_fft(x[:, 1:10]), wanted, "complex128")
    close(tandem.real_fft(Exporter(x), use="custom/serial"), numpy.fft.rfft(x), "complex128")
    out = numpy.full((6, 8), 7 + 0j)
    assert tandem.real_fft(x[:, 1:10], out=out[:, :5]).base is out and (out[:, 5:] == 7).all()
    close(out[:, :5], wanted, "complex128")
    close(tandem.inverse_real_fft(out[:, :5], 9), x[:, 1:10], "float64")
    close(tandem.inverse_real_fft(out[:, :5]), numpy.fft.irfft(wanted), "float64")
    padded = numpy.zeros((6, 5), complex)
    real = padded.view("float64")[:, :9]
    real[...] = x[:, 1:10]
    assert tandem.real_fft(real, out=padded) is padded
    close(padded, wanted, "complex128")
    tandem.inverse_real_fft(padded, 9, out=real)
    close(real, x[:, 1:10], "float64")
    assert tandem.real_fft(numpy.ones((3, 0))).shape == tandem.inverse_real_fft(numpy.ones((3, 0)) + 0j).shape == (3, 0)
    assert tandem.inverse_real_fft(numpy.array([2 + 5j])) == [2]


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("axes", [None, 1, 2, 3])
@pytest.mark.parametrize("shape", [(1, 1, 1), (2, 3, 4), (5, 1, 8), (4, 17, 6), (3, 0, 2)])
@pytest.mark.parametrize("norm, numpys", NORMS)
def test_transforms_of_grids_are_those_of_numpy(dtype, axes, shape, norm, numpys):
    x = waves(*shape, dtype=dtype)
    if x.size == 0:
        assert tandem.fft_nd(x, axes, norm=norm).shape == tandem.inverse_fft_nd(x, axes).shape == shape
        return
    last = range(-(axes or 3), 0)
    close(tandem.fft_nd(x, axes, norm=norm), numpy.fft.fftn(x, axes=last, norm=numpys or "backward"), dtype)
    close(tandem.inverse_fft_nd(x, axes, norm=norm), numpy.fft.ifftn(x, axes=last, norm=numpys or "forward"), dtype)


def test_grids_lie_as_they_do():
    x = waves(4, 6, 10)
    for part in (x[:, 1:5, 2:9], x[::2, ::3, ::2], x.T, x.transpose(2, 0, 1), numpy.asfortranarray(x), x[:, :1, ::9]):
        for axes in (1, 2, 3):
            if axes == 1 and part.shape[1] > 1 and part.strides[0] != part.shape[1] * part.strides[1]:
                continue  # two distances
            close(tandem.fft_nd(part, axes), numpy.fft.fftn(part, axes=range(-axes, 0)), "complex128")
    out = numpy.full((12, 12, 8), 7 + 0j)
    inside = out[1:9:2, 3:9, 1:]
    tandem.fft_nd(x[..., 3:], out=inside)
    close(inside.copy(), numpy.fft.fftn(x[..., 3:]), "complex128")
    inside[...] = 7
    assert (out == 7).all()
    columns = x[0].T.copy()
    assert tandem.fft_nd(columns.T, 1, out=columns.T).base is columns
    close(columns, numpy.fft.fft(x[0]).T, "complex128")
    windows = numpy.lib.stride_tricks.sliding_window_view(x[0, 0], 4)
    close(tandem.fft_nd(windows, 1), numpy.fft.fft(windows), "complex128")
    close(tandem.fft_nd(x[0, 0]), numpy.fft.fft(x[0, 0]), "complex128")
    close(numpy.asarray(tandem.fft_nd(Exporter(x), use="custom/serial")), numpy.fft.fftn(x), "complex128")
    assert tandem.last()[0] == "fft_nd/custom/serial"
    assert tandem.fft_nd(waves(2, 2, 2, 2, 2), 3).shape == (2, 2, 2, 2, 2)


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("axes", [None, 1, 2, 3])
@pytest.mark.parametrize("shape", [(1, 1, 1), (2, 3, 4), (5, 1, 8), (4, 17, 6), (4, 6, 7), (3, 2, 0), (3, 0, 2)])
@pytest.mark.parametrize("norm, numpys", NORMS)
def test_transforms_of_real_grids_are_those_of_numpy(dtype, axes, shape, norm, numpys):
    x = waves(*shape, dtype=dtype).real.copy()
    n, real = shape[-1], x.dtype.name
    half = (*shape[:-1], n // 2 + 1 if n else 0)
    if x.size == 0:
        assert tandem.real_fft_nd(x, axes, norm=norm).shape == half
        assert tandem.inverse_real_fft_nd(numpy.zeros(half, dtype), axes, n).shape == shape
        return
    last = range(-(axes or 3), 0)
    spectrum = tandem.real_fft_nd(x, axes, norm=norm)
    close(spectrum, numpy.fft.rfftn(x, axes=last, norm=numpys or "backward"), dtype)
    back = tandem.inverse_real_fft_nd(spectrum, axes, n, norm=norm)
    numbers = numpy.prod(shape[-(axes or 3):])
    close(back, x * numbers if norm == "none" else x, real)
    # Numbers that no real grid has: NumPy's last transform, of real numbers, does not look at what is too much, either.
    y = waves(*half, dtype=dtype)
    close(tandem.inverse_real_fft_nd(y, axes, n, norm=norm), numpy.fft.irfftn(y, s=shape[-(axes or 3):], axes=last, norm=numpys or "forward"), real)


def test_real_grids_lie_as_they_do():
    x = waves(4, 6, 10).real.copy()
    for part in (x[:, 1:5, 2:9], x[::2, ::3, ::2], x.T, x.transpose(2, 0, 1), numpy.asfortranarray(x), x[:, :1, ::9]):
        close(tandem.real_fft_nd(part), numpy.fft.rfftn(part), "complex128")
    out = numpy.full((12, 12, 8), 7 + 0j)
    inside = out[1:9:2, 3:9, 1:5]
    tandem.real_fft_nd(x[..., 3:], out=inside)
    close(inside.copy(), numpy.fft.rfftn(x[..., 3:]), "complex128")
    close(tandem.inverse_real_fft_nd(inside, n=7), x[..., 3:], "float64")
    inside[...] = 7
    assert (out == 7).all()
    for n in (8, 9):  # in place, padded
        padded = numpy.zeros((4, 6, 5), complex)
        real = padded.view("float64")[..., :n]
        real[...] = x[..., :n]
        assert tandem.real_fft_nd(real, out=padded) is padded
        close(padded, numpy.fft.rfftn(x[..., :n]), "complex128")
        tandem.inverse_real_fft_nd(padded, n=n, out=real)
        close(real, x[..., :n], "float64")
    close(numpy.asarray(tandem.real_fft_nd(Exporter(x), use="custom/serial")), numpy.fft.rfftn(x), "complex128")
    assert tandem.last()[0] == "real_fft_nd/custom/serial"


def sparse(rows, cols, elements, dtype="float64", index="int64", seed=1):
    """A matrix whose rows have elements in any order, some of a column several times, and a dense one like it."""
    random = numpy.random.default_rng(seed)
    row = numpy.sort(random.integers(0, max(1, rows), elements if rows and cols else 0))
    indices = random.integers(0, max(1, cols), row.size).astype("int32")
    data = random.integers(-3, 4, row.size).astype(dtype)
    dense = numpy.zeros((rows, cols), dtype)
    numpy.add.at(dense, (row, indices), data)
    indptr = numpy.searchsorted(row, numpy.arange(rows + 1)).astype(index)
    return types.SimpleNamespace(data=data, indices=indices, indptr=indptr, shape=(rows, cols)), dense


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("rows, cols, elements", [(1, 1, 1), (7, 9, 20), (9, 7, 0), (300, 200, 5000), (0, 5, 0), (5, 0, 0)])
def test_sparse_products_are_those_of_numpy(dtype, index, rows, cols, elements):
    a, dense = sparse(rows, cols, elements, dtype, index)
    kept = tandem.CsrMatrix(a)
    assert kept.shape == (rows, cols) and kept.elements == a.data.size
    x = numpy.arange(cols).astype(dtype) % 7
    b = numpy.arange(cols * 5).reshape(cols, 5).astype(dtype) % 7
    for form in (a, kept, (a.data, a.indices, a.indptr)):
        for product, by in ((tandem.spmv, x), (tandem.spmm, b)):
            result = product(form, by)
            assert type(result) is numpy.ndarray and result.dtype == dtype
            numpy.testing.assert_array_equal(result, dense @ by)
            out = numpy.ones_like(result)
            assert product(form, by, out=out, alpha=2, beta=-1) is out
            numpy.testing.assert_array_equal(out, 2 * (dense @ by) - 1)


def test_layouts_of_dense_factors():
    a, dense = sparse(20, 30, 100)
    b = numpy.arange(30 * 12).reshape(30, 12) % 5.0
    by_columns = tandem.spmm(a, numpy.asfortranarray(b))
    assert by_columns.flags.f_contiguous
    numpy.testing.assert_array_equal(by_columns, dense @ b)
    numpy.testing.assert_array_equal(tandem.spmm(a, b[:, 2:7]), dense @ b[:, 2:7])
    numpy.testing.assert_array_equal(tandem.spmm(a, b.reshape(12, 30).T), dense @ b.reshape(12, 30).T)
    out = numpy.full((20, 14), 9.0)
    tandem.spmm(a, b, out=out[:, 1:13])
    numpy.testing.assert_array_equal(out[:, 1:13], dense @ b)
    assert (out[:, 0] == 9).all() and (out[:, 13] == 9).all()
    assert tandem.spmm(a, b[:, :0]).shape == (20, 0)
    tandem.spmm(a, b, use="custom/serial")
    assert tandem.last()[0] == "spmm/custom/serial"


def test_kept_matrices_see_new_values_and_keep_their_arrays():
    a, dense = sparse(50, 40, 300, index="int32")
    kept = tandem.CsrMatrix((a.data, a.indices, a.indptr), cols=40)
    x = numpy.arange(40.0)
    numpy.testing.assert_array_equal(tandem.spmv(kept, x), dense @ x)
    a.data *= 2
    numpy.testing.assert_array_equal(tandem.spmv(kept, x), 2 * dense @ x)
    del a  # its arrays stay as long as the matrix does
    numpy.testing.assert_array_equal(tandem.spmv(kept, x), 2 * dense @ x)
    assert type(tandem.spmv(kept, Exporter(x))) is numpy.ndarray


def test_matrices_of_scipy():
    scipy = pytest.importorskip("scipy.sparse")
    a = scipy.random(60, 45, 0.1, format="csr", random_state=3)
    x, b = numpy.arange(45.0), numpy.arange(45.0 * 3).reshape(45, 3)
    numpy.testing.assert_allclose(tandem.spmv(a, x), a @ x)
    numpy.testing.assert_allclose(tandem.spmm(tandem.CsrMatrix(a), b), a @ b)
    numpy.testing.assert_allclose(tandem.spmv(scipy.csr_array(a), x), a @ x)
    numpy.testing.assert_allclose(tandem.spmv(a.tocsc(), x), a @ x)
    numpy.testing.assert_allclose(tandem.spmv(a.T, a @ x), a.T @ (a @ x))
    with pytest.raises(tandem.InvalidArgument, match="'a' has the format 'dia'; it must be one of csr, csc, coo, bsr, sell"):
        tandem.spmv(a.todia(), x)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("index", ["int32", "int64"])
def test_other_indices_and_matrices_by_columns(dtype, index):
    a, dense = sparse(30, 20, 150, dtype, index)
    x, y = numpy.arange(20).astype(dtype), numpy.arange(30).astype(dtype)
    a.indices = a.indices.astype("int64")  # as PyTorch has them
    kept = tandem.CsrMatrix(a)
    for form in (a, kept, (a.data, a.indices, a.indptr)):
        numpy.testing.assert_array_equal(tandem.spmv(form, x), dense @ x)
        numpy.testing.assert_array_equal(tandem.spmm(form, x.reshape(20, 1)), dense @ x.reshape(20, 1))
    a.data *= 2
    numpy.testing.assert_array_equal(tandem.spmv(kept, x), 2 * dense @ x)
    a.data /= 2
    # The same arrays by columns are the transposed matrix.
    turned = types.SimpleNamespace(**{**vars(a), "shape": (20, 30), "format": "csc"})
    kept = tandem.CsrMatrix(turned)
    assert kept.shape == (20, 30) and kept.elements == 150
    for form in (turned, kept):
        numpy.testing.assert_array_equal(tandem.spmv(form, y), dense.T @ y)
    a.data *= 2  # a copy keeps its values
    numpy.testing.assert_array_equal(tandem.spmv(kept, y), dense.T @ y)


def triangular(rows, dtype="float64", index="int64"):
    """A matrix with both triangles, whose diagonals are powers of two, and a dense one like it."""
    a, dense = sparse(rows, rows, 6 * rows, dtype, index)
    diagonal = 2.0 ** (numpy.arange(rows) % 3)
    places = numpy.repeat(numpy.arange(rows), numpy.diff(a.indptr)), a.indices
    a.data[places[0] == places[1]] = 0
    numpy.fill_diagonal(dense, diagonal)
    a.data = numpy.insert(a.data, a.indptr[1:], diagonal)
    a.indices = numpy.insert(a.indices, a.indptr[1:], numpy.arange(rows, dtype="int32"))
    a.indptr = (a.indptr + numpy.arange(rows + 1)).astype(index)
    return a, dense


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("unit", [False, True])
@pytest.mark.parametrize("rows", [0, 1, 7, 40])
def test_triangles_are_solved_as_dense_ones(dtype, index, upper, unit, rows):
    a, dense = triangular(rows, dtype, index)
    part = (numpy.triu if upper else numpy.tril)(dense).astype("float64")
    if unit:
        numpy.fill_diagonal(part, 1)
    b = (numpy.arange(rows) % 5 - 2).astype(dtype)
    for form in (a, tandem.CsrMatrix(a), (a.data, a.indices, a.indptr)):
        triangle = tandem.TriangularMatrix(form, upper=upper, unit=unit)
        assert triangle.shape == (rows, rows) and min(rows, 1) <= triangle.levels <= rows
        out = numpy.ones_like(b)
        assert tandem.sptrsv(triangle, b, out=out, alpha=-2) is out
        for x, wanted in ((tandem.sptrsv(triangle, b), b), (out, -2 * b)):
            assert type(x) is numpy.ndarray and x.dtype == dtype and x.shape == (rows,)
            error = abs(part @ x.astype("float64") - wanted)
            bound = abs(part) @ abs(x.astype("float64")) + abs(wanted)
            assert (error <= 60 * numpy.finfo(dtype).eps * bound).all()
    assert tandem.sptrsv(triangle, out, out=out) is out


def test_triangles_of_other_indices_and_by_columns():
    a, dense = triangular(12)
    b = numpy.arange(12.0)
    wanted = tandem.sptrsv(tandem.TriangularMatrix(a), b)
    a.indices = a.indices.astype("int64")
    numpy.testing.assert_array_equal(tandem.sptrsv(tandem.TriangularMatrix(a), b), wanted)
    by_columns = types.SimpleNamespace(**{**vars(a), "format": "csc"})  # the transposed
    x = tandem.sptrsv(tandem.TriangularMatrix(by_columns, upper=True), b)
    part = numpy.tril(dense).T
    assert (abs(part @ x - b) <= 60 * numpy.finfo("float64").eps * (abs(part) @ abs(x) + b)).all()


def test_kept_triangles_see_new_values_and_keep_their_arrays():
    a, dense = triangular(30)
    matrix = tandem.CsrMatrix(a)
    lower, factor = tandem.TriangularMatrix(matrix), tandem.TriangularMatrix(matrix, unit=True)
    b = numpy.arange(30.0)
    x = tandem.sptrsv(lower, b, use="custom/serial")
    assert tandem.last()[0] == "sptrsv/custom/serial"
    a.data *= 2
    numpy.testing.assert_array_equal(tandem.sptrsv(lower, b), x / 2)
    del a, matrix
    numpy.testing.assert_array_equal(tandem.sptrsv(lower, Exporter(b)), x / 2)
    assert tandem.sptrsv(factor, b)[0] == b[0] and (tandem.sptrsv(lower, b, alpha=0) == 0).all()


def test_singular_triangles_name_the_row():
    a, _ = triangular(9)
    diagonal = a.indptr[1:] - 1
    a.data[diagonal[[7, 4]]] = 0
    triangle = tandem.TriangularMatrix(a)
    with pytest.raises(tandem.SingularSystem, match="sptrsv: the diagonal of row 4 is zero") as error:
        tandem.sptrsv(triangle, numpy.ones(9))
    assert error.value.system == 0 and error.value.row == 4
    assert tandem.sptrsv(tandem.TriangularMatrix(a, unit=True), numpy.ones(9)).shape == (9,)
    a.indices[diagonal[5]], a.indices[diagonal[3]] = 4, 4
    places = numpy.repeat(numpy.arange(9), numpy.diff(a.indptr))
    a.indices[(places == a.indices) & numpy.isin(places, (3, 5))] = 0
    with pytest.raises(tandem.SingularSystem, match="row 3 has no element on the diagonal") as error:
        tandem.TriangularMatrix(a)
    assert error.value.row == 3


A, _ = sparse(4, 6, 9)
PARTS = (A.data, A.indices, A.indptr)
X, B = numpy.ones(6), numpy.ones((6, 2))
Z = waves(3, 4)
R = Z.real.copy()
SQUARE, _ = triangular(4)
TRIANGLE = tandem.TriangularMatrix(SQUARE)


def changed(**parts):
    return types.SimpleNamespace(**{**vars(A), **parts})


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda out: tandem.fft(numpy.ones(3)), "fft: 'x' holds float64; it must hold one of complex64, complex128"),
        (lambda out: tandem.inverse_fft(numpy.ones(3, "int32")), "inverse_fft: 'x' holds int32; it must hold one of"),
        (lambda out: tandem.fft(numpy.array(1j)), "fft: 'x' has 0 dimensions; it must have at least 1"),
        (lambda out: tandem.fft(Z, norm="ortho"), "fft: norm is 'ortho'; it must be one of inverse, unitary, none"),
        (lambda out: tandem.fft(Z.T), r"'x' of shape \(4, 3\) does not lie line by line along its last axis"),
        (lambda out: tandem.fft(Z[::-1]), "does not lie line by line"),
        (lambda out: tandem.fft(waves(2, 5, 3)[:, ::2]), "does not lie line by line"),
        (lambda out: tandem.fft(numpy.broadcast_to(Z[0], (3, 4))), "does not lie line by line"),
        (lambda out: tandem.fft(Z, out=numpy.zeros((3, 4), "complex64")), "'out' holds complex64; it must hold complex128"),
        (lambda out: tandem.fft(Z, out=numpy.zeros((4, 3), complex)), r"'out' has shape \(4, 3\); it must be \(3, 4\)"),
        (lambda out: tandem.fft(Z[:2], out=Z[1:]), "'out' overlaps 'in' by starting 64 bytes after it"),
        (lambda out: tandem.fft(Z, use="nothing"), "unknown implementation 'nothing'"),
        (lambda out: tandem.convolve(R, Z[0]), "convolve: 'x' holds float64; it must hold one of complex64, complex128"),
        (lambda out: tandem.convolve(Z, R[0]), "convolve: 'filter' holds float64; it must hold complex128, as 'x' does"),
        (lambda out: tandem.convolve(Z, Z[0, :3]), r"convolve: 'filter' has shape \(3,\); it must be \(4,\), a line of 'x'"),
        (lambda out: tandem.convolve(Z, Z), r"'filter' has shape \(3, 4\); it must be \(4,\)"),
        (lambda out: tandem.convolve(Z, waves(8)[::2]), "'filter'"),
        (lambda out: tandem.convolve(numpy.array(1j), Z[0]), "convolve: 'x' has 0 dimensions; it must have at least 1"),
        (lambda out: tandem.convolve(Z, Z[0], norm="ortho"), "convolve: norm is 'ortho'; it must be one of inverse"),
        (lambda out: tandem.convolve(Z.T, Z[:, 0].copy()), r"'x' of shape \(4, 3\) does not lie line by line"),
        (lambda out: tandem.convolve(Z, Z[0], out=numpy.zeros((4, 3), complex)), r"'out' has shape \(4, 3\); it must be \(3, 4\)"),
        (lambda out: tandem.convolve(Z[:2], waves(4), out=Z[1:]), "'out' overlaps 'in'"),
        (lambda out: tandem.convolve(waves(3, 4), Z[0], out=Z), "'out' overlaps 'filter'|they must be apart"),
        (lambda out: tandem.convolve(Z, Z[0], use="nothing"), "convolve: unknown implementation 'nothing'"),
        (lambda out: tandem.real_fft(Z), "real_fft: 'x' holds complex128; it must hold one of float32, float64"),
        (lambda out: tandem.real_fft(numpy.array(1.0)), "real_fft: 'x' has 0 dimensions; it must have at least 1"),
        (lambda out: tandem.real_fft(R, norm="ortho"), "real_fft: norm is 'ortho'; it must be one of inverse"),
        (lambda out: tandem.real_fft(R.T), r"'x' of shape \(4, 3\) does not lie line by line"),
        (lambda out: tandem.real_fft(R, out=R), "'out' holds float64; it must hold complex128"),
        (lambda out: tandem.real_fft(R, out=Z), r"'out' has shape \(3, 4\); it must be \(3, 3\), the shape of the result"),
        (lambda out: tandem.real_fft(Z.view(float)[:, 1:6], out=Z[:, :3]), "'out' overlaps 'in'"),
        (lambda out: tandem.real_fft(R, use="nothing"), "real_fft: unknown implementation 'nothing'"),
        (lambda out: tandem.inverse_real_fft(R), "inverse_real_fft: 'x' holds float64; it must hold one of complex64"),
        (lambda out: tandem.inverse_real_fft(Z, 5), r"n is 5; it must be 6 or 7, as 'x' of shape \(3, 4\) has 4 numbers in a line"),
        (lambda out: tandem.inverse_real_fft(Z, -1), "n is -1; it must be 6 or 7"),
        (lambda out: tandem.inverse_real_fft(Z[:, :1], 0), "n is 0; it must be 1"),
        (lambda out: tandem.inverse_real_fft(Z, out=numpy.zeros((3, 7))), r"'out' has shape \(3, 7\); it must be \(3, 6\)"),
        (lambda out: tandem.fft_nd(R), "fft_nd: 'x' holds float64; it must hold one of complex64, complex128"),
        (lambda out: tandem.fft_nd(numpy.array(1j)), "fft_nd: 'x' has 0 dimensions; it must have at least 1"),
        (lambda out: tandem.fft_nd(Z, 3), r"axes is 3; it must be from 1 to 2, how many of the last axes of 'x' of shape \(3, 4\)"),
        (lambda out: tandem.inverse_fft_nd(Z, 0), "inverse_fft_nd: axes is 0; it must be from 1 to 2"),
        (lambda out: tandem.fft_nd(waves(1, 2, 1, 2)), "axes is 4; it must be from 1 to 3"),
        (lambda out: tandem.fft_nd(Z[::-1]), r"'x' of shape \(3, 4\) does not lie in ascending steps along its last 2 axes"),
        (lambda out: tandem.fft_nd(Z[:, ::-1], 1), "does not lie in ascending steps along its last 1 axes"),
        (lambda out: tandem.fft_nd(numpy.broadcast_to(Z[0, 0], (3, 4))), "does not lie in ascending steps"),
        (lambda out: tandem.fft_nd(waves(2, 5, 3)[:, ::2], 1), "with grids at one distance"),
        (lambda out: tandem.fft_nd(Z, norm="ortho"), "fft_nd: norm is 'ortho'; it must be one of inverse"),
        (lambda out: tandem.fft_nd(Z, out=numpy.zeros((4, 3), complex).T[::-1]), "'out' of shape .* does not lie in ascending"),
        (lambda out: tandem.fft_nd(Z[:2], out=Z[1:]), "'out' overlaps 'in'"),
        (lambda out: tandem.real_fft_nd(Z), "real_fft_nd: 'x' holds complex128; it must hold one of float32, float64"),
        (lambda out: tandem.real_fft_nd(R, 3), r"real_fft_nd: axes is 3; it must be from 1 to 2"),
        (lambda out: tandem.real_fft_nd(R, out=Z), r"'out' has shape \(3, 4\); it must be \(3, 3\), the shape of the result"),
        (lambda out: tandem.inverse_real_fft_nd(R), "inverse_real_fft_nd: 'x' holds float64; it must hold one of complex64"),
        (lambda out: tandem.inverse_real_fft_nd(Z, n=5), r"n is 5; it must be 6 or 7, as 'x' of shape \(3, 4\) has 4 numbers in a line"),
        (lambda out: tandem.inverse_real_fft_nd(Z, out=Z.view(float)[:, 1:7]), "'out' overlaps 'in'"),
        (lambda out: tandem.fft_nd(Z, out=numpy.lib.stride_tricks.as_strided(waves(9), (3, 4), (16, 16))), "or elements meet"),
        (lambda out: tandem.TriangularMatrix(A), "cols is 6; it must be 4, as there are rows"),
        (lambda out: tandem.TriangularMatrix([1]), "TriangularMatrix: 'a' is of type list, which has no 'data'"),
        (lambda out: tandem.TriangularMatrix(PARTS[:2]), "TriangularMatrix: 'a' has 2 parts; it must have 3"),
        (lambda out: tandem.sptrsv(SQUARE, out), "sptrsv: 'triangle' is of type types.SimpleNamespace; it must be a TriangularMatrix"),
        (lambda out: tandem.sptrsv(TRIANGLE, X, out=out), r"'b' has shape \(6,\); it must be \(4,\), the rows of 'triangle'"),
        (lambda out: tandem.sptrsv(TRIANGLE, B, out=out), "'b' has 2 dimensions; it must have 1"),
        (lambda out: tandem.sptrsv(TRIANGLE, X[:4].astype("float32")), "'b' holds float32; it must hold float64, as 'data' does"),
        (lambda out: tandem.sptrsv(TRIANGLE, X[:4], alpha="two", out=out), "alpha is 'two'; it must be a number"),
        (lambda out: tandem.sptrsv(TRIANGLE, X[:4], out=out[:3]), r"'out' has shape \(3,\); it must be \(4,\)"),
        (lambda out: tandem.sptrsv(TRIANGLE, X[:4], out=X[1:5]), "'x' overlaps 'b'"),
        (lambda out: tandem.sptrsv(TRIANGLE, X[:4], out=SQUARE.data[:4]), "'x' overlaps 'values'"),
        (lambda out: tandem.sptrsv(TRIANGLE, X[:4], use="nothing", out=out), "sptrsv: unknown implementation 'nothing'"),
        (lambda out: tandem.spmv(X, X, out=out), "'a' is of type numpy.ndarray, which has no 'indices'; it must be a Csr"),
        (lambda out: tandem.spmv(PARTS[:2], X, out=out), "'a' has 2 parts; it must have 3: data, indices, indptr"),
        (lambda out: tandem.spmv(changed(format="dia"), X, out=out), "'a' has the format 'dia'; it must be one of csr, csc, coo, bsr, sell"),
        (lambda out: tandem.spmv(changed(shape=(4,)), X, out=out), r"the shape of 'a' is \(4,\); it must be two numbers"),
        (lambda out: tandem.spmv(changed(shape=(5, 6)), X, out=out), "size of 'offsets' is 5; it must be one more than rows, 5"),
        (lambda out: tandem.spmv(changed(data=A.data.astype("int32")), X, out=out), "'data' holds int32; it must hold one of float32"),
        (lambda out: tandem.spmv(changed(indices=A.indices.astype("uint8")), X, out=out), "'indices' holds uint8; it must hold int64, or int32"),
        (lambda out: tandem.spmv(changed(indices=A.indices.astype("int64") + 2**32), X, out=out), r"column number 0 is 429496\d+; it must be from 0 to 5"),
        (lambda out: tandem.spmv(changed(indptr=A.indptr.astype("uint8")), X, out=out), "'indptr' holds uint8; it must hold int64, or int32"),
        (lambda out: tandem.spmv(changed(indices=A.indices + 6), X, out=out), r"column number 0 is \d+; it must be from 0 to 5"),
        (lambda out: tandem.spmv(changed(indptr=A.indptr[::-1].copy()), X, out=out), "offset 0 is 9; it must be 0"),
        (lambda out: tandem.spmv(changed(indptr=A.indptr[::-1].astype("int32")), X, out=out), "offset 0 is 9; it must be 0"),
        (lambda out: tandem.spmv(changed(data=A.data[:-1]), X, out=out), "size of 'values' is 8; it must be 9"),
        (lambda out: tandem.spmv(A, X.astype("float32"), out=out), "'x' holds float32; it must hold float64, as 'data' does"),
        (lambda out: tandem.spmv(A, numpy.ones(5), out=out), r"'x' has shape \(5,\); it must be \(6,\), the columns of 'a'"),
        (lambda out: tandem.spmv(A, B, out=out), "'x' has 2 dimensions; it must have 1"),
        (lambda out: tandem.spmv(A, X, out=out[:3]), r"'out' has shape \(3,\); it must be \(4,\)"),
        (lambda out: tandem.spmv(A, X, beta=1), "beta is not 0; it multiplies what 'out' holds, so give 'out'"),
        (lambda out: tandem.spmv(A, X, alpha="two", out=out), "alpha is 'two'; it must be a number"),
        (lambda out: tandem.spmv(A, X, use="nothing", out=out), "spmv: unknown implementation 'nothing'"),
        (lambda out: tandem.spmm(A, numpy.ones((5, 2))), "spmm: 'b' has 5 rows; it must have 6, the columns of 'a'"),
        (lambda out: tandem.spmm(A, X), "'b' has 1 dimensions; it must have 2"),
        (lambda out: tandem.spmm(A, B.astype("float32")), "'b' holds float32; it must hold float64, as 'data' does"),
        (lambda out: tandem.spmm(A, B[:, :1], out=out), r"'out' has shape \(4,\); it must be \(4, 1\)"),
        (lambda out: tandem.spmm(A, B, beta=2), "beta is not 0"),
        (lambda out: tandem.spmm(A, B, out=B[:4]), "'c' overlaps 'b'"),
        (lambda out: tandem.CsrMatrix(PARTS), "CsrMatrix: cols is not given; three arrays do not say how many columns"),
        (lambda out: tandem.CsrMatrix(PARTS, -1), "CsrMatrix: cols is -1; it must be at least 0"),
        (lambda out: tandem.CsrMatrix(PARTS, 1), r"CsrMatrix: column number \d is \d; it must be from 0 to 0"),
        (lambda out: tandem.CsrMatrix([1, 2]), "CsrMatrix: 'a' is of type list, which has no 'data'"),
    ],
)
def test_bad_calls(call, message):
    out = numpy.full(4, 7.0)
    z, b = Z.copy(), B.copy()
    with pytest.raises(tandem.InvalidArgument, match=message):
        call(out)
    assert (out == 7).all() and (Z == z).all() and (B == b).all()
