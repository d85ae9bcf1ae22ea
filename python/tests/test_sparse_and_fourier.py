"""fft, spmv and spmm against NumPy, and SciPy where it is installed."""

import types

import numpy
import pytest
import tandem
from standins import Exporter

FLOATS = ["float32", "float64"]
COMPLEX = {"complex64": 1e-5, "complex128": 1e-13}


def waves(*shape, dtype="complex128"):
    random = numpy.random.default_rng(5)
    return (random.normal(size=shape) + 1j * random.normal(size=shape)).astype(dtype)


def close(got, wanted, dtype):
    assert got.dtype == dtype and got.shape == wanted.shape
    assert numpy.linalg.norm(got - wanted) <= COMPLEX[dtype] * max(1, numpy.linalg.norm(wanted))


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("shape", [(1,), (8,), (97,), (360,), (3, 64), (2, 3, 5), (4, 1, 7), (0,), (3, 0), (0, 4)])
@pytest.mark.parametrize("norm, numpys", [("inverse", "backward"), ("unitary", "ortho"), ("none", None)])
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
    with pytest.raises(tandem.InvalidArgument, match="'a' has the format 'csc'; it must be 'csr'"):
        tandem.spmv(a.tocsc(), x)


A, _ = sparse(4, 6, 9)
PARTS = (A.data, A.indices, A.indptr)
X, B = numpy.ones(6), numpy.ones((6, 2))
Z = waves(3, 4)


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
        (lambda out: tandem.spmv(X, X, out=out), "'a' is of type numpy.ndarray, which has no 'indices'; it must be a Csr"),
        (lambda out: tandem.spmv(PARTS[:2], X, out=out), "'a' has 2 parts; it must have 3: data, indices, indptr"),
        (lambda out: tandem.spmv(changed(format="csc"), X, out=out), "'a' has the format 'csc'; it must be 'csr'"),
        (lambda out: tandem.spmv(changed(shape=(4,)), X, out=out), r"the shape of 'a' is \(4,\); it must be two numbers"),
        (lambda out: tandem.spmv(changed(shape=(5, 6)), X, out=out), "size of 'offsets' is 5; it must be one more than rows, 5"),
        (lambda out: tandem.spmv(changed(data=A.data.astype("int32")), X, out=out), "'data' holds int32; it must hold one of float32"),
        (lambda out: tandem.spmv(changed(indices=A.indices.astype("int64")), X, out=out), "'indices' holds int64; it must hold int32"),
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
